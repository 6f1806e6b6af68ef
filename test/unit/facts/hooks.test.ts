// Git commands run programs only where an active hook waits for them.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadFinder } from '../../../src/facts/loads.ts';
import { analyse } from '../../../src/shell/analyse.ts';
import { resolveLoads } from '../../../src/shell/loads.ts';
import { pipe } from '../../support/pipe.ts';
import { makeTree, type Tree } from '../../support/tree.ts';

let tree: Tree;
beforeEach(() => {
  tree = makeTree();
  git(tree.root, 'init', '-q');
});

const git = (cwd: string, ...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always', ...words], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env.PATH, HOME: tree.home, GIT_CONFIG_NOSYSTEM: '1' },
  });

const hook = (name: string, mode = 0o755): string => {
  const file = tree.file(name, '#!/bin/sh\n: > "$(git rev-parse --show-toplevel)/ran"\n');
  fs.chmodSync(file, mode);
  return file;
};

const classOf = (command: string, cwd = tree.root): string =>
  resolveLoads(analyse(command, { cwd, home: tree.home }), loadFinder(tree.home, '')).class;

describe('a hook of the repository', () => {
  const rows: [string, string][] = [
    ['git commit -m x', 'pre-commit'],
    ['git commit -m x', 'prepare-commit-msg'],
    ['git commit -m x', 'commit-msg'],
    ['git commit -m x', 'post-commit'],
    ['git commit --amend --no-edit', 'post-rewrite'],
    ['git commit -m x', 'reference-transaction'],
    ['git commit -m x', 'post-index-change'],
    ['git push', 'pre-push'],
    ['git push origin main', 'reference-transaction'],
    ['git checkout -b x', 'post-checkout'],
    ['git checkout -- a', 'post-checkout'],
    ['git restore a', 'post-checkout'],
    ['git switch -c x', 'post-checkout'],
    ['git worktree add ../x', 'post-checkout'],
    ['git add a', 'post-index-change'],
    ['git status', 'post-index-change'],
    ['git branch x', 'reference-transaction'],
    ['git tag x', 'reference-transaction'],
    ['git fetch', 'reference-transaction'],
    ['git stash drop', 'reference-transaction'],
    ['git reset HEAD a', 'post-index-change'],
    ['git add a && git commit -m x', 'pre-commit'],
    ['git -C . commit -m x', 'pre-commit'],
    ['timeout 5 git commit -m x', 'pre-commit'],
    ['git commit --no-verify -m x', 'post-commit'],
    ['git commit -n -m x', 'prepare-commit-msg'],
    ['git commit --no-verify --verify -m x', 'pre-commit'],
  ];
  test.each(rows)('makes %s of class runs, by %s [s:git.hooks]', (command, name) => {
    expect(classOf(command)).not.toMatch(/runs|unknown/);
    hook(`.git/hooks/${name}`);
    expect(classOf(command)).toBe('runs');
  });

  const others: [string, string][] = [
    ['git commit -m x', 'pre-push'],
    ['git commit -m x', 'pre-commit.sample'],
    ['git commit --no-verify -m x', 'pre-commit'],
    ['git commit -n -m x', 'commit-msg'],
    ['git push --no-verify', 'pre-push'],
    ['git push', 'pre-commit'],
    ['git log', 'post-index-change'],
    ['git show', 'post-checkout'],
    ['git branch', 'pre-commit'],
    ['git config --get core.hooksPath', 'pre-commit'],
  ];
  test.each(others)('leaves %s alone, by %s [s:git.hooks]', (command, name) => {
    hook(`.git/hooks/${name}`);
    expect(classOf(command)).not.toMatch(/runs|unknown/);
  });

  test('counts only if it is executable, also through a link', () => {
    hook('.git/hooks/pre-commit', 0o644);
    expect(classOf('git commit -m x')).toBe('writes');
    fs.rmSync(path.join(tree.root, '.git/hooks/pre-commit'));
    tree.link('.git/hooks/pre-commit', '/nowhere');
    expect(classOf('git commit -m x')).toBe('writes');
    tree.link('.git/hooks/commit-msg', hook('tools/hook'));
    expect(classOf('git commit -m x')).toBe('runs');
  });

  test('counts in a folder below, after cd, and not in another repository', () => {
    hook('.git/hooks/pre-commit');
    tree.folder('packages/a');
    expect(classOf('cd packages/a && cd ../.. && git commit -m x')).toBe('runs');
    expect(classOf('git commit -m x', path.join(tree.root, 'packages/a'))).toBe('runs');
    git(tree.root, 'init', '-q', 'other');
    expect(classOf('git commit -m x', path.join(tree.root, 'other'))).toBe('writes');
  });

  test('counts for a worktree and not for a submodule, which has its own', () => {
    git(tree.root, 'commit', '-qm', 'x', '--allow-empty');
    git(tree.root, 'worktree', 'add', '-q', '../tree');
    const away = path.join(tree.home, 'tree');
    git(tree.root, 'init', '-q', '../lib');
    git(path.join(tree.home, 'lib'), 'commit', '-qm', 'x', '--allow-empty');
    git(tree.root, 'submodule', 'add', '-q', path.join(tree.home, 'lib'), 'lib');
    hook('.git/hooks/pre-commit');
    expect(classOf('git commit -m x', away)).toBe('runs');
    expect(classOf('git commit -m x', path.join(tree.root, 'lib'))).toBe('writes');
    hook('.git/modules/lib/hooks/pre-commit');
    expect(classOf('git commit -m x', path.join(tree.root, 'lib'))).toBe('runs');
  });

  test('of submodules counts for a push that includes them', () => {
    expect(classOf('git push --recurse-submodules=on-demand')).toBe('runs');
    expect(classOf('git push --recurse-submodules=check')).toBe('writes');
  });
});

describe('core.hooksPath', () => {
  const settings: [string, () => void][] = [
    ['relative, as husky sets it', () => git(tree.root, 'config', 'core.hooksPath', '.husky/_')],
    ['absolute', () => git(tree.root, 'config', 'core.hooksPath', path.join(tree.root, '.husky/_'))],
    ['in the home folder', () => git(tree.root, 'config', '--global', 'core.hooksPath', '~/work/.husky/_')],
    ['in another spelling', () => tree.file('.git/config', '[Core] HOOKSPATH = ".husky/\\\n_" ; husky')],
    ['in ~/.config', () => tree.file(path.join(tree.home, '.config/git/config'), '[core]\nhooksPath=~/work/.husky/_\n')],
    [
      'in an included file',
      () => {
        tree.file('.git/config', '[include]\n\tpath = ../more.cfg\n');
        tree.file('more.cfg', '[core]\n\thooksPath = .husky/_ # ours\n');
      },
    ],
    [
      'in a file included where a condition holds',
      () => {
        tree.file(path.join(tree.home, '.gitconfig'), '[includeIf "gitdir:~/work/"]\n\tpath = work.cfg\n');
        tree.file(path.join(tree.home, 'work.cfg'), '[core]\n\thooksPath = ~/work/.husky/_\n');
      },
    ],
    [
      'of the worktree',
      () => {
        git(tree.root, 'config', 'extensions.worktreeConfig', 'true');
        git(tree.root, 'config', '--worktree', 'core.hooksPath', '.husky/_');
      },
    ],
  ];
  test.each(settings)('%s: hooks there run, as git itself shows [s:git.hooks]', (_, set) => {
    set();
    expect(classOf('git commit -m x')).toBe('writes');
    hook('.husky/_/pre-commit');
    expect(classOf('cd . && git commit -m x')).toBe('runs');
    git(tree.root, 'commit', '-qm', 'x', '--allow-empty');
    expect(fs.existsSync(path.join(tree.root, 'ran'))).toBe(true);
  });

  test('replaces the folder of the repository', () => {
    hook('.git/hooks/pre-commit');
    git(tree.root, 'config', 'core.hooksPath', '/dev/null');
    expect(classOf('git commit -m x')).toBe('writes');
  });

  test('of a conditional file leaves that folder in force', () => {
    hook('.git/hooks/pre-commit');
    tree.file(path.join(tree.home, '.gitconfig'), '[includeIf "gitdir:~/away/"]\n\tpath = away.cfg\n');
    tree.file(path.join(tree.home, 'away.cfg'), '[core]\n\thooksPath = /dev/null\n');
    expect(classOf('git commit -m x')).toBe('runs');
  });

  test.each([
    ['a path of another user', '[core]\n\thooksPath = ~bob/hooks\n'],
    ['a hook that is a setting', '[hook "x"]\n\tevent = pre-commit\n\tcommand = ./x\n'],
    [
      'files that include each other too often',
      `[include]\n${Array.from({ length: 60 }, (_, at) => `\tpath = a${at}\n`).join('')}`,
    ],
  ])('%s counts as a hook', (_, text) => {
    tree.file('.git/config', text);
    expect(classOf('git commit -m x')).toBe('runs');
  });

  test('settings that are a pipe do not block, and count as a hook', () => {
    const file = path.join(tree.root, '.git/config');
    fs.rmSync(file);
    pipe(file, '[core]\n');
    expect(classOf('git commit -m x')).toBe('runs');
  });
});

describe('settings that were read before', () => {
  afterEach(() => void vi.useRealTimers());

  test.each([
    ['written anew in the same length', () => tree.file('.git/config', '[core]\n\thooksPath = there\n')],
    [
      'replaced by another file',
      () => fs.renameSync(tree.file('new', '[core]\n\thooksPath = there\n'), path.join(tree.root, '.git/config')),
    ],
  ])('and %s are read again', (_, change) => {
    // As if some time had passed: what was written just now is not kept.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    hook('there/pre-commit');
    tree.file('.git/config', '[core]\n\thooksPath = where\n');
    const read = vi.spyOn(fs, 'openSync');
    const reads = () => read.mock.calls.filter(([file]) => String(file).endsWith('.git/config')).length;
    expect(classOf('git commit -m x')).toBe('writes');
    expect(reads()).toBe(1);
    expect(classOf('git commit -m x')).toBe('writes');
    expect(reads()).toBe(1);
    change();
    expect(classOf('git commit -m x')).toBe('runs');
    read.mockRestore();
  });
});

describe('from the text alone', () => {
  test.each([
    'echo x > .husky/pre-commit; git commit -m x',
    'cp -r more/. .husky && git commit -m x',
    'ln -s more .husky/_ && git commit -m x',
    'npm ci && git commit -m x',
    'git switch other && git commit -m x',
  ])('%s may create the hook', (command) => {
    expect(analyse(command, { cwd: '/p', home: '/h' }).commands.at(-1)?.class).toBe('runs');
  });

  test.each(['git add -A && git commit -m x && git push', 'rm -rf dist; git commit -m x', 'echo x > a.txt; git commit -am x'])(
    '%s does not',
    (command) => expect(analyse(command, { cwd: '/p', home: '/h' }).class).toBe('writes'),
  );
});
