// Whether a call may run first and be verified afterwards: its only problem is a program that may write what the mode guards.
// What such a program does elsewhere cannot be seen afterwards, so a call that does more than that still asks.

import type { Decision } from '../model/decision.ts';
import type { CommandFacts, Facts } from '../model/facts.ts';
import type { Verdict } from '../model/verdict.ts';

/**
 * The decision if the guarded files are compared after the run; null if the call must not run on that condition.
 * @param evaluate the policy, to see what remains without the uncertainty
 */
export function verifiableAs(facts: Facts, evaluate: (facts: Facts) => Verdict): Decision['verifiable'] | null {
  const { bash, may_write_anywhere: parts } = facts;
  if (bash === null || parts === null || facts.tool.extra.length > 0 || facts.domains.length > 0) return null;
  if (parts.some((part) => part.kind !== 'command' || part.class !== 'runs' || part.anything)) return null;
  if (bash.commands.some((command) => isRemote(command) || command.network)) return null;
  if (facts.writes.some(({ root, own }) => own === null && (root === 'outside' || root === 'worktree'))) return null;
  const { verdict } = evaluate({ ...facts, may_write_anywhere: null });
  if (verdict !== 'allow' && verdict !== 'pass') return null;
  const programs = new Set(parts.map(({ command }) => command));
  const isOnlyPrograms = bash.commands.every((command, at) => programs.has(at) || command.class === 'read-only');
  const isInside = facts.reads.every(({ root, own }) => own !== null || root !== 'outside');
  return verdict === 'allow' || (isOnlyPrograms && isInside) ? 'allow' : 'pass';
}

/** A word that is not known until the run could name anything. */
function isRemote({ argv, tags = [] }: CommandFacts): boolean {
  return argv.includes(null) || tags.includes('database') || tags.includes('deploy');
}
