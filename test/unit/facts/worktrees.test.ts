// Worktrees of the project's repository: real ones, made by Git, and forged ones.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { callOf, factsOf } from '../../support/call.ts';
import { judged } from '../../support/judge.ts';
import type { Settings } from '../../support/policy.ts';
import { makeTree, type Tree } from '../../support/tree.ts';

const git = (cwd: string, ...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'init.defaultBranch=main', ...words], {
    cwd,
    stdio: 'pipe',
  });

/** A repository whose top is the project, or lies above it. */
function repository(project = ''): Tree & { top: string; root: string } {
  const tree = makeTree();
  const root = path.join(tree.root, project);
  tree.file(path.join(project, 'src/a.ts'));
  git(tree.root, 'init', '-q');
  git(tree.root, 'add', '.');
  git(tree.root, 'commit', '-q', '-m', 'a');
  return { ...tree, root, place: (changes = {}) => tree.place({ root, ...changes }) };
}
/** Adds a worktree at a path relative to the repository's top. */
const worktree = (tree: Tree, at: string, cwd = tree.root): string => {
  const folder = path.resolve(tree.root, at);
  git(cwd, 'worktree', 'add', '-q', '--detach', folder);
  return folder;
};
const write = (tree: Tree, settings: Settings, file: string) => {
  const { said, facts } = judged(tree, settings, 'Write', { file_path: file, content: '' });
  return { said, root: facts.writes[0]?.root, met: facts.writes[0]?.protection?.effect ?? null };
};

describe('a worktree beside the project', () => {
  const rows: [string, (folder: string) => Settings, string, string][] = [
    [
      'is met by a deny of its own reading [s:worktree.readings] [s:worktree.narrow]',
      () => ({ deny: ['Write(/src/**)'] }),
      'src/a.ts',
      'deny rule',
    ],
    ['by an ask', () => ({ ask: ['Write(/src/**)'] }), 'src/a.ts', 'ask rule'],
    ['and by its absolute name', (folder) => ({ deny: [`Write(/${folder}/**)`] }), 'x', 'deny rule'],
    ['not by another path', () => ({ deny: ['Write(/src/**)'] }), 'test/a.ts', 'pass default'],
    [
      'an allow of one reading is not enough [s:worktree.allow]',
      () => ({ allow: ['Write(src/**)'] }),
      'src/a.ts',
      'pass default',
    ],
    ['nor of the other', (folder) => ({ allow: [`Write(/${folder}/**)`] }), 'src/a.ts', 'pass default'],
    ['of both it is', (folder) => ({ allow: ['Write(src/**)', `Write(/${folder}/**)`] }), 'src/a.ts', 'allow rule'],
  ];
  test.each(rows)('%s', (_, settings, file, said) => {
    const tree = repository();
    const folder = worktree(tree, '../tree');
    expect(write(tree, settings(folder), `${folder}/${file}`)).toMatchObject({ said, root: 'worktree' });
  });

  test('counts as part of the project: writes there do not ask, except for its protected names', () => {
    const tree = repository();
    const folder = worktree(tree, '../tree');
    expect(write(tree, {}, `${folder}/src/b.ts`)).toEqual({ said: 'pass default', root: 'worktree', met: null });
    expect(write(tree, {}, `${folder}/.claude/settings.json`).met).toBe('deny');
    expect(write(tree, {}, `${folder}/CLAUDE.md`).met).toBe('ask');
    expect(write(tree, {}, `${folder}/.git`).met).toBe('deny');
    expect(write(tree, {}, `${folder}-other/x`)).toMatchObject({ root: 'outside', met: 'ask' });
  });

  test('a folder in it is matched by the names below', () => {
    const tree = repository();
    const folder = worktree(tree, '../tree');
    const { said } = judged(tree, { deny: ['Write(/src/a.ts)'] }, 'Bash', { command: `rm -rf ${folder}/src` });
    expect(said).toBe('deny rule');
  });

  test('a folder that contains it is matched by its contents, on the first call too', () => {
    const tree = repository();
    worktree(tree, '../trees/one');
    fs.rmSync(`${tree.root}/src`, { recursive: true });
    const said = (settings: Settings, folder: string) => judged(tree, settings, 'Grep', { pattern: 'x', path: folder }).said;
    expect(said({ deny: ['Read(/src/a.ts)'] }, '../trees')).toBe('deny rule');
    const own = repository();
    worktree(own, '.claude/worktrees/one');
    fs.rmSync(`${own.root}/src`, { recursive: true });
    expect(judged(own, { deny: ['Read(/src/a.ts)'] }, 'Grep', { pattern: 'x' }).said).toBe('deny rule');
  });

  test('one that is added, moved away and removed in the session is detected', () => {
    const tree = repository();
    expect(write(tree, {}, `${tree.home}/tree/x`).root).toBe('outside');
    const folder = worktree(tree, '../tree');
    expect(write(tree, {}, `${folder}/x`).root).toBe('worktree');
    git(tree.root, 'worktree', 'remove', '--force', folder);
    expect(write(tree, {}, `${folder}/x`).root).toBe('outside');
  });

  test('of another repository does not count', () => {
    const tree = repository();
    const other = repository();
    const folder = worktree(other, '../tree');
    expect(write(tree, {}, `${folder}/x`)).toMatchObject({ root: 'outside', met: 'ask' });
  });

  test('has, through a link, the name of the link and of its target', () => {
    const tree = repository();
    const folder = worktree(tree, '../tree');
    tree.link('way', folder);
    expect(write(tree, { deny: ['Write(/src/**)'] }, `${tree.root}/way/src/a.ts`).said).toBe('deny rule');
  });
});

describe('a worktree below .claude/worktrees', () => {
  test.each<[string, Settings, string, string]>([
    ['is judged by its own reading [s:worktree.readings]', { deny: ['Write(/src/**)'] }, 'src/a.ts', 'deny rule'],
    ['and by the project’s', { deny: ['Write(/.claude/worktrees/**)'] }, 'x', 'deny rule'],
    ['an allow needs only its own [s:worktree.client]', { allow: ['Write(/src/**)'] }, 'src/a.ts', 'allow rule'],
    ['the project’s alone is not enough', { allow: ['Write(/.claude/worktrees/**)'] }, 'src/a.ts', 'pass default'],
  ])('%s', (_, settings, file, said) => {
    const tree = repository();
    const folder = worktree(tree, '.claude/worktrees/one');
    expect(write(tree, settings, `${folder}/${file}`)).toMatchObject({ said, root: 'worktree' });
  });

  test('matches only its own protected names [s:protect.worktree]', () => {
    const tree = repository();
    const folder = worktree(tree, '.claude/worktrees/one');
    expect(write(tree, {}, `${folder}/src/a.ts`).met).toBeNull();
    expect(write(tree, {}, `${folder}/.claude/modes.yaml`).met).toBe('deny');
    expect(write(tree, {}, folder).met).toBe('deny');
  });

  test('of a project below the top of its repository, wherever the client puts it [s:worktree.ground]', () => {
    const tree = repository('packages/app');
    for (const at of ['.claude/worktrees/top', 'packages/app/.claude/worktrees/own']) {
      const folder = worktree({ ...tree, root: path.join(tree.home, 'work') }, at, path.join(tree.home, 'work'));
      const settings = { allow: ['Write(/src/**)'] };
      expect(write(tree, settings, `${folder}/packages/app/src/a.ts`)).toEqual({
        said: 'allow rule',
        root: 'worktree',
        met: null,
      });
      // The same place in the main checkout is inside the project only for the tree that is.
      const outside = at.startsWith('packages/app/') ? 'pass default' : 'ask protection';
      expect(write(tree, settings, `${folder}/src/a.ts`).said).toBe(outside);
    }
  });
});

describe('forged files [s:worktree.verified]', () => {
  const forge: [string, (tree: Tree, folder: string, record: string) => void][] = [
    ['only the tree names a record', (_, folder, record) => fs.writeFileSync(`${folder}/.git`, `gitdir: ${record}\n`)],
    [
      'only a record names the tree',
      (_, folder, record) => {
        fs.mkdirSync(record, { recursive: true });
        fs.writeFileSync(`${record}/gitdir`, `${folder}/.git\n`);
      },
    ],
    [
      'the tree names another record',
      (_, folder, record) => {
        fs.mkdirSync(record, { recursive: true });
        fs.mkdirSync(`${record}2`, { recursive: true });
        fs.writeFileSync(`${record}/gitdir`, `${folder}/.git\n`);
        fs.writeFileSync(`${folder}/.git`, `gitdir: ${record}2\n`);
      },
    ],
    [
      'the tree’s file is a link',
      (tree, folder, record) => {
        fs.mkdirSync(record, { recursive: true });
        fs.writeFileSync(`${record}/gitdir`, `${folder}/.git\n`);
        fs.symlinkSync(tree.file('named', `gitdir: ${record}\n`), `${folder}/.git`);
      },
    ],
    [
      'a record with a tree inside the project',
      (tree, _, record) => {
        const inner = tree.folder('sub');
        fs.mkdirSync(record, { recursive: true });
        fs.writeFileSync(`${record}/gitdir`, `${inner}/.git\n`);
        fs.writeFileSync(`${inner}/.git`, `gitdir: ${record}\n`);
      },
    ],
  ];
  test.each(forge)('%s', (_, make) => {
    const tree = repository();
    worktree(tree, '../real');
    for (const at of ['../tree', '.claude/worktrees/x']) {
      const folder = tree.folder(at);
      make(tree, folder, `${tree.root}/.git/worktrees/forged`);
      const { said, root } = write(tree, { allow: ['Write(/src/**)'] }, `${folder}/src/a.ts`);
      expect(said).not.toContain('allow');
      expect(root).not.toBe('worktree');
      fs.rmSync(folder, { recursive: true });
      fs.rmSync(`${tree.root}/.git/worktrees/forged`, { recursive: true, force: true });
    }
    // A folder that names a record of the repository is judged by the repository's names too, but never opened by them.
    const isNamed = fs.existsSync(`${tree.root}/sub/.git`);
    const said = write(tree, { deny: ['Write(/b/**)'], allow: ['Write(/**)'] }, `${tree.root}/sub/b/x`).said;
    expect(said).toBe(isNamed ? 'deny rule' : 'allow rule');
  });

  test('a verified one whose file is changed afterwards no longer counts', () => {
    const tree = repository();
    const folder = worktree(tree, '../tree');
    const place = tree.place();
    const rootOf = () => factsOf(callOf('Write', { file_path: `${folder}/x` }, tree.root), place).writes[0]?.root;
    expect(rootOf()).toBe('worktree');
    fs.writeFileSync(`${folder}/.git`, 'gitdir: /elsewhere\n');
    expect(rootOf()).toBe('outside');
  });
});

describe('cost', () => {
  test('a path of the project needs no disk access for it, and no process is started [s:worktree.no-git]', () => {
    const tree = repository();
    const folder = worktree(tree, '../tree');
    const place = tree.place();
    const ask = (file: string) => factsOf(callOf('Read', { file_path: file }, tree.root), place);
    ask(`${folder}/src/a.ts`);
    const lists = vi.spyOn(fs, 'readdirSync');
    const reads = vi.spyOn(fs, 'openSync');
    const opened = vi.spyOn(fs, 'realpathSync');
    try {
      ask(`${tree.root}/src/a.ts`);
      expect([lists.mock.calls, reads.mock.calls, opened.mock.calls]).toEqual([[], [], []]);
      ask('/etc/passwd');
      expect([lists.mock.calls, reads.mock.calls]).toEqual([[], []]);
    } finally {
      vi.restoreAllMocks();
    }
  });
});
