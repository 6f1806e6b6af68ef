// Names that a word may stand for and only the disk tells: what a glob finds, what a command lists.
import type { FoundName } from './types.ts';

export type { FoundName };

export interface Found {
  names: readonly FoundName[];
  /** It is one of these, or the glob itself where that finds nothing. */
  isAll: boolean;
}

/** So many are kept of one word. */
const MOST_FOUND = 200;

export const NOT_ALL: Found = { names: [], isAll: false };

const same = (a: FoundName, b: FoundName) => a.text === b.text && a.how === b.how && a.skips === b.skips && a.files === b.files;

/** What a word may be that is one or the other. */
export function joinFound(a: Found, b: Found): Found {
  const known = new Set(a.names.map((name) => name.text));
  const more = b.names.filter((name) => !known.has(name.text) || !a.names.some((one) => same(one, name)));
  const isCut = a.names.length + more.length > MOST_FOUND;
  const isAll = a.isAll && b.isAll && !isCut;
  if (isCut) more.length = Math.max(0, MOST_FOUND - a.names.length);
  return more.length === 0 && isAll === a.isAll ? a : { names: more.length === 0 ? a.names : [...a.names, ...more], isAll };
}

/** Names that are certainly among what it may be, where nobody knows of the others. */
export function among(names: readonly FoundName[]): Found | null {
  return names.length === 0 ? null : { names: names.slice(0, MOST_FOUND), isAll: false };
}

/** A name between two texts; of what lies below a folder another name than the one that was listed. */
export function between({ text, how, skips, files }: FoundName, before: string, behind: string): FoundName {
  if (how !== 'deep') return { text: before + text + behind, how };
  return { text: before + text, how, ...(behind === '' && { skips, files }) };
}

/** The same names between two texts. */
export function surrounded({ names, isAll }: Found, before: string, behind: string): Found {
  if (before === '' && behind === '') return { names, isAll };
  return {
    names: names.map((name) => between(name, before, behind)),
    // What a glob finds lies here, and need not lie there.
    isAll: isAll && names.every(({ how }) => how === 'one'),
  };
}

export function sameFound(a: Found | undefined, b: Found | undefined): boolean {
  if (a === b) return true;
  if (!a || !b || a.isAll !== b.isAll || a.names.length !== b.names.length) return false;
  return a.names.every((name, i) => same(name, b.names[i]!));
}
