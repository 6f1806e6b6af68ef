// The files of a project at one moment, by name: to see what changed between two moments.
import crypto from 'node:crypto';
import fs from 'node:fs';
import { inside } from '../platform/path-text.ts';

/** Relative paths with forward slashes, each with what stands for its state or its content. */
export type Tree = ReadonlyMap<string, string>;

/** Which names are looked at; a folder that is left out is not entered. Relative paths with forward slashes. */
export interface Scope {
  file(name: string): boolean;
  folder(name: string): boolean;
  /** Whether it is about something there though the name is one of those that are left out. */
  meant(name: string): boolean;
}

/** What any of these scopes is about. */
export function anyScope(...scopes: readonly Scope[]): Scope {
  return {
    file: (name) => scopes.some((scope) => scope.file(name)),
    folder: (name) => scopes.some((scope) => scope.folder(name)),
    meant: (name) => scopes.some((scope) => scope.meant(name)),
  };
}

/** No part of a tree unless a scope means it: git's own bookkeeping and what is installed. */
export const leftOut: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** What cannot be looked at has no state that could be compared. */
export class TreeError extends Error {}

/**
 * What stands for the state of each file without reading it: identity, size and times. Another state need not be another
 * content. 50,000 files take about 300 ms.
 * @throws {TreeError} where a folder or file cannot be looked at
 */
export function markFiles(root: string, scope: Scope): Map<string, string> {
  const marks = new Map<string, string>();
  walk(root, scope, (name, file) => {
    const mark = markOf(file);
    if (mark !== null) marks.set(name, mark);
  });
  return marks;
}

/** Contents that are known from an earlier look: relative path → mark and hash. */
export type Hashed = Map<string, { mark: string; hash: string }>;

/**
 * The content of each file as its SHA-256. What has the mark it had at an earlier look is not read again.
 * @throws {TreeError} where a folder or file cannot be read
 */
export function hashFiles(root: string, scope: Scope, known: Hashed = new Map()): Hashed {
  const hashed: Hashed = new Map();
  const started = Date.now();
  walk(root, scope, (name, file, isPlain) => {
    const before = known.get(name);
    if (before !== undefined && before.mark !== '' && before.mark === markOf(file)) {
      hashed.set(name, before);
      return;
    }
    const read = isPlain ? readPlain(file) : readOther(file);
    if (read === null) return;
    // A file that was changed within the clock's grain before it was read may change again without another mark.
    const settled = started - read.changedMs > GRAIN_MS;
    hashed.set(name, { mark: settled ? read.mark : '', hash: read.hash });
  });
  return hashed;
}

/** Coarsest clock of file systems in use, ms. */
const GRAIN_MS = 2_000;

/** The hashes alone. */
export function contents(hashed: Hashed): Map<string, string> {
  return new Map([...hashed].map(([name, { hash }]) => [name, hash]));
}

/** Names that were added, removed or differ, sorted. */
export function differences(before: Tree, after: Tree): string[] {
  const names: string[] = [];
  for (const [name, state] of before) if (after.get(name) !== state) names.push(name);
  for (const name of after.keys()) if (!before.has(name)) names.push(name);
  return names.sort();
}

/** Names behind links to folders that are looked at in one tree. */
const maxBehindLinks = 20_000;

/** As the system takes it: bytes where it is no text. */
type Path = string | Buffer;

/** A folder on the way; `above` are the real paths of the folders that links on the way here led out of. */
interface Waiting {
  name: string;
  folder: Path;
  above: readonly string[] | null;
}

/** Visits every file of the scope. A link to a folder is gone into as well, since what it leads to can change behind it. */
function walk(root: string, scope: Scope, visit: (name: string, file: Path, isPlain: boolean) => void): void {
  const waiting: Waiting[] = [{ name: '', folder: root, above: null }];
  let behindLinks = 0;
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const { folder } = at;
    const { entries, odd } = list(folder);
    for (const [index, entry] of entries.entries()) {
      const bytes = odd?.[index] ?? null;
      const own = bytes === null ? entry.name : nameOfBytes(bytes);
      const name = at.name === '' ? own : `${at.name}/${own}`;
      if (leftOut.has(entry.name) && !scope.meant(name)) continue;
      const file = bytes === null && typeof folder === 'string' ? `${folder}/${own}` : joined(folder, bytes ?? entry.name);
      if (at.above !== null && ++behindLinks > maxBehindLinks)
        throw new TreeError(`there are more than ${maxBehindLinks} files behind links to folders`);
      if (entry.isDirectory()) {
        if (scope.folder(name)) waiting.push({ name, folder: file, above: at.above });
        continue;
      }
      if (scope.file(name)) visit(name, file, entry.isFile());
      if (!entry.isSymbolicLink() || !scope.folder(name)) continue;
      const target = linkedFolder(file);
      if (target === null) continue;
      const above = [...(at.above ?? []), real(folder)];
      // A link to a folder that the way here leads through goes in a circle.
      if (!above.some((one) => inside(one, target))) waiting.push({ name, folder: file, above });
    }
  }
}

/** The real path of the folder that a link leads to; null for any other link. */
function linkedFolder(file: Path): string | null {
  try {
    return fs.statSync(file, { throwIfNoEntry: false })?.isDirectory() ? real(file) : null;
  } catch (error) {
    if (isLost(error)) return null;
    throw new TreeError(`${file} cannot be looked at: ${(error as Error).message}`);
  }
}

function real(file: Path): string {
  return fs.realpathSync.native(file);
}

/** What lies in a folder; `odd`: the bytes of the names that are no text, by their places. */
function list(folder: Path): { entries: fs.Dirent[]; odd: (Buffer | null)[] | null } {
  try {
    const entries = fs.readdirSync(folder, { withFileTypes: true });
    if (!entries.some(({ name }) => name.includes(REPLACED))) return { entries, odd: null };
    const exact = fs.readdirSync(folder, { withFileTypes: true, encoding: 'buffer' }) as unknown as { name: Buffer }[];
    const texts = exact.map(({ name }) => name.toString());
    // Changed between both looks.
    if (texts.length !== entries.length || texts.some((text, at) => text !== entries[at]?.name)) return list(folder);
    return { entries, odd: exact.map(({ name }, at) => (name.equals(Buffer.from(texts[at] as string)) ? null : name)) };
  } catch (error) {
    if (isGone(error)) return { entries: [], odd: null };
    throw new TreeError(`${folder} cannot be listed: ${(error as Error).message}`);
  }
}

/** What a byte that is no text is read as. */
const REPLACED = '\ufffd';

/** A character for each byte, and before the first that is not ASCII one that no name has: no other name looks like it. */
function nameOfBytes(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/[\x80-\xff]/, '\0$&');
}

function joined(folder: Path, name: Path): Buffer {
  return Buffer.concat([Buffer.from(folder), Buffer.from('/'), Buffer.from(name)]);
}

function look(file: Path, stat: typeof fs.lstatSync | typeof fs.statSync): fs.Stats | undefined {
  try {
    return stat(file, { throwIfNoEntry: false });
  } catch (error) {
    if (isLost(error)) return undefined;
    throw new TreeError(`${file} cannot be looked at: ${(error as Error).message}`);
  }
}

/** Removed between two looks. */
function isGone(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/** A link that leads nowhere. */
function isLost(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/** A link has the state of what it leads to as well. null: it is gone. */
function markOf(file: Path): string | null {
  const stat = look(file, fs.lstatSync);
  if (stat === undefined) return null;
  if (!stat.isSymbolicLink()) return stateOf(stat);
  const target = look(file, fs.statSync);
  return `${stateOf(stat)} ${target === undefined || target.isDirectory() ? '' : stateOf(target)}`;
}

function stateOf(stat: fs.Stats): string {
  return `${stat.ino} ${stat.mode} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`;
}

interface Read {
  mark: string;
  hash: string;
  /** When it was changed last, ms since 1970. */
  changedMs: number;
}

/** What was a plain file when its folder was listed. null: it is gone. */
function readPlain(file: Path): Read | null {
  let handle: number;
  try {
    handle = fs.openSync(file, openFlags);
  } catch (error) {
    if (isGone(error)) return null;
    // Another kind of file by now.
    if ((error as NodeJS.ErrnoException).code === 'ELOOP') return readOther(file);
    throw new TreeError(`${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    const stat = fs.fstatSync(handle);
    return { mark: stateOf(stat), hash: hashOpened(handle, stat), changedMs: changeOf(stat) };
  } catch (error) {
    throw new TreeError(`${file} cannot be read: ${(error as Error).message}`);
  } finally {
    fs.closeSync(handle);
  }
}

const openFlags = fs.constants.O_RDONLY | fs.constants.O_NONBLOCK | fs.constants.O_NOFOLLOW;

/** A link counts by where it leads and what is there, a pipe or socket by what it is. null: it is gone. */
function readOther(file: Path): Read | null {
  const stat = look(file, fs.lstatSync);
  if (stat === undefined) return null;
  if (stat.isFile()) return readPlain(file);
  const mark = markOf(file);
  if (mark === null) return null;
  const hash = crypto.createHash('sha256').update(kindOf(stat));
  let changedMs = changeOf(stat);
  try {
    if (stat.isSymbolicLink()) {
      hash.update(fs.readlinkSync(file));
      const target = look(file, fs.statSync);
      const behind = target?.isFile() ? readPlain(real(file)) : null;
      if (behind !== null) {
        hash.update(`\0${behind.hash}`);
        changedMs = Math.max(changedMs, behind.changedMs);
      }
    }
  } catch (error) {
    if (isLost(error)) return null;
    throw error instanceof TreeError ? error : new TreeError(`${file} cannot be read: ${(error as Error).message}`);
  }
  return { mark, hash: hash.digest('base64'), changedMs };
}

/** What is hashed before the content: the same bytes as another kind of file are another content. */
function kindOf({ mode }: fs.Stats): string {
  return `${mode & fs.constants.S_IFMT} ${mode & 0o111}\0`;
}

function changeOf({ ctimeMs, mtimeMs }: fs.Stats): number {
  return Math.max(ctimeMs, mtimeMs);
}

/** Reused: allocating one for every file takes as long as reading it. */
const chunk = Buffer.allocUnsafe(1_048_576);

/** In one step where this Node can, which halves what a small file costs. */
const hashOnce: typeof crypto.hash | undefined = crypto.hash;

function hashOpened(handle: number, stat: fs.Stats): string {
  const kind = chunk.write(kindOf(stat));
  if (!stat.isFile()) return hashWhole(kind);
  const room = chunk.length - kind;
  const count = fs.readSync(handle, chunk, kind, room, null);
  // Less than was asked for is the end of a file.
  if (count < room && count >= stat.size) return hashWhole(kind + count);
  const hash = crypto.createHash('sha256').update(chunk.subarray(0, kind + count));
  for (let done = count, more = count; more > 0; done += more) {
    more = fs.readSync(handle, chunk);
    hash.update(chunk.subarray(0, more));
    if (more < chunk.length && done + more >= stat.size) break;
  }
  return hash.digest('base64');
}

/** Of the chunk's first bytes. */
function hashWhole(length: number): string {
  const bytes = chunk.subarray(0, length);
  return hashOnce === undefined
    ? crypto.createHash('sha256').update(bytes).digest('base64')
    : hashOnce('sha256', bytes, 'base64');
}
