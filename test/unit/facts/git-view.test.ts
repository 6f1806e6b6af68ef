// What git prints of tracked files is a read of them: pathspecs, views without a path, objects by name.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { exclusion } from '../../../src/engine/explain.ts';
import { forFile } from '../../support/cleanup.ts';
import { judgeBash, judged } from '../../support/judge.ts';
import { makeTree, type Tree } from '../../support/tree.ts';

const deny = { deny: ['Read(secret/**)', 'Read(.env)'] };
let tree: Tree;

const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
    cwd: tree.root,
    encoding: 'utf8',
  }).trim();

/** A repository with three tracked files, one of them denied, and an ignored file that is denied. */
function makeRepository(tracked: readonly string[]): void {
  tree = makeTree();
  tree.file('.gitignore', '.env\nlocal/\n');
  tree.file('.env', 'TOP=1\n');
  tree.file('open/a', 'a\n');
  tree.file('open/b.ts', 'b\n');
  for (const name of tracked) tree.file(name, 'TOP\n');
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'one');
  tree.file('open/a', 'aa\n');
  git('commit', '-qam', 'two');
}

const isDenied = (command: string, cwd?: string): boolean =>
  judgeBash(tree, deny, command, cwd === undefined ? {} : { call: { cwd: path.join(tree.root, cwd) } }) === 'deny rule';

describe('a file of a submodule that may not be read', () => {
  beforeAll(() =>
    forFile(() => {
      makeRepository([]);
      const library = tree.folder(`${tree.top}/library`);
      tree.file(`${library}/secret/key`, 'TOP\n');
      tree.file(`${library}/open/a`, 'a\n');
      git('-C', library, 'init', '-q', '-b', 'main');
      git('-C', library, 'add', '-A');
      git('-C', library, 'commit', '-qm', 'one');
      git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'sub');
      git('commit', '-qm', 'three');
    }),
  );

  test.each([
    ['git log -p --submodule=diff', true],
    ['git show --submodule=diff', true],
    ['git diff HEAD~1 --submodule=diff', true],
    ['git -c diff.submodule=diff show', true],
    ['git grep --recurse-submodules TOP HEAD', true],
    ['git -c submodule.recurse=true grep TOP HEAD', true],
    ['git submodule foreach git show', true],
    ["git submodule foreach 'git log -p'", true],
    ['git --git-dir .git/modules/sub show HEAD', true],
    ['git --git-dir=.git/modules/sub show HEAD:secret/key', true],
    ['GIT_DIR=.git/modules/sub git show', true],
    ['cd .git/modules/sub && git show HEAD', true],
    ['git -C sub show HEAD', true],
    ['git log -p', false],
    ['git show', false],
    ['git diff HEAD~1 --submodule=log', false],
    ['git diff --submodule', false],
    ['git grep TOP HEAD', false],
    ['git submodule foreach git status', false],
    ['git submodule foreach git log --oneline', false],
    ['git submodule status', false],
  ])('is read by %s: %s [s:git.content-submodules]', (command, expected) => expect(isDenied(command)).toBe(expected));
});

test('more submodules than the limit ask if a rule is about reads [s:git.content-submodules]', () => {
  makeRepository([]);
  const entries = Array.from({ length: 201 }, (_, at) => `160000 ${'1'.repeat(40)}\tsub${at}\n`).join('');
  execFileSync('git', ['update-index', '--index-info'], { cwd: tree.root, input: entries });
  const command = 'git submodule foreach git show';
  expect(judgeBash(tree, { ...deny, allow: ['Bash(*)', 'Read'] }, command)).toBe('ask open');
  expect(judgeBash(tree, { allow: ['Bash(*)'] }, command)).toBe('allow rule');
});

describe('a tracked file that may not be read', () => {
  beforeAll(() => forFile(() => makeRepository(['secret/key', 'secret/deep/other', 'open/secret'])));

  test.each([
    ['rm secret/key; git diff', true],
    ['echo x >> secret/key; git diff', true],
    ['truncate -s0 secret/key; git diff -- secret', true],
    ['sed -i s/x/y/ secret/* && git diff', true],
    ['rm -r secret; git diff -p --stat', true],
    ['echo x >> open/a; git diff', false],
    ['sed -i s/x/y/ open/* && git diff', false],
    ['git notes add -C HEAD:secret/key', true],
    ['git notes add -C HEAD:open/a', false],
  ])('is also read by %s if the text itself changes it: %s [s:git.content]', (command, expected) => {
    expect(isDenied(command)).toBe(expected);
  });

  test.each([
    ['git rm -r --cached secret', true],
    ["git rm -q 's*/key'", true],
    ['cd secret && git rm key', true],
    ['git -C open rm -q ../secret/key', true],
    ["git rm -rq -- . ':!open'", true],
    ['git rm --cached --pathspec-from-file=list', true],
    ['git update-index --force-remove secret/key', true],
    ['git update-index --add --cacheinfo 100644,0123456789abcdef0123456789abcdef01234567,open/c', true],
    ['git ls-tree -r HEAD | git update-index --index-info', true],
    ['git ls-tree -r HEAD | git mktree', true],
    ['git read-tree --empty', true],
    ['git read-tree --prefix=open/z/ HEAD:secret', true],
    ['git subtree split -P secret -b z', true],
    ['git switch --orphan z', true],
    ['rm secret/key && git add -A', true],
    ['rm secret/key; git stage secret/key', true],
    ['rm -r secret; git add .', true],
    ['rm secret/key; git commit -am x', true],
    ['rm secret/key; git commit -m x secret', true],
    ['mv secret/key /dev/null; git add -u', true],
    ['git rm -n secret/key', false],
    ['git rm -r open/a', false],
    ['git add -A', false],
    ['rm open/a && git add -A && git commit -m x', false],
    ['rm secret/key; git add open', false],
    ['rm secret/key; git commit -m x', false],
    ['git commit -am x', false],
    ['git update-index --refresh', false],
    ['git switch -c z', false],
  ])('is also read by %s if it leaves the index or gets another name: %s [s:git.content-forgotten]', (command, expected) => {
    expect(isDenied(command)).toBe(expected);
  });

  test('is also read by the command that takes it out of the index after it was removed [s:git.content-forgotten]', () => {
    fs.renameSync(path.join(tree.root, 'secret/key'), path.join(tree.root, 'moved'));
    try {
      expect(['git add -A', 'git add secret', 'git commit -am x', 'git commit -m x .'].filter((one) => !isDenied(one))).toEqual(
        [],
      );
      expect(
        ['git add open', 'git add --refresh .', 'git add -n .', 'git commit -m x', 'git status'].filter((one) => isDenied(one)),
      ).toEqual([]);
    } finally {
      fs.renameSync(path.join(tree.root, 'moved'), path.join(tree.root, 'secret/key'));
    }
  });

  test.each([
    'git log -p -- secret',
    'git log -p -- secret/',
    'git log -p secret',
    'git log --patch-with-stat -- ./secret',
    'git log -U1 -- open/../secret',
    'git log -p -- "secret"',
    'git log -p -- :/secret',
    "git log -p -- ':(top)secret'",
    "git log -p -- ':(top,icase)SECRET'",
    "git log -p -- ':(icase)SECRET/KEY'",
    "git log -p -- ':(glob)secret/**'",
    "git log -p -- ':(glob)**/key'",
    "git log -p -- ':(literal)secret/key'",
    "git log -p -- 's*'",
    "git log -p -- '*key'",
    "git log -p -- 'sec?et/key'",
    "git log -p -- 'secre[t]'",
    "git log -p -- ':!open'",
    "git log -p -- . ':(exclude)open'",
    "git log -p -- ':^open' .",
    "git log -p -- ':(attr:foo)'",
    'git log -p -- :',
    'git log -p -- "$x"',
    'git log -p',
    'git log -p main',
    'git log -p HEAD~1..HEAD',
    'git log --patc',
    'git log -p --full-diff -- open',
    "git log -p --full-diff -- . ':!secret'",
    'git log -L1,1:secret/key',
    'git log --check',
    'git log --cc',
    'git show HEAD',
    'git show',
    'git show HEAD -- secret',
    'git show main',
    'git show HEAD:secret/key',
    'git show --stat HEAD:secret/key',
    'git show --name-only main:secret/key',
    'git show :secret/key',
    'git show :0:secret/key',
    'git show HEAD:./secret/key',
    'git show "HEAD^{/one: x}:secret/key"',
    'git show "$rev:secret/key"',
    "git show $(git rev-parse HEAD:secret/key) -- . ':!secret'",
    'git diff HEAD~1',
    'git diff HEAD~1 HEAD',
    'git diff HEAD~1..HEAD -- secret',
    'git diff --cached',
    'git diff HEAD -- secret/',
    'git diff --check HEAD~1',
    'git diff HEAD:secret HEAD~1:secret',
    'git diff-tree -p HEAD',
    'git diff-index -p HEAD',
    'git whatchanged -p',
    'git reflog -p',
    'git reflog show -p',
    'git range-diff HEAD~1 HEAD HEAD',
    'git format-patch --stdout HEAD~1',
    'git format-patch -1',
    'git archive HEAD',
    'git archive HEAD secret | tar xO',
    'git archive HEAD:secret',
    'git archive --format=tar HEAD open secret',
    'git grep TOP HEAD',
    'git grep TOP main -- secret',
    "git grep TOP -- ':(glob)secret/**'",
    'git grep TOP',
    'git grep -e TOP',
    'git blame secret/key',
    'git blame HEAD -- secret/key',
    'git cat-file -p HEAD:secret/key',
    'git cat-file blob :secret/key',
    'git cat-file --batch-all-objects --batch',
    'git cat-file --batch < list',
    'echo HEAD:secret/key | git cat-file --batch',
    'git cat-file -p $x',
    'git bundle create b.bundle --all',
    'git fast-export --all',
    'git fast-export HEAD -- secret',
    'git stash show -p',
    'git stash list -p',
    'git difftool -y -x cat HEAD~1',
    'git checkout-index -a --prefix=out/',
    'git checkout-index --temp secret/key',
    'git status -vv',
    'git commit --dry-run -v',
    'git add -p',
    'git clone . /tmp/copy',
    'git clone --bare ./ /tmp/copy',
    'git config --blob=HEAD:secret/key -l',
    'git tag x HEAD:secret/key',
    'git update-ref refs/tags/x HEAD:secret/key',
    'git bisect view -p',
    'git rebase --show-current-patch',
    'git pack-objects --stdout --all',
    'git request-pull HEAD~1 . -p',
    "GIT_LITERAL_PATHSPECS=1 git log -p -- . ':!secret'",
    "git --literal-pathspecs log -p -- . ':!secret'",
    "export GIT_LITERAL_PATHSPECS=1; git log -p -- . ':!secret'",
    'cd "$unset" && git log -p',
    'cd open && git log -p',
    'git -C open log -p',
    'git --no-pager show',
    'git -P -c core.quotepath=off show HEAD',
    'for c in HEAD main; do git show $c; done',
    'git rev-list HEAD | xargs -n1 git show',
    'timeout 5 git show HEAD',
    'bash -c "git show HEAD"',
    'cd .git && git show HEAD:secret/key',
    'git -C .git log -p',
    'git -C .git/refs show HEAD:secret/key',
    'git --git-dir=open/../.git show HEAD:secret/key',
    'cd / && git --git-dir="$x/.git" log -p',
    'export GIT_DIR=$PWD/.git; cd /; git show HEAD:secret/key',
    "git log -p -- . ':!secret/key'",
    "git log -p -- . ':!secre[t]'",
    "git log -p -- . ':!Secret'",
    "git log -p -- . ':(glob,exclude)*/key'",
  ])('is read by %s [s:git.content] [s:git.content-without-path]', (command) => {
    expect(isDenied(command)).toBe(true);
  });

  // Each of these gives the file a name that no rule covers.
  test.each([
    'git --work-tree=/tmp/x checkout -f',
    'git --work-tree=/tmp/x checkout HEAD -- secret',
    'git --work-tree /tmp/x reset --hard',
    'git --work-tree=/tmp/x restore .',
    'git --work-tree=/tmp/x read-tree -u --reset HEAD',
    'GIT_WORK_TREE=/tmp/x git checkout -f',
    'GIT_WORK_TREE=/tmp/x git switch main',
    'export GIT_WORK_TREE=/tmp/x; git stash',
    'git -c core.worktree=/tmp/x checkout -f',
    'git -C /tmp --git-dir="$OLDPWD/.git" checkout -f',
    'd=$PWD; cd /tmp && GIT_DIR=$d/.git git checkout -f HEAD',
    'cp -r .git /tmp/x.git',
    'cp -a .git/* /tmp/x.git',
    'rsync -a .git/ /tmp/x.git/',
    'tar cf /tmp/x.tar .git',
    'cp -r .git/objects /tmp/x',
    'git push /tmp/x.git main',
    'git push file:///tmp/x.git main',
    'd=$PWD; git -C /tmp/y pull "$d"',
    'd=$PWD; git -C /tmp/y fetch file://$d main',
    'd=$PWD; git -C /tmp/y fetch file://localhost$d main',
    'd=$PWD; git -C /tmp/y remote add o "$d"',
    'git submodule add ./ x',
    'git clone file://$PWD /tmp/x',
  ])('is copied by %s [s:git.content-copied]', (command) => {
    expect(isDenied(command)).toBe(true);
  });

  test.each([
    'git --work-tree=/tmp/x checkout HEAD -- open',
    'git checkout HEAD -- secret/key',
    'git fetch origin',
    'git fetch . main:other',
    'git push origin main',
    'git remote add o https://example.org/a.git',
    'cp -r .git/hooks /tmp/h',
    'cp open/* /tmp/x/',
    'git -C .git rev-parse HEAD',
    'git --git-dir=.git log --oneline',
  ])('is not copied by %s', (command) => {
    expect(isDenied(command)).toBe(false);
  });

  test('is read in a bare repository through its object names and paths', () => {
    git('clone', '-q', '--bare', '.', '../store.git');
    git('--git-dir=../store.git', 'worktree', 'add', '-q', '--detach', '../linked');
    const root = path.join(tree.root, '../linked');
    const linked: Tree = { ...tree, root, place: (changes = {}) => tree.place({ root, ...changes }) };
    for (const command of [
      'git -C ../store.git show HEAD:secret/key',
      'cd ../store.git && git log -p',
      'cp -r ../store.git /tmp/x',
    ])
      expect([command, judgeBash(linked, deny, command)]).toEqual([command, 'deny rule']);
  });

  test.each([
    ['git show HEAD:secret/key', 'open'],
    ['git show HEAD:../secret/key', 'open'],
    ['git diff HEAD~1 -- ../secret', 'open'],
    ['git diff HEAD~1 -- :/secret', 'open'],
    ['git grep TOP -- :/', 'open'],
    ['git log -p HEAD~1 -- $d', 'open'],
    ['git archive HEAD -- ../secret', 'open'],
  ])('is read by %s in the folder %s', (command, cwd) => {
    expect(isDenied(command, cwd)).toBe(true);
  });

  test.each([
    'git log --oneline',
    'git log -n 5 --stat',
    'git log --name-only',
    'git log --name-status -- secret',
    'git log -- secret',
    'git log -s',
    'git show --stat',
    'git show --stat HEAD',
    'git show --name-only HEAD',
    'git diff --stat HEAD~1',
    'git diff --name-only main',
    'git diff',
    'git diff open',
    'git diff --numstat --cached',
    'git status',
    'git log -p -- open',
    'git log -p -- open/',
    'git log -p open/a',
    "git log -p -- . ':!secret'",
    "git log -p -- . ':(exclude)secret/'",
    "git log -p -- ':(top,exclude)secret'",
    "git log -p -- ':!secret'",
    "git log -p -- . ':!sec*'",
    "git log -p -- . ':(glob,exclude)secret/**'",
    "git show HEAD -- . ':!secret'",
    "git diff HEAD~1 -- . ':!secret'",
    "git format-patch --stdout HEAD~1 -- . ':!secret'",
    'git archive HEAD open',
    "git archive HEAD -- . ':!secret'",
    'git grep TOP -- open',
    "git grep TOP -- . ':!secret'",
    'git blame open/a',
    'git show HEAD:open/a',
    'git show HEAD:open',
    'git cat-file -p HEAD',
    'git cat-file -p HEAD:open/a',
    'git cat-file commit main',
    'git cat-file -t HEAD:secret/key',
    'git cat-file --batch-check',
    'git stash list',
    'git stash show',
    'git reflog',
    'git branch -a',
    'git ls-files',
    'git ls-tree -r HEAD',
    'git tag v1',
    'git add -A',
    'git commit -m x',
    'git rev-parse HEAD:secret/key',
    'git shortlog -sn',
  ])('is not read by %s', (command) => {
    expect(isDenied(command)).toBe(false);
  });

  test.each([
    ['git grep TOP', 'open/b.ts'],
    ['git archive HEAD', 'open'],
    ['git grep TOP HEAD', 'open'],
  ])('is not read by %s below another folder', (command) => {
    expect(isDenied(command, 'open')).toBe(false);
  });

  test.each([
    ['git show HEAD', "Leave it out: add -- . ':!secret'."],
    ['git log -p -- .', "Leave it out: add the pathspec ':!secret'."],
    ['cd open && git diff HEAD~1', "Leave it out: add -- . ':(top,exclude)secret'."],
    ['git bundle create b --all', ''],
  ])('is left out of %s by the remedy', (command, remedy) => {
    const { said, facts } = judged(tree, deny, 'Bash', { command });
    expect(said).toBe('deny rule');
    const access = facts.reads.find(({ below }) => below.some(({ path: name }) => name === 'secret/key'));
    expect(exclusion('Read(secret/**)', 'secret/key', access, facts)).toBe(remedy);
  });

  test('is read by git diff once it has changed [s:git.content-without-path]', () => {
    makeRepository(['secret/key']);
    expect(isDenied('git diff')).toBe(false);
    const file = tree.file('secret/key', 'TOP\n');
    expect(isDenied('git diff')).toBe(false);
    fs.writeFileSync(file, 'POT\n');
    for (const command of ['git diff', 'git diff secret', 'git diff -- .', 'git diff-files -p', 'cd open && git diff'])
      expect([command, isDenied(command)]).toEqual([command, true]);
    expect(isDenied('git diff open')).toBe(false);
    expect(isDenied('git diff --stat')).toBe(false);
    fs.rmSync(file);
    expect(isDenied('git diff')).toBe(true);
  });

  test('is read under the name of its object', () => {
    makeRepository(['secret/key']);
    const object = git('rev-parse', 'HEAD:secret/key');
    for (const command of [
      `git show ${object.slice(0, 7)} -- . ':!secret'`,
      `git cat-file -p ${object}`,
      `git show --stat ${object}`,
    ])
      expect([command, isDenied(command)]).toEqual([command, true]);
    expect(isDenied(`git show ${git('rev-parse', 'HEAD')} -- . ':!secret'`)).toBe(false);
    expect(isDenied(`git show --stat ${git('rev-parse', 'HEAD')}`)).toBe(false);
  });

  test('is read in a bare clone of the repository, which has no index', () => {
    makeRepository(['secret/key']);
    git('clone', '-q', '--bare', '.', 'bare.git');
    expect(isDenied('git -C bare.git show HEAD')).toBe(true);
  });
});

describe('a file that git ignores or does not track', () => {
  const make = () => {
    makeRepository([]);
    tree.file('secret/key', 'TOP\n');
  };
  beforeAll(() => forFile(make));

  test.each([
    'git diff',
    'git diff HEAD~1',
    'git diff -- .',
    'git diff --cached',
    'git log -p',
    'git log -p -- .',
    'git show',
    'git show HEAD',
    'git archive HEAD',
    'git format-patch --stdout HEAD~1',
    'git bundle create b --all',
    'git stash show -p',
    'git cat-file -p $x',
    'git add open && git diff --cached -- open',
    'npm test && git diff',
    'git clone . /tmp/copy',
  ])('is not read by %s [s:git.content-ignored]', (command) => {
    expect(isDenied(command)).toBe(false);
  });

  test.each(['git add -A && git diff --cached', 'git add . ; git commit -qm x; git show', 'git add -f .env && git show :.env'])(
    'is read by %s, which adds it first',
    (command) => {
      expect(isDenied(command)).toBe(true);
    },
  );

  test('is added only if git does not ignore it', () => {
    make();
    fs.rmSync(path.join(tree.root, 'secret'), { recursive: true });
    expect(isDenied('git add -A && git diff --cached')).toBe(false);
    expect(isDenied('echo > .gitignore; git add -A && git diff --cached')).toBe(true);
  });
});
