// What is written below a copy meets rules about its source where links lead there, and only there.
import fs from 'node:fs';
import { expect, test, vi } from 'vitest';
import { judgeBash } from '../../support/judge.ts';
import { makeTree, type Tree } from '../../support/tree.ts';

function treeOf(): Tree {
  const tree = makeTree();
  for (const name of ['src/a', 'src/b', 'plain/a', 'linked/a']) tree.file(name, 'x\n');
  tree.link('linked/l', '../src');
  tree.link('link', 'src');
  return tree;
}

const settings = { deny: ['Write(/src/**)'], allow: ['Bash(*)', 'Write(**)'] };

test.each([
  'cp -r link out && echo x > out/y',
  'cp -R link out && echo x > out/y',
  'cp --recursive link out && echo x > out/y',
  'cp -r lin? out && echo x > out/y',
  'cp -r linked out; echo x > out/l/y',
  'cp -r linked/. out; tee out/l/y',
  'cp -r linked/* out; echo x > out/l/y',
  'cp -r linked plain; touch plain/linked/l/y',
  'cp -r linked one; cp -r one two; echo x > two/l/y',
  'cp -r linked out; rm out/l/a',
  'rsync -a linked/ out; echo x > out/l/y',
  'ln -s ../src plain/l; cp -r plain out; echo x > out/l/y',
  'mv link plain/; cp -r plain out; echo x > out/link/y',
  'cp -r src out; echo x > src/y',
  // The link in it is a second name for src.
  'cp -r linked out',
])('%s is denied', (command) => {
  expect(judgeBash(treeOf(), settings, command)).toBe('deny rule');
});

test.each([
  'cp -r src out && echo x > out/y',
  'cp -a src out && sed -i s/x/y/ out/a',
  'cp -r src/* out && touch out/y',
  'cp -r src out && cp -r plain out/',
  'cp -r src out && chmod -R a+x out',
  'rsync -a src/ out && echo x > out/y',
])('%s is not', (command) => {
  expect(judgeBash(treeOf(), settings, command)).toBe('allow rule');
});

test('a source is searched once, for any number of writes to its copy', () => {
  const tree = treeOf();
  const list = vi.spyOn(fs, 'readdirSync');
  const looksFor = (times: number) => {
    list.mockClear();
    const command = `cp -r src out${'; chmod -R a+x out'.repeat(times)}`;
    expect(judgeBash(tree, settings, command)).toBe('allow rule');
    return list.mock.calls.length;
  };
  const once = looksFor(1);
  expect(once).toBeGreaterThan(0);
  expect(looksFor(40)).toBe(once);
  list.mockRestore();
});
