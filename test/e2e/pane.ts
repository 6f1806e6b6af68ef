// A tmux pane of its own server: a program on a terminal that a test can type into and read.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { endMarked, MARK, until } from './processes.ts';

export interface Pane {
  /** Found in the environment of the program and all its descendants. */
  mark: string;
  /** Types text as it stands, without Enter. */
  type(text: string): void;
  /** Presses keys by their tmux names: Enter, C-c, C-d … For a program that reads lines: its terminal keeps what it does not read yet. */
  key(...names: string[]): void;
  /**
   * Presses a key until the screen shows the text or pattern, anew after `ms` milliseconds: what is drawn may not listen yet, and the key
   * is lost. Only for keys that do no harm twice.
   */
  press(name: string, wanted: string | RegExp, ms?: number): Promise<string>;
  /** What is on the screen now, trailing blanks of each line cut. */
  screen(): string;
  /** The same with colors, as escape sequences. */
  coloredScreen(): string;
  /** Waits until the screen shows the text or pattern; gives the screen. @throws after `ms` with the last screen. */
  waitFor(wanted: string | RegExp, ms?: number): Promise<string>;
  /** Waits until the screen does not show it any more. */
  waitGone(unwanted: string | RegExp, ms?: number): Promise<string>;
  /** Ends the pane, the program and everything it started. @returns command lines of what outlived the pane. */
  close(): string[];
}

export interface PaneOptions {
  command: string[];
  cwd: string;
  /** The whole environment. */
  env: Record<string, string>;
  mark?: string;
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

/** Milliseconds between two looks at the screen: each is a process. */
const LOOK = 100;

/** Starts a program in a new pane. The pane stays, with its last screen, when the program ends. */
export function openPane({ command, cwd, env, mark = randomUUID(), columns = 130, rows = 50 }: PaneOptions): Pane {
  requireTmux();
  // The socket's folder is private, and goes with the pane.
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'modes-tmux-'));
  const ownEnv = { ...process.env, TMUX: '', TMUX_TMPDIR: folder };
  const tmux = (...args: string[]): string => {
    const run = spawnSync('tmux', ['-L', 'modes', '-f', '/dev/null', ...args], {
      encoding: 'utf8',
      timeout: 30_000,
      env: ownEnv,
    });
    if (run.status !== 0) throw new Error(`tmux ${args[0]}: ${run.error?.message ?? run.stderr}`);
    return run.stdout;
  };
  const settings = Object.entries({ ...env, [MARK]: mark }).map(([name, value]) => `${name}=${value}`);
  const start = ['new-session', '-d', '-s', 'modes', '-x', String(columns), '-y', String(rows), '-c', cwd];
  tmux('set-option', '-g', 'remain-on-exit', 'on', ';', ...start, '--', 'env', '-i', ...settings, ...command);
  const screen = () =>
    tmux('capture-pane', '-p', '-t', 'modes')
      .split('\n')
      .map((line) => line.replaceAll('\u00a0', ' ').trimEnd())
      .join('\n');
  const wait = async (what: string, holds: (text: string) => boolean, ms: number): Promise<string> => {
    let last = '';
    try {
      return await until(
        what,
        () => {
          last = screen();
          return holds(last) && last;
        },
        ms,
        LOOK,
      );
    } catch (error) {
      throw new Error(`${(error as Error).message}\n--- screen ---\n${last}\n--------------`);
    }
  };
  const key = (...names: string[]): void => {
    // One at a time, with a look at the screen between: a program that redraws may take keys that come together as one paste.
    for (const name of names) {
      tmux('send-keys', '-t', 'modes', name);
      spawnSync('sleep', ['0.25']);
    }
  };
  return {
    mark,
    type: (text) => void tmux('send-keys', '-t', 'modes', '-l', '--', text),
    key,
    press: async (name, wanted, ms = 2_000) => {
      for (let left = 8; ; left--) {
        tmux('send-keys', '-t', 'modes', name);
        try {
          return await wait(`${name} to bring ${wanted}`, (text) => shows(text, wanted), ms);
        } catch (error) {
          if (left === 0) throw error;
        }
      }
    },
    screen,
    coloredScreen: () => tmux('capture-pane', '-p', '-e', '-t', 'modes'),
    waitFor: (wanted, ms = 30_000) => wait(`the screen to show ${wanted}`, (text) => shows(text, wanted), ms),
    waitGone: (unwanted, ms = 30_000) => wait(`the screen not to show ${unwanted}`, (text) => !shows(text, unwanted), ms),
    close: () => {
      spawnSync('tmux', ['-L', 'modes', 'kill-server'], { timeout: 10_000, env: ownEnv });
      const left = endMarked(mark);
      fs.rmSync(folder, { recursive: true, force: true });
      return left;
    },
  };
}
