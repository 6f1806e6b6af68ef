// Worktrees of the project's repository, found in Git's own records without starting Git.
import fs from 'node:fs';
import path from 'node:path';
import { attempt, look } from './look.ts';
import type { Place } from './place.ts';
import { inside } from './within.ts';

export interface Worktree {
  /** Absolute real path. */
  root: string;
  /** Where the project lies in it: its root plus the project's place in the repository. */
  project: string;
  /** Made by the client, below `.claude/worktrees/` of the project or of its repository. */
  isClients: boolean;
}

interface Repository {
  /** The folder of `.git` that all worktrees share, real. */
  common: string;
  /** The project's place in it: `''`, `packages/a`. */
  place: string;
}

interface Known {
  repository: Repository | null;
  /** What the folder of records looked like when they were read. */
  stamp: string;
  trees: Worktree[];
}

const known = new WeakMap<Place, Known>();

/**
 * Looks whether this absolute path lies in a worktree, or for an extent whether one lies in it. Single paths of the project itself
 * cost no look at the disk.
 */
export function lookForWorktree(absolute: string, place: Place, isDeep: boolean): void {
  if (!isDeep && !mayBeWorktree(absolute, place)) return;
  const now = refreshed(place);
  const found = now.trees.find(({ root }) => inside(absolute, root));
  if (found !== undefined && !isVerified(found.root, readRecord(found.root)))
    now.trees = now.trees.filter((tree) => tree !== found);
}

/**
 * The verified worktree that this absolute path lies in, by the last look: its `.git` file and the repository's record name each
 * other. null for any other path.
 */
export function knownWorktreeAt(absolute: string, place: Place): Worktree | null {
  if (!mayBeWorktree(absolute, place)) return null;
  return known.get(place)?.trees.find(({ root }) => inside(absolute, root)) ?? null;
}

function mayBeWorktree(absolute: string, { root }: Place): boolean {
  return !inside(absolute, root) || absolute.startsWith('/.claude/worktrees/', root.length);
}

function refreshed(place: Place): Known {
  const before = known.get(place);
  const repository =
    before?.repository ?? (before === undefined || look(`${place.root}/.git`) ? findRepository(place.root) : null);
  const folder = repository === null ? null : path.join(repository.common, 'worktrees');
  const stamp = folder === null ? '' : stampOf(folder);
  if (before !== undefined && before.stamp === stamp) return before;
  const trees = repository === null || folder === null || stamp === '' ? [] : readTrees(folder, repository, place);
  const now = { repository, stamp, trees };
  known.set(place, now);
  return now;
}

function stampOf(folder: string): string {
  const stat = look(folder);
  return stat?.isDirectory() ? `${stat.ino} ${stat.mtimeMs}` : '';
}

function readTrees(folder: string, repository: Repository, { root }: Place): Worktree[] {
  return names(folder).flatMap((name) => {
    const record = path.join(folder, name);
    const named = readLine(path.join(record, 'gitdir'));
    if (named === null || path.basename(named) !== '.git') return [];
    const tree = real(path.dirname(path.resolve(record, named)));
    if (tree === null || !isVerified(tree, record) || inside(root, tree)) return [];
    const isClients = [root, path.dirname(repository.common)].some((base) => tree.startsWith(`${base}/.claude/worktrees/`));
    if (inside(tree, root) && !isClients) return [];
    return [{ root: tree, project: path.join(tree, repository.place), isClients }];
  });
}

/** The record that a worktree's `.git` file names, as an absolute path; null when it is no such file. */
function readRecord(tree: string): string | null {
  const named = /^gitdir: (.+)$/.exec(readLine(path.join(tree, '.git')) ?? '')?.[1];
  return named === undefined ? null : path.resolve(tree, named);
}

/** True when the tree names the record and the record names the tree. */
function isVerified(tree: string, record: string | null): boolean {
  if (record === null) return false;
  const named = readRecord(tree);
  const back = readLine(path.join(record, 'gitdir'));
  if (named === null || back === null) return false;
  return real(named) === real(record) && real(path.resolve(record, back)) === `${tree}/.git`;
}

/** The repository that a folder lies in; null when it lies in none. */
function findRepository(root: string): Repository | null {
  for (let top = root; ; top = path.dirname(top)) {
    const git = path.join(top, '.git');
    const stat = look(git);
    const place = path.relative(top, root);
    if (stat?.isDirectory()) return { common: git, place };
    if (stat?.isFile()) {
      const record = readRecord(top);
      const shared = record === null ? null : real(path.resolve(record, readLine(path.join(record, 'commondir')) ?? '.'));
      return shared === null ? null : { common: shared, place };
    }
    if (top === '/') return null;
  }
}

/**
 * Roots of the repository that a folder lies in: of its own checkout, and of the main one. From there the client takes a
 * settings.local.json too, wherever below it was started; a record that is not verified counts, since it may be read all the same.
 */
export function checkoutsOf(folder: string): string[] {
  for (let top = real(folder) ?? path.resolve(folder); ; top = path.dirname(top)) {
    const git = path.join(top, '.git');
    const stat = attempt(() => fs.statSync(git, { throwIfNoEntry: false }) ?? null);
    if (stat !== null) {
      const named = stat.isFile() ? /^gitdir:(.+)/.exec(readLine(real(git) ?? git) ?? '')?.[1]?.trim() : undefined;
      if (named === undefined) return [top];
      const record = path.resolve(top, named);
      const common = path.resolve(record, readLine(path.join(record, 'commondir'))?.trim() ?? '.');
      return [...new Set([top, path.dirname(real(common) ?? common)])];
    }
    if (top === '/') return [];
  }
}

/** What Git keeps in such a file is one short line. */
const maxBytes = 8_192;

function readLine(file: string): string | null {
  const stat = look(file);
  if (!stat?.isFile() || stat.size > maxBytes) return null;
  return attempt(() => fs.readFileSync(file, 'utf8').replace(/\r?\n$/, ''));
}

function names(folder: string): string[] {
  return attempt(() => fs.readdirSync(folder)) ?? [];
}

function real(name: string): string | null {
  return attempt(() => fs.realpathSync.native(name));
}
