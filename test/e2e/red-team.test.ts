// A red team: each way that an agent may think of to get past its mode, played in the real client. Each is refused, asked, or
// said in SECURITY.md to be out of reach, with what closes it; and what is guarded is looked at on the disk.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { REPOSITORY } from './client.ts';
import { guard } from './red-team/guard.ts';
import { paths } from './red-team/paths.ts';
import { playAll } from './red-team/play.ts';
import { programs } from './red-team/programs.ts';
import { shell } from './red-team/shell.ts';
import { tools } from './red-team/tools.ts';

test.each([
  ['other names of a file, and other ways to write it', paths],
  ['other tools, and programs that may run', [...tools, ...programs]],
])('%s: each attempt comes out as its row says', async (_, rows) => {
  expect(await playAll(rows)).toEqual({ surprises: [], mode: 'test-dev' });
});

describe('the table', () => {
  const rows = [paths, shell, guard, tools, programs].flat();
  const [, second = ''] = readFileSync(path.join(REPOSITORY, 'SECURITY.md'), 'utf8').split('## What is out of reach');
  const named = second
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split(' | '));

  test('holds at least eighty attempts, each once', () => {
    expect(rows.length).toBeGreaterThanOrEqual(80);
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
  });

  test.each(rows.filter(({ expect: said }) => said.startsWith('out of reach')).map((row) => [row.name, row.expect]))(
    'says of “%s” what SECURITY.md says',
    (_, said) => {
      const row = named.find(([what]) => what?.includes(said.replace('out of reach: ', '')));
      expect(row?.[2]?.length).toBeGreaterThan(10);
    },
  );
});
