// Determines from the index, without starting git, which tracked files a git command prints.
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { IndexError, type TrackedFile, trackedEntries } from '../git/index-file.ts';
import { type Pathspec, parsePathspec, selectedBy } from '../git/pathspec.ts';
import { type Repository, repositoryWithTree } from '../git/repository.ts';
import type { GitView } from '../model/command.ts';
import { inside, under } from '../platform/path-text.ts';
import { readRegular } from '../platform/read-file.ts';
import { attempt, realOr, statOf } from '../platform/stat.ts';
import { hexadecimalOf } from '../shell/commands/git/views.ts';
import type { Place } from './paths/place.ts';
import { ownCheckoutOf } from './paths/worktrees.ts';

export interface Printed {
  /** Top folder of the working tree. */
  top: string;
  /** All tracked files by folder: absolute folder paths, each with the names in it. */
  folders: ReadonlyMap<string, readonly string[]>;
  /** True for an absolute path if git prints, or may print, its contents. */
  isPrinted(file: string): boolean;
}

/** Larger files are not compared by content; they count as changed. In bytes. */
const maxCompared = 1_048_576;

/** null: there is no repository. 'unknown': the files of the repository cannot be determined. */
export function printedFiles(view: GitView, place: Place, isWritten: (file: string) => boolean): Printed | null | 'unknown' {
  const found = repositoryWithTree(view.folder);
  if (found === null) return null;
  const repository = found.isBare ? (ownCheckoutOf(found.common, place) ?? found) : found;
  const index = indexOf(repository);
  if (index === 'unknown') return 'unknown';
  const { top } = repository;
  const byName = new Map<string, TrackedFile[]>();
  for (const entry of index.entries) {
    // A folder entry of a sparse index represents files that are not listed.
    if (entry.name.endsWith('/')) return 'unknown';
    const before = byName.get(entry.name);
    if (before === undefined) byName.set(entry.name, [entry]);
    else before.push(entry);
  }
  const selects = selectorOf(view, repository, byName);
  return {
    top,
    folders: foldersOf(byName.keys(), top),
    isPrinted(file) {
      if (view.isMissing && !isWritten(file) && attempt(() => fs.lstatSync(file)) !== null) return false;
      const entries = byName.get(nameIn(file, top)) ?? [];
      return selects(nameIn(file, top), entries, () => isWritten(file) || isChanged(file, entries, index.writtenMs));
    },
  };
}

/** The most submodules of one view. */
const maxSubmodules = 200;

/** The folders of the submodules of a repository, at any depth. `areAll` is false if there are more than the limit. */
export function submodulesOf(folder: string): { folders: string[]; areAll: boolean } {
  const rest = [folder];
  for (let at = 0; at < rest.length && at <= maxSubmodules; at++) {
    const repository = repositoryWithTree(rest[at]!);
    const index = repository === null ? 'unknown' : indexOf(repository);
    if (repository === null || index === 'unknown') continue;
    for (const { name, isSubmodule } of index.entries) if (isSubmodule) rest.push(under(repository.top, name));
  }
  return { folders: [...new Set(rest.slice(1, maxSubmodules + 1))], areAll: rest.length <= maxSubmodules + 1 };
}

const nameIn = (file: string, top: string): string => file.slice(top === '/' ? 1 : top.length + 1);

type Index = NonNullable<ReturnType<typeof trackedEntries>>;

/** 'unknown' if a repository has commits but no index, like a bare repository. */
function indexOf({ gitDir: own, common }: Repository): Index | 'unknown' {
  try {
    const index = trackedEntries(own);
    if (index !== null) return index;
    const heads = attempt(() => fs.readdirSync(path.join(common, 'refs/heads'))) ?? [];
    return heads.length > 0 || statOf(path.join(common, 'packed-refs')) !== null ? 'unknown' : { entries: [], writtenMs: 0 };
  } catch (error) {
    if (error instanceof IndexError || typeof (error as NodeJS.ErrnoException).code === 'string') return 'unknown';
    throw error;
  }
}

function foldersOf(names: Iterable<string>, top: string): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const name of names) {
    const slash = name.lastIndexOf('/');
    const folder = slash === -1 ? top : under(top, name.slice(0, slash));
    const known = folders.get(folder);
    if (known === undefined) folders.set(folder, [name.slice(slash + 1)]);
    else known.push(name.slice(slash + 1));
  }
  return folders;
}

type Selects = (name: string, entries: readonly TrackedFile[], hasChanged: () => boolean) => boolean;

function selectorOf(view: GitView, { top, gitDir: own, common }: Repository, byName: ReadonlyMap<string, unknown>): Selects {
  const here = realOr(view.folder);
  const isInGit = inside(here, realOr(own)) || inside(here, realOr(common));
  const prefix = inside(here, top) && here !== top && !isInGit ? nameIn(here, top) : '';
  const names = [...byName.keys()];
  const parse = (text: string): Pathspec => parsePathspec(text, prefix, top);
  // A word is a revision if no file with that name exists. If both exist, git refuses. HEAD in git's own folder is not such a file.
  const isFile = (word: string): boolean =>
    word !== '' &&
    ((!isInGit && statOf(path.resolve(here, word)) !== null) || names.some((name) => isSelected(parse(word), name)));
  const words = view.words.filter((word) => /^:(?:[!^(]|$)/.test(word) || isFile(word));
  const hasRevision = words.length < view.words.length;
  const specs = [...view.paths, ...words].map(parse);
  const isHere = (name: string): boolean => view.without === 'top' || prefix === '' || name.startsWith(`${prefix}/`);
  const isChosen = selectedBy(specs, prefix, isHere);
  const isObject = objectsOf(view, prefix);
  const isChangedOnly = view.isWorktree && !hasRevision;
  return (name, entries, hasChanged) => {
    if (view.isOpen || isObject(name, entries)) return true;
    return !view.isOnlyObjects && isChosen(name) && (!isChangedOnly || hasChanged());
  };
}

const isSelected = (spec: Pathspec, name: string): boolean => !spec.isExclude && spec.covers(name);

/** Paths after `HEAD:` are relative to the top, or to the folder if they start with a dot. Hexadecimal names are object names. */
function objectsOf({ objects, isDeep }: GitView, prefix: string): (name: string, entries: readonly TrackedFile[]) => boolean {
  const paths = objects
    .filter((one) => one.startsWith(':'))
    .map((one) => path.posix.normalize(one.startsWith(':.') ? `/${prefix}/${one.slice(1)}` : `/${one.slice(1)}`).slice(1))
    .map((one) => one.replace(/\/$/, ''));
  const hashes = objects.filter((one) => !one.startsWith(':')).map((one) => hexadecimalOf(one) ?? '');
  return (name, entries) =>
    paths.some((one) => name === one || (isDeep && (one === '' || name.startsWith(`${one}/`)))) ||
    hashes.some((hash) => hash !== '' && entries.some(({ object }) => object.startsWith(hash)));
}

/** False only if the file is certainly identical to its index entry. */
function isChanged(file: string, entries: readonly TrackedFile[], writtenMs: number): boolean {
  const [entry, ...more] = entries;
  if (entry === undefined || more.length > 0 || entry.stage !== 0) return true;
  const stat = attempt(() => fs.lstatSync(file, { bigint: true }));
  if (stat === null) return true;
  const seconds = Number(stat.mtimeNs / 1_000_000_000n);
  const nanoseconds = Number(stat.mtimeNs % 1_000_000_000n);
  const isSame =
    stat.isFile() &&
    seconds === entry.seconds &&
    nanoseconds === entry.nanoseconds &&
    Number(stat.size % 4_294_967_296n) === entry.size;
  // A file that changed at the moment when the index was written can have the same time, so its content is compared.
  if (isSame && seconds * 1_000 + Math.floor(nanoseconds / 1e6) < Math.floor(writtenMs)) return false;
  if (!stat.isFile() || stat.size > maxCompared) return true;
  const bytes = readSmall(file);
  if (bytes === null) return true;
  const algorithm = entry.object.length === 64 ? 'sha256' : 'sha1';
  return crypto.createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex') !== entry.object;
}

/** null for anything other than a small regular file. */
function readSmall(file: string): Buffer | null {
  try {
    return readRegular(file, maxCompared, { noFollow: true });
  } catch {
    return null;
  }
}
