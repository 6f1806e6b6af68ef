// The red team's attempts by the shell and on the guard itself; the table and the others are in red-team.test.ts.
import { expect, test } from 'vitest';
import { guard } from './red-team/guard.ts';
import { playAll } from './red-team/play.ts';
import { shell } from './red-team/shell.ts';

test.each([
  ['the shell and its programs', shell],
  ['the guard itself', guard],
])('%s: each attempt has the result of its row', { timeout: 420_000 }, async (_, rows) => {
  expect(await playAll(rows)).toEqual({ surprises: [], mode: 'test-dev' });
});
