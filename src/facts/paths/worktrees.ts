// Other places where files of the project's repository are checked out, found in Git's own records without starting Git. One
// repository has one judgement: the same file of another checkout is judged as the project's own.
import fs from 'node:fs';
import path from 'node:path';
import { checkoutAt, foldersUp, gitFolderNamedIn, isGitFolder, type Repository, readLine, realOr } from '../../git/repository.ts';
import { governedMarker } from '../../platform/data-folder.ts';
import { attempt, look } from '../../platform/look-at-disk.ts';
import { belowOf, inside, under } from '../../platform/path-text.ts';
import type { Place } from './place.ts';

/** A linked worktree of the project's own repository: its `.git` file and the repository's record name each other. */
export interface Worktree {
  /** Absolute real path. */
  root: string;
  /** Where the project lies in it: its root plus the project's place in the repository. */
  project: string;
  /** Made by the client, below `.claude/worktrees/` of the project or of its repository. */
  isClients: boolean;
}

/** A repository that the project lies in: its own, and the one that has it as a submodule. */
interface Level {
  /** Names the repository in all its checkouts. */
  key: string;
  common: string;
  own: string;
  /** The project's own checkout of it. */
  top: string;
  /**
   * The repository knows this checkout. A project that merely names somebody's repository gets none of its worktrees as ground.
   */
  isVerified: boolean;
}

/** A folder with a `.git` of one of these repositories. Nobody has verified it: it only gives more names to deny and ask by. */
interface Checkout {
  /** The folder of the project's own checkout that is the same place; another name for it in each repository. */
  same: string;
  /** null: it does not count as the project's ground. */
  worktree: Worktree | null;
}

interface Known {
  /** Innermost first. */
  levels: readonly Level[];
  /** What the `.git` entries on the way to the root were when the levels were read. */
  stamp: string;
  /** Folders that the repositories' own settings name as their tree (`core.worktree`): these have no `.git`. */
  named: readonly (readonly [folder: string, checkouts: readonly Checkout[]])[];
  /** By folder, as far as paths of calls led there. */
  checkouts: Map<string, readonly Checkout[]>;
}

const known = new WeakMap<Place, Known>();
const maxCheckouts = 1_000;

/** Looks which checkouts this absolute path lies in. `knownWorktreeAt` and `samePlaces` go by the last look. */
export function lookForCheckouts(absolute: string, place: Place): void {
  const now = inside(absolute, place.root) ? knownOf(place) : refreshed(place);
  if (now.levels.length === 0) return;
  for (const folder of foldersUp(absolute)) {
    if (folder === place.root) return;
    lookAt(folder, place, now);
  }
}

/** The same for one folder below another that was looked at before. */
export function lookForCheckoutAt(folder: string, place: Place): void {
  const now = knownOf(place);
  if (now.levels.length > 0 && folder !== place.root) lookAt(folder, place, now);
}

/** The verified worktree that this absolute path lies in, by the last look; null for any other path. */
export function knownWorktreeAt(absolute: string, place: Place): Worktree | null {
  const now = known.get(place);
  if (now === undefined) return null;
  for (const [top, checkouts] of now.checkouts) {
    if (!inside(absolute, top)) continue;
    const found = checkouts.find(({ worktree }) => worktree !== null);
    if (found !== undefined) return found.worktree;
  }
  return null;
}

/** True for a path at the project's place in a verified worktree, by the last look: that is the project's ground. */
export function isInWorktree(absolute: string, place: Place): boolean {
  const tree = knownWorktreeAt(absolute, place);
  return tree !== null && inside(absolute, tree.project);
}

/**
 * True for the project's place in a verified worktree, or in the main checkout of a repository that knows the project's worktree.
 */
export function isCheckoutOfProject(root: string, place: Place): boolean {
  lookForCheckouts(root, place);
  if (knownWorktreeAt(root, place)?.project === root) return true;
  const [level] = knownOf(place).levels;
  if (level === undefined || !level.isVerified || level.own === level.common || path.basename(level.common) !== '.git')
    return false;
  return root === path.join(path.dirname(level.common), path.relative(level.top, place.root));
}

/**
 * Absolute paths in the project's own checkout that are the same place as this path in another one, by the last look. Most paths
 * have none. Allow rules never go by them, so that a forged `.git` opens nothing.
 */
export function samePlaces(absolute: string, place: Place): readonly string[] {
  const now = known.get(place);
  if (now === undefined || (now.checkouts.size === 0 && now.named.length === 0)) return nowhere;
  const found = new Set<string>();
  for (const [top, checkouts] of [...now.named, ...now.checkouts])
    if (inside(absolute, top))
      for (const { same } of checkouts) found.add(absolute === top ? same : under(same, belowOf(absolute, top)));
  found.delete(absolute);
  return found.size === 0 ? nowhere : [...found];
}

const nowhere: readonly string[] = [];

/**
 * The same places for a path in a folder that the call itself makes a checkout of the project's repository, or for an extent with
 * such a folder in it.
 */
export function placesIn(absolute: string, isDeep: boolean, coming: string, place: Place): string[] {
  const holds = isDeep && inside(coming, absolute);
  if (!holds && !inside(absolute, coming)) return [];
  const { levels } = refreshed(place);
  return levels.map(({ top }) => (holds || absolute === coming ? top : under(top, belowOf(absolute, coming))));
}

/** Folders of Git's own for the project's repositories, of which some are not called `.git`. */
export function gitFolders(place: Place): string[] {
  return [...new Set(knownOf(place).levels.flatMap(({ common, own }) => [common, own]))];
}

/**
 * True for a path in a folder for temporary files that no repository and no governed project contains. Only there is a path
 * nobody's: what is checked out or governed below such a folder is judged as anywhere else.
 */
export function isScratch(absolute: string, { temp, dataFolder }: Pick<Place, 'temp' | 'dataFolder'>): boolean {
  if (!temp.some((folder) => inside(absolute, folder))) return false;
  for (const folder of foldersUp(absolute)) {
    if (look(path.join(folder, '.git')) !== null || isGitFolder(folder)) return false;
    if (look(path.join(folder, '.claude/modes.yaml')) !== null || look(governedMarker(dataFolder, folder)) !== null) return false;
  }
  return true;
}

function lookAt(folder: string, place: Place, { checkouts, levels }: Known): void {
  const found = look(path.join(folder, '.git')) === null ? [] : checkoutsIn(folder, place, levels);
  if (found.length === 0) {
    checkouts.delete(folder);
    return;
  }
  if (checkouts.size >= maxCheckouts) checkouts.clear();
  checkouts.set(folder, found);
}

/** What a folder is in each repository that the project lies in. */
function checkoutsIn(top: string, place: Place, levels: readonly Level[]): Checkout[] {
  const repository = checkoutAt(top);
  if (repository === null) return [];
  const key = keyOf(repository.common);
  return levels.flatMap((level, at) => {
    if (level.top === top) return [];
    const isLinked = realOr(path.dirname(repository.own)) === path.join(level.common, 'worktrees');
    const worktree = at === 0 && level.isVerified && isLinked ? worktreeAt(repository, level, place) : null;
    if (isLinked || key === level.key) return [{ same: level.top, worktree }];
    const submodule = submoduleAt(key, level);
    return submodule === null ? [] : [{ same: submodule, worktree: null }];
  });
}

function worktreeAt({ top, own }: Repository, level: Level, { root }: Place): Worktree | null {
  if (!isVerified(top, own) || inside(root, top)) return null;
  const isClients = [root, path.dirname(level.common)].some((base) => top.startsWith(`${base}/.claude/worktrees/`));
  if (inside(top, root) && !isClients) return null;
  return { root: top, project: path.join(top, path.relative(level.top, root)), isClients };
}

/** True when the tree names the record and the record names the tree, by regular files of their own. */
function isVerified(tree: string, record: string): boolean {
  const git = path.join(tree, '.git');
  if (!look(git)?.isFile()) return false;
  const named = gitFolderNamedIn(git, tree);
  const back = readLine(path.join(record, 'gitdir'));
  if (named === null || back === null) return false;
  return real(named) === real(record) && real(path.resolve(record, back)) === git;
}

/** True where the repository is the checkout's own folder, or names the checkout in its records or settings. */
function knowsCheckout(common: string, own: string, top: string): boolean {
  if (own !== common) return path.dirname(own) === path.join(common, 'worktrees') && isVerified(top, own);
  const named = treeNamedIn(common);
  return common === path.join(top, '.git') || (named !== null && realOr(named) === top);
}

/**
 * One name for a repository in all checkouts: a submodule has a repository for each worktree of its parent, below the records of
 * that worktree.
 */
function keyOf(common: string): string {
  return realOr(common).replace(/\/worktrees\/[^/]+\/modules\//g, '/modules/');
}

/** Where a submodule of this repository is checked out in the project's own tree, by its key; null for another repository. */
function submoduleAt(key: string, { key: parent, top }: Level): string | null {
  const modules = `${parent}/modules/`;
  if (!key.startsWith(modules)) return null;
  const found = treeNamedIn(key);
  // Git names the record after the path at first, which may have moved since.
  return found !== null && inside(found, top) ? found : under(top, key.slice(modules.length).replaceAll('/modules/', '/'));
}

function namedTrees(levels: readonly Level[]): Known['named'] {
  return levels.flatMap(({ common, top }) => {
    const tree = treeNamedIn(common);
    return tree === null || realOr(tree) === top ? [] : [[realOr(tree), [{ same: top, worktree: null }]] as const];
  });
}

/** `core.worktree` of a repository's settings, absolute; null where there is none. */
function treeNamedIn(git: string): string | null {
  const named = /^\s*worktree\s*=\s*"?([^"\n]+?)"?\s*$/m.exec(readLine(path.join(git, 'config')) ?? '')?.[1];
  return named === undefined ? null : path.resolve(git, named);
}

/** What was read of the project's repositories last, or anew where the project has become one since. */
function knownOf(place: Place): Known {
  const before = known.get(place);
  if (before === undefined) return refreshed(place);
  const isNew = before.levels[0]?.top !== place.root && look(path.join(place.root, '.git')) !== null;
  return isNew ? refreshed(place) : before;
}

function refreshed(place: Place): Known {
  const before = known.get(place);
  const stamp = [...foldersUp(place.root)].map(stampOf).join(' ');
  if (before?.stamp === stamp) return before;
  const levels = readLevels(place.root);
  const now: Known = { levels, stamp, named: namedTrees(levels), checkouts: new Map() };
  known.set(place, now);
  return now;
}

function stampOf(folder: string): string {
  const stat = look(path.join(folder, '.git'));
  if (stat === null) return '';
  return stat.isDirectory() ? `${stat.ino}` : `${stat.ino} ${stat.mtimeMs} ${stat.ctimeMs}`;
}

function readLevels(root: string): Level[] {
  return [...foldersUp(root)].flatMap((top) => {
    const found = checkoutAt(top);
    if (found === null) return [];
    const common = realOr(found.common);
    const own = realOr(found.own);
    return [{ key: keyOf(common), common, own, top, isVerified: knowsCheckout(common, own, top) }];
  });
}

/**
 * Roots of the repository that a folder lies in: of its own checkout, and of the main one. From there the client takes a
 * settings.local.json too, wherever below it was started; a record that is not verified counts, since it may be read all the
 * same.
 */
export function checkoutsOf(folder: string): string[] {
  for (const top of foldersUp(realOr(folder))) {
    const git = path.join(top, '.git');
    const stat = attempt(() => fs.statSync(git, { throwIfNoEntry: false }) ?? null);
    if (stat === null) continue;
    const found = stat.isFile() ? checkoutAt(top) : null;
    return found === null ? [top] : [...new Set([top, path.dirname(realOr(found.common))])];
  }
  return [];
}

function real(name: string): string | null {
  return attempt(() => fs.realpathSync.native(name));
}
