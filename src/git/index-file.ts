// The files that git tracks below a folder, read from its index without a git process. Tracked files count even if a rule ignores
// them.

import fs from 'node:fs';
import path from 'node:path';
import { inflateSync } from 'node:zlib';
import { readRegular } from '../platform/read-file.ts';

/** Names relative to a folder, and every folder above one of them. */
export interface Tracked {
  files: ReadonlySet<string>;
  folders: ReadonlySet<string>;
  /** Symbolic links, with the name of the object that contains the link text. */
  links: ReadonlyMap<string, string>;
}

/** An entry of the index, with the values that git compares to detect changes. */
export interface TrackedFile {
  name: string;
  /** Object name in hexadecimal. */
  object: string;
  isLink: boolean;
  /** A commit of another repository, which is checked out in a folder of this name. */
  isSubmodule: boolean;
  /** Seconds and nanoseconds of the last modification that git has seen, and the size in bytes modulo 2^32. */
  seconds: number;
  nanoseconds: number;
  size: number;
  /** If not 0, one of several versions of a merge conflict. */
  stage: number;
}

export const noTracked: Tracked = { files: new Set(), folders: new Set(), links: new Map() };
/** Largest index that is read, in bytes. */
const maxBytes = 256 * 1_048_576;

/** The index cannot be read, or is in a form that git does not document. */
export class IndexError extends Error {}

let lastTracked: { file: string; stamp: string; place: string; tracked: Tracked } | null = null;

/**
 * The files that are tracked in a folder of the tree; '' for the whole tree. `git` is git's own folder for the tree.
 * @throws {IndexError} if there is an index that cannot be parsed
 */
export function trackedFiles(git: string, place = ''): Tracked {
  const file = path.join(git, 'index');
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return noTracked;
  const stamp = `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`;
  if (lastTracked?.file === file && lastTracked.stamp === stamp && lastTracked.place === place) return lastTracked.tracked;
  const tracked = below(place, readAll(git, file));
  lastTracked = { file, stamp, place, tracked };
  return tracked;
}

/**
 * Every entry of an index, and the time when the index was written, in milliseconds; null if there is no index.
 * @throws {IndexError} if it cannot be parsed
 */
export function trackedEntries(git: string): { entries: readonly TrackedFile[]; writtenMs: number } | null {
  const file = path.join(git, 'index');
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  const stamp = `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`;
  if (lastEntries?.file !== file || lastEntries.stamp !== stamp)
    lastEntries = { file, stamp, entries: readAll(git, file), writtenMs: stat.mtimeMs };
  return lastEntries;
}

let lastEntries: { file: string; stamp: string; entries: readonly TrackedFile[]; writtenMs: number } | null = null;

function below(prefix: string, entries: readonly TrackedFile[]): Tracked {
  const start = prefix === '' ? '' : `${prefix}/`;
  const found = entries.filter(({ name }) => name.startsWith(start));
  const links = found.filter(({ isLink }) => isLink).map(({ name, object }) => [name.slice(start.length), object] as const);
  return trackedOf(
    found.map(({ name }) => name.slice(start.length)),
    new Map(links),
  );
}

/** The files, and every folder above one of them. */
export function trackedOf(names: readonly string[], links: Tracked['links'] = new Map()): Tracked {
  const folders = new Set<string>();
  for (const name of names)
    for (let at = name.lastIndexOf('/'); at > 0; at = name.lastIndexOf('/', at - 1)) {
      const folder = name.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  return { files: new Set(names), folders, links };
}

/** The entries of an index, after those of its shared index if it is split. May include a file that was removed since. */
function readAll(git: string, file: string): TrackedFile[] {
  const bytes = readIndex(file);
  const { entries, end, hashSize } = readEntries(bytes);
  const shared = findShared(bytes, end, hashSize);
  return shared === null ? entries : [...readEntries(readIndex(path.join(git, `sharedindex.${shared}`))).entries, ...entries];
}

/** Longest link text that the system accepts, in bytes. */
const maxText = 4_096;

/** The text of a symbolic link that git stores as a loose object; null if the object is packed or does not exist. */
export function linkText(common: string, id: string): string | null {
  try {
    const file = path.join(common, 'objects', id.slice(0, 2), id.slice(2));
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    if (stat === undefined || !stat.isFile() || stat.size > 2 * maxText) return null;
    const blob = inflateSync(readRegular(file, maxBytes), { maxOutputLength: 2 * maxText }).toString('utf8');
    return /^blob \d+\0(.+)$/s.exec(blob)?.[1] ?? null;
  } catch {
    return null;
  }
}

function readIndex(file: string): Buffer {
  try {
    const stat = fs.statSync(file);
    if (!stat.isFile()) throw new IndexError(`${file} is not a file`);
    if (stat.size > maxBytes) throw new IndexError(`${file} is larger than ${maxBytes} bytes`);
    return readRegular(file, maxBytes);
  } catch (error) {
    throw error instanceof IndexError ? error : new IndexError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** Bytes of an entry before the object name: times, device, inode, mode, owner, size. */
const statBytes = 40;
/** Offset of the mode, and its value for a symbolic link. */
const modeAt = 24;
const symbolicLink = 0o120000;
const submodule = 0o160000;

/** Parses the documented versions 2 to 4. Object names have 20 bytes, or 32 if the index does not parse with 20. */
function readEntries(bytes: Buffer): { entries: TrackedFile[]; end: number; hashSize: number } {
  for (const hashSize of [20, 32]) {
    const read = tryEntries(bytes, hashSize);
    if (read !== null) return { ...read, hashSize };
  }
  throw new IndexError('the index of git has an unknown form');
}

function tryEntries(bytes: Buffer, hashSize: number): { entries: TrackedFile[]; end: number } | null {
  if (bytes.length < 12 + hashSize || bytes.toString('latin1', 0, 4) !== 'DIRC') return null;
  const version = bytes.readUInt32BE(4);
  const count = bytes.readUInt32BE(8);
  if (version < 2 || version > 4) return null;
  const entries: TrackedFile[] = [];
  let at = 12;
  let before = Buffer.alloc(0);
  for (let entry = 0; entry < count; entry++) {
    const start = at;
    at += statBytes + hashSize;
    if (at + 2 > bytes.length) return null;
    const flags = bytes.readUInt16BE(at);
    let name: string;
    at += flags & 0x4000 ? 4 : 2;
    if (version === 4) {
      const [cut, next] = readOffset(bytes, at);
      const end = bytes.indexOf(0, next);
      if (end === -1 || cut > before.length) return null;
      before = Buffer.concat([before.subarray(0, before.length - cut), bytes.subarray(next, end)]);
      name = before.toString('utf8');
      at = end + 1;
    } else {
      const end = bytes.indexOf(0, at);
      if (end === -1) return null;
      const long = (flags & 0xfff) === 0xfff;
      if (!long && end - at !== (flags & 0xfff)) return null;
      name = bytes.toString('utf8', at, end);
      at = start + Math.floor((end - start + 8) / 8) * 8;
    }
    entries.push({
      name,
      object: bytes.toString('hex', start + statBytes, start + statBytes + hashSize),
      isLink: bytes.readUInt32BE(start + modeAt) === symbolicLink,
      isSubmodule: bytes.readUInt32BE(start + modeAt) === submodule,
      seconds: bytes.readUInt32BE(start + 8),
      nanoseconds: bytes.readUInt32BE(start + 12),
      size: bytes.readUInt32BE(start + 36),
      stage: (flags >> 12) & 3,
    });
  }
  return { entries, end: at };
}

/** The variable-width number of version 4: how many bytes to remove from the end of the previous name. */
function readOffset(bytes: Buffer, start: number): [value: number, next: number] {
  let at = start;
  let byte = bytes[at++] ?? 0;
  let value = byte & 0x7f;
  while (byte & 0x80) {
    byte = bytes[at++] ?? 0;
    value = ((value + 1) << 7) | (byte & 0x7f);
  }
  return [value, at];
}

/** The name of the shared index, from the extension `link`; null if there is none. */
function findShared(bytes: Buffer, from: number, hashSize: number): string | null {
  for (let at = from; at + 8 <= bytes.length - hashSize; ) {
    const size = bytes.readUInt32BE(at + 4);
    if (bytes.toString('latin1', at, at + 4) === 'link') {
      const id = bytes.subarray(at + 8, at + 8 + hashSize);
      return id.every((byte) => byte === 0) ? null : id.toString('hex');
    }
    at += 8 + size;
  }
  return null;
}
