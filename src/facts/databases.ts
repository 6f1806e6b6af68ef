// The files that reading a SQLite database creates beside it.
import fs from 'node:fs';
import type { BashTarget } from '../model/command.ts';

/** Suffixes of a write-ahead log and of its index. */
const ends = ['-wal', '-shm'];
const magic = 'SQLite format 3\0';
/** Offset of the file format versions for writing and reading in the header. https://sqlite.org/fileformat2.html, 1.3.3 */
const versionsAt = 18;
/** The version of a database with a write-ahead log. */
const walVersion = 2;

/** Files that a reader creates if the database has a write-ahead log, or if that cannot be determined. */
export function logsBeside({ path, extent }: BashTarget): string[] {
  if (extent !== 'one') return ends.map((end) => path + end);
  try {
    // SQLite creates them beside the file itself, not beside a link to it.
    const real = fs.realpathSync.native(path);
    return keepsLog(real) ? ends.map((end) => real + end) : [];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return code === 'ENOENT' || code === 'ENOTDIR' ? [] : ends.map((end) => path + end);
  }
}

function keepsLog(file: string): boolean {
  const handle = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  try {
    if (!fs.fstatSync(handle).isFile()) return false;
    const head = Buffer.alloc(versionsAt + 2);
    if (fs.readSync(handle, head, 0, head.length, 0) < head.length) return false;
    return head.toString('latin1', 0, magic.length) === magic && head.subarray(versionsAt).includes(walVersion);
  } finally {
    fs.closeSync(handle);
  }
}
