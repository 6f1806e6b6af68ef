// The interactive client in a tmux pane of its own: keys go in, the screen comes out.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { clientEnvironment, installClient, REPOSITORY } from './client.ts';
import { type Model, type ModelRequest, startModel, type Turn } from './model.ts';
import { endMarked, until } from './processes.ts';

export interface Terminal {
  requests: ModelRequest[];
  /** Found in the environment of the client and all its descendants. */
  mark: string;
  /** Types text as it stands, without Enter. */
  type(text: string): void;
  /** Presses a key by its tmux name: Enter, Escape, Up, Down, Tab, BTab, Space, C-c … */
  key(...names: string[]): void;
  /** What is on the screen now, trailing blanks of each line cut. */
  screen(): string;
  /** Waits until the screen shows the text or pattern; gives the screen. @throws after `ms` with the last screen. */
  waitFor(wanted: string | RegExp, ms?: number): Promise<string>;
  /** Waits until the screen does not show it any more. */
  waitGone(unwanted: string | RegExp, ms?: number): Promise<string>;
  /** Ends the pane, the client and everything it started. @returns command lines of what outlived the pane. */
  stop(): Promise<string[]>;
}

export interface TerminalOptions {
  project: string;
  home: string;
  turns: Turn[];
  agents?: { prompt: string; turns: Turn[] }[];
  plugin?: string | null;
  cwd?: string;
  permissionMode?: string;
  env?: Record<string, string>;
  args?: string[];
  columns?: number;
  rows?: number;
}

/** @throws when tmux is missing: a run without the interactive tests is a failed run. */
export function requireTmux(): void {
  const probe = spawnSync('tmux', ['-V'], { encoding: 'utf8' });
  if (probe.status !== 0)
    throw new Error('tmux is needed for the interactive tests: apt-get install tmux (Debian), brew install tmux (macOS)');
}

const shows = (screen: string, wanted: string | RegExp) =>
  typeof wanted === 'string' ? screen.includes(wanted) : wanted.test(screen);

/** Starts the client in a pane and waits until its input line is there. */
export async function startTerminal(options: TerminalOptions): Promise<Terminal> {
  requireTmux();
  const { project, home, plugin = REPOSITORY, columns = 130, rows = 50 } = options;
  const binary = installClient();
  const model: Model = await startModel(options.turns, options.agents);
  const mark = randomUUID();
  const socket = `modes-${mark.slice(0, 13)}`;
  const tmux = (...args: string[]): string => {
    const run = spawnSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], { encoding: 'utf8', timeout: 10_000 });
    if (run.status !== 0) throw new Error(`tmux ${args[0]}: ${run.error?.message ?? run.stderr}`);
    return run.stdout;
  };
  const environment = clientEnvironment(home, model.url, mark, { TERM: 'xterm-256color', ...options.env });
  const command = [
    ...['env', '-i', ...Object.entries(environment).map(([name, value]) => `${name}=${value}`), binary],
    ...(plugin === null ? [] : ['--plugin-dir', plugin]),
    ...(options.permissionMode ? ['--permission-mode', options.permissionMode] : []),
    ...(options.args ?? []),
  ];
  const cwd = options.cwd ?? project;
  tmux('new-session', '-d', '-s', 'modes', '-x', String(columns), '-y', String(rows), '-c', cwd, '--', ...command);
  const screen = () =>
    tmux('capture-pane', '-p', '-t', 'modes')
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n');
  let last = '';
  const wait = async (what: string, holds: (text: string) => boolean, ms: number) => {
    try {
      return await until(
        what,
        () => {
          last = screen();
          return holds(last) && last;
        },
        ms,
      );
    } catch (error) {
      throw new Error(`${(error as Error).message}\n--- screen ---\n${last}\n--------------`);
    }
  };
  const terminal: Terminal = {
    requests: model.requests,
    mark,
    type: (text) => void tmux('send-keys', '-t', 'modes', '-l', '--', text),
    key: (...names) => void tmux('send-keys', '-t', 'modes', ...names),
    screen,
    waitFor: (wanted, ms = 15_000) => wait(`the screen to show ${wanted}`, (text) => shows(text, wanted), ms),
    waitGone: (unwanted, ms = 15_000) => wait(`the screen not to show ${unwanted}`, (text) => !shows(text, unwanted), ms),
    stop: async () => {
      spawnSync('tmux', ['-L', socket, 'kill-server'], { timeout: 10_000 });
      const left = endMarked(mark);
      await model.close();
      return left;
    },
  };
  try {
    await terminal.waitFor(/^❯/m, 20_000);
  } catch (error) {
    await terminal.stop();
    throw error;
  }
  return terminal;
}

/** Types a line, waits until it stands in the input, and sends it. */
export async function submit(terminal: Terminal, line: string): Promise<void> {
  terminal.type(line);
  await terminal.waitFor(`❯ ${line}`);
  terminal.key('Enter');
}
