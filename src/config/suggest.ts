// The nearest known name to a misspelt one, for "did you mean".

/** Longer names are not compared: nobody mistypes them, and the comparison is quadratic. */
const MAX_NAME_LENGTH = 64;

/**
 * How many letters must be inserted, removed, replaced or swapped with their neighbour to make one name of the other
 * (optimal string alignment, a restricted Damerau-Levenshtein distance).
 */
export function countEdits(left: string, right: string): number {
  const width = right.length + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: width }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column < width; column++) {
      const same = left[row - 1] === right[column - 1];
      let edits = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (swapped) edits = Math.min(edits, beforeLast[column - 2]! + 1);
      current.push(edits);
    }
    beforeLast = last;
    last = current;
  }
  return last[right.length]!;
}

/**
 * The candidate that a person most likely meant, or null when none is near: at most one edit for each three letters of the
 * longer name (two for a name of four or five), case counting as nothing. The first of equally near ones wins.
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
    if (Math.abs(candidate.length - name.length) > tolerated) continue;
    const edits = countEdits(folded, candidate.toLowerCase());
    if (edits <= tolerated && edits < Math.min(bestEdits, longer)) {
      best = candidate;
      bestEdits = edits;
    }
  }
  return best;
}
