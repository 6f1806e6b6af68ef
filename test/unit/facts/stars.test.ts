// Texts of others that would hold a matcher up for years are answered at once, and with care.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { modesVerbIn } from '../../../src/facts/protections/commands.ts';
import { unignored } from '../../../src/git/ignored.ts';
import { skipper } from '../../../src/git/skipped-by-search.ts';
import { hasTooManyStars } from '../../../src/platform/glob-cost.ts';

const heavy = `${'*a'.repeat(40)}*b`;
const name = 'a'.repeat(250);
let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'stars-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

test.each([
  ['**/*.py[cod]', false],
  ['a\n*.log\n!b*', false],
  ['*a*b*c*d', false],
  ['*a*b*c*d*e', true],
  [`x\n${heavy}\ny`, true],
])('%j: %s', (text, expected) => expect(hasTooManyStars(text)).toBe(expected));

test('a glob of grep leaves nothing out', () => {
  const skips = { style: 'grep', globs: [{ text: heavy, skip: true, of: 'file' }] } as unknown as Parameters<typeof skipper>[1];
  expect(skipper(folder, skips)(folder)(name, false)).toBe(false);
});

test('a glob of rg leaves nothing out', () => {
  const skips = { style: 'rg', hidden: false, ignored: false, globs: [{ text: heavy, skip: true }], types: [], base: folder };
  expect(skipper(folder, skips as unknown as Parameters<typeof skipper>[1])(folder)(name, false)).toBe(false);
});

test('a .gitignore leaves nothing out, neither of a search nor of the watched files of a gate', () => {
  fs.writeFileSync(path.join(folder, '.gitignore'), `${name}\n${heavy}\n`);
  fs.mkdirSync(path.join(folder, '.git'));
  const skips = { style: 'rg', hidden: false, ignored: true, globs: [], types: [], base: null };
  expect(skipper(folder, skips as unknown as Parameters<typeof skipper>[1])(folder)(name, false)).toBe(false);
  expect(unignored(folder).file(name)).toBe(true);
});

test('words that look like options of our command line, without end', () => {
  expect(modesVerbIn([`modes${',--a='.repeat(1_900)} x`])).toBeNull();
  expect(modesVerbIn([`modes${' --a=b'.repeat(1_500)} trust`])).toBe('trust');
});
