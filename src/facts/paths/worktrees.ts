// Other checkouts of the project's repository, found in Git's own records without starting Git. One repository has one set of
// rules: the same file in another checkout is treated like the project's own file.
import fs from 'node:fs';
import path from 'node:path';
import {
  checkoutAt,
  foldersUp,
  gitFolderNamedIn,
  isGitFolder,
  type Repository,
  readLine,
  repositoryAt,
  repositoryOf,
  treesNamedIn,
} from '../../git/repository.ts';
import { governedMarker } from '../../platform/data-folder.ts';
import { belowOf, inside, under } from '../../platform/path-text.ts';
import { attempt, realOr, statOf } from '../../platform/stat.ts';
import { expandGlob, type List, maxMatches, type Visit, walkBelow } from './below.ts';
import type { Place } from './place.ts';

/** A linked worktree of the project's own repository: its `.git` file and the repository's record refer to each other. */
export interface Worktree {
  /** Absolute real path. */
  root: string;
  /** The project's folder in the worktree: its root plus the project's path in the repository. */
  project: string;
  /** The client created it, below `.claude/worktrees/` of the project or of its repository. */
  isClients: boolean;
}

/** A repository that contains the project: its own, or one that contains the former as a submodule. */
interface Level {
  /** Identifies the repository in all its checkouts. */
  key: string;
  common: string;
  own: string;
  /** The project's own checkout of the repository. */
  top: string;
  /** The repository knows this checkout. A project that merely refers to a foreign repository gets no access to its worktrees. */
  isVerified: boolean;
}

/** A folder with a `.git` of one of these repositories. It is not verified, so it only adds names for deny and ask rules. */
interface Checkout {
  /** The corresponding folder in the project's own checkout: an additional name in each repository. */
  same: string;
  /** null: the folder does not count as part of the project. */
  worktree: Worktree | null;
}

interface CheckoutCache {
  /** Innermost first. */
  levels: readonly Level[];
  /** State of the `.git` entries on the way to the root when the levels were read. */
  stamp: string;
  /** Folders that the repositories' settings name as their work tree (`core.worktree`). These have no `.git`. */
  named: readonly (readonly [folder: string, checkouts: readonly Checkout[]])[];
  /** By folder, for the folders on the paths of previous calls. */
  checkouts: Map<string, readonly Checkout[]>;
}

const known = new WeakMap<Place, CheckoutCache>();
const maxCheckouts = 1_000;

/** Finds the checkouts that contain this absolute path. `knownWorktreeAt` and `samePlaces` use the result. */
export function findCheckouts(absolute: string, place: Place): void {
  const now = inside(absolute, place.root) ? cacheOf(place) : refreshed(place);
  for (const folder of foldersUp(absolute)) {
    if (folder === place.root) return;
    readLevel(folder, place, now);
  }
}

/** The same for one folder below another that was already checked. */
export function findCheckoutAt(folder: string, place: Place): void {
  if (folder !== place.root) readLevel(folder, place, cacheOf(place));
}

/** The verified worktree that contains this absolute path, as last found; null for any other path. */
export function cachedWorktreeAt(absolute: string, place: Place): Worktree | null {
  const now = known.get(place);
  if (now === undefined) return null;
  for (const [top, checkouts] of now.checkouts) {
    if (!inside(absolute, top)) continue;
    const checkout = checkouts.find(({ worktree }) => worktree !== null);
    if (checkout !== undefined) return checkout.worktree;
  }
  return null;
}

/** True for a path in the project's folder of a verified worktree, as last found. It counts as part of the project. */
export function isInWorktree(absolute: string, place: Place): boolean {
  const tree = cachedWorktreeAt(absolute, place);
  return tree !== null && inside(absolute, tree.project);
}

/** True for the project's folder in a verified worktree, or in the main checkout of a repository that knows that worktree. */
export function isCheckoutOfProject(root: string, place: Place): boolean {
  findCheckouts(root, place);
  if (cachedWorktreeAt(root, place)?.project === root) return true;
  const [level] = cacheOf(place).levels;
  if (level === undefined || !level.isVerified || level.own === level.common || path.basename(level.common) !== '.git')
    return false;
  return root === path.join(path.dirname(level.common), path.relative(level.top, place.root));
}

/**
 * The project's folder in every other checkout of its own repository. Each checkout must be recorded in the repository, and must
 * refer to that record, so a folder that merely names the repository is not one of them. Submodules have repositories of their own.
 */
export function otherCheckoutsOf(root: string): string[] {
  const [level] = readLevels(root);
  if (level === undefined || !level.isVerified) return [];
  const { common, top: own } = level;
  const tops = new Set([path.dirname(common), ...recordedTrees(common).map(({ tree }) => tree)]);
  tops.delete(own);
  return [...tops].filter((top) => isCheckoutOf(common, top)).map((top) => path.join(top, path.relative(own, root)));
}

/** The linked worktrees in a repository's records, as real paths. */
function recordedTrees(common: string): { record: string; tree: string }[] {
  const folder = path.join(common, 'worktrees');
  const records = attempt(() => fs.readdirSync(folder)) ?? [];
  return records.slice(0, maxCheckouts).flatMap((name) => {
    const record = path.join(folder, name);
    const back = readLine(path.join(record, 'gitdir'));
    return back === null ? [] : [{ record, tree: realOr(path.dirname(path.resolve(record, back))) }];
  });
}

function isCheckoutOf(common: string, top: string): boolean {
  const repository = checkoutAt(top);
  return repository !== null && realOr(repository.common) === common && knowsCheckout(common, realOr(repository.gitDir), top);
}

/**
 * Absolute paths in the project's own checkout that correspond to this path in another one, as last found. Most paths have none.
 * Allow rules never use them, so a forged `.git` grants nothing.
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
 * The corresponding places for a path in a folder that the call itself turns into a checkout of the project's repository, or for
 * a recursive access that contains such a folder.
 */
export function placesIn(absolute: string, isDeep: boolean, coming: string, place: Place): string[] {
  const holds = isDeep && inside(coming, absolute);
  if (!holds && !inside(absolute, coming)) return [];
  const { levels } = refreshed(place);
  return levels.map(({ top }) => (holds || absolute === coming ? top : under(top, belowOf(absolute, coming))));
}

/** The project's own checkout of the repository with this folder of git, or null. */
export function ownCheckoutOf(common: string, place: Place): Repository | null {
  const level = cacheOf(place).levels.find((one) => one.common === realOr(common));
  return level === undefined ? null : { top: level.top, gitDir: level.own, common: level.common, isBare: false };
}

/** Git's own folders for the project's repositories. Some of them are not named `.git`. */
export function gitFolders(place: Place): string[] {
  return [...new Set(cacheOf(place).levels.flatMap(({ common, own }) => [common, own]))];
}

/**
 * True for a path in a folder for temporary files, unless a repository or a governed project contains it. A checkout or a
 * governed project below such a folder is treated like any other.
 */
export function isScratch(absolute: string, { temp, dataFolder }: Pick<Place, 'temp' | 'dataFolder'>): boolean {
  if (!temp.some((folder) => inside(absolute, folder))) return false;
  return ![...foldersUp(absolute)].some((folder) => isProject(folder, dataFolder));
}

/** The root of a repository, or of a governed project. */
function isProject(folder: string, dataFolder: string): boolean {
  return (
    statOf(path.join(folder, '.git')) !== null ||
    isGitFolder(folder) ||
    statOf(path.join(folder, '.claude/modes.yaml')) !== null ||
    statOf(governedMarker(dataFolder, folder)) !== null
  );
}

/** Maximum number of names below a temporary folder to search for projects. */
const maxScratchNames = 5_000;

/**
 * True if a path in a folder for temporary files, or a match of a pattern there, contains a project, or too much to search. The
 * folder itself always counts, because other programs use it.
 */
export function hasProjectsBelow(pattern: string, { temp, dataFolder }: Pick<Place, 'temp' | 'dataFolder'>, list: List): boolean {
  if (temp.some((folder) => pattern === folder || (inside(pattern, folder) && /^\/[*?[]/.test(pattern.slice(folder.length)))))
    return true;
  const tops = expandGlob(pattern, maxMatches, list);
  if (tops === null) return true;
  const budget = { left: maxScratchNames };
  let isFound = false;
  const enter = (folder: string) => {
    isFound ||= isProject(folder, dataFolder);
    return () => undefined;
  };
  return tops.some((top) => !walkBelow(top, enter, budget, list) || isFound);
}

/** True if a folder for temporary files contains no project and no link, which a program might follow to write elsewhere. */
export function hasOnlyFilesBelow(folder: string, place: Pick<Place, 'temp' | 'dataFolder'>, list: List): boolean {
  if (hasProjectsBelow(folder, place, list)) return false;
  let hasLinks = false;
  const enter = (): Visit => (_name, _isFolder, isLink) => {
    hasLinks ||= isLink;
    return undefined;
  };
  return walkBelow(folder, enter, { left: maxScratchNames }, list) && !hasLinks;
}

function readLevel(folder: string, place: Place, { checkouts, levels }: CheckoutCache): void {
  const found = statOf(path.join(folder, '.git')) === null ? [] : checkoutsIn(folder, place, levels);
  if (found.length === 0) {
    checkouts.delete(folder);
    return;
  }
  if (checkouts.size >= maxCheckouts) checkouts.clear();
  checkouts.set(folder, found);
}

/** The checkouts whose root is this folder: one for each repository that contains the project, or those of a nested repository. */
function checkoutsIn(top: string, place: Place, levels: readonly Level[]): Checkout[] {
  const repository = checkoutAt(top);
  if (repository === null) return [];
  const key = keyOf(repository.common);
  const found = levels.flatMap((level, at) => {
    if (level.top === top) return [];
    const isLinked = isLinkedTo(repository, level);
    const worktree = at === 0 && level.isVerified && isLinked ? worktreeAt(repository, level, place) : null;
    if (isLinked || key === level.key) return [{ same: level.top, worktree }];
    const submodule = submoduleAt(key, level);
    return submodule === null ? [] : [{ same: submodule, worktree: null }];
  });
  return found.length > 0 ? found : nestedAt(repository, place, levels).map((same) => ({ same, worktree: null }));
}

const isLinkedTo = ({ gitDir: own }: Repository, { common }: Level): boolean =>
  realOr(path.dirname(own)) === path.join(common, 'worktrees');

/**
 * The other checkouts of a repository that the project contains: the main checkout of a nested repository, or a worktree in the
 * project. A checkout inside another checkout of the project's repository corresponds to a place in the project too.
 */
function nestedAt({ top, common }: Repository, { root }: Place, levels: readonly Level[]): string[] {
  const git = realOr(common);
  const main = path.basename(git) === '.git' ? [path.dirname(git)] : [];
  const trees = new Set([...main, ...treesNamedIn(git).map(realOr), ...recordedTrees(git).map(({ tree }) => tree)]);
  trees.delete(top);
  const outermost = levels.at(-1)?.top ?? root;
  return [...trees].flatMap((tree) => (inside(tree, outermost) ? [tree] : placesInOtherCheckouts(tree, levels)));
}

function placesInOtherCheckouts(tree: string, levels: readonly Level[]): string[] {
  // A record may name any path, but a tree has one that exists.
  if (levels.length === 0 || statOf(tree) === null) return [];
  for (const folder of foldersUp(path.dirname(tree))) {
    const outer = statOf(path.join(folder, '.git')) === null ? null : checkoutAt(folder);
    if (outer === null) continue;
    const level = levels.find((one) => isLinkedTo(outer, one) || keyOf(outer.common) === one.key);
    if (level !== undefined) return [under(level.top, belowOf(tree, folder))];
  }
  return [];
}

function worktreeAt({ top, gitDir: own }: Repository, level: Level, { root }: Place): Worktree | null {
  if (!isVerified(top, own) || inside(root, top)) return null;
  const isClients = [root, path.dirname(level.common)].some((base) => top.startsWith(`${base}/.claude/worktrees/`));
  if (inside(top, root) && !isClients) return null;
  return { root: top, project: path.join(top, path.relative(level.top, root)), isClients };
}

/** True if the tree refers to the record and the record to the tree, both in regular files of their own. */
function isVerified(tree: string, record: string): boolean {
  const git = path.join(tree, '.git');
  if (!statOf(git)?.isFile()) return false;
  const named = gitFolderNamedIn(git, tree);
  const back = readLine(path.join(record, 'gitdir'));
  if (named === null || back === null) return false;
  return real(named) === real(record) && real(path.resolve(record, back)) === git;
}

/** True if the repository is the checkout's own folder, or refers to the checkout in its records or settings. */
function knowsCheckout(common: string, own: string, top: string): boolean {
  if (own !== common) return path.dirname(own) === path.join(common, 'worktrees') && isVerified(top, own);
  return common === path.join(top, '.git') || treesNamedIn(common).some((tree) => realOr(tree) === top);
}

/**
 * One key for a repository in all checkouts. A submodule has a separate repository for each worktree of its parent, below the
 * records of that worktree.
 */
function keyOf(common: string): string {
  return realOr(common).replace(/\/worktrees\/[^/]+\/modules\//g, '/modules/');
}

/** The folder in the project's own tree where this repository's submodule is checked out, by its key, or null. */
function submoduleAt(key: string, { key: parent, top }: Level): string | null {
  const modules = `${parent}/modules/`;
  if (!key.startsWith(modules)) return null;
  // Git names the record after the first path of the submodule, which may have moved since.
  const found = treesNamedIn(key).find((tree) => inside(tree, top));
  return found ?? under(top, key.slice(modules.length).replaceAll('/modules/', '/'));
}

function namedTrees(levels: readonly Level[]): CheckoutCache['named'] {
  return levels.flatMap(({ common, top }) => {
    const trees = [common, ...recordedTrees(common).map(({ record }) => record)].flatMap(treesNamedIn).map(realOr);
    return [...new Set(trees)].flatMap((tree) => (tree === top ? [] : [[tree, [{ same: top, worktree: null }]] as const]));
  });
}

/** The cached repositories of the project. They are read again if the project has become a repository since. */
function cacheOf(place: Place): CheckoutCache {
  const before = known.get(place);
  if (before === undefined) return refreshed(place);
  const isNew = before.levels[0]?.top !== place.root && statOf(path.join(place.root, '.git')) !== null;
  return isNew ? refreshed(place) : before;
}

function refreshed(place: Place): CheckoutCache {
  const before = known.get(place);
  const stamp = [...foldersUp(place.root)].map(stampOf).join(' ');
  if (before?.stamp === stamp) return before;
  const levels = readLevels(place.root);
  const now: CheckoutCache = { levels, stamp, named: namedTrees(levels), checkouts: new Map() };
  known.set(place, now);
  return now;
}

function stampOf(folder: string): string {
  const stat = statOf(path.join(folder, '.git'));
  if (stat === null) return '';
  return stat.isDirectory() ? `${stat.ino}` : `${stat.ino} ${stat.mtimeMs} ${stat.ctimeMs}`;
}

function readLevels(root: string): Level[] {
  return [...foldersUp(root)].flatMap((top) => {
    const repository = repositoryAt(top);
    if (repository === null) return [];
    const common = realOr(repository.common);
    const own = realOr(repository.gitDir);
    return [{ key: keyOf(common), common, own, top, isVerified: knowsCheckout(common, own, top) }];
  });
}

/**
 * Roots of the repository that contains a folder: of its own checkout and of the main one. The client also reads a
 * settings.local.json from such a root, wherever below it was started. An unverified record counts, because the client may use
 * it anyway.
 */
export function checkoutsOf(folder: string): string[] {
  for (const top of foldersUp(realOr(folder))) {
    const git = path.join(top, '.git');
    const stat = attempt(() => fs.statSync(git, { throwIfNoEntry: false }) ?? null);
    if (stat === null) continue;
    const repository = stat.isFile() ? checkoutAt(top) : null;
    return repository === null ? [top] : [...new Set([top, path.dirname(realOr(repository.common))])];
  }
  return [];
}

/**
 * The same place in the main checkout of the repository that contains a path. For a path in the repository itself, the top folders of
 * all its checkouts. An unverified record counts.
 */
export function placesInCheckouts(name: string): string[] {
  const repository = repositoryOf(name);
  if (repository === null) return [];
  const { top, isBare } = repository;
  const common = realOr(repository.common);
  const main = path.dirname(common);
  // Without a trailing slash, because projects are compared by their roots.
  if (!isBare) return main === top || !inside(name, top) ? [] : [path.resolve(main, name === top ? '' : belowOf(name, top))];
  return [main, ...treesNamedIn(common).map(realOr), ...recordedTrees(common).map(({ tree }) => tree)];
}

function real(name: string): string | null {
  return attempt(() => fs.realpathSync.native(name));
}
