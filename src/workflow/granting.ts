// Giving, using up and taking back: what a person said yes to, recorded in the journal before it counts.
import type { Rule } from '../model/rule.ts';
import type { AuthorityAct } from './acts.ts';
import { type Clock, callsLeft, liveGrants, type OpenGrant, offLeft, readClock, secondsLeft } from './grants.ts';
import type { Actor, Entry } from './journal.ts';
import type { Asker, Seat } from './moves.ts';

/** Writers of one journal that may be in the way of each other, one after the other. */
const attempts = 50;

/** How long and how often; null: without such an end. */
export interface Bounds {
  seconds: number | null;
  count: number | null;
}

export class Granting {
  constructor(
    private readonly seat: Seat,
    private readonly clock: () => Clock = readClock,
  ) {}

  /** What of it holds for a session. */
  live(session: string | null): { grants: OpenGrant[]; off: number } {
    const { authority } = this.seat.state();
    const at = this.clock();
    return { grants: liveGrants(authority, session, at), off: offLeft(authority, session, at) };
  }

  /** The caller has made sure that a person wants it in this mode. null: the mode is another by now, or not known. */
  give(rules: Rule[], { seconds, count }: Bounds, mode: string, why: string, asker: Asker): OpenGrant | null {
    const act: AuthorityAct = { did: 'grant', rules, seconds, count, uptime: this.clock().uptime };
    const entry = this.record(act, 'person', why, asker, () => this.seat.state().mode === mode);
    return entry === null ? null : (this.live(asker.session).grants.find(({ id }) => id === `g${entry.number}`) ?? null);
  }

  /** Gives grants of the session back. Free for everyone; the ids that were open. */
  back(ids: readonly string[], asker: Asker): string[] {
    const open = this.live(asker.session).grants.flatMap(({ id }) => (ids.includes(id) ? [id] : []));
    if (open.length > 0) this.record({ did: 'back', grants: open }, 'person', open.join(' '), asker);
    return open;
  }

  /** Lets the rules of user, project and local rest. The caller has made sure that a person wants it. */
  off(seconds: number | null, why: string, asker: Asker): boolean {
    return this.record({ did: 'off', seconds, uptime: this.clock().uptime }, 'person', why, asker) !== null;
  }

  /** Free for everyone; false where they did not rest. */
  on(asker: Asker): boolean {
    const { authority } = this.seat.state();
    if (!authority.off.some((one) => one.session === asker.session)) return false;
    return this.record({ did: 'on' }, 'person', '/modes:on', asker) !== null;
  }

  /** One call uses counted grants, once. False where one of them is used up or over. Throws where the disk refuses. */
  spend(ids: readonly string[], toolUse: string, asker: Asker): boolean {
    const isOpen = (): boolean => {
      const { grants } = this.seat.state().authority;
      const at = this.clock();
      return ids.every((id) =>
        grants.some((one) => one.id === id && secondsLeft(one, at) > 0 && (one.uses.includes(toolUse) || callsLeft(one) > 0)),
      );
    };
    const { grants } = this.seat.state().authority;
    if (ids.every((id) => grants.some((one) => one.id === id && one.uses.includes(toolUse)))) return true;
    return this.record({ did: 'spend', grants: [...ids], toolUse }, 'engine', ids.join(' '), asker, isOpen) !== null;
  }

  /** Ends what the session has from a server that is gone: a person may be another by now. */
  begin(asker: Asker): void {
    const { grants, off } = this.seat.state().authority;
    if ([...grants, ...off].some(({ session }) => session === asker.session))
      this.record({ did: 'end' }, 'engine', 'the session has another server', asker);
  }

  /** Keeps that a person said yes, or took a yes back, where it is carried out elsewhere. */
  note(did: 'approve' | 'trust' | 'setup' | 'apply' | 'revoke', what: string, asker: Asker): void {
    this.record({ did, what }, 'person', what, asker);
  }

  /** null where the mode is not known, `holds` says no, or others are always first. */
  private record(
    authority: AuthorityAct,
    actor: Actor,
    explanation: string,
    { session, permissionMode }: Asker,
    holds: () => boolean = () => true,
  ): Entry | null {
    for (let left = attempts; left > 0; left--) {
      const { mode } = this.seat.state();
      const topology = this.seat.topology();
      if (mode === null || topology === null || !holds()) return null;
      const change = { kind: 'authority' as const, from: mode, to: mode, actor, session, permissionMode, explanation, authority };
      const entry = this.seat.store()?.change(change, topology, new Date(this.clock().now)) ?? null;
      if (entry !== null) return entry;
    }
    return null;
  }
}
