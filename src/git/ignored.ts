// The files below a folder that git ignores, without a git process: .gitignore at every depth and above the folder, and
// .git/info/exclude. Tracked files are never ignored.

import fs from 'node:fs';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { hasTooManyStars } from '../platform/glob-cost.ts';
import { readRegularText } from '../platform/read-file.ts';
import { leftOut, markFiles, type TreeScope } from './file-tree.ts';
import { IndexError, noTracked, type Tracked, trackedFiles, trackedOf } from './index-file.ts';
import { commonFolder, gitFolder } from './run.ts';

interface Rules {
  /** Relative folder that contains the rules; '' for the root and for the folders above it. */
  folder: string;
  /** The path from the rules' folder to the root, with a slash at its end; '' unless the rules are above the root. */
  prefix: string;
  rules: Ignore;
}

/** Files that the client and Modes write during a session, but the agent cannot: a person's answers, state file, socket. */
const sessionFiles: ReadonlySet<string> = new Set([
  '.claude/settings.local.json',
  '.claude/mode-state.json',
  '.claude/mode.sock',
]);

/** Caches that a test runner creates in its first run and writes in every later one. Their own rules ignore them. */
const caches: ReadonlySet<string> = new Set(['.pytest_cache', '.mypy_cache', '.ruff_cache', '.hypothesis']);

/** Largest ignore file that is read, in bytes. */
const maxBytes = 1_048_576;

/** Texts of ignore files at one moment, by relative name. */
export type IgnoreTexts = ReadonlyMap<string, string>;

const everything: TreeScope = { file: (name) => !sessionFiles.has(name), folder: () => true, meant: () => false };

/**
 * All files below the root that git would not ignore, except those that are written there while the agent works. Ignore files or
 * an index that cannot be read ignore nothing.
 */
export function unignored(root: string): TreeScope {
  return scopeBy(root, (name) => readText(path.join(root, name)));
}

/** The state that determined the ignored files at one moment: the ignore rules, and tracked files that match one. */
export interface Ignoring {
  ignores: IgnoreTexts;
  tracked: readonly string[];
}

/**
 * The same, plus all files that git would not have ignored at an earlier moment. So a file cannot be hidden by a rule that was
 * written since, or by telling git not to track it. A new cache may ignore itself.
 * @param then null: unknown, so nothing counts as ignored
 */
export function unignoredSince(root: string, then: Ignoring | null): TreeScope {
  if (then === null) return { ...everything, meant: unignored(root).meant };
  const scopes = [unignored(root), scopeBy(root, (name) => then.ignores.get(name) ?? ofCache(name))];
  const { files, folders } = trackedOf(then.tracked);
  return {
    file: (name) => scopes.some((scope) => scope.file(name)) || files.has(name),
    folder: (name) => scopes.some((scope) => scope.folder(name)) || folders.has(name),
    meant: (name) => scopes.some((scope) => scope.meant(name)) || folders.has(name) || files.has(name),
  };
}

/** The rules of a cache that did not exist then: it ignores itself if its present rules do so too. */
function ofCache(name: string): string {
  const [file, folder = ''] = name.split('/').reverse();
  return file === '.gitignore' && caches.has(folder) ? '*' : '';
}

/** The present state. Throws TreeError. */
export function ignoringNow(root: string): Ignoring {
  return { ignores: ignoreTexts(root), tracked: trackedAnyhow(root) };
}

/** Files that git tracks although a rule ignores them, or although they are in a normally excluded folder. */
function trackedAnyhow(root: string): string[] {
  const tracked = readTracked(root);
  if (tracked === null) return [];
  const isOpen = openBy(root, (name) => readText(path.join(root, name)));
  const open = new Map<string, boolean>([['', true]]);
  const isOpenFolder = (folder: string): boolean => {
    const known = open.get(folder) ?? (isOpenFolder(parentOf(folder)) && isOpen(folder, true));
    open.set(folder, known);
    return known;
  };
  const isLeftOut = (name: string): boolean => name.split('/').some((part) => leftOut.has(part));
  const isHidden = (name: string): boolean => isLeftOut(name) || !(isOpenFolder(parentOf(name)) && isOpen(name, false));
  return [...tracked.files].filter((name) => !sessionFiles.has(name) && isHidden(name));
}

/** The present rules. Throws TreeError. */
function ignoreTexts(root: string): Map<string, string> {
  const names = outerFiles(root).map(({ name }) => name);
  const { folder, meant } = unignored(root);
  // Only ignore files are read.
  const file = (name: string) => {
    if (name === '.gitignore' || name.endsWith('/.gitignore')) names.push(name);
    return false;
  };
  markFiles(root, { folder, file, meant });
  return new Map(names.map((name) => [name, readText(path.join(root, name))]));
}

function scopeBy(root: string, textOf: (name: string) => string): TreeScope {
  const tracked = readTracked(root);
  if (tracked === null) return everything;
  const isOpen = openBy(root, textOf);
  return {
    file: (name) => !sessionFiles.has(name) && (isOpen(name, false) || tracked.files.has(name)),
    folder: (name) => isOpen(name, true) || tracked.folders.has(name),
    meant: (name) => tracked.folders.has(name) || tracked.files.has(name),
  };
}

/** Returns a check: true if the rules do not ignore the file or folder itself, regardless of the folders above it. */
function openBy(root: string, textOf: (name: string) => string): (name: string, isFolder: boolean) => boolean {
  const readRules = (folder: string, name: string, prefix = ''): Rules[] => {
    const text = textOf(name);
    return text === '' || hasTooManyStars(text) ? [] : [{ folder, prefix, rules: ignore({ ignorecase: false }).add(text) }];
  };
  const outer = outerFiles(root).flatMap(({ name, prefix }) => readRules('', name, prefix));
  // Rules that ignore the whole project are disregarded, because they would leave nothing to watch.
  const meant = outer.filter(({ prefix, rules }) => prefix === '' || !rules.test(prefix).ignored);
  const base = [...meant, ...readRules('', '.gitignore')];
  const chains = new Map<string, Rules[]>([['', base]]);
  const chainOf = (folder: string): Rules[] => {
    const known = chains.get(folder);
    if (known !== undefined) return known;
    const above = chainOf(parentOf(folder));
    const own = readRules(folder, `${folder}/.gitignore`);
    const chain = own.length === 0 ? above : [...above, ...own];
    chains.set(folder, chain);
    return chain;
  };
  return (name, isFolder) => {
    const chain = chainOf(parentOf(name));
    for (let at = chain.length - 1; at >= 0; at--) {
      const { folder, prefix, rules } = chain[at] as Rules;
      const inner = prefix + (folder === '' ? name : name.slice(folder.length + 1));
      const { ignored, unignored } = rules.test(isFolder ? `${inner}/` : inner);
      if (ignored || unignored) return unignored;
    }
    return true;
  };
}

/** Ignore files outside the project, in increasing precedence: the repository's own, and those above the root. */
function outerFiles(root: string): { name: string; prefix: string }[] {
  const repository = gitFolder(root);
  if (repository === null) return [];
  const { top, git } = repository;
  const parts = path.relative(top, root).split('/').filter(Boolean);
  const files = [[commonFolder(git), 'info/exclude'], ...parts.map((_, at) => [top, ...parts.slice(0, at), '.gitignore'])];
  return files.map((file, at) => ({
    name: path.relative(root, path.join(...file)),
    prefix: parts
      .slice(Math.max(0, at - 1))
      .map((part) => `${part}/`)
      .join(''),
  }));
}

/** null if it cannot be determined. */
function readTracked(root: string): Tracked | null {
  try {
    const repository = gitFolder(root);
    return repository === null ? noTracked : trackedFiles(repository.git, path.relative(repository.top, root));
  } catch (error) {
    if (error instanceof IndexError) return null;
    throw error;
  }
}

function parentOf(name: string): string {
  const at = name.lastIndexOf('/');
  return at === -1 ? '' : name.slice(0, at);
}

/** '' if there is no such file, or if it may not be read. */
function readText(file: string): string {
  try {
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    return stat?.isFile() && stat.size <= maxBytes ? readRegularText(file, maxBytes, { noFollow: true }) : '';
  } catch {
    // Files that are not ignored are watched. So an unreadable ignore file only makes more files count.
    return '';
  }
}
