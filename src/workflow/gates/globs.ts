// Globs of a check, parsed like the paths of rules.

import type { TreeScope } from '../../git/file-tree.ts';
import type { PathPattern } from '../../model/rule.ts';
import { setNewest } from '../../platform/bounded-map.ts';
import { hasTooManyStars } from '../../platform/glob-cost.ts';
import { parsePathPattern } from '../../rules/pattern.ts';
import { pathExpression, toRegExp } from '../../rules/regex.ts';

/** An invalid glob; `validate` reports it before a gate uses it. */
export class GlobError extends Error {}

/**
 * The files that match the globs. `restricts` reads a glob as a deny rule does, so that an ambiguous glob matches more. Otherwise it
 * is read as in an allow rule.
 * @throws {GlobError}
 */
export function globScope(globs: readonly string[], restricts: boolean, home: string): TreeScope {
  return scopeIn([restricts], globs, home);
}

/**
 * The files that match the globs in either reading.
 * @throws {GlobError}
 */
export function wideScope(globs: readonly string[], home: string): TreeScope {
  return scopeIn([true, false], globs, home);
}

/** By their readings and globs. Each look at a gate asks for the same lists again. */
const recent = new Map<string, TreeScope>();
const maxRecent = 50;

/** @throws {GlobError} */
function scopeIn(readings: readonly boolean[], globs: readonly string[], home: string): TreeScope {
  const key = JSON.stringify([readings, home, globs]);
  const scope =
    recent.get(key) ?? scopeOf(readings.flatMap((restricts) => globs.flatMap((glob) => readGlob(glob, restricts, home))));
  setNewest(recent, key, scope, maxRecent);
  return scope;
}

/** A file that a tree leaves out by default is included if a glob contains its name. */
function scopeOf(patterns: PathPattern[]): TreeScope {
  const tests = [...new Set(patterns.map(pathExpression))].map(toRegExp);
  const named = new Set(patterns.flatMap(({ segments }) => segments.map((one) => (one.kind === 'literal' ? one.text : ''))));
  return {
    file: (name) => tests.some((test) => test.test(name)),
    folder: (name) => patterns.some((pattern) => couldContain(pattern, name.split('/'))),
    meant: (name) => named.has(name.slice(name.lastIndexOf('/') + 1)),
  };
}

/** Whether a file below this folder could match. */
function couldContain({ base, floating, segments }: PathPattern, folders: readonly string[]): boolean {
  if (base === 'absolute') return false;
  if (floating) return true;
  for (const [at, folder] of folders.entries()) {
    const segment = segments[at];
    // Everything below a match matches, too.
    if (segment === undefined || segment.kind === 'any-depth') return true;
    if (segment.kind === 'literal' && segment.text !== folder) return false;
  }
  return true;
}

/** @throws {GlobError} */
function readGlob(glob: string, restricts: boolean, home: string): PathPattern[] {
  const read = parsePathPattern(glob, { home, restricts });
  if ('problem' in read) throw new GlobError(`${JSON.stringify(glob)}: ${read.problem.message}`);
  if (read.patterns.some(({ text }) => hasTooManyStars(text)))
    throw new GlobError(`${JSON.stringify(glob)} has too many wildcards`);
  return read.patterns;
}
