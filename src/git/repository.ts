// Finds the repository of a folder as git would, from its files and without starting git.

import fs from 'node:fs';
import path from 'node:path';
import { readRegularText } from '../platform/read-file.ts';
import { attempt, realOr } from '../platform/stat.ts';

export interface Repository {
  /** The top folder of the tree; for a bare repository, the repository itself. */
  top: string;
  /** Git's own folder for this tree, and the one that all trees share. */
  gitDir: string;
  common: string;
  isBare: boolean;
}

/** The repository that git would find from the real path of a folder, or null. */
export function repositoryOf(folder: string): Repository | null {
  for (const top of foldersUp(realOr(folder))) {
    const repository = repositoryAt(top);
    if (repository !== null) return repository;
  }
  return null;
}

/** The repository with exactly this top folder, including a bare one, or null. */
export function repositoryAt(top: string): Repository | null {
  const checkedOut = checkoutAt(top);
  if (checkedOut !== null) return checkedOut;
  return isGitFolder(top) ? { top, gitDir: top, common: commonOf(top), isBare: true } : null;
}

/** The same for a folder with a `.git`, which may be a folder, a file that names one, or a link to either. */
export function checkoutAt(top: string): Repository | null {
  const git = path.join(top, '.git');
  const own = isFolder(git) ? git : gitFolderNamedIn(git, top);
  return own === null ? null : { top, gitDir: own, common: commonOf(own), isBare: false };
}

/**
 * The same for a folder in git's own folder of a tree (`.git`, a submodule's folder in `.git/modules`): the repository with that
 * tree, because git prints paths of the tree there.
 */
export function repositoryWithTree(folder: string): Repository | null {
  const repository = repositoryOf(folder);
  if (repository === null || !repository.isBare) return repository;
  const { gitDir: own } = repository;
  const top = path.basename(own) === '.git' ? path.dirname(own) : treesNamedIn(own)[0];
  return top === undefined ? repository : { ...repository, top: realOr(top), isBare: false };
}

/** In bytes. */
const maxSettings = 1_048_576;
const maxTrees = 32;

/** `core.worktree` in the settings of a repository or of one worktree, absolute. Other settings of that name count too. */
export function treesNamedIn(git: string): string[] {
  const lines = ['config', 'config.worktree'].flatMap((name) =>
    (attempt(() => readRegularText(path.join(git, name), maxSettings)) ?? '').split('\n'),
  );
  return lines
    .flatMap(treeNamedBy)
    .slice(0, maxTrees)
    .map((tree) => path.resolve(git, tree));
}

/** The value in a line such as `worktree = ../a` or `[core] worktree = "../a" ; comment`. */
function treeNamedBy(line: string): string[] {
  const start = line.trimStart().startsWith('[') ? line.indexOf(']') + 1 : 0;
  const equals = line.indexOf('=', start);
  if (equals === -1 || line.slice(start, equals).trim().toLowerCase() !== 'worktree') return [];
  const value = line.slice(equals + 1).trim();
  const tree = value.startsWith('"') ? (value.split('"')[1] as string) : (value.split(/[#;]/)[0] as string).trimEnd();
  return tree === '' ? [] : [tree];
}

/** This folder and all folders above it, nearest first. */
export function* foldersUp(folder: string): Generator<string> {
  for (let at = folder; ; at = path.dirname(at)) {
    yield at;
    if (at === path.dirname(at)) return;
  }
}

function commonOf(own: string): string {
  const shared = readLine(path.join(own, 'commondir'))?.trim();
  return shared === undefined ? own : path.resolve(own, shared);
}

/** The absolute path of the folder that a `.git` file names. */
export function gitFolderNamedIn(git: string, top: string): string | null {
  const named = /^gitdir: *(.+)$/m.exec(readLine(git, maxGitFile) ?? '')?.[1];
  return named === undefined ? null : path.resolve(top, named);
}

/** True for a folder that git itself recognizes as a repository: a bare one, or a `.git` folder with another name. */
export function isGitFolder(folder: string): boolean {
  return (
    readLine(path.join(folder, 'HEAD')) !== null && isFolder(path.join(folder, 'objects')) && isFolder(path.join(folder, 'refs'))
  );
}

function isFolder(name: string): boolean {
  return attempt(() => fs.statSync(name, { throwIfNoEntry: false })?.isDirectory()) ?? false;
}

/** Such a file of git contains one short line. In bytes. */
const maxBytes = 8_192;
/** Largest `.git` file that git reads. It ignores empty lines at the end. In bytes. */
const maxGitFile = 1_048_576;

/** The text of a short regular file without its last line end, or null. Never opens a pipe or a device. */
export function readLine(name: string, limit = maxBytes): string | null {
  return attempt(() => {
    const stat = fs.statSync(name, { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.size > limit) return null;
    return readRegularText(name, limit).replace(/\r?\n$/, '');
  });
}
