// Combines the outcomes of one call. Nothing else decides which of several outcomes applies.

import type { Decision, DecisionEffect } from '../model/decision.ts';
import type { Verdict } from '../model/verdict.ts';
import type { Evaluation } from '../policy/remote/opa-policy.ts';

/** From most to least restrictive. A pass leaves the call to the client's own rules; an allow skips them. */
const effects: readonly DecisionEffect[] = ['deny', 'ask', 'pass', 'allow'];

/** The sources of outcomes. Of equally restrictive outcomes, the one whose source is first in this list gives the reason. */
const sources = [
  // One policy, evaluated twice.
  'this machine',
  'OPA server',
  // One configuration.
  'mode',
  'subagent',
  'worktree',
  'limit',
  // Everything that applies to a call.
  'pinned configuration',
  'present configuration',
  'other project',
  'requested path',
] as const;

export interface Outcome {
  from: (typeof sources)[number];
  decision: DecisionEffect;
  verifiable?: Decision['verifiable'];
}

/**
 * Returns the most restrictive outcome. An ask that a later comparison can replace comes after every other ask. Of equal ones, the table of sources decides, then the order of the arguments. An unknown
 * effect counts as more restrictive than a deny, so that it never gives way to an allow.
 */
export function combine<T extends Outcome>(first: T, ...others: readonly T[]): T {
  return others.reduce((one, other) => (rankOf(other) < rankOf(one) ? other : one), first);
}

function rankOf({ decision, from, verifiable }: Outcome): number {
  const strictness = effects.indexOf(decision) * verifications.length + verifications.indexOf(verifiable);
  return strictness * sources.length + sources.indexOf(from);
}

/** Effects that replace an ask, from most to least restrictive. */
const verifications: readonly Decision['verifiable'][] = [undefined, 'pass', 'allow'];

/** True for an effect of the table. */
export function isEffect(value: unknown): value is DecisionEffect {
  return (effects as readonly unknown[]).includes(value);
}

/** True if the first permits less than the second. */
export function isStricter(one: DecisionEffect, other: DecisionEffect): boolean {
  return effects.indexOf(one) < effects.indexOf(other);
}

/** True for an outcome that stops a call: a deny or an ask. */
export function isRestriction(effect: DecisionEffect): boolean {
  return isStricter(effect, 'pass');
}

/** Returns the most restrictive verdict of the evaluators of one policy. */
export function combineVerdicts([first, ...others]: Evaluation['verdicts']): Verdict {
  const outcomeOf = (one: typeof first) => ({ ...one, decision: one.verdict.verdict });
  return combine(outcomeOf(first), ...others.map(outcomeOf)).verdict;
}

type Grants = Decision['grants'];

/** The union of the grants that several outcomes needed; undefined if none did. */
export function joinGrants(...lists: readonly Grants[]): Grants {
  const found = new Map(lists.flatMap((list) => (list ?? []).map((one) => [one.id, one] as const)));
  return found.size === 0 ? undefined : [...found.values()];
}

/**
 * Combines the decisions by the configuration that a session is pinned to and by the present one. If they differ, the reason
 * names its configuration, unless the pinned one is unusable. `adopt` explains how to adopt the present one.
 */
export function combineConfigurations(pinned: Decision, present: Decision, isUsable: boolean, adopt: string): Decision {
  const { from, ...winner } = combine<Decision & Outcome>(
    { ...pinned, from: 'pinned configuration' },
    { ...present, from: 'present configuration' },
  );
  const advice = pinned.advice ?? present.advice;
  const grants = joinGrants(pinned.grants, present.grants);
  const chosen: Decision = {
    ...winner,
    ...(advice !== undefined && { advice }),
    ...(grants !== undefined && { grants }),
    took_us: pinned.took_us + present.took_us,
  };
  const isPinned = from === 'pinned configuration';
  if (pinned.decision === present.decision || chosen.reason === '' || (isPinned && !isUsable)) return chosen;
  const decided = { deny: 'Denied', ask: 'Asked', pass: 'Left to the client', allow: 'Allowed' }[chosen.decision];
  const why = isPinned
    ? `${decided} by the configuration that this session started with; ${adopt}.`
    : `${decided} by the current configuration, which differs from the one that this session started with.`;
  return { ...chosen, reason: `${chosen.reason} ${why}` };
}

/**
 * Combines the decision on a call with the decisions of other projects on their parts of it. Another project can only add a
 * restriction. `project`: the one that decided; null if none of the others did.
 */
export function combineProjects<Other extends { root: string }>(
  own: Decision,
  others: readonly { project: Other; decision: Decision }[],
): { decision: Decision; project: Other | null } {
  const restrictions = others.filter(({ decision }) => isRestriction(decision.decision));
  if (restrictions.length === 0) return { decision: own, project: null };
  const { from, project, ...winner } = combine<Decision & Outcome & { project: Other | null }>(
    { ...own, from: 'pinned configuration', project: null },
    ...restrictions.map(({ project, decision }) => ({ ...decision, from: 'other project' as const, project })),
  );
  if (project === null) return { decision: own, project };
  const where = `${project.root}${winner.mode === null ? '' : ` (mode ${winner.mode})`}`;
  const { verifiable: _, ...rest } = winner;
  const decision = {
    ...rest,
    decision_id: own.decision_id,
    mode: own.mode,
    reason: `${winner.reason} This is decided by the project ${where}, which the call touches.`,
    remedy: `Make the call in a session that starts in ${project.root}, or let a person change the mode there.`,
    ...(own.advice !== undefined && { advice: own.advice }),
    ...(own.grants !== undefined && { grants: own.grants }),
    took_us: own.took_us + winner.took_us,
  };
  return { decision, project };
}
