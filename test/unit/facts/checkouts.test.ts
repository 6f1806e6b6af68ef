// One repository has one judgement: a file of another checkout is judged by the names it has in the project.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { putFile } from '../../support/files.ts';
import { judged } from '../../support/judge.ts';
import type { Settings } from '../../support/policy.ts';
import { makeTree, type Tree } from '../../support/tree.ts';

const git = (cwd: string, ...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always', ...words], {
    cwd,
    stdio: 'pipe',
    encoding: 'utf8',
  });

/** What the project holds: tracked files that rules deny, and a file that Git ignores. */
function fill(folder: string): void {
  for (const [name, text] of [
    ['secret/key', 'TOP'],
    ['src/auth/a.ts', 'x'],
    ['docs/a.md', 'x'],
    ['Makefile', 'x'],
    ['.gitignore', '.env\n'],
  ] as const) {
    putFile(path.join(folder, name), text);
  }
}

function commit(folder: string): void {
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'a');
}

function repository(folder: string, ...words: string[]): string {
  fs.mkdirSync(folder, { recursive: true });
  git(folder, 'init', '-q', '-b', 'main', ...words);
  fill(folder);
  commit(folder);
  return folder;
}

function worktree(cwd: string, folder: string): string {
  git(cwd, 'worktree', 'add', '-q', '--detach', folder);
  return folder;
}

/** A parent with the submodule `sub`, which is the project, and a linked worktree of the parent with its own `sub`. */
function submodules(base: string): { parent: string; tree: string } {
  repository(path.join(base, 'origin'));
  const parent = path.join(base, 'parent');
  fs.mkdirSync(parent);
  git(parent, 'init', '-q', '-b', 'main');
  git(parent, 'submodule', '--quiet', 'add', path.join(base, 'origin'), 'sub');
  commit(parent);
  const tree = worktree(parent, path.join(base, 'tree'));
  git(tree, 'submodule', '--quiet', 'update', '--init');
  return { parent, tree };
}

/** The same with `sub` as a repository of its own in each tree, as before git moved their `.git` folders to the parent. */
function ownRepositories(base: string): { parent: string; tree: string } {
  const parent = path.join(base, 'parent');
  repository(`${parent}/sub`);
  git(parent, 'init', '-q', '-b', 'main');
  git(parent, 'submodule', '--quiet', 'add', './sub', 'sub');
  commit(parent);
  const tree = worktree(parent, path.join(base, 'tree'));
  git(base, 'clone', '-q', `${parent}/sub`, `${tree}/sub`);
  return { parent, tree };
}

function treeWithoutGit(from: string, to: string): string {
  fs.cpSync(from, to, { recursive: true, filter: (name) => path.basename(name) !== '.git' });
  return to;
}

/** `root`: the project of the session; `other`: the same place in another checkout; `at`: the project's place that rules begin with. */
interface Layout {
  root: string;
  other: string;
  at?: string;
}

const layouts: [name: string, make: (base: string) => Layout][] = [
  [
    'a worktree → the main checkout',
    (base) => {
      const other = repository(`${base}/main`);
      return { root: worktree(other, `${base}/tree`), other };
    },
  ],
  [
    'the main checkout → a worktree',
    (base) => {
      const root = repository(`${base}/main`);
      return { root, other: worktree(root, `${base}/tree`) };
    },
  ],
  [
    'a worktree → another',
    (base) => {
      const main = repository(`${base}/main`);
      return { root: worktree(main, `${base}/one`), other: worktree(main, `${base}/two`) };
    },
  ],
  [
    'the main checkout → a worktree inside of it',
    (base) => {
      const root = repository(`${base}/main`);
      return { root, other: worktree(root, `${root}/deep/tree`) };
    },
  ],
  [
    'a worktree inside the main checkout → the main checkout',
    (base) => {
      const other = repository(`${base}/main`);
      return { root: worktree(other, `${other}/deep/tree`), other };
    },
  ],
  [
    'the main checkout → a worktree inside a worktree',
    (base) => {
      const root = repository(`${base}/main`);
      return { root, other: worktree(root, `${worktree(root, `${base}/tree`)}/inner`) };
    },
  ],
  [
    'a worktree inside a worktree → the outer one',
    (base) => {
      const other = worktree(repository(`${base}/main`), `${base}/tree`);
      return { root: worktree(other, `${other}/inner`), other };
    },
  ],
  [
    'a worktree → a worktree of the client in the main checkout',
    (base) => {
      const main = repository(`${base}/main`);
      return { root: worktree(main, `${base}/tree`), other: worktree(main, `${main}/.claude/worktrees/one`) };
    },
  ],
  [
    'worktrees of a bare repository',
    (base) => {
      git(repository(`${base}/first`), 'clone', '-q', '--bare', '.', `${base}/store.git`);
      const store = `${base}/store.git`;
      return { root: worktree(store, `${base}/one`), other: worktree(store, `${base}/two`) };
    },
  ],
  [
    'worktrees inside a bare repository in a folder called .git',
    (base) => {
      git(repository(`${base}/first`), 'clone', '-q', '--bare', '.', `${base}/all/.git`);
      return { root: worktree(`${base}/all/.git`, `${base}/all/one`), other: worktree(`${base}/all/.git`, `${base}/all/two`) };
    },
  ],
  [
    'a submodule → its place in the worktree of its parent',
    (base) => {
      const { parent, tree } = submodules(base);
      return { root: `${parent}/sub`, other: `${tree}/sub` };
    },
  ],
  [
    'a submodule in the worktree of its parent → its place in the parent',
    (base) => {
      const { parent, tree } = submodules(base);
      return { root: `${tree}/sub`, other: `${parent}/sub` };
    },
  ],
  [
    'a parent → the submodule in its worktree',
    (base) => {
      const { parent, tree } = submodules(base);
      return { root: parent, other: `${tree}/sub`, at: 'sub/' };
    },
  ],
  [
    'a parent → a worktree of its submodule',
    (base) => {
      const { parent } = submodules(base);
      return { root: parent, other: worktree(`${parent}/sub`, `${base}/own`), at: 'sub/' };
    },
  ],
  [
    'a worktree of a parent → a worktree of the submodule in the parent',
    (base) => {
      const { parent, tree } = submodules(base);
      return { root: tree, other: worktree(`${parent}/sub`, `${base}/own`), at: 'sub/' };
    },
  ],
  [
    'a submodule → a worktree of its own',
    (base) => {
      const { parent } = submodules(base);
      return { root: `${parent}/sub`, other: worktree(`${parent}/sub`, `${base}/own`) };
    },
  ],
  [
    'a worktree of a submodule → the submodule',
    (base) => {
      const { parent } = submodules(base);
      return { root: worktree(`${parent}/sub`, `${base}/own`), other: `${parent}/sub` };
    },
  ],
  [
    'a worktree that git moved',
    (base) => {
      const root = repository(`${base}/main`);
      git(root, 'worktree', 'move', worktree(root, `${base}/tree`), `${base}/moved`);
      return { root, other: `${base}/moved` };
    },
  ],
  [
    'a worktree that was moved without git',
    (base) => {
      const root = repository(`${base}/main`);
      fs.renameSync(worktree(root, `${base}/tree`), `${base}/moved`);
      return { root, other: `${base}/moved` };
    },
  ],
  [
    'a worktree that was repaired after that',
    (base) => {
      const root = repository(`${base}/main`);
      fs.renameSync(worktree(root, `${base}/tree`), `${base}/moved`);
      git(`${base}/moved`, 'worktree', 'repair');
      return { root, other: `${base}/moved` };
    },
  ],
  [
    'a worktree that was moved without git → the main checkout',
    (base) => {
      const other = repository(`${base}/main`);
      fs.renameSync(worktree(other, `${base}/tree`), `${base}/moved`);
      return { root: `${base}/moved`, other };
    },
  ],
  [
    'a copy of a worktree',
    (base) => {
      const root = repository(`${base}/main`);
      fs.cpSync(worktree(root, `${base}/tree`), `${base}/copy`, { recursive: true });
      return { root, other: `${base}/copy` };
    },
  ],
  [
    'a main checkout whose records are elsewhere → a worktree',
    (base) => {
      const root = repository(`${base}/main`, `--separate-git-dir=${base}/records`);
      return { root, other: worktree(root, `${base}/tree`) };
    },
  ],
  [
    'a worktree → a main checkout whose records are elsewhere',
    (base) => {
      const other = repository(`${base}/main`, `--separate-git-dir=${base}/records`);
      return { root: worktree(other, `${base}/tree`), other };
    },
  ],
  [
    'a worktree → the tree that core.worktree names',
    (base) => {
      const main = repository(`${base}/main`);
      const root = worktree(main, `${base}/tree`);
      fs.renameSync(`${main}/.git`, `${base}/records`);
      git(`${base}`, `--git-dir=${base}/records`, 'config', 'core.worktree', main);
      git(`${base}`, `--git-dir=${base}/records`, 'worktree', 'repair', root);
      return { root, other: main };
    },
  ],
  [
    'a project in a folder of the repository → its place in a worktree',
    (base) => {
      fs.mkdirSync(`${base}/main/packages/app`, { recursive: true });
      git(`${base}/main`, 'init', '-q', '-b', 'main');
      fill(`${base}/main/packages/app`);
      commit(`${base}/main`);
      return { root: `${base}/main/packages/app`, other: `${worktree(`${base}/main`, `${base}/tree`)}/packages/app` };
    },
  ],
  [
    'a bare repository → its worktree',
    (base) => {
      git(repository(`${base}/first`), 'clone', '-q', '--bare', '.', `${base}/store.git`);
      return { root: `${base}/store.git`, other: worktree(`${base}/store.git`, `${base}/one`) };
    },
  ],
  [
    'a folder with a bare repository that its .git file names → a worktree in it',
    (base) => {
      git(repository(`${base}/first`), 'clone', '-q', '--bare', '.', `${base}/all/.bare`);
      fs.writeFileSync(`${base}/all/.git`, 'gitdir: ./.bare\n');
      return { root: `${base}/all`, other: worktree(`${base}/all`, `${base}/all/one`) };
    },
  ],
  [
    'a submodule with its own .git folder → its place in a worktree of the parent',
    (base) => {
      const { parent, tree } = ownRepositories(base);
      return { root: `${parent}/sub`, other: `${tree}/sub` };
    },
  ],
  [
    'a parent → a worktree of a submodule with its own .git folder',
    (base) => {
      const { parent } = ownRepositories(base);
      return { root: parent, other: worktree(`${parent}/sub`, `${base}/own`), at: 'sub/' };
    },
  ],
  [
    'a parent → a worktree of a repository in its own worktree',
    (base) => {
      const { parent, tree } = ownRepositories(base);
      return { root: parent, other: worktree(`${tree}/sub`, `${base}/own`), at: 'sub/' };
    },
  ],
  [
    'a folder without a repository → a worktree of a repository in it',
    (base) => ({ root: `${base}/all`, other: worktree(repository(`${base}/all/one`), `${base}/own`), at: 'one/' }),
  ],
  [
    'a folder that contains a worktree of another repository → the main checkout of that one',
    (base) => {
      const root = repository(`${base}/main`);
      const other = repository(`${base}/library`);
      worktree(other, `${root}/vendored`);
      return { root, other, at: 'vendored/' };
    },
  ],
  [
    'the tree that core.worktree names → the folder of its repository',
    (base) => {
      const other = repository(`${base}/main`);
      git(other, 'config', 'core.worktree', treeWithoutGit(other, `${base}/tree`));
      return { root: `${base}/tree`, other };
    },
  ],
  [
    'a repository → the tree that its config.worktree names',
    (base) => {
      const root = repository(`${base}/main`);
      git(root, 'config', 'extensions.worktreeConfig', 'true');
      git(root, 'config', '--worktree', 'core.worktree', treeWithoutGit(root, `${base}/tree`));
      return { root, other: `${base}/tree` };
    },
  ],
  [
    'a repository → the tree that the settings of a worktree name, on one line with the section',
    (base) => {
      const root = repository(`${base}/main`);
      worktree(root, `${base}/linked`);
      fs.writeFileSync(`${root}/.git/worktrees/linked/config.worktree`, `[core] WorkTree = "${base}/tree" ; here\n`);
      return { root, other: treeWithoutGit(root, `${base}/tree`) };
    },
  ],
  [
    'a worktree with a .git file that ends with many empty lines',
    (base) => {
      const root = repository(`${base}/main`);
      const other = worktree(root, `${base}/tree`);
      fs.appendFileSync(`${other}/.git`, '\n'.repeat(20_000));
      return { root, other };
    },
  ],
  [
    'a worktree with paths relative to it',
    (base) => {
      const root = repository(`${base}/main`);
      const other = worktree(root, `${base}/tree`);
      fs.writeFileSync(`${other}/.git`, 'gitdir: ../main/.git/worktrees/tree\n');
      fs.writeFileSync(`${root}/.git/worktrees/tree/gitdir`, '../../../../tree/.git\n');
      return { root, other };
    },
  ],
];

const rules = (at: string): Settings => ({
  deny: [`Read(${at}.env)`, `Read(/${at}secret/**)`, `Write(/${at}src/auth/**)`, `Write(/${at}Makefile)`],
  // No allow opens what a deny closes there.
  allow: ['Read', 'Write', 'Bash'],
});

/** Calls that touch what is denied; `there`: the other checkout, `near`: the same relative to the session's project. */
const calls = (there: string, near: string): [tool: string, input: Record<string, unknown>][] => [
  ['Read', { file_path: `${there}/.env` }],
  ['Read', { file_path: `${there}/secret/key` }],
  ['Edit', { file_path: `${there}/secret/key`, old_string: 'T', new_string: 'U' }],
  ['Write', { file_path: `${there}/src/auth/evil.ts`, content: 'x' }],
  ['Write', { file_path: `${there}/Makefile`, content: 'x' }],
  ['Grep', { pattern: 'TOP', path: there }],
  ['Grep', { pattern: 'TOP', path: path.dirname(there) }],
  ['Glob', { pattern: 'secret/*', path: there }],
  ['Glob', { pattern: `${there}/secret/*` }],
  ['NotebookEdit', { notebook_path: `${there}/src/auth/a.ipynb`, new_source: 'x' }],
  ['mcp__filesystem__read_file', { path: `${there}/.env` }],
  ['mcp__filesystem__write_file', { path: `${there}/src/auth/evil.ts`, content: 'x' }],
  ...[
    `cat ${near}/.env`,
    `cat ${there}/secret/key`,
    `cat ${there}/secret/*`,
    `cat ${path.dirname(there)}/*/secret/key`,
    `rm ${path.dirname(there)}/*/Makefile`,
    `cd ${there} && cat .env`,
    `(cd ${near}/docs; cat ../secret/key)`,
    `grep -r TOP ${near}`,
    `cp ${near}/.env x`,
    `cp docs/a.md ${near}/src/auth/b.ts`,
    `mv ${near}/secret/key k`,
    `mv ${near}/docs/a.md ${near}/src/auth/`,
    `echo x > ${near}/src/auth/evil.ts`,
    `echo x >> ${there}/Makefile`,
    `rm -r ${near}/src`,
    `sed -i s/x/y/ ${there}/src/auth/a.ts`,
    `tee ${near}/src/auth/x < docs/a.md`,
    `git -C ${near} show HEAD:./secret/key`,
    `git -C ${near} checkout HEAD -- Makefile`,
    `cd / && git --git-dir=${there}/.git show HEAD:secret/key`,
    `cd / && GIT_DIR=${there}/.git git show HEAD:secret/key`,
    `tar cf x.tar ${near}/secret`,
    `dd if=${there}/.env of=x`,
    `node -e 1 < ${near}/.env`,
  ].map((command): [string, Record<string, unknown>] => ['Bash', { command }]),
];

describe.each(['outside the folder for temporary files', 'below it'])('%s', (where) => {
  test.each(layouts)('%s [s:worktree.same]', (_, make) => {
    const tree = makeTree();
    const base = path.join(tree.top, where === 'below it' ? 'tmp' : 'fixture', 'a');
    fs.mkdirSync(base, { recursive: true });
    const { root, other, at = '' } = make(base);
    for (const folder of [root, other]) fs.writeFileSync(path.join(folder, '.env'), 'TOP');
    const session: Tree = { ...tree, root, place: (changes = {}) => tree.place({ root, ...changes }) };
    const said = (folder: string) =>
      calls(folder, path.relative(root, folder) || '.').map(
        ([tool, input]) => [judged(session, rules(at), tool, input).said, tool, JSON.stringify(input)] as const,
      );
    const own = said(at === '' ? root : path.join(root, at));
    // In a bare repository, git shows nothing of the tree, so the same call may be denied in the worktree only.
    const opened = said(other).filter(([verdict], index) => verdict !== own[index]?.[0] && verdict !== 'deny rule');
    expect(opened).toEqual([]);
    expect(own.filter(([verdict]) => verdict === 'deny rule').length).toBeGreaterThanOrEqual(30);
    // What no rule denies is not denied there either.
    expect(judged(session, rules(at), 'Read', { file_path: `${other}/docs/a.md` }).said).not.toMatch(/deny/);
  });
});

/** A session in the main checkout of a repository with one linked worktree beside it. */
function session(): Tree & { other: string } {
  const tree = makeTree();
  const root = repository(`${tree.top}/fixture/main`);
  const other = worktree(root, `${tree.top}/fixture/tree`);
  return { ...tree, root, other, place: (changes = {}) => tree.place({ root, ...changes }) };
}

describe('a worktree that the same call makes [s:worktree.coming]', () => {
  test.each([
    'git worktree add ../new && cat ../new/secret/key',
    'git worktree add -b topic ../new; cat ../new/secret/key',
    'git worktree add --detach ../new HEAD && cd ../new && cat secret/key',
    'git worktree add ../new && grep -r TOP ../new',
    'git worktree add ../new && grep -r TOP ..',
    'git worktree add ../new && cp -r ../new/secret x',
    'git worktree add ../new && cat ../new/secret/*',
    'git worktree add new && cat new/secret/key',
    'git worktree add ../new && echo x > ../new/src/auth/evil.ts',
    'git worktree add ../new && rm -r ../new/src',
    'git worktree add ../new && git -C ../new show HEAD:secret/key',
    'git -C ../tree worktree add ../new && cat ../new/secret/key',
    'git worktree move ../tree ../new && cat ../new/secret/key',
    'git worktree move ../tree ../new && echo x > ../new/src/auth/evil.ts',
  ])('%s', (command) => {
    expect(judged(session(), rules(''), 'Bash', { command }).said).toBe('deny rule');
  });

  test.each(['git worktree add ../new && cat ../new/docs/a.md', 'git worktree add ../new && ls ../new', 'git worktree list'])(
    '%s is denied by no rule',
    (command) => expect(judged(session(), rules(''), 'Bash', { command }).said).not.toBe('deny rule'),
  );
});

describe('wrong records grant nothing and block nothing [s:worktree.verified]', () => {
  const git = (folder: string, text: string) => fs.writeFileSync(path.join(folder, '.git'), text);
  const wrongs: [name: string, make: (folder: string, tree: Tree) => void][] = [
    ['a pipe', (folder) => void execFileSync('mkfifo', [`${folder}/.git`])],
    ['a link to a device that never ends', (folder) => fs.symlinkSync('/dev/zero', `${folder}/.git`)],
    ['a link to itself', (folder) => fs.symlinkSync('.git', `${folder}/.git`)],
    ['a large file', (folder) => git(folder, `gitdir: ${'a/'.repeat(100_000)}\n`)],
    ['an empty file', (folder) => git(folder, '')],
    ['a folder that is not there', (folder) => git(folder, 'gitdir: /nowhere/at/all\n')],
    ['itself', (folder) => git(folder, 'gitdir: .git\n')],
    ['the root of the disk', (folder) => git(folder, 'gitdir: /\n')],
    ['NUL characters', (folder) => git(folder, 'gitdir: \0\0\n')],
    [
      'a record whose commondir is a pipe',
      (folder) => {
        fs.mkdirSync(`${folder}/record`);
        execFileSync('mkfifo', [`${folder}/record/commondir`]);
        git(folder, 'gitdir: record\n');
      },
    ],
    [
      'a record whose commondir is the repository of the project',
      (folder, { root }) => {
        fs.mkdirSync(`${folder}/record`);
        fs.writeFileSync(`${folder}/record/commondir`, `${root}/.git\n`);
        fs.writeFileSync(`${folder}/record/gitdir`, `${folder}/.git\n`);
        git(folder, 'gitdir: record\n');
      },
    ],
    ['the repository of the project', (folder, { root }) => git(folder, `gitdir: ${root}/.git\n`)],
    ['the record of another worktree', (folder, { root }) => git(folder, `gitdir: ${root}/.git/worktrees/tree\n`)],
  ];
  test.each(wrongs)('%s', (_, make) => {
    const tree = session();
    const folder = tree.folder(`${tree.top}/fixture/wrong`);
    make(folder, tree);
    const settings = { allow: ['Write(/docs/**)', 'Write(docs/**)', 'Read(/docs/**)'] };
    for (const at of [folder, path.join(folder, 'docs')]) {
      const { said, facts } = judged(tree, settings, 'Write', { file_path: `${at}/x`, content: '' });
      expect([said, facts.writes[0]?.root]).toEqual(['ask protection', 'outside']);
    }
    expect(judged(tree, { deny: ['Read'], allow: ['Read(docs/**)'] }, 'Grep', { pattern: 'x', path: folder }).said).toBe(
      'deny rule',
    );
  });

  test('a project with a wrong .git is still decided', () => {
    for (const [, make] of wrongs) {
      const tree = session();
      const root = tree.folder(`${tree.top}/fixture/wrong`);
      make(root, tree);
      const inner: Tree = { ...tree, root, place: () => tree.place({ root }) };
      expect(judged(inner, { deny: ['Write(/a/**)'] }, 'Write', { file_path: `${root}/a/x`, content: '' }).said).toBe(
        'deny rule',
      );
      const outside = judged(inner, {}, 'Write', { file_path: `${tree.other}/x`, content: '' });
      expect([outside.said, outside.facts.writes[0]?.root]).toEqual(['ask protection', 'outside']);
    }
  });
});

describe('the folder for temporary files [s:protect.scratch]', () => {
  const makes: [name: string, make: (folder: string, tree: Tree) => void, said: string, root: string][] = [
    ['a file of nobody', () => undefined, 'pass default', 'temp'],
    ['another repository', (folder) => void repository(folder), 'ask protection', 'outside'],
    ['a folder in another repository', (folder) => void repository(path.dirname(folder)), 'ask protection', 'outside'],
    [
      'a worktree of another repository',
      (folder, { top }) => void worktree(repository(`${top}/other`), folder),
      'ask protection',
      'outside',
    ],
    [
      'a bare repository',
      (folder) => void git(path.dirname(folder), 'init', '-q', '--bare', folder),
      'ask protection',
      'outside',
    ],
    [
      'a governed project',
      (folder, { file }) => void file(`${folder}/.claude/modes.yaml`, 'name: x'),
      'ask protection',
      'outside',
    ],
    [
      'a project whose modes.yaml is a link to nothing',
      (folder, { link }) => void link(`${folder}/.claude/modes.yaml`, '/nowhere'),
      'ask protection',
      'outside',
    ],
    [
      'a project that was governed before',
      (folder, { file, place }) => void file(`${place().dataFolder}/governed${folder}/.modes`),
      'ask protection',
      'outside',
    ],
  ];
  test.each(makes)('%s', (_, make, said, root) => {
    const tree = makeTree();
    const folder = tree.folder(`${tree.top}/tmp/a/b`);
    make(folder, tree);
    for (const [tool, input] of [
      ['Write', { file_path: `${folder}/src/x`, content: '' }],
      ['Bash', { command: `echo x > ${folder}/src/x` }],
      ['Bash', { command: `cd ${folder} && touch src/x` }],
    ] as const) {
      const found = judged(tree, {}, tool, input);
      expect([found.said, found.facts.writes[0]?.root]).toEqual([said, root]);
    }
    const read = judged(tree, {}, 'Read', { file_path: `${folder}/src/x` });
    expect(read.facts.reads[0]?.root).toBe(root);
  });

  test('a folder may contain projects [s:pattern.scratch]', () => {
    const tree = makeTree();
    const allow: Settings = { allow: ['Bash(@files)', 'Read(@scratch)', 'Write(@scratch)'] };
    const told = (command: string) => judged(tree, allow, 'Bash', { command }).said;
    const temporary = `${tree.top}/tmp`;
    tree.file(`${temporary}/plain/a/b`);
    expect(told(`rm -rf ${temporary}/plain`)).toBe('allow rule');
    expect(told(`cp -r ${temporary}/plain ${temporary}/copy && rm -rf ${temporary}/co*`)).toBe('allow rule');
    expect(told(`mv ${temporary}/missing ${temporary}/there`)).toBe('allow rule');
    expect(told(`rm -rf ${temporary}`)).not.toBe('allow rule');
    expect(told(`rm -rf ${temporary}/*`)).not.toBe('allow rule');
    repository(`${temporary}/other/deep/repository`);
    expect(told(`rm -rf ${temporary}/other`)).not.toBe('allow rule');
    expect(told(`rm -rf ${temporary}/ot*`)).not.toBe('allow rule');
    tree.file(`${temporary}/governed/a/.claude/modes.yaml`, 'name: x');
    expect(told(`rm -rf ${temporary}/governed`)).not.toBe('allow rule');
  });

  test('settings in records of the project’s repository are protected under any name [s:protect.git-folder]', () => {
    for (const base of ['tmp/base', 'fixture']) {
      const tree = makeTree();
      git(repository(`${tree.top}/${base}/first`), 'clone', '-q', '--bare', '.', `${tree.top}/${base}/store.git`);
      const store = `${tree.top}/${base}/store.git`;
      const root = worktree(store, `${tree.top}/${base}/one`);
      const inner: Tree = { ...tree, root, place: () => tree.place({ root }) };
      for (const name of ['hooks/pre-commit', 'config', 'info/attributes', 'worktrees/one/gitdir', 'worktrees/one/commondir'])
        expect([name, judged(inner, { allow: ['Write'] }, 'Write', { file_path: `${store}/${name}`, content: '' }).said]).toEqual(
          [name, 'deny protection'],
        );
    }
  });
});
