// A decision: verdict, deciding rules, reason and remedy. It is answered, logged and explained.

import type { Effect } from './configuration.ts';
import type { Facts } from './facts.ts';
import type { Source } from './problem.ts';
import type { Evaluated, Verdict } from './verdict.ts';

export interface DecidingRule {
  id: string;
  effect: Effect;
  text: string;
  matched: string;
  source: Source;
  /** Shown with the rule: the meaning of its files, or the agents that it is for. */
  note?: string;
}

/** pass: the call is left to the client's own rules. */
export type DecisionEffect = 'deny' | 'ask' | 'allow' | 'pass';

/**
 * The step of the order that decided. `bound`: a plan or a task; `trouble`: the mode or configuration is unknown; `call`: the
 * event itself; `fault`: a policy failed; `verified`: the guarded files are compared after the run; `granted`: a person granted
 * exactly this call.
 */
export type DecidedBy = Verdict['by'] | 'bound' | 'trouble' | 'call' | 'fault' | 'verified' | 'granted';

export interface Decision {
  decision_id: string;
  decision: DecisionEffect;
  mode: string | null;
  tool: string;
  by: DecidedBy;
  /** The deciding rules, and the lines of a default or of rules that guard writes. */
  rules: DecidingRule[];
  /** Rules that matched but did not decide. */
  also: DecidingRule[];
  /** Results of custom policies, of any effect. */
  policies: Pick<Verdict['policies'][number], 'name' | 'effect' | 'file' | 'line' | 'reason'>[];
  /** Built-in protections with the effect of the decision. `on` is the path or text that matched. */
  protections: { name: string; on: string }[];
  reason: string;
  remedy: string;
  /**
   * Only with an ask: the mode lets the call run if the files that it guards are compared afterwards, with this decision. A host
   * that cannot compare asks.
   */
  verifiable?: 'allow' | 'pass';
  /** Objections of rules that only advise, if the call goes on. Absent without objections. */
  advice?: string;
  /** Grants that the call needed. `counted`: the call uses one of the grant's uses. Absent if it needed no grant. */
  grants?: readonly { id: string; counted: boolean }[];
  /** If teams.yaml names an OPA server: the evaluator that gave the verdict. */
  evaluator?: Evaluated;
  facts: Facts | null;
  bundle: string | null;
  /** Duration in microseconds. */
  took_us: number;
}

/** `{}` lets the client's own rules decide. */
export type HookAnswer =
  | Record<string, never>
  | {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse';
        permissionDecision: 'allow' | 'deny' | 'ask';
        permissionDecisionReason: string;
      };
    };
