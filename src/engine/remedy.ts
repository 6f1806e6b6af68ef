// Finds the nearest mode in which a refused call would be permitted.

import { type TransitionTarget, targets } from '../config/targets.ts';
import { collectFacts, type FactsContext } from '../facts/collect.ts';
import { maxBelow } from '../facts/limits.ts';
import { looksBelow, withBelow } from '../facts/paths/access.ts';
import { listingOnce } from '../facts/paths/below.ts';
import type { Mode, Topology } from '../model/configuration.ts';
import type { Facts, ToolCall } from '../model/facts.ts';
import type { Source } from '../model/problem.ts';
import type { Verdict } from '../model/verdict.ts';
import { isRestriction } from './combine.ts';
import type { Policy } from './policies.ts';
import { describeRequirement } from './requirement-text.ts';

/** The modes of a configuration, with their policies. */
export interface OtherModes {
  topology: Topology | null;
  policies: { of(mode: string): SearchedPolicy | null };
}

/** The part of a policy that determines whether it would permit a call. */
type SearchedPolicy = Pick<Policy, 'evaluate' | 'rule' | 'pathFilter' | 'wantsInput'>;

/** A call in the mode that refused it. */
interface Refused {
  mode: string | null;
  verdict: Verdict;
  call: ToolCall;
  facts: Facts;
  context: FactsContext;
}

/** Names the nearest mode that would allow the same call or let it pass, and the first gate on the path to it. */
export function remedyOf({ topology, policies }: OtherModes, { mode, verdict, call, facts, context }: Refused): string {
  if (topology === null || mode === null || verdict.verdict === 'allow') return '';
  const from = topology.modes.get(mode);
  const opens = opener(context, facts, call);
  const isOpen = (to: string): boolean => {
    const other = policies.of(to);
    return other !== null && opens(other, to);
  };
  for (const { to, remedy } of from === undefined ? [] : transitionHints(from, topology)) if (isOpen(to)) return remedy;
  const everywhere = verdict.verdict === 'deny' && verdict.by === 'rule' ? ofEveryMode(verdict, policies.of(mode)) : null;
  if (everywhere !== null && ![...topology.modes.keys()].some(isOpen))
    return `No mode allows it: ${everywhere.file}:${everywhere.line} applies in every mode.`;
  return 'A person can change the mode with /modes:mode NAME.';
}

/** The source of a rule that denies the call in every mode; null if there is no such rule. */
function ofEveryMode({ hits }: Verdict, policy: SearchedPolicy | null): Source | null {
  const rules = hits.flatMap(({ id }) => policy?.rule(id) ?? []);
  const found = rules.find((rule) => rule.effect === 'deny' && /(?:^|\/)settings\.any(?:\.local)?\.json$/.test(rule.source.file));
  return found?.source ?? null;
}

/** A mode reachable by one transition or more, with the remedy to print if that mode would permit the call. */
type TransitionHint = { to: string; remedy: string };
const hintCache = new WeakMap<Mode, readonly TransitionHint[]>();

/** Cached: a loaded topology does not change. */
function transitionHints(from: Mode, topology: Topology): readonly TransitionHint[] {
  const before = hintCache.get(from);
  if (before !== undefined) return before;
  const found = new Map<string, { by: string[]; first: TransitionTarget }>();
  for (const first of targets(from, topology)) found.set(first.to, { by: [], first });
  for (const [name, { by, first }] of found)
    for (const { to } of targets(topology.modes.get(name) as Mode, topology))
      if (to !== from.name && !found.has(to)) found.set(to, { by: [...by, name], first });
  const hints = [...found].map(([to, { by, first }]) => ({ to, remedy: hintFor(to, by, first) }));
  hintCache.set(from, hints);
  return hints;
}

/** `by`: the modes in between, in order. `first`: the first transition of the path. */
function hintFor(to: string, by: readonly string[], { constraint, require }: TransitionTarget): string {
  const gate = constraint ? constraint.replace(/\s+/g, ' ') : require.map(describeRequirement).join('; ');
  const through = by.length === 0 ? '' : `, by way of ${by.join(' and ')}`;
  const holds = by.length === 0 ? 'once its gate holds' : `once the gate to ${by[0]} holds`;
  const sentence = `It is allowed in ${to}${through}${gate === '' ? '' : `${through === '' ? '' : ','} ${holds}: ${gate}`}`;
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/**
 * Returns a function that checks whether another mode's policy would let the call through. Entries below folders are listed again
 * only if the call's own names do not decide. All modes share the limit of one call (`maxBelow`). Beyond it, a mode counts as
 * closed.
 */
function opener(facts: FactsContext, callFacts: Facts, call: ToolCall): (other: SearchedPolicy, to: string) => boolean {
  const list = listingOnce();
  const below = { left: maxBelow };
  return (other, mode) => {
    const { pathFilter, wantsInput } = other;
    const looks = looksBelow(callFacts, pathFilter);
    if (
      !wantsInput &&
      !opens(other, () => ({ ...(looks ? withBelow(callFacts, () => ({ below: [], unseen: undefined })) : callFacts), mode }))
    )
      return false;
    if (!wantsInput && !looks) return true;
    return opens(other, () => collectFacts(call, { ...facts, mode, pathFilter: pathFilter, wantsInput, list, below }));
  };
}

/** A policy that fails permits nothing. */
function opens(policy: SearchedPolicy, facts: () => Facts): boolean {
  try {
    return !isRestriction(policy.evaluate(facts()).verdict);
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}
