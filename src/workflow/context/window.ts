// How full the context window is, told from the end of a transcript.
import fs from 'node:fs';

/** Bytes that are read from the end; the newest answer of the main chain stands there. */
const tail = 512 * 1024;
/** Tokens; of the models that are common, and of those whose name or use shows that they have more. */
const usual = 200_000;
const large = 1_000_000;

interface Line {
  type?: unknown;
  isSidechain?: unknown;
  isApiErrorMessage?: unknown;
  message?: { model?: unknown; usage?: Record<string, unknown> };
}

export interface Filled {
  /** Tokens of the newest request of the main chain with its answer. */
  tokens: number;
  model: string;
}

/** What the newest request of the main chain held; null where the transcript does not tell. Reads a bounded part of the file. */
export function readFilled(transcript: string): Filled | null {
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
    // What the client writes itself, such as a message that it was interrupted, used nothing.
    if (tokens > 0) return { tokens, model: String(line.message?.model ?? '') };
  }
  return null;
}

/** Whole lines at the end of a file; '' where there is none. */
function readTail(file: string): string {
  let handle: number;
  try {
    handle = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  } catch {
    // No transcript, no warning: it is a help, and nothing rests on it.
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
    // A line that is being written, or none of the client's.
    return null;
  }
}

/** Per cent of the window; `window` in tokens, null: by what is seen of the model. */
export function percentOf({ tokens, model }: Filled, window: number | null): number {
  const size = window ?? (tokens > usual || /\b1m\b/i.test(model) ? large : usual);
  return Math.floor((tokens / size) * 100);
}

/** Which thresholds each session was told of; the oldest sessions are forgotten. */
export class WindowWarnings {
  private readonly told = new Map<string, Set<number>>();

  /** The warning that is due; null: none is, or it was given. One that a higher one stands for is not given any more. */
  due(session: string, percent: number, thresholds: readonly number[]): string | null {
    const told = this.told.get(session) ?? new Set();
    this.told.delete(session);
    this.told.set(session, told);
    if (this.told.size > maxSessions) this.told.delete(this.told.keys().next().value as string);
    const reached = thresholds.filter((threshold) => percent >= threshold && !told.has(threshold));
    if (reached.length === 0) return null;
    for (const threshold of reached) told.add(threshold);
    return `CONTEXT WINDOW: ${percent} % is used (warning at ${Math.max(...reached)} %).`;
  }
}

const maxSessions = 100;
