// Decisions as they were told last, so that what the second of two handlers tells is not made into a line to be left out.
import type { Decision } from '../decide/types.ts';
import type { Noted } from './event.ts';

/** Calls that are remembered. */
const maxCalls = 32;
/** Rules of a decision that is remembered; one with more is compared by its line. */
const maxRules = 20;

type Said = Pick<Decision, 'decision' | 'mode' | 'by' | 'rules' | 'policies' | 'reason'> & { session: unknown };

export class Told {
  private readonly byCall = new Map<string, Said[]>();

  /** True when the same was told of the same call; else it is remembered. A call without an id stands for itself. */
  again({ event: { session_id: session, tool_use_id: id }, decision }: Noted): boolean {
    if (typeof id !== 'string' || id === '' || decision.rules.length > maxRules) return false;
    const { decision: effect, mode, by, rules, policies, reason } = decision;
    const said: Said = { session, decision: effect, mode, by, rules, policies, reason };
    const before = this.byCall.get(id);
    if (before?.some((one) => isSame(one, said))) return true;
    if (before !== undefined) before.push(said);
    else this.byCall.set(id, [said]);
    if (this.byCall.size > maxCalls) this.byCall.delete(this.byCall.keys().next().value as string);
    return false;
  }

  clear(): void {
    this.byCall.clear();
  }
}

function isSame(one: Said, other: Said): boolean {
  return one.decision === other.decision && one.reason === other.reason && JSON.stringify(one) === JSON.stringify(other);
}
