// Commands that the engine runs itself: how each ends, and that nothing of them is left.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commandEnvironment } from '../../../../src/git/environment.ts';
import { HeadTail, type Order, runBounded } from '../../../../src/workflow/gates/process.ts';
import { temporaryFolder } from '../../../support/files.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('gate-run-');
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const run = (command: string, changes: Partial<Order> = {}) =>
  runBounded({ command, folder, env: commandEnvironment(process.env, folder), timeoutMs: 20_000, ...changes });

/** True while the process lives; one that is only not collected yet does not. */
function lives(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
const pidIn = (name: string) => Number(fs.readFileSync(path.join(folder, name), 'utf8'));

describe('its end', () => {
  test.each<[string, string, Partial<Order>, unknown]>([
    ['0', 'true', {}, { how: 'exited', code: 0 }],
    ['another code', 'exit 3', {}, { how: 'exited', code: 3 }],
    ['a signal', 'kill -9 $$', {}, { how: 'signal', signal: 'SIGKILL' }],
    ['an unknown program', 'no-such-program', {}, { how: 'exited', code: 127 }],
    ['its time limit', 'sleep 60', { timeoutMs: 100 }, { how: 'timeout' }],
    [
      'its time limit, though it does not listen',
      "trap '' TERM; sleep 60 & wait; sleep 60",
      { timeoutMs: 100 },
      { how: 'timeout' },
    ],
    ['too much output [w:run.flood]', 'yes', {}, { how: 'flood' }],
    ['too much on standard error [w:run.flood]', 'yes >&2', {}, { how: 'flood' }],
    ['nobody waits', 'sleep 60', { signal: AbortSignal.abort() }, { how: 'withdrawn' }],
    ['a folder that is not there', 'true', { folder: '/no/such/folder' }, { how: 'unstarted' }],
  ])('%s', async (_, command, changes, ended) => {
    expect((await run(command, changes)).ended).toMatchObject(ended as object);
  });
});

describe('remaining processes', () => {
  test.each([
    ['a child in its group [w:run.fork]', 'sleep 300 & echo $! > pid', 20_000, 'exited'],
    ['a child in a session of its own [w:run.fork]', 'setsid sleep 300 & echo $! > pid; sleep 0.2', 20_000, 'exited'],
    [
      'a child that does not listen [w:run.fork]',
      "(trap '' TERM HUP; sleep 300 & echo $! > pid; wait) & sleep 0.2",
      20_000,
      'exited',
    ],
    ['a child when it hangs itself [w:run.limit]', 'sleep 300 & echo $! > pid; wait', 500, 'timeout'],
    ['a child that holds its output open [w:run.fork]', 'setsid sleep 300 & echo $! > pid; echo done', 20_000, 'exited'],
  ])('%s', async (_, command, timeoutMs, how) => {
    const { ended } = await run(command, { timeoutMs });
    expect(ended.how).toBe(how);
    // A process that was killed takes a moment to be gone.
    await expect.poll(() => lives(pidIn('pid')), { timeout: 10_000 }).toBe(false);
  });
});

describe('input and output', () => {
  test.each([
    ['standard input is empty [w:run.input]', 'read answer; echo "[$answer]"', {}, '[]'],
    ['there is no terminal [w:run.input]', '(read answer < /dev/tty) 2> /dev/null || echo none', {}, 'none'],
    ['what it is given', 'cat', { input: 'changes' }, 'changes'],
    ['it need not read that', 'echo fine', { input: 'x'.repeat(1_000_000) }, 'fine'],
    ['both outputs', 'echo one; sleep 0.1; echo two >&2', {}, 'one\ntwo'],
  ])('%s', async (_, command, changes, output) => {
    const done = await run(command, changes);
    expect(done.output.trim()).toBe(output);
    expect(done.ended).toEqual({ how: 'exited', code: 0 });
  });

  test('a long output is stored as its beginning and its end [w:run.output]', async () => {
    const { output } = await run('echo first; head -c 1000000 /dev/zero | tr "\\0" x; echo; echo last');
    expect(output).toMatch(/^first\n.*\n… \d+ bytes …\n.*\nlast\n$/s);
    expect(output.length).toBeLessThan(70_000);
  });

  test('a long output is also returned completely on request', async () => {
    const command = 'head -c 1000000 /dev/zero | tr "\\0" x; echo; echo last';
    expect((await run(command)).whole).toBeNull();
    const { output, whole } = await run(command, { whole: true });
    expect(output).toContain(' bytes …');
    expect(whole).toBe(`${'x'.repeat(1_000_000)}\nlast\n`);
  });

  test.each([
    [['ab', 'c'], 'abc'],
    [['abcd'], 'abcd'],
    [['abcd', 'ef'], 'abcdef'],
    [['abcdefghij'], 'abc\n… 4 bytes …\nhij'],
    [Array.from({ length: 100 }, () => 'abcdefghij'), 'abc\n… 994 bytes …\nhij'],
  ])('%j with three at either end', (chunks, expected) => {
    const kept = new HeadTail(3);
    for (const chunk of chunks) kept.add(Buffer.from(chunk));
    expect(kept.text()).toBe(expected);
  });
});

describe('its environment', () => {
  const base = { HOME: '/home/x', PATH: '/usr/bin', DATABASE_URL: 'db' };
  test.each([
    'CLAUDECODE',
    'CLAUDE_CODE_MESSAGING_TOKEN',
    'ANTHROPIC_API_KEY',
    'NODE_OPTIONS',
    'NODE_COMPILE_CACHE',
    'OPENSSL_CONF',
    'BASH_ENV',
    'ENV',
    'LD_PRELOAD',
    'DYLD_INSERT_LIBRARIES',
    'GIT_DIR',
    'PYTHONPATH',
    'PYTEST_ADDOPTS',
    'NODE_PATH',
    'JAVA_TOOL_OPTIONS',
    'GOFLAGS',
    'RUSTFLAGS',
    'RUSTC_WRAPPER',
    'DOTNET_STARTUP_HOOKS',
    'ELIXIR_ERL_OPTIONS',
    'BUN_OPTIONS',
    'SPEC_OPTS',
    'RUBYOPT',
    'npm_config_script_shell',
    'BASH_FUNC_npm%%',
    'MAKEFLAGS',
    'TS_NODE_PROJECT',
    'VITEST_POOL_ID',
    'JEST_JUNIT_OUTPUT',
    'PYTHONWARNINGS',
    'PYTEST_DEBUG',
    'COVERAGE_PROCESS_START',
    'BUNDLE_GEMFILE',
    'MAVEN_OPTS',
    'GOENV',
    'RUSTC',
    'CARGO_ENCODED_RUSTFLAGS',
  ])('has no %s [w:run.environment]', (name) => {
    const made = commandEnvironment({ ...base, [name]: 'x' }, '/project');
    expect(Object.keys(made)).not.toContain(name);
    expect(made).toMatchObject({ HOME: '/home/x', DATABASE_URL: 'db' });
  });

  test('finds no program in the project [w:run.environment]', () => {
    const made = commandEnvironment({ PATH: '/usr/bin:/project/bin:node_modules/.bin::/project:/opt/bin' }, '/project');
    expect(made.PATH).toBe('/usr/bin:/opt/bin');
    const tree = commandEnvironment({ PATH: '/usr/bin:/project/bin' }, '/project/.claude/worktrees/w');
    expect(tree.PATH).toBe('/usr/bin');
    expect(commandEnvironment({ PATH: '.' }, '/project').PATH).toBe('/usr/local/bin:/usr/bin:/bin');
  });
});
