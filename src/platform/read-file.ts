// The only way to read a file that others can write. It never reads a pipe, a device or more bytes than the reader accepts.
import fs from 'node:fs';

/** The reason why a path is not read. `code` is like a system error code. */
export class NotReadable extends Error {
  constructor(
    /** EISDIR: a folder; ENOTREG: a pipe, a socket or a device; EFBIG: larger than the limit. */
    readonly code: 'EISDIR' | 'ENOTREG' | 'EFBIG',
    message: string,
  ) {
    super(message);
  }
}

const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = fs.constants;

export interface ReadOptions {
  /** A link is refused with ELOOP. */
  noFollow?: boolean;
  /** Checks the opened file before it is read, and throws to refuse it. */
  check?(stat: fs.Stats): void;
}

/**
 * The bytes of a regular file of at most `maxBytes`. Opening it never blocks, even if a pipe replaced the file after the check.
 * @throws {NotReadable} and system errors such as ENOENT
 */
export function readRegular(file: string, maxBytes: number, { noFollow = false, check }: ReadOptions = {}): Buffer {
  // Check before opening, because opening some devices has an effect.
  const before = noFollow ? fs.lstatSync(file) : fs.statSync(file);
  if (!before.isSymbolicLink()) refuseOther(file, before, maxBytes);
  const handle = fs.openSync(file, O_RDONLY | O_NONBLOCK | (noFollow ? O_NOFOLLOW : 0));
  try {
    const stat = fs.fstatSync(handle);
    refuseOther(file, stat, maxBytes);
    check?.(stat);
    return readAll(file, handle, stat.size, maxBytes);
  } finally {
    fs.closeSync(handle);
  }
}

/** The same as UTF-8 text. */
export function readRegularText(file: string, maxBytes: number, options?: ReadOptions): string {
  return readRegular(file, maxBytes, options).toString('utf8');
}

function refuseOther(file: string, stat: fs.Stats, maxBytes: number): void {
  if (stat.isDirectory()) throw new NotReadable('EISDIR', `EISDIR: ${file} is a folder`);
  if (!stat.isFile()) throw new NotReadable('ENOTREG', `${file} is not a regular file`);
  if (stat.size > maxBytes) throw tooLarge(file, maxBytes);
}

function tooLarge(file: string, maxBytes: number): NotReadable {
  return new NotReadable('EFBIG', `${file} is larger than ${maxBytes} bytes`);
}

/** The file may grow while it is read, and a file of /proc has the size 0. */
function readAll(file: string, handle: number, size: number, maxBytes: number): Buffer {
  let bytes = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (;;) {
    const count = fs.readSync(handle, bytes, length, bytes.length - length, null);
    length += count;
    if (count === 0) return bytes.subarray(0, length);
    if (length > maxBytes) throw tooLarge(file, maxBytes);
    if (length === bytes.length)
      bytes = Buffer.concat([bytes, Buffer.allocUnsafe(Math.min(Math.max(length, 65_536), maxBytes + 1 - length))]);
  }
}
