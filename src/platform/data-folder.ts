// Where things about a project are kept in the data folder.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { NotReadable, readRegularText } from './read-file.ts';

/** `<data>/projects/<16 hex of the root's path>`: journal, trust, caches of one project. */
export function projectFolder(dataFolder: string, root: string): string {
  return path.join(dataFolder, 'projects', createHash('sha256').update(root).digest('hex').slice(0, 16));
}

/**
 * A file whose presence says that this folder was governed before. It mirrors the project's path, so that a shell script
 * finds it without starting a process.
 */
export function governedMarker(dataFolder: string, root: string): string {
  return path.join(dataFolder, 'governed', root, '.modes');
}

/** Remembers that a folder is governed, for the shell client too. Throws when the disk refuses. */
export function markGoverned(dataFolder: string, root: string): void {
  const marker = governedMarker(dataFolder, root);
  if (fs.existsSync(marker)) return;
  makeFolder(path.dirname(marker));
  writeWhole(marker, '');
}

/** Creates a folder of ours, 0700. */
export function makeFolder(folder: string): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/** Largest file of ours that is read: a journal's entry holds an approved plan at most, trust a line for each approval. */
const maxOwnBytes = 16_777_216;

/** The text of a file of ours. A FIFO or device in its place is not waited for: it holds nothing. Throws when the disk refuses. */
export function readOwn(file: string): string {
  try {
    return readRegularText(file, maxOwnBytes);
  } catch (error) {
    if (error instanceof NotReadable && error.code === 'ENOTREG') return '';
    throw error;
  }
}

/** Writes a file whole or not at all: fresh name, synced, renamed; 0600. Throws when the disk refuses, and leaves nothing behind. */
export function writeWhole(file: string, text: string | Uint8Array): void {
  const fresh = `${file}.${process.pid}.${process.hrtime.bigint()}.new`;
  const handle = fs.openSync(fresh, 'wx', 0o600);
  try {
    try {
      fs.writeFileSync(handle, text);
      fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
    fs.renameSync(fresh, file);
  } catch (error) {
    fs.rmSync(fresh, { force: true });
    throw error;
  }
}

/** Longest that writing one file takes, milliseconds: an older fresh one was left by a process that died. */
const writingMs = 60_000;

/** Removes what processes that died left of a file they were writing. Throws when the disk refuses. */
export function sweepFresh(folder: string, prefix: string): void {
  for (const name of fs.readdirSync(folder)) {
    if (!name.startsWith(prefix) || !/\.\d+\.\d+\.new$/.test(name)) continue;
    const at = fs.lstatSync(path.join(folder, name), { throwIfNoEntry: false })?.mtimeMs;
    if (at !== undefined && Date.now() - at > writingMs) fs.rmSync(path.join(folder, name), { force: true });
  }
}
