// A decision: verdict, the rules that made it, reason and remedy. What is answered, logged and explained.

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
  /** Said with the rule: what its files are, whom it is for. */
  note?: string;
}

/**
 * The step of the order that decided; `bound`: a plan or a task, `trouble`: the mode or configuration is not known, `call`: the event
 * itself, `fault`: a policy failed.
 */
export type DecidedBy = Verdict['by'] | 'bound' | 'trouble' | 'call' | 'fault';

export interface Decision {
  decision_id: string;
  decision: 'deny' | 'ask' | 'allow' | 'pass';
  mode: string | null;
  tool: string;
  by: DecidedBy;
  /** What decided: rules, and the lines of a default or of what guards writes. */
  rules: DecidingRule[];
  /** Rules that matched and did not decide. */
  also: DecidingRule[];
  /** What custom policies said, of whatever effect. */
  policies: Pick<Verdict['policies'][number], 'name' | 'effect' | 'file' | 'line' | 'reason'>[];
  /** Built-in protections of the effect that was decided; `on` is what met them. */
  protections: { name: string; on: string }[];
  reason: string;
  remedy: string;
  /** What rules that only advise say against a call that goes on; absent where they say nothing. */
  advice?: string;
  /** Grants that it needed; `counted`: it uses them up by one. Absent where there were none. */
  grants?: readonly { id: string; counted: boolean }[];
  /** Where teams.yaml names an OPA server: who gave the verdict. */
  evaluator?: Evaluated;
  facts: Facts | null;
  bundle: string | null;
  /** Microseconds. */
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
