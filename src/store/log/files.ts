// The files of a decision log: numbered, appended to by any number of processes, the newest is written.

import nodeFs, { constants } from 'node:fs';
import path from 'node:path';
import { makeFolder, projectFolder } from '../../platform/data-folder.ts';

/** How large a log may become: together `maxBytes * maxFiles`, and one batch of lines more. */
export interface Limits {
  maxBytes: number;
  maxFiles: number;
}

export const usualLimits: Limits = { maxBytes: 8 * 1024 * 1024, maxFiles: 8 };

/** A place between two lines: the file's number and an offset in bytes. */
export interface Position {
  number: number;
  offset: number;
}

/** What of the disk is used; another one in tests of its failures. */
export type Disk = Pick<
  typeof nodeFs,
  'openSync' | 'fstatSync' | 'writeSync' | 'readSync' | 'closeSync' | 'readdirSync' | 'lstatSync' | 'rmSync'
>;

/** `<data>/projects/<hash>/log` */
export function logFolder(dataFolder: string, root: string): string {
  return path.join(projectFolder(dataFolder, root), 'log');
}

/** The disk, or what lies where the log should be, lets nobody read it. */
export class UnreadableLog extends Error {}

const newline = 10;

/**
 * A file is never renamed: when the newest is full, the next number is begun, and the oldest beyond the limit are removed. So a
 * writer or reader of another process only has to look which number is the newest.
 */
export class LogFiles {
  constructor(
    readonly folder: string,
    private readonly limits: Limits = usualLimits,
    private readonly disk: Disk = nodeFs,
  ) {}

  /** Numbers of the files that are there, oldest first; none where the folder is not there yet. Throws when it cannot be read. */
  numbers(): number[] {
    const stat = this.disk.lstatSync(this.folder, { throwIfNoEntry: false });
    if (stat === undefined) return [];
    if (!stat.isDirectory()) throw new UnreadableLog(`${this.folder} is no folder`);
    const names = this.disk.readdirSync(this.folder) as string[];
    return names
      .flatMap((name) => /^decisions-(\d{8})\.jsonl$/.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);
  }

  file(number: number): string {
    return path.join(this.folder, `decisions-${String(number).padStart(8, '0')}.jsonl`);
  }

  /** Makes the folder where there is none. */
  prepare(): void {
    if (this.disk.lstatSync(this.folder, { throwIfNoEntry: false }) === undefined) makeFolder(this.folder);
  }

  /** Appends whole lines in one write and gives where they end. Throws when the disk refuses; a torn line is then closed by the next. */
  append(lines: readonly string[]): Position {
    const bytes = Buffer.from(`${lines.join('\n')}\n`);
    const numbers = this.numbers();
    const newest = numbers.at(-1) ?? 1;
    const end = this.write(newest, bytes, true);
    if (end !== null) return end;
    for (const old of numbers.filter((number) => number <= newest + 1 - this.limits.maxFiles))
      this.disk.rmSync(this.file(old), { force: true });
    return this.write(newest + 1, bytes, false) as Position;
  }

  /** null: the file is full. */
  private write(number: number, bytes: Buffer, mayBeFull: boolean): Position | null {
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

  /** Where the log ends now; null where there is none. */
  end(): Position | null {
    const number = this.numbers().at(-1);
    if (number === undefined) return null;
    const stat = this.disk.lstatSync(this.file(number), { throwIfNoEntry: false });
    return { number, offset: stat?.size ?? 0 };
  }

  /**
   * Whole lines from a place on, of at most `maxBytes` together or one that is longer, with their bytes and where they end. What was
   * removed meanwhile is skipped. Lines that no writer could have written whole are given as they are, and so is what stands without an
   * end in a file that is written no more. Throws when the disk refuses.
   */
  readFrom({ number, offset }: Position, maxBytes: number): { lines: string[]; bytes: number; end: Position } {
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

  /** Lines of one file; `isCut`: there is more of it. `isOver`: nobody writes it any more; `isFirst`: one line is wanted at least. */
  private wholeFrom({ number, offset }: Position, room: number, { isOver, isFirst }: { isOver: boolean; isFirst: boolean }) {
    const read = this.readBytes(number, offset, room + 1);
    const isCut = read.length > room;
    if (!isCut && isOver) return { whole: read, isCut };
    const held = read.subarray(0, room);
    const whole = held.subarray(0, held.lastIndexOf(newline) + 1);
    if (!isCut || !isFirst || whole.length > 0 || room === 0) return { whole, isCut };
    const rest = this.readBytes(number, offset, Number.POSITIVE_INFINITY);
    const length = rest.indexOf(newline) + 1;
    return length === 0 && isOver ? { whole: rest, isCut: false } : { whole: rest.subarray(0, length), isCut };
  }

  /**
   * Lines from a place on, or from the beginning: of the last `maxBytes`, the first of which may be a part. Where texts are given, only
   * lines that hold one of them. Throws when the disk refuses.
   */
  tail(since: Position | null, maxBytes: number, holding: readonly string[] | null = null): string[] {
    const lines: string[] = [];
    let room = maxBytes;
    for (const number of this.numbers().reverse()) {
      if (room <= 0 || (since !== null && number < since.number)) break;
      const size = this.disk.lstatSync(this.file(number), { throwIfNoEntry: false })?.size ?? 0;
      const from = Math.max(since?.number === number ? since.offset : 0, size - room);
      const bytes = this.readBytes(number, from, size - from);
      if (holding === null) lines.unshift(...bytes.toString('utf8').split('\n'));
      else lines.unshift(...holding.flatMap((text) => linesHolding(bytes, text)));
      room -= size - from;
    }
    return lines;
  }

  /** Whole lines of a file. Throws when the disk refuses. */
  lines(number: number): string[] {
    const bytes = this.readBytes(number, 0, Number.POSITIVE_INFINITY);
    return bytes
      .subarray(0, bytes.lastIndexOf(newline) + 1)
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '');
  }

  /** Throws why nothing can be appended now; changes nothing. */
  probe(): void {
    const number = this.numbers().at(-1);
    if (number !== undefined) this.disk.closeSync(this.open(number, constants.O_WRONLY | constants.O_APPEND));
  }

  private readBytes(number: number, from: number, room: number): Buffer {
    let handle: number;
    try {
      handle = this.open(number, constants.O_RDONLY);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
      throw new UnreadableLog((error as Error).message, { cause: error });
    }
    try {
      const { size } = this.disk.fstatSync(handle);
      const bytes = Buffer.alloc(Math.max(0, Math.min(size - from, room)));
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

  /** A link is not followed and a pipe not waited for: nothing but a file of ours is written or read. */
  private open(number: number, flags: number): number {
    const name = this.file(number);
    const handle = this.disk.openSync(name, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600);
    if (this.disk.fstatSync(handle).isFile()) return handle;
    this.disk.closeSync(handle);
    throw new Error(`${name} is no file`);
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

/** The object that a line holds; null where it holds none. */
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
