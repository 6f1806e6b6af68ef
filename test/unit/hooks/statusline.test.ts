// The status line's script: real shells over what the client sends, what the server keeps ready, and what may be broken or hostile.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { putFile, temporaryFolder } from '../../support/files.ts';
import { shells } from './fixture.ts';

const script = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../../hooks/statusline.sh');
const down = 'server down, /mcp reconnects it';

let top: string;
let project: string;
let data: string;
const servers: ChildProcess[] = [];

beforeEach(() => {
  top = temporaryFolder('modes line ');
  project = path.join(top, 'the "project" of $HOME \\ `x`');
  data = path.join(top, 'home of one/.claude/modes-data');
  for (const folder of ['sessions', 'status']) fs.mkdirSync(path.join(data, folder), { recursive: true });
  fs.copyFileSync(script, path.join(data, 'statusline.sh'));
  put('.claude/modes.yaml', '');
});
afterEach(() => {
  for (const server of servers.splice(0)) server.kill('SIGKILL');
  fs.rmSync(top, { recursive: true, force: true });
});

function put(name: string, text: string): void {
  putFile(path.join(project, name), text);
}

/** A process that stands for the session's server, recorded as one; with what it keeps ready. */
async function serve(ready: string[] | null, record = 'pid-77'): Promise<ChildProcess> {
  const server = spawn('sleep', ['600'], { stdio: 'ignore' });
  servers.push(server);
  await once(server, 'spawn');
  fs.writeFileSync(path.join(data, 'sessions', record), `${server.pid}\n`);
  if (ready !== null) fs.writeFileSync(path.join(data, `status/${server.pid}`), ['modes-status 1', ...ready, ''].join('\n'));
  return server;
}

async function end(server: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  const ended = once(server, 'exit');
  server.kill(signal);
  await ended;
}

interface Given {
  env?: NodeJS.ProcessEnv;
  earlier?: string;
  cwd?: string;
  input?: Record<string, unknown> | string;
  shell?: (typeof shells)[number];
}

const event = (changes: Record<string, unknown> = {}) => ({
  session_id: 'abc-1',
  cwd: project,
  workspace: { current_dir: project, project_dir: project },
  cost: { total_cost_usd: 0, total_duration_ms: 60_000 },
  context_window: { context_window_size: 1_000_000, current_usage: null, used_percentage: null, remaining_percentage: null },
  ...changes,
});

function run({ env = {}, earlier, cwd = project, input = event(), shell = shells[0]! }: Given = {}): string {
  const [, command, args] = shell;
  const { status, stdout, stderr } = spawnSync(
    command,
    [...args, path.join(data, 'statusline.sh'), ...(earlier === undefined ? [] : [earlier])],
    {
      cwd,
      encoding: 'utf8',
      input: typeof input === 'string' ? input : JSON.stringify(input),
      env: { PATH: '/usr/bin:/bin', HOME: path.join(top, 'home of one'), CLAUDE_PID: '77', CLAUDE_PROJECT_DIR: project, ...env },
    },
  );
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return stdout;
}

/** Without colours, and none may be left. */
function text(given: Given = {}): string {
  const line = run(given).replace(/\u001b\[(0|31|33|1;36)m/g, '');
  expect(line).toMatch(/^\P{Cc}*\n$/u);
  return line.slice(0, -1);
}
const red = (part: string) => `\u001b[31m${part}\u001b[0m`;

describe.each(shells)('%s', (...shell) => {
  test('shows the text of the server', async () => {
    await serve(['mode=test-dev', 'gates=2/3', 'plan=3/7', 'task=login', 'something=new']);
    put('.git/HEAD', 'ref: refs/heads/feature/a\n');
    const input = event({ context_window: { used_percentage: 41.7 } });
    expect(text({ shell, input })).toBe('⟪test-dev⟫ gates 2/3 · plan 3/7 · login · feature/a · ▓▓▓▓░░░░░░ 41%');
  });

  test('stores the size of the context window for the server, and rejects anything else [w:context.window]', async () => {
    const { pid } = await serve(['mode=idle']);
    const kept = () => fs.readFileSync(path.join(data, `status/${pid}.window`), 'utf8');
    text({ shell });
    expect(kept()).toBe('1000000\n');
    text({ shell, input: event({ context_window: { context_window_size: 400_000 } }) });
    expect(kept()).toBe('400000\n');
    for (const context_window_size of ['200000', null, -1, 10 ** 12]) {
      text({ shell, input: event({ context_window: { context_window_size, used_percentage: 3 } }) });
      expect(kept()).toBe('400000\n');
    }
  });

  test('a server that was killed: red, with the mode it was in', async () => {
    const server = await serve(['mode=test-dev', 'gates=2/3']);
    await end(server);
    expect(run({ shell })).toBe(`${red('⟪test-dev⟫')} ${red(down)}\n`);
  });

  test('NO_COLOR: the words alone', async () => {
    await end(await serve(['mode=test-dev']));
    expect(run({ shell, env: { NO_COLOR: '1' } })).toBe(`⟪test-dev⟫ ${down}\n`);
  });

  test('text with control characters is rejected', async () => {
    const evil = '\u001b]0;owned\u0007\u001b[31m\u009b31m\u202egpj\u2066.';
    await serve([`mode=m${evil}`, `task=${evil}\u00e9 \u0444`]);
    put('.git/HEAD', `ref: refs/heads/${evil}\r\n`);
    const line = text({ shell });
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(line).toBe('⟪m?]0;owned??[31m?31m?gpj?.⟫ ?]0;owned??[31m?31m?gpj?.é ф · ?]0;owned??[31m?31m?gpj?.?');
  });

  test.each([
    ['an old control character', 'a\u0007b'],
    ['one of the second set', 'a\u009b31mb'],
    ['a mark of direction', 'a\u202eb'],
    ['an isolating one', 'a\u2066b'],
  ])('text with nothing but %s in it', async (_, branch) => {
    await serve(['mode=idle']);
    put('.git/HEAD', `ref: refs/heads/${branch}\n`);
    expect(text({ shell })).toMatch(/^⟪idle⟫ a\?(31m)?b$/);
  });

  test('the earlier status line gets the client’s input, in the same folder', async () => {
    await serve(['mode=idle']);
    const earlier = `printf '%s|' "it's $PWD" "\${LC_ALL-none}"; cat`;
    const input = event({ model: { display_name: 'Opus' } });
    expect(run({ shell, earlier, input, env: { NO_COLOR: '1' } })).toBe(
      `⟪idle⟫\nit's ${project}|none|${JSON.stringify(input)}\n`,
    );
    expect(run({ shell, earlier, input, env: { NO_COLOR: '1', LC_ALL: 'C.UTF-8' } })).toContain('|C.UTF-8|');
  });
});

describe('the engine', () => {
  test('suspended: red', async () => {
    const server = await serve(['mode=idle']);
    server.kill('SIGSTOP');
    for (;;) if (/\) T /.test(fs.readFileSync(`/proc/${server.pid}/stat`, 'utf8'))) break;
    expect(run()).toContain(red(down));
  });

  test.each([
    ['no record', null],
    ['an empty record', ''],
    ['a record that is none', 'x; rm -rf /\n'],
    ['a record of a process that cannot be', '999999999\n'],
  ])('%s: red', (_, record) => {
    if (record !== null) fs.writeFileSync(path.join(data, 'sessions/pid-77'), record);
    expect(run()).toBe(`${red('⟪?⟫')} ${red(down)}\n`);
  });

  test('in the first seconds it starts, and is not down', () => {
    expect(text({ input: event({ cost: { total_duration_ms: 950 } }) })).toBe('⟪?⟫ starting');
    expect(text({ input: event({ cost: { total_duration_ms: 10_000 } }) })).toBe(`⟪?⟫ ${down}`);
  });

  test('a server without a text yet is starting', async () => {
    await serve(null);
    expect(text()).toBe('⟪?⟫ starting');
  });

  test('a text of another version is not interpreted', async () => {
    const server = await serve(null);
    fs.writeFileSync(path.join(data, `status/${server.pid}`), 'modes-status 2\n');
    expect(text()).toBe('⟪?⟫ starting');
  });

  test.each([
    ['by the id that the client names', { CLAUDE_PID: '', CLAUDE_CODE_SESSION_ID: 'abc-1' }],
    ['by the id in what it sends', { CLAUDE_PID: '' }],
  ])('without the client’s process id the session is known %s', async (_, env) => {
    await serve(['mode=idle'], 'abc-1');
    expect(text({ env })).toBe('⟪idle⟫');
  });

  test('another session’s server is not used', async () => {
    await serve(['mode=idle'], 'pid-78');
    expect(text()).toBe(`⟪?⟫ ${down}`);
  });

  test('a session id that is a path is rejected', async () => {
    await serve(['mode=idle'], 'pid-78');
    expect(text({ env: { CLAUDE_PID: '', CLAUDE_CODE_SESSION_ID: '../sessions/pid-78' } })).toBe(`⟪?⟫ ${down}`);
  });
});

describe('messages', () => {
  test('an alarm is red, with the mode', async () => {
    await serve(['mode=idle', 'alarm=config broken: .claude/modes.yaml:3', 'note=not trusted: /modes:trust']);
    expect(run()).toBe(`${red('⟪idle⟫')} ${red('config broken: .claude/modes.yaml:3')}\n`);
  });

  test('a note is not', async () => {
    await serve(['mode=idle', 'note=not trusted: /modes:trust']);
    expect(run()).toBe('\u001b[33m⟪idle⟫\u001b[0m \u001b[33mnot trusted: /modes:trust\u001b[0m\n');
  });

  test.each([
    [0, '░░░░░░░░░░ 0%'],
    [4.9, '░░░░░░░░░░ 4%'],
    [5, '▓░░░░░░░░░ 5%'],
    [99, '▓▓▓▓▓▓▓▓▓▓ 99%'],
    [100, '▓▓▓▓▓▓▓▓▓▓ 100%'],
  ])('%s per cent of the context window', async (used_percentage, bar) => {
    await serve(['mode=idle']);
    expect(text({ input: event({ context_window: { used_percentage } }) })).toBe(`⟪idle⟫ ${bar}`);
  });

  test.each([
    ['nothing', ''],
    ['no JSON', 'hello'],
    ['a list', '[1]'],
    ['JSON over several lines', JSON.stringify(event(), null, 2)],
    ['a percentage that is a text', event({ context_window: { used_percentage: '7' } })],
    ['a percentage of something else', event({ context_window: {}, rate_limits: { five_hour: { used: 1 } } })],
  ])('the client sends %s: the mode is still shown', async (_, input) => {
    await serve(['mode=idle']);
    expect(text({ input })).toBe('⟪idle⟫');
  });
});

describe('the branch', () => {
  beforeEach(() => serve(['mode=idle']));

  test.each([
    ['a branch', 'ref: refs/heads/main\n', 'main'],
    ['no line end', 'ref: refs/heads/main', 'main'],
    ['another reference', 'ref: refs/remotes/origin/x\n', 'refs/remotes/origin/x'],
    ['a commit', '0123456789abcdef0123456789abcdef01234567\n', '0123456'],
    ['words for a shell', 'ref: refs/heads/$(touch x);`id`\n', '$(touch x);`id`'],
    ['words for printf', 'ref: refs/heads/%s\\033[31m\n', '%s\\033[31m'],
  ])('%s', (_, head, shown) => {
    put('.git/HEAD', head);
    expect(text()).toBe(`⟪idle⟫ ${shown}`);
    expect(fs.existsSync(path.join(project, 'x'))).toBe(false);
  });

  test('of the folder that the session is in', () => {
    put('.git/HEAD', 'ref: refs/heads/main\n');
    put('sub module/.git', 'gitdir: ../.git/modules/one\n');
    put('.git/modules/one/HEAD', 'ref: refs/heads/inner\n');
    put('sub module/deep/x', '');
    const at = (name: string) => text({ input: event({ workspace: { current_dir: path.join(project, name) } }) });
    expect(at('sub module/deep')).toBe('⟪idle⟫ inner');
    expect(at('src/not/there')).toBe('⟪idle⟫ main');
  });

  test('of a worktree that git made', () => {
    const git = (...args: string[]) => {
      const own = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'init.defaultBranch=main'];
      const { status, stderr } = spawnSync('git', [...own, ...args], { cwd: project, encoding: 'utf8' });
      expect(status, stderr).toBe(0);
    };
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'one');
    git('worktree', 'add', '-q', '-b', 'fix/two words'.replace(' ', '-'), '.claude/worktrees/two');
    const folder = path.join(project, '.claude/worktrees/two');
    expect(text({ cwd: folder, input: event({ workspace: { current_dir: folder } }) })).toBe('⟪idle⟫ fix/two-words');
  });

  test('a pipe in its place does not block', () => {
    fs.mkdirSync(path.join(project, '.git'));
    expect(spawnSync('mkfifo', [path.join(project, '.git/HEAD')]).status).toBe(0);
    expect(text()).toBe('⟪idle⟫');
  });
});

describe('a project that is not governed', () => {
  beforeEach(() => fs.rmSync(path.join(project, '.claude'), { recursive: true }));

  test('shows nothing', () => {
    expect(run()).toBe('');
  });

  test('is the home folder, whose .claude is the user’s', () => {
    fs.mkdirSync(path.join(top, '.claude'));
    fs.writeFileSync(path.join(top, '.claude/modes.yaml'), '');
    expect(run({ env: { HOME: top } })).toBe('');
  });

  test('shows the earlier status line, and nothing else', () => {
    expect(run({ earlier: 'printf mine' })).toBe('mine');
  });

  test.each([
    [
      'modes.yaml above',
      () => fs.mkdirSync(path.join(top, '.claude')),
      () => fs.writeFileSync(path.join(top, '.claude/modes.yaml'), ''),
    ],
    [
      'modes.yaml that is a link to nothing',
      () => fs.mkdirSync(path.join(project, '.claude')),
      () => fs.symlinkSync('nowhere', path.join(project, '.claude/modes.yaml')),
    ],
    [
      'modes.yaml that was there before',
      () => fs.mkdirSync(path.join(data, 'governed', project), { recursive: true }),
      () => fs.writeFileSync(path.join(data, 'governed', project, '.modes'), ''),
    ],
    ['the user’s modes.yaml', () => undefined, () => fs.writeFileSync(path.join(path.dirname(data), 'modes.yaml'), '')],
    [
      'a session that began under modes',
      () => fs.mkdirSync(path.join(data, 'begun')),
      () => fs.writeFileSync(path.join(data, 'begun/abc-1.json'), ''),
    ],
  ])('is governed by %s', (_, prepare, write) => {
    prepare();
    write();
    expect(text()).toBe(`⟪?⟫ ${down}`);
  });
});
