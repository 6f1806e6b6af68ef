// The files of a project at one moment, by name, to find the changes between two moments.
import crypto from 'node:crypto';
import fs from 'node:fs';
import { belowOf, inside } from '../platform/path-text.ts';

/** Relative paths with forward slashes, each with a mark or hash of the file. */
export type Tree = ReadonlyMap<string, string>;

/** The names to include. An excluded folder is not entered. Relative paths with forward slashes. */
export interface TreeScope {
  file(name: string): boolean;
  folder(name: string): boolean;
  /** True if a normally excluded folder (.git, node_modules), or a path in it, is included explicitly. */
  meant(name: string): boolean;
}

/** The union of these scopes. */
export function anyScope(...scopes: readonly TreeScope[]): TreeScope {
  return {
    file: (name) => scopes.some((scope) => scope.file(name)),
    folder: (name) => scopes.some((scope) => scope.folder(name)),
    meant: (name) => scopes.some((scope) => scope.meant(name)),
  };
}

/** Excluded from a tree unless a scope explicitly includes them: git's own data and installed packages. */
export const leftOut: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** A file or folder cannot be read, so its state cannot be compared. */
export class TreeError extends Error {}

/**
 * A mark of the state of each file, without reading the file: identity, size and times. A changed mark does not imply a changed
 * content. 50,000 files take about 300 ms.
 * @throws {TreeError} if a folder or file cannot be read
 */
export function markFiles(root: string, scope: TreeScope): Map<string, string> {
  const marks = new Map<string, string>();
  walk(root, scope, (name, file) => {
    const mark = markOf(file);
    if (mark !== null) marks.set(name, mark);
  });
  return marks;
}

/** Known hashes from an earlier call: relative path → mark and hash. */
export type Hashed = Map<string, { mark: string; hash: string }>;

/**
 * The SHA-256 of the content of each file. A file whose mark has not changed since an earlier call is not read again.
 * @throws {TreeError} if a folder or file cannot be read
 */
export function hashFiles(root: string, scope: TreeScope, known: Hashed = new Map()): Hashed {
  return hashWalk(root, scope, known, false);
}

/**
 * The same, with each file of an installed package once, by its real path. In a workspace, many packages link to the same runner.
 * @throws {TreeError} if a folder or file cannot be read
 */
export function hashSharedFiles(root: string, scope: TreeScope): Hashed {
  return hashWalk(root, scope, new Map(), true);
}

/**
 * Detects that a file was written, even with the same content: marks, like `markFiles`. For the files of `byContent`, which programs
 * write again without a change, it takes the hash instead. Each file of an installed package occurs once, by its real path.
 * @throws {TreeError} if a folder or file cannot be read
 */
export function stampSharedFiles(root: string, scope: TreeScope, byContent: (name: string) => boolean): Map<string, string> {
  const stamps = new Map<string, string>();
  walk(
    root,
    scope,
    (name, file, isPlain) => {
      const stamp = byContent(name) ? (isPlain ? readPlain(file) : readOther(file))?.hash : markOf(file);
      if (stamp !== null && stamp !== undefined) stamps.set(name, stamp);
    },
    true,
  );
  return stamps;
}

function hashWalk(root: string, scope: TreeScope, known: Hashed, isShared: boolean): Hashed {
  const hashed: Hashed = new Map();
  const started = Date.now();
  const add: Visit = (name, file, isPlain) => {
    const before = known.get(name);
    if (before !== undefined && before.mark !== '' && before.mark === markOf(file)) {
      hashed.set(name, before);
      return;
    }
    const read = isPlain ? readPlain(file) : readOther(file);
    if (read === null) return;
    // If a file changed just before it was read, within the resolution of the clock, it may change again without a new mark.
    const settled = started - read.changedMs > GRAIN_MS;
    hashed.set(name, { mark: settled ? read.mark : '', hash: read.hash });
  };
  walk(root, scope, add, isShared);
  return hashed;
}

/** The same hash of one file, or of whatever has its name now. null: it does not exist. */
export function hashFile(file: string): string | null {
  const stat = look(file, fs.lstatSync);
  if (stat === undefined) return null;
  return stat.isDirectory() ? kindOf(stat) : (readOther(file)?.hash ?? null);
}

/** Coarsest clock resolution of file systems in use, in milliseconds. */
const GRAIN_MS = 2_000;

/** The hashes without the marks. */
export function contents(hashed: Hashed): Map<string, string> {
  return new Map([...hashed].map(([name, { hash }]) => [name, hash]));
}

/** Sorted names of files that were added, removed or changed. */
export function differences(before: Tree, after: Tree): string[] {
  const names: string[] = [];
  for (const [name, state] of before) if (after.get(name) !== state) names.push(name);
  for (const name of after.keys()) if (!before.has(name)) names.push(name);
  return names.sort();
}

/** Maximum number of names reached through links to folders in one tree. */
const maxLinkedNames = 20_000;

/** A path for system calls: bytes if it is not valid text. */
type Path = string | Buffer;

/** A folder to visit. `above` are the real paths of the folders with the links that led here. */
interface Waiting {
  name: string;
  folder: Path;
  above: readonly string[] | null;
  /** Real path of the folder; null: not needed. */
  real: string | null;
}

type Visit = (name: string, file: Path, isPlain: boolean) => void;

/**
 * Visits every file of the scope. Also enters links to folders, because the files there can change.
 * @param isShared visits a file of an installed package once, by its real path
 */
function walk(root: string, scope: TreeScope, visit: Visit, isShared = false): void {
  const realRoot = isShared && fs.existsSync(root) ? real(root) : null;
  const waiting: Waiting[] = [{ name: '', folder: root, above: null, real: realRoot }];
  const linked = new Set<string>();
  const visited = new Set<string>();
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const { folder } = at;
    const { entries, odd } = list(folder);
    for (const [index, entry] of entries.entries()) {
      const bytes = odd?.[index] ?? null;
      const own = bytes === null ? entry.name : nameOfBytes(bytes);
      const name = at.name === '' ? own : `${at.name}/${own}`;
      if (leftOut.has(entry.name) && !scope.meant(name)) continue;
      const file = bytes === null && typeof folder === 'string' ? `${folder}/${own}` : joined(folder, bytes ?? entry.name);
      const shared = at.real !== null && isPackaged(name) ? `${at.real}/${own}` : null;
      if (at.above !== null && linked.add(shared ?? name).size > maxLinkedNames)
        throw new TreeError(`there are more than ${maxLinkedNames} files behind links to folders`);
      if (entry.isDirectory()) {
        if (scope.folder(name)) waiting.push({ name, folder: file, above: at.above, real: at.real && `${at.real}/${own}` });
        continue;
      }
      if (scope.file(name) && (shared === null || !visited.has(shared))) {
        if (shared !== null) visited.add(shared);
        visit(shared === null ? name : nameBelow(shared, realRoot as string), file, entry.isFile());
      }
      if (!entry.isSymbolicLink() || !scope.folder(name)) continue;
      const target = linkedFolder(file);
      if (target === null) continue;
      const above = [...(at.above ?? []), real(folder)];
      // A link to a folder that contains the present one would form a cycle.
      if (!above.some((one) => inside(one, target))) waiting.push({ name, folder: file, above, real: at.real && target });
    }
  }
}

/** Whether a name leads into a folder of installed packages. */
function isPackaged(name: string): boolean {
  return /(?:^|\/)node_modules\//.test(name);
}

function nameBelow(file: string, root: string): string {
  return inside(file, root) ? belowOf(file, root) : file;
}

/** The real path of a link's target if that is a folder, else null. */
function linkedFolder(file: Path): string | null {
  try {
    return fs.statSync(file, { throwIfNoEntry: false })?.isDirectory() ? real(file) : null;
  } catch (error) {
    if (isLost(error)) return null;
    throw new TreeError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function real(file: Path): string {
  return fs.realpathSync.native(file);
}

/** The contents of a folder. `odd`: for each entry, the bytes of a name that is not valid text, else null. */
function list(folder: Path): { entries: fs.Dirent[]; odd: (Buffer | null)[] | null } {
  try {
    const entries = fs.readdirSync(folder, { withFileTypes: true });
    if (!entries.some(({ name }) => name.includes(REPLACED))) return { entries, odd: null };
    const exact = fs.readdirSync(folder, { withFileTypes: true, encoding: 'buffer' }) as unknown as { name: Buffer }[];
    const texts = exact.map(({ name }) => name.toString());
    // The folder changed between the two calls.
    if (texts.length !== entries.length || texts.some((text, at) => text !== entries[at]?.name)) return list(folder);
    return { entries, odd: exact.map(({ name }, at) => (name.equals(Buffer.from(texts[at] as string)) ? null : name)) };
  } catch (error) {
    if (isGone(error)) return { entries: [], odd: null };
    throw new TreeError(`${folder} cannot be listed: ${(error as Error).message}`);
  }
}

/** The replacement character for invalid bytes. */
const REPLACED = '\ufffd';

/** One character for each byte, with a NUL before the first non-ASCII byte. Unique, because no other name contains a NUL. */
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
    throw new TreeError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** The file was removed between two calls. */
function isGone(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/** A link that cannot be followed: its target does not exist, or the links form a cycle. */
function isLost(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/** The mark of a file; for a link it includes the state of the target. null: the file no longer exists. */
export function markOf(file: Path): string | null {
  const stat = look(file, fs.lstatSync);
  if (stat === undefined) return null;
  if (!stat.isSymbolicLink()) return stateOf(stat);
  const target = look(file, fs.statSync);
  return `${stateOf(stat)} ${target === undefined || target.isDirectory() ? '' : stateOf(target)}`;
}

function stateOf(stat: fs.Stats): string {
  return `${stat.ino} ${stat.mode} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`;
}

/** Milliseconds that a program may take to set the time of a file that it has just written. */
const writeMs = 2_000;

/** Whether a mark shows that the time of a file is older than its last change. A program that moves or copies a file can cause this too. */
export function isTimeSetBack(mark: string): boolean {
  const [modified, changed] = mark.trim().split(' ').slice(-2).map(Number) as [number, number];
  return changed - modified > writeMs;
}

interface ReadObject {
  mark: string;
  hash: string;
  /** Time of the last change, in milliseconds since 1970. */
  changedMs: number;
}

/** Reads an entry that was a regular file when its folder was listed. null: it no longer exists. */
function readPlain(file: Path): ReadObject | null {
  let handle: number;
  try {
    handle = fs.openSync(file, openFlags);
  } catch (error) {
    if (isGone(error)) return null;
    // It has become a link.
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

/** Hashes a link by its text and the content of its target, and a pipe or socket by its kind. null: it no longer exists. */
function readOther(file: Path): ReadObject | null {
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
      const targetContent = target?.isFile() ? readPlain(real(file)) : null;
      if (targetContent !== null) {
        hash.update(`\0${targetContent.hash}`);
        changedMs = Math.max(changedMs, targetContent.changedMs);
      }
    }
  } catch (error) {
    if (isLost(error)) return null;
    throw error instanceof TreeError ? error : new TreeError(`${file} cannot be read: ${(error as Error).message}`);
  }
  return { mark, hash: hash.digest('base64'), changedMs };
}

/** Hashed before the content, so that the same bytes in another kind of file give another hash. */
function kindOf({ mode }: fs.Stats): string {
  return `${mode & fs.constants.S_IFMT} ${mode & 0o111}\0`;
}

function changeOf({ ctimeMs, mtimeMs }: fs.Stats): number {
  return Math.max(ctimeMs, mtimeMs);
}

/** Reused, because allocating a buffer for every file takes as long as reading it. */
const chunk = Buffer.allocUnsafe(1_048_576);

/** Hashes in one call if this version of Node can. This halves the time for a small file. */
const hashOnce: typeof crypto.hash | undefined = crypto.hash;

function hashOpened(handle: number, stat: fs.Stats): string {
  const kind = chunk.write(kindOf(stat));
  if (!stat.isFile()) return hashWhole(kind);
  const limits = chunk.length - kind;
  const count = fs.readSync(handle, chunk, kind, limits, null);
  // A read that returns fewer bytes than requested has reached the end of the file.
  if (count < limits && count >= stat.size) return hashWhole(kind + count);
  const hash = crypto.createHash('sha256').update(chunk.subarray(0, kind + count));
  for (let done = count, more = count; more > 0; done += more) {
    more = fs.readSync(handle, chunk);
    hash.update(chunk.subarray(0, more));
    if (more < chunk.length && done + more >= stat.size) break;
  }
  return hash.digest('base64');
}

/** The hash of the first bytes of the chunk. */
function hashWhole(length: number): string {
  const bytes = chunk.subarray(0, length);
  return hashOnce === undefined
    ? crypto.createHash('sha256').update(bytes).digest('base64')
    : hashOnce('sha256', bytes, 'base64');
}
