// The checks of `require:` on real files, real git and real processes.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashFiles, markFiles } from '../../../../src/git/file-tree.ts';
import { unignored } from '../../../../src/git/ignored.ts';
import type { Requirement } from '../../../../src/model/requirement.ts';
import { isNothingBut } from '../../../../src/rules/nothing-but.ts';
import { watchKey, watchScope } from '../../../../src/workflow/gates/agent-run.ts';
import { takeBaseline } from '../../../../src/workflow/gates/baseline.ts';
import { checkRequirement } from '../../../../src/workflow/gates/checks.ts';
import type { AgentReport, Evidence, RecordedRun } from '../../../../src/workflow/gates/evidence.ts';
import { globScope } from '../../../../src/workflow/gates/globs.ts';
import { isUnmet } from '../../../../src/workflow/gates/proof.ts';
import { UsedFiles } from '../../../../src/workflow/gates/uses.ts';
import { noWork } from '../../../../src/workflow/plan/work.ts';
import { afterTest } from '../../../support/cleanup.ts';
import { putFile, temporaryFolder } from '../../../support/files.ts';

const unmetOf = async (requirement: Requirement, evidence: Evidence) => {
  const found = await checkRequirement(requirement, evidence);
  return isUnmet(found) ? found : null;
};
const source = { file: '.claude/modes.yaml', line: 1, column: 1 };
type RunCheck = Requirement & { check: 'passes' | 'fails' };
const runCheck = (check: 'passes' | 'fails', command: string, changes: Partial<RunCheck> = {}): RunCheck =>
  ({ source, check, command, in: null, watch: null, outputs: [], output: null, ...changes }) as RunCheck;

const nothing = () => undefined;

let root: string;
const write = (name: string, text: string | Buffer) => {
  putFile(path.join(root, name), text);
};
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: root, stdio: 'pipe' });

beforeEach(() => {
  root = temporaryFolder('gates-');
  write('src/a.js', 'one');
  write('test/a.test.js', 'one');
  write('.gitignore', 'coverage/\n*.log\n');
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

function evidence(changes: Partial<Evidence> = {}): Evidence {
  return {
    root,
    project: root,
    home: '/home/nobody',
    now: new Date('2026-01-01T00:10:00Z'),
    since: new Date('2026-01-01T00:00:00Z'),
    uptime: { entered: null, now: 1_000 },
    runs: [],
    agents: [],
    baseline: null,
    byDefault: () => unignored(root),
    tests: { atEntry: () => null, recordEntry: nothing, record: nothing },
    work: noWork,
    engine: null,
    ended: new Map(),
    used: new UsedFiles(root, '/home/nobody', path.join(root, '../none')),
    dataFolder: path.join(root, '../none'),
    ...changes,
  };
}

/** A run as it is seen: marks are taken before and after what happens in it. */
function seen(requirement: RunCheck, changes: Partial<RecordedRun> = {}, happens: () => void = nothing): RecordedRun {
  const scope = () => watchScope(requirement, { home: '/home/nobody' }, () => unignored(root));
  const before = markFiles(root, scope());
  happens();
  const after = markFiles(root, scope());
  const key = watchKey(requirement);
  return {
    text: requirement.command,
    folder: root,
    outcome: 'failed',
    code: 1,
    why: '',
    output: '1 failing',
    by: { toolUse: 'toolu_1', at: '2026-01-01T00:00:00.000Z' },
    before: new Map([[key, before]]),
    after: new Map([[key, after]]),
    reports: new Map(),
    requested: null,
    ...changes,
  };
}

describe('an observed run', () => {
  const fails = runCheck('fails', 'npm test');
  test.each<[string, Partial<RecordedRun>, string | null]>([
    ['it failed', {}, null],
    ['it passed', { outcome: 'passed', code: null }, 'passed'],
    ['behind it: 2>&1 [w:evidence.redirect]', { text: 'npm test 2>&1' }, null],
    ['in another folder [w:evidence.folder]', { folder: '/tmp' }, 'another folder'],
    ['it was interrupted', { outcome: 'none', why: 'it was interrupted' }, 'interrupted'],
    [
      '|| true [w:evidence.wrapped]',
      { text: 'npm test || true' },
      '`npm test || true` ran, but it does not count: `true` ran in the same call',
    ],
    [
      '; false [w:evidence.wrapped]',
      { text: 'npm test; false' },
      '`npm test; false` ran, but it does not count: `false` ran in the same call',
    ],
    ['&& false [w:evidence.wrapped]', { text: 'npm test && false' }, '`false` ran in the same call'],
    [
      'another word [w:evidence.nothing-but]',
      { text: 'npm test -- --grep x' },
      "it adds arguments (-- --grep x) to the gate's command, npm test",
    ],
    ['sh -c [w:evidence.wrapped]', { text: "sh -c 'npm test'" }, 'it contains more than npm test'],
    ['a time limit [w:evidence.wrapped]', { text: 'timeout 1 npm test' }, '`timeout 1` started it'],
    ['negated', { text: '! npm test' }, 'it contains more than npm test'],
    ['an assignment [w:evidence.wrapped]', { text: 'PATH=/tmp npm test' }, 'it set variables (PATH=/tmp)'],
    ['a redirect', { text: 'npm test > /dev/null' }, 'its input or output was redirected'],
    ['in the background', { text: 'npm test &' }, 'it ran in the background'],
    ['in a subshell', { text: '(npm test)' }, 'it contains more than npm test'],
    ['a substitution', { text: 'npm $(echo test)' }, 'has not been run'],
    [
      'a pipe [w:evidence.wrapped]',
      { text: 'npm test | cat' },
      'its output was piped to `cat`, so the exit code is not that of npm test',
    ],
    ['a second line', { text: 'npm test\nfalse' }, '`npm test false` ran, but it does not count'],
    ['a wrapper [w:evidence.wrapped]', { text: 'nice npm test' }, '`nice` started it'],
    ['quoted, the same words', { text: `npm "test"` }, null],
    ['a space that is none to a shell [w:evidence.blanks]', { text: 'npm test\u00a0' }, 'does not count'],
    ['one before 2>&1 [w:evidence.blanks]', { text: 'npm test\u00a02>&1' }, 'does not count'],
    ['a carriage return behind it [w:evidence.blanks]', { text: 'npm test\r' }, 'does not count'],
    ['an empty word', { text: `npm test ''` }, 'it adds arguments'],
    ['another folder for npm', { text: 'npm --prefix other test' }, "it differs from the gate's command"],
    ['a change of folder', { text: 'cd src && npm test' }, '`cd src` ran in the same call and changed the folder'],
    ['timed', { text: 'time npm test' }, '`time` started it'],
    ['as a coprocess', { text: 'coproc npm test' }, 'does not count'],
    ['another program of the name', { text: './npm test' }, 'does not count'],
    ['a comment behind it', { text: 'npm test # && false' }, 'does not count'],
  ])('%s', async (_, changes, missing) => {
    const found = await unmetOf(fails, evidence({ runs: [seen(fails, changes)] }));
    if (missing === null) expect(found).toBeNull();
    else expect(found).toMatchObject({ check: 'fails: npm test', missing: expect.stringContaining(missing) });
  });

  test('the newest counts [w:evidence.nothing-but]', async () => {
    const runs = [seen(fails, { outcome: 'passed', code: null }), seen(fails)];
    expect(await unmetOf(fails, evidence({ runs }))).toMatchObject({ missing: 'the newest run of npm test passed' });
    expect(await unmetOf(fails, evidence({ runs: [...runs].reverse() }))).toBeNull();
  });

  const scripts = { scripts: { test: 'vitest run', lint: 'eslint .' } };
  test.each<[string, string, string, string | null]>([
    ['npm test', 'npm test; true', '`true` ran in the same call', null],
    ['npm test', 'npm test 2>&1 | tail -5', 'its output was piped to `tail -5`', null],
    ['npm test', 'npm test -w packages/a', 'it adds arguments (-w packages/a)', null],
    ['npm test', 'npm run test', "it differs from the gate's command", null],
    ['npm test', 'yarn test', "it differs from the gate's command", null],
    ['npm test', 'CI=1 NODE_ENV=test npm test', 'it set variables (CI=1 NODE_ENV=test)', null],
    ['npm test', 'env CI=1 npm test', 'it set variables (CI=1)', null],
    ['npm test', 'npx vitest run src', "it differs from the gate's command", null],
    ['npm test', 'git status && npm test && git diff', '`git status` and `git diff` ran in the same call', null],
    ['npm test', 'echo $(npm test)', 'it contains more than npm test', null],
    ['npm run lint', 'npm run lint -- --fix', 'it adds arguments (-- --fix)', null],
    ['pytest', 'pytest -q', 'it adds arguments (-q)', null],
    ['pytest', 'python3 -m pytest tests', '`python3 -m` started it', null],
    ['pytest', "bash -c 'pytest -q'", 'it contains more than pytest', null],
    ['pytest', '.venv/bin/pytest', "it differs from the gate's command", null],
    ['go test ./...', 'cd pkg && go test ./...', '`cd pkg` ran in the same call and changed the folder', null],
    ['cargo test*', 'RUST_LOG=1 cargo test --lib', 'it set variables (RUST_LOG=1)', null],
    ['npm test', 'npm run lint', 'npm test has not been run in this mode', 'not'],
    ['npm test', 'cat package.json', 'npm test has not been run in this mode', 'not'],
    ['pytest', 'pip install pytest', 'pytest has not been run in this mode', 'not'],
  ])('of %s: %s is named with the reason why it does not count: %s [w:evidence.near]', async (command, text, why, other) => {
    write('package.json', JSON.stringify(scripts));
    for (const check of ['passes', 'fails'] as const) {
      const found = await unmetOf(runCheck(check, command), evidence({ runs: [seen(fails, { text })] }));
      expect(found?.missing).toContain(why);
      if (other === null) expect(found?.missing).toContain(`\`${text}\` ran, but it does not count: `);
      expect(found?.how).toBe(`Run ${command} alone, in the foreground, at the project's root.`);
    }
  });

  test('none at all', async () => {
    expect(await unmetOf(fails, evidence())).toEqual({
      check: 'fails: npm test',
      missing: 'npm test has not been run in this mode',
      how: "Run npm test alone, in the foreground, at the project's root.",
    });
  });

  test.each<[string, () => void, string | null]>([
    ['nothing', nothing, null],
    ['a change of a watched file', () => write('src/a.js', 'two'), 'src/a.js changed after'],
    ['a new file', () => write('lib/b.js', 'x'), 'lib/b.js changed after'],
    ['a removed file', () => fs.rmSync(path.join(root, 'src/a.js')), 'src/a.js changed after'],
    ['an ignored file', () => write('coverage/x.json', '{}'), null],
    ['an ignored name', () => write('src/x.log', 'x'), null],
    ['an installed file', () => write('node_modules/x/i.js', 'x'), null],
    [
      'an installed file that git tracks',
      () => write('test/node_modules/t/i.js', 'two'),
      'test/node_modules/t/i.js changed after',
    ],
  ])('after the run: %s [w:evidence.after]', async (_, happens, missing) => {
    write('test/node_modules/t/i.js', 'one');
    git('init', '-q');
    git('add', '-f', 'test/node_modules');
    const run = seen(fails);
    happens();
    const found = await unmetOf(fails, evidence({ runs: [run] }));
    if (missing === null) expect(found).toBeNull();
    else expect(found?.missing).toContain(missing);
  });

  test('an installed file that watch: names makes a run outdated too [w:evidence.watch]', async () => {
    const named = runCheck('fails', 'npm test', { watch: ['src/**', 'node_modules/x/**'] });
    write('node_modules/x/i.js', 'one');
    write('node_modules/y/i.js', 'one');
    const run = seen(named);
    write('node_modules/y/i.js', 'two');
    expect(await unmetOf(named, evidence({ runs: [run] }))).toBeNull();
    write('node_modules/x/i.js', 'two');
    expect((await unmetOf(named, evidence({ runs: [run] })))?.missing).toBe(
      'node_modules/x/i.js changed after the newest run of npm test',
    );
  });

  test.each<[string, string, boolean]>([
    ['make test V=1', 'make test V=1', true],
    ['make test "V=1"', 'make test V=1', true],
    ['make test V=1 2>&1', 'make test V=1', true],
    ['V=1 make test', 'V=1 make test', true],
    ['V=2 make test', 'V=1 make test', false],
    ['V=1 make test', 'make test', false],
    ['V=1', 'V=1', false],
    ['V=$X make test', 'V=$X make test', false],
    ['node --test test/*.test.js', 'node --test test/*.test.js', true],
    ['node --test "test/**/*.test.js" 2>&1', 'node --test "test/**/*.test.js"', true],
    ['node --test test/*.js', 'node --test test/*.test.js', false],
    ['npm test || true', 'npm test || true', false],
    ['npm test; true', 'npm test; true', false],
    ['npm test | tail', 'npm test | tail', false],
    ['npm test > x', 'npm test > x', false],
    ['! npm test', '! npm test', false],
    ["'npm test", "'npm test", false],
    ['make test =x', 'make test *', false],
    ['make test V=~/x', 'make test *', false],
    ['make test V=$X', 'make test *', false],
  ])('%j is nothing but %j: %j [w:evidence.nothing-but] [w:evidence.exact]', (text, command, is) => {
    expect(isNothingBut(text, command, '/home/nobody')).toBe(is);
  });

  test('a watched file that changes during the run invalidates it and is named; outputs may change [w:evidence.during]', async () => {
    const during = () => write('report.txt', String(Math.random()));
    expect((await unmetOf(fails, evidence({ runs: [seen(fails, {}, during)] })))?.missing).toContain('report.txt changed while');
    const named = runCheck('fails', 'npm test', { outputs: ['report.txt'] });
    expect(await unmetOf(named, evidence({ runs: [seen(named, {}, during)] }))).toBeNull();
  });

  test('only watched files make a run outdated [w:evidence.watch]', async () => {
    const watching = runCheck('passes', 'npm test', { watch: ['src/**'] });
    const run = seen(watching, { outcome: 'passed', code: null });
    write('docs/x.md', 'x');
    expect(await unmetOf(watching, evidence({ runs: [run] }))).toBeNull();
    write('src/b.js', 'x');
    expect((await unmetOf(watching, evidence({ runs: [run] })))?.missing).toContain('src/b.js');
  });

  test.each([
    ['*failing*', null],
    ['1*ing', null],
    ['0 failing', 'does not contain'],
  ])('output %s [w:evidence.output]', async (output, missing) => {
    const wanting = runCheck('fails', 'npm test', { output });
    const found = await unmetOf(wanting, evidence({ runs: [seen(wanting)] }));
    if (missing === null) expect(found).toBeNull();
    else expect(found?.missing).toContain(missing);
  });

  test('in: names the folder [w:evidence.folder]', async () => {
    const inside = runCheck('fails', 'npm test', { in: 'src' });
    expect(await unmetOf(inside, evidence({ runs: [seen(inside, { folder: path.join(root, 'src') })] }))).toBeNull();
    expect(await unmetOf(inside, evidence({ runs: [seen(inside)] }))).not.toBeNull();
  });
});

/** A path of the project whose characters are bytes. */
const bytes = (name: string) => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, 'latin1')]);

test.each(['**', '/**', './**', '**/**', '.', '/'])('%s are all files of the project [w:files.changed]', async (glob) => {
  const baseline = { globs: [glob], files: hashFiles(root, globScope([glob], true, '/home/nobody')), head: null };
  const unmet = (check: 'changed' | 'unchanged') => unmetOf({ source, check, globs: [glob] }, evidence({ baseline }));
  expect([(await unmet('changed')) !== null, await unmet('unchanged')]).toEqual([true, null]);
  write('src/a.js', 'two');
  expect([await unmet('changed'), (await unmet('unchanged')) !== null]).toEqual([null, true]);
});

describe('changed and unchanged [w:files.changed] [w:files.unchanged] [w:files.hash] [w:files.ignored]', () => {
  const globs = ['test/**'];
  const entered = () => ({ globs, files: hashFiles(root, globScope(globs, true, '/home/nobody')), head: null });
  const check = async (kind: 'changed' | 'unchanged', baseline: Evidence['baseline']) =>
    await unmetOf({ source, check: kind, globs }, evidence({ baseline }));

  test.each<[string, () => void, boolean]>([
    ['nothing', nothing, false],
    ['touched and equal', () => fs.utimesSync(path.join(root, 'test/a.test.js'), new Date(), new Date()), false],
    ['written again and equal', () => write('test/a.test.js', 'one'), false],
    ['another content of the same length', () => write('test/a.test.js', 'two'), true],
    ['a new file', () => write('test/b.test.js', 'x'), true],
    ['a removed file', () => fs.rmSync(path.join(root, 'test/a.test.js')), true],
    ['an ignored file', () => write('test/x.log', 'x'), true],
    ['a file elsewhere', () => write('src/a.js', 'two'), false],
    [
      'a link in its place',
      () => {
        fs.rmSync(path.join(root, 'test/a.test.js'));
        fs.symlinkSync('../src/a.js', path.join(root, 'test/a.test.js'));
      },
      true,
    ],
    ['a program of it', () => fs.chmodSync(path.join(root, 'test/a.test.js'), 0o755), true],
    ['other rights to read', () => fs.chmodSync(path.join(root, 'test/a.test.js'), 0o600), false],
    [
      'renamed back and forth',
      () => {
        fs.renameSync(path.join(root, 'test/a.test.js'), path.join(root, 'test/b.test.js'));
        fs.renameSync(path.join(root, 'test/b.test.js'), path.join(root, 'test/a.test.js'));
      },
      false,
    ],
    [
      'another content under the times it had',
      () => {
        const { atime, mtime } = fs.statSync(path.join(root, 'test/a.test.js'));
        write('test/a.test.js', 'two');
        fs.utimesSync(path.join(root, 'test/a.test.js'), atime, mtime);
      },
      true,
    ],
    [
      'two files in each other’s place',
      () => {
        fs.renameSync(path.join(root, 'test/a.test.js'), path.join(root, 'test/c'));
        fs.renameSync(path.join(root, 'test/other.js'), path.join(root, 'test/a.test.js'));
        fs.renameSync(path.join(root, 'test/c'), path.join(root, 'test/other.js'));
      },
      true,
    ],
    ['a name that is no text', () => fs.writeFileSync(bytes('test/\xff.js'), 'x'), true],
    [
      'a folder whose name is no text',
      () => {
        fs.mkdirSync(bytes('test/\xfe'));
        fs.writeFileSync(bytes('test/\xfe/a.js'), 'x');
      },
      true,
    ],
    ['a file whose name is no text', () => fs.writeFileSync(bytes('test/old\xff.js'), 'two'), true],
    ['the same, equal', () => fs.writeFileSync(bytes('test/old\xff.js'), 'one'), false],
  ])('%s', async (_, happens, changed) => {
    write('test/other.js', 'other');
    fs.writeFileSync(bytes('test/old\xff.js'), 'one');
    const baseline = entered();
    happens();
    expect((await check('changed', baseline)) === null).toBe(changed);
    expect((await check('unchanged', baseline)) === null).toBe(!changed);
  });

  test('installed files count if a glob names them [w:files.ignored]', async () => {
    const named = ['node_modules/x/**'];
    write('node_modules/x/i.js', 'one');
    const baseline = { globs: named, files: hashFiles(root, globScope(named, true, '/home/nobody')), head: null };
    const hold = async (check: 'changed' | 'unchanged') =>
      (await unmetOf({ source, check, globs: named }, evidence({ baseline }))) === null;
    write('node_modules/y/i.js', 'two');
    expect([await hold('changed'), await hold('unchanged')]).toEqual([false, true]);
    write('node_modules/x/i.js', 'two');
    expect([await hold('changed'), await hold('unchanged')]).toEqual([true, false]);
  });

  test('a single folder is the one at the root for changed, and one at any depth for unchanged [w:files.globs]', async () => {
    const { files } = takeBaseline(root, '/home/nobody', globs, null);
    write('packages/a/test/b.test.js', 'x');
    const baseline = { globs, files, head: null };
    expect((await check('changed', baseline))?.missing).toContain('nothing has changed in test/**');
    expect((await check('unchanged', baseline))?.missing).toContain('packages/a/test/b.test.js changed');
  });

  test('without a record of the entry neither holds [w:files.record]', async () => {
    // Naming the mode that holds already is refused.
    expect(await check('changed', null)).toMatchObject({
      how: 'A person can switch to another mode and back with /modes:mode NAME.',
    });
    expect(await check('unchanged', null)).not.toBeNull();
    expect(await check('unchanged', { globs: ['src/**'], files: new Map(), head: null })).not.toBeNull();
  });
});

describe('file, branch and commit', () => {
  test.each<[string, Partial<Requirement & { check: 'file' }>, string | null]>([
    ['exists [w:file.exists]', {}, null],
    ['holds a text [w:file.contains]', { contains: 'o*e' }, null],
    ['holds none [w:file.contains]', { contains: 'two' }, 'does not contain'],
    ['is absent', { path: 'src/b.js' }, 'does not exist'],
    ['must be absent [w:file.exists]', { path: 'src/b.js', exists: false }, null],
    ['must be absent and is not', { exists: false }, 'still exists'],
  ])('a file: %s', async (_, changes, missing) => {
    const found = await unmetOf(
      { source, check: 'file', path: 'src/a.js', exists: true, contains: null, ...changes },
      evidence(),
    );
    if (missing === null) expect(found).toBeNull();
    else expect(found?.missing).toContain(missing);
  });

  test.each<[string, string | null, boolean]>([
    ['feature/x', 'feature/x', true],
    ['feature/x', 'feature/*', true],
    ['feature/x', '*/x', true],
    ['feature/x', 'feature', false],
    ['main', 'feature/*', false],
    ['feature/xa', 'feature/x', false],
  ])('on %s, asked for %s [w:git.branch]', async (present, branch, holds) => {
    git('init', '-q', '-b', present as string);
    expect((await unmetOf({ source, check: 'git', clean: false, branch }, evidence())) === null).toBe(holds);
  });

  test('clean: nothing is clean while a replacement object hides the checked-out commit [w:git.clean]', async () => {
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-q', '-m', 'x');
    write('src/a.js', 'two');
    git('add', '.');
    const tree = execFileSync('git', ['write-tree'], { cwd: root, encoding: 'utf8' }).trim();
    git('replace', 'HEAD^{tree}', tree);
    const clean: Requirement = { source, check: 'git', clean: true, branch: null };
    expect((await unmetOf(clean, evidence()))?.missing).toContain('src/a.js');
  });

  test('clean: a submodule with uncommitted changes is not clean, and no program of it is started [w:git.clean] [w:git.calm]', async () => {
    git('init', '-q', '-b', 'main');
    git('init', '-q', '-b', 'main', 'inner');
    write('inner/a.js', 'one');
    git('-C', 'inner', 'add', '.');
    git('-C', 'inner', 'commit', '-q', '-m', 'x');
    git('add', '.');
    git('commit', '-q', '-m', 'x');
    git('-C', 'inner', 'config', 'core.fsmonitor', `touch ${root}/ran-monitor`);
    const clean: Requirement = { source, check: 'git', clean: true, branch: null };
    expect(await unmetOf(clean, evidence())).toBeNull();
    write('inner/a.js', 'two');
    expect((await unmetOf(clean, evidence()))?.missing).toContain('inner/a.js');
    write('inner/a.js', 'one');
    write('inner/b.js', 'one');
    expect((await unmetOf(clean, evidence()))?.missing).toContain('inner/b.js');
    expect(fs.existsSync(path.join(root, 'ran-monitor'))).toBe(false);
  });

  test('clean starts no program of the repository [w:git.clean] [w:git.calm]', async () => {
    git('init', '-q', '-b', 'main');
    write('.gitattributes', '*.js filter=evil\n');
    git('config', 'filter.evil.clean', 'touch ran-clean; cat');
    git('config', 'filter.evil.required', 'true');
    git('config', 'core.fsmonitor', 'touch ran-monitor');
    const clean: Requirement = { source, check: 'git', clean: true, branch: null };
    expect((await unmetOf(clean, evidence()))?.missing).toContain('src/');
    execFileSync(
      'git',
      ['-c', 'core.fsmonitor=false', '-c', 'filter.evil.clean=', '-c', 'filter.evil.required=false', 'add', '.'],
      {
        cwd: root,
      },
    );
    git('-c', 'core.fsmonitor=false', '-c', 'filter.evil.clean=', '-c', 'filter.evil.required=false', 'commit', '-q', '-m', 'x');
    // Equal, but to be compared anew.
    fs.utimesSync(path.join(root, 'src/a.js'), new Date(1), new Date(1));
    expect(await unmetOf(clean, evidence())).toBeNull();
    write('src/a.js', 'two');
    expect((await unmetOf(clean, evidence()))?.missing).toContain('src/a.js');
    expect(fs.readdirSync(root).filter((name) => name.startsWith('ran-'))).toEqual([]);
  });

  test.each<[string, string[], (() => void) | null, string | null]>([
    ['taken for unchanged', ['--assume-unchanged'], () => write('src/a.js', 'two'), 'src/a.js is not committed'],
    ['taken for unchanged, and gone', ['--assume-unchanged'], () => fs.rmSync(path.join(root, 'src/a.js')), 'src/a.js'],
    ['left out of the checkout', ['--skip-worktree'], () => write('src/a.js', 'two'), 'src/a.js is not committed'],
    ['left out of the checkout, and gone', ['--skip-worktree'], () => fs.rmSync(path.join(root, 'src/a.js')), 'src/a.js'],
    ['left out of a sparse checkout', ['--refresh'], () => git('sparse-checkout', 'set', '--no-cone', '/*', '!src/a.js'), null],
    ['taken for unchanged, and equal', ['--assume-unchanged'], nothing, null],
    ['touched and equal', ['--assume-unchanged'], () => fs.utimesSync(path.join(root, 'src/a.js'), 1, 1), null],
  ])('clean: a file that is %s [w:git.clean]', async (_, mark, happens, missing) => {
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-q', '-m', 'x');
    git('update-index', ...mark, 'src/a.js');
    happens?.();
    const found = await unmetOf({ source, check: 'git', clean: true, branch: null }, evidence());
    if (missing === null) expect(found).toBeNull();
    else expect(found?.missing).toContain(missing);
  });

  const clean: Requirement = { source, check: 'git', clean: true, branch: null };
  const aside = () => `${root}-aside`;
  const old = () => fs.utimesSync(path.join(root, 'src/a.js'), 1_000_000_000, 1_000_000_000);

  test.each<[string, () => void, () => void, string]>([
    [
      'changed with its size, time and second of change as they were',
      () => {
        old();
        git('update-index', '--refresh');
      },
      () => {
        write('src/a.js', 'two');
        old();
      },
      'src/a.js is not committed',
    ],
    [
      'compared by less than its times',
      () => {
        old();
        git('update-index', '--refresh');
        git('config', 'core.trustctime', 'false');
        git('config', 'core.checkStat', 'minimal');
      },
      () => {
        // In another second than the index was written in.
        for (const until = Date.now() + 1_050; Date.now() < until; )
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
        write('src/a.js', 'two');
        old();
      },
      'src/a.js is not committed',
    ],
    [
      'taken for unchanged, and a link to the same content',
      () => git('update-index', '--assume-unchanged', 'src/a.js'),
      () => {
        fs.renameSync(path.join(root, 'src/a.js'), aside());
        fs.symlinkSync(aside(), path.join(root, 'src/a.js'));
      },
      'src/a.js is not committed',
    ],
    [
      'taken for unchanged, and to be run now',
      () => git('update-index', '--assume-unchanged', 'src/a.js'),
      () => fs.chmodSync(path.join(root, 'src/a.js'), 0o755),
      'src/a.js is not committed',
    ],
    [
      'in the place of another folder',
      () => {
        fs.cpSync(root, aside(), { recursive: true });
        git('config', 'core.worktree', aside());
      },
      () => write('src/a.js', 'two'),
      'core.worktree',
    ],
    [
      'in a sparse checkout, left out by a mark alone',
      () => {
        git('sparse-checkout', 'set', '--no-cone', '/*', '!test');
        git('update-index', '--skip-worktree', 'src/a.js');
      },
      () => fs.rmSync(path.join(root, 'src/a.js')),
      'src/a.js is not committed',
    ],
    [
      'in a sparse checkout of whole folders, left out by a mark alone',
      () => {
        git('sparse-checkout', 'set', '--cone', 'src');
        git('update-index', '--skip-worktree', 'src/a.js');
      },
      () => fs.rmSync(path.join(root, 'src/a.js')),
      'src/a.js is not committed',
    ],
    [
      'to be run now, where settings say that files have no such mark',
      () => git('config', 'core.fileMode', 'false'),
      () => fs.chmodSync(path.join(root, 'src/a.js'), 0o755),
      'src/a.js is not committed',
    ],
    [
      'of another case than a tracked one, where settings say that case is nothing',
      () => git('config', 'core.ignoreCase', 'true'),
      () => write('src/A.js', 'two'),
      'src/A.js is not committed',
    ],
    [
      'new, where an ignore file beside it hides both',
      nothing,
      () => {
        write('lib/.gitignore', '*');
        write('lib/b.js', 'two');
      },
      'lib/.gitignore is not committed',
    ],
    [
      'new in a submodule, where an ignore file beside it hides both',
      () => {
        git('init', '-q', '-b', 'main', 'inner');
        git('-C', 'inner', 'commit', '-q', '--allow-empty', '-m', 'x');
        git('add', '.');
        git('commit', '-q', '-m', 'inner');
      },
      () => {
        write('inner/.gitignore', '*');
        write('inner/b.js', 'two');
      },
      'inner/.gitignore is not committed',
    ],
    [
      'changed in an $Id$ that git fills in',
      () => {
        write('.gitattributes', '*.js ident');
        write('src/a.js', '/*$Id$*/');
        git('add', '.');
        git('commit', '-q', '-m', 'id');
      },
      () => {
        write('src/a.js', '/*$Id: */two()/* $*/');
        git('add', '.');
      },
      'src/a.js is not committed',
    ],
    [
      'written in another way, in an encoding with several',
      () => {
        write('.gitattributes', '*.js working-tree-encoding=UTF-7');
        git('add', '.');
        git('commit', '-q', '-m', 'encoding');
      },
      () => {
        write('src/a.js', '+AG8AbgBl');
        git('add', '.');
      },
      'src/a.js is not committed',
    ],
    [
      'in the place of a link, where settings say that there are none',
      () => {
        fs.symlinkSync('src', path.join(root, 'link'));
        git('add', '.');
        git('commit', '-q', '-m', 'link');
        git('config', 'core.symlinks', 'false');
      },
      () => {
        fs.rmSync(path.join(root, 'link'));
        write('link', 'src');
      },
      'link is not committed',
    ],
  ])('clean: a file that is %s [w:git.clean]', async (_, hide, change, missing) => {
    afterTest(() => fs.rmSync(aside(), { recursive: true, force: true }));
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-q', '-m', 'x');
    hide();
    change();
    expect((await unmetOf(clean, evidence()))?.missing).toContain(missing);
  });

  test.each(['UTF-16LE-BOM', 'UTF-7', 'ISO-2022-JP'])(
    'clean: a file in %s is clean, as git writes it [w:git.clean]',
    async (encoding) => {
      write('.gitattributes', `*.js working-tree-encoding=${encoding}\n`);
      write('src/b.js', encoding.startsWith('UTF-16') ? Buffer.from('\ufeffa + b\r\n', 'utf16le') : 'a\r\n');
      git('init', '-q', '-b', 'main');
      git('add', '.gitattributes', 'src/b.js');
      git('commit', '-q', '-m', 'x');
      for (const folder of ['test', '.gitignore', 'src/a.js']) fs.rmSync(path.join(root, folder), { recursive: true });
      expect(await unmetOf(clean, evidence())).toBeNull();
    },
  );

  test.each([
    ['can be run', 0o755],
    ['cannot be run', 0o644],
  ])('clean: if every file %s, the setting that they have no such mark is accepted [w:git.clean]', async (_, mode) => {
    git('init', '-q', '-b', 'main');
    fs.chmodSync(path.join(root, 'src/a.js'), 0o755);
    git('add', '.');
    git('commit', '-q', '-m', 'x');
    git('config', 'core.fileMode', 'false');
    const all = ['.gitignore', 'src/a.js', 'test/a.test.js', '.git/index'].map((name) => path.join(root, name));
    for (const name of all) fs.chmodSync(name, mode);
    expect(await unmetOf(clean, evidence())).toBeNull();
  });

  test('clean: a project below the top of its repository hides nothing above it [w:git.clean]', async () => {
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-q', '-m', 'x');
    git('update-index', '--assume-unchanged', 'test/a.test.js');
    write('test/a.test.js', 'two');
    expect((await unmetOf(clean, evidence({ root: path.join(root, 'src') })))?.missing).toContain('test/a.test.js');
  });

  test('clean: files in place of a submodule that is not checked out are not clean [w:git.clean]', async () => {
    git('init', '-q', '-b', 'main');
    git('init', '-q', '-b', 'main', 'inner');
    git('-C', 'inner', 'commit', '-q', '--allow-empty', '-m', 'x');
    git('add', '.');
    git('commit', '-q', '-m', 'x');
    fs.rmSync(path.join(root, 'inner/.git'), { recursive: true });
    expect(await unmetOf(clean, evidence())).toBeNull();
    write('inner/a.js', 'one');
    expect((await unmetOf(clean, evidence()))?.missing).toContain('inner/');
  });

  test('clean: a flagged link is checked as a link [w:git.clean]', async () => {
    git('init', '-q', '-b', 'main');
    fs.symlinkSync('nowhere', path.join(root, 'link'));
    git('add', '.');
    git('commit', '-q', '-m', 'x');
    git('update-index', '--assume-unchanged', 'link');
    expect(await unmetOf(clean, evidence())).toBeNull();
    fs.rmSync(path.join(root, 'link'));
    fs.symlinkSync('src', path.join(root, 'link'));
    expect((await unmetOf(clean, evidence()))?.missing).toContain('link is not committed');
  });

  test("clean: files that committed rules and a person's own lists ignore are clean [w:git.clean]", async () => {
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-q', '-m', 'x');
    fs.mkdirSync(path.join(root, '.git/info'), { recursive: true });
    write('.git/info/exclude', 'notes/\n');
    write('notes/a.md', 'one');
    write('coverage/.gitignore', '*');
    write('coverage/a.html', 'one');
    expect(await unmetOf(clean, evidence())).toBeNull();
  });

  test('clean: settings that hide untracked files have no effect [w:git.clean]', async () => {
    git('init', '-q', '-b', 'main');
    git('config', 'status.showUntrackedFiles', 'no');
    const found = await unmetOf({ source, check: 'git', clean: true, branch: null }, evidence());
    expect(found?.missing).toContain('src/');
  });

  test('outside a repository', async () => {
    expect((await unmetOf({ source, check: 'git', clean: true, branch: 'main' }, evidence()))?.missing).toContain(
      'not a git repository',
    );
  });
});

describe('agent and time', () => {
  test.each<[string, Requirement, Omit<Partial<Evidence>, 'agents'> & { agents?: Omit<AgentReport, 'after' | 'by'>[] }, boolean]>(
    [
      ['time that is over [w:after.time]', { source, check: 'after', time: 600_000 }, {}, true],
      ['time that is not over [w:after.time]', { source, check: 'after', time: 600_001 }, {}, false],
      ['time by both clocks', { source, check: 'after', time: 600_000 }, { uptime: { entered: 400, now: 1_000 } }, true],
      [
        'a clock that was set forward [w:after.time]',
        { source, check: 'after', time: 600_000 },
        { uptime: { entered: 990, now: 1_000 } },
        false,
      ],
      [
        'a clock that was set back',
        { source, check: 'after', time: 1 },
        { now: new Date('2025-01-01'), uptime: { entered: 1, now: 1_000 } },
        false,
      ],
      [
        'a machine that started anew',
        { source, check: 'after', time: 600_000 },
        { uptime: { entered: 5_000, now: 1_000 } },
        true,
      ],
      ['time from an unknown entry', { source, check: 'after', time: 1 }, { since: null }, false],
      ['a time that is none', { source, check: 'after', time: Number.POSITIVE_INFINITY }, {}, false],
      ['no agent', { source, check: 'agent', type: 'reviewer' }, {}, false],
      [
        'an agent with PASS',
        { source, check: 'agent', type: 'reviewer' },
        { agents: [{ type: 'reviewer', lastLine: 'PASS' }] },
        true,
      ],
      ['another agent', { source, check: 'agent', type: 'reviewer' }, { agents: [{ type: 'x', lastLine: 'PASS' }] }, false],
      [
        'an agent with FAIL',
        { source, check: 'agent', type: 'reviewer' },
        { agents: [{ type: 'reviewer', lastLine: 'FAIL' }] },
        false,
      ],
      [
        'the newest agent counts [w:agent.pass]',
        { source, check: 'agent', type: 'reviewer' },
        {
          agents: [
            { type: 'reviewer', lastLine: 'FAIL' },
            { type: 'reviewer', lastLine: 'PASS' },
          ],
        },
        false,
      ],
    ],
  )('%s', async (_, requirement, changes, holds) => {
    const agents = (changes.agents ?? []).map((agent) => ({ ...agent, after: markFiles(root, unignored(root)), by: {} }));
    expect((await unmetOf(requirement, evidence({ ...changes, agents }))) === null).toBe(holds);
  });
});
