// The names that exist below a folder: a bounded walk that follows no links.
import fs from 'node:fs';
import { under } from '../../platform/path-text.ts';
import { attempt } from '../../platform/stat.ts';
import { fold } from './keys.ts';

/** Maximum number of names to check. Beyond it, the rules apply as if one name matched (semantics: extent). */
export const maxNames = 50_000;

/** Paths up to this many characters cost one unit of the budget. The cost of longer paths grows faster than their length. */
const usual = 256;

/** Lists the direct contents of a folder. Throws if it cannot be read. */
export type List = (folder: string) => readonly Entry[];

type Entry = Pick<fs.Dirent, 'name' | 'isDirectory'> & Partial<Pick<fs.Dirent, 'isSymbolicLink'>>;

const readFolder: List = (folder) => fs.readdirSync(folder, { withFileTypes: true });

/** Reads each folder only once per call, also one that cannot be read. Changes of the folder during the call are not seen. */
export function listingOnce(): List {
  const known = new Map<string, () => readonly Entry[]>();
  return (folder) => {
    let answer = known.get(folder);
    if (answer === undefined) {
      answer = outcomeOf(() => readFolder(folder));
      known.set(folder, answer);
    }
    return answer();
  };
}

/** Runs a function once. The returned function gives its result again, or throws its error again. */
function outcomeOf<T>(run: () => T): () => T {
  try {
    const result = run();
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** Called for each name directly in a folder. `skip` does not descend into the folder with that name. */
export type Visit = (name: string, isFolder: boolean, isLink: boolean) => 'skip' | undefined;

/**
 * Calls `enter` with the absolute path of `folder` and of each folder below it, and the returned function for each name there.
 * True if everything was visited. False if there is more than the budget, which several walks may share, or if a folder could not
 * be read.
 */
export function walkBelow(
  folder: string,
  enter: (folder: string) => Visit,
  budget = { left: maxNames },
  list: List = readFolder,
): boolean {
  // Most recursive accesses of commands are to files. Checking first is ten times as fast as an exception.
  const isOne = attempt(() => fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false);
  if (isOne === false) return true;
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    let entries: readonly Entry[];
    try {
      entries = list(next);
    } catch (error) {
      if (isAbsent(error)) continue;
      return false;
    }
    const each = Math.max(1, Math.floor((next.length / usual) ** 3));
    const visit = enter(next);
    for (const entry of entries) {
      budget.left -= each;
      if (budget.left < 0) return false;
      const isFolder = entry.isDirectory();
      const isLink = entry.isSymbolicLink?.() ?? false;
      if (visit(entry.name, isFolder, isLink) !== 'skip' && isFolder) pending.push(under(next, entry.name));
    }
  }
  return true;
}

/** Maximum number of names that a pattern may expand to. */
export const maxMatches = 5_000;

/**
 * A superset of the existing names that an unquoted shell pattern expands to. Shells differ, and their options are not known. So
 * case is ignored, dotfiles match too, `**` matches any depth, and a bracket matches any text. null if there are more than `limit`,
 * or if a folder could not be read. The targets of one command share their sources, so a listing of one call expands each pattern
 * once.
 */
export function expandGlob(pattern: string, limit = maxMatches, list: List = readFolder): string[] | null {
  if (list === readFolder) return expand(pattern, limit, list);
  const known = expansions.get(list) ?? new Map<string, string[] | null>();
  expansions.set(list, known);
  const key = `${limit} ${pattern}`;
  let names = known.get(key);
  if (names === undefined) {
    names = expand(pattern, limit, list);
    known.set(key, names);
  }
  return names;
}

const expansions = new WeakMap<List, Map<string, string[] | null>>();

function expand(pattern: string, limit: number, list: List): string[] | null {
  let heads = [''];
  for (const part of pattern.split('/').slice(1)) {
    const next: string[] = [];
    for (const head of heads) {
      const names = /[*?[]/.test(part) ? matching(head, part, limit, list) : [`${head}/${part}`];
      if (names === null || next.length + names.length > limit) return null;
      for (const name of names) next.push(name);
    }
    heads = [...new Set(next)];
  }
  return heads;
}

/** The names in a folder that match a pattern of one component. */
function matching(folder: string, part: string, limit: number, list: List): string[] | null {
  if (part.includes('**')) {
    const all = [folder];
    const enter = (at: string) => (name: string) => void all.push(under(at, name));
    return walkBelow(folder === '' ? '/' : folder, enter, { left: limit }, list) ? all : null;
  }
  try {
    const entries = list(folder === '' ? '/' : folder);
    const folded = fold(part);
    const head = folded.slice(0, folded.search(/[*?[]/));
    const pattern = [...folded.replace(/^([^[]*)\[.*\]/su, '$1*')];
    const found: string[] = [];
    for (const { name } of entries) {
      const other = fold(name);
      if (other.startsWith(head) && matchesComponent(pattern, other)) found.push(`${folder}/${name}`);
    }
    return found;
  } catch (error) {
    return isAbsent(error) ? [] : null;
  }
}

function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/**
 * True if a pattern of one component, given as characters, matches a name. Text from the first to the last bracket matches
 * anything. Only the last star is retried, so the time is at most the product of both lengths.
 */
function matchesComponent(pattern: readonly string[], name: string): boolean {
  const text = [...name];
  let star = -1;
  let resume = 0;
  let at = 0;
  for (let i = 0; i < text.length; ) {
    if (pattern[at] === '*') {
      star = at++;
      resume = i;
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === text[i])) {
      at++;
      i++;
    } else if (star !== -1) {
      at = star + 1;
      i = ++resume;
    } else return false;
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}
