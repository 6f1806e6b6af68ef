// What the journal keeps of authority: who gave, took back or used up what. None of it changes the mode.
import type { Rule } from '../model/rule.ts';

/** How long something holds; both clocks must agree, so that setting one back gains nothing. */
export interface Term {
  /** null: until it ends otherwise. */
  seconds: number | null;
  /** Seconds since the machine started, when it began. */
  uptime: number;
}

/** A person's yes to what rules would not let pass. */
export interface GrantAct extends Term {
  did: 'grant';
  /** As they were understood when the person said yes. */
  rules: Rule[];
  /** Calls that it is good for; null: any number. */
  count: number | null;
}

export type AuthorityAct =
  | GrantAct
  /** One call used these. */
  | { did: 'spend'; grants: string[]; toolUse: string }
  | { did: 'back'; grants: string[] }
  /** The server that gave them is gone, and with it what it gave to the session. */
  | { did: 'end' }
  | ({ did: 'off' } & Term)
  | { did: 'on' }
  /** A person's yes, or its end, that something else carries out; kept for the record. */
  | { did: 'approve' | 'trust' | 'setup' | 'apply' | 'revoke'; what: string };
