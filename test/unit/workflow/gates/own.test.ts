// `run:`, `review:` and `policy:` in a whole project: a person's trust, real processes, real git, the compiled core.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Running } from '../../../../src/workflow/engine.ts';
import type { ReviewInput } from '../../../../src/workflow/gates/review.ts';
import { RunLedger } from '../../../../src/workflow/gates/runs.ts';
import type { Unmet } from '../../../../src/workflow/gates/unmet.ts';
import { nobody, openProject, type Project } from '../../../../src/workflow/project.ts';
import { putFile, temporaryFolder } from '../../../support/files.ts';
import { prepare } from '../../../support/prepare.ts';

const packageRoot = fileURLToPath(new URL('../../../..', import.meta.url));
const asker = { session: 's', permissionMode: 'default' };

let base: string;
let root: string;
const at = (name: string) => path.join(root, name);
const write = (name: string, text: string) => {
  putFile(at(name), text);
};
beforeEach(() => {
  base = temporaryFolder('own-runs-');
  root = path.join(base, 'project');
  write('src/a.js', 'one');
  write('package.json', '{"scripts":{"test":"true"}}');
});
afterEach(() => fs.rmSync(base, { recursive: true, force: true }));

interface Setting {
  require: string;
  /** The gate of the way back. */
  back?: string;
  /** Beside `require` on the edge. */
  edge?: string;
  /** At the top of the configuration. */
  above?: string;
  trusted?: boolean;
  settings?: object;
  env?: Record<string, string>;
}

/** A project in mode `a` whose way to `b` has this gate. */
async function open({
  require,
  back = '',
  edge = '',
  above = '',
  trusted = true,
  settings = {},
  env = {},
}: Setting): Promise<Project> {
  const modes = `${above}name: t\ndefault: a\nmodes:\n  a:\n    transitions: [{to: b, require: [${require}]${edge}}]\n  b:\n    transitions: [{to: a, require: [${back}]}]\n`;
  write('.claude/modes.yaml', modes);
  for (const mode of ['a', 'b']) write(`.claude/settings.${mode}.json`, JSON.stringify({ permissions: settings }));
  const all = { HOME: base, PATH: process.env.PATH, ...env };
  const project = openProject({ start: root, env: all, packageRoot, prepare });
  if (project === null) throw new Error('not governed');
  await project.ready('s');
  expect(
    project
      .for({ session: 's', cwd: root })
      .problems()
      .filter(({ severity }) => severity === 'error'),
  ).toEqual([]);
  if (trusted) await trust(project);
  return project;
}

async function trust(project: Project): Promise<void> {
  project.for(nobody).approvals.give('terminal');
  project.for(nobody).adopt('all');
  await project.ready('s');
}

/** What does not hold; nothing when the change was made. */
async function go(project: Project, running: Running = {}, cwd = root): Promise<Unmet[]> {
  const answer = await project.for({ session: 's', cwd }).transitions.transition('b', 'because', asker, undefined, running);
  if (answer.success) return [];
  if (answer.unmet === undefined) throw new Error(answer.reason);
  return answer.unmet;
}

const missing = (unmet: Unmet[]) => unmet.map((one) => one.missing).join('; ');

test('a change of a guarded file is checked again after the commands of the next mode ran [w:verified.late]', async () => {
  const project = await open({ require: '', back: '{tests: {command: "sh slow.sh", passing: all}}' });
  const caller = project.for({ session: 's', cwd: root });
  const late = { check: 'verified runs', missing: 'src/a.js changed', how: 'Put it back.' };
  let looks = 0;
  caller.verified.unmet = () => (looks++ === 0 ? [] : [late]);
  expect(await caller.transitions.transition('b', 'because', asker)).toMatchObject({ success: false, unmet: [late] });
  expect(caller.state().mode).toBe('a');
});

test('folders of reports that wait for the end of a run do not count among the kept outputs', async () => {
  write('fails.sh', 'echo a; exit 1');
  const project = await open({ require: '{run: sh fails.sh}' });
  await go(project);
  const data = path.join(base, '.claude');
  const folder = fs.readdirSync(data, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('/gates')) as string;
  const reports = Array.from({ length: 25 }, (_, at) => path.join(data, folder, `report-${at}`));
  for (const one of reports) fs.mkdirSync(one);
  await go(project);
  expect(reports.every((one) => fs.existsSync(one))).toBe(true);
  expect(fs.readdirSync(path.join(data, folder)).filter((name) => name.endsWith('.txt'))).toHaveLength(2);
});

describe('tests', () => {
  const suite = (body: string) => `require('node:test')('adds one', () => { ${body} });`;
  const failing = "require('node:assert').equal(1, 2);";

  test('are run by the engine, with a report of their names [w:tests.source]', async () => {
    write('package.json', '{"scripts":{"test":"node --test"}}');
    const project = await open({ require: '{tests: {command: npm test, failing: new, by: engine}}' });
    project.for(nobody).transitions.beginGates(new RunLedger());
    write('test/a.test.js', suite(''));
    expect(missing(await go(project))).toContain('it is unknown which tests failed');
    write('test/a.test.js', suite('process.exit(0);'));
    expect(missing(await go(project))).toContain('no evidence');
    write('test/a.test.js', suite(failing));
    expect(await go(project)).toEqual([]);
    expect(project.for(nobody).state().entries.at(-1)?.evidence).toMatchObject([{ runner: 'node:test', tests: ['adds one'] }]);
    expect(
      fs.readdirSync(path.join(base, '.claude'), { recursive: true }).filter((name) => /report-/.test(String(name))),
    ).toEqual([]);
  });

  test('are not run without trust [w:tests.source]', async () => {
    const project = await open({ require: '{tests: {command: npm test, failing: new}}', trusted: false });
    project.for(nobody).transitions.beginGates(new RunLedger());
    write('test/a.test.js', suite(failing));
    const [unmet] = await go(project);
    expect(unmet?.missing).toBe('npm test has not been run in this mode');
    expect(unmet?.how).toContain('The engine does not run it: commands of an untrusted configuration are not run');
  });

  test('the answer to a transition names the command that shows the tests first [w:tests.base]', async () => {
    const project = await open({ require: '{file: package.json}', back: '{tests: {command: npm test, passing: all}}' });
    const answer = await project.for({ session: 's', cwd: root }).transitions.transition('b', 'because', asker);
    expect(answer).toMatchObject({ success: true, advice: expect.stringContaining('Run npm test before you change a file') });
  });
});

describe('run', () => {
  test('opens the transition when the command ends with 0 [w:run.holds]', async () => {
    const project = await open({ require: '{run: "echo ran > ../ran"}' });
    expect(await go(project)).toEqual([]);
    expect(fs.readFileSync(path.join(base, 'ran'), 'utf8')).toBe('ran\n');
    expect(project.for(nobody).state().mode).toBe('b');
  });

  test.each([
    ['another code [w:run.holds]', '{run: "echo no; exit 3"}', 'failed with exit code 3'],
    ['a signal', '{run: kill -9 $$}', 'was ended by SIGKILL'],
    ['its limit [w:run.limit]', '{run: sleep 60, timeout: 100ms}', 'ended after its limit of 0.1 s'],
    ['too much output [w:run.flood]', '{run: "yes"}', 'printed too much'],
    ['an output without the text', '{run: echo fine, output: "* passing"}', 'does not contain'],
    ['a folder that is not there', '{run: "true", in: lib}', 'lib cannot be entered'],
    ['a folder outside', '{run: "true", in: ..}', 'leads out of the project'],
    ['a watched file that it changes [w:run.during]', '{run: echo x > src/b.js}', 'src/b.js changed while'],
    [
      'a file that it uses and changes [w:run.during]',
      '{run: echo x >> package.json, watch: "src/**"}',
      'package.json changed while',
    ],
  ])('does not open it by %s', async (_, require, expected) => {
    const unmet = await go(await open({ require }));
    expect(unmet).toHaveLength(1);
    expect(unmet[0]?.missing).toContain(expected);
  });

  test('may change its outputs', async () => {
    expect(await go(await open({ require: '{run: echo x > src/b.js, outputs: "src/**"}' }))).toEqual([]);
  });

  test('runs in the folder that in: names', async () => {
    write('lib/here', '');
    expect(await go(await open({ require: '{run: test -f here, in: lib}' }))).toEqual([]);
  });

  test('in a worktree with a mode of its own runs there, if its files are the approved ones [w:run.uses] [w:evidence.worktree]', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: root, stdio: 'pipe' });
    write('check.sh', 'test -f here');
    git('init', '-q');
    git('add', '.');
    git('commit', '-q', '-m', 'x');
    git('worktree', 'add', '-q', '.claude/worktrees/w');
    const project = await open({ require: '{run: sh check.sh}', above: 'scope: worktree\n' });
    const tree = at('.claude/worktrees/w');
    expect(missing(await go(project, {}, tree))).toContain('failed with exit code 1');
    write('.claude/worktrees/w/check.sh', 'true');
    expect(missing(await go(project, {}, tree))).toContain('check.sh changed since a person approved');
    write('.claude/worktrees/w/check.sh', 'test -f here');
    write('.claude/worktrees/w/here', '');
    expect(await go(project, {}, tree)).toEqual([]);
  });

  test('stores its output and names the file [w:run.output]', async () => {
    const [unmet] = await go(await open({ require: '{run: "echo one test failed; exit 1"}' }));
    const file = /Full output: (\S+)$/.exec(unmet?.how ?? '')?.[1] ?? '';
    expect(unmet?.how).toContain('Its output ends: one test failed');
    expect(fs.readFileSync(file, 'utf8')).toContain('one test failed');
    expect(fs.statSync(file).mode & 0o077).toBe(0);
  });

  test('is given no key of the client [w:run.environment]', async () => {
    const env = { ANTHROPIC_API_KEY: 'secret', CLAUDE_CODE_MESSAGING_TOKEN: 'secret', NODE_OPTIONS: '--no-such-option' };
    expect(await go(await open({ require: '{run: "! env | grep secret && node -e 0"}', env }))).toEqual([]);
  });

  test('of an unapproved configuration is not run, and the remedy is named [w:run.trust]', async () => {
    const project = await open({ require: '{run: touch ../ran}', trusted: false });
    const [unmet] = await go(project);
    expect(unmet).toMatchObject({
      missing: expect.stringContaining('untrusted configuration'),
      how: expect.stringContaining('/modes:trust'),
    });
    expect(fs.existsSync(path.join(base, 'ran'))).toBe(false);
  });

  test('is refused where the same Bash call would be denied [w:run.denied]', async () => {
    const project = await open({ require: '{run: touch ../ran}', settings: { deny: ['Bash(touch:*)'] } });
    expect(missing(await go(project))).toContain('as a Bash call it would be denied in a: Bash(touch:*)');
    expect(fs.existsSync(path.join(base, 'ran'))).toBe(false);
  });

  test('runs without a question where a Bash call would ask', async () => {
    expect(await go(await open({ require: '{run: touch ../ran}', settings: { ask: ['Bash(touch:*)'] } }))).toEqual([]);
  });

  test.each([
    ['settings of the project', '.claude/settings.json', '{"sandbox":{"enabled":true}}', 'settings.json'],
    ['settings of one person', '.claude/settings.local.json', '{"sandbox":{"enabled":true}}', 'settings.local.json'],
    ['settings of the user', '../.claude/settings.json', '{"sandbox":{"enabled":true}}', 'settings.json'],
    ['settings with comments', '.claude/settings.json', '{/* */"sandbox":{"enabled":true},}', 'settings.json'],
    ['settings that switch it off', '.claude/settings.json', '{"sandbox":{"enabled":false}}', null],
    ['settings of something else', '.claude/settings.json', '{"model":"x"}', null],
  ])('with a sandbox by %s [w:run.sandbox]', async (_, name, text, named) => {
    write(name, text);
    const found = missing(await go(await open({ require: '{run: "true"}' })));
    if (named === null) expect(found).toBe('');
    else expect(found).toMatch(new RegExp(`in a sandbox here \\(.*${named}\\)`));
  });

  test('runs outside of the sandbox if configured [w:run.sandbox]', async () => {
    write('.claude/settings.json', '{"sandbox":{"enabled":true}}');
    expect(await go(await open({ require: '{run: "true", unsandboxed: true}' }))).toEqual([]);
  });

  test('is run last, when all else holds [w:run.last]', async () => {
    const project = await open({ require: '{run: touch ../ran}, {file: done.md}' });
    expect((await go(project)).map(({ check }) => check)).toEqual(['run: touch ../ran', 'file: done.md']);
    expect(fs.existsSync(path.join(base, 'ran'))).toBe(false);
    write('done.md', '');
    expect(await go(project)).toEqual([]);
  });

  test('waits for a person if an approval is required [w:run.last]', async () => {
    const project = await open({ require: '{run: touch ../ran}', edge: ', approve: human' });
    expect((await go(project)).map(({ check }) => check)).toEqual(['approve: human', 'run: touch ../ran']);
    expect(fs.existsSync(path.join(base, 'ran'))).toBe(false);
  });

  test('stops at the first command that does not hold', async () => {
    const project = await open({ require: '{run: "false"}, {run: touch ../ran}' });
    expect(missing(await go(project))).toMatch(
      /^false failed with exit code 1 after \d+ s; touch \.\.\/ran has not run for this transition$/,
    );
    expect(fs.existsSync(path.join(base, 'ran'))).toBe(false);
  });

  test('cannot break what held before it', async () => {
    const project = await open({ require: '{file: kept.md}, {run: rm kept.md, outputs: kept.md}' });
    write('kept.md', '');
    expect(missing(await go(project))).toBe('kept.md does not exist');
  });

  test('is outdated if a watched file changes while the next command runs [w:run.during]', async () => {
    const project = await open({
      require:
        '{run: echo x > build.txt, outputs: build.txt}, {run: test -f src/new.js || echo x > src/new.js, outputs: src/new.js}, {run: echo two > src/a.js, watch: "lib/**"}',
    });
    expect(missing(await go(project))).toBe(
      'src/a.js changed after echo x > build.txt ended; src/a.js changed after test -f src/new.js || echo x > src/new.js ended',
    );
  });

  test('may write its declared outputs, and makes no other command of the gate outdated', async () => {
    const project = await open({
      require: '{run: echo x > build.txt, outputs: build.txt}, {run: echo y > report.txt, outputs: report.txt}',
    });
    expect(await go(project)).toEqual([]);
  });

  test('is not run for a status query [w:run.asked]', async () => {
    const project = await open({ require: '{run: touch ../ran}' });
    expect(await project.for(nobody).transitions.unmetTo('b')).toHaveLength(1);
    expect(fs.existsSync(path.join(base, 'ran'))).toBe(false);
  });

  test('runs in parallel to decisions, reports progress, and is not started twice [w:run.answers]', async () => {
    const project = await open({ require: '{run: "while [ ! -e ../end ]; do sleep 0.05; done"}' });
    const told: string[] = [];
    const first = go(project, { progress: (_, message) => told.push(message) });
    expect(missing(await go(project))).toContain('is running');
    const call = {
      hook_event_name: 'PreToolUse',
      session_id: 'other',
      cwd: root,
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
    };
    expect(project.decideText(JSON.stringify(call)).decision).toBe('pass');
    expect(told[0]).toMatch(/done: 0 s of at most 600 s$/);
    write('../end', '');
    expect(await first).toEqual([]);
  });

  test('ends with the request that it was run for', async () => {
    const project = await open({ require: '{run: "echo $$ > ../pid; sleep 60"}' });
    const gone = new AbortController();
    const answer = go(project, { signal: gone.signal, progress: () => setTimeout(() => gone.abort(), 300) });
    expect(missing(await answer)).toContain('the request for it was withdrawn');
  });
});

test('the emergency stop ends a command that runs for a gate', async () => {
  const project = await open({ require: '{run: "touch ../ran; sleep 60"}' });
  const answer = project.for(nobody).transitions.transition('b', 'because', asker, undefined, {});
  await expect.poll(() => fs.existsSync(path.join(base, 'ran')), { timeout: 20_000 }).toBe(true);
  expect(project.for(nobody).transitions.stop('SILENCE in a prompt', asker)).toBe(true);
  expect((await answer).success).toBe(false);
  expect(project.for(nobody).state().degraded?.code).toBe('E_STOPPED');
});

describe('the files that a command uses', () => {
  test.each<[string, string, () => void, string | null]>([
    ['the manifest [w:run.uses]', '{run: "true"}', () => write('package.json', '{}'), 'package.json changed'],
    ['a lockfile that is new', '{run: "true"}', () => write('package-lock.json', '{}'), 'package-lock.json changed'],
    [
      "a runner's configuration that is new [w:run.uses]",
      '{run: "true"}',
      () => write('vitest.config.ts', ''),
      'vitest.config.ts changed',
    ],
    ['a manifest that is gone', '{run: "true"}', () => fs.rmSync(at('package.json')), 'package.json changed'],
    ['the manifest of its folder', '{run: "true", in: lib}', () => write('lib/package.json', '{}'), 'lib/package.json changed'],
    ['a script that it names', '{run: ./check.sh}', () => write('check.sh', '#!/bin/sh\nexit 0\n# other'), 'check.sh changed'],
    [
      'a configuration in a folder [w:run.uses]',
      '{run: "true"}',
      () => write('.cargo/config.toml', ''),
      '.cargo/config.toml changed',
    ],
    [
      'one in a folder of the folder it runs in [w:run.uses]',
      '{run: "true", in: pkg}',
      () => write('pkg/.yarn/releases/yarn.cjs', ''),
      'pkg/.yarn/releases/yarn.cjs changed',
    ],
    ['another file in such a folder', '{run: "true"}', () => write('.yarn/cache/a.zip', ''), null],
    ['a file that uses: names', '{run: "true", uses: "tools/**"}', () => write('tools/x.js', 'two'), 'tools/x.js changed'],
    [
      'an installed file that uses: names [w:run.uses]',
      '{run: "true", uses: "node_modules/x/**"}',
      () => write('node_modules/x/i.js', 'two'),
      'node_modules/x/i.js changed',
    ],
    [
      'an installed script that it names [w:run.uses]',
      '{run: ./node_modules/check.sh}',
      () => write('node_modules/check.sh', '#!/bin/sh\nexit 0\n# other'),
      'node_modules/check.sh changed',
    ],
    [
      'a script behind an assignment [w:run.uses]',
      '{run: "X=1 node tools/x.js"}',
      () => write('tools/x.js', '0 // other'),
      'tools/x.js changed',
    ],
    [
      'a script of the second part [w:run.uses]',
      '{run: "true && ./check.sh"}',
      () => write('check.sh', '#!/bin/sh\nexit 0\n#'),
      'check.sh changed',
    ],
    [
      'the manifest of a folder that it goes into [w:run.uses]',
      '{run: "cd lib && true"}',
      () => write('lib/package.json', '{}'),
      'lib/package.json changed',
    ],
    [
      'a configuration that an option names [w:run.uses]',
      '{run: "true || vitest run -c conf/v.ts"}',
      () => write('conf/v.ts', ''),
      'conf/v.ts changed',
    ],
    [
      'one in a folder that an option names',
      '{run: "true || tsc -p conf", uses: "tools/**"}',
      () => write('conf', 'a file'),
      'conf changed',
    ],
    [
      'the manifest in a folder that an option names [w:run.uses]',
      '{run: "true || tsc -p conf"}',
      () => write('conf/tsconfig.json', '{}'),
      'conf/tsconfig.json changed',
    ],
    [
      'what is included from a folder [w:run.uses]',
      '{run: "true || make -I mk test"}',
      () => write('mk/deep/rules', 'test:'),
      'mk/deep/rules changed',
    ],
    [
      'a module before an installed one [w:run.uses]',
      '{run: "true || python -m pytest"}',
      () => write('pytest/__main__.py', ''),
      'pytest/__main__.py changed',
    ],
    ["a linter's configuration", '{run: "true"}', () => write('.eslintrc.json', '{}'), '.eslintrc.json changed'],
    ['another installed file', '{run: ./node_modules/check.sh}', () => write('node_modules/y.js', ''), null],
    ['a manifest, touched and equal', '{run: "true"}', () => write('package.json', '{"scripts":{"test":"true"}}'), null],
    ['a source file', '{run: "true"}', () => write('src/a.js', 'two'), null],
    ['a manifest of another folder', '{run: "true"}', () => write('other/package.json', '{}'), null],
    ['a manifest that uses: does not name', '{run: "true", uses: "tools/**"}', () => write('package.json', '{}'), null],
  ])('%s', async (_, require, change, expected) => {
    write('lib/index.js', '');
    write('tools/x.js', '0');
    write('check.sh', '#!/bin/sh\nexit 0\n');
    write('node_modules/check.sh', '#!/bin/sh\nexit 0\n');
    for (const script of ['check.sh', 'node_modules/check.sh']) fs.chmodSync(at(script), 0o755);
    const project = await open({ require });
    change();
    const found = await go(project);
    if (expected === null) expect(found).toEqual([]);
    else {
      expect(found[0]?.missing).toContain(expected);
      expect(found[0]?.how).toContain('/modes:trust');
      await trust(project);
      expect(await go(project)).toEqual([]);
    }
  });

  test('are part of the approval, with a separate hash [w:run.uses]', async () => {
    const project = await open({ require: '{run: npm test}', trusted: false });
    const before = project.for(nobody).approvals.wanted();
    expect(before.changes).toEqual(['run: npm test: the engine runs it; it uses package.json']);
    await trust(project);
    expect(project.for(nobody).approvals.wanted()).toEqual({ approvalHash: before.approvalHash, changes: [] });
    write('package.json', '{}');
    expect(project.for(nobody).approvals.wanted().changes).toEqual(['run: npm test: package.json changed']);
    expect(project.for(nobody).approvals.wanted().approvalHash).not.toBe(before.approvalHash);
  });

  test('change nothing if no gate runs a command', async () => {
    const project = await open({ require: '{file: a.md}' });
    expect(project.for(nobody).approvals.wanted()).toEqual({
      approvalHash: project.for(nobody).describe().configuration.hash,
      changes: [],
    });
  });

  test('close the gate if only a signature approved the configuration', async () => {
    const project = await open({ require: '{run: "true"}' });
    fs.rmSync(path.join(project.place.dataFolder, 'projects'), { recursive: true });
    const again = openProject({ start: root, env: { HOME: base, PATH: process.env.PATH }, packageRoot, prepare }) as Project;
    await again.ready('s');
    expect(missing(await go(again))).toContain('untrusted configuration');
  });
});

describe('review', () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: root, stdio: 'pipe', encoding: 'utf8' });
  const read = (): ReviewInput => JSON.parse(fs.readFileSync(path.join(base, 'seen'), 'utf8'));
  const seeing = '{review: cat > ../seen}';

  beforeEach(() => {
    git('init', '-q');
    write('.env', 'KEY=old');
    git('add', '-f', '.');
    git('commit', '-q', '-m', 'first');
  });

  /** The mode was entered at the first commit, and there is a second. */
  const withSecond = async () => {
    const project = await open({ require: seeing });
    project.for(nobody).transitions.force('b', 'x', asker);
    project.for(nobody).transitions.force('a', 'to begin', asker);
    const entered = git('rev-parse', 'HEAD').trim();
    write('src/a.js', 'two');
    git('commit', '-q', '-am', 'second');
    return { project, entered };
  };

  test('gets the changes, committed ones too, and the journal [w:review.holds] [w:review.commits]', async () => {
    const { project, entered } = await withSecond();
    write('src/b.js', 'fresh');
    write('picture.png', Buffer.from([0x89, 0xff, 0x00]).toString('latin1'));
    fs.writeFileSync(at('picture.png'), Buffer.from([0x89, 0xff, 0xfe]));
    expect(await go(project)).toEqual([]);
    const input = read();
    expect(input).toMatchObject({ version: 1, mode: 'a', to: 'b', explanation: 'because', root, base: entered });
    expect(input.diff).toContain('-one\n');
    expect(input.diff).toContain('+two\n');
    expect(input.untracked).toContainEqual({ path: 'src/b.js', text: 'fresh' });
    expect(input.left_out).toContainEqual({ path: 'picture.png', why: 'it is not text' });
    expect(input.journal.at(-1)).toMatchObject({ from: 'b', to: 'a', actor: 'person', explanation: 'to begin' });
  });

  test('gets everything if nothing was committed when the mode was entered [w:review.commits]', async () => {
    fs.rmSync(at('.git'), { recursive: true });
    git('init', '-q');
    const project = await open({ require: seeing });
    project.for(nobody).transitions.force('b', 'x', asker);
    project.for(nobody).transitions.force('a', 'to begin', asker);
    git('add', '.');
    git('commit', '-q', '-m', 'all of it');
    expect(await go(project)).toEqual([]);
    expect(read()).toMatchObject({ base: null, diff: expect.stringContaining('+one\n') });
  });

  test('does not hold if the commit of the entry could not be recorded [w:review.commits]', async () => {
    const many = path.join(base, 'many');
    fs.mkdirSync(many);
    for (let one = 0; one <= 20_000; one++) fs.closeSync(fs.openSync(path.join(many, `${one}`), 'w'));
    const project = await open({ require: seeing });
    project.for(nobody).transitions.force('b', 'x', asker);
    fs.symlinkSync(many, at('link'));
    project.for(nobody).transitions.force('a', 'to begin', asker);
    fs.rmSync(at('link'));
    write('src/a.js', 'two');
    git('commit', '-q', '-am', 'second');
    expect(missing(await go(project))).toBe('the commit was not recorded when you entered this mode');
    project.for(nobody).transitions.force('b', 'x', asker);
    project.for(nobody).transitions.force('a', 'anew', asker);
    expect(await go(project)).toEqual([]);
  });

  test('that fails prints the unmet part [w:review.missing]', async () => {
    const [unmet] = await go(await open({ require: '{review: "echo the empty list is not handled; exit 1"}' }));
    expect(unmet).toMatchObject({ check: expect.stringContaining('review: '), missing: 'the empty list is not handled' });
  });

  test('escape codes of a review are removed', async () => {
    const [unmet] = await go(await open({ require: `{review: 'printf "\\033[31mred\\033[0m\\033]0;x\\007\\r end"; exit 1'}` }));
    expect(unmet?.missing).toBe('red end');
  });

  test('does not get files that rules deny to read, and gets a note [w:review.hidden]', async () => {
    write('keys/new.pem', 'secret');
    write('.env', 'KEY=secret');
    write('src/a.js', 'two');
    const project = await open({ require: seeing, settings: { deny: ['Read(.env)', 'Read(keys/**)'] } });
    expect(await go(project)).toEqual([]);
    const input = read();
    expect(JSON.stringify(input)).not.toContain('secret');
    expect(input.left_out).toEqual([
      { path: '.env', why: 'a rule denies reading it' },
      { path: 'keys/new.pem', why: 'a rule denies reading it' },
    ]);
    expect(input.diff).toContain('+two');
  });

  test('gets a list of files that git was told to treat as unchanged [w:review.hidden]', async () => {
    git('update-index', '--assume-unchanged', 'src/a.js');
    write('src/a.js', 'two');
    expect(await go(await open({ require: seeing }))).toEqual([]);
    expect(read().left_out).toEqual([{ path: 'src/a.js', why: 'git treats it as unchanged, but it has changed' }]);
  });

  test('gets a list of files that git hides by an uncommitted ignore file, in an $Id$, or by an encoding [w:review.hidden]', async () => {
    write('.gitignore', 'built\n');
    write('.gitattributes', '*.js ident\n');
    write('src/kept.js', '// $Id$\n');
    git('add', '.');
    git('commit', '-q', '-m', 'second');
    fs.rmSync(at('src/kept.js'));
    git('checkout', '--', 'src/kept.js');
    write('src/a.js', '// $Id: 0; process.exit(1); $\n');
    git('add', 'src/a.js');
    git('commit', '-q', '-m', 'third');
    write('built/b.js', 'shown to nobody, as a commit says');
    const project = await open({ require: seeing });
    const told = async () => {
      expect(await go(project)).toEqual([]);
      return read().left_out;
    };
    expect(fs.readFileSync(at('src/kept.js'), 'utf8')).toMatch(/^\/\/ \$Id: [0-9a-f]{40} \$\n$/);
    expect(await told()).toEqual([{ path: 'src/a.js', why: 'git does not show the value of its $Id$' }]);
    write('src/a.js', '// none\n');
    write('.gitattributes', 'src/a.js working-tree-encoding=UTF-7\n');
    git('add', '.');
    git('commit', '-q', '-m', 'fourth');
    write('src/a.js', '// +AG4-one\n');
    git('add', '.');
    write('src/c/.gitignore', '*');
    write('src/c/new.js', 'hidden');
    write('secret.js', 'hidden');
    fs.writeFileSync(at('.git/info/exclude'), 'secret.js\n');
    project.for(nobody).transitions.force('a', 'to begin', asker);
    const why = 'it hides files from git, and is not committed';
    expect(await told()).toEqual([
      { path: '.git/info/exclude', why },
      { path: 'src/c/.gitignore', why },
      { path: 'src/a.js', why: 'git shows a different text because of its encoding' },
    ]);
  });

  test('gets the changes of a text that git was told to treat as binary, and a note for a real binary', async () => {
    write('.gitattributes', '*.js -diff\n.gitattributes -diff\n');
    write('src/a.js', 'two');
    fs.writeFileSync(at('.env'), Buffer.from([0, 0xff]));
    expect(await go(await open({ require: seeing }))).toEqual([]);
    expect(read().diff).toContain('+two');
    expect(read().left_out).toEqual([{ path: '.env', why: 'it is not text' }]);
  });

  test('gets the changes from the commit of the entry, even if it was replaced', async () => {
    const { project, entered } = await withSecond();
    git('replace', entered, 'HEAD');
    expect(await go(project)).toEqual([]);
    expect(read().diff).toContain('+two\n');
  });

  test('gets a list of uncommitted files in a submodule', async () => {
    execFileSync('git', ['init', '-q', 'inner'], { cwd: root });
    write('inner/a.js', 'one');
    const inner = (...args: string[]) => git('-C', 'inner', ...args);
    inner('add', '.');
    inner('commit', '-q', '-m', 'x');
    git('add', 'inner');
    git('commit', '-q', '-m', 'inner');
    write('inner/a.js', 'two');
    expect(await go(await open({ require: seeing }))).toEqual([]);
    expect(read().left_out).toEqual([{ path: 'inner/a.js', why: 'it is in a submodule, and is not committed there' }]);
  });

  test('starts no program of the repository [w:git.calm]', async () => {
    write('.gitattributes', '*.js filter=evil diff=evil\n');
    const programs = [
      'filter.evil.clean',
      'filter.evil.smudge',
      'diff.evil.command',
      'diff.evil.textconv',
      'diff.external',
      'core.fsmonitor',
      'core.pager',
    ];
    for (const name of programs) git('config', name, `touch ${base}/ran-${name}`);
    write('src/a.js', 'two');
    expect(await go(await open({ require: seeing }))).toEqual([]);
    expect(read().diff).toContain('+two');
    expect(fs.readdirSync(base).filter((name) => name.startsWith('ran-'))).toEqual([]);
  });

  test('does not hold outside of a repository', async () => {
    fs.rmSync(at('.git'), { recursive: true });
    expect(missing(await go(await open({ require: seeing })))).toContain('git repository');
  });

  test('before the first commit everything is a change', async () => {
    fs.rmSync(at('.git'), { recursive: true });
    git('init', '-q');
    git('add', 'src/a.js');
    expect(await go(await open({ require: seeing }))).toEqual([]);
    expect(read()).toMatchObject({ base: null, diff: expect.stringContaining('+one') });
  });
});

describe('policy', () => {
  const gates = (rules: string) => `package modes.policy.ready\n\n${rules}\n`;
  test.each([
    ['met [w:policy.gate]', 'gate contains {"name": "ready", "met": true, "missing": ""}', ''],
    [
      'not met [w:policy.gate]',
      'gate contains {"name": "ready", "met": false, "missing": "no changelog"}',
      'no changelog (.claude/policies/ready.rego:3)',
    ],
    [
      'met once and once not',
      'gate contains {"name": "ready", "met": met, "missing": "one part"} if some met in [true, false]',
      'one part (.claude/policies/ready.rego:3)',
    ],
    [
      'of another name [w:policy.absent]',
      'gate contains {"name": "other", "met": true, "missing": ""}',
      'no policy has a gate "ready" in a (gates are in .claude/policies/ready.rego:3)',
    ],
    ['there is none [w:policy.absent]', 'deny contains "no" if input.tool.name == "Bash"', 'no policy has a gate "ready" in a'],
    [
      'of no such form [w:policy.absent]',
      'gate contains "ready"',
      'is not an object with name, met and missing (.claude/policies/ready.rego:3)',
    ],
    [
      'met by a text',
      'gate contains {"name": "ready", "met": "yes", "missing": ""}',
      'is not an object with name, met and missing (.claude/policies/ready.rego:3)',
    ],
    ['by who asks and where to', 'gate contains {"name": "ready", "met": input.tool.input.target == "b", "missing": "?"}', ''],
    ['by the mode', 'gate contains {"name": "ready", "met": input.mode == "a", "missing": "?"}', ''],
    [
      'a policy that takes too long',
      'gate contains {"name": "ready", "met": count([1 | some i in numbers.range(1, 30000); some j in numbers.range(1, 30000); i == j]) > 0, "missing": ""}',
      'policy ready takes longer than',
    ],
  ])('%s', async (_, rules, expected) => {
    write('.claude/policies/ready.rego', gates(rules));
    const found = missing(await go(await open({ require: '{policy: ready}', trusted: false })));
    if (expected === '') expect(found).toBe('');
    else expect(found).toContain(expected);
  });
});

describe('an approval', () => {
  test('covers the files at that moment [w:approve.tree]', async () => {
    const project = await open({ require: '', edge: ', approve: human' });
    const seen = project.for(nobody).transitions.takeApprovalSnapshot();
    expect(project.for(nobody).transitions.approve('b', seen)).toBeNull();
    write('src/a.js', 'two');
    expect(await go(project)).toEqual([
      {
        check: 'approve: human',
        missing: 'src/a.js changed since a person approved',
        how: expect.stringContaining('/modes:approve b'),
      },
    ]);
    write('src/a.js', 'one');
    expect(await go(project)).toEqual([]);
  });

  test('covers the files at the question, not at the answer [w:approve.tree]', async () => {
    const project = await open({ require: '', edge: ', approve: human' });
    const seen = project.for(nobody).transitions.takeApprovalSnapshot();
    write('src/new.js', 'slipped in');
    expect(project.for(nobody).transitions.approve('b', seen)).toBeNull();
    expect(missing(await go(project))).toBe('src/new.js changed since a person approved');
  });

  test('covers the plan [w:approve.plan]', async () => {
    const project = await open({ require: '', edge: ', approve: human' });
    expect(project.for(nobody).transitions.approve('b', project.for(nobody).transitions.takeApprovalSnapshot())).toBeNull();
    const proposed = await project.for(nobody).plans.propose({ title: 'Another', items: ['one'] }, asker);
    expect(proposed.success).toBe(true);
    expect(missing(await go(project))).toBe('a confirmed approval');
  });

  test('does not survive a command of the gate that changes them [w:approve.tree]', async () => {
    const project = await open({ require: '{run: echo x > src/b.js, outputs: src/b.js}', edge: ', approve: human' });
    expect(project.for(nobody).transitions.approve('b', project.for(nobody).transitions.takeApprovalSnapshot())).toBeNull();
    expect(missing(await go(project))).toBe('src/b.js changed since a person approved');
  });
});
