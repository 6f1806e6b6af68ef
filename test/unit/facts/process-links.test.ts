// Links in /proc and /dev that lead to the folder of a process, to the root, or to an open folder.
import { beforeAll, describe, expect, test } from 'vitest';
import { forFile } from '../../support/cleanup.ts';
import { judgeBash } from '../../support/judge.ts';
import { makeTree, type Tree } from '../../support/tree.ts';

let tree: Tree;
beforeAll(async () => {
  tree = await forFile(makeTree);
  for (const name of ['secret/key', 'open/a', 'src/a.ts', 'a.txt']) tree.file(name, 'TOP\n');
});
const name = () => tree.root.split('/').pop() as string;
const said = (settings: object, command: string): string =>
  judgeBash(tree, settings as never, command.replaceAll('$ROOT', tree.root).replaceAll('$NAME', name()));

describe('a denied file is not read through them [s:protect.real]', () => {
  test.each([
    'cat /proc/self/cwd/secret/key',
    'cd open && cat /proc/self/cwd/../secret/key',
    'cat /proc/self/cwd/open/../secret/key',
    'cat /proc/self/cwd/../$NAME/secret/key',
    'cat /proc/$$/cwd/../$NAME/secret/key',
    'cat /proc/self/task/$$/cwd/secret/key',
    'cat /proc/$$/task/$$/cwd/secret/key',
    'cat /proc/../proc/./self//cwd/../$NAME/secret/key',
    'cat /proc/self/root/../$ROOT/secret/key',
    'cat /dev/fd/3/key 3<secret',
    'cat /proc/self/fd/3/../secret/key 3<open',
    'exec 3<open; cat /dev/fd/3/../secret/key',
    'cat /dev/stdin/../secret/key < open',
  ])('%s', (command) => expect(said({ deny: ['Read(secret/**)'] }, command)).toMatch(/^(?:deny|ask)/));
});

describe('a denied file is not written through them [s:protect.real]', () => {
  test.each([
    'echo x > /proc/self/cwd/src/a.ts',
    'echo x > /proc/self/cwd/../$NAME/src/a.ts',
    'cd open && echo x > /proc/self/cwd/../src/a.ts',
    'cp a.txt /proc/self/root$ROOT/src/a.ts',
  ])('%s', (command) => expect(said({ deny: ['Write(src/**)'] }, command)).toBe('deny rule'));
});

describe('a protected file is not written through them, with no rule about writes [s:protect.real]', () => {
  test.each([
    'echo x > /proc/self/cwd/.claude/modes.yaml',
    'echo x > /proc/self/cwd/.git/hooks/post-checkout',
    'echo x > /proc/$$/cwd/.claude/modes.yaml',
    'echo x > /proc/self/root$ROOT/.claude/modes.yaml',
    'ln -s x /proc/self/cwd/.claude/commands',
    'echo x > /dev/fd/3/modes.yaml 3<.claude',
    'exec 3<.claude; cp a.txt /proc/self/fd/3/modes.yaml',
  ])('%s', (command) => expect(said({ deny: ['Bash(git push:*)'] }, command)).toMatch(/^(?:deny|ask) protection$/));
});
