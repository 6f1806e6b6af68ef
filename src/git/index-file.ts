// What git tracks below a folder, read from its index without a git process: it is there for git though a rule ignores it.

import fs from 'node:fs';
import path from 'node:path';
import { inflateSync } from 'node:zlib';
import { readRegular } from '../platform/read-file.ts';

/** Names relative to a folder, and every folder above one of them. */
export interface Tracked {
  files: ReadonlySet<string>;
  folders: ReadonlySet<string>;
  /** Symbolic links, with the name of the object that holds the text. */
  links: ReadonlyMap<string, string>;
}

/** A file of the index, with what git remembers of it to see whether it has changed. */
export interface TrackedFile {
  name: string;
  /** Name of the object, in hexadecimal. */
  object: string;
  isLink: boolean;
  /** Seconds and nanoseconds of the last change that git has seen, and the size in bytes modulo 2^32. */
  seconds: number;
  nanoseconds: number;
  size: number;
  /** Other than 0: one of several versions that are to be merged. */
  stage: number;
}

export const noTracked: Tracked = { files: new Set(), folders: new Set(), links: new Map() };
/** Largest index that is read, bytes. */
const maxBytes = 256 * 1_048_576;

/** An index of another form than those that git documents. */
export class IndexError extends Error {}

let held: { file: string; stamp: string; place: string; tracked: Tracked } | null = null;

/**
 * What is tracked at a place in the tree that belongs to a folder of git's own; '': in all of it.
 * @throws {IndexError} when there is an index that cannot be understood
 */
export function trackedFiles(git: string, place = ''): Tracked {
  const file = path.join(git, 'index');
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return noTracked;
  const stamp = `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`;
  if (held?.file === file && held.stamp === stamp && held.place === place) return held.tracked;
  const tracked = below(place, readAll(git, file));
  held = { file, stamp, place, tracked };
  return tracked;
}

/**
 * Every entry of an index, and when the index was written, in milliseconds; null when there is no index.
 * @throws {IndexError} when it cannot be understood
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

/** The files with every folder above one of them. */
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

/** Entries of an index, after those of the one that it is split from. A file that was removed since may be among them. */
function readAll(git: string, file: string): TrackedFile[] {
  const bytes = readIndex(file);
  const { entries, end, hashSize } = readEntries(bytes);
  const shared = findShared(bytes, end, hashSize);
  return shared === null ? entries : [...readEntries(readIndex(path.join(git, `sharedindex.${shared}`))).entries, ...entries];
}

/** Longest text of a link, as the system takes it. */
const maxText = 4_096;

/** The text of a symbolic link that git holds as a loose object; null where it is packed, or no such object. */
export function linkText(common: string, id: string): string | null {
  try {
    const file = path.join(common, 'objects', id.slice(0, 2), id.slice(2));
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    if (stat === undefined || !stat.isFile() || stat.size > 2 * maxText) return null;
    const held = inflateSync(readRegular(file, maxBytes), { maxOutputLength: 2 * maxText }).toString('utf8');
    return /^blob \d+\0(.+)$/s.exec(held)?.[1] ?? null;
  } catch {
    return null;
  }
}

function readIndex(file: string): Buffer {
  try {
    const stat = fs.statSync(file);
    if (!stat.isFile()) throw new IndexError(`${file} is no file`);
    if (stat.size > maxBytes) throw new IndexError(`${file} is larger than ${maxBytes} bytes`);
    return readRegular(file, maxBytes);
  } catch (error) {
    throw error instanceof IndexError ? error : new IndexError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** Bytes of an entry before the object's name: times, device, inode, mode, owner, size. */
const statBytes = 40;
/** Where the mode begins, and the kind of file that it says. */
const modeAt = 24;
const symbolicLink = 0o120000;

/** Of the documented versions 2 to 4. The object names have 20 bytes, or 32 where the first reading does not fit. */
function readEntries(bytes: Buffer): { entries: TrackedFile[]; end: number; hashSize: number } {
  for (const hashSize of [20, 32]) {
    const read = tryEntries(bytes, hashSize);
    if (read !== null) return { ...read, hashSize };
  }
  throw new IndexError('the index of git is of no form that is known');
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
      seconds: bytes.readUInt32BE(start + 8),
      nanoseconds: bytes.readUInt32BE(start + 12),
      size: bytes.readUInt32BE(start + 36),
      stage: (flags >> 12) & 3,
    });
  }
  return { entries, end: at };
}

/** The variable-width number of version 4: how many bytes of the name before are taken off. */
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

/** The name of the shared index, from the extension `link`; null where there is none. */
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
