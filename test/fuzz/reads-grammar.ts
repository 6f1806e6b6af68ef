// Reading commands of one to three calls, most of which try to print a file that may not be read.
import type { Pick } from './mutate.ts';

type Make = (pick: Pick) => string;

const one = (pick: Pick, list: readonly (string | Make)[]): string => {
  const found = list[pick(list.length)] as string | Make;
  return typeof found === 'string' ? found : found(pick);
};

/** Words that may be the denied file, or a plain one. */
const FILES: readonly string[] = [
  'secret/key',
  './secret/key',
  'secret//key',
  'open/../secret/key',
  'secret/../secret/./key',
  'open/l/key',
  'open/f',
  '"$PWD"/secret/key',
  '${PWD}/secret/key',
  '$PWD/open/../secret/key',
  'secret/k*',
  'secret/ke?',
  'secret/[k]ey',
  's*/key',
  '*/key',
  'open/*',
  'secret/*',
  'secret/{key,x}',
  '{secret,open}/key',
  'secret/{k,x}ey',
  '{s,}ecret/key',
  "$'secret/key'",
  "$'\\x73ecret/key'",
  '"sec"ret/k\'e\'y',
  's\\ecret/key',
  '${x:-secret/key}',
  '${x-secret}/key',
  '${HOME}/../work/secret/key',
  '~/../work/secret/key',
  '$(echo secret/key)',
  '$(printf sec%s ret/key)',
  '$(printf %s secret)/key',
  '`echo secret/key`',
  '$(dirname secret/x)/key',
  '$(git rev-parse --show-toplevel)/secret/key',
  '$(<open/list)',
  '$(cat open/list)',
  '$(head -n1 open/list)',
  '$(find . -name key)',
  '$(find secret -type f)',
  '$(ls -d secret/*)',
  '$(git ls-files secret)',
  '$(basename x/secret)/key',
  '/proc/self/cwd/secret/key',
  '/proc/$$/cwd/secret/key',
  '/proc/$BASHPID/cwd/secret/key',
  '/proc/thread-self/cwd/secret/key',
  '/proc/self/cwd/../work/secret/key',
  '/proc/$$/cwd/open/../secret/key',
  '/proc/self/task/$$/cwd/secret/key',
  '/proc/self/root/$PWD/secret/key',
  '/dev/fd/3/key 3<secret',
  '/proc/self/fd/3/../secret/key 3<open',
  '${x:=secret/key}',
  '${!p}',
  '"${@: -1}"',
  '${f[@]}',
  '${f,,}',
  '${f:0}',
  '.env',
  './.env',
  '.e*',
  '.??v',
  '.[e]nv',
  '.{env,x}',
  '"$d"/key',
  '$d/key',
  '${d}/key',
  '${d%/}/key',
  '"${a[0]}"',
  '"${a[@]}"',
  '${a[*]}',
  '"$f"',
  '$f',
  '${f#x}',
  '${f/x/y}',
  '"$1"',
  'open/a',
  'open/b.ts',
  'missing',
  'secret/key open/a',
  'open/a secret/key',
];

const FOLDERS: readonly string[] = [
  ...['secret', 'secret/', '.', './', 'open', 'open/', 'open/l', 'open/l/', '"$PWD"', '*', 's*', 'open/..', '$d', '"$d"'],
  ...['open/*', '$(pwd)', '${PWD}', '/proc/self/cwd', '{open,secret}', 'open plain', 'plain', '..', '~/../work'],
];

const PATHSPECS: readonly string[] = [
  ...[
    '',
    '',
    '',
    '-- secret',
    '-- secret/',
    '-- secret/key',
    'secret',
    '-- .',
    '-- open',
    '-- :/',
    "-- ':(top)secret'",
    "-- ':/secret'",
  ],
  ...[
    "-- ':(glob)secret/**'",
    "-- ':(glob)**/key'",
    "-- ':(icase)SECRET'",
    "-- 's*'",
    "-- '*key'",
    "-- ':!open'",
    "-- . ':!open'",
  ],
  ...[
    "-- . ':!secret'",
    "-- . ':(exclude)secret/key'",
    "-- ':^secret'",
    "-- . ':!secret/deep'",
    "-- ':(attr:x)'",
    '-- open/../secret',
  ],
  ...[
    "-- ':(literal)secret/key'",
    "-- . ':!Secret'",
    "-- ':(top,exclude)secret'",
    "-- '**/key'",
    "-- 'sec?et/key'",
    '-- $d',
    '-- "$f"',
  ],
];

const REVISIONS: readonly string[] = [
  '',
  'HEAD',
  'HEAD~1',
  'main',
  'HEAD~1 HEAD',
  'HEAD~1..HEAD',
  'HEAD~1...main',
  '--all',
  'v1',
  '@',
  'HEAD^',
];
const OBJECTS: readonly string[] = [
  ...[
    'HEAD:secret/key',
    'main:secret/key',
    'HEAD~1:secret/key',
    ':secret/key',
    ':0:secret/key',
    'HEAD:./secret/key',
    'HEAD:secret',
  ],
  ...[
    '$(git rev-parse HEAD:secret/key)',
    '"$r:secret/key"',
    'HEAD:open/a',
    'v1:secret/key',
    '"HEAD^{/one}:secret/key"',
    'HEAD:$f',
  ],
];
const SHOWS: readonly string[] = [
  ...[
    '',
    '',
    '-p',
    '-p',
    '--stat',
    '--name-only',
    '-U1',
    '--word-diff',
    '-s',
    '--patch-with-stat',
    '--cc',
    '--stat -p',
    '--full-diff -p',
  ],
  ...[
    '--oneline',
    '--raw',
    '--check',
    '--color-words',
    '-p --reverse',
    '-L1,1:secret/key',
    '--binary',
    '-p -M',
    '--format=%H -p',
  ],
];

const file: Make = (pick) => one(pick, FILES);
const folder: Make = (pick) => one(pick, FOLDERS);

const GIT: readonly (string | Make)[] = [
  (pick) => `git log ${one(pick, SHOWS)} ${one(pick, REVISIONS)} ${one(pick, PATHSPECS)}`,
  (pick) => `git show ${one(pick, SHOWS)} ${one(pick, REVISIONS)} ${one(pick, PATHSPECS)}`,
  (pick) =>
    `git show ${one(pick, ['', '--stat', '--name-only', '-s'])} ${one(pick, OBJECTS)} ${one(pick, ['', '', "-- . ':!secret'"])}`,
  (pick) => `git diff ${one(pick, SHOWS)} ${one(pick, REVISIONS)} ${one(pick, PATHSPECS)}`,
  (pick) =>
    `git diff ${one(pick, ['--cached', '--no-index', 'HEAD', '--staged', ''])} ${one(pick, [file, folder, ...PATHSPECS])}`,
  (pick) => `git diff ${one(pick, OBJECTS)} ${one(pick, OBJECTS)}`,
  (pick) => `git diff /dev/null ${file(pick)}`,
  (pick) => `git ${one(pick, ['diff-tree', 'diff-index', 'whatchanged'])} ${one(pick, SHOWS)} HEAD ${one(pick, PATHSPECS)}`,
  (pick) => `git diff-files ${one(pick, SHOWS)} ${one(pick, PATHSPECS)}`,
  (pick) =>
    `git archive ${one(pick, ['', '--format=tar', '-v'])} ${one(pick, ['HEAD', 'main', 'HEAD:secret', 'HEAD:open', 'v1'])} ${one(pick, ['', ...PATHSPECS])} | tar xO`,
  (pick) =>
    `git grep ${one(pick, ['', '-n', '-i', '-h', '--cached', '--untracked', '--no-index'])} TOP ${one(pick, REVISIONS)} ${one(pick, PATHSPECS)}`,
  (pick) => `git cat-file ${one(pick, ['-p', 'blob', '-t', '-s'])} ${one(pick, OBJECTS)}`,
  (pick) => `${one(pick, ['echo', 'printf "%s\\n"'])} ${one(pick, OBJECTS)} | git cat-file --batch`,
  'git cat-file --batch-all-objects --batch',
  'git cat-file --batch-check --batch-all-objects',
  'git rev-list --objects HEAD | cut -d" " -f1 | git cat-file --batch',
  (pick) => `git format-patch --stdout ${one(pick, ['HEAD~1', '-1', '--root HEAD'])} ${one(pick, PATHSPECS)}`,
  (pick) => `git blame ${one(pick, ['', 'HEAD --', '-s', '-L1,1'])} ${file(pick)}`,
  (pick) => `git stash ${one(pick, ['list', 'list -p', 'show', 'show -p', 'show -p stash@{0}'])}`,
  (pick) => `git reflog ${one(pick, ['', '-p', 'show -p'])}`,
  (pick) => `git range-diff HEAD~1 HEAD main ${one(pick, ['', '--stat', '-s'])}`,
  'git bundle create - --all',
  (pick) => `git status ${one(pick, ['', '-v', '-vv', '-s'])}`,
  (pick) => `git commit --dry-run ${one(pick, ['', '-v', '-a -v'])}`,
  (pick) => `git config --blob=${one(pick, OBJECTS)} -l`,
  (pick) => `git config -f ${file(pick)} -l`,
  (pick) => `git ls-files ${one(pick, PATHSPECS)} | xargs ${one(pick, ['cat', 'grep -h TOP', 'head -n1'])}`,
  (pick) => `git diff --name-only HEAD~1 ${one(pick, PATHSPECS)} | xargs cat`,
  (pick) => `git show $(git rev-list HEAD | head -n1) ${one(pick, PATHSPECS)}`,
  (pick) => `for c in HEAD main; do git show ${one(pick, SHOWS)} $c ${one(pick, PATHSPECS)}; done`,
  (pick) => `git -C ${one(pick, ['.', 'open', 'secret', '"$PWD"'])} log -p ${one(pick, PATHSPECS)}`,
  (pick) => `git hash-object ${file(pick)}`,
  (pick) => `git rev-list HEAD | xargs -n1 git show ${one(pick, SHOWS)}`,
];

const READERS: readonly (string | Make)[] = [
  (pick) =>
    `${one(pick, ['cat', 'cat -n', 'head -n1', 'tail -n1', 'nl', 'tac', 'sort', 'uniq', 'fold', 'expand', 'cut -c1-40'])} ${file(pick)}`,
  (pick) =>
    `${one(pick, ['od -c', 'xxd', 'strings', 'base64', 'rev', 'paste', 'pr', 'column', 'fmt', 'wc', 'cksum', 'file', 'stat'])} ${file(pick)}`,
  (pick) =>
    `${one(pick, ['grep TOP', 'grep -n .', 'grep -h ""', 'sed -n p', "sed ''", "awk '{print}'", 'awk 1', 'jq -R .', 'egrep -o "TOP.*"'])} ${file(pick)}`,
  (pick) =>
    `${one(pick, ['cat', 'tr a a', 'grep TOP', 'sed p', 'head', 'jq -R .', 'while read -r l; do echo "$l"; done', 'tee /dev/null'])} < ${file(pick)}`,
  (pick) => `${one(pick, ['diff', 'diff -u', 'comm', 'join', 'paste', 'cmp -l', 'sdiff'])} ${file(pick)} ${file(pick)}`,
  (pick) => `diff ${one(pick, ['-r', '-ru', '-rq', '-r --no-dereference'])} ${folder(pick)} ${folder(pick)}`,
  (pick) =>
    `grep ${one(pick, ['-r', '-R', '-rn', '-Rh', '-r --include=key', '-r --exclude=key', '-r --exclude-dir=secret', '-rL', ''])} TOP ${folder(pick)}`,
  (pick) =>
    `find ${one(pick, ['', '-L ', '-H '])}${folder(pick)} ${one(pick, ['', '-type f', '-name key', '-maxdepth 2', "-name '*e*'", '-path "*secret*"'])} ${one(pick, ['-exec cat {} +', '-exec cat {} \\;', '-exec grep TOP {} +', '-print', '| xargs cat', '-print0 | xargs -0 cat', '-execdir cat {} \\;'])}`,
  (pick) => `tar ${one(pick, ['cf', 'chf', 'cvf'])} - ${folder(pick)} | ${one(pick, ['tar xO', 'cat', 'strings'])}`,
  (pick) => `zip -q ${one(pick, ['-r', '-ry', ''])} - ${one(pick, [folder, file])} | ${one(pick, ['cat', 'funzip', 'strings'])}`,
  (pick) => `gzip -c ${file(pick)} | gzip -dc`,
  (pick) => `dd if=${file(pick)} 2>/dev/null`,
  (pick) =>
    `xargs ${one(pick, ['cat', '-n1 cat', 'head -n1', 'grep -h TOP', '-I{} cat {}'])} ${one(pick, ['< open/list', '-a open/list', '<<< secret/key', '<<< "$f"'])}`,
  (pick) =>
    `${one(pick, ['echo', 'printf "%s\\n"', 'ls -d'])} ${file(pick)} | xargs ${one(pick, ['cat', 'grep -h TOP', 'sh -c \'cat "$0"\''])}`,
  (pick) => `xargs -a open/list ${one(pick, ['cat', 'tac'])}`,
  (pick) =>
    `${one(pick, ['sort', 'wc', 'du'])} --files0-from=${one(pick, ['open/list0', '-'])} ${one(pick, ['', '< open/list0'])}`,
  (pick) =>
    `while read -r n; do ${one(pick, ['cat "$n"', 'head -n1 $n', 'echo "$(<$n)"'])}; done < ${one(pick, ['open/list', 'open/a'])}`,
  (pick) => `ls ${folder(pick)} | while read -r n; do cat ${one(pick, ['"$n"', 'secret/$n', '"open/$n"'])}; done`,
  (pick) => `mapfile -t m < open/list; cat ${one(pick, ['"${m[@]}"', '${m[0]}', '"${m[0]}"'])}`,
  (pick) => `read -r m < <(echo ${file(pick)}); cat ${one(pick, ['"$m"', '$m'])}`,
  (pick) => `mapfile -t m < ${file(pick)}; echo "\${m[@]}"`,
  (pick) => `read -r m < ${file(pick)}; echo "$m"`,
  (pick) => `echo "$(${one(pick, ['<', 'cat ', 'head '])}${file(pick)})"`,
  (pick) => `cat <<E\n$(cat ${file(pick)})\nE`,
  (pick) => `cat <<< "$(<${file(pick)})"`,
  (pick) => `exec 3< ${file(pick)}; cat <&3`,
  (pick) => `{ cat; } < ${file(pick)}`,
  (pick) => `cat /dev/fd/3 3< ${file(pick)}`,
  (pick) =>
    `for n in ${one(pick, [file, 'secret/*', '*/*', '$(cat open/list)', 'secret/key open/a', '{secret,open}/*'])}; do ${one(pick, ['cat "$n"', 'cat $n', 'head -n1 "$n"', 'grep -H . "$n"'])}; done`,
  (pick) =>
    `awk ${one(pick, ['\'BEGIN { while ((getline l < "secret/key") > 0) print l }\'', '-f open/a', "'{ while ((getline l < $1) > 0) print l }' open/list", "'NR==FNR' open/a"])} ${one(pick, ['', file])}`,
  (pick) => `sed ${one(pick, ["-n 'r secret/key'", "'r secret/key'", "-n 'R open/f'", "'$r secret/key'", '-f open/a'])} open/a`,
  (pick) => `grep -f ${file(pick)} ${file(pick)}`,
  (pick) => `ls ${one(pick, ['-l', '-R', '-LR', '-d', ''])} ${folder(pick)}`,
  (pick) => `${one(pick, ['du -a', 'wc -c', 'md5sum', 'sha256sum'])} ${one(pick, [folder, file])}`,
  (pick) => `jq ${one(pick, ['-R .', "-n --rawfile k secret/key '$k'", '-Rs .'])} ${file(pick)}`,
  (pick) => `printf '%s' "$(<${file(pick)})"`,
  (pick) => `set -x; : ${one(pick, ['"$(<secret/key)"', '$(cat secret/key)', '"$f"'])}`,
  (pick) => `cat ${one(pick, ['--', '-A', '-'])} ${file(pick)}`,
  (pick) => `test -f ${file(pick)} && cat ${file(pick)}`,
  (pick) => `comm -12 ${file(pick)} ${file(pick)}`,
  (pick) => `compgen -W ${one(pick, ["'$(cat secret/key)'", "'$(<secret/key)'", 'a'])}`,
];

const PREFIXES: readonly string[] = [
  ...[
    '',
    '',
    '',
    '',
    'd=secret; ',
    'f=secret/key; ',
    'a=(secret/key); ',
    'a=(open/a secret/key); ',
    'f=$(cat open/list); ',
    'r=HEAD; ',
  ],
  ...[
    'd=open; d=secret; ',
    'set -- secret/key; ',
    'f=.env; ',
    'declare f=secret/key; ',
    'printf -v f %s secret/key; ',
    'shopt -s nullglob; ',
  ],
  ...[
    'f=open/a; f=secret/key; ',
    'x=; ',
    'local f=secret/key; ',
    'export f=secret/key; ',
    'read -r f <<< secret/key; ',
    'd=s; d+=ecret; ',
    'p=f; f=secret/key; ',
    'f=SECRET/KEY; ',
    'declare -n p=f; f=secret/key; ',
    'set -- open/a secret/key; ',
    'exec 3<secret; ',
    'export BASH_ENV=secret/key; ',
    'f=sec; f=${f}ret/key; ',
  ],
];

const MOVES: readonly string[] = [
  ...[
    '',
    '',
    '',
    '',
    '',
    'cd open && ',
    'cd open; ',
    'cd secret && ',
    'cd secret; ',
    'cd open/l && ',
    'cd open/..; ',
    'cd "$PWD" && ',
  ],
  ...[
    'cd $(pwd) && ',
    'cd "$d" && ',
    'cd open; cd ..; ',
    'pushd secret >/dev/null; ',
    'cd $(git rev-parse --show-toplevel) && ',
    'CDPATH=secret; cd .; ',
    'CDPATH=$PWD/secret cd . && ',
    'HOME=$PWD/secret cd && ',
    'cd -P open/l && ',
    'cd /proc/self/cwd && ',
    'pushd open >/dev/null; popd >/dev/null; ',
  ],
];

/** The same names from another folder. */
const moved = (text: string, move: string): string =>
  /secret|open\/l/.test(move)
    ? text.replace(/(?<![\w/:])secret\/key/g, 'key')
    : /cd open(?:;| &&) $/.test(move)
      ? text.replace(/(?<![\w/:(])secret/g, '../secret')
      : text;

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const WRAPPERS: readonly ((text: string, pick: Pick) => string)[] = [
  ...Array.from({ length: 8 }, () => (text: string) => text),
  (text, pick) => `trap ${quoted(text)} ${one(pick, ['EXIT', '0', 'EXIT INT', 'TERM; kill $$', 'DEBUG; true', 'ERR; false'])}`,
  (text, pick) =>
    `trap -- ${quoted(text)} EXIT; ${one(pick, ['cd open', 'cd secret', 'true', '(cd secret)', 'f=secret/key; d=secret'])}`,
  (text) => `g() {\n${text}\n}; g`,
  (text, pick) => `g() {\n${text}\n}; ${one(pick, ['trap g EXIT', 'cd secret; g', 'g secret/key', 'if true; then g; fi'])}`,
  (text) => `trap g EXIT; g() {\n${text}\n}`,
  (text) => `eval ${quoted(text)}`,
  (text) => `bash -c ${quoted(text)}`,
  (text) => `sh -c ${quoted(text)} x secret/key`,
  (text) => `(\n${text}\n)`,
  (text) => `{\n${text}\n}`,
  (text) => `if true; then\n${text}\nfi`,
  (text) => `for i in 1; do\n${text}\ndone`,
  (text) => `true && {\n${text}\n}`,
  (text) => `false || {\n${text}\n} | cat`,
  (text) => `echo "$(\n${text}\n)"`,
  (text) => `cat <(\n${text}\n)`,
  (text) => `timeout 2 bash -c ${quoted(text)}`,
  (text) => `env bash -c ${quoted(text)}`,
  (text) => `command eval ${quoted(text)}`,
  (text) => `coproc {\n${text}\n}; cat <&"\${COPROC[0]}"`,
  (text) => `command_not_found_handle() {\n${text}\n}; nothing-of-this-name`,
  (text) => `case a in a)\n${text}\n;; esac`,
  (text) => `source <(printf '%s' ${quoted(text)})`,
  (text) => `. /dev/stdin <<'E'\n${text}\nE`,
  (text) => `bash <<'E'\n${text}\nE`,
  (text) => `bash <(echo ${quoted(text)})`,
  (text) => `eval "$(echo ${quoted(text)})"`,
  (text) => `g() { eval "$1"; }; g ${quoted(text)}`,
  (text) => `shopt -s expand_aliases; alias g=${quoted(text)}\ng`,
  (text) => `v=$(\n${text}\n); [[ -n $v ]] && echo "$v"`,
  (text) => `v=($(\n${text}\n)); printf '%s\\n' "\${v[@]}"`,
  (text) => `mapfile -t v < <(\n${text}\n); echo "\${v[*]}"`,
  (text) => `while :; do\n${text}\nbreak; done`,
  (text) => `until\n${text}\ndo break; done`,
  (text) => `{\n${text}\n} > >(cat)`,
  (text) => `! {\n${text}\n}`,
  (text) => `[[ -z $(\n${text}\n) ]] || echo "\${unset:-$(\n${text}\n)}"`,
  (text) => `echo $(( $(\n${text}\n) ))`,
  (text) => `declare -A m; m[$(\n${text}\n)]=1; echo "\${!m[@]}"`,
  (text) => `coproc C {\n${text}\n}; cat /dev/fd/\${C[0]}`,
];

/** A call that prepares another: what it made is read by the second. */
const PREPARED: readonly [string | Make, string | Make][] = [
  [(pick) => `cp ${file(pick)} out`, 'cat out'],
  [
    (pick) => `cp ${one(pick, ['-r', '-rL', '-a', '-R', '-rH'])} ${folder(pick)} out`,
    (pick) => `cat ${one(pick, ['out/key', 'out/l/key', 'out/secret/key', 'out/f', 'out/*', 'out/open/l/key'])}`,
  ],
  [(pick) => `ln ${one(pick, ['-s', '', '-sr'])} ${file(pick)} out`, 'cat out'],
  ['ln -s ../secret open/n', 'cat open/n/key'],
  ['ln -s . open/n', 'cat open/n/../secret/key'],
  [(pick) => `mv ${one(pick, ['secret', 'secret/key', 'open/l', 'open/f', '.env'])} out`, 'cat out out/key'],
  [
    'echo secret/key > open/list2',
    (pick) => one(pick, ['xargs cat < open/list2', 'cat $(<open/list2)', 'xargs -a open/list2 cat']),
  ],
  [(pick) => `git archive -o out.tar HEAD ${one(pick, PATHSPECS)}`, 'tar xOf out.tar'],
  [(pick) => `tar ${one(pick, ['cf', 'chf'])} out.tar ${folder(pick)}`, 'tar xOf out.tar'],
  [(pick) => `zip -qr out.zip ${folder(pick)}`, 'unzip -p out.zip'],
  [(pick) => `git format-patch -q -o out ${one(pick, ['-1', 'HEAD~1'])} ${one(pick, PATHSPECS)}`, 'cat out/*'],
  ['git bundle create out.bundle --all', 'strings out.bundle'],
  ['git clone -q . ../cl', (pick) => one(pick, ['cat ../cl/secret/key', 'git -C ../cl show', 'cd ../cl && git log -p'])],
  ['git clone -q --bare . ../cl', (pick) => one(pick, ['git -C ../cl show HEAD:secret/key', 'git --git-dir=../cl show'])],
  [
    'git worktree add -q ../wt',
    (pick) => one(pick, ['cat ../wt/secret/key', 'grep -r TOP ../wt', 'cd ../wt && cat secret/key', 'git -C ../wt log -p']),
  ],
  ['git add -f .env', (pick) => one(pick, ['git diff --cached', 'git show :.env', "git diff --cached -- . ':!secret'"])],
  ['git tag t HEAD:secret/key', (pick) => one(pick, ['git show t', 'git cat-file -p t', "git show t -- . ':!secret'"])],
  ['git mv secret/key open/key', 'cat open/key'],
  ['git stash', 'git stash show -p'],
  [(pick) => `${one(pick, ['cat', 'head', 'sort'])} ${file(pick)} > out`, 'cat out'],
  [(pick) => `tee out < ${file(pick)} > /dev/null`, 'cat out'],
  [(pick) => `sed -n w\\ out ${file(pick)}`, 'cat out'],
  [(pick) => `split ${file(pick)} out`, 'cat out*'],
  [(pick) => `install ${file(pick)} out`, 'cat out'],
  [(pick) => `rsync -a ${folder(pick)} out`, 'grep -r TOP out'],
  [(pick) => `dd if=${file(pick)} of=out 2>/dev/null`, 'cat out'],
  [(pick) => `gzip -k ${file(pick)}`, (pick) => one(pick, ['zcat secret/key.gz', 'zcat out.gz', 'gzip -dc secret/*.gz'])],
  [(pick) => `git show ${one(pick, OBJECTS)} > out`, 'cat out'],
  ['git config alias.s show', 'git s'],
  ['git checkout-index -a --prefix=out/', 'cat out/secret/key'],
  ['git checkout -q HEAD -- open/l', 'cat open/l/key'],
];

/** Calls in their order. */
export function makeCalls(pick: Pick): string[] {
  if (pick(5) === 0) {
    const [first, second] = PREPARED[pick(PREPARED.length)] as [string | Make, string | Make];
    const calls = [one(pick, [first]), one(pick, [second])];
    return pick(4) === 0 ? [...calls, makeCall(pick)] : calls;
  }
  const count = pick(6) === 0 ? 2 : 1;
  return Array.from({ length: count }, () => makeCall(pick));
}

function makeCall(pick: Pick): string {
  const move = one(pick, MOVES);
  const statement = moved(one(pick, pick(3) === 0 ? GIT : READERS), move);
  const text = `${one(pick, PREFIXES)}${move}${statement}`;
  const wrap = WRAPPERS[pick(WRAPPERS.length)] as (text: string, pick: Pick) => string;
  const wrapped = wrap(text, pick);
  return pick(12) === 0 ? `${wrapped}\n${one(pick, READERS)}` : wrapped;
}
