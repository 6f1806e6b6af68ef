// The context of a decision: plain data, built from a configuration and the state of its project.

import type { FactsContext } from '../facts/collect.ts';
import type { Place } from '../facts/paths/place.ts';
import type { GrantState } from './grants.ts';
import type { Limit } from './limits/limits.ts';
import { rulesForSubagent } from './limits/subagents.ts';
import { brokenBy, errorOf, type LoadedConfig } from './loaded-config.ts';
import { joinInterests, type ModePolicy, type Policy } from './policies.ts';
import type { OtherModes } from './remedy.ts';

/** The mode of another worktree. `trouble`: the reason why only reading is allowed there. */
export interface ReachedMode {
  mode: string | null;
  policy: ModePolicy | null;
  degraded: string | null;
}

/** The context of a decision: everything besides the call. */
export interface DecisionContext {
  /** Null if the mode is unknown or the configuration is broken. */
  mode: string | null;
  /** The reason for that, and a remedy. Set whenever `policy` is null. */
  degraded: { message: string; remedy: string } | null;
  policy: ModePolicy | null;
  /** Rules of other modes that also apply to a subagent. The strictest verdict counts. */
  forSubagent?: readonly { mode: string; policy: ModePolicy | null }[];
  /** The modes of other worktrees that the call reads or writes in. */
  reached?: readonly ReachedMode[];
  /** The rules as written, if `enforcement: advise` makes some of them notes. */
  strict?: ModePolicy | null;
  /** The active grants. Null or absent without any. */
  grantState?: GrantState | null;
  /** Temporary limits in addition to the rules: a plan, a task. */
  limits?: readonly Limit[];
  /** Every policy that could still be made while there is trouble. Reads that one of them denies stay denied. */
  remaining: ModePolicy[];
  facts: FactsContext;
  /** The modes that are searched for one in which the call would be permitted, or the remedy that replaces the search. */
  remedy: OtherModes | string;
}

/** The state of a project and a caller, as far as a decision depends on it. */
export interface ContextRequest {
  /** null: unknown. */
  mode: string | null;
  place: Place;
  /** The subagent that made the call; both are null for the main thread. */
  agent: { agentId: string | null; agentType: string | null };
  /** The state that policies see. */
  state: FactsContext['state'];
  /** Why the mode is unknown. Absent or null if it is known. */
  degraded?: DecisionContext['degraded'];
  /** Active grants of a person. */
  grantState?: GrantState | null;
  limits?: readonly Limit[];
  /** All other readable configurations. While this one is broken, a read that any of them denies stays denied. */
  others?: readonly LoadedConfig[];
  /** Only accesses to the project count, because the call is made from elsewhere. */
  within?: boolean;
}

/** Builds the context of a decision by this configuration. */
export function contextOf(
  config: LoadedConfig,
  {
    mode,
    place,
    agent,
    state,
    degraded: unknown = null,
    grantState: activeGrants = null,
    limits = [],
    others = [],
    within = false,
  }: ContextRequest,
): DecisionContext {
  const { known: rules, policies } = config;
  const subagent = mode === null ? null : rulesForSubagent(rules.topology, mode, agent);
  const key = subagent?.key ?? mode;
  const policy = key === null ? null : policies.of(key);
  const forSubagent = (subagent?.also ?? []).map((one) => ({ mode: one.mode, policy: policies.of(one.key) }));
  const strict = key === null ? null : policies.strictOf(key);
  const fault = describeFault(config) ?? unknown ?? (policy === null ? noPolicy : null);
  const remaining = fault === null ? [] : [config, ...others].flatMap((one) => one.policies.all());
  // A call may reach into a worktree that is in any mode.
  const elsewhere = rules.topology?.scope === 'worktree' ? policies.all() : [];
  const all = fault === null ? [policy, strict, ...forSubagent.map((one) => one.policy), ...elsewhere] : remaining;
  const activePolicies = all.filter((one) => one !== null);
  return {
    mode,
    degraded: fault,
    policy,
    forSubagent,
    strict,
    grantState: activeGrants,
    limits: subagent === null ? limits : [subagent.limit, ...limits],
    remaining,
    facts: {
      place,
      mode: mode ?? '',
      commands: config.commands,
      arguments: rules.arguments,
      pathFilter: activePolicies.length === 1 ? (activePolicies[0] as Policy).pathFilter : joinInterests(activePolicies),
      wantsInput: activePolicies.some((one) => one.wantsInput),
      state,
      within,
    },
    remedy:
      subagent === null
        ? { topology: rules.topology, policies }
        : 'Only the main thread may do this: report in your result what remains to be done.',
  };
}

const noPolicy = { message: 'there is no policy for this mode', remedy: 'Run modes validate.' };

/** Why the configuration is unusable. An error with a line is shown by `modes validate`. One without brings its own remedy. */
function describeFault(config: LoadedConfig): DecisionContext['degraded'] {
  const message = brokenBy(config);
  if (message === null) return null;
  const error = errorOf(config);
  const isShown = error === undefined || error.line !== undefined;
  return { message, remedy: isShown ? 'A person must fix it; modes validate shows every error.' : error.remedy };
}
