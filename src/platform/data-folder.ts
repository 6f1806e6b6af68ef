// Locations and safe file operations in the data folder.

import fs from 'node:fs';
import path from 'node:path';
import { hexHash } from './hash.ts';
import { NotReadable, readRegularText } from './read-file.ts';

/** `<data>/projects/<16 hex of the root's path>`: journal, trust, caches of one project. */
export function projectFolder(dataFolder: string, root: string): string {
  return path.join(dataFolder, 'projects', hexHash(root).slice(0, 16));
}

/**
 * A file whose presence means that Modes governed this folder before. It mirrors the project's path, so that a shell script
 * finds it without starting a process.
 */
export function governedMarker(dataFolder: string, root: string): string {
  return path.join(dataFolder, 'governed', root, '.modes');
}

/** Records that a folder is governed, also for the shell client. Throws if the file system refuses. */
export function markGoverned(dataFolder: string, root: string): void {
  const marker = governedMarker(dataFolder, root);
  if (fs.existsSync(marker)) return;
  makeFolder(path.dirname(marker));
  writeWhole(marker, '');
}

/** Creates a folder for Modes' own files, mode 0700. */
export function makeFolder(folder: string): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/** Largest file of Modes that is read, in bytes. A journal entry contains at most a plan; trust, a line per approval. */
const maxDataFileBytes = 16_777_216;

/** The text of a file of Modes. A FIFO or device counts as empty instead of blocking. Throws if the file system refuses. */
export function readDataFile(file: string): string {
  try {
    return readRegularText(file, maxDataFileBytes);
  } catch (error) {
    if (error instanceof NotReadable && error.code === 'ENOTREG') return '';
    throw error;
  }
}

/**
 * Writes a file completely or not at all: new name, fsync, rename; mode 0600. If it throws, it leaves no temporary file.
 * `isSynced`: false for a file whose hash shows that it is torn.
 */
export function writeWhole(file: string, text: string | Uint8Array, isSynced = true): void {
  const fresh = freshName(file);
  try {
    writeFresh(fresh, text, isSynced);
    fs.renameSync(fresh, file);
  } catch (error) {
    fs.rmSync(fresh, { force: true });
    throw error;
  }
}

/** The same for a file that must not exist yet. False: it exists, and stays as it is. */
export function createWhole(file: string, text: string): boolean {
  const fresh = freshName(file);
  try {
    writeFresh(fresh, text, true);
    fs.linkSync(fresh, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    fs.rmSync(fresh, { force: true });
  }
}

const freshName = (file: string): string => `${file}.${process.pid}.${process.hrtime.bigint()}.new`;

function writeFresh(fresh: string, text: string | Uint8Array, isSynced: boolean): void {
  const handle = fs.openSync(fresh, 'wx', 0o600);
  try {
    fs.writeFileSync(handle, text);
    if (isSynced) fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

/** Files of a folder with time and size, newest first. A file that another process removed in the meantime comes last. */
export function newestFirst(folder: string, names: readonly string[]): { name: string; at: number; size: number }[] {
  const found = names.map((name) => {
    const stat = fs.lstatSync(path.join(folder, name), { throwIfNoEntry: false });
    return { name, at: stat?.mtimeMs ?? 0, size: stat?.size ?? 0 };
  });
  return found.sort((one, other) => other.at - one.at);
}

/** Removes all of these files but the newest. */
export function keepNewest(folder: string, names: readonly string[], count: number): void {
  for (const { name } of newestFirst(folder, names).slice(count)) fs.rmSync(path.join(folder, name), { force: true });
}

/** Longest time to write one file, in milliseconds. A process that died left any older temporary file. */
const writingMs = 60_000;

/** Removes temporary files of processes that died while they wrote. Throws if the file system refuses. */
export function sweepFresh(folder: string, prefix: string): void {
  for (const name of fs.readdirSync(folder)) {
    if (!name.startsWith(prefix) || !/\.\d+\.\d+\.new$/.test(name)) continue;
    const at = fs.lstatSync(path.join(folder, name), { throwIfNoEntry: false })?.mtimeMs;
    if (at !== undefined && Date.now() - at > writingMs) fs.rmSync(path.join(folder, name), { force: true });
  }
}
