// With writes below src denied, no command that writes there gets through, whatever it is spelt like and wherever it is started.
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Evaluator } from '../../../src/policy/evaluator.ts';
import { rulePathFilter } from '../../../src/rules/path-filter.ts';
import { callOf, factsOf } from '../../support/call.ts';
import { ask, dataOf, loadCore, type Settings } from '../../support/policy.ts';
import { makeTree, type Tree } from '../../support/tree.ts';
import { readObserved, readRows } from './corpora.ts';

let core: Evaluator;
beforeAll(async () => {
  core = await loadCore();
}, 60_000);

/** What the corpora's commands were run among, below src and beside it. */
const files = [
  'a.txt',
  'b.txt',
  'c.log',
  'nums.txt',
  'victim',
  'script.sh',
  'sub/x.txt',
  'sub/a.tmp',
  'emptyd/.keep',
  'src/util.ts',
];

function treeOf(): Tree {
  const tree = makeTree();
  for (const name of files) for (const folder of ['', 'src', 'test']) tree.file(path.join(folder, name), 'seed\n');
  return tree;
}

const verdict = (tree: Tree, command: string, settings: Settings, cwd = tree.root): string => {
  const facts = factsOf(callOf('Bash', { command }, cwd), tree.place(), { pathFilter: rulePathFilter(dataOf(settings)) });
  return ask(core, settings, facts).verdict;
};

const commands = [
  ...['bash-mutating.jsonl', 'bash-unparsable.jsonl', 'zsh-mutating.jsonl'].flatMap((name) =>
    readRows(name).map((row) => row.command),
  ),
  ...readObserved()
    .filter(([effect]) => effect === 'WRITES')
    .map(([, command]) => command),
];

/** The same command with what it changes moved below src; null where nothing of it goes by one of the names. */
function renamed(command: string): string | null {
  const moved = command
    .replace(/pwned/g, 'src/pwned')
    .replace(/(?<![\w./$~-])(victim|[abcz]\.(?:txt|log|gz)|nums\.txt|sub|globdir|emptyd|newrepo)(?![\w=(])/g, 'src/$1');
  return moved === command ? null : moved;
}

/** What changes the repository or another host, and no file below src. */
const elsewhere = /^git (?:tag|notes|symbolic-ref|hash-object|pack-refs|update-index|push|fetch) /;
/** These write in the folder in force, whatever they read; the slash of the new name ends two of the sed scripts, and a file `ned/…` follows. */
const beside = new Set([
  'csplit src/a.txt 2',
  'cd src && ls & touch pwned',
  "sed '1s/.*/touch src/pwned/e' src/a.txt",
  "sed 's/.*/touch src/pwned/ge' <<< x",
]);

const guarded: Settings = { deny: ['Write(src/**)'] };
const open: Settings = { ...guarded, allow: ['Bash', 'Bash(*)', 'Bash(@read-only)', 'Bash(@writes)', 'Write(test/**)'] };
const closed = ['deny', 'ask'];

describe.each<[string, Settings]>([
  ['writes below src are denied', guarded],
  ['and all else is allowed', open],
])('%s', (_, settings) => {
  const passing = (forms: (command: string) => [string, string?] | null): string[] => {
    const tree = treeOf();
    return commands.flatMap((command) => {
      const form = forms(command);
      if (form === null || elsewhere.test(command) || beside.has(form[0])) return [];
      const [text, folder = ''] = form;
      return closed.includes(verdict(tree, text, settings, path.join(tree.root, folder))) ? [] : [text];
    });
  };

  test('no command of the corpora that starts there is allowed', () => {
    expect(commands.length).toBeGreaterThan(400);
    expect(passing((command) => [command, 'src'])).toEqual([]);
  });

  test('no command that enters the folder first is allowed', () => {
    expect(passing((command) => [`cd src && ${command}`])).toEqual([]);
    expect(passing((command) => [`cd ../src\n${command}`, 'test'])).toEqual([]);
    expect(passing((command) => [`pushd ./src/ >/dev/null; { ${command}\n}`])).toEqual([]);
  });

  test('no command that names files there is allowed', () => {
    expect(passing((command) => (renamed(command) === null ? null : [renamed(command) as string]))).toEqual([]);
    expect(commands.filter((command) => renamed(command) !== null).length).toBeGreaterThan(250);
  });

  test('commands that are not understood ask, and are never allowed', () => {
    const tree = treeOf();
    const open = commands.filter((command) => {
      const facts = factsOf(callOf('Bash', { command }, tree.root), tree.place());
      return facts.may_write_anywhere !== null && !closed.includes(verdict(tree, command, settings));
    });
    expect(open).toEqual([]);
  });
});

describe('a write that a rule allows', () => {
  const settings: Settings = { deny: ['Write(src/**)'], allow: ['Bash(*)', 'Write(test/**)'] };
  test.each<[string, string, string]>([
    ['echo x > test/a', '', 'allow'],
    ['echo x > a', 'test', 'allow'],
    ['cd test && echo x > a', '', 'allow'],
    ['cd src && echo x > ../test/a', '', 'allow'],
    ['echo x > ../test/a', 'src', 'allow'],
    ['sed -i s/seed/x/ test/a.txt && cat src/a.txt', '', 'allow'],
    ['cp src/a.txt test/', '', 'allow'],
    ['for f in a b; do echo x > test/$f; done', '', 'allow'],
    ['echo x > other/a', '', 'pass'],
    ['echo x > src/a', '', 'deny'],
    ['echo x > ../src/a', 'test', 'deny'],
    ['cd test && echo x > ../src/a', '', 'deny'],
    ['echo x | tee test/a src/a', '', 'deny'],
    ['echo x > test/../src/a', '', 'deny'],
    ['mv src/a.txt test/', '', 'deny'],
    ['rm -rf .', '', 'deny'],
    ['cd "$where" && echo x > a', '', 'ask'],
    ['echo x > "test/$name"', '', 'ask'],
    ['npm test > test/a', '', 'ask'],
  ])('%s (in %j): %s', (command, folder, expected) => {
    const tree = treeOf();
    expect(verdict(tree, command, settings, path.join(tree.root, folder))).toBe(expected);
  });

  test.each([
    'cp -s $PWD/src/a.txt test/l && echo x > test/l',
    'rsync -a src test/ && ln -s ../src test/k && cp a.txt test/k/',
    'tar xf a.tar -C test && echo x > test/link/a',
    'unzip -q a.zip -d test && echo x > test/link/a',
    'git clone -q https://a.b/c.git test/c && echo x > test/c/link/a',
    'git checkout -- test && echo x > test/link/a',
    'rsync -a --backup --backup-dir=../src sub/ test/',
    'rsync -aT ../src sub/ test/',
    'env -C src -S "touch a"',
    'env -C test -C src touch a',
    'curl -s --output-dir test -o ../src/a https://a.b',
    'curl -s --output-dir test -o a -D src/a https://a.b',
    'wget -q -O test/a -O src/a https://a.b/c',
    'unzip -q a.zip -d test -d src',
    'zip -r -x "*.o" @ src/a.zip sub',
    'sed -i -i.bak s/a/b/ src/a.txt',
    'csplit -f test/a -f src/b a.txt 2',
    'mkdir -p src/new/../../test/new',
    'install -D a.txt src/new/../../test/a',
    'git init src/new/../../test/new',
    'sort -o test/zz* src/a.txt',
    'uniq src/*',
    'shopt -s nocaseglob; rm SRC/*',
  ])('%s does not get below src', (command) => {
    expect(closed).toContain(verdict(treeOf(), command, settings));
  });

  test('is not allowed through a link to a denied path', () => {
    const tree = treeOf();
    tree.link('test/link', '../src');
    expect(verdict(tree, 'echo x > test/link/a', settings)).toBe('deny');
    expect(verdict(tree, 'ln -s ../src test/later && echo x > test/later/a', settings)).toBe('deny');
  });
});

describe('a folder with denied reads', () => {
  const settings: Settings = { deny: ['Read(secrets/**)', 'Read(.env)'], allow: ['Bash(*)'] };
  test.each<[string, string]>([
    ['cat .e*', 'deny'],
    ['shopt -s dotglob; cat *', 'deny'],
    ['shopt -s globstar; cat **', 'deny'],
    ['shopt -s globstar; cat sub/../**/key', 'deny'],
    ['grep KEY secrets', 'deny'],
    ['grep KEY .', 'deny'],
    ['diff secrets sub', 'deny'],
    ['grep KEY a.txt', 'allow'],
    ['diff a.txt b.txt', 'allow'],
    ['grep -d skip KEY secrets', 'allow'],
  ])('%s: %s', (command, expected) => {
    const tree = treeOf();
    tree.file('secrets/key', 'KEY\n');
    tree.file('.env', 'KEY\n');
    expect(verdict(tree, command, settings)).toBe(expected);
  });
});
