// Gives, consumes and revokes a person's grants. Each act is recorded in the journal before it applies.
import type { Rule } from '../model/rule.ts';
import type { AskedCall, AuthorityAct, GrantAct } from './authority-changes.ts';
import { type Clock, callsLeft, liveGrants, type OpenGrant, offLeft, readClock, secondsLeft } from './grants.ts';
import type { Actor, JournalEntry } from './journal.ts';
import type { Asker, TransitionHost } from './mode-transitions.ts';

/** Retries when other writers append to the same journal first. */
const attempts = 50;

/** Duration and number of calls; null: no such limit. */
export interface Bounds {
  seconds: number | null;
  count: number | null;
}

export class Granting {
  constructor(
    private readonly host: TransitionHost,
    private readonly clock: () => Clock = readClock,
  ) {}

  /** The session's active grants, and the seconds left of `/modes:off`. */
  live(session: string | null): { grants: OpenGrant[]; off: number } {
    const { authority } = this.host.state();
    const at = this.clock();
    return { grants: liveGrants(authority, session, at), off: offLeft(authority, session, at) };
  }

  /** The caller must have checked that a person wants the grant in this mode. null: the mode has changed, or is unknown. */
  give(rules: Rule[], { seconds, count }: Bounds, mode: string, why: string, asker: Asker): OpenGrant | null {
    return this.open({ did: 'grant', rules, seconds, count, uptime: this.clock().uptime }, mode, why, asker);
  }

  /** The same for one call of another harness, once. */
  giveAsked(asked: AskedCall, mode: string, asker: Asker): OpenGrant | null {
    const act: GrantAct = { did: 'grant', rules: [], seconds: null, count: 1, uptime: this.clock().uptime, asked };
    return this.open(act, mode, asked.text, asker);
  }

  private open(act: GrantAct, mode: string, why: string, asker: Asker): OpenGrant | null {
    const entry = this.record(act, 'person', why, asker, () => this.host.state().mode === mode);
    return entry === null ? null : (this.live(asker.session).grants.find(({ id }) => id === `g${entry.number}`) ?? null);
  }

  /** Gives up grants of the session. Anyone may call it. Returns the ids that were active. */
  back(ids: readonly string[], asker: Asker): string[] {
    const open = this.live(asker.session).grants.flatMap(({ id }) => (ids.includes(id) ? [id] : []));
    if (open.length > 0) this.record({ did: 'back', grants: open }, 'person', open.join(' '), asker);
    return open;
  }

  /** Suspends the rules of the layers user, project and local. The caller must have checked that a person wants it. */
  off(seconds: number | null, why: string, asker: Asker): boolean {
    return this.record({ did: 'off', seconds, uptime: this.clock().uptime }, 'person', why, asker) !== null;
  }

  /** Ends the suspension of rules. Anyone may call it. False if rules were not suspended. */
  on(asker: Asker): boolean {
    const { authority } = this.host.state();
    if (!authority.off.some((one) => one.session === asker.session)) return false;
    return this.record({ did: 'on' }, 'person', '/modes:on', asker) !== null;
  }

  /** Charges one call to counted grants, once. False if one of them is used up or has expired. Throws if the disk refuses. */
  consume(ids: readonly string[], toolUse: string, asker: Asker): boolean {
    const isOpen = (): boolean => {
      const { grants } = this.host.state().authority;
      const at = this.clock();
      return ids.every((id) =>
        grants.some((one) => one.id === id && secondsLeft(one, at) > 0 && (one.uses.includes(toolUse) || callsLeft(one) > 0)),
      );
    };
    const { grants } = this.host.state().authority;
    if (ids.every((id) => grants.some((one) => one.id === id && one.uses.includes(toolUse)))) return true;
    return this.record({ did: 'spend', grants: [...ids], toolUse }, 'engine', ids.join(' '), asker, isOpen) !== null;
  }

  /** Ends the session's grants from a server that is gone, because another person may be there now. */
  begin(asker: Asker): void {
    const { grants, off } = this.host.state().authority;
    if ([...grants, ...off].some(({ session }) => session === asker.session))
      this.record({ did: 'end' }, 'engine', 'the session has another server', asker);
  }

  /** Records an approval or its revocation that is carried out elsewhere. */
  note(did: 'approve' | 'trust' | 'setup' | 'apply' | 'accept' | 'restore' | 'revoke', what: string, asker: Asker): void {
    this.record({ did, what }, 'person', what, asker);
  }

  /** null if the mode is unknown, if `holds` returns false, or if other writers were first on every attempt. */
  private record(
    authority: AuthorityAct,
    actor: Actor,
    explanation: string,
    { session, permissionMode }: Asker,
    holds: () => boolean = () => true,
  ): JournalEntry | null {
    for (let left = attempts; left > 0; left--) {
      const { mode } = this.host.state();
      const topology = this.host.topology();
      if (mode === null || topology === null || !holds()) return null;
      const change = { kind: 'authority' as const, from: mode, to: mode, actor, session, permissionMode, explanation, authority };
      const entry = this.host.store()?.change(change, topology, new Date(this.clock().now)) ?? null;
      if (entry !== null) return entry;
    }
    return null;
  }
}
