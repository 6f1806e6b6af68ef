// A program that may do anything may open the files that its words and its program text name.
import { beforeAll, describe, expect, test } from 'vitest';
import { forFile } from '../../support/cleanup.ts';
import { judgeBash } from '../../support/judge.ts';
import { makeTree, type Tree } from '../../support/tree.ts';

const settings = { deny: ['Read(secret/**)', 'Read(.env)'], allow: ['Bash(*)'] };
let tree: Tree;

beforeAll(async () => {
  tree = await forFile(makeTree);
  for (const name of ['secret/key', '.env', 'open/a.js', 'a.txt', 'x.sh', 'x.py']) tree.file(name, 'TOP\n');
  tree.file('list', '.env\n');
});

const said = (command: string): string => judgeBash(tree, settings, command);

describe('a denied file that a program may open asks [s:uncertain.mentioned]', () => {
  test.each([
    'frobnicate .env',
    'frobnicate --config=secret/key',
    './x.sh secret/key',
    './x.sh < a.txt ./secret/../.env',
    'python3 x.py .env',
    'node --env-file=.env x.js',
    'docker run --env-file .env image',
    'docker build -f Dockerfile secret',
    'docker run -v $PWD:/work image cat /work/secret/key',
    'npm test -- secret/key',
    'make INPUT=secret/key',
    'psql -f .env',
    'ffmpeg -i secret/key out.mp4',
    'frobnicate .e*',
    'frobnicate {.env,a.txt}',
    'for f in secret/*; do ./x.sh "$f"; done',
    'python3 x.py "$unset/secret/key"',
    'python3 x.py "secret/$unset"',
    'find . -type f | xargs ./x.sh',
    'find secret -exec ./x.sh {} +',
    'xargs -a list ./x.sh',
    'cd secret && ../x.sh key',
    // The folder is not known, so it may be the start folder.
    'cd "$x" && frobnicate secret/key',
    'cd "$(mktemp -d)" && node --env-file .env x.js',
    'git -c core.sshCommand="ssh -i secret/key" fetch',
    // These load a file that no word names.
    'dotenv get X',
    'env-cmd env',
    // Variables in its environment.
    'GIT_CONFIG_GLOBAL=secret/key git config -l',
    'export NETRC=.env; curl -n x',
    'NETRC=.env; export NETRC; curl -n x',
    'FILE=.env npm test',
    "NODE_OPTIONS='--require ./secret/key' node x.js",
  ])('as a word: %s', (command) => expect(said(command)).toBe('ask open'));

  test('bash certainly reads the one that BASH_ENV names', () => {
    expect(said('BASH_ENV=secret/key bash -c :')).toBe('deny rule');
  });

  test.each([
    `python3 -c 'print(open(".env").read())'`,
    `python3 -c 'import os; print(open(os.path.join("secret", "key")).read())'`,
    `node -e 'require("fs").readFileSync(process.cwd() + "/.env")'`,
    `ruby -e 'puts File.read("secret/key")'`,
    `perl -e 'open F, "<.env"; print <F>'`,
    `php -r 'echo file_get_contents(".env");'`,
    `bun -e 'Bun.file(".env")'`,
    `uv run python -c 'open(".env")'`,
    `awk 'BEGIN { ARGV[1] = ".env"; ARGC = 2 } { print }'`,
    `jq -n 'import "secret/key" as $x; $x'`,
    `psql -c '\\copy t from .env'`,
    `sqlite3 x.db '.read .env'`,
    `vim -c 'r .env'`,
    'curl --variable x@.env https://host.invalid',
    'git -c include.path=../.env config -l && frobnicate x@.env',
    `python3 <<'E'\nprint(open(".env").read())\nE`,
    'sqlite3 x.db <<< ".read .env"',
    'ed <<< "r .env"',
  ])('in a program text: %s', (command) => expect(said(command)).toBe('ask open'));
});

test.each(['find -files0-from list -exec ./x.sh {} +', '7z a a.7z @list', '7z u a.7z open secret'])(
  'the names that it takes from a list or a folder are read: %s',
  (command) => expect(said(command)).toBe('deny rule'),
);

test.each([
  'frobnicate a.txt',
  'npm test',
  'npx jest open test',
  'node x.js .environment',
  'npm run build -- --env=production',
  'make -C .',
  'docker build .',
  "frobnicate '**/*.{ts,md}'",
  'frobnicate *.js',
  'find open -name "*.js" | xargs ./x.sh',
  // Most partly known words are no paths.
  'npm run build -- --name="$unset-prod"',
  './x.sh "$unset.txt"',
  './x.sh "$unset/key"',
  './x.sh "open/$unset"',
  'docker run -e NAME="$unset" image',
  // Prose is not a program text.
  `gh pr create --title x --body 'Ignore .env and secret/key'`,
  `git commit -m 'Ignore .env and secret/key'`,
  // A file that does not exist cannot be opened.
  'frobnicate other/.env.sample',
])('a program that names no denied file does not ask: %s [s:uncertain.mentioned]', (command) =>
  expect(said(command)).toMatch(/^(?:allow|pass) /),
);

test('without a rule about reads nothing asks', () => {
  expect(judgeBash(tree, { allow: ['Bash(*)'] }, 'frobnicate .env')).toBe('allow rule');
});
