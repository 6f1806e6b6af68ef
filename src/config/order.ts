// In which order files and problems stand.
import type { Problem } from '../model/problem.ts';

/** Names are compared by UTF-16 units, so that the order is the same everywhere. */
export function compareNames(left: { name: string }, right: { name: string }): number {
  return left.name < right.name ? -1 : left.name > right.name ? 1 : 0;
}

/** Order of problems: by file, as files are ordered, then by place. */
export function byPlace(left: Problem, right: Problem): number {
  const byFile = compareNames({ name: left.file ?? '' }, { name: right.file ?? '' });
  return byFile || (left.line ?? 0) - (right.line ?? 0) || (left.column ?? 0) - (right.column ?? 0);
}
