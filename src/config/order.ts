// The order of files and problems.
import type { Problem } from '../model/problem.ts';

/** Compares names by UTF-16 units, so that the order is the same everywhere. */
export function compareNames(left: { name: string }, right: { name: string }): number {
  return left.name < right.name ? -1 : left.name > right.name ? 1 : 0;
}

/** Orders problems by file, as files are ordered, and then by place. */
export function byPlace(left: Problem, right: Problem): number {
  const byFile = compareNames({ name: left.file ?? '' }, { name: right.file ?? '' });
  return byFile || (left.line ?? 0) - (right.line ?? 0) || (left.column ?? 0) - (right.column ?? 0);
}
