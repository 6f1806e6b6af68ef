// Globs of a check, read as the paths of rules are.
import { meetsPath } from '../../rules/direct.ts';
import { parsePathPattern } from '../../rules/pattern.ts';
import type { PathPattern } from '../../rules/types.ts';
import type { Scope } from './tree.ts';

/** A glob that cannot be read; `validate` reports it before a gate meets it. */
export class GlobError extends Error {}

/**
 * The files that globs are about. `narrow` reads them as deny does (a doubtful glob means more), otherwise as allow does.
 * @throws {GlobError}
 */
export function globScope(globs: readonly string[], narrow: boolean, home: string): Scope {
  const patterns = globs.flatMap((glob) => readGlob(glob, narrow, home));
  return { file: (name) => patterns.some((pattern) => meetsPath(pattern, name)), folder: () => true };
}

/** @throws {GlobError} */
export function readGlob(glob: string, narrow: boolean, home: string): PathPattern[] {
  const read = parsePathPattern(glob, { home, narrow });
  if ('problem' in read) throw new GlobError(`${JSON.stringify(glob)}: ${read.problem.message}`);
  return read.patterns;
}
