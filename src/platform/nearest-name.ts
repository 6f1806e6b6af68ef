// The known name that is nearest to a misspelled one, for "did you mean".

/** Longer names are not compared. Nobody misspells such names, and the comparison takes quadratic time. */
const MAX_NAME_LENGTH = 64;

/** Reused in every call, because creating the arrays takes as long as filling them. */
const rows = [1, 2, 3].map(() => new Uint32Array(MAX_NAME_LENGTH + 1)) as [Uint32Array, Uint32Array, Uint32Array];

/**
 * The number of letters to insert, remove, replace or swap with their neighbor to turn one name into the other
 * (optimal string alignment, a restricted Damerau-Levenshtein distance). The count may stop early once it is more than `most`.
 * `right` has at most 64 characters.
 */
export function countEdits(left: string, right: string, most = Number.POSITIVE_INFINITY): number {
  const width = right.length + 1;
  let [beforeLast, last, current] = rows;
  for (let column = 0; column < width; column++) last[column] = column;
  let leastBefore = 0;
  for (let row = 1; row <= left.length; row++) {
    let least = row;
    const letter = left.charCodeAt(row - 1);
    current[0] = row;
    for (let column = 1; column < width; column++) {
      const other = right.charCodeAt(column - 1);
      let edits = last[column - 1]! + (letter === other ? 0 : 1);
      if (last[column]! < edits) edits = last[column]! + 1;
      if (current[column - 1]! < edits) edits = current[column - 1]! + 1;
      const isSwapped = row > 1 && column > 1 && letter === right.charCodeAt(column - 2) && left.charCodeAt(row - 2) === other;
      if (isSwapped && beforeLast[column - 2]! < edits) edits = beforeLast[column - 2]! + 1;
      current[column] = edits;
      if (edits < least) least = edits;
    }
    // A swap continues from the row before the last one.
    if (least > most && leastBefore > most) return least;
    leastBefore = least;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return last[right.length]!;
}

/**
 * The candidate that a person most likely meant, or null if none is near: at most one edit for each three letters of the
 * longer name (two for a name of four or five letters). Case is ignored. The first of equally near candidates wins.
 */
export function nearest(name: string, candidates: Iterable<string>): string | null {
  if (name.length === 0 || name.length > MAX_NAME_LENGTH) return null;
  const folded = name.toLowerCase();
  let best: string | null = null;
  let bestEdits = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const longer = Math.max(candidate.length, name.length);
    if (candidate.length > MAX_NAME_LENGTH) continue;
    const tolerated = longer <= 3 ? 1 : Math.max(2, Math.floor(longer / 3));
    // The length difference is the minimum number of edits.
    const difference = Math.abs(candidate.length - name.length);
    if (difference > tolerated || difference >= bestEdits) continue;
    const edits = countEdits(folded, candidate.toLowerCase(), tolerated);
    if (edits <= tolerated && edits < Math.min(bestEdits, longer)) {
      best = candidate;
      bestEdits = edits;
    }
  }
  return best;
}

/** A hint for an unknown name: the name that was most likely meant, or all names; '' if there are no names. */
export function insteadOf(name: string, names: Iterable<string>, kinds: string): string {
  const all = [...names];
  const near = nearest(name, all);
  if (near !== null) return `Did you mean ${near}?`;
  return all.length === 0 ? '' : `${kinds}: ${all.join(', ')}.`;
}
