// The disk queries for one call: lists of names, links, the top folder of a repository, and the files beside a SQLite database.
import fs from 'node:fs';
import path from 'node:path';
import { gitAlias } from '../git/hooks.ts';
import { foldersUp } from '../git/repository.ts';
import type { BashRead, ShellDisk } from '../model/command.ts';
import { inside } from '../platform/path-text.ts';
import { readRegularText } from '../platform/read-file.ts';

/** Suffixes of a write-ahead log and of its index. */
const ends = ['-wal', '-shm'];
const magic = 'SQLite format 3\0';
/** Offset of the file format versions for writing and reading in the header. https://sqlite.org/fileformat2.html, 1.3.3 */
const versionsAt = 18;
/** The version of a database with a write-ahead log. */
const walVersion = 2;

/** Files that a reader creates if the database has a write-ahead log, or if that cannot be determined. */
export function logsBeside({ path, extent }: BashRead): string[] {
  if (extent !== 'one') return ends.map((end) => path + end);
  try {
    // SQLite creates them beside the file itself, not beside a link to it.
    const real = fs.realpathSync.native(path);
    return writesLog(real) ? ends.map((end) => real + end) : [];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return code === 'ENOENT' || code === 'ENOTDIR' ? [] : ends.map((end) => path + end);
  }
}

function writesLog(file: string): boolean {
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

/** Longer files are not lists that a person maintains, so their names count as unknown. In bytes. */
const maxBytes = 64 * 1024;

/** The folders of git's own programs on Linux and macOS. */
const gitFolders = ['/usr/lib/git-core', '/usr/libexec/git-core', '/usr/local/libexec/git-core'];

/** Disk queries for one call. Only files below the project's roots are opened. */
export function diskOf(roots: readonly string[], home: string, search: string): ShellDisk {
  const isInProject = (real: string): boolean => roots.some((root) => inside(real, root));
  return {
    text(name) {
      const real = realOf(name);
      return real === null || !isInProject(real) ? null : readSmall(real);
    },
    real: realOf,
    repository(folder) {
      const real = realOf(folder);
      for (const at of real === null ? [] : foldersUp(real)) if (fs.existsSync(path.join(at, '.git'))) return at;
      return null;
    },
    gitAlias(name, folder) {
      // Git prefers a program of its own folder or of the PATH to an alias.
      const programs = [...gitFolders, ...search.split(path.delimiter)].map((one) => path.resolve(folder, one, `git-${name}`));
      if (programs.some((program) => fs.existsSync(program))) return null;
      const { texts, isUnclear } = gitAlias(name, folder, home, process.env);
      return isUnclear || texts.length === 0 ? null : texts;
    },
  };
}

function realOf(name: string): string | null {
  try {
    return fs.realpathSync(name);
  } catch {
    return null;
  }
}

function readSmall(real: string): string | null {
  try {
    return readRegularText(real, maxBytes, { noFollow: true });
  } catch {
    return null;
  }
}
