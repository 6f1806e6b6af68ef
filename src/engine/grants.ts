// Finds the accesses of a call that active grants name.

import type { Place } from '../facts/paths/place.ts';
import { grantableProtection, protectionBelow } from '../facts/protections/paths.ts';
import type { Facts, Granted, PathAccess, PathName } from '../model/facts.ts';
import type { PathPattern, Rule } from '../model/rule.ts';
import type { Verdict } from '../model/verdict.ts';
import { type Access, matches, matchesPath } from '../rules/direct.ts';
import { isNaming } from '../rules/naming.ts';
import { isRestriction, isStricter } from './combine.ts';

/** One grant, as it applies to a call. */
export interface ActiveGrant {
  id: string;
  /** Allow rules. */
  rules: readonly Rule[];
  /** True if the call uses up one of the grant's calls. */
  counted: boolean;
}

/** The grants that are active for one call. */
export interface GrantState {
  off: boolean;
  grants: readonly ActiveGrant[];
}

export interface GrantMatch {
  verdict: Verdict;
  /** The facts that were evaluated, with marks on the accesses that grants name. */
  facts: Facts;
  /** The grants that the verdict needs. */
  used: readonly ActiveGrant[];
}

/** The marks if nothing is granted. */
export const unmarked: Granted = {
  off: false,
  tool: false,
  reads: [],
  writes: [],
  commands: [],
  domains: [],
  parts: [],
  paths: [],
};

/**
 * Evaluates a policy with as few grants as needed: first without any, then with those that are not counted, then with all. No
 * grant makes a call stricter.
 */
export function evaluateWithGrants(
  activeGrants: GrantState,
  facts: Facts,
  place: Place,
  evaluate: (facts: Facts) => Verdict,
): GrantMatch {
  let best: GrantMatch = { verdict: evaluate(facts), facts, used: [] };
  if (facts.tool.group === 'own') return best;
  const isOpen = (): boolean => !isRestriction(best.verdict.verdict);
  const consider = (granted: Granted, used: readonly ActiveGrant[]): void => {
    const marked: Facts = { ...facts, granted };
    const verdict = evaluate(marked);
    if (isStricter(verdict.verdict, best.verdict.verdict) && !isOpen()) return;
    // The remaining refusal is explained. A grant that did not help is not used up.
    best = { verdict, facts: marked, used: isStricter(best.verdict.verdict, verdict.verdict) ? used : best.used };
  };
  // If rules are switched off, allow rules do not apply either.
  if (activeGrants.off) consider({ ...unmarked, off: true }, []);
  for (const grants of [activeGrants.grants.filter(({ counted }) => !counted), activeGrants.grants]) {
    if (isOpen()) break;
    const used = grants.filter(({ rules }) => hasMarks(markedBy(rules, facts, place)));
    const rules = used.flatMap((one) => one.rules);
    if (used.length > 0) consider({ ...markedBy(rules, facts, place), off: activeGrants.off }, used);
  }
  return best;
}

/**
 * Adds the marks of grants that last for a time, even if the rules did not need them. Grants that are counted by calls are left
 * out, since a limit must not use them up.
 */
export function withGrants(facts: Facts, activeGrants: GrantState | null, place: Place): Facts {
  if (activeGrants === null) return facts;
  const uncountedRules = activeGrants.grants.filter(({ counted }) => !counted).flatMap(({ rules }) => rules);
  const marks = markedBy(uncountedRules, facts, place);
  const before = facts.granted ?? unmarked;
  const writes = [...new Set([...before.writes, ...marks.writes])];
  const parts = [...new Set([...before.parts, ...marks.parts])];
  return { ...facts, granted: { ...before, off: before.off || activeGrants.off, writes, parts } };
}

/** True if anything is marked. */
export function hasMarks({ tool, reads, writes, commands, domains, parts }: Granted): boolean {
  return tool || [reads, writes, commands, domains, parts].some((list) => list.length > 0);
}

/** Returns the accesses of a call that these allow rules name. */
export function markedBy(rules: readonly Rule[], facts: Facts, place: Place): Granted {
  const matchesAny = (access: Access): boolean => rules.some((rule) => matches(rule, access, facts));
  const { agents, skills, bash } = facts;
  const tool =
    matchesAny({ kind: 'tool' }) ||
    (agents.length + skills.length > 0 &&
      agents.every((name) => matchesAny({ kind: 'agent', name })) &&
      skills.every((name) => matchesAny({ kind: 'skill', name })));
  const isCovered = (kind: 'read' | 'write', access: PathAccess): boolean =>
    access.readings.length > 0 &&
    access.readings.every((reading) => reading.some((at) => matchesAny({ kind, access, name: access.names[at] as PathName })));
  // Same as for an allow rule: the tool's name covers what the tool itself touches, except writes outside the roots.
  const byName = (access: PathAccess): boolean => tool && access.command === null && facts.tool.group !== 'mcp';
  const reads = indices(facts.reads, (access) => isCovered('read', access) || byName(access));
  const writes = indices(facts.writes, (access) => isCovered('write', access) || (byName(access) && access.root !== 'outside'));
  const commands = indices(bash?.commands ?? [], (command) => matchesAny({ kind: 'command', command }));
  return {
    off: false,
    tool,
    reads,
    writes,
    commands,
    domains: indices(facts.domains, (domain) => matchesAny({ kind: 'domain', domain })),
    parts: namedParts(rules.filter(isNaming), facts),
    paths: writes.filter((at) => liftsProtection(rules, facts.writes[at] as PathAccess, place)),
  };
}

function indices<T>(list: readonly T[], holds: (item: T) => boolean): number[] {
  return list.flatMap((item, at) => (holds(item) ? [at] : []));
}

/** Parts that may write anywhere and that a grant names explicitly, as an allow rule must. */
function namedParts(naming: readonly Rule[], facts: Facts): number[] {
  return indices(facts.may_write_anywhere ?? [], (part) => {
    if (part.kind === 'tool') return naming.some((rule) => matches(rule, { kind: 'tool' }, facts));
    const command = part.command === null ? undefined : facts.bash?.commands[part.command];
    return naming.some(
      (rule) =>
        (rule.kind === 'bash-class' && rule.class === part.class) ||
        (command !== undefined && matches(rule, { kind: 'command', command }, facts)),
    );
  });
}

/** True if a grant of the write names the protected path itself. A pattern that happens to match it is not enough. */
function liftsProtection(rules: readonly Rule[], access: PathAccess, place: Place): boolean {
  const { protection } = access;
  if (protection === null || access.readings.length === 0) return false;
  const absolutes = access.names.map(({ path }) => path).filter((path) => path.startsWith('/'));
  // No grant covers a whole folder that contains Modes' own files or a protected path.
  if (access.deep && absolutes.some((path) => protectionBelow(path, place) !== null)) return false;
  const patterns = rules.flatMap((rule) => (rule.kind === 'write' ? rule.paths : []));
  const isNamed = (name: PathName): boolean =>
    patterns.some((pattern) => {
      const named = matchesPath(pattern, name.path) ? namedBy(pattern, name.path) : null;
      const absolute = named === null ? undefined : absoluteOf(named, name.path, absolutes);
      return absolute !== undefined && grantableProtection(absolute, place) === protection.name;
    });
  return access.readings.every((reading) => reading.some((at) => isNamed(access.names[at] as PathName)));
}

/** The literal part of a path in a pattern: the path, or a folder above it. Null if the pattern names neither. */
function namedBy({ segments, floating, strict }: PathPattern, path: string): string | null {
  const parts = path.split('/').filter((part) => part !== '');
  const literal = segments.map((segment) => (segment.kind === 'literal' ? segment.text : null));
  const wild = literal.indexOf(null);
  const lead = path.startsWith('/') ? '/' : '';
  if (!floating) {
    const length = wild === -1 ? segments.length : wild;
    return length === 0 ? null : lead + parts.slice(0, length).join('/');
  }
  if (wild !== -1 || strict) return null;
  const end = parts.findIndex((_, at) => literal.every((text, i) => parts[at + i] === text)) + literal.length;
  return lead + parts.slice(0, end).join('/');
}

/** The absolute path of a name, or of a folder above it. A relative name is resolved by the absolute name that ends with it. */
function absoluteOf(named: string, path: string, absolutes: readonly string[]): string | undefined {
  if (path.startsWith('/')) return named;
  const whole = absolutes.find((one) => one.endsWith(`/${path}`));
  return whole?.slice(0, whole.length - (path.length - named.length));
}
