// Decisions that another policy would change, grouped for a person, and the classes of change that can be selected.

import { isStricter } from '../../engine/combine.ts';
import type { Decision, DecisionEffect } from '../../model/decision.ts';
import type { LogEvent } from '../../store/log/event.ts';
import type { Incomparable, Replayed } from './replay.ts';
import { about, deciderOf } from './table.ts';

const effects: readonly DecisionEffect[] = ['allow', 'pass', 'ask', 'deny'];

/** One side of a change: the decision, the rule, policy or step that made it, and its place. */
interface Side {
  decision: DecisionEffect;
  by: string;
  /** `file:line`; null if no line of a file decided. */
  place: string | null;
}

/** Calls of one tool in one mode that change in the same way for the same reason. */
export interface DecisionChange {
  mode: string;
  tool: string;
  before: Side;
  after: Side;
  direction: 'widening' | 'narrowing';
  count: number;
  /** Number of them that depend on the present entries below their folders. */
  on_disk: number;
  /** The newest one. */
  example: { id: string; timestamp: string; call: string; reason: string };
}

export interface ChangeReport {
  /** Calls that were compared. */
  calls: number;
  same: number;
  changed: number;
  changes: DecisionChange[];
  not_comparable: { why: Incomparable; count: number; example: string }[];
}

/** Counts the results of all calls. The most frequent change comes first. */
export function countChanges(replayed: Iterable<readonly [LogEvent, Replayed]>): ChangeReport {
  const report: ChangeReport = { calls: 0, same: 0, changed: 0, changes: [], not_comparable: [] };
  const groups = new Map<string, DecisionChange>();
  const lost = new Map<Incomparable, ChangeReport['not_comparable'][number]>();
  for (const [event, found] of replayed) {
    report.calls++;
    if (found.kind === 'same') report.same++;
    else if (found.kind === 'changed') addChange(groups, event, found);
    else {
      const before = lost.get(found.why)?.count ?? 0;
      lost.set(found.why, { why: found.why, count: before + 1, example: event.decision_id });
    }
  }
  const byCount = (one: { count: number }, other: { count: number }): number => other.count - one.count;
  report.changes = [...groups.values()].sort(byCount);
  report.changed = report.changes.reduce((sum, { count }) => sum + count, 0);
  report.not_comparable = [...lost.values()].sort(byCount);
  return report;
}

function addChange(
  groups: Map<string, DecisionChange>,
  event: LogEvent,
  { after, disk }: Extract<Replayed, { kind: 'changed' }>,
): void {
  const { result, decision_id: id, timestamp } = event;
  const group = {
    mode: result.mode ?? '',
    tool: result.tool,
    before: sideOf(result),
    after: sideOf(after),
    direction: isStricter(after.decision, result.decision) ? ('narrowing' as const) : ('widening' as const),
  };
  const key = JSON.stringify(group);
  const known = groups.get(key);
  groups.set(key, {
    ...group,
    count: (known?.count ?? 0) + 1,
    on_disk: (known?.on_disk ?? 0) + (disk ? 1 : 0),
    example: { id, timestamp, call: about(event), reason: after.reason },
  });
}

function sideOf(result: Omit<Decision, 'facts'>): Side {
  const { name, place } = deciderOf(result);
  return { decision: result.decision, by: name, place };
}

/** Classes of change: any, a direction, one effect to another, and calls that cannot be compared. */
export const classes: readonly string[] = [
  'any',
  'widening',
  'narrowing',
  ...effects.flatMap((from) => effects.filter((to) => to !== from).map((to) => `${from}-to-${to}`)),
  'not-comparable',
];

/** The number of calls in a class. */
export function countOf(report: ChangeReport, name: string): number {
  if (name === 'not-comparable') return report.not_comparable.reduce((sum, { count }) => sum + count, 0);
  return report.changes
    .filter(
      ({ before, after, direction }) =>
        name === 'any' || name === direction || name === `${before.decision}-to-${after.decision}`,
    )
    .reduce((sum, { count }) => sum + count, 0);
}
