// A symbolic link is a second name: who makes one, or brings one to another place, accesses what it leads to.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { judge, judgeBash } from '../../support/judge.ts';
import type { Settings } from '../../support/policy.ts';
import { makeTree, type Tree } from '../../support/tree.ts';

const git = (tree: Tree, ...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], {
    cwd: tree.root,
    stdio: 'pipe',
    encoding: 'utf8',
  });

/** A project with links that it ships: `shipped` leads to src, `test/deep/l` to test/src, `test/ok` to fixtures. */
function fixture(): Tree {
  const tree = makeTree();
  for (const name of ['src/calc.ts', 'src/sub/b.ts', 'secret/key', 'test/a.txt', 'fixtures/f.json', '.env', 'Makefile'])
    tree.file(name, 'x\n');
  tree.folder('test/deep/more');
  tree.link('shipped', 'src');
  tree.link('test/deep/l', '../src');
  tree.link('test/ok', '../fixtures');
  return tree;
}

function repository(): Tree {
  const tree = fixture();
  git(tree, 'init', '-q');
  git(tree, 'add', '-A');
  git(tree, 'commit', '-qm', 'one');
  return tree;
}

const writes: Settings = { deny: ['Write(/src/**)', 'Write(.env)'] };
const anyDepth: Settings = { deny: ['Write(src/**)'] };
const asked: Settings = { ask: ['Write(/src/**)'] };
const reads: Settings = { deny: ['Read(secret/**)'] };
const all: Settings = { ...writes, allow: ['Bash', 'Write', 'Read'] };

/** Every one of these ends in a second name for what is denied. */
const toSource = [
  'ln -s ../src test/l',
  'ln -s ../src/ test/l',
  'ln -sfn ../src test/l',
  'ln -sfT ../src test/ok',
  'ln -sfn ../src test/ok',
  'ln --symbolic --force ../src test/l',
  'ln -s -t test ../src',
  'ln -st test ../src',
  'ln -rs src test/l',
  'ln -s ../src/calc.ts test/c.ts',
  'ln -s ../src/new.ts test/c.ts',
  'ln -s "$PWD"/src test/l',
  'ln -s .. test/up',
  'ln -s ../shipped test/l',
  'ln -s ../src test/l; true',
  '(sleep 4; rmdir test/l; ln -s ../src test/l) >/dev/null 2>&1 &',
  'nohup sh -c "sleep 4; ln -s ../src test/l" &',
  'x=../src; ln -s $x test/l',
  'cd test && ln -s ../src l',
  'cd test && ln -s ../src',
  'cd test && ln -s ../{src,fixtures} .',
  'pushd test; ln -s ../src l; popd',
  'mkdir -p test/n && ln -s ../../src test/n/l',
  'mkdir -p test/n; ln -s ../../src test/n',
  'f() { ln -s "$1" "$2"; }; f ../src test/l',
  'for d in src fixtures; do ln -s ../$d test/$d-l; done',
  'find . -maxdepth 0 -exec ln -s ../src test/l \\;',
  'cp -s "$PWD"/src/calc.ts test/c.ts',
  'cp -rs "$PWD"/src test/l',
  'cp -P shipped new',
  'cp -d test/deep/l test/l',
  'cp -a test/deep/l test/',
  'cp -R test/deep/. test/',
  'cp -a test/deep/. test',
  'cp -r test/deep/l test/l',
  'cp -a test/deep/* test/',
  'cp -a test/deep fixtures/../deep',
  'mv test/deep/l test/',
  'mv test/deep/l test/l',
  'mv -t test test/deep/l',
  'mv test/deep/* test/',
  'mv test/deep deep',
  'git mv test/deep/l test/l',
  'rsync -a test/deep/ test/',
  'rsync -l test/deep/l test/',
  'rsync -rl test/deep .',
  'rsync -a --link-dest=../../src src/ test/q/',
  'rsync -a --link-dest="$PWD"/src fixtures/ test/q/',
  'mkdir -p test/n && ln -s ../src test/n/l && mv test/n/l test/l',
  'ln -s ../src test/deep/k; cp -P test/deep/k test/k',
  'ln src/calc.ts test/c.ts',
  'link src/calc.ts test/c.ts',
  'cp -l src/calc.ts test/c.ts',
  'cp -al src test/l',
  'ln -s ../.env test/e',
  'command ln -s ../src test/l',
  'env ln -s ../src test/l',
  '/bin/ln -s ../src test/l',
  'bash -c "ln -s ../src test/l"',
  'true && { ln -s ../src test/l; }',
  'echo $(ln -s ../src test/l)',
];

/** These may end in one: what is not known asks. */
const perhaps = [
  'ln -s "$x" test/l',
  'ln -s "$x/calc.ts" test/l',
  'ln -s $(cat where) test/l',
  'cp -s "$x" test/l',
  'ln -rs "$x" test/l',
  'echo ../src | xargs -I{} ln -s {} test/l',
  'cat list | xargs -I{} ln -s {} test/',
  'tar xf a.tar -C test',
  'tar xzf a.tgz --directory test',
  'bsdtar -xf a.tar -C test',
  'unzip -q a.zip -d test',
  'git clone -q https://a.b/c.git test/c',
  'git restore --source=HEAD~1 test',
  'git checkout HEAD~1 -- test',
  'git checkout -q "$x" -- test/l',
  'git worktree add test/wt',
];

const harmless = [
  'ln -s ../fixtures test/l',
  'ln -s a.txt test/b.txt',
  'ln -s ../fixtures/f.json test/f.json',
  'ln -sfn ../fixtures test/ok',
  'cp -a test/ok test/ok2',
  'mv test/ok test/ok2',
  'mv test/a.txt test/b.txt',
  'cp -r fixtures test/f',
  'rsync -a fixtures/ test/f/',
  'rsync -a --link-dest=../ok fixtures/ test/f/',
  'ln -s /dev/null test/n',
];

let tree: Tree;
beforeEach(() => {
  tree = fixture();
});

const said = (settings: Settings, command: string) => judgeBash(tree, settings, command);
const decided = (settings: Settings, commands: string[], step: RegExp) =>
  commands.map((command) => `${said(settings, command)}: ${command}`).filter((line) => !step.test(line));

describe('a link to a denied path', () => {
  test.each([
    ['a rule', writes, /^deny/],
    ['a rule that everything else is allowed beside', all, /^deny/],
    ['a rule that asks', asked, /^(?:ask|deny)/],
  ])('matches %s [s:paths.link-made]', (_, settings, step) => {
    const commands = settings === asked ? toSource.filter((command) => !/\.env/.test(command)) : toSource;
    expect(decided(settings, commands, step)).toEqual([]);
  });

  test('matches a floating rule by its target', () => {
    expect(decided(anyDepth, ['ln -s ../src test/l', 'ln -s ../src/sub test/l', 'ln -s ../src/no test/l'], /^deny/)).toEqual([]);
  });

  test('is denied by a default: a path without an allow gets no second name', () => {
    const settings: Settings = { defaults: { project: 'deny' }, allow: ['Bash(ln:*)', 'Write(/test/**)'] } as never;
    expect(decided(settings, ['ln -s ../src test/l', 'ln -s ../fixtures test/l'], /^deny/)).toEqual([]);
    expect(said(settings, 'ln -s a.txt test/b.txt')).toBe('allow rule');
  });

  test.each([
    'ln -s secret/key notes.txt',
    'ln -s ../secret test/l',
    'ln -s .. test/up',
    'cp -s $PWD/secret/key n',
    'ln secret/key n',
    'ln -s secret/none n',
  ])('matches a rule about reads: %s', (command) => {
    expect(said(reads, command)).toBe('deny rule');
  });

  test.each(['ln -s ../.claude test/c', 'ln -s ~/.bashrc b', 'ln -s ../.git/hooks test/h', 'ln -s HOME/.claude c'])(
    'matches the built-in protection: %s',
    (command) => {
      expect(said({}, command.replace('HOME', tree.home))).toBe('deny protection');
    },
  );

  test.each([
    'ln -s /etc/hosts test/h',
    'ln -s ../../other test/o',
    'ln -s ~/x test/x',
    'ln -s TOP/tmp/x test/x',
    'cp -s /etc/hosts h',
  ])('asks if it leads out of the project: %s [s:paths.link-out]', (command) => {
    const given = command.replace('TOP', tree.top);
    expect([said({}, given), said(writes, given)]).toEqual(['ask protection', expect.stringMatching(/^ask/)]);
  });
});

describe('an unknown link', () => {
  test('asks if a rule guards writes [s:paths.link-unknown]', () => {
    expect(decided(writes, perhaps, /^(?:ask|deny)/)).toEqual([]);
    expect(decided({ ...writes, allow: ['Bash(*)', 'Write(**)'] }, perhaps, /^(?:ask|deny)/)).toEqual([]);
  });

  test('asks if a rule guards reads', () => {
    expect(decided(reads, perhaps, /^(?:ask|deny)/)).toEqual([]);
  });

  test('asks even without rules if it is created by name', () => {
    expect(
      decided({}, ['ln -s "$x" test/l', 'ln -s $(cat where) test/l', 'cp -s "$x" test/l'], /^ask (?:protection|uncertainty)/),
    ).toEqual([]);
  });
});

test.each([
  ['writes', writes],
  ['reads', reads],
  ['nothing', {}],
])('a link between open paths is allowed beside rules about %s', (_, settings) => {
  expect(decided(settings, harmless, /^pass/)).toEqual([]);
});

describe('a link that git tracks', () => {
  test('does not affect restored files without it', () => {
    const own = repository();
    for (const command of [
      'git checkout -- test/a.txt',
      'git restore test/a.txt',
      'git checkout -- test/ok',
      'git restore test/deep',
    ])
      expect([command, judgeBash(own, writes, command)]).toEqual([command, 'pass default']);
  });

  const staged = (leads: string): Tree => {
    const own = repository();
    const id = execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: own.root, input: leads, encoding: 'utf8' }).trim();
    git(own, 'update-index', '--add', '--cacheinfo', `120000,${id},test/late`);
    return own;
  };

  test.each([
    'git checkout -- test/late',
    'git restore test/late',
    'git checkout -- test',
    'cd test && git restore .',
    'git checkout .',
  ])('is matched by its target when it is restored: %s', (command) => {
    const own = staged('../src');
    expect(judgeBash(own, writes, command)).toMatch(/^deny/);
  });

  test('is allowed if its target is allowed', () => {
    expect(judgeBash(staged('../fixtures'), writes, 'git checkout -- test/late')).toBe('pass default');
  });

  test('asks if its text is packed', () => {
    const own = staged('../fixtures');
    git(own, 'commit', '-qm', 'two');
    git(own, 'gc', '-q');
    expect(judgeBash(own, writes, 'git checkout -- test/late')).toBe('ask open');
    expect(judgeBash(own, writes, 'git checkout -- test/a.txt')).toBe('pass default');
  });

  test('asks if the same command text changes the index', () => {
    expect(
      judgeBash(repository(), writes, 'git update-index --add --cacheinfo 120000,1234,test/x; git checkout -- test/x'),
    ).toMatch(/^ask/);
  });
});

test('a folder of links to each other is moved without a question', () => {
  const own = fixture();
  const folder = own.folder('mods/.bin');
  for (let n = 0; n < 300; n++) fs.symlinkSync(`../a${n}`, path.join(folder, `b${n}`));
  expect(judgeBash(own, writes, 'mv mods mods2')).toBe('pass default');
});

test.each([
  'ln -s docs/sub x; echo t > x/../fixed.md',
  'cd test && ln -s ../docs/sub x; cp a.txt x/../fixed.md',
  'ln -s docs/sub x; ln -s x/../fixed.md y',
  'mv docs/sub x; ln -s docs/fixed.md y',
])('a step up after a link goes up from its target: %s', (command) => {
  for (const name of ['docs/sub/x', 'docs/fixed.md']) tree.file(name);
  expect(said({ deny: ['Write(/docs/fixed.md)'] }, command)).toBe('deny rule');
});

test.each(['ln -s ../parts test/l', 'ln -s ../parts/more test/l', 'cp -a parts/again test/l'])(
  'a link to a folder reaches the targets of the links in it: %s',
  (command) => {
    tree.link('parts/more/all', '../../src/sub');
    tree.link('parts/again', '../parts/more');
    tree.file('parts/x');
    expect(said({ deny: ['Write(/src/sub/b.ts)'] }, command)).toBe('deny rule');
    expect(said({ deny: ['Write(/src/calc.ts)'] }, command)).toBe('pass default');
  },
);

test('a link to a folder with more names than are checked asks', () => {
  const below = { left: 3 };
  const call = (settings: Settings) =>
    judge(tree, settings, 'Bash', { command: 'ln -s ../fixtures test/l' }, { context: { below } });
  for (let n = 0; n < 5; n++) tree.file(`fixtures/${n}`);
  expect([call(writes), call({})]).toEqual(['ask open', 'pass default']);
});

test('endless places through links of one text ask', () => {
  expect(said(writes, 'cp -R test/deep test/q; mv test/q/l test/')).toMatch(/^(?:ask|deny)/);
});

test('a folder that is mounted a second time is written where it is', () => {
  expect(decided(writes, ['mount --bind src test/l', 'mount -o bind src test/l', 'mount -B .. test/l'], /^deny/)).toEqual([]);
});

describe('a tool of a server that makes links', () => {
  const context = {
    arguments: [{ tool: 'mcp__fs__create_symlink', roles: [{ argument: 'link_path', role: 'write' as const }], trusted: true }],
  };
  const call = (settings: Settings, target: string, tool = 'mcp__fs__create_symlink') =>
    judge(tree, settings, tool, { link_path: 'test/l', target }, { context });

  test('writes and reads the target of the link [s:args.link]', () => {
    expect(call(writes, '../src')).toBe('deny rule');
    expect(call(writes, 'src')).toBe('deny rule');
    expect(call(writes, `${tree.root}/src/calc.ts`)).toBe('deny rule');
    expect(call(reads, '../secret/key')).toBe('deny rule');
    expect(call(writes, 'fixtures')).toBe('pass default');
  });
});
