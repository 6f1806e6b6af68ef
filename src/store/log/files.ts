// The files of a decision log. They are numbered, any number of processes append to them, and only the newest is written.

import nodeFs, { constants } from 'node:fs';
import path from 'node:path';
import { makeFolder, projectFolder } from '../../platform/data-folder.ts';

/** Size limits of a log: `maxBytes * maxFiles` together, plus one batch of lines. */
export interface Limits {
  maxBytes: number;
  maxFiles: number;
}

export const usualLimits: Limits = { maxBytes: 8 * 1024 * 1024, maxFiles: 8 };

/** A position between two lines: the file's number and an offset in bytes. */
export interface LogPosition {
  number: number;
  offset: number;
}

/** The file operations that the log uses. Tests replace them to simulate failures. */
export type LogDisk = Pick<
  typeof nodeFs,
  'openSync' | 'fstatSync' | 'writeSync' | 'readSync' | 'closeSync' | 'readdirSync' | 'lstatSync' | 'rmSync'
>;

/** Path: `<data>/projects/<hash>/log` */
export function logFolder(dataFolder: string, root: string): string {
  return path.join(projectFolder(dataFolder, root), 'log');
}

/** The log cannot be read: the disk refuses, or something else has its name. */
export class UnreadableLog extends Error {}

const newline = 10;

/**
 * A file is never renamed. If the newest is full, the next number is started, and the oldest files beyond the limit are removed.
 * So another process only has to find the highest number.
 */
export class LogFiles {
  constructor(
    readonly folder: string,
    private readonly limits: Limits = usualLimits,
    private readonly disk: LogDisk = nodeFs,
  ) {}

  /** Numbers of the existing files, oldest first; empty if the folder does not exist yet. Throws if the folder is unreadable. */
  numbers(): number[] {
    const stat = this.disk.lstatSync(this.folder, { throwIfNoEntry: false });
    if (stat === undefined) return [];
    if (!stat.isDirectory()) throw new UnreadableLog(`${this.folder} is not a folder`);
    const names = this.disk.readdirSync(this.folder) as string[];
    return names
      .flatMap((name) => /^decisions-(\d{8})\.jsonl$/.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);
  }

  file(number: number): string {
    return path.join(this.folder, `decisions-${String(number).padStart(8, '0')}.jsonl`);
  }

  /** Creates the folder if it does not exist. */
  prepare(): void {
    if (this.disk.lstatSync(this.folder, { throwIfNoEntry: false }) === undefined) makeFolder(this.folder);
  }

  /**
   * Appends whole lines in one write and returns the position after them. Throws if the disk refuses. The next append then ends a
   * torn line.
   */
  append(lines: readonly string[]): LogPosition {
    const bytes = Buffer.from(`${lines.join('\n')}\n`);
    const numbers = this.numbers();
    const newest = numbers.at(-1) ?? 1;
    const end = this.write(newest, bytes, true);
    if (end !== null) return end;
    for (const old of numbers.filter((number) => number <= newest + 1 - this.limits.maxFiles))
      this.disk.rmSync(this.file(old), { force: true });
    return this.write(newest + 1, bytes, false) as LogPosition;
  }

  /** null: the file is full. */
  private write(number: number, bytes: Buffer, mayBeFull: boolean): LogPosition | null {
    const handle = this.open(number, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT);
    try {
      const { size } = this.disk.fstatSync(handle);
      if (mayBeFull && size > 0 && size + bytes.length > this.limits.maxBytes) return null;
      const whole = this.endsTorn(handle, size) ? Buffer.concat([Buffer.from('\n'), bytes]) : bytes;
      const written = this.disk.writeSync(handle, whole);
      if (written < whole.length) throw new Error(`only ${written} of ${whole.length} bytes were written`);
      return { number, offset: this.disk.fstatSync(handle).size };
    } finally {
      this.disk.closeSync(handle);
    }
  }

  private endsTorn(handle: number, size: number): boolean {
    if (size === 0) return false;
    const last = Buffer.alloc(1);
    return this.disk.readSync(handle, last, 0, 1, size - 1) === 1 && last[0] !== newline;
  }

  /** The present end of the log; null if there is no log. */
  end(): LogPosition | null {
    const number = this.numbers().at(-1);
    if (number === undefined) return null;
    const stat = this.disk.lstatSync(this.file(number), { throwIfNoEntry: false });
    return { number, offset: stat?.size ?? 0 };
  }

  /**
   * Whole lines from a position on, at most `maxBytes` together or one longer line, with their bytes and end. Files that were
   * removed in the meantime are skipped. Damaged lines are returned unchanged, and so is a last line without a newline in a file
   * that is no longer written. Throws if the disk refuses.
   */
  readFrom({ number, offset }: LogPosition, maxBytes: number): { lines: string[]; bytes: number; end: LogPosition } {
    const lines: string[] = [];
    let [end, bytes] = [{ number, offset }, 0];
    const numbers = this.numbers().filter((one) => one >= number);
    for (const next of numbers) {
      const from = next === number ? offset : 0;
      const { whole, isCut } = this.wholeFrom({ number: next, offset: from }, maxBytes - bytes, {
        isOver: next !== numbers.at(-1),
        isFirst: lines.length === 0,
      });
      end = { number: next, offset: from + whole.length };
      bytes += whole.length;
      if (whole.length > 0) lines.push(...whole.toString('utf8').replace(/\n$/, '').split('\n'));
      // The rest of this file comes before the next one.
      if (isCut || bytes >= maxBytes) break;
    }
    return { lines, bytes, end };
  }

  /**
   * Lines of one file. `isCut`: the file has more. `isOver`: the file is no longer written. `isFirst`: at least one line is
   * wanted.
   */
  private wholeFrom({ number, offset }: LogPosition, limits: number, { isOver, isFirst }: { isOver: boolean; isFirst: boolean }) {
    const read = this.readBytes(number, offset, limits + 1);
    const isCut = read.length > limits;
    if (!isCut && isOver) return { whole: read, isCut };
    const head = read.subarray(0, limits);
    const whole = head.subarray(0, head.lastIndexOf(newline) + 1);
    if (!isCut || !isFirst || whole.length > 0 || limits === 0) return { whole, isCut };
    const rest = this.readBytes(number, offset, Number.POSITIVE_INFINITY);
    const length = rest.indexOf(newline) + 1;
    return length === 0 && isOver ? { whole: rest, isCut: false } : { whole: rest.subarray(0, length), isCut };
  }

  /**
   * Lines from a position on, or from the beginning, but only from the last `maxBytes`. The first one may be incomplete.
   * `holding`: only lines that contain one of these texts. Throws if the disk refuses.
   */
  tail(since: LogPosition | null, maxBytes: number, holding: readonly string[] | null = null): string[] {
    const lines: string[] = [];
    let limits = maxBytes;
    for (const number of this.numbers().reverse()) {
      if (limits <= 0 || (since !== null && number < since.number)) break;
      const size = this.disk.lstatSync(this.file(number), { throwIfNoEntry: false })?.size ?? 0;
      const from = Math.max(since?.number === number ? since.offset : 0, size - limits);
      const bytes = this.readBytes(number, from, size - from);
      if (holding === null) lines.unshift(...bytes.toString('utf8').split('\n'));
      else lines.unshift(...holding.flatMap((text) => linesHolding(bytes, text)));
      limits -= size - from;
    }
    return lines;
  }

  /** Whole lines of a file. Throws if the disk refuses. */
  lines(number: number): string[] {
    const bytes = this.readBytes(number, 0, Number.POSITIVE_INFINITY);
    return bytes
      .subarray(0, bytes.lastIndexOf(newline) + 1)
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '');
  }

  /** Throws the reason if appending is impossible now. Changes nothing. */
  probe(): void {
    const number = this.numbers().at(-1);
    if (number !== undefined) this.disk.closeSync(this.open(number, constants.O_WRONLY | constants.O_APPEND));
  }

  private readBytes(number: number, from: number, limits: number): Buffer {
    let handle: number;
    try {
      handle = this.open(number, constants.O_RDONLY);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
      throw new UnreadableLog((error as Error).message, { cause: error });
    }
    try {
      const { size } = this.disk.fstatSync(handle);
      const bytes = Buffer.alloc(Math.max(0, Math.min(size - from, limits)));
      let count = 0;
      while (count < bytes.length) {
        const more = this.disk.readSync(handle, bytes, count, bytes.length - count, from + count);
        if (more === 0) break;
        count += more;
      }
      return bytes.subarray(0, count);
    } finally {
      this.disk.closeSync(handle);
    }
  }

  /** Follows no link and waits for no pipe, so that only regular files are written or read. */
  private open(number: number, flags: number): number {
    const name = this.file(number);
    const handle = this.disk.openSync(name, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600);
    if (this.disk.fstatSync(handle).isFile()) return handle;
    this.disk.closeSync(handle);
    throw new Error(`${name} is not a file`);
  }
}

function linesHolding(bytes: Buffer, text: string): string[] {
  const lines: string[] = [];
  for (let at = bytes.indexOf(text); at !== -1; ) {
    const next = bytes.indexOf(newline, at);
    const to = next === -1 ? bytes.length : next;
    lines.push(bytes.toString('utf8', bytes.lastIndexOf(newline, at) + 1, to));
    at = bytes.indexOf(text, to);
  }
  return lines;
}

/** The object in a line; null if there is none. */
export function objectOf(line: string): object | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  return typeof value === 'object' ? value : null;
}
