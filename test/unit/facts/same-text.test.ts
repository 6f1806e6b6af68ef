// Names that a command reads, where an earlier part of the same text gives them.
import { beforeAll, describe, expect, test } from 'vitest';
import { forFile } from '../../support/cleanup.ts';
import { judgeBash } from '../../support/judge.ts';
import { makeTree, type Tree } from '../../support/tree.ts';

let tree: Tree;
beforeAll(async () => {
  tree = await forFile(makeTree);
  for (const name of ['secret/key', 'open/a', 'a.txt']) tree.file(name, 'TOP\n');
  tree.file('list', 'secret/key\n');
  tree.file('good', 'open/a\n');
});
const said = (command: string): string => judgeBash(tree, { deny: ['Read(secret/**)'], allow: ['Bash(@read-only)'] }, command);

describe('a denied file is not read by a name from [s:read.narrow]', () => {
  test.each([
    // Parameters of the shell.
    'set -- open/a secret/key; cat "${@: -1}"',
    'set -- open/a secret/key; cat < "${@: -1}"',
    'set -- open/a secret/key; cat "${*: -1}"',
    'set -- open/a secret/key; cat "${@:$#}"',
    'set -- open/a secret/key; cat "${!#}"',
    'set -- open/a secret/key; i=2; cat "${!i}"',
    'set -- open/a secret/key; for f; do cat "$f"; done',
    'g() { for f; do cat "$f"; done; }; g secret/key',
    'getopts a: o -a secret/key; cat $OPTARG',
    'read -r f <<< secret/key; cat ${f[@]}',
    'read -r f <<< secret/key; cat < "${f[*]}"',
    'a=(secret key); IFS=/; cat "${a[*]}"',
    'set -- secret key; IFS=/:; cat "$*"',
    'coproc echo secret/key; read f <&${COPROC[0]}; cat "$f"',
    'coproc N { echo secret/key; }; cat "$(cat <&${N[0]})"',
    'declare -A m=([secret/key]=1); for k in "${!m[@]}"; do cat "$k"; done',
    'declare -A m; k=secret/key; m[$k]=1; cat "${!m[@]}"',
    'declare -A m=(secret/key 1); cat "${!m[@]}"',
    'read -r f <<< secret/key; mapfile -t m < ${f[0]}; echo "${m[@]}"',
    'getopts a: o -asecret/key; cat $OPTARG',
    ': secret/key; cat $_',
    'echo secret/key > /dev/null; cat "$_"',
    // Descriptors.
    'exec 3<list; read f <&3; cat $f',
    'exec 3<list; read -u 3 f; cat $f',
    'while read -u 3 f; do cat $f; done 3<list',
    'exec {fd}<list; read -u $fd f; cat $f',
    'exec 3<list; cat $(cat <&3)',
    'exec 3<list; mapfile -u 3 a; cat ${a[0]}',
    'exec 3<<< secret/key; read f <&3; cat $f',
    'exec 3< <(echo secret/key); read f <&3; cat $f',
    // Files that it wrote.
    'echo secret/key > l; cat $(cat l)',
    'echo secret/key > l; xargs cat < l',
    'echo secret/key > ./l; xargs cat < open/../l',
    'echo secret/key >> l; while read f; do cat $f; done < l',
    "printf 'secret/key\\n' | tee l; cat $(<l)",
    'cat > l <<E\nsecret/key\nE\nxargs -a l cat',
    'cd open && echo ../secret/key > l; xargs cat < l',
    'ls secret/* > l; xargs cat < l',
    "echo 'cat secret/key' > x.sh; bash x.sh",
    "echo 'cat secret/key' > x.sh; . ./x.sh",
    "cat > x.sh <<< 'cat secret/key'; sh x.sh",
    "echo 'cat secret/key' > x.sh; chmod +x x.sh; ./x.sh",
  ])('%s', (command) => expect(said(command)).toMatch(/^(?:ask|deny)/));

  test.each([
    'set -- open/a a.txt; cat "${@: -1}"',
    'exec 3<good; read -u 3 f; cat $f',
    'set -- open/a; for f; do cat "$f"; done',
    ': open/a; cat $_',
  ])('others are not refused: %s', (command) => expect(said(command)).toMatch(/^(?:pass|allow)/));
});

describe('mktemp prints nothing if it fails [s:read.narrow]', () => {
  const settings = { deny: ['Read(secret/**)', 'Write(open/**)'], allow: ['Bash(*)', 'Write(//**)'] };
  const place = { temp: ['/tmp'] };
  test.each([
    'cd "$(mktemp -d)"; cat secret/key',
    'd=$(mktemp -d); cd $d; cat secret/key',
    'd=$(mktemp -d); (cd $d; rm -rf open)',
    'cd "$(mktemp -d)" && rm -rf open',
    'd=$(mktemp -d /tmp/x.XXXXXX); cd "$d" && echo > open/a',
    'd=$(mktemp -d /tmp/none/x.XXX); echo > "${d}open/a"',
    'cat "$(mktemp)secret/key"',
    'd=$(ulimit -n 1; mktemp -d); cat "${d}secret/key"',
    'd=$(timeout 0.0001 mktemp -d); cat "${d}secret/key"',
    'echo > "$(mktemp -d)$PWD/open/a"',
    'd=$(mktemp -d); find $d -type f -exec cat {} +',
    'd=$(mktemp -d); grep -r x $d',
    'd=$(mktemp -d); rg x $d',
    'd=$(mktemp -d); env -C "$d" rm -rf open',
    'd=$(mktemp -d); git -C "$d" clean -fd open',
  ])('%s', (command) => expect(judgeBash(tree, settings, command, { place })).toMatch(/^(?:ask|deny)/));

  test.each([
    'd=$(mktemp -d); echo > "$d/a"; cat "$d/a"; rm -rf "$d"',
    'd=$(mktemp -d); cp -r open "$d"; cp -r open "$d/open"; ls "$d/open"',
    'f=$(mktemp); git diff > $f; wc -l "$f"',
    'd=$(mktemp -d); grep -r x "$d"; find "$d" -type f',
    'TMP=$(mktemp -d); touch "$TMP/a"',
  ])('others are not refused: %s', (command) => expect(judgeBash(tree, settings, command, { place })).toMatch(/^(?:pass|allow)/));
});

describe('a substitution whose command may fail prints its text or nothing [s:read.narrow]', () => {
  const settings = { deny: ['Read(secret/**)', 'Write(open/**)'], allow: ['Bash(*)'] };
  test.each([
    'd=$(timeout 0.0001 basename /x/zz); cat "${d}secret/key"',
    'd=$(env -C /none echo zz); cat "${d}secret/key"',
    'd=$(nice -n x echo zz); echo > "${d}open/a"',
    'ulimit -v 1; d=$(basename /x/zz); cat "${d}secret/key"',
    'ulimit -u 0; d=$(cat <<< zz); cat "${d}secret/key"',
    'ulimit -v 1; d=$(/usr/bin/echo zz); cat "${d}secret/key"',
    'd=$(echo zz < /none/x); cat "${d}secret/key"',
    'd=$(echo zz 2> /none/x); cat "${d}secret/key"',
    'd=$(set -e; false; echo zz); cat "${d}secret/key"',
    'd=$(set -u; : $none; echo zz); cat "${d}secret/key"',
    'd=$(: "${none?x}"; echo zz); cat "${d}secret/key"',
    'd=$(: "$((1/0))"; echo zz); cat "${d}secret/key"',
  ])('%s', (command) => expect(judgeBash(tree, settings, command)).toMatch(/^(?:ask|deny)/));

  test.each([
    'd=$(echo zz); cat "${d}secret/key"',
    'd=$(basename /x/zz 2>/dev/null); cat "${d}secret/key"',
    'ulimit -v 1; d=$(echo zz); cat "${d}secret/key"',
    'd=$(cd good && pwd); cat "$d/a"',
  ])('others are not refused: %s', (command) => expect(judgeBash(tree, settings, command)).toMatch(/^(?:pass|allow)/));
});

describe('text that an operator or a placeholder adds to an unknown name is part of it [s:read.narrow]', () => {
  const settings = { deny: ['Read(secret/**)'], allow: ['Bash(*)'] };
  test.each([
    'x=key; cat "${x/#/secret/}"',
    'x=secret; cat "${x/%//key}"',
    'a=(key); cat "${a[@]/#/secret/}"',
    'a=(k*); cat "${a[@]/#/secret/}"',
    'a=(*); cat ${a[@]/%//key}',
    'set -- *; cat "${@/%//key}"',
    'set -- k*; cat "${1/#/secret/}"',
    'for d in *; do cat ${d/%//key}; done',
    'find . -maxdepth 1 -exec cat {}/key ";"',
    'find . -maxdepth 1 -execdir head {}/key ";"',
    'fd . -x cat {}/key',
    'compgen -d | xargs -I{} cat {}/key',
  ])('%s', (command) => expect(judgeBash(tree, settings, command)).toMatch(/^(?:ask|deny)/));

  test.each([
    'x=open; cat "${x/%//a}"',
    'find docs -name "*.md" -exec wc -l {} ";"',
    "find docs -name '*.md' -exec head {}.bak ';'",
  ])('others are not refused: %s', (command) => expect(judgeBash(tree, settings, command)).toMatch(/^(?:pass|allow)/));
});

describe('the name of a listed file may become other names [s:read.narrow]', () => {
  const settings = { deny: ['Read(secret/**)'], allow: ['Bash(*)'] };
  beforeAll(() => {
    tree.file('spaced/x secret/key', 'TOP\n');
    tree.file('plain/b c.txt', 'TOP\n');
    tree.file("sec'r'et/key", 'TOP\n');
    tree.file('[s]ecret/key', 'TOP\n');
    tree.file('sec\\ret/key', 'TOP\n');
  });
  test.each([
    'find spaced -type f | xargs cat',
    'rg -l TOP spaced | xargs cat',
    'cat $(find spaced -name key)',
    'ls -d spaced/*/key | xargs cat',
    'ls -d $PWD/spaced/*/key | xargs cat',
    'for f in spaced/*/key; do cat $f; done',
    'f=$(echo spaced/*/key); cat $f',
    'set -- spaced/*/key; cat $*',
    'find spaced -type f | while read a b; do cat $b; done',
    "ls -d sec\\'*/key | xargs cat",
    'for f in \\[*/key; do cat $f; done',
    'ls -d sec\\\\*/key | xargs cat',
  ])('%s', (command) => expect(judgeBash(tree, settings, command)).toMatch(/^(?:ask|deny)/));

  test.each(['find plain -type f | xargs cat', 'for f in plain/*; do cat "$f"; done', 'rg TOP plain'])(
    'others are not refused: %s',
    (command) => expect(judgeBash(tree, settings, command)).toMatch(/^(?:pass|allow)/),
  );
});
