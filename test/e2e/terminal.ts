// The interactive client in a tmux pane, with the scripted model.
import { randomUUID } from 'node:crypto';
import { clientEnvironment, installClient, pluginFolder } from './client.ts';
import { type ModelRequest, startModel, type Turn } from './model.ts';
import { openPane, type Pane } from './pane.ts';

export interface Terminal extends Pane {
  /** What the model was asked so far. */
  requests: ModelRequest[];
  /** Ends the client, what it started, and the model. @returns command lines of what outlived the client's pane. */
  stop(): Promise<string[]>;
}

export interface TerminalOptions {
  project: string;
  home: string;
  turns: Turn[];
  agents?: { prompt: string; turns: Turn[] }[];
  /** Plugin folder for --plugin-dir; null starts without one. */
  plugin?: string | null;
  /** Where the client starts; the project unless given. */
  cwd?: string;
  /** The client's own default (auto) unless given. */
  permissionMode?: string;
  env?: Record<string, string>;
  args?: string[];
  columns?: number;
  rows?: number;
}

/** Starts the client in a pane and waits until its input line is there. */
export async function startTerminal(options: TerminalOptions): Promise<Terminal> {
  const { project, home, plugin = pluginFolder(), cwd = project, columns, rows } = options;
  const binary = installClient();
  const model = await startModel(options.turns, options.agents);
  const mark = randomUUID();
  const command = [
    binary,
    ...(plugin === null ? [] : ['--plugin-dir', plugin]),
    ...(options.permissionMode ? ['--permission-mode', options.permissionMode] : []),
    ...(options.args ?? []),
  ];
  const env = clientEnvironment(home, model.url, mark, { TERM: 'xterm-256color', ...options.env });
  const pane = openPane({ command, cwd, env, mark, columns, rows });
  const stop = async () => {
    const left = pane.close();
    await model.close();
    if (model.errors.length > 0) throw model.errors[0];
    return left;
  };
  try {
    await pane.waitFor(/^❯/m, 60_000);
  } catch (error) {
    await stop();
    throw error;
  }
  return { ...pane, requests: model.requests, stop };
}

/** A screen that does not match. */
const without = (pattern: string) => new RegExp(`^(?![^]*${pattern})`);

/**
 * Types a line, waits until it is in the input, and sends it: then it is no longer above the input's lower edge. The client sometimes
 * puts a prompt that a hook blocked back into the input; the line is then cleared and typed again.
 */
export async function submit(terminal: Pane, line: string): Promise<void> {
  const typed = `❯ ${line.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`;
  // The last of such lines is the input; those above it were sent before.
  const ready = new RegExp(`${typed}[^❯]*$`);
  terminal.type(line);
  for (let left = 3; left > 0 && !(await appears(terminal, ready, 8_000)); left--) {
    await terminal.press('C-u', /❯[^\S\n]*\n─[^❯]*$/);
    terminal.type(line);
  }
  await terminal.waitFor(ready);
  await terminal.press('Enter', without(`${typed}\\n─`));
}

/** Whether the screen shows a pattern within some milliseconds. */
const appears = (terminal: Pane, pattern: RegExp, ms: number): Promise<boolean> =>
  terminal.waitFor(pattern, ms).then(
    () => true,
    () => false,
  );

const DIALOG = 'requests your input';

/** The screen with a dialog of ours. Nothing on it tells that it listens: the keys below are pressed until they have done something. */
export async function drawn(terminal: Pane): Promise<string> {
  const screen = await terminal.waitFor(DIALOG);
  await new Promise((resolve) => setTimeout(resolve, 300));
  return screen;
}

/** The checkbox is in focus. */
const ATBOX = /❯ \S Yes/;

/** Ticks the box of a dialog that is drawn. It is the last field: the keys go around the end. */
export async function tick(terminal: Pane): Promise<string> {
  if (!ATBOX.test(terminal.screen())) await terminal.press('Up', ATBOX);
  return terminal.press('Space', '☒', 5_000);
}
/** Ticks the box of a dialog that is drawn, and sends it. */
export async function accept(terminal: Pane): Promise<void> {
  await tick(terminal);
  await terminal.press('Enter', '❯ Accept');
  await terminal.press('Enter', without(DIALOG));
}
/** Chooses the other button of a dialog that is drawn. */
export async function decline(terminal: Pane): Promise<void> {
  await terminal.press('Up', '❯ Decline');
  await terminal.press('Enter', without(DIALOG));
}
/** Leaves a dialog that is drawn. */
export const cancel = (terminal: Pane): Promise<string> => terminal.press('Escape', without(DIALOG));

const ANSWERED = 'Original prompt:';

/** How many typed commands were answered without the model, of those that the screen still shows. */
export const answers = (terminal: Pane): number => terminal.screen().split(ANSWERED).length - 1;

/** Waits for the answer to the nth typed command; gives the screen from there on. */
export async function answered(terminal: Pane, nth = 1): Promise<string> {
  const screen = await terminal.waitFor(new RegExp(`(?:${ANSWERED}.*){${nth}}`, 's'));
  return screen
    .split(ANSWERED)
    .slice(nth - 1)
    .join(ANSWERED);
}
