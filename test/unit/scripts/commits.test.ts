// The check of commit subjects, and the git hook that `make setup` offers.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { afterTest } from '../../support/cleanup.ts';
import { temporaryFolder } from '../../support/files.ts';

interface Commits {
  subjectProblems(subject: string): string[];
  subjectOf(message: string): string;
  baseOf(folder: string, script?: string): { revision: string; why: string } | null;
  commitsAfter(folder: string, revision: string): { hash: string; subject: string }[] | null;
}
interface Hook {
  HOOK: string;
  hookState(folder: string): { state: string; file: string };
  install(folder: string): { done: boolean; says: string };
  remove(folder: string): { done: boolean; says: string };
}
const repository = path.join(import.meta.dirname, '../../..');
const load = (name: string) => import(/* @vite-ignore */ pathToFileURL(path.join(repository, 'scripts', name)).href);
const { subjectProblems, subjectOf, baseOf, commitsAfter } = (await load('check-commits.mjs')) as Commits;
const { HOOK, hookState, install, remove } = (await load('commit-hook.mjs')) as Hook;

const form = 'it does not have the form `area: Imperative subject`';
const capital = 'the first word after the area does not start with a capital letter';

describe('a commit subject', () => {
  test.each([
    'gates: Require the failing test to be reported as passed',
    'bash, rules: Read a backquoted heredoc delimiter as literal text',
    'e2e: Ask for "sed -n \'w out\'"',
    'docs/bash: Äußere Zeichen erlauben',
    'Revert "gates: Require the failing test to be reported as passed, whatever the length of the original subject"',
    `a: B${'c'.repeat(68)}`,
    'cli: Embed the version',
    'docs: Thesis of the design',
  ])('may be: %s', (subject) => expect(subjectProblems(subject)).toEqual([]));

  test.each([
    ['', form],
    ['Fix the gate', form],
    ['Gates: Fix the gate', form],
    ['gates:Fix the gate', form],
    ['gates:  Fix the gate', form],
    ['gates: ', form],
    [': Fix the gate', form],
    ['Merge branch main', form],
    ['fixup! gates: Fix it', form],
    ['Revert gates', form],
    ['gates: fix the gate', capital],
    ['gates: "Fix" the gate', capital],
    ['gates: 2 more rows', capital],
    ['gates: Fix the gate.', 'it ends with a period'],
    ['gates: Fix the gate …..', 'it ends with a period'],
    [`a: B${'c'.repeat(69)}`, 'it has 73 characters, the limit is 72'],
    ...['A gate', 'The gate', 'What a gate says', 'Fixes a gate', 'Added a gate', 'Making gates', 'Denied calls'].map((words) => [
      `gates: ${words}`,
      `"${words.split(' ')[0]}" is not an imperative; start with a verb, such as "Add" or "Fix"`,
    ]),
  ])('may not be: %s', (subject, problem) => expect(subjectProblems(subject!)).toEqual([problem]));

  test('can have several problems', () => expect(subjectProblems(`${'x'.repeat(73)}.`)).toHaveLength(3));

  test.each([
    ['a: B\n\nbody', 'a: B'],
    ['\n# comment\n\na: B\r\n', 'a: B'],
    ['# only comments\n', ''],
  ])('is the first line that is text: %j', (message, subject) => expect(subjectOf(message)).toBe(subject));
});

/** A repository with a commit for each subject, and a git that reads no configuration of the user. */
function repositoryOf(...subjects: string[]): { folder: string; git: (...args: string[]) => string } {
  const folder = temporaryFolder('modes-commits-');
  afterTest(() => fs.rmSync(folder, { recursive: true, force: true }));
  const git = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout.trim();
  };
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'A');
  git('config', 'user.email', 'a@example.com');
  for (const subject of subjects) git('commit', '-q', '--no-verify', '--allow-empty', '-m', subject);
  return { folder, git };
}
/** Adds the script's name to the repository, as the commit that introduced the check did. */
function introduce(folder: string, git: (...args: string[]) => string): string {
  fs.mkdirSync(path.join(folder, 'scripts'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'scripts/check-commits.mjs'), '// the check\n');
  git('add', '.');
  git('commit', '-q', '-m', 'Old style: the commit that adds the check');
  return git('rev-parse', 'HEAD');
}
const subjects = (folder: string) => {
  const base = baseOf(folder);
  return base === null ? null : commitsAfter(folder, base.revision)?.map(({ subject }) => subject);
};

describe('new commits', () => {
  test('are those after the commit that added the check, without merges', () => {
    const { folder, git } = repositoryOf('Old subject.');
    introduce(folder, git);
    expect(subjects(folder)).toEqual([]);
    git('commit', '-q', '--allow-empty', '-m', 'a: B');
    git('checkout', '-q', '-b', 'side', 'HEAD~1');
    git('commit', '-q', '--allow-empty', '-m', 'a: C');
    git('checkout', '-q', 'main');
    git('merge', '-q', '--no-edit', 'side');
    expect(subjects(folder)?.sort()).toEqual(['a: B', 'a: C']);
  });

  test('are those that origin/main does not have, if HEAD is ahead of it', () => {
    const { folder, git } = repositoryOf();
    introduce(folder, git);
    git('commit', '-q', '--allow-empty', '-m', 'on main already');
    git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    expect(subjects(folder)).toEqual(['on main already']);
    git('commit', '-q', '--allow-empty', '-m', 'a: New');
    expect(subjects(folder)).toEqual(['a: New']);
  });

  test('in a shallow clone are those after its oldest commit', () => {
    const { folder, git } = repositoryOf('Old subject.');
    introduce(folder, git);
    for (const letter of 'BCDE') git('commit', '-q', '--allow-empty', '-m', `a: ${letter}`);
    for (const [depth, expected] of [
      [1, []],
      [3, ['a: D', 'a: E']],
      [20, ['a: B', 'a: C', 'a: D', 'a: E']],
    ] as const) {
      const clone = fs.mkdtempSync(path.join(os.tmpdir(), 'modes-shallow-'));
      afterTest(() => fs.rmSync(clone, { recursive: true, force: true }));
      git('clone', '-q', `--depth=${depth}`, pathToFileURL(folder).href, clone);
      expect(subjects(clone)).toEqual(expected);
    }
  });

  test('do not exist in an empty repository, without the script, and outside of a repository', () => {
    expect(baseOf(repositoryOf().folder)).toBeNull();
    expect(baseOf(repositoryOf('Old subject.').folder)).toBeNull();
    expect(baseOf(fs.mkdtempSync(path.join(os.tmpdir(), 'modes-none-')))).toBeNull();
  });

  test('after an unknown revision are null, also where the revision looks like an option', () => {
    const { folder } = repositoryOf('a: B');
    expect(commitsAfter(folder, 'nothing')).toBeNull();
    expect(commitsAfter(folder, '--all')).toBeNull();
  });

  test('with a wrong subject fail the script, which names them', () => {
    const { folder, git } = repositoryOf();
    fs.mkdirSync(path.join(folder, 'scripts'));
    fs.copyFileSync(path.join(repository, 'scripts/check-commits.mjs'), path.join(folder, 'scripts/check-commits.mjs'));
    git('add', '.');
    git('commit', '-q', '-m', 'Old style: the commit that adds the check');
    const run = (...args: string[]) =>
      spawnSync('node', ['scripts/check-commits.mjs', ...args], { cwd: folder, encoding: 'utf8' });
    git('commit', '-q', '--allow-empty', '-m', 'a: Good');
    expect(run()).toMatchObject({ status: 0, stdout: '1 commits since the check was added, 0 with a wrong subject\n' });
    git('commit', '-q', '--allow-empty', '-m', 'Bad.');
    expect(run()).toMatchObject({ status: 1, stderr: expect.stringMatching(/^[0-9a-f]+ Bad\.\n {2}- it ends with a period\n/) });
    expect(run('--since', 'HEAD')).toMatchObject({ status: 0 });
    expect(run('--since', 'nothing')).toMatchObject({ status: 1, stderr: expect.stringContaining('does not know the revision') });
    expect(run('--sinse', 'HEAD')).toMatchObject({ status: 64 });
  });
});

describe('the commit hook', () => {
  test('is installed, refuses a wrong subject, and is removed', () => {
    const { folder, git } = repositoryOf();
    fs.mkdirSync(path.join(folder, 'scripts'));
    fs.copyFileSync(path.join(repository, 'scripts/check-commits.mjs'), path.join(folder, 'scripts/check-commits.mjs'));
    expect(install(folder).done).toBe(true);
    expect(hookState(folder).state).toBe('ours');
    expect(install(folder)).toEqual({ done: true, says: expect.stringContaining('installed already') });
    expect(() => git('commit', '--allow-empty', '-m', 'Fixed the gate.')).toThrow('does not have the form');
    git('commit', '-q', '--allow-empty', '-m', 'gates: Fix the gate');
    git('commit', '-q', '--allow-empty', '-m', 'fixup! gates: Fix the gate');
    expect(git('log', '--format=%s').split('\n')).toEqual(['fixup! gates: Fix the gate', 'gates: Fix the gate']);
    expect(remove(folder).done).toBe(true);
    git('commit', '-q', '--allow-empty', '-m', 'Fixed the gate.');
  });

  test('lets a branch without the script commit', () => {
    const { folder, git } = repositoryOf();
    install(folder);
    git('commit', '-q', '--allow-empty', '-m', 'Anything.');
  });

  test.each([
    ['a file', (file: string) => fs.writeFileSync(file, '#!/bin/sh\n')],
    ['our hook with a change', (file: string) => fs.writeFileSync(file, `${HOOK}\n`)],
    ['a link that leads nowhere', (file: string) => fs.symlinkSync('/nowhere/at-all', file)],
    ['a folder', (file: string) => fs.mkdirSync(file)],
  ])('replaces and removes no hook of the user: %s', (_, make) => {
    const { folder } = repositoryOf();
    const { file } = hookState(folder);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    make(file);
    const before = fs.lstatSync(file).ino;
    expect(install(folder)).toEqual({ done: false, says: expect.stringContaining('exists, so nothing was changed') });
    expect(remove(folder).done).toBe(false);
    expect(fs.lstatSync(file).ino).toBe(before);
  });

  test('is not installed if core.hooksPath is set', () => {
    const { folder, git } = repositoryOf();
    git('config', 'core.hooksPath', 'mine');
    expect(install(folder)).toEqual({ done: false, says: expect.stringContaining('core.hooksPath is set') });
    expect(fs.existsSync(path.join(folder, 'mine'))).toBe(false);
    expect(git('config', 'core.hooksPath')).toBe('mine');
  });

  test('has no place outside of a repository', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'modes-none-'));
    afterTest(() => fs.rmSync(folder, { recursive: true, force: true }));
    expect(install(folder).done).toBe(false);
  });

  test('is only offered as text without a terminal', () => {
    const { folder } = repositoryOf();
    fs.mkdirSync(path.join(folder, 'scripts'));
    fs.copyFileSync(path.join(repository, 'scripts/commit-hook.mjs'), path.join(folder, 'scripts/commit-hook.mjs'));
    const offer = (env: NodeJS.ProcessEnv) =>
      spawnSync('node', ['scripts/commit-hook.mjs', 'offer'], { cwd: folder, encoding: 'utf8', env });
    const { CI: _, ...env } = process.env;
    expect(offer(env)).toMatchObject({ status: 0, stdout: expect.stringContaining('node scripts/commit-hook.mjs install') });
    expect(offer({ ...env, CI: 'true' })).toMatchObject({ status: 0, stdout: '' });
    expect(hookState(folder).state).toBe('free');
  });
});
