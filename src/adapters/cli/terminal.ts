// The terminal functions of every verb: output, color, exit codes, questions.
import fs from 'node:fs';
import readline from 'node:readline/promises';
import { showUnseen } from '../../config/text.ts';

/**
 * 0 fine, 1 found a problem, 2 denied, 3 asked, 64 wrong usage, 141 the reader closed the pipe (the value
 * that a shell uses for SIGPIPE).
 */
export const exits = { fine: 0, wrong: 1, denied: 2, asked: 3, usage: 64, unread: 141 } as const;

export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  colour: boolean;
  /** Whether `err` may write colors: it may go to another place than `out`. Absent: no colors. */
  errColour?: boolean;
  /** Width of the terminal; absent if unknown. */
  columns?: number;
  /** The user's answer to a yes-or-no question; null if there is no terminal. */
  ask(question: string): Promise<boolean | null>;
}

export interface Dialogue extends Terminal {
  /**
   * The line that a person at a terminal types, trimmed. '' for an empty line or if the person leaves,
   * null if there is no terminal.
   */
  line(question: string): Promise<string | null>;
}

function wantsColour(): boolean {
  return (process.env.NO_COLOR ?? '') === '' && process.env.TERM !== 'dumb';
}

export const terminal: Dialogue = {
  out: (text) => write(1, `${text}\n`),
  err: (text) => write(2, `${text}\n`),
  ...(process.stdout.isTTY && process.stdout.columns > 0 && { columns: process.stdout.columns }),
  colour: process.stdout.isTTY === true && wantsColour(),
  errColour: process.stderr.isTTY === true && wantsColour(),
  async ask(question) {
    const answer = await terminal.line(`${question} [y/N] `);
    return answer === null ? null : /^y(es)?$/i.test(answer);
  },
  async line(question) {
    if (!process.stdin.isTTY || !process.stderr.isTTY) return null;
    const lines = readline.createInterface({ input: process.stdin, output: process.stderr });
    try {
      return (await lines.question(steerless(question))).trim();
    } catch (error) {
      // Ctrl-C or Ctrl-D: the person leaves.
      if ((error as Error).name !== 'AbortError') throw error;
      terminal.err('');
      return '';
    } finally {
      lines.close();
    }
  },
};

/**
 * Writes everything, even into a full pipe. If the reader closes the pipe, the program ends quietly, but never with exit code 0.
 */
function write(handle: 1 | 2, text: string): void {
  let rest = Buffer.from(steerless(text));
  while (rest.length > 0) {
    try {
      rest = rest.subarray(fs.writeSync(handle, rest));
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'EPIPE') process.exit(exits.unread);
      if (code !== 'EAGAIN') throw error;
    }
  }
}

/**
 * Aborted when the process receives a signal to end, with the signal as the reason. Call it before printing: a program that reads
 * the output and then sends the signal must find the handler installed.
 */
export function interrupted(): AbortSignal {
  const end = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => end.abort(signal));
  return end.signal;
}

/** A wrong call of the command line. */
export class UsageError extends Error {
  /** @param code of docs/errors.md */
  constructor(
    message: string,
    readonly code = 'E_USAGE',
  ) {
    super(message);
  }
}

/** Styles that our own output uses: none, bold, dim, and red to cyan, bold or not. */
const PAINTED = String.raw`\[(?:[0-2]|(?:1;)?3[1-6])m`;
/** Kept as it is: a style of our own, and the line ends of a patch for a file that has them. */
const OURS = new RegExp(String.raw`(\x1b${PAINTED}|\r(?=\n))`);

/** Escaped as in JSON, so that file names and foreign texts keep their meaning in JSON output. */
export const steerless = (text: string): string =>
  text
    .split(OURS)
    .map((part, at) => (at % 2 === 1 ? part : showUnseen(part, jsonEscape)))
    .join('');

const jsonEscape = (character: string): string =>
  Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');
