// The use of the context window, computed from the end of a transcript.

import fs from 'node:fs';
import { setNewest } from '../../platform/bounded-map.ts';

/** Bytes that are read from the end of the file, which contains the newest answer of the main chain. */
const tail = 512 * 1024;

interface Line {
  type?: unknown;
  isSidechain?: unknown;
  isApiErrorMessage?: unknown;
  message?: { usage?: Record<string, unknown> };
}

/**
 * Tokens of the newest request of the main chain, including its answer; null if the transcript does not contain it. Reads a
 * bounded part of the file.
 */
export function readTokens(transcript: string): number | null {
  const lines = readTail(transcript).split('\n').reverse();
  for (const text of lines) {
    if (!text.includes('"usage"')) continue;
    const line = parse(text);
    if (line?.type !== 'assistant' || line.isSidechain === true || line.isApiErrorMessage === true) continue;
    const usage = line.message?.usage;
    if (usage === undefined) continue;
    const tokens = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'output_tokens']
      .map((name) => usage[name])
      .reduce<number>((sum, value) => sum + (typeof value === 'number' && value > 0 ? value : 0), 0);
    // Messages that the client writes itself, for example about an interruption, use no tokens.
    if (tokens > 0) return tokens;
  }
  return null;
}

/** The complete lines at the end of a file; '' if the file is missing. */
function readTail(file: string): string {
  let handle: number;
  try {
    handle = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  } catch {
    // Without a transcript there is no warning. The warning is only a help.
    return '';
  }
  try {
    const stat = fs.fstatSync(handle);
    if (!stat.isFile()) return '';
    const start = Math.max(0, stat.size - tail);
    const bytes = Buffer.alloc(Math.min(tail, stat.size));
    const count = fs.readSync(handle, bytes, 0, bytes.length, start);
    const text = bytes.toString('utf8', 0, count);
    return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    fs.closeSync(handle);
  }
}

function parse(text: string): Line | null {
  try {
    return JSON.parse(text) as Line | null;
  } catch {
    // A line that is still being written, or that the client did not write.
    return null;
  }
}

/** Remembers the warnings that each session got. The oldest sessions are forgotten. */
export class WindowWarnings {
  private readonly warnedThresholds = new Map<string, Set<number>>();

  /**
   * The warning that is due; null if none is due, or if it was given. A threshold lower than one that was reached before gives no later
   * warning.
   */
  due(session: string, percent: number, thresholds: readonly number[]): string | null {
    const warnedThresholds = this.warnedThresholds.get(session) ?? new Set();
    setNewest(this.warnedThresholds, session, warnedThresholds, maxSessions);
    const reached = thresholds.filter((threshold) => percent >= threshold && !warnedThresholds.has(threshold));
    if (reached.length === 0) return null;
    for (const threshold of reached) warnedThresholds.add(threshold);
    return `CONTEXT WINDOW: ${percent} % is used (warning at ${Math.max(...reached)} %).`;
  }
}

const maxSessions = 100;
