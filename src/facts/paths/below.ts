// Which names exist below a folder: a bounded walk that follows no links.
import fs from 'node:fs';
import { attempt } from '../../platform/look-at-disk.ts';
import { under } from '../../platform/path-text.ts';

/** Names looked at before the answer is "as if one matched" (semantics: extent). */
export const maxNames = 50_000;

/** Names up to so many characters count once; what a longer one is asked about grows faster than it does. */
const usual = 256;

/** What lies right in a folder. Throws where it cannot be read. */
export type List = (folder: string) => readonly Entry[];

type Entry = Pick<fs.Dirent, 'name' | 'isDirectory'> & Partial<Pick<fs.Dirent, 'isSymbolicLink'>>;

const readFolder: List = (folder) => fs.readdirSync(folder, { withFileTypes: true });

/** Reads each folder once, for all that is asked about one call: within it nothing is seen to change. */
export function listingOnce(): List {
  const known = new Map<string, readonly Entry[]>();
  return (folder) => {
    let entries = known.get(folder);
    if (entries === undefined) {
      entries = readFolder(folder);
      known.set(folder, entries);
    }
    return entries;
  };
}

/** Asked of each name right in a folder; `skip` leaves that folder's inside alone. */
export type Visit = (name: string, isFolder: boolean, isLink: boolean) => 'skip' | undefined;

/**
 * Calls `enter` with the absolute path of `folder` and of each one below it, and what it gives for each name there. True when all
 * was seen; false when there is more than the budget, which several walks may share, or a folder could not be read.
 */
export function walkBelow(
  folder: string,
  enter: (folder: string) => Visit,
  budget = { left: maxNames },
  list: List = readFolder,
): boolean {
  // Most extents of commands are files: to be told so by an error takes ten times as long.
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

/** Names that a pattern may stand for. */
export const maxMatches = 5_000;

/**
 * Existing names that an unquoted pattern of a shell stands for, or more: dotfiles are met too, `**` reaches any depth, and a
 * bracket meets anything, since shells differ in them. null when there are more than `limit`, or a folder could not be read.
 */
export function expandGlob(pattern: string, limit = maxMatches, list: List = readFolder): string[] | null {
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

/** What exists in a folder under a pattern of one component. */
function matching(folder: string, part: string, limit: number, list: List): string[] | null {
  if (part.includes('**')) {
    const all = [folder];
    const enter = (at: string) => (name: string) => void all.push(under(at, name));
    return walkBelow(folder === '' ? '/' : folder, enter, { left: limit }, list) ? all : null;
  }
  try {
    const entries = list(folder === '' ? '/' : folder);
    const head = part.slice(0, part.search(/[*?[]/));
    const pattern = [...part.replace(/^([^[]*)\[.*\]/su, '$1*')];
    const found: string[] = [];
    for (const { name } of entries) if (name.startsWith(head) && meets(pattern, name)) found.push(`${folder}/${name}`);
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
 * True when a pattern of one component, by characters, meets a name; where brackets stood, from the first to the last, anything
 * goes. Every star but the last one tried is settled, so that no pattern takes longer than the product of both lengths.
 */
function meets(pattern: readonly string[], name: string): boolean {
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
