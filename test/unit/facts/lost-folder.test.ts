// A read in an unknown folder, or of a partly known name, asks if it may reach a denied file.
import { beforeAll, describe, expect, test } from 'vitest';
import { forFile } from '../../support/cleanup.ts';
import { judgeBash } from '../../support/judge.ts';
import { makeTree, type Tree } from '../../support/tree.ts';

const deny = { deny: ['Read(secret/**)', 'Read(.env)'] };
let tree: Tree;

beforeAll(async () => {
  tree = await forFile(makeTree);
  tree.file('secret/key', 'TOP\n');
  tree.file('.env', 'TOP\n');
  tree.file('open/a', 'a\n');
  tree.file('plain/c', 'c\n');
});

const said = (command: string): string => judgeBash(tree, deny, command).split(' ')[0] as string;

describe('a denied file is not read', () => {
  test.each([
    // An empty variable leaves the shell where it is.
    'cd "$unset" && for n in */*; do cat "$n"; done',
    'cd "$unset" && for n in */*; do cat $n; done',
    'cd "$unset" && cat */*',
    'cd "$unset" && cat s*/*',
    'cd "$d" && cat *',
    'cd "$d" && grep -r TOP "$PWD"',
    'cd "$d" && cat "${PWD}"/*/*',
    'cd "$d" && cat "$(pwd)"/*/*',
    'cd "$d" && cat ~+/*/*',
    'cd "$d" && (cat */*)',
    'cd "$d" && bash -c \'cat */*\'',
    'cd "$d"/secret; cat key',
    'cd "$d"; cd secret; cat $(echo key)',
    'cd s*; cat *',
    'cd ./se*t && cat *',
    'HOME=$PWD/secret; cd; cat *',
    'CDPATH=secret; cd "$d"; cat */*',
    'CDPATH=secret cd sub && cat ../key',
    'CDPATH=plain:secret pushd sub && cat ../key',
    'CDPATH=$PWD/secret cd . && cat key',
    'HOME=$PWD/secret cd && cat key',
  ])('in an unknown folder: %s', (command) => {
    expect(said(command)).toMatch(/^(?:ask|deny)$/);
  });

  test.each([
    'for i in 1; do cd secret; cat *; done',
    'for i in 1 2; do cat *; cd secret; done',
    'for i in 1; do pushd secret >/dev/null; grep -r TOP *; done',
    'for i in 1; do cd s*; cat *; done',
    'while true; do cd secret; cat * && break; done',
    'until cat *; do cd secret; done',
    'for ((i = 0; i < 2; i++)); do cat *; cd secret; done',
    'f() { cd secret; }; for i in 1 2; do f; cat *; done',
    'for i in 1; do cd secret; cat $(echo key); done',
    "for i in 1; do cd secret; awk '{print}' $(echo key); done",
    'for i in 1; do cd secret; cat < $(echo key); done',
    'for i in 1; do cd secret; cat "$PWD"/*; done',
    'for i in 1; do cd secret; ls | xargs cat; done',
    "for i in 1; do cd secret; bash -c 'cat *'; done",
    'for i in 1; do cd secret; cd ..; cat */*; done',
    'for d in open plain; do cd $d; cat *; cd ..; done',
  ])('in a folder that a loop enters: %s', (command) => {
    expect(said(command)).toMatch(/^(?:ask|deny)$/);
  });

  test.each([
    'cd open; cd -; cat */*',
    'cd open; cd "$OLDPWD"; cat */*',
    'cd open; cat ~-/*/*',
    'cd open; cat "$OLDPWD"/*/*',
    'cd secret; cd ../open; cd - >/dev/null; cat *',
    'pushd secret; pushd ../open; popd; cat *',
    'pushd secret; pushd ../open; cat "${DIRSTACK[1]}"/*',
    'cd secret; cd ../open; cat "$(dirs +1)"/*',
  ])('in a folder where the shell was before: %s', (command) => {
    expect(said(command)).toMatch(/^(?:ask|deny)$/);
  });

  test.each([
    "HOME=secret bash -c 'cat ~/*'",
    "HOME=secret bash -c 'cd; cat *'",
    "env HOME=secret bash -c 'cd && cat *'",
    "HOME=secret env bash -c 'cat ~/*'",
    "HOME=secret; env bash -c 'cat ~/*'",
    "export HOME=secret; bash -c 'cat ~/*'",
    "declare -x HOME=secret; bash -c 'cat ~/*'",
    "HOME=secret eval 'cat ~/*'",
    'f() { cat ~/*; }; HOME=secret f',
    `export f=secret/key; bash -c 'cat "$f"'`,
    `f=secret/key bash -c 'cat "$f"'`,
    `env f=secret/key bash -c 'cat "$f"'`,
    "f=secret/key eval 'cat $f'",
  ])('by a variable that another shell inherits: %s', (command) => {
    expect(said(command)).toMatch(/^(?:ask|deny)$/);
  });

  test.each([
    'cat $(echo "$U"secret/key)',
    'm=$(echo "$U"secret/key); cat "$m"',
    'read -r m <<< "$U"secret/key; cat "$m"',
    'read -r m < <(echo "$U"secret/key); cat "$m"',
    'echo "$U"secret/key | { read -r m; cat "$m"; }',
    'echo "$U"secret/key | while read -r m; do cat "$m"; done',
    'echo "$U"secret/key | xargs cat',
    'printf \'%s\\n\' "$U"secret/key | xargs -I{} cat {}',
    'xargs cat <<< "$U"secret/key',
    'mapfile -t a <<< "$U"secret/key; cat "${a[@]}"',
    'cat <<< "$U"secret/key | xargs cat',
    'for m in $(echo "$U"secret/key); do cat "$m"; done',
    'printf \'%s\\0\' "$U"secret/key | sort --files0-from=-',
    'xargs -a <(echo secret/key) cat',
    'xargs --arg-file=<(echo secret/key) cat',
    'xargs -a <(find secret -type f) cat',
    'xargs -a <(echo "$U"secret/key) cat',
    'xargs -a <(cat <(echo secret/key)) cat',
    'xargs -a <(for k in key; do echo secret/$k; done) cat',
    'xargs -I{} -a <(echo secret) cat {}/key',
    'f() { xargs -a "$1" cat; }; f <(echo secret/key)',
    'xargs -a /dev/stdin cat <<< secret/key',
    'echo secret/key | xargs -a /proc/self/fd/0 cat',
    "wc --files0-from=<(printf 'secret/key\\0')",
    'tar cf - -T <(echo secret/key)',
    'tar cf - -T /dev/stdin <<< secret/key',
    'parallel cat :::: <(echo secret/key)',
    "sed '1r secret/key' open/a",
    "sed -f <(echo 'r secret/key') open/a",
    "sed '1e cat secret/key' open/a",
    'awk -f <(echo \'{ while ((getline < "secret/key") > 0) print }\') open/a',
    'env bash -c \'read -r m < <(echo ${HOME}/../work/secret/key); cat "$m"\'',
    "sh -c 'for n in ${HOME}/../work/secret/key; do cat $n; done'",
    'for n in "$U"secret/key; do cat $n; done',
    'f="$U"secret/key; cat ./$f',
  ])('by a name with a known end, passed on by a command: %s', (command) => {
    expect(said(command)).toMatch(/^(?:ask|deny)$/);
  });

  test.each([
    'git config alias.s show; git s',
    'git config --global alias.s show; git s',
    'git config set alias.s show; git s',
    "git config --add alias.s 'log -p'; git --no-pager s",
    'git config --file .git/config alias.s show; git s',
    'git -c alias.s=show s',
    'git --config-env=alias.s=V s',
    'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.s GIT_CONFIG_VALUE_0=show git s',
    "printf '[alias]\\ns = show\\n' > inc; git config include.path ../inc; git s",
    "git config alias.s show && eval 'git s'",
    "git config alias.s show; bash -c 'git s'",
    'git s',
  ])('by an alias of git: %s', (command) => {
    expect(said(command)).toMatch(/^(?:ask|deny)$/);
  });
});

describe('a file that matches no rule', () => {
  test.each([
    'cd open && cat a',
    'cd open && cat * && cd .. && ls',
    'pushd plain && cat c',
    'for f in plain/*; do cat "$f"; done',
    'for d in open plain; do (cd $d && cat [a-c]); done',
    'cd "$d" && cat README.md',
    'cd "$d" && head -n 5 package.json src/index.ts',
    'for i in 1 2; do cd "$d"; cat README.md; done',
    'for i in 1; do cd open; cat *.md; done',
    'x=1 y=2 ls; echo "$x"',
    "bash -c 'cat README.md'",
    'echo "$U" | grep x',
  ])('passes: %s', (command) => {
    expect(judgeBash(tree, { deny: ['Read(.env)', 'Read(secret/key)'] }, command)).toMatch(/^(?:pass|allow|none|default)/);
  });
});

describe('a field that read splits off is read [s:uncertain.read-outline]', () => {
  test.each([
    'IFS=: read -r a b <<< x:.env; cat $b',
    'IFS=, read -r a b <<< "x,secret/key"; cat "$b"',
    'IFS=:; read -r a b <<< x:.env; cat $b',
    'while IFS=: read -r a b; do cat "$b"; done <<< x:.env',
    'read -d : x <<< .env:y; cat $x',
    "IFS=$'\\t' read -r a b <<< $'x\\t.env'; cat $b",
    'IFS=: read -ra a <<< x:.env; cat "${a[1]}"',
    'echo x:.env | { IFS=: read -r a b; cat $b; }',
  ])('%s', (command) => expect(said(command)).toBe('deny'));

  test.each(['IFS=: read -r a b <<< x:open/a; cat $b', 'IFS= read -r a <<< open/a; cat "$a"'])('%s is not denied', (command) =>
    expect(said(command)).toBe('pass'),
  );
});
