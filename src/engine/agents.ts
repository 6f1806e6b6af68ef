// The extra limits on a call of a subagent. The mode's own rules apply, and `agents:` can add restrictions for its type.
import { limitRules, limitsByType, limitsOf } from '../config/groups.ts';
import { policyKeys } from '../config/policy-keys.ts';
import type { Topology } from '../model/configuration.ts';
import type { SubagentLimit } from './limits/subagent.ts';

export interface Narrowing {
  /** Key of the policy that replaces the mode's own. It has all rules of the mode, and more. */
  key: string;
  /** Policies that apply in addition, each with its mode. */
  also: { mode: string; key: string }[];
  limit: SubagentLimit;
}

/**
 * Returns null for the main thread and for a type without an entry: then the mode's rules alone apply. A subagent whose type is
 * unknown gets the limits of every type.
 */
export function narrowingOf(
  topology: Topology | null,
  mode: string,
  { agentId, agentType }: { agentId: string | null; agentType: string | null },
): Narrowing | null {
  if (agentId === null) return null;
  const all = topology?.modes.get(mode)?.agents ?? [];
  const entries = agentType === null ? all : limitsOf(agentType, all);
  const [first] = entries;
  if (first === undefined) return null;
  const limited = [...limitsByType(entries)].filter(([, its]) => limitRules(its).length > 0);
  const own = limited.map(([type]) => policyKeys.agent(mode, type));
  const [key = mode] = agentType === null ? [] : own;
  const modes = entries.flatMap((one) => (one.mode === null || one.mode === mode ? [] : [one.mode]));
  return {
    key,
    also: [
      ...own.filter((one) => one !== key).map((one) => ({ mode, key: one })),
      ...[...new Set(modes)].map((name) => ({ mode: name, key: name })),
    ],
    limit: { kind: 'subagent', type: agentType, source: first.source },
  };
}
