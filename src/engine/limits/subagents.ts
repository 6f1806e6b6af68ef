// The extra limits on a call of a subagent. The mode's own rules apply, and `agents:` can add restrictions for its type.

import { foldedAgent } from '../../config/agent-names.ts';
import { limitRules, limitsByType, limitsOf } from '../../config/groups.ts';
import { policyKeys } from '../../config/policy-keys.ts';
import type { Topology } from '../../model/configuration.ts';
import type { Source } from '../../model/problem.ts';
import type { Limited, Restriction } from './restriction.ts';

/** The policies for a call of a subagent. */
export interface SubagentRules {
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
export function rulesForSubagent(
  topology: Topology | null,
  mode: string,
  { agentId, agentType }: { agentId: string | null; agentType: string | null },
): SubagentRules | null {
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

/** The call is made by a subagent with limits. `type`: null if the call does not name it. */
export interface SubagentLimit {
  kind: 'subagent';
  type: string | null;
  /** The first entry of `agents:` that applies. */
  source: Source;
}

/** Reserved recipients that are never subagents. The client gives no subagent such a name. */
const noSubagent: ReadonlySet<string> = new Set(['main', 'team-lead', 'user', 'system']);

type Params = Readonly<Record<string, string>>;

/** Tools that may start subagents of any type, and a description of those subagents. Null if this call starts none. */
const starters: ReadonlyMap<string, (params: Params) => string | null> = new Map<string, (params: Params) => string | null>([
  ['Workflow', () => 'those of a workflow'],
  ['Skill', () => 'the subagent that a skill may start'],
  ['Agent', ({ resume }) => (resume === undefined ? null : 'a subagent that started earlier')],
  [
    'SendMessage',
    ({ to, recipient }) => {
      const named = [to, recipient ?? to];
      return named.every((one) => one !== undefined && noSubagent.has(one)) ? null : 'a message that continues a subagent';
    },
  ],
]);

/**
 * Denies that a restricted subagent starts one of another type, which could have more permissions than its parent. A call from
 * the client does not say which subagent started the caller, so the limits of the parent could not be applied to the child.
 */
export function restrictStarting({ type, source }: SubagentLimit, { facts }: Limited): Restriction | null {
  const { agents, tool } = facts;
  const { file, line } = source;
  const other =
    starters.get(tool.name)?.(tool.params) ?? agents.find((name) => type === null || foldedAgent(name) !== foldedAgent(type));
  if (other === undefined) return null;
  if (type === null)
    return {
      decision: 'deny',
      reason: `The call does not name the type of its subagent. Types have their own limits (${file}:${line}), and a limited type can start only its own type, so ${other} is denied.`,
      remedy: 'Leave it to the main thread: report in your result what remains to be done.',
    };
  return {
    decision: 'deny',
    reason: `Subagents of type ${type} have their own limits (${file}:${line}) and can start only their own type, so ${other} is denied.`,
    remedy: `Start one of type ${type}, or leave it to the main thread: report in your result what remains to be done.`,
  };
}
