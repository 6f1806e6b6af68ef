// Temporary limits in addition to the rules of a mode: a plan, a task.

import type { Place } from '../facts/paths/place.ts';
import type { Decision } from '../model/decision.ts';
import type { Facts, UncertainPart } from '../model/facts.ts';
import { type Held, markedBy, unmarked } from './grants.ts';

export interface Limit {
  decision: 'deny' | 'ask';
  reason: string;
  remedy: string;
}

/**
 * Returns null if the bound does not limit this call. `isNamed` says whether an allow rule names the part, so that its writes are
 * intended.
 */
export type Bound = (facts: Facts, isNamed: (part: UncertainPart) => boolean) => Limit | null;

type Said = Pick<Decision, 'decision' | 'rules' | 'also'>;

/**
 * Adds the marks of grants that last for a time, even if the rules did not need them. Grants that are counted by calls are left
 * out, since a bound must not use them up.
 */
export function withGrants(facts: Facts, held: Held | null, place: Place): Facts {
  if (held === null) return facts;
  const lasting = held.grants.filter(({ counted }) => !counted).flatMap(({ rules }) => rules);
  const marks = markedBy(lasting, facts, place);
  const before = facts.granted ?? unmarked;
  const writes = [...new Set([...before.writes, ...marks.writes])];
  const parts = [...new Set([...before.parts, ...marks.parts])];
  return { ...facts, granted: { ...before, off: before.off || held.off, writes, parts } };
}

/** Returns the limits on a call that the rules decided. A denied call needs none, and a person can switch them off. */
export function limitsOn(bounds: readonly Bound[], said: Said, facts: Facts): Limit[] {
  if (said.decision === 'deny' || facts.granted?.off) return [];
  const isNamed = (part: UncertainPart): boolean =>
    facts.granted?.parts.includes(partAt(facts, part)) || namedBy(said, part, facts);
  return bounds.flatMap((bound) => bound(facts, isNamed) ?? []);
}

/** Writes that no grant names by their path, except to the temporary folder and to Modes' own files. */
export function boundWrites({ writes, granted }: Facts): Facts['writes'] {
  return writes.filter((access, at) => access.own === null && access.root !== 'temp' && !granted?.writes.includes(at));
}

function partAt({ may_write_anywhere: parts }: Facts, part: UncertainPart): number {
  return parts?.indexOf(part) ?? -1;
}

/** A rule for a class, or a rule that begins with a literal word. The check for uncertainty in rules uses the same condition. */
const naming = /^Bash\((@runs|@unknown|[^@*\s][^)]*)/;

function namedBy({ decision, rules, also }: Said, part: UncertainPart, { tool, bash }: Facts): boolean {
  if (decision !== 'allow') return false;
  const allows = [...rules, ...also].filter(({ effect }) => effect === 'allow');
  if (part.kind === 'tool') return allows.some(({ text }) => text === tool.name || text === `mcp__${tool.server}`);
  const command = part.command === null ? undefined : bash?.commands[part.command];
  return allows.some(({ text, matched }) => naming.test(text) && (command === undefined ? false : matched === command.text));
}
