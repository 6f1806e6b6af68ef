// Tasks: what their files say, and writes only on their branch.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { fits } from '../../../src/git/run.ts';
import type { Project } from '../../../src/workflow/project.ts';
import { nobody } from '../../../src/workflow/project.ts';
import { openSubtasks, readTask, refuseTask, taskNames, writeStatus } from '../../../src/workflow/tasks.ts';
import { asker, makePlace, type Place } from '../../support/plan-project.ts';

let place: Place;
const put = (name: string, head: string) => place.put(`.claude/tasks/${name}`, `---\n${head}\n---\n\n# Text\n`);
const read = (name: string) => readTask(place.root, place.home, name);
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: place.root, stdio: 'pipe' });

beforeEach(() => {
  place = makePlace('name: t\ndefault: a\ntasks: {protected: [main, "release/*"]}\nmodes:\n  a: {}\n');
});

describe('a task file', () => {
  test('contains name, branch, status and scope', () => {
    put('form.md', 'name: form\nbranch: feature/form\nstatus: pending\nscope: [src/**, "docs/*.md"]');
    expect(read('form')).toMatchObject({
      task: { name: 'form', branch: 'feature/form', status: 'pending', scope: ['src/**', 'docs/*.md'] },
    });
  });

  test.each<[string, string | null]>([
    ['branch: none', null],
    ['branch:', null],
    ['status: pending', null],
    ['branch: " x "', 'x'],
  ])('with %j is on the branch %j', (head, branch) => {
    put('form.md', head);
    expect(read('form')).toMatchObject({ task: { branch, scope: [] } });
  });

  test.each<[string, string, RegExp]>([
    ['a branch that is no text', 'branch: [a]', /branch must be a string/],
    ['a scope that means nothing', 'scope: "src/[z-a]"', /scope: /],
    ['broken YAML', 'branch: "x', /form\.md: /],
    ['a list', '- a', /has no keys/],
  ])('with %s is invalid', (_, head, wrong) => {
    put('form.md', head);
    expect(read('form')).toEqual({ wrong: expect.stringMatching(wrong) });
  });

  test('without front matter, or that is a link out of the project, is invalid', () => {
    place.put('.claude/tasks/plain.md', '# Text\n');
    expect(read('plain')).toEqual({ wrong: expect.stringContaining('no front matter') });
    fs.writeFileSync(path.join(place.home, 'other.md'), '---\nbranch: x\n---\n');
    fs.symlinkSync(path.join(place.home, 'other.md'), path.join(place.root, '.claude/tasks/link.md'));
    expect(read('link')).toEqual({ wrong: expect.stringContaining('not a regular file') });
  });

  test.each(['../../etc/passwd', 'a/b/c', '.hidden', '', 'a b', '/abs'])('%j is not a valid name', (name) => {
    expect(read(name)).toEqual({ wrong: expect.stringContaining('not a task name') });
  });

  test('that is missing is reported with a suggestion, or with the existing ones', () => {
    put('form.md', 'branch: x');
    expect(read('from')).toEqual({ wrong: 'There is no .claude/tasks/from.md. Did you mean form?' });
    expect(read('login')).toEqual({ wrong: 'There is no .claude/tasks/login.md. Tasks: form.' });
  });

  test('of a folder is a subtask, on the branch of its parent [w:task.subtask]', () => {
    put('big/README.md', 'branch: feature/big');
    put('big/01-first.md', 'status: completed');
    put('big/02-second.md', 'branch: feature/big');
    put('big/03-third.md', 'branch: feature/other');
    expect(taskNames(place.root)).toEqual(['big', 'big/01-first', 'big/02-second', 'big/03-third']);
    expect(read('big')).toMatchObject({ task: { branch: 'feature/big' } });
    expect(read('big/01-first')).toMatchObject({ task: { branch: 'feature/big' } });
    expect(read('big/02-second')).toMatchObject({ task: { branch: 'feature/big' } });
    expect(read('big/03-third')).toEqual({ wrong: expect.stringContaining('uses the branch of big') });
    expect(openSubtasks(place.root, place.home, 'big')).toEqual(['big/02-second', 'big/03-third']);
  });

  test('gets its status written, and every other byte stays', () => {
    const file = path.join(place.root, '.claude/tasks/form.md');
    const written = (text: string) => {
      place.put('.claude/tasks/form.md', text);
      const found = read('form');
      if ('wrong' in found) throw new Error(found.wrong);
      writeStatus(found.task, 'in-progress');
      return fs.readFileSync(file, 'utf8');
    };
    expect(written('---\nbranch: x # why\nstatus: pending\n---\nstatus: text\n')).toBe(
      '---\nbranch: x # why\nstatus: in-progress\n---\nstatus: text\n',
    );
    expect(written('---\r\nbranch: x\r\n---\r\n$&\r\n')).toBe('---\r\nbranch: x\nstatus: in-progress\r\n---\r\n$&\r\n');
  });

  test.each<[string | null, boolean]>([
    ['feature/x', true],
    [null, true],
    ['main', false],
    ['release/1.0', false],
    ['trunk', false],
    ['-x', false],
    ['a..b', false],
    ['a b', false],
    ['a.lock', false],
  ])('on the branch %j can be started: %j', (branch, isFine) => {
    git('init', '-q', '-b', 'trunk');
    place.put('.git/refs/remotes/origin/HEAD', 'ref: refs/remotes/origin/trunk\n');
    expect(refuseTask({ name: 't', branch, scope: [] }, place.root, ['main', 'release/*']) === null).toBe(isFine);
  });
});

test.each<[string, string, boolean]>([
  ['main', 'main', true],
  ['main', 'mainline', false],
  ['release/*', 'release/1', true],
  ['release/*', 'prerelease/1', false],
  ['*/wip', 'me/wip', true],
  ['a*b*c', 'abc', true],
  ['a*a', 'a', false],
  ['*', 'anything/at/all', true],
  [`${'*a'.repeat(40)}b`, 'a'.repeat(200), false],
])('the branches %j fit %j: %j', (glob, branch, isMet) => {
  expect(fits(glob, branch)).toBe(isMet);
});

describe('writes', () => {
  let project: Project;
  const decide = (tool: string, input: Record<string, unknown>, cwd = place.root) =>
    project.decideText(JSON.stringify({ session_id: 'a', cwd, tool_name: tool, tool_input: input }));
  const bash = (command: string, cwd?: string) => decide('Bash', { command }, cwd);
  const decided = (rows: [string, string][]) => rows.map(([command]) => [command, bash(command).decision]);
  const write = (name: string) => decide('Write', { file_path: path.resolve(place.root, name), content: 'x' });
  const start = (branch: string | null, scope: string[] = []) =>
    project
      .for({ session: 'a', cwd: place.root })
      .transitions.record({ did: 'task', task: { name: 'form', branch, scope } }, 'person', 'x', asker);

  beforeEach(async () => {
    git('init', '-q', '-b', 'main');
    git('commit', '-q', '--allow-empty', '-m', 'x');
    git('branch', 'feature/form');
    git('branch', 'other');
    project = await place.open();
  });

  const onForm = () => {
    git('switch', '-q', 'feature/form');
    start('feature/form');
  };
  const elsewhere = () => {
    git('switch', '-q', 'other');
    start('feature/form');
  };

  test.each<[string, () => void, () => { decision: string }, string]>([
    ['by a tool on its branch', onForm, () => write('src/a.ts'), 'pass'],
    ['by Bash on its branch', onForm, () => bash('echo x > src/a.ts'), 'pass'],
    ['by a program on its branch', onForm, () => bash('node build.js'), 'pass'],
    ['to a file that is there', onForm, () => write('there.ts'), 'pass'],
    ['a commit on its branch', onForm, () => bash('git commit -m x'), 'pass'],
    ['by a tool elsewhere', elsewhere, () => write('src/a.ts'), 'deny'],
    ['to a file that is there, elsewhere', elsewhere, () => write('there.ts'), 'deny'],
    ['by Bash elsewhere', elsewhere, () => bash('echo x > src/a.ts'), 'deny'],
    ['by sed elsewhere', elsewhere, () => bash('sed -i s/a/b/ src/a.ts'), 'deny'],
    ['by a program elsewhere', elsewhere, () => bash('node build.js'), 'deny'],
    [
      'by a notebook elsewhere',
      elsewhere,
      () => decide('NotebookEdit', { notebook_path: `${place.root}/a.ipynb`, new_source: 'x' }),
      'deny',
    ],
    ['a commit elsewhere', elsewhere, () => bash('git commit -am x'), 'deny'],
    ['a commit from another folder', elsewhere, () => bash(`git -C ${place.root} commit -m x`, '/tmp'), 'deny'],
    ['a merge elsewhere', elsewhere, () => bash('git merge feature/form'), 'deny'],
    ['reading elsewhere', elsewhere, () => bash('git log && cat src/a.ts'), 'pass'],
    ['temporary files elsewhere', elsewhere, () => bash('echo x > /tmp/modes-task-note'), 'pass'],
    ['the switch to its branch', elsewhere, () => bash('git switch feature/form'), 'pass'],
    ['the checkout of its branch', elsewhere, () => bash('git checkout feature/form'), 'pass'],
    ['making its branch', elsewhere, () => bash('git switch -c feature/form main'), 'pass'],
    ['making its branch otherwise', elsewhere, () => bash('git checkout main -b feature/form'), 'pass'],
    ['the switch, and a write before it counts', elsewhere, () => bash('git switch feature/form && echo x > a.ts'), 'deny'],
    ['the switch to a third branch', elsewhere, () => bash('git switch main'), 'pass'],
    ['leaving its branch', onForm, () => bash('git switch other'), 'pass'],
    ['leaving its branch and writing', onForm, () => bash('git switch other && echo x > a.ts'), 'deny'],
    ['leaving its branch and committing', onForm, () => bash('git checkout other; git commit --allow-empty -m x'), 'deny'],
    ['a checkout of files', onForm, () => bash('git checkout HEAD -- src && echo x > a.ts'), 'pass'],
    ['what a worktree checks out, by hand', onForm, () => bash('echo "ref: refs/heads/other" > .git/worktrees/w/HEAD'), 'deny'],
    ['what is checked out, by hand', onForm, () => bash("echo 'ref: refs/heads/other' > .git/HEAD"), 'deny'],
  ])('%s [w:task.branch]', (_, prepare, act, decision) => {
    prepare();
    place.put('there.ts', 'x');
    const decided = act() as { decision: string; reason?: string; by?: string };
    expect([decided.decision, decided.reason]).toEqual([decision, expect.anything()]);
    expect(decided.by).not.toBe('call');
  });

  test('the reason names the task and its branch, and the remedy', () => {
    elsewhere();
    expect(write('src/a.ts')).toMatchObject({
      by: 'bound',
      reason: 'Write would change src/a.ts on other; the task form uses the branch feature/form.',
      remedy: 'Switch in a separate call: git switch feature/form.',
    });
  });

  test('in a worktree count by the branch of that tree', () => {
    onForm();
    git('worktree', 'add', '-q', '.claude/worktrees/two', 'other');
    expect(write('.claude/worktrees/two/a.ts').decision).toBe('deny');
    expect(bash('git commit --allow-empty -m x', `${place.root}/.claude/worktrees/two`).decision).toBe('deny');
    expect(write('a.ts').decision).toBe('pass');
  });

  test('a commit counts where git works, whatever leads there [w:task.branch]', () => {
    onForm();
    git('worktree', 'add', '-q', '.claude/worktrees/two', 'other');
    place.put('src/a.ts', '');
    const rows: [string, string][] = [
      ['cd .claude/worktrees/two && git commit -m x', 'deny'],
      ['git -c user.name=x -C .claude/worktrees/two commit -m x', 'deny'],
      ['git --no-pager -C .claude -C worktrees/two commit -m x', 'deny'],
      ['(cd .claude/worktrees/two; git merge main)', 'deny'],
      ['GIT_DIR=.claude/worktrees/two/.git git commit -m x', 'deny'],
      ['git --git-dir=.git/worktrees/two commit -m x', 'deny'],
      ['cd "$PLACE" && git commit -m x', 'deny'],
      ['cd .claude/worktrees/two && git log', 'pass'],
      ['cd src && git commit -m x', 'pass'],
      ['cd src && git -C .. commit -m x', 'pass'],
      ['cd /tmp && git commit -m x', 'pass'],
    ];
    expect(decided(rows)).toEqual(rows);
  });

  test('a repository that is created inside of the project does not escape its branch', () => {
    elsewhere();
    place.put('src/.git/HEAD', 'ref: refs/heads/feature/form\n');
    expect(write('src/a.ts').decision).toBe('deny');
    git('switch', '-q', 'main');
    project.for(nobody).transitions.record({ did: 'task', task: null }, 'person', 'x', asker);
    expect(write('src/a.ts')).toMatchObject({ decision: 'deny', reason: expect.stringContaining('on main, which is protected') });
    fs.rmSync(path.join(place.root, 'src/.git/HEAD'));
    expect(write('src/a.ts').decision).toBe('deny');
  });

  test('with HEAD on no branch are refused', () => {
    git('switch', '-q', '--detach');
    start('feature/form');
    expect(write('a.ts')).toMatchObject({ decision: 'deny', reason: expect.stringContaining('on no branch') });
  });

  test('outside of the scope of the task are refused', () => {
    git('switch', '-q', 'feature/form');
    start('feature/form', ['src/**']);
    expect(write('src/a.ts').decision).toBe('pass');
    expect(write('docs/a.md')).toMatchObject({ decision: 'deny', reason: expect.stringContaining('the files of the task form') });
  });

  test('are unrestricted without the task', () => {
    elsewhere();
    project.for(nobody).transitions.record({ did: 'task', task: null }, 'person', 'x', asker);
    expect(write('a.ts').decision).toBe('pass');
  });

  test.each<[string, () => { decision: string }, string]>([
    ['by a tool', () => write('a.ts'), 'deny'],
    ['a commit', () => bash('git commit --allow-empty -m x'), 'deny'],
    ['by a program', () => bash('node build.js'), 'ask'],
    ['reading', () => bash('git status'), 'pass'],
    ['a branch of its own', () => bash('git switch -c mine'), 'pass'],
  ])('on a protected branch: %s [w:task.protected]', (_, act, decision) => {
    expect(act().decision).toBe(decision);
  });

  test('a protected branch that is not checked out is not moved, and needs a separate call to be checked out [w:task.protected]', () => {
    git('switch', '-q', '-c', 'mine');
    place.put('a.ts', 'x');
    const rows: [string, string][] = [
      ['git checkout main && git commit --allow-empty -m x', 'deny'],
      ['git switch main && echo x > a.ts', 'deny'],
      ['git switch main && git merge mine', 'deny'],
      ['git switch - && git commit --allow-empty -m x', 'deny'],
      ['git checkout -b release/2 && git commit --allow-empty -m x', 'deny'],
      ['git checkout -t origin/main; echo x > a.ts', 'deny'],
      ['git symbolic-ref HEAD refs/heads/main; git commit --allow-empty -m x', 'deny'],
      ['git checkout -B main', 'deny'],
      ['git checkout -fBmain mine', 'deny'],
      ['git switch -C main', 'deny'],
      ['git switch --force-create=release/1', 'deny'],
      ['git branch -f main mine', 'deny'],
      ['git branch --force main', 'deny'],
      ['git branch -M main', 'deny'],
      ['git branch -m main old', 'deny'],
      ['git branch -D release/1', 'deny'],
      ['git update-ref -m x refs/heads/main HEAD', 'deny'],
      ['git push . HEAD:main', 'deny'],
      ['git push . +mine:refs/heads/main', 'deny'],
      ['git push .git HEAD:main', 'deny'],
      ['git push a/.. HEAD:main', 'deny'],
      ['git push "$X" HEAD:main', 'deny'],
      ['git push --mirror .', 'deny'],
      ['git push --all ../other', 'deny'],
      ['git send-pack . HEAD:main', 'deny'],
      ['git fetch . mine:main', 'deny'],
      ['git fetch origin "+refs/*:refs/*"', 'deny'],
      ['git fetch origin --refmap=mine:main mine', 'deny'],
      ['git rebase --update-refs mine', 'deny'],
      ['git fast-import --force', 'deny'],
      ['git rebase mine main', 'deny'],
      ['git worktree add -B main ../x mine', 'deny'],
      ['git -C ../none branch -f main', 'deny'],
      ['git branch --forc main mine', 'deny'],
      ['git branch --del main', 'deny'],
      ['git branch --mov mine main', 'deny'],
      ['git branch --sort refname -f main mine', 'deny'],
      ['git --config-env color.ui=HOME branch -f main mine', 'deny'],
      ['git --attr-source HEAD branch -f main mine', 'deny'],
      ['git switch --force-cr main', 'deny'],
      ['git switch --force-cr=main', 'deny'],
      ['git switch --conflict diff3 main && echo x > a.ts', 'deny'],
      ['git switch main -- && echo x > a.ts', 'deny'],
      ['git checkout main -- && echo x > a.ts', 'deny'],
      ['git checkout --conflict diff3 main && echo x > a.ts', 'deny'],
      ['git update-ref --std', 'deny'],
      ['git push --recurse-submodules no . HEAD:main', 'deny'],
      ['git push --mirr .', 'deny'],
      ['git rebase --whitespace fix mine main', 'deny'],
      ['git rebase --update mine', 'deny'],
      ['git reflog delete --updateref main@{0}', 'deny'],
      ['git filter-branch --msg-filter cat main', 'deny'],
      ['git subtree split -P lib -b main', 'deny'],
      ['git subtree split -P lib --branch=main', 'deny'],
      ['git bisect reset && echo x > a.ts', 'deny'],
      ['git bisect reset main && echo x > a.ts', 'deny'],
      ['git stash branch main && echo x > a.ts', 'deny'],
      ['cp .git/refs/heads/mine .git/refs/heads/main', 'deny'],
      ['echo x > .git/packed-refs', 'deny'],
      ['echo "ref: refs/heads/main" > .git/HEAD', 'deny'],
      ['rm -r .git/refs/heads', 'deny'],
      ['rm -rf .git', 'deny'],
      ['git branch --sort refname', 'pass'],
      ['git branch --format x -f mine3 main', 'pass'],
      ['git bisect start HEAD mine && git status', 'pass'],
      ['git bisect reset', 'pass'],
      ['git stash', 'pass'],
      ['git stash branch mine4', 'pass'],
      ['git reflog delete main@{0}', 'pass'],
      // A subcommand that is not built into git may be an alias.
      ['git subtree split -P lib -b mine5', 'ask'],
      ['cp .git/refs/heads/main .git/refs/heads/mine', 'pass'],
      ['echo x > .git/refs/tags/main', 'pass'],
      ['git rebase --whitespace fix main', 'pass'],
      ['git checkout main', 'pass'],
      ['git checkout main --', 'pass'],
      ['git checkout main && git log -1', 'pass'],
      ['git checkout main -- a.ts && git commit -m x', 'pass'],
      ['git switch -c mine2 main && git commit --allow-empty -m x', 'pass'],
      ['git commit --amend -m x', 'pass'],
      ['git reset --soft main', 'pass'],
      ['git branch mine3 main', 'pass'],
      ['git branch -d mine3', 'pass'],
      ['git branch -a --contains main', 'pass'],
      ['git merge main', 'pass'],
      ['git rebase main', 'pass'],
      ['git push origin HEAD:main', 'pass'],
      ['git push -u origin "$(git branch --show-current)"', 'pass'],
      ['git push --all origin', 'pass'],
      ['git push git@host:team/x.git HEAD:main', 'pass'],
      ['git push https://host/x.git HEAD:main', 'pass'],
      ['git fetch --all', 'pass'],
      ['git fetch origin "+refs/heads/*:refs/remotes/origin/*"', 'pass'],
      ['git fetch origin main', 'pass'],
      ['git update-ref refs/heads/mine main', 'pass'],
    ];
    expect(decided(rows)).toEqual(rows);
    expect(bash('git branch -f main')).toMatchObject({
      by: 'bound',
      reason: 'git branch -f main would move main, which is protected (main, release/*).',
    });
    expect(bash('git switch - && git commit -m x').reason).toContain('may check out an unknown branch');
  });

  test('on a protected branch no call removes its commits [w:task.protected]', () => {
    const rows: [string, string][] = [
      ['git reset --soft HEAD~1', 'deny'],
      ['git reset --hard other', 'deny'],
      ['git reset --hard other --', 'deny'],
      ['git branch -m mine', 'deny'],
      ['git update-ref HEAD other', 'deny'],
      ['git reset', 'pass'],
      ['git reset HEAD', 'pass'],
      ['git reset -- a.ts', 'pass'],
    ];
    expect(decided(rows)).toEqual(rows);
  });

  test('policies see the task [w:task.start]', () => {
    elsewhere();
    expect(bash('ls').facts?.state.task).toEqual({ name: 'form', branch: 'feature/form', current_branch: 'other', scope: [] });
  });

  test('the emergency stop keeps the task', () => {
    elsewhere();
    project.for(nobody).transitions.stop('x', asker);
    project.for(nobody).transitions.force('a', 'x', asker);
    expect(project.for(nobody).state().work.task).toMatchObject({ name: 'form' });
  });
});
