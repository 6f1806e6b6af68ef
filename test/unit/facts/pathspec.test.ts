// Git's pathspecs are read as git reads them: what one selects here is what `git ls-files` lists, and never less.
import { execFileSync } from 'node:child_process';
import { beforeAll, expect, test } from 'vitest';

import { parsePathspec, selectedBy } from '../../../src/git/pathspec.ts';
import { forFile } from '../../support/cleanup.ts';
import { makeTree, type Tree } from '../../support/tree.ts';
import { random } from '../shell/generator.ts';

const files = [
  'secret/key',
  'secret/a.pem',
  'secret/deep/key',
  'open/key',
  'open/Secret',
  'open/secret/key',
  'a[b]/x',
  'key',
  'se',
  'Secrets/a',
];
let tree: Tree;
beforeAll(async () => {
  tree = await forFile(makeTree);
  for (const name of files) tree.file(name);
  execFileSync('git', ['init', '-q'], { cwd: tree.root });
  execFileSync('git', ['add', '-A'], { cwd: tree.root });
});

const listed = (specs: readonly string[], cwd: string): string[] | null => {
  try {
    const args = ['ls-files', '-z', '--full-name', '--', ...specs];
    return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .split('\0')
      .filter(Boolean)
      .sort();
  } catch {
    // Git refuses the pathspec.
    return null;
  }
};

const selected = (specs: readonly string[], prefix: string): string[] => {
  const parsed = specs.map((text) => parsePathspec(text, prefix, tree.root));
  return files.filter(selectedBy(parsed, prefix, () => true)).sort();
};

const magics = ['', '', '', ':', ':/', ':!', ':^', ':!/', '::', ':(top)', ':(glob)', ':(icase)', ':(literal)', ':(exclude)'];
const more = [':(exclude,glob)', ':(top,icase)', ':(glob,top)', ':(exclude,icase,top)', ':(attr:x)', ':()', ':/:', ':!:'];
const names = [
  'secret',
  'secret/',
  'key',
  'secret/key',
  '*',
  's*',
  '*key',
  'sec*/key',
  '**/key',
  'secret/**',
  '**',
  'open',
  'SECRET',
];
const odd = [
  '.',
  './secret',
  '../secret',
  'open/../secret',
  '?ecret',
  'secre[t]',
  'sec\\ret',
  'a[b]',
  'a\\[b]',
  '*.pem',
  'se',
  '',
  '/',
];

test('a generated pathspec selects at least what git selects, and excludes at most that [s:git.content]', () => {
  const pick = random(7);
  const from = (list: readonly string[]): string => list[pick(list.length)] as string;
  let compared = 0;
  for (let turn = 0; turn < 300; turn++) {
    const specs = Array.from({ length: 1 + pick(3) }, () => from([...magics, ...more]) + from([...names, ...odd]));
    const prefix = from(['', 'open', 'secret']);
    const byGit = listed(specs, `${tree.root}/${prefix}`);
    if (byGit === null) continue;
    compared++;
    const ours = selected(specs, prefix);
    const missed = byGit.filter((name) => !ours.includes(name));
    expect(missed, JSON.stringify({ specs, prefix })).toEqual([]);
  }
  expect(compared).toBeGreaterThan(150);
});

test.each([
  [['secret'], '', ['secret/a.pem', 'secret/deep/key', 'secret/key']],
  [['.', ':!secret'], '', files.filter((name) => !name.startsWith('secret/')).sort()],
  [[':(exclude,glob)secret/**'], '', files.filter((name) => !name.startsWith('secret/')).sort()],
  [[':!sec*'], '', files.filter((name) => !name.startsWith('secret/')).sort()],
  [['.'], 'open', ['open/Secret', 'open/key', 'open/secret/key']],
  [['../secret/key'], 'open', ['secret/key']],
  [[':/key'], 'open', ['key']],
  [['secret/*.pem'], '', ['secret/a.pem']],
  [[':(top,exclude)./secret'], '', [...files].sort()],
  [[':!/open/../secret'], '', [...files].sort()],
])('%j in %s selects exactly what git selects', (specs, prefix, expected) => {
  expect(selected(specs, prefix)).toEqual(expected);
  expect(listed(specs, `${tree.root}/${prefix}`)).toEqual(expected);
});
