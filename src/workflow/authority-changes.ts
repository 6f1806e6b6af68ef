// Changes of authority in the journal: who gave, revoked or used up what. None of them changes the mode.
import type { Rule } from '../model/rule.ts';

/** The term of an authority. Both clocks must agree, so that setting one back gains nothing. */
export interface Term {
  /** null: no time limit. */
  seconds: number | null;
  /** Seconds between the start of the machine and the start of this term. */
  uptime: number;
}

/** A person's approval of calls that rules do not let pass. */
export interface GrantAct extends Term {
  did: 'grant';
  /** The rules, parsed at the time of the approval. */
  rules: Rule[];
  /** Calls that the grant covers; null: any number. */
  count: number | null;
  /** The grant answers this ask of another harness and nothing else. It has no rules. */
  asked?: AskedCall;
}

/** One call of another harness that the modes asked about. */
export interface AskedCall {
  /** Identifies the call: its tool, its input and its folder. */
  call: string;
  /** Identifies the reason of the ask and the subagent that made the call. */
  ask: string;
  /** The decision that asked. */
  decision: string;
  /** The call for a person, without secrets. */
  text: string;
}

export type AuthorityAct =
  | GrantAct
  /** One call used these grants. */
  | { did: 'spend'; grants: string[]; toolUse: string }
  | { did: 'back'; grants: string[] }
  /** The server that recorded the session's grants is gone, so they end. */
  | { did: 'end' }
  | ({ did: 'off' } & Term)
  | { did: 'on' }
  /** A person approved or revoked something that another part carries out. Recorded only. */
  | { did: 'approve' | 'trust' | 'setup' | 'apply' | 'accept' | 'restore' | 'revoke'; what: string };
