// Whether a command runs inside the client: by its environment, or by who started it.
import { describe, expect, test } from 'vitest';
import { type Described, insideClient, parsePs } from '../../../../src/adapters/cli/inside.ts';

const shell: Described = {
  ...{ ppid: 1, name: 'bash', words: ['-bash'], file: '/usr/bin/bash', variables: [] },
};
const chain =
  (...processes: Partial<Described>[]) =>
  (pid: number): Described | null => {
    const found = processes[pid - 100];
    return found === undefined ? null : { ...shell, ...found, ppid: pid - 100 === processes.length - 1 ? 1 : pid + 1 };
  };

describe('insideClient', () => {
  const clients: [string, Partial<Described>][] = [
    ['the native program', { name: 'claude', words: ['claude'], file: '/home/ann/.local/share/claude/versions/2.1.330' }],
    [
      'the native program under its version',
      { name: '2.1.330', words: ['/home/ann/.local/bin/x'], file: '/home/ann/.local/share/claude/versions/2.1.330' },
    ],
    ['a process that calls itself so', { name: 'node', words: ['claude'], file: '/usr/bin/node' }],
    ['a kernel name alone', { name: 'claude', words: [], file: '' }],
    ['the npm package', { name: 'node', words: ['node', '/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js', '-p', 'x'] }],
    ['its link', { name: 'node', words: ['/usr/bin/node', '--no-warnings', '/usr/local/bin/claude'] }],
    ['a shell script of that name', { name: 'sh', words: ['/bin/sh', '/opt/bin/claude'] }],
  ];
  test.each(clients)('%s among the parent processes', (_, process) => {
    expect(insideClient({}, chain({}, {}, process, {}), 100)).toMatch(/the client \(process 102\) started it/);
  });

  const harnesses: [string, string, Partial<Described>][] = [
    ['Codex', 'OpenAI Codex CLI', { name: 'codex', words: ['codex'], file: '/opt/codex/bin/codex' }],
    ['Codex from npm', 'OpenAI Codex CLI', { words: ['node', '/usr/lib/node_modules/@openai/codex/bin/codex.js'] }],
    ['Gemini CLI', 'Gemini CLI', { words: ['node', '/usr/local/bin/gemini', '-p', 'x'] }],
    ['Cursor', 'Cursor', { words: ['/usr/share/cursor/cursor'], file: '/usr/share/cursor/cursor' }],
    ['cursor-agent', 'Cursor', { words: ['/home/ann/.local/bin/cursor-agent'] }],
    ['OpenCode', 'OpenCode', { words: ['opencode'], file: '/usr/lib/node_modules/opencode-ai/bin/opencode.exe' }],
    ['Copilot CLI', 'GitHub Copilot CLI', { words: ['/usr/lib/node_modules/@github/copilot-linux-x64/copilot'] }],
  ];
  test.each(harnesses)('%s among the parent processes', (_, title, process) => {
    expect(insideClient({}, chain({}, process, {}), 100)).toBe(`${title} (process 101) started it`);
  });

  test('by the environment of another harness', () => {
    expect(insideClient({ GEMINI_CLI: '1' }, chain({}), 100)).toBe('GEMINI_CLI is set');
  });

  const others: [string, Partial<Described>][] = [
    ['an editor of a file called codex', { name: 'vim', words: ['vim', 'codex'] }],
    ['an editor of a file called so', { name: 'vim', words: ['vim', 'claude'] }],
    ['a terminal whose session is called so', { name: 'tmux: server', words: ['tmux', 'new', '-s', 'claude'] }],
    ['a shell with a command in words', { name: 'bash', words: ['bash', '-c', 'echo claude'] }],
    ['a user called so', { name: 'sshd', words: ['sshd:', 'claude@pts/0'] }],
    ['a program of a longer name', { name: 'claude-docs', words: ['/usr/bin/claude-docs'], file: '/usr/bin/claude-docs' }],
    ['a terminal emulator', { name: 'xterm', words: ['xterm'], file: '/usr/bin/xterm' }],
    ['a script in a folder called so', { name: 'node', words: ['node', '/home/claude/build.js'] }],
  ];
  test.each(others)('not %s', (_, process) => {
    expect(insideClient({}, chain({}, process), 100)).toBeNull();
  });

  // A process that an agent started may leave its process tree, and then run this command.
  const left: [string, Partial<Described>, RegExp][] = [
    ['the variables of an agent', { variables: ['CODEX_CI'] }, /process 101 started it, for which CODEX_CI is set/],
    ['a job of at', { file: '/usr/sbin/atd' }, /atd \(process 101\) started it/],
    ['a job of cron', { words: ['/usr/sbin/cron', '-f'], file: '' }, /cron/],
  ];
  test.each(left)('%s among the parent processes', (_, process, why) => {
    expect(insideClient({}, chain({}, process, {}), 100)).toMatch(why);
  });

  test('by a program that makes terminals, if only init is its parent', () => {
    expect(insideClient({}, chain({}, { file: '/usr/bin/script' }), 100)).toMatch(/script \(process 101\).*left/);
    expect(insideClient({}, chain({}, { words: ['expect', '-c', 'x'], file: '' }), 100)).toMatch(/expect/);
    expect(insideClient({}, chain({}, { file: '/usr/bin/script' }, {}), 100)).toBeNull();
  });

  test('by the environment alone', () => {
    expect(insideClient({ CLAUDECODE: '1' }, chain({}), 100)).toBe('CLAUDECODE is set');
    expect(insideClient({ CLAUDECODE: '' }, chain({}), 100)).toBeNull();
  });

  test('counts as inside if a parent cannot be inspected', () => {
    expect(insideClient({}, () => null, 100)).toMatch(/process 100.*cannot be inspected/);
  });

  test('a child of init is outside, and a cycle ends', () => {
    expect(insideClient({}, () => null, 1)).toBeNull();
    expect(insideClient({}, () => ({ ...shell, ppid: 100 }), 100)).toBeNull();
  });

  test('the present process can be inspected', () => {
    expect(() => insideClient({})).not.toThrow();
  });
});

const ofPs = { ppid: 1, name: '', file: '', variables: [] };
test.each<[string, Described | null]>([
  ['  501 /usr/local/bin/claude --resume\n', { ...ofPs, ppid: 501, words: ['/usr/local/bin/claude', '--resume'] }],
  ['1 -zsh', { ...ofPs, words: ['-zsh'] }],
  ['', null],
  ['x', null],
])('a line of ps %j', (text, expected) => {
  expect(parsePs(text)).toEqual(expected);
});
