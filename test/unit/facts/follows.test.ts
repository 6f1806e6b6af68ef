// Options that follow links look at what links lead to below the folders that are read.
import { beforeAll, describe, expect, test } from 'vitest';
import { forFile } from '../../support/cleanup.ts';
import { judgeBash } from '../../support/judge.ts';
import { makeTree, type Tree } from '../../support/tree.ts';

const deny = { deny: ['Read(secret/**)'] };
let tree: Tree;

/** A link to a denied folder, one to a denied file, a link in a circle, and links through links. */
beforeAll(async () => {
  tree = await forFile(makeTree);
  tree.file('secret/deep/key', 'TOP\n');
  tree.file('secret/key', 'TOP\n');
  tree.file('open/a', 'a\n');
  tree.file('plain/a', 'a\n');
  tree.link('open/l', '../secret');
  tree.link('open/circle', '.');
  tree.link('files/f', '../secret/key');
  tree.link('twice/t', '../middle/m');
  tree.link('middle/m', '../secret');
  tree.link('plain/away', '/usr/share/doc');
  tree.link('plain/none', 'nothing');
});

const isDenied = (command: string): boolean => judgeBash(tree, deny, command) === 'deny rule';

describe('a denied file behind a link', () => {
  test.each([
    'grep -R TOP open',
    'grep -R TOP',
    'grep -nR TOP .',
    'grep --dereference-recursive TOP open',
    'grep -R TOP twice',
    'grep -R TOP files',
    'grep -R --exclude=other TOP open',
    'grep TOP open',
    'rg -L TOP open',
    'rg --follow TOP',
    'rg -L --files open | xargs cat',
    'ag -f TOP open',
    'find -L open -type f -exec cat {} +',
    'find -L open -exec cat {} \\;',
    'find -H open/* -type f -exec cat {} +',
    'find -H open/* -type f | xargs cat',
    'find open/*/ -type f -exec cat {} \\;',
    'find -L open -name key -exec cat {} +',
    'find open -follow -type f -exec cat {} +',
    'find -L open -type f | xargs cat',
    'find -L . -type f -print0 | xargs -0 grep TOP',
    'for f in $(find -L open -type f); do cat "$f"; done',
    'cat $(find -L open -type f)',
    'find files -exec cat {} +',
    'find files | xargs cat',
    'find open | xargs grep -r TOP',
    'ls files | while read f; do cat "files/$f"; done',
    'fd -L key open -x cat',
    'fd -L -t f . open | xargs cat',
    'tar chf - open',
    'tar -ch -f - open',
    'tar --dereference -cf out.tar open',
    'tar -hczf out.tgz -C open .',
    'zip -r out.zip open',
    'zip -rq out.zip twice',
    'cp -rL open out',
    'cp -RL open out',
    'cp -r --dereference open out',
    'cp -aL open out',
    'rsync -rL open out',
    'rsync -a --copy-links open/ out',
    'rsync -rk open out',
    'rsync -r --copy-unsafe-links open out',
    'scp -r open host:out',
    'diff -r open plain',
    'diff -ru plain open',
    'grep -r TOP open/l',
    'grep -r TOP open/*',
    'cat files/*',
    'cat open/l/key',
    'grep -Rl TOP open | xargs cat',
  ])('is read by %s [s:extent.follows]', (command) => {
    expect(isDenied(command)).toBe(true);
  });

  test.each(['grep -rn TOP $d', 'grep -R TOP $d $e', 'rg TOP $d', 'ag TOP $d'])(
    'is read by %s, since a possibly empty word leaves the current folder',
    (command) => {
      expect(isDenied(command)).toBe(true);
    },
  );

  test.each([
    'grep -r TOP open',
    'grep -rn TOP twice files',
    'rg TOP open',
    'rg --files open | xargs cat',
    'ag TOP open',
    'find open -type f | xargs grep TOP',
    "find open -type f -name '*' -exec cat {} +",
    'find -L open',
    'ls -LR open',
    'du -L open',
    'tree -l open',
    'tar cf - open',
    'zip -ry out.zip open',
    'grep -R TOP plain',
    'find -L plain -type f | xargs cat',
    'tar chf - plain',
  ])('is not read by %s', (command) => {
    expect(isDenied(command)).toBe(false);
  });
});
