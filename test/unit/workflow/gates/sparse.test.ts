// What a sparse checkout leaves out, by patterns that git itself wrote: as git has it.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sparseCheckout } from '../../../../src/git/sparse.ts';
import { makeTree } from '../../../support/tree.ts';

const files = [
  'top.txt',
  'src/a.js',
  'src/deep/b.js',
  'src/deep/more/c.js',
  'src/other/d.js',
  'docs/e.md',
  'odd [x]/f',
  'odd [x]/g/h',
];

test.each<[string, string[]]>([
  ['whole folders: one', ['--cone', 'src']],
  ['whole folders: one below another', ['--cone', 'src/deep']],
  ['whole folders: several', ['--cone', 'src/deep/more', 'docs']],
  ['whole folders: of an odd name', ['--cone', '--skip-checks', 'odd [x]/g']],
  ['whole folders: none', ['--cone']],
  ['patterns: all but one folder', ['--no-cone', '/*', '!/docs/']],
  ['patterns: one kind of file', ['--no-cone', '*.js']],
  ['patterns: a folder anywhere', ['--no-cone', 'deep/']],
  ['patterns: all but one file', ['--no-cone', '/*', '!src/a.js', '!/src/deep/more/c.js']],
  ['patterns: a file of a folder that is left out later', ['--no-cone', '/src/deep/*', '!/src/deep/']],
  ['patterns: everything, then no folder of a name', ['--no-cone', '*', '!deep/']],
  ['patterns: a folder but for one below', ['--no-cone', '/src/', '!/src/deep/', '/src/deep/more/']],
])('%s', (_, words) => {
  const tree = makeTree();
  for (const name of files) tree.file(name, name);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.email=a@example.org', '-c', 'user.name=a', ...args], { cwd: tree.root, encoding: 'utf8' });
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'x');
  git('sparse-checkout', 'set', ...words);
  const present = files.filter((name) => fs.existsSync(path.join(tree.root, name)));
  const belongs = sparseCheckout(path.join(tree.root, '.git'), words[0] === '--cone');
  expect(files.filter(belongs)).toEqual(present);
});

test('patterns that git reads one by one include more files, never fewer', () => {
  const tree = makeTree();
  tree.file('.git/info/sparse-checkout', '/*\n!/*/\n/src/\n!/src/[a]*/\n');
  const belongs = sparseCheckout(path.join(tree.root, '.git'), true);
  expect(files.filter(belongs)).toEqual(expect.arrayContaining(['top.txt', 'src/a.js', 'src/deep/b.js']));
  tree.file('.git/info/sparse-checkout', `${'*'.repeat(200)}\n`);
  expect(sparseCheckout(path.join(tree.root, '.git'), false)('docs/e.md')).toBe(true);
});
