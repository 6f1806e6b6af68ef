// Outlines: the certain pieces of a text that only the running command knows in full.
import type { Outline, Outlines } from '../model/command.ts';

/** Nothing is known. */
export const BLANK: Outline = ['', ''];

const MAX_OUTLINES = 8;
const MAX_PIECES = 8;
const TOO_MANY: Outlines = [];

export function isBlank(outline: Outline): boolean {
  return outline.length > 1 && outline.every((piece) => piece === '');
}

/** Every outline of a value, at least one. */
export function listOf(outlines: Outlines): readonly Outline[] {
  return outlines === undefined || outlines.length === 0 ? [BLANK] : outlines;
}

function followedBy(a: Outline, b: Outline): Outline {
  const middle = [...a.slice(1), ...b.slice(0, -1)];
  if (a.length === 1 && b.length === 1) return [a[0]! + b[0]!];
  const first = a.length === 1 ? a[0]! + b[0]! : a[0]!;
  const last = b.length === 1 ? a.at(-1)! + b[0]! : b.at(-1)!;
  if (a.length === 1 || b.length === 1) return bounded([first, ...(a.length === 1 ? b.slice(1, -1) : a.slice(1, -1)), last]);
  middle.splice(a.length - 2, 2, a.at(-1)! + b[0]!);
  return bounded([first, ...middle, last]);
}

/** Removes empty middle pieces, which carry no information, and pieces beyond the limit. */
function bounded(pieces: string[]): Outline {
  const middle = pieces.slice(1, -1).filter((piece) => piece !== '');
  return [pieces[0]!, ...middle.slice(0, MAX_PIECES), pieces.at(-1)!];
}

/** The concatenation of two values. */
export function concatOutlines(a: Outlines, b: Outlines): Outlines {
  if (a?.length === 0 || b?.length === 0) return TOO_MANY;
  if (a === undefined && b === undefined) return undefined;
  const [before, after] = [listOf(a), listOf(b)];
  if (before.length * after.length > MAX_OUTLINES) return TOO_MANY;
  return before.flatMap((one) => after.map((other) => followedBy(one, other)));
}

/** One value or the other. */
export function joinOutlines(a: Outlines, b: Outlines): Outlines {
  if (a === b) return a;
  if (a?.length === 0 || b?.length === 0) return TOO_MANY;
  if (b === undefined && a?.some(isBlank)) return a;
  const known = new Set(listOf(a).map(keyOf));
  const more = listOf(b).filter((one) => !known.has(keyOf(one)));
  if (more.length === 0) return a;
  return known.size + more.length > MAX_OUTLINES ? TOO_MANY : [...listOf(a), ...more];
}

/** The union of both lists. Returns `a` itself if `b` adds nothing. */
export function joinOutlineLists(a: readonly Outline[], b: readonly Outline[]): readonly Outline[] {
  if (a === b) return a;
  let all = a;
  for (const one of b) if (!all.some((other) => sameOutline(one, other))) all = [...all, one];
  return all;
}

function sameOutline(a: Outline, b: Outline): boolean {
  return a === b || (a.length === b.length && a.every((piece, i) => piece === b[i]));
}

export function sameOutlines(a: Outlines, b: Outlines): boolean {
  if (a === b) return true;
  if (a?.length !== b?.length) return false;
  return listOf(a).map(keyOf).join('\n') === listOf(b).map(keyOf).join('\n');
}

const keyOf = (outline: Outline): string => JSON.stringify(outline);

/** The rest after the first characters, which must be known. */
export function outlinesAfter(outlines: Outlines, length: number): Outlines {
  return outlines?.map(([first, ...rest]) => (first!.length < length ? BLANK : [first!.slice(length), ...rest]));
}

/** The outline of a pattern: the texts between its wildcards. */
export function outlineOfPattern(pattern: string): Outline {
  return bounded(pattern.split(/\[[^\]]*\]|[*?[]/));
}
