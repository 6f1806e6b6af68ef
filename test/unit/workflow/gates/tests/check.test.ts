// `tests:` checks in a project with real runs of node:test, from the entry into one mode to the exit from the next.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { differences } from '../../../../../src/git/file-tree.ts';
import type { Requirement, TestDemand } from '../../../../../src/model/requirement.ts';
import { Gates, type GateVisit } from '../../../../../src/workflow/gates/gates.ts';
import { RunLedger } from '../../../../../src/workflow/gates/runs.ts';
import { guardedTree, guardStamps } from '../../../../../src/workflow/gates/tests/guarded-files.ts';
import type { TestsCheck } from '../../../../../src/workflow/gates/tests/store.ts';
import type { Unmet } from '../../../../../src/workflow/gates/unmet.ts';
import { noWork } from '../../../../../src/workflow/plan/work.ts';
import { putFile, temporaryFolder } from '../../../../support/files.ts';

const command = 'node --test --test-reporter=tap';
const demandOf = (demand: TestDemand): Requirement => ({
  ...{ source: { file: '.claude/modes.yaml', line: 1, column: 1 }, check: 'tests', demand, by: 'agent', report: null },
  ...{ command, in: null, watch: null, outputs: [], output: null, uses: null, timeout: 60_000, unsandboxed: false },
});
const demands = { failing: demandOf('new failure'), passing: demandOf('all pass'), same: demandOf('same') };
const observed = Object.values(demands);

let root: string;
let data: string;
let ledger: RunLedger;
let gates: Gates;
let visit: GateVisit;
let count = 0;

const write = (name: string, text: string) => putFile(path.join(root, name), text);
const testFile = (...tests: [title: string, body: string][]): string =>
  [
    "const test = require('node:test');",
    "const assert = require('node:assert');",
    "const { add } = require('../src/add.js');",
    ...tests.map(([title, body]) => `test(${JSON.stringify(title)}, () => { ${body} });`),
  ].join('\n');
const addsOne: [string, string] = ['adds one', 'assert.equal(add(1, 1), 2);'];
const addsTwo: [string, string] = ['adds two', 'assert.equal(add(2, 2), 4);'];
const wrong = 'exports.add = () => 0;';
const right = 'exports.add = (a, b) => a + b;';

/** A new process of the server: what it kept in memory is gone. */
function restart(): void {
  gates = new Gates(root, '/home/nobody', data);
  ledger = new RunLedger();
  gates.ledger = ledger;
}

function enter(mode: string): void {
  const next = { mode, scope: '', entry: `entry${++count}`, since: new Date().toISOString(), work: noWork, root };
  const state = gates.observe(next, observed, visit ?? null);
  gates.entered(next, state);
  visit = next;
}

interface RunOptions {
  /** false: the call runs as the agent wrote it, without a report. */
  mayReplace?: boolean;
  sandbox?: string;
  /** The call runs as the agent wrote it, although another one should run in its place. */
  isKept?: boolean;
  output?: string;
  during?: () => void;
  exitCode?: number;
  text?: string;
}

function withoutContext(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return env;
}

/** A Bash call of the agent, really run. */
function run(options: RunOptions = {}): void {
  const { output, during, exitCode: forced, text = command, mayReplace = true, sandbox, isKept = false } = options;
  const id = `toolu_${++count}`;
  const start = { cwd: root, mayReplace: () => mayReplace, sandbox: () => sandbox ?? null };
  const replacement = gates.announced(id, text, observed, visit, start);
  ledger.start({ id, command: text, replacement, cwd: root, session: 's', permissionMode: 'default', agentId: null, visit });
  const ran = isKept ? text : (replacement ?? text);
  const { stdout, stderr, status } = spawnSync('bash', ['-c', ran], { cwd: root, encoding: 'utf8', env: withoutContext() });
  during?.();
  const exitCode = forced ?? status ?? 1;
  const ending = exitCode === 0 ? { how: 'passed' as const } : { how: 'failed' as const, exitCode };
  ledger.end(id, { ending, visit, output: output ?? stdout + stderr });
  gates.ended(id, ran);
}

const unmet = async (...requirements: Requirement[]): Promise<Unmet[]> =>
  (await gates.evaluate(requirements, visit, new Date())).unmet;
const missing = async (requirement: Requirement): Promise<string> => (await unmet(requirement))[0]?.missing ?? 'holds';

beforeEach(() => {
  root = temporaryFolder('named-tests-');
  data = fs.mkdtempSync(path.join(os.tmpdir(), 'named-tests-data-'));
  visit = undefined as unknown as GateVisit;
  restart();
  write('package.json', '{}');
  write('src/add.js', wrong);
});
afterEach(() => {
  for (const folder of [root, data]) fs.rmSync(folder, { recursive: true, force: true });
});

describe('the test-driven cycle', () => {
  test('opens with one run a mode, and names the tests in the evidence [w:tests.cycle]', async () => {
    enter('test-dev');
    write('test/add.test.js', testFile(addsOne));
    run();
    const { proofs } = await gates.evaluate([demands.failing], visit, new Date());
    expect(proofs).toMatchObject([{ runner: 'node:test', tests: ['adds one'] }]);
    enter('feature-dev');
    run();
    expect(await missing(demands.passing)).toContain('1 test was failing when you entered this mode; `adds one` failed');
    write('src/add.js', right);
    expect(await missing(demands.passing)).toContain('src/add.js changed after the newest run');
    run();
    expect(await unmet(demands.passing)).toEqual([]);
  });

  test('knows the tests after a restart, and in another session [w:tests.stored]', async () => {
    enter('test-dev');
    write('test/add.test.js', testFile(addsOne, addsTwo));
    run();
    enter('feature-dev');
    restart();
    write('src/add.js', right);
    write('test/add.test.js', testFile(addsOne));
    run();
    expect(await missing(demands.passing)).toContain('`adds two` was not reported in the last run');
  });

  test('a run in the mode before shows which tests failed at the entry [w:tests.base]', async () => {
    write('test/add.test.js', testFile(addsOne));
    enter('idle');
    run();
    enter('test-dev');
    run();
    expect(await missing(demands.failing)).toContain('`adds one` already failed');
    write('test/add.test.js', testFile(addsOne, addsTwo));
    run();
    expect(await unmet(demands.failing)).toEqual([]);
  });

  test('so does a run before the first change of a file [w:tests.base]', async () => {
    write('test/add.test.js', testFile(addsOne));
    enter('test-dev');
    run();
    expect(await missing(demands.failing)).toContain('`adds one` already failed');
    write('test/add.test.js', testFile(addsOne, addsTwo));
    run();
    expect(await unmet(demands.failing)).toEqual([]);
  });

  test('a run that finds no tests shows that there were none [w:tests.base]', async () => {
    enter('cover');
    run();
    write('src/add.js', right);
    write('test/add.test.js', testFile(addsOne));
    run();
    expect(await unmet(demands.passing)).toEqual([]);
  });

  test.each<[when: string, isInMode: boolean]>([
    ['before the mode is entered', false],
    ['in the mode', true],
  ])('a run that finds no tests any more does not replace a known one, %s [w:tests.base]', async (_, isInMode) => {
    write('src/add.js', right);
    write('test/add.test.js', testFile(addsOne, addsTwo));
    enter('idle');
    run();
    if (isInMode) {
      await missing(demands.passing);
      write('src/add.js', `${right} `);
      enter('feature-dev');
    }
    if (isInMode) write('src/add.js', `${right} `);
    fs.rmSync(path.join(root, 'test/add.test.js'));
    run();
    if (!isInMode) enter('feature-dev');
    write('src/add.js', right);
    write('test/add.test.js', testFile(addsOne));
    run();
    expect(await missing(demands.passing)).toContain('`adds two` was not reported');
  });

  test('without such a run, only a test in a new file is new [w:tests.base]', async () => {
    write('test/add.test.js', testFile(addsOne));
    enter('test-dev');
    write('test/add.test.js', testFile(addsOne, addsTwo));
    run();
    expect(await missing(demands.failing)).toContain('it is unknown which tests failed');
    write('test/more.test.js', testFile(['adds three', 'assert.equal(add(3, 3), 6);']));
    run();
    expect(await unmet(demands.failing)).toEqual([]);
  });

  test('a glob of the command is that of the shell, so only the same text is a run of it [w:evidence.exact]', async () => {
    const check = { ...demands.passing, command: 'node --test --test-reporter=tap test/*.test.js' } as Requirement;
    observed.push(check);
    write('src/add.js', right);
    write('test/add.test.js', testFile(addsOne));
    enter('feature-dev');
    run({ text: 'node --test --test-reporter=tap test/add.test.js' });
    expect(await missing(check)).toContain('does not count');
    run({ text: 'node --test --test-reporter=tap test/*.test.js' });
    expect(await missing(check)).toBe('holds');
    observed.pop();
  });

  test('a test in a file that does not exist is not new, because a package names its files from its own folder [w:tests.base]', async () => {
    write('packages/a/test/add.test.js', testFile(addsOne).replace('../src', '../../../src'));
    enter('test-dev');
    write('src/add.js', wrong.replace('0', '1'));
    const inPackage = '(cd packages/a && node --test --test-reporter=tap)';
    const { stdout } = spawnSync('bash', ['-c', inPackage], { cwd: root, encoding: 'utf8', env: withoutContext() });
    run({ output: stdout.replaceAll(path.join(root, 'packages/a/'), '') });
    expect(await missing(demands.failing)).toContain('it is unknown which tests failed');
  });

  test.each([
    ['short, then whole', 'test/add.test.js', 'packages/a/test/add.test.js', 'holds'],
    ['whole, then short', 'packages/a/test/add.test.js', 'test/add.test.js', 'holds'],
    ['of another file', 'packages/a/test/add.test.js', 'packages/b/test/add.test.js', 'moved to packages/b/test/add.test.js'],
  ])('the name of a file from its package on is that of the same file: %s [w:tests.identity]', async (_, then, now, shown) => {
    const xml = (file: string) =>
      `<testsuites><testsuite name="a" file="${file}"><testcase name="adds"/></testsuite></testsuites>`;
    const check = { ...demands.passing, command: 'sh run.sh', report: ['out.xml'], outputs: ['out.xml'] } as Requirement;
    observed.push(check);
    for (const name of ['a', 'b']) write(`packages/${name}/test/add.test.js`, name);
    write('run.sh', 'cat > out.xml <<E\n$(cat text)\nE');
    write('text', xml(then));
    enter('cover');
    run({ text: 'sh run.sh' });
    enter('refactor');
    write('text', xml(now));
    run({ text: 'sh run.sh' });
    expect(await missing(check)).toContain(shown);
    observed.pop();
  });

  test('a file with tests may be renamed [w:tests.identity]', async () => {
    write('test/add.test.js', testFile(addsOne));
    write('src/add.js', right);
    enter('cover');
    run();
    enter('refactor');
    fs.renameSync(path.join(root, 'test/add.test.js'), path.join(root, 'test/sum.test.js'));
    run();
    expect(await unmet(demands.same)).toEqual([]);
  });
});

describe('demands', () => {
  test('all pass: the command must end with 0 too [w:tests.passing]', async () => {
    write('src/add.js', right);
    write('test/add.test.js', testFile(addsOne));
    enter('test-dev');
    run();
    enter('feature-dev');
    run({ exitCode: 7 });
    expect(await missing(demands.passing)).toBe(`every reported test passed, but ${command} ended with exit code 7`);
    run();
    expect(await unmet(demands.passing)).toEqual([]);
  });

  test('same: a test more or less is named [w:tests.same]', async () => {
    write('src/add.js', right);
    write('test/add.test.js', testFile(addsOne, addsTwo));
    enter('cover');
    run();
    enter('refactor');
    run();
    expect(await unmet(demands.same)).toEqual([]);
    write('test/add.test.js', testFile(addsOne, ['adds 2', '']));
    run();
    expect(await missing(demands.same)).toContain(
      '`adds two` was not reported in the last run; `adds 2` passed only in the last',
    );
  });
});

describe('the report that Modes asks for in the run of the agent', () => {
  const reportFolders = () =>
    fs.readdirSync(data, { recursive: true, encoding: 'utf8' }).filter((name) => /\/gates\/report-[^/]+$/.test(name));
  const enterWithFailingTest = () => {
    write('test/add.test.js', testFile(addsOne));
    enter('test-dev');
    run();
    enter('feature-dev');
    write('src/add.js', right);
  };

  test('counts whatever the run prints, and is removed after it [w:tests.requested]', async () => {
    enterWithFailingTest();
    run({ output: 'x'.repeat(40_000) });
    expect(await unmet(demands.passing)).toEqual([]);
    expect(reportFolders()).toEqual([]);
  });

  test('is missing after source that prints the results of its own run and ends the process [w:tests.requested]', async () => {
    enterWithFailingTest();
    run();
    const { output = '' } = ledger.runs().at(-1) ?? {};
    write('src/add.js', `require('node:fs').writeSync(1, ''); process.kill(process.ppid, 'SIGKILL');`);
    run({ output, exitCode: 0 });
    expect(await missing(demands.passing)).toContain('no evidence: it reported nothing');
  });

  test.each<[what: string, options: RunOptions, change: object, missing: string]>([
    ['the client may ask a person', { mayReplace: false }, {}, 'ran without the report'],
    ['a sandbox keeps it from writing the report', { sandbox: 'settings.json' }, {}, 'holds'],
    [
      'the engine may run it outside of the sandbox',
      { sandbox: 'settings.json' },
      { unsandboxed: true },
      'ran without the report',
    ],
    ['another hook let the call run as it was', { isKept: true }, {}, 'ran without the report'],
  ])('does not come with the call where %s [w:tests.requested]', async (_, options, change, expected) => {
    enterWithFailingTest();
    run(options);
    expect(await missing({ ...demands.passing, ...change } as Requirement)).toContain(expected);
  });

  test('is not asked for with `by: engine` [w:tests.source]', () => {
    const start = { cwd: root, mayReplace: () => true, sandbox: () => null };
    const check = { ...demands.passing, by: 'engine' } as Requirement;
    enter('test-dev');
    expect(gates.announced('t1', command, [check], visit, start)).toBeNull();
    expect(gates.announced('t2', command, [check, demands.passing], visit, start)).not.toBeNull();
  });

  test('is that of the runner in the folder of the call', () => {
    write('package.json', '{"scripts":{"test":"node --test"}}');
    write('packages/a/package.json', '{"scripts":{"test":"jest"}}');
    const checks = [null, 'packages/a'].map((folder) => ({ ...demands.passing, command: 'npm test', in: folder }) as Requirement);
    const callIn = (cwd: string) =>
      gates.announced(`t${++count}`, 'npm test', checks, visit, { cwd, mayReplace: () => true, sandbox: () => null });
    enter('test-dev');
    expect(callIn(root)).toContain('NODE_OPTIONS=');
    expect(callIn(path.join(root, 'packages/a'))).toContain('-- --json');
    expect(callIn(path.join(root, 'packages'))).toBeNull();
  });

  test('has its folder removed after a day if nobody reports the end of the run', () => {
    const start = { cwd: root, mayReplace: () => true, sandbox: () => null };
    enter('test-dev');
    gates.announced('t1', command, observed, visit, start);
    gates.announced('t2', command, observed, visit, start);
    const [old, other] = reportFolders();
    const before = new Date(Date.now() - 25 * 3_600_000);
    fs.utimesSync(path.join(data, old as string), before, before);
    gates.announced('t3', command, observed, visit, start);
    expect(reportFolders()).not.toContain(old);
    expect(reportFolders()).toContain(other);
  });
});

describe('reports and runs of the engine', () => {
  const xml = (...cases: string[]) => `<testsuite tests="${cases.length}">${cases.join('')}</testsuite>`;
  const one = (name: string) => `<testcase classname="C" name="${name}"/>`;

  test('a report counts if it was written during the run [w:tests.report]', async () => {
    const check = { ...demands.passing, report: ['out/*.xml'], outputs: ['out/**'] } as Requirement;
    observed.push(check);
    write('out/old.xml', xml(one('forged')));
    enter('test-dev');
    run({ during: () => write('out/a.xml', xml(one('a'), one('b'))) });
    enter('feature-dev');
    run({ during: () => write('out/a.xml', xml(one('a'))) });
    expect(await missing(check)).toContain('`C › b` was not reported');
    run();
    expect(await missing(check)).toContain('no evidence');
    run({ during: () => write('out/a.xml', xml(one('a'), one('b'))) });
    expect(await unmet(check)).toEqual([]);
    observed.pop();
  });

  test('without `report`, those that the runner writes count, if they were written during the run [w:tests.report]', async () => {
    const check = { ...demands.passing, command: './mvnw test', outputs: ['**/target/**'] } as Requirement;
    observed.push(check);
    const file = 'api/target/surefire-reports/TEST-C.xml';
    write('mvnw', '#!/bin/sh\ncat new.xml > api/target/surefire-reports/TEST-C.xml\n');
    fs.chmodSync(path.join(root, 'mvnw'), 0o755);
    write('new.xml', xml(one('a'), one('b')));
    write(file, xml(one('old')));
    enter('test-dev');
    run({ text: './mvnw test' });
    enter('feature-dev');
    write('new.xml', xml(one('a')));
    run({ text: './mvnw test' });
    expect(await missing(check)).toContain('`C › b` was not reported');
    write(file, xml(one('a'), one('b')));
    expect(await missing(check)).toContain('`C › b` was not reported');
    write('new.xml', xml(one('a'), one('b')));
    run({ text: './mvnw test' });
    expect(await unmet(check)).toEqual([]);
    observed.pop();
  });

  test('a guarded file that the report calls a test file stays guarded [w:tests.guarded]', async () => {
    const check = { ...demands.passing, command: './mvnw test', outputs: ['**/target/**'] } as Requirement;
    const guard = 'src/test/resources/junit-platform.properties';
    observed.push(check);
    write('mvnw', '#!/bin/sh\ncat new.xml > target/surefire-reports/TEST-C.xml\n');
    fs.chmodSync(path.join(root, 'mvnw'), 0o755);
    write('new.xml', xml(`<testcase classname="C" name="a" file="${guard}"/>`));
    write('target/surefire-reports/TEST-C.xml', '');
    write(guard, '');
    enter('test-dev');
    run({ text: './mvnw test' });
    enter('feature-dev');
    write(guard, 'junit.jupiter.conditions.deactivate=*');
    run({ text: './mvnw test' });
    expect(await missing(check)).toContain(`${guard} changed since you entered`);
    observed.pop();
  });

  test('a test file that the command names may change, also if the runner names no files [w:tests.guarded]', async () => {
    const text = 'python3 test_add.py -v';
    const check = { ...demands.failing, command: text } as Requirement;
    const file = (...titles: string[]): string =>
      [
        'import unittest',
        'class A(unittest.TestCase):',
        ...titles.map((title) => `    def test_${title}(self): self.assertEqual(1, 2)`),
        'unittest.main()\n',
      ].join('\n');
    write('test_add.py', file('one'));
    const state = gates.observe({ scope: '', root }, [check], null);
    visit = { mode: 'test-dev', scope: '', entry: 'named', since: new Date().toISOString(), work: noWork, root };
    gates.entered(visit, state);
    observed.push(check);
    run({ text });
    write('test_add.py', file('one', 'two'));
    run({ text });
    observed.pop();
    expect(await missing(check)).toBe('holds');
  });

  test('a copy that the build makes of a guarded file is no change of its own [w:tests.guarded]', async () => {
    const check = { ...demands.passing, command: './mvnw test', outputs: ['**/target/**'] } as Requirement;
    const [source, copy] = ['src/test/resources', 'target/test-classes'].map(
      (folder) => `${folder}/junit-platform.properties`,
    ) as [string, string];
    observed.push(check);
    write('mvnw', '#!/bin/sh\nmkdir -p target/surefire-reports\ncat new.xml > target/surefire-reports/TEST-C.xml\n');
    fs.chmodSync(path.join(root, 'mvnw'), 0o755);
    write('new.xml', xml(one('a')));
    write(source, 'a=b');
    enter('test-dev');
    run({ text: './mvnw test' });
    enter('feature-dev');
    write(copy, 'a=b');
    run({ text: './mvnw test' });
    expect(await missing(check)).toBe('holds');
    write(copy, 'junit.jupiter.conditions.deactivate=*');
    run({ text: './mvnw test' });
    expect(await missing(check)).toContain(`${copy} changed since you entered`);
    write(source, 'junit.jupiter.conditions.deactivate=*');
    run({ text: './mvnw test' });
    expect(await missing(check)).toContain(`${source}, ${copy} changed since you entered`);
    observed.pop();
  });

  test.each(['Cargo.lock', 'uv.lock'])('%s that the command makes is no change [w:evidence.lockfile]', async (lockfile) => {
    enter('test-dev');
    write('test/add.test.js', testFile(addsOne));
    run({ during: () => write(lockfile, 'version = 4') });
    expect(await unmet(demands.failing)).toEqual([]);
    run({ during: () => write(lockfile, 'version = 5') });
    expect(await missing(demands.failing)).toContain(`${lockfile} changed while`);
    enter('feature-dev');
    write('src/add.js', right);
    write(lockfile, 'version = 6');
    run();
    expect(await missing(demands.passing)).toContain(`${lockfile} changed since you entered this mode`);
  });

  test('a file whose time was set back may hide in an earlier build [w:tests.times]', async () => {
    const check = { ...demands.passing, command: './mvnw test', outputs: ['**/target/**'] } as Requirement;
    const old = new Date('2001-01-01');
    observed.push(check);
    write('mvnw', '#!/bin/sh\nmkdir -p target/surefire-reports\ncat new.xml > target/surefire-reports/TEST-C.xml\n');
    fs.chmodSync(path.join(root, 'mvnw'), 0o755);
    write('new.xml', xml(one('a')));
    write('old.java', '');
    fs.utimesSync(path.join(root, 'old.java'), old, old);
    enter('test-dev');
    run({ text: './mvnw test' });
    enter('feature-dev');
    for (const name of ['src/add.js', 'src/new.js']) {
      write(name, right);
      fs.utimesSync(path.join(root, name), old, old);
    }
    run({ text: './mvnw test' });
    expect(await missing(check)).toBe(
      'src/add.js changed, with a time of change that was set back, so ./mvnw test may have used an earlier build',
    );
    expect((await unmet(check))[0]?.how).toContain('Run touch src/add.js');
    write('src/add.js', right);
    run({ text: './mvnw test' });
    expect(await unmet(check)).toEqual([]);
    observed.pop();
  });

  test('with by: engine, a run of the agent does not count [w:tests.source]', async () => {
    const check = { ...demands.passing, by: 'engine' } as Requirement;
    write('src/add.js', right);
    write('test/add.test.js', testFile(addsOne));
    enter('test-dev');
    run();
    expect(await missing(check)).toBe(`${command} has not run for this transition`);
  });
});

describe('files that a runner finds outside of the project', () => {
  test.each<[command: string, file: string, shown: string]>([
    ['npm test', 'home/.npmrc', '~/.npmrc'],
    ['mvn test', 'home/.m2/settings.xml', '~/.m2/settings.xml'],
    ['mvn test', 'home/.m2/toolchains.xml', '~/.m2/toolchains.xml'],
    ['npm test', 'node_modules/.bin/node', 'TOP/node_modules/.bin/node'],
    ['gradle cleanTest test', 'home/.gradle/init.d/a.gradle', '~/.gradle/init.d/a.gradle'],
    ['go test -v ./...', 'home/.config/go/env', '~/.config/go/env'],
    ['cargo test', 'home/.cargo/config.toml', '~/.cargo/config.toml'],
    [
      'python -m pytest -v',
      'home/.local/lib/python3.12/site-packages/usercustomize.py',
      '~/.local/lib/python3.12/site-packages/usercustomize.py',
    ],
    ['cargo test', '.cargo/config.toml', 'TOP/.cargo/config.toml'],
    ['python -m pytest -v', 'pytest.ini', 'TOP/pytest.ini'],
    ['mocha', '.mocharc.yml', 'TOP/.mocharc.yml'],
    ['jest', 'folder/package.json', 'TOP/folder/package.json'],
    ['make test', 'pytest.ini', 'TOP/pytest.ini'],
    ['go test -v ./...', 'go.work', 'TOP/go.work'],
  ])('%s: %s [w:tests.guarded]', (text, file, shown) => {
    const top = fs.mkdtempSync(path.join(os.tmpdir(), 'named-tests-around-'));
    const project = path.join(top, 'folder/project');
    putFile(path.join(project, 'package.json'), '{"scripts":{"test":"mocha"}}');
    const check = { ...demands.passing, command: text } as TestsCheck;
    const before = guardedTree(check, project, path.join(top, 'home'));
    putFile(path.join(top, file), 'changed');
    expect(differences(before, guardedTree(check, project, path.join(top, 'home')))).toEqual([shown.replace('TOP', top)]);
    fs.rmSync(top, { recursive: true, force: true });
  });
});

test.each<[command: string, files: string[]]>([
  ['npm test', ['test/package.json', 'src/tsconfig.json', 'jsconfig.json', 'test/.mocharc.json', '.envrc', 'packages/a/.npmrc']],
  [
    'npx turbo run test',
    ['turbo.json', 'packages/a/turbo.json', 'turbo.jsonc', '.turbo/config.json', 'packages/a/jest.config.ts'],
  ],
  ['nx run-many -t test', ['nx.json', 'packages/a/project.json', '.nxrc', '.nxignore']],
  ['pnpm -r test', ['pnpm-workspace.yaml', '.pnpmfile.cjs', 'packages/a/vitest.config.ts']],
  ['make test', ['GNUmakefile', 'makefile', 'common.mk', 'pytest.ini']],
  ['just test', ['justfile', '.justfile']],
  ['task test', ['taskfile.yaml']],
  ['uv run pytest -v', ['uv.toml', 'tests/pytest.ini', 'src/pyproject.toml', '.venv/lib/python3.12/site-packages/x.pth']],
  ['poetry run pytest -v', ['poetry.toml', 'poetry.lock']],
  ['hatch run test', ['hatch.toml']],
  ['tox', ['tox.ini', 'tox.toml', 'setup.cfg']],
  ['nox', ['noxfile.py']],
  ['invoke test', ['tasks.py']],
  ['go test -v ./...', ['sub/go.mod', '.go-version']],
  ['cargo test', ['crates/x/build.rs', 'crates/x/.cargo/config.toml']],
  [
    'mvn test',
    [
      'src/test/resources/META-INF/services/org.junit.platform.launcher.TestExecutionListener',
      'src/test/resources/META-INF/services/org.testng.ITestNGListener',
      'src/test/resources/META-INF/services/org.spockframework.runtime.extension.IGlobalExtension',
      'src/test/resources/mockito-extensions/org.mockito.plugins.MockMaker',
    ],
  ],
  ['dotnet test', ['xunit.runner.json', 'NuGet.Config', 'a.slnx', 'sub/b.vbproj']],
  ['bundle exec rspec', ['.rspec-local', '.ruby-version', 'lib/tasks/x.rake']],
  ['vendor/bin/phpunit', ['php.ini', 'vendor/autoload.php', 'tests/Pest.php']],
  ['mix test', ['.tool-versions', 'config/test.exs']],
  ['deno test', ['imports.json']],
])('%s: %j [w:tests.guarded]', (text, files) => {
  write('deno.json', '{"importMap":"./imports.json"}');
  const check = { ...demands.passing, command: text } as TestsCheck;
  const open = files.filter((file) => {
    const before = guardedTree(check, root, '/home/nobody');
    write(file, 'changed');
    return !differences(before, guardedTree(check, root, '/home/nobody')).includes(file);
  });
  expect(open).toEqual([]);
});

test.each<[what: string, make: () => void, change: () => void, named: string]>([
  [
    'a link as a configuration',
    () => fs.symlinkSync('conf/x.ini', path.join(root, 'pytest.ini')),
    () => write('x', ''),
    'pytest.ini',
  ],
  [
    'a link to a folder of tests',
    () => fs.symlinkSync('conf', path.join(root, 'tests')),
    () => write('conf/conftest.py', ''),
    'tests/conftest.py',
  ],
])('%s is guarded with its target [w:tests.guarded]', (_, make, change, named) => {
  write('conf/x.ini', '[pytest]');
  make();
  const check = { ...demands.passing, command: 'pytest -v' } as TestsCheck;
  const before = guardedTree(check, root, '/home/nobody');
  write('conf/x.ini', '[pytest]\naddopts = -k one');
  change();
  expect(differences(before, guardedTree(check, root, '/home/nobody'))).toContain(named);
});

describe('no evidence', () => {
  const enterFeature = () => {
    write('test/add.test.js', testFile(addsOne, addsTwo));
    enter('test-dev');
    run();
    enter('feature-dev');
  };

  test.each<[what: string, forge: () => void, missing: string]>([
    ['exit at import', () => write('src/add.js', `process.exit(0);${right}`), 'no evidence'],
    ['exit in the function', () => write('src/add.js', 'exports.add = () => process.exit(0);'), 'no evidence'],
    ['exit code set', () => write('src/add.js', `process.on('exit', () => { process.exitCode = 0; });${wrong}`), '`adds one`'],
    [
      'a patched assertion',
      () => write('src/add.js', `require('node:assert').equal = () => process.exit(0);${wrong}`),
      'no evidence',
    ],
    ['a removed test', () => write('test/add.test.js', testFile(addsOne)), '`adds two` was not reported'],
    ['a renamed test', () => write('test/add.test.js', testFile(addsOne, ['adds 2', ''])), '`adds two` was not reported'],
    [
      'a skipped test',
      () => write('test/add.test.js', `${testFile(addsOne)}\ntest.skip('adds two', () => {});`),
      '`adds two` was skipped',
    ],
    ['no test left', () => fs.rmSync(path.join(root, 'test'), { recursive: true }), 'no evidence'],
    ['a program before node', () => write('node_modules/.bin/node', ''), 'node_modules/.bin/node changed since you entered'],
    ['a changed package.json', () => write('package.json', '{"type":"commonjs"}'), 'package.json changed since you entered'],
  ])('%s [w:tests.forged] [w:tests.guarded]', async (_what, forge, expected) => {
    enterFeature();
    write('src/add.js', right);
    forge();
    run();
    expect(await missing(demands.passing)).toContain(expected);
  });

  test.each<[when: string, swap: (change: () => void) => void]>([
    [
      'for the run, and restored after it',
      (change) => {
        change();
        run();
      },
    ],
    ['during the run', (change) => run({ during: change })],
  ])('a guarded file that git ignores and that changes %s [w:tests.swapped]', async (_when, swap) => {
    enterFeature();
    write('src/add.js', right);
    swap(() => write('node_modules/.bin/node', ''));
    fs.rmSync(path.join(root, 'node_modules/.bin/node'));
    expect(await missing(demands.passing)).toContain('node_modules/.bin/node changed during the newest run');
    run();
    expect(await missing(demands.passing)).toBe('holds');
  });

  test.each([
    ['tox', '.tox/py/lib/python3.12/site-packages/pytest/__init__.py', 'same'],
    ['tox', 'src/a.egg-info/entry_points.txt', 'same'],
    ['mvn test', 'target/test-classes/junit-platform.properties', 'same'],
    ['mvn test', 'src/test/resources/junit-platform.properties', 'other'],
    ['mocha', 'node_modules/.bin/mocha', 'other'],
  ])('%s: %s, written again with its content, has the %s stamp [w:tests.swapped]', (text, name, stamp) => {
    const stamps = () => guardStamps({ ...demands.passing, command: text } as TestsCheck, root, '/home/nobody');
    write(name, 'a');
    const before = stamps();
    fs.rmSync(path.join(root, name));
    write('between', '');
    write(name, 'a');
    expect(differences(before, stamps())).toEqual(stamp === 'same' ? [] : [name]);
    write(name, 'b');
    expect(differences(before, stamps())).toEqual(name.startsWith('target/') ? [] : [name]);
  });

  test('a file of the runner, if only the output shows the runner [w:tests.guarded]', async () => {
    const check = { ...demands.passing, command: './run' } as Requirement;
    observed.push(check);
    write('run', `#!/bin/sh\n${command}`);
    fs.chmodSync(path.join(root, 'run'), 0o755);
    write('test/add.test.js', testFile(addsOne));
    enter('test-dev');
    run({ text: './run' });
    enter('feature-dev');
    write('src/add.js', right);
    write('other/conftest.py', 'for another runner');
    run({ text: './run' });
    expect(await missing(check)).toBe('holds');
    write('other/package.json', '{}');
    run({ text: './run' });
    expect(await missing(check)).toContain('other/package.json changed since you entered');
    observed.pop();
  });

  test('a file that changes during the run [w:evidence.during]', async () => {
    enterFeature();
    write('src/add.js', right);
    run({ during: () => write('src/add.js', wrong) });
    expect(await missing(demands.passing)).toContain('changed while');
  });

  test('a test file that only exits is not a failing test [w:tests.failing]', async () => {
    enter('test-dev');
    write('test/add.test.js', 'process.exit(3);');
    run();
    expect(await missing(demands.failing)).not.toBe('holds');
  });

  test('an error that is not an assertion is not a failing test [w:tests.failing]', async () => {
    enter('test-dev');
    write('test/add.test.js', testFile(['breaks', 'undefined.x;']));
    run();
    expect(await missing(demands.failing)).toContain('`breaks` failed by an error and not by an assertion');
  });

  test('a run without the report, whatever it printed [w:tests.requested]', async () => {
    enterFeature();
    write('src/add.js', right);
    run({ mayReplace: false });
    expect(await missing(demands.passing)).toContain('it ran without the report that Modes asks its runner for');
    run();
    expect(await unmet(demands.passing)).toEqual([]);
  });

  test('a mode whose entry was not recorded', async () => {
    visit = { mode: 'feature-dev', scope: '', entry: 'unseen', since: null, work: noWork, root };
    write('test/add.test.js', testFile(addsOne));
    run();
    expect(await missing(demands.passing)).toContain('not recorded');
  });
});
