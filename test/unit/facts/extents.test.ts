// Whole folders, copies, archives, links and repositories within repositories, as Bash touches them, against real files and rules.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { judge, judgeBash, judged } from '../../support/judge.ts';
import type { Settings } from '../../support/policy.ts';
import { makeTree, type Tree } from '../../support/tree.ts';

const allowed = { allow: ['Bash(*)'] };
const deny = (...rules: string[]): Settings => ({ deny: rules });
type Row = [why: string, files: string[], settings: Settings, command: string, said: string];

const rows = (name: string, list: Row[], prepare?: (tree: Tree) => void) =>
  describe(name, () => {
    test.each(list)('%s', (_, files, settings, command, said) => {
      const tree = makeTree();
      for (const file of files) tree.file(file);
      prepare?.(tree);
      expect(judgeBash(tree, settings, command)).toBe(said);
    });
  });

rows('a folder with everything below it', [
  [
    'is denied for a file that lies there [s:extent.narrow] [s:extent.kinds]',
    ['packages/a/src/x'],
    deny('Write(packages/a/src/**)'),
    'rm -rf packages',
    'deny rule',
  ],
  ['at any depth of a pattern', ['packages/a/src/x'], deny('Write(/packages/*/src/**)'), 'rm -rf packages', 'deny rule'],
  ['and asked for one', ['packages/a/src/x'], { ask: ['Write(/packages/*/src/**)'] }, 'rm -rf packages', 'ask rule'],
  ['not for one that does not exist', ['packages/a/lib/x'], deny('Write(/packages/*/src/**)'), 'rm -rf packages', 'pass default'],
  ['not for one beside it', ['packages/a/src/x', 'other/y'], deny('Write(/packages/*/src/**)'), 'rm -rf other', 'pass default'],
  [
    'an allow has to cover all of it [s:extent.allow]',
    ['packages/a/x'],
    { allow: ['Bash(rm:*)', 'Write(/packages/a/x)'] },
    'rm -rf packages/a',
    'pass default',
  ],
  ['and then does', ['packages/a/x'], { allow: ['Bash(rm:*)', 'Write(/packages/**)'] }, 'rm -rf packages/a', 'allow rule'],
  ['git restore of the root', ['src/x'], deny('Write(/src/**)'), 'git restore .', 'deny protection'],
  ['find -delete', ['docs/a/x'], deny('Write(/docs/a/x)'), 'find docs -delete', 'deny rule'],
]);

rows('a monorepo', [
  [
    'packages/*/src is each package’s',
    ['packages/a/src/x'],
    deny('Write(packages/*/src/**)'),
    'echo > packages/b/src/y',
    'deny rule',
  ],
  ['and not what lies deeper', ['packages/a/x'], deny('Write(packages/*/src/**)'), 'echo > packages/a/b/src/y', 'pass default'],
  ['a bare folder name is met at any depth', [], deny('Write(src/**)'), 'echo > packages/a/src/y', 'deny rule'],
  ['with a leading slash only at the root', [], deny('Write(/src/**)'), 'echo > packages/a/src/y', 'pass default'],
  [
    'in allow a folder is the root’s',
    [],
    { allow: ['Bash(echo:*)', 'Write(src/**)'] },
    'echo > packages/a/src/y',
    'pass default',
  ],
]);

rows('a copy counts below its source, at the place where it would arrive [s:extent.copies]', [
  ['a file that would be written is denied', ['a/sub/secret'], deny('Write(/out/sub/secret)'), 'cp -r a/. out', 'deny rule'],
  ['below the new folder too', ['a/sub/x', 'out/y'], deny('Write(/out/a/sub/**)'), 'cp -r a out', 'deny rule'],
  ['by a pattern of names', ['a/one/secret'], deny('Write(/out/one/secret)'), 'cp -r a/* out', 'deny rule'],
  [
    'what lies at the destination already is not touched',
    ['a/x', 'out/secret'],
    deny('Write(/out/secret)'),
    'cp -r a/. out',
    'pass default',
  ],
  ['unless it has the same name', ['a/secret', 'out/secret'], deny('Write(/out/secret)'), 'cp -r a/. out', 'deny rule'],
  ['below the root of the disk', ['a/etc/x/secret'], deny('Write(//etc/x/secret)'), 'cp -r a/. /', 'deny rule'],
  ['a move as well', ['a/sub/secret', 'out/y'], deny('Write(/out/a/sub/secret)'), 'mv a out', 'deny rule'],
  ['and a move removes its source', ['a/sub/secret'], deny('Write(/a/sub/secret)'), 'mv a out', 'deny rule'],
  [
    'into a folder with protected files it is free',
    ['x', 'packages/a/.claude/settings.json'],
    {},
    'mv x packages',
    'pass default',
  ],
  ['rsync puts the folder itself, or what is in it', ['a/secret'], deny('Write(/out/a/secret)'), 'rsync -a a out', 'deny rule'],
  ['by the slash', ['a/secret'], deny('Write(/out/secret)'), 'rsync -a a/ out', 'deny rule'],
  [
    'with --delete what lies there counts too',
    ['a/x', 'out/secret'],
    deny('Write(/out/secret)'),
    'rsync -a --delete a/ out',
    'deny rule',
  ],
  ['protected names that arrive are denied', ['../evil/.claude/settings.json'], {}, 'cp -r ../evil/. .', 'deny protection'],
  ['at any depth', ['../evil/b/.mcp.json'], {}, 'cp -r ../evil new', 'deny protection'],
  ['others may arrive at the root', ['build/index.html'], {}, 'cp -r build/. .', 'pass default'],
  ['from what does not exist yet anything may', [], {}, 'cp -r made/. .', 'ask protection'],
  ['and a denied name', [], deny('Write(/src/**)'), 'cp -r made/. .', 'ask open'],
  [
    'from what is filled before in the same command',
    ['a/x'],
    deny('Write(/src/y)'),
    'mkdir a/src; echo > a/src/y; cp -r a/. .',
    'ask open',
  ],
  [
    'only its own name from a file that a redirection makes',
    ['src/x'],
    deny('Write(/src/y)'),
    'echo > a; mv a src/x',
    'pass default',
  ],
  [
    'but anything if the name may be a folder',
    ['src/x'],
    deny('Write(/src/x/y)'),
    'echo > a; rm a; mkdir a; echo > a/y; mv a src/x',
    'ask open',
  ],
  [
    'a folder that is made first receives one name',
    ['x'],
    deny('Write(/src/y)'),
    'mkdir -p src/new && mv x src/new/',
    'pass default',
  ],
  ['through a link too', ['a/x', 'b/z'], deny('Write(/src/y)'), 'ln -s a l; echo > l/src/y; cp -r a/. .', 'ask open'],
  ['not by making the folder it goes to', ['a/x'], deny('Write(/src/y)'), 'mkdir -p out && cp -r a/. out', 'pass default'],
  ['from what links below lead to, where they are followed', ['a/x'], deny('Write(/src/y)'), 'cp -rL a/. .', 'ask open'],
  ['from an unknown word', ['a/x'], deny('Write(/out/y)'), 'cp -r a $X out', 'ask open'],
  ['a pattern that finds one name brings it to the name itself', ['ax'], {}, 'cp a* .mcp.json', 'deny protection'],
  ['and a folder', ['ab/secret'], deny('Write(/out/secret)'), 'cp -r a* out', 'deny rule'],
  ['with its path', ['a/secret'], deny('Write(/out/a/secret)'), 'cp --parents a/secret out', 'deny rule'],
  ['which may leave the folder', ['../b/x', 'out/y'], deny('Write(/b/x)'), 'cp --parents ../b/x out', 'deny rule'],
  ['with a path that is not known', ['a/x'], deny('Write(/out/y)'), 'find a -exec cp --parents {} out \\;', 'ask open'],
  ['that leads out', ['a/x'], deny('Write(/b/**)'), 'find .. -exec cp --parents {} out \\;', 'ask uncertainty'],
  ['rsync puts it below its path', ['a/b/x'], deny('Write(/out/a/b/x)'), 'rsync -R a/b/x out', 'ask open'],
  ['by names out of a file', ['a/x'], deny('Write(/out/x)'), 'rsync --files-from=l a out', 'ask open'],
  ['or keeps what lies there under another name', ['a/x'], deny('Write(/out/x.b)'), 'rsync -b --suffix=.b a/ out', 'ask open'],
  ['an exchange touches what lies there', ['a/x', 'out/secret'], deny('Write(/out/secret)'), 'mv --exchange a out', 'deny rule'],
  ['a symbolic link brings nothing', ['packages/a/x'], deny('Write(/other/**)'), 'ln -s ../b packages/a/y', 'pass default'],
]);

test.each([
  ['.config/fish/config.fish', 'deny protection'],
  ['bin/git', 'deny protection'],
  ['cfg/settings.json', 'deny protection'],
  ['notes/a', 'ask protection'],
])('%s that arrives in the home folder: %s', (file, said) => {
  const tree = makeTree();
  tree.file(`${tree.top}/evil/${file}`);
  const place = { pathFolders: [`${tree.home}/bin`], configFolder: `${tree.home}/cfg` };
  expect(judgeBash(tree, {}, `cp -r ${tree.top}/evil/. ${tree.home}`, { place })).toBe(said);
});

test.each([
  ['cp a b', 'allow rule'],
  ['mv a b', 'allow rule'],
  ['cp a denied', 'deny rule'],
])('%s over a file is a write of that file', (command, said) => {
  const tree = makeTree();
  for (const name of ['a', 'b', 'denied']) tree.file(name);
  const rules = { allow: ['Bash(cp:*)', 'Bash(mv:*)', 'Write(/a)', 'Write(/b)', 'Write(/b/**)'], deny: ['Write(/denied)'] };
  expect(judgeBash(tree, rules, command)).toBe(said);
});

test.each([
  ['f=$(mktemp)', 'deny rule'],
  ['mktemp -d -t x.XXXX', 'deny rule'],
  ['mktemp -u', 'allow rule'],
])('%s writes to TMPDIR', (command, said) => {
  const tree = makeTree();
  tree.folder('src');
  const settings = { allow: ['Bash(*)', 'Write(//tmp/**)'], deny: ['Write(/src/**)'] };
  expect(judgeBash(tree, settings, command, { place: { scratch: `${tree.root}/src` } })).toBe(said);
});

test('protected files that arrive below the root of the disk are denied', () => {
  const tree = makeTree();
  tree.file(`${tree.top}/evil${tree.root}/.claude/settings.json`);
  expect(judgeBash(tree, allowed, `cp -r ${tree.top}/evil/. /`)).toBe('deny protection');
});

describe.each(['out', 'out/deep', 'out/deep/er'])('links below %s, among folders that are not there yet', (folder) => {
  test.each([
    ['a folder', 'sub', 'secret'],
    ['a file', 'sub/one', 'secret/two/x'],
  ])('%s is written through', (_, name, target) => {
    const tree = makeTree();
    const from = folder.replace('out', 'a');
    for (const file of ['a/aa/x', 'a/zz/y', `${from}/before/x`, `${from}/sub/one`, `${from}/sub/two/x`, `${from}/z/x`])
      tree.file(file);
    tree.file('secret/one');
    tree.folder(folder);
    const settings = deny('Write(/secret/two/x)');
    expect(judgeBash(tree, settings, 'cp -r a/. out')).toBe('pass default');
    tree.link(`${folder}/${name}`, path.join(tree.root, target));
    expect(judgeBash(tree, settings, 'cp -r a/. out')).toBe('deny rule');
  });
});

test.each(['vol/cur', 'vol/CUR'])('a folder that contains the target of a denied link, as %s there', (held) => {
  const tree = makeTree();
  tree.file(held);
  tree.link('current', 'vol/CUR');
  expect(judgeBash(tree, { deny: ['Write(/current)'] }, 'rm -r vol')).toBe('deny rule');
  expect(judgeBash(tree, { deny: ['Write(/other)'] }, 'rm -r vol')).toBe('pass default');
});

test('a link at the destination is written through', () => {
  const tree = makeTree();
  tree.file('a/sub/x');
  tree.file('secret/x');
  tree.link('out/sub', '../secret');
  expect(judgeBash(tree, deny('Write(/secret/**)'), 'cp -r a/. out')).toBe('deny rule');
});

describe('reading a database', () => {
  /** The first bytes of one, as `PRAGMA journal_mode` has it. */
  const database = (version: number) => `SQLite format 3\0\x10\0${String.fromCharCode(version).repeat(2)}${'\0'.repeat(80)}`;
  const read = "sqlite3 -readonly data/a.db 'select 1'";
  test.each<[string, (tree: Tree) => void, string]>([
    ['with a log makes the log', (tree) => tree.file('data/a.db', database(2)), 'deny rule'],
    [
      'by a link makes the log beside the file',
      (tree) => {
        tree.file('hidden/b.db', database(2));
        fs.mkdirSync(`${tree.root}/data`);
        tree.link('data/a.db', '../hidden/b.db');
      },
      'deny rule',
    ],
    ['without a log makes none', (tree) => tree.file('data/a.db', database(1)), 'allow rule'],
    ['that is none makes nothing', (tree) => tree.file('data/a.db', 'text'), 'allow rule'],
    ['that is not there makes nothing', () => undefined, 'allow rule'],
  ])('%s', (_, prepare, said) => {
    const tree = makeTree();
    prepare(tree);
    const rules = { allow: ['Bash(@read-only)'], deny: ['Write(*.db-wal)'] };
    expect(judgeBash(tree, rules, read)).toBe(said);
  });
});

rows(
  'a link that is found and handed to a program is what it leads to [s:extent.opened]',
  [
    ['by -exec', ['src/x'], deny('Write(/src/**)'), "find test -name '*.ts' -exec truncate -s 1 {} \\;", 'deny rule'],
    ['by -exec for many', ['src/x'], deny('Write(/src/**)'), 'find test -exec sed -i s/a/b/ {} +', 'deny rule'],
    ['by xargs', ['src/x'], deny('Write(/src/**)'), 'find test | xargs truncate -s 1', 'ask uncertainty'],
    ['by a substitution', ['src/x'], deny('Write(/src/**)'), 'for i in $(find test); do tee $i < a; done', 'ask uncertainty'],
    ['in a read', ['src/x'], deny('Read(/src/x)'), 'find test -exec cat {} +', 'deny rule'],
    ['in a folder that it leads to', ['src/x'], deny('Write(/src/**)'), 'find test -exec cp a {} \\;', 'ask protection'],
    [
      'not where only files are found',
      ['src/x'],
      deny('Write(/src/**)'),
      'find test -type f -exec sed -i s/a/b/ {} +',
      'pass default',
    ],
    [
      'but where the kind is only one choice',
      ['src/x'],
      deny('Write(/src/**)'),
      'find test -type f -o -exec tee {} +',
      'deny rule',
    ],
    ['nor where the link itself is removed', ['src/x'], deny('Write(/src/**)'), 'find test -exec rm {} +', 'pass default'],
    [
      'nor where it leads to what is open',
      ['src/x'],
      deny('Write(/other/**)'),
      'find test -exec sed -i s/a/b/ {} +',
      'pass default',
    ],
  ],
  (tree) => {
    tree.link('test/one.ts', '../src/x');
    tree.link('test/all', '../src');
  },
);

rows('the content of one source beside another of the name of the folder', [
  ['arrives there too', ['a/x', 'b/.env'], deny('Write(/a/.env)'), 'cp -r b/. a a', 'deny rule'],
  ['by every order', ['a/x', 'b/.env'], deny('Write(/a/.env)'), 'cp -r a b/. a', 'deny rule'],
]);

rows('an archive whose names are not known asks where one could match [s:extent.unpack]', [
  ['what a rule could mean', ['src/x'], deny('Write(/src/**)'), 'tar xf a.tgz', 'ask open'],
  ['also where nothing exists yet', [], deny('Write(/out/secret)'), 'tar xf a.tgz -C out', 'ask open'],
  ['a rule about another folder, where a link may lead', [], deny('Write(/src/**)'), 'tar xf a.tgz -C out', 'ask open'],
  ['a folder that is denied whole is denied', [], deny('Write(/out/**)'), 'unzip a.zip -d out', 'deny rule'],
  ['built-in names could be there', [], {}, 'unzip a.zip -d out', 'ask protection'],
  ['which an allow of the folder answers', [], { allow: ['Bash(unzip:*)', 'Write(/out)'] }, 'unzip a.zip -d out', 'allow rule'],
  ['but not at the root, where they are', [], { allow: ['Bash(tar:*)', 'Write(/**)'] }, 'tar xf a.tgz', 'ask protection'],
  [
    'nor for a denied name',
    [],
    { deny: ['Write(/out/x)'], allow: ['Bash(tar:*)', 'Write(/**)'] },
    'tar xf a.tgz -C out',
    'ask open',
  ],
  ['a protected folder is denied', [], {}, 'tar xf a.tgz -C .claude', 'deny protection'],
  ['git format-patch at the root', [], {}, 'git format-patch HEAD~1', 'ask protection'],
]);

rows('a dependency folder removed whole', [
  [
    'meets no pattern without a leading slash [s:extent.dependency]',
    ['node_modules/x/src/a.ts'],
    deny('Write(src/**)', 'Write(*.ts)'),
    'rm -rf node_modules',
    'pass default',
  ],
  [
    'nor a protected name [s:extent.dependency-builtin]',
    ['node_modules/x/.mcp.json', 'node_modules/x/CLAUDE.md'],
    {},
    'rm -rf node_modules',
    'pass default',
  ],
  ['but one with a slash', ['node_modules/x/a'], deny('Write(/node_modules/**)'), 'rm -rf node_modules', 'deny rule'],
  [
    'and with others in one command',
    ['node_modules/x/src/a', 'src/a'],
    deny('Write(src/**)'),
    'rm -rf node_modules src',
    'deny rule',
  ],
  [
    'in a package as at the root',
    ['packages/a/node_modules/x/src/a'],
    deny('Write(src/**)'),
    'rm -rf packages/a/node_modules',
    'pass default',
  ],
]);

rows('folders that are made on the way', [
  ['mkdir -p makes every parent', [], deny('Write(/a/b)'), 'mkdir -p a/b/c', 'deny rule'],
  ['of a pattern too', [], deny('Write(/a/*)'), 'mkdir -p a/b/c/d', 'deny rule'],
  ['install -D as well', ['x'], deny('Write(/a/b)'), 'install -D x a/b/c/d', 'deny rule'],
  ['and none is met that is only above a rule', [], deny('Write(/a/b/c)'), 'mkdir -p a/b', 'pass default'],
]);

rows('hard links [s:paths.hard-link]', [
  ['ln writes the new name', ['src/x'], deny('Write(/test/**)'), 'ln src/x test/y', 'deny rule'],
  ['and the old one', ['src/x'], deny('Write(/src/**)'), 'ln src/x y', 'deny rule'],
  ['cp -l too', ['src/x'], deny('Write(/src/**)'), 'cp -l src/x y', 'deny rule'],
  ['and deep', ['src/sub/x'], deny('Write(/src/sub/**)'), 'cp -rl src y', 'deny rule'],
  ['an allow needs both', ['src/x'], { allow: ['Bash(ln:*)', 'Write(/y)'] }, 'ln src/x y', 'pass default'],
  ['to a protected file it is denied', ['.claude/modes.yaml'], {}, 'ln .claude/modes.yaml y', 'deny protection'],
]);

rows(
  'a chain of links',
  [
    ['the first name counts [s:paths.narrow-all]', [], deny('Write(/one)'), 'echo > one', 'deny rule'],
    ['and one on the way', [], deny('Write(/two)'), 'echo > one', 'deny rule'],
    ['and the last', [], deny('Write(/real/x)'), 'echo > one', 'deny rule'],
    [
      'an allow needs all [s:paths.allow-all]',
      [],
      { allow: ['Bash(echo:*)', 'Write(/one)', 'Write(/real/**)'] },
      'echo > one',
      'pass default',
    ],
    [
      'and has them',
      [],
      { allow: ['Bash(echo:*)', 'Write(/one)', 'Write(/two)', 'Write(/real/**)'] },
      'echo > one',
      'allow rule',
    ],
    ['a read is denied by the last', [], deny('Read(/real/**)'), 'cat one', 'deny rule'],
  ],
  (tree) => {
    tree.file('real/x');
    tree.link('two', 'real/x');
    tree.link('one', 'two');
  },
);

describe('a repository in the project', () => {
  const git = (cwd: string, ...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always', ...words], {
      cwd,
      stdio: 'pipe',
    });
  const withSubmodule = (): Tree => {
    const tree = makeTree();
    const other = path.join(tree.home, 'other');
    tree.file('../other/src/a');
    for (const folder of [other, tree.root]) git(folder, 'init', '-q');
    git(other, 'add', '.');
    git(other, 'commit', '-q', '-m', 'a');
    git(tree.root, 'submodule', '-q', 'add', other, 'libs/sub');
    return tree;
  };

  test.each<[string, Settings, string, string]>([
    [
      'a file of a submodule is judged relative to the project [s:paths.root]',
      deny('Write(/libs/sub/src/**)'),
      'libs/sub/src/a',
      'deny rule',
    ],
    ['not relative to the submodule', deny('Write(/src/**)'), 'libs/sub/src/a', 'pass default'],
    ['its .git file is protected', {}, 'libs/sub/.git', 'deny protection'],
    ['and what it names', {}, '.git/modules/libs/sub/config', 'deny protection'],
    ['with its hooks', {}, '.git/modules/libs/sub/hooks/pre-commit', 'deny protection'],
  ])('%s', (_, settings, file, said) => {
    const tree = withSubmodule();
    expect(fs.statSync(`${tree.root}/libs/sub/.git`).isFile()).toBe(true);
    expect(judge(tree, settings, 'Write', { file_path: file, content: '' })).toBe(said);
  });

  test('a submodule is not removed with its .git file', () => {
    expect(judgeBash(withSubmodule(), allowed, 'rm -rf libs')).toBe('deny protection');
  });

  test('for a project below another governed one, the files of the other are outside and its configuration is protected', () => {
    const tree = makeTree();
    tree.file('.claude/modes.yaml');
    const root = path.dirname(tree.file('packages/app/.claude/modes.yaml').replace('/.claude/', '/'));
    const ask = (file: string) =>
      judged(tree, {}, 'Write', { file_path: `${tree.root}/${file}`, content: '' }, { place: { root } }).said;
    expect(ask('packages/app/src/a')).toBe('pass default');
    expect(ask('src/a')).toBe('ask protection');
    expect(ask('packages/app/../lib/a')).toBe('ask protection');
    expect(ask('.claude/modes.yaml')).toBe('deny protection');
  });
});

describe('reading a folder', () => {
  test.each<[string, Settings, string, Record<string, unknown>, string]>([
    [
      'with Grep is denied for a file that lies there [s:extent.read]',
      deny('Read(/docs/secret)'),
      'Grep',
      { pattern: 'x', path: 'docs' },
      'deny rule',
    ],
    ['not for one that does not', deny('Read(/docs/other)'), 'Grep', { pattern: 'x', path: 'docs' }, 'pass default'],
    ['with grep -r as well', deny('Read(/docs/secret)'), 'Bash', { command: 'grep -r x docs' }, 'deny rule'],
    [
      'listing names is no reading [s:extent.listing]',
      deny('Read(/docs/secret)'),
      'Bash',
      { command: 'ls docs && find docs' },
      'pass default',
    ],
    ['nor is Glob', deny('Read(/docs/secret)'), 'Glob', { pattern: 'docs/**' }, 'pass default'],
  ])('%s', (_, settings, tool, input, said) => {
    const tree = makeTree();
    tree.file('docs/secret');
    expect(judge(tree, settings, tool, input)).toBe(said);
  });
});

rows('files that git writes from its index', [
  ['are denied by name', ['src/a'], deny('Write(src/**)'), 'git checkout-index -f src/a', 'deny rule'],
  ['and below a prefix', ['src/a', 'a'], deny('Write(src/**)'), 'git checkout-index -f --prefix=src/ a', 'deny rule'],
  ['and all of them below a prefix', ['src/a', 'a'], deny('Write(src/**)'), 'git checkout-index -af --prefix=src/', 'deny rule'],
  ['may be any without a name', ['src/a'], deny('Write(src/**)'), 'git checkout-index -af', 'ask uncertainty'],
  ['are not denied elsewhere', ['lib/a'], deny('Write(src/**)'), 'git checkout-index -f lib/a', 'pass default'],
]);
