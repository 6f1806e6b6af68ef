// Texts and functions that run at a time of their own are commands of the call, in every folder in which they can run.
import { describe, expect, test } from 'vitest';
import { analyse } from '../../../src/shell/analyse.ts';

const reads = (text: string): string[] =>
  analyse(text, { cwd: '/p', home: '/home/u' })
    .reads.map(({ path }) => path)
    .map((path) => path.replaceAll('/./', '/'));

describe('delayed commands read their files [s:bash.later]', () => {
  test.each([
    ["trap 'cat secret/key' EXIT", '/p/secret/key'],
    ["trap 'cat secret/key' 0", '/p/secret/key'],
    ["trap -- 'cat secret/key' EXIT", '/p/secret/key'],
    ["trap 'cat secret/key' SIGTERM; kill $$", '/p/secret/key'],
    ["trap 'cat secret/key' DEBUG; true", '/p/secret/key'],
    ["trap 'cat secret/key' ERR; false", '/p/secret/key'],
    ["f() { :; }; set -T; trap 'cat secret/key' RETURN; f", '/p/secret/key'],
    ["trap 'cat secret/key' EXIT INT TERM", '/p/secret/key'],
    ["trap 'cat key' EXIT; cd secret", '/p/secret/key'],
    ["cd secret; trap 'cat key' EXIT; cd ..", '/p/secret/key'],
    ["trap 'cat key' EXIT; (cd secret)", '/p/secret/key'],
    ["trap 'cat key' EXIT; cd src && cd ../secret; ls", '/p/secret/key'],
    ["(trap 'cat secret/key' EXIT)", '/p/secret/key'],
    ['f() { cat secret/key; }; trap f EXIT', '/p/secret/key'],
    ['trap f EXIT; f() { cat secret/key; }', '/p/secret/key'],
    ['trap f EXIT; f() { cat key; }; cd secret', '/p/secret/key'],
    ["f() { trap 'cat secret/key' EXIT; }; f", '/p/secret/key'],
    ['f() { :; }; trap f EXIT; f() { cat secret/key; }', '/p/secret/key'],
    ["f=secret/key; trap 'cat $f' EXIT", '/p/secret/key'],
    ["trap 'cat $f' EXIT; f=secret/key", '/p/secret/key'],
    ["f=a; trap 'cat $f' EXIT; f=secret/key", '/p/secret/key'],
    ["f=secret/key; trap 'cat $f' EXIT; f=a", '/p/secret/key'],
    ['f=secret/key; trap "cat $f" EXIT', '/p/secret/key'],
    ['trap \'eval "cat secret/key"\' EXIT', '/p/secret/key'],
    ['trap "trap \'cat secret/key\' EXIT" INT', '/p/secret/key'],
    ["trap 'cat <secret/key' EXIT", '/p/secret/key'],
    ['trap \'echo "$(<secret/key)"\' EXIT', '/p/secret/key'],
    ['bash -c "trap \'cat secret/key\' EXIT"', '/p/secret/key'],
    ['eval "trap \'cat secret/key\' EXIT"', '/p/secret/key'],
    ["builtin trap 'cat secret/key' EXIT", '/p/secret/key'],
    ["command trap 'cat secret/key' EXIT", '/p/secret/key'],
    ["for i in 1 2; do trap 'cat key' EXIT; cd secret; done", '/p/secret/key'],
    ['command_not_found_handle() { cat secret/key; }; nothing', '/p/secret/key'],
    ['command_not_found_handle() { cat key; }; cd secret; nothing', '/p/secret/key'],
    ["PROMPT_COMMAND='cat secret/key' bash -i", '/p/secret/key'],
    ["export PROMPT_COMMAND='cat secret/key'; bash -i", '/p/secret/key'],
    ["PS4='$(cat secret/key)'; set -x; true", '/p/secret/key'],
    ["PS4='$(<secret/key)' bash -xc true", '/p/secret/key'],
    ['bind -x \'"\\C-x": cat secret/key\'', '/p/secret/key'],
    ["complete -C 'cat secret/key' x", '/p/secret/key'],
    ["compgen -C 'cat secret/key' x", '/p/secret/key'],
    ["compgen -W '$(cat secret/key)'", '/p/secret/key'],
    ['f() { cat secret/key; }; compgen -F f x', '/p/secret/key'],
    ["mapfile -C 'cat secret/key' -c 1 a < b", '/p/secret/key'],
    ["alias x='cat secret/key'", '/p/secret/key'],
    ["fc -e 'cat secret/key #'", '/p/secret/key'],
    ['coproc cat secret/key', '/p/secret/key'],
    ['coproc X { cat secret/key; }', '/p/secret/key'],
    ['exec cat secret/key', '/p/secret/key'],
    ['exec 3<secret/key; cat <&3', '/p/secret/key'],
  ])('%s', (text, file) => {
    expect(reads(text)).toContain(file);
  });
});

test.each([
  ["sh -c 'f=secret/key; cat $f'", '/p/secret/key'],
  ['cd open; cd ..; cat "$PWD"/secret/key', '/p/secret/key'],
  ["bash -c 'cat $PWD/secret/key'", '/p/secret/key'],
  ["bash -c 'cat $(echo secret/key)'", '/p/secret/key'],
  ["bash -c 'cd secret; cat `echo key`'", '/p/secret/key'],
  ["IFS=: bash -c 'f=secret/key; cat $f'", '/p/secret/key'],
  ['bash -c \'cat "$0"\' secret/key', '/p/secret/key'],
  ['echo secret/key | xargs sh -c \'cat "$0"\'', '/p/secret/key'],
  ['find s* -exec grep TOP {} +', '/p/.'],
  ['find secret/* -exec cat {} +', '/p/secret/'],
])('another shell splits words as usual, and find reads what a glob finds: %s', (text, file) => {
  expect(reads(text)).toContain(file);
});

test.each(['true && f=secret/key; cat $f', 'if x; then f=secret/key; fi; cat "$f"', 'true && a=(secret/key); cat "${a[@]}"'])(
  'a value of a variable on one path stays possible: %s',
  (text) => {
    expect(reads(text)).toContain('/p/secret/key');
  },
);

test.each([
  ["trap 'echo done' EXIT; ls", 'read-only'],
  ["trap 'rm -f out' EXIT; ls", 'writes'],
  ['trap \'rm -f out\' EXIT; cd "$x"', 'unknown'],
  ["trap 'cat a' DEBUG; ls", 'unknown'],
  ["trap '' INT; ls", 'read-only'],
  ['trap - EXIT', 'read-only'],
  ['trap -p', 'read-only'],
  ["trap 'cd b' EXIT; ls", 'read-only'],
])('%s is of class %s', (text, expected) => {
  expect(analyse(text, { cwd: '/p', home: '/home/u' }).class).toBe(expected);
});

test('a trap writes in every folder where the shell was', () => {
  const { writes } = analyse("trap 'rm -f out' EXIT; cd src; ls", { cwd: '/p', home: '/home/u' });
  expect(writes.map(({ path }) => path).sort()).toEqual(['/p/out', '/p/src/out']);
});
