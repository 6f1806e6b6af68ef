// Names that a word may have and that only the disk determines: matches of a glob, output of a command.
import type { NamePart, Outlines } from '../model/command.ts';

export type { NamePart as FoundName };

export interface NameSearch {
  names: readonly NamePart[];
  /** The word is one of these names, or the glob itself if it matches nothing. */
  isAll: boolean;
  /** For reads, the word is one of these names: all of them were listed, even if some of them do not exist. */
  isListed?: boolean;
}

/** True if a word that is read can only be one of the names. */
export function isKnown(names: NameSearch | null | undefined): boolean {
  return names?.isAll === true || names?.isListed === true;
}

/** True if every name is certainly a number without a sign. */
export function areNumbers(names: NameSearch): boolean {
  return isKnown(names) && names.names.every(({ text, how }) => how === 'one' && /^\d+$/.test(text));
}

/** Placeholder for unknown text in a name. No shell word can contain this character. */
export const GAP = '\0';

/** Partly known names: each outline as a whole, and each word in it. */
export function partlyKnown(outlines: Outlines): NamePart[] {
  const whole = (outlines ?? []).map((outline) => outline.join(GAP));
  const words = whole.filter((text) => /\s/.test(text)).flatMap((text) => text.split(/\s+/));
  return [...new Set([...whole, ...words])]
    .filter((text) => text.replaceAll(GAP, '') !== '')
    .map((text) => ({ text, how: 'one' }));
}

/** Maximum number of names for one word. */
export const MAX_POSSIBLE_NAMES = 500;

/** Represents the names beyond the limit: any name below the folder. */
const REST: NamePart = { text: '.', how: 'deep' };

/** At most the maximum number of names. */
export function limited(names: readonly NamePart[]): NamePart[] {
  return names.length <= MAX_POSSIBLE_NAMES ? [...names] : [...names.slice(0, MAX_POSSIBLE_NAMES), REST];
}

export const NOT_ALL: NameSearch = { names: [], isAll: false };

const same = (a: NamePart, b: NamePart) =>
  a.text === b.text && a.how === b.how && a.skips === b.skips && a.files === b.files && a.isWithoutLinks === b.isWithoutLinks;

/** The names of a word that is one or the other. */
export function unionNames(a: NameSearch, b: NameSearch): NameSearch {
  if (a === b) return a;
  const known = new Set(a.names.map((name) => name.text));
  const more = b.names.filter((name) => !known.has(name.text) || !a.names.some((one) => same(one, name)));
  const isCut = a.names.length + more.length > MAX_POSSIBLE_NAMES;
  const isAll = a.isAll && b.isAll && !isCut;
  const isListed = isKnown(a) && isKnown(b) && !isCut;
  if (more.length === 0 && isAll === a.isAll && isListed === isKnown(a)) return a;
  const names = isCut && a.names.includes(REST) ? a.names : limited([...a.names, ...more]);
  return { names: more.length === 0 ? a.names : names, isAll, ...(isListed && { isListed }) };
}

/** Names that are certainly possible, with other names that are not known. */
export function among(names: readonly NamePart[]): NameSearch | null {
  return names.length === 0 ? null : { names: limited(names), isAll: false };
}

/** A name between two texts. A name below a folder may then differ from the listed one. */
export function between({ text, how, skips, files, isWithoutLinks }: NamePart, before: string, after: string): NamePart {
  if (how !== 'deep') return { text: before + text + after, how };
  return { text: before + text, how, ...(after === '' && { skips, files, isWithoutLinks }) };
}

/** Every name of `a` followed by every name of `b`. */
export function pairs(a: NameSearch, b: NameSearch): NameSearch {
  if (a.names.length === 1 && a.names[0]!.text === '' && a.names[0]!.how === 'one') return b;
  const isCut = a.names.length * b.names.length > MAX_POSSIBLE_NAMES;
  const firsts = isCut ? a.names.slice(0, Math.ceil(MAX_POSSIBLE_NAMES / Math.max(1, b.names.length))) : a.names;
  const names = firsts.flatMap((one) =>
    b.names.map((other): NamePart => {
      if (other.how === 'one')
        return one.how === 'glob' ? { text: one.text + other.text, how: 'glob' } : between(one, '', other.text);
      if (one.how === 'deep') return { text: one.text, how: 'deep' };
      return other.how === 'deep' ? between(other, one.text, '') : { text: one.text + other.text, how: 'glob' };
    }),
  );
  // A listed name may not exist in another folder, and a glob after another text may match different names.
  if (isCut) names.push(REST);
  const isAll = a.isAll && b.isAll && !isCut && [a, b].every(({ names }) => names.every(({ how }) => how === 'one'));
  const isListed = isKnown(a) && isKnown(b) && !isCut;
  return { names, isAll, ...(isListed && { isListed }) };
}

/** The same names between two texts. */
export function surrounded(nameSearch: NameSearch, before: string, after: string): NameSearch {
  const text = (one: string): NameSearch => ({ names: [{ text: one, how: 'one' }], isAll: true });
  return pairs(pairs(text(before), nameSearch), text(after));
}

export function sameNames(a: NameSearch | undefined, b: NameSearch | undefined): boolean {
  if (a === b) return true;
  if (!a || !b || a.isAll !== b.isAll || a.isListed !== b.isListed || a.names.length !== b.names.length) return false;
  return a.names.every((name, i) => same(name, b.names[i]!));
}

/** The rest of each name after this beginning. Names with another beginning are dropped. */
export function namesAfter({ names, isAll }: NameSearch, head: string): NameSearch {
  const matching = names.filter(({ text }) => text.startsWith(head));
  return {
    names: matching.map((name) => ({ ...name, text: name.text.slice(head.length) })),
    isAll: isAll && matching.length === names.length,
  };
}

/** The names of both, each possibly null. */
export function joinNames(a: NameSearch | null | undefined, b: NameSearch | null | undefined): NameSearch | null {
  return a && b ? { names: unionNames(a, b).names, isAll: false } : (a ?? b ?? null);
}
