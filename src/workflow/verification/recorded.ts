// The contents of guarded files before a verified run, so that a person can compare and restore them. Git has the content of a
// file that is unchanged since it was added; any other content is copied into the data folder.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Hashed } from '../../git/file-tree.ts';
import { trackedEntries } from '../../git/index-file.ts';
import { gitFolder, readBlob } from '../../git/run.ts';
import { makeFolder, projectFolder, writeWhole } from '../../platform/data-folder.ts';
import { readRegular } from '../../platform/read-file.ts';
import { attempt } from '../../platform/stat.ts';

/** A larger file is compared but not copied, in bytes. */
const maxCopy = 1_048_576;
/** Limit on all copies of one project, in bytes. */
const maxCopies = 67_108_864;
/** Limit on the number of copies, which is also the limit on the time that one run takes to copy. */
const maxNumber = 2_000;

const folderOf = (dataFolder: string, root: string) => path.join(projectFolder(dataFolder, root), 'recorded');

/** A name that is safe in every file system. */
const copyName = (hash: string) => Buffer.from(hash, 'base64').toString('hex');

/** The same hash as `hashFiles` gives. `isProgram`: the file can be executed. */
function hashOf(bytes: Buffer, isProgram: boolean): string {
  const kind = `${fs.constants.S_IFREG} ${isProgram ? 0o111 : 0}\0`;
  return createHash('sha256').update(kind).update(bytes).digest('base64');
}

/** Copies the contents that git does not have. A content that cannot be copied is compared all the same. */
export function recordContents(dataFolder: string, root: string, files: Hashed): void {
  const folder = folderOf(dataFolder, root);
  const inGit = unchangedInGit(root);
  const wanted = [...files].filter(([name, { hash }]) => !inGit(name) && !fs.existsSync(path.join(folder, copyName(hash))));
  if (wanted.length === 0) return;
  makeFolder(folder);
  let left = maxCopies - sweep(folder, new Set([...files.values()].map(({ hash }) => copyName(hash))));
  for (const [name, { hash }] of wanted.slice(0, maxNumber)) {
    const bytes = attempt(() => readSmall(path.join(root, name)));
    if (bytes === null || bytes.length > left) continue;
    // A copy is only of use with its hash: the file may have changed since.
    if (hashOf(bytes, false) !== hash && hashOf(bytes, true) !== hash) continue;
    writeWhole(path.join(folder, copyName(hash)), bytes);
    left -= bytes.length;
  }
}

function readSmall(file: string): Buffer | null {
  const stat = fs.lstatSync(file);
  return stat.isFile() && stat.size <= maxCopy ? readRegular(file, maxCopy) : null;
}

/** Removes copies that the present record does not use. Returns the bytes of those that stay. */
function sweep(folder: string, used: ReadonlySet<string>): number {
  let bytes = 0;
  for (const name of fs.readdirSync(folder)) {
    const file = path.join(folder, name);
    if (used.has(name)) bytes += fs.lstatSync(file).size;
    else fs.rmSync(file, { force: true });
  }
  return bytes;
}

/** Whether git's index lists a file as unchanged. A wrong index only means that the content cannot be restored. */
function unchangedInGit(root: string): (name: string) => boolean {
  const index = indexOf(root);
  if (index === null) return () => false;
  const { prefix, entries, writtenMs } = index;
  return (name) => {
    const entry = entries.get(prefix + name);
    const stat = entry === undefined ? undefined : fs.lstatSync(path.join(root, name), { throwIfNoEntry: false });
    if (entry === undefined || stat === undefined) return false;
    return (
      stat.isFile() &&
      stat.size % 2 ** 32 === entry.size &&
      Math.floor(stat.mtimeMs / 1_000) === entry.seconds &&
      stat.mtimeMs < writtenMs - 1_000
    );
  };
}

function indexOf(root: string) {
  try {
    const repository = gitFolder(root);
    const read = repository === null ? null : trackedEntries(repository.git);
    if (repository === null || read === null) return null;
    const below = path.relative(repository.top, root).split(path.sep).join('/');
    const entries = new Map(read.entries.filter(({ stage }) => stage === 0).map((entry) => [entry.name, entry]));
    return { prefix: below === '' ? '' : `${below}/`, entries, writtenMs: read.writtenMs };
  } catch {
    return null;
  }
}

export interface RecordedContent {
  bytes: Buffer;
  isProgram: boolean;
}

/** The content of a file that had this hash; null if it was not recorded. */
export async function recordedContent(
  dataFolder: string,
  root: string,
  name: string,
  hash: string,
): Promise<RecordedContent | null> {
  const copy = attempt(() => readRegular(path.join(folderOf(dataFolder, root), copyName(hash)), maxCopy));
  const entry = copy === null ? indexOf(root) : null;
  const tracked = entry?.entries.get(`${entry.prefix}${name}`);
  const candidates = [copy, tracked === undefined ? null : await readBlob(root, tracked.object)];
  for (const bytes of candidates)
    for (const isProgram of [false, true]) if (bytes !== null && hashOf(bytes, isProgram) === hash) return { bytes, isProgram };
  return null;
}
