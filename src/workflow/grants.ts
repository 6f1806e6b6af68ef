// What is granted now, as the journal's entries make it, and what of that holds for one call.
import os from 'node:os';
import type { Held } from '../engine/grants.ts';
import type { GrantAct, Term } from './acts.ts';
import type { Entry } from './journal.ts';

/** A grant that was not given back; whether it still holds is a matter of time and count. */
export interface OpenGrant extends GrantAct {
  /** `g` and the number of its entry. */
  id: string;
  session: string;
  /** ISO 8601, UTC. */
  since: string;
  /** Ids of the calls that used it. */
  uses: readonly string[];
}

/** `/modes:off` of one session. */
export interface Off extends Term {
  session: string;
  since: string;
}

export interface Authority {
  grants: readonly OpenGrant[];
  off: readonly Off[];
}

export const noAuthority: Authority = { grants: [], off: [] };

/** What one more entry of the journal makes of it. An act of a later version changes nothing. */
export function authorityAfter(
  authority: Authority,
  entry: Pick<Entry, 'kind' | 'number' | 'session' | 'timestamp' | 'authority'>,
): Authority {
  const { kind, session, timestamp: since, authority: act } = entry;
  if (kind === 'stop') return noAuthority;
  if (kind !== 'plan' && kind !== 'authority') return authority.grants.length === 0 ? authority : { ...authority, grants: [] };
  if (act === undefined || session === null) return authority;
  const { grants, off } = authority;
  const others = off.filter((one) => one.session !== session);
  switch (act.did) {
    case 'grant':
      return { ...authority, grants: [...grants, { ...act, id: `g${entry.number}`, session, since, uses: [] }] };
    case 'spend': {
      const spent = (one: OpenGrant): boolean =>
        act.grants.includes(one.id) && one.session === session && !one.uses.includes(act.toolUse);
      return { ...authority, grants: grants.map((one) => (spent(one) ? { ...one, uses: [...one.uses, act.toolUse] } : one)) };
    }
    case 'back':
      return { ...authority, grants: grants.filter(({ id }) => !act.grants.includes(id)) };
    case 'end':
      return { grants: grants.filter((one) => one.session !== session), off: others };
    case 'off':
      return { grants, off: [...others, { seconds: act.seconds, uptime: act.uptime, session, since }] };
    case 'on':
      return { grants, off: others };
    default:
      return authority;
  }
}

/** Two clocks: of the day, which may be set, and since the machine started, which may not. */
export interface Clock {
  /** Milliseconds since 1970. */
  now: number;
  /** Whole seconds. */
  uptime: number;
}

export function readClock(): Clock {
  return { now: Date.now(), uptime: Math.floor(os.uptime()) };
}

/** Seconds left; Infinity without an end, 0 or less when it is over. A machine that started anew ended it. */
export function secondsLeft({ seconds, uptime, since }: Term & { since: string }, clock: Clock): number {
  const passed = clock.uptime - uptime;
  if (passed < 0) return 0;
  if (seconds === null) return Number.POSITIVE_INFINITY;
  const byDay = (clock.now - Date.parse(since)) / 1_000;
  return byDay < 0 ? 0 : seconds - Math.max(byDay, passed - 1);
}

/** Calls left; Infinity without a count. */
export function callsLeft({ count, uses }: OpenGrant): number {
  return count === null ? Number.POSITIVE_INFINITY : count - uses.length;
}

/** Who asks whether something holds for a call. */
export interface GrantCaller {
  session: string | null;
  toolUse: string | null;
  /** Whether somebody counts the calls of this session: without, a grant for a number of calls would be one for any number. */
  isCounted(): boolean;
}

/** What holds for one call; null: nothing, which is the usual case. */
export function heldFor(
  { grants, off }: Authority,
  { session, toolUse, isCounted }: GrantCaller,
  clock: () => Clock = readClock,
): Held | null {
  const isOwn = (one: { session: string }): boolean => one.session === session;
  if (!grants.some(isOwn) && !off.some(isOwn)) return null;
  const at = clock();
  const isOff = off.some((one) => isOwn(one) && secondsLeft(one, at) > 0);
  const held = grants.filter((one) => {
    if (!isOwn(one) || secondsLeft(one, at) <= 0) return false;
    if (one.count === null) return true;
    return toolUse !== null && (one.uses.includes(toolUse) || (callsLeft(one) > 0 && isCounted()));
  });
  if (held.length === 0 && !isOff) return null;
  return {
    off: isOff,
    grants: held.map(({ id, rules, count, uses }) => ({
      id,
      rules,
      // What this call has paid for already costs nothing more.
      counted: count !== null && !uses.includes(toolUse as string),
    })),
  };
}

/** Grants of a session that can still be used, oldest first. */
export function liveGrants({ grants }: Authority, session: string | null, clock: Clock = readClock()): OpenGrant[] {
  return grants.filter((one) => one.session === session && secondsLeft(one, clock) > 0 && callsLeft(one) > 0);
}

/** The seconds that `/modes:off` still lasts for a session; 0: it does not. */
export function offLeft({ off }: Authority, session: string | null, clock: Clock = readClock()): number {
  const found = off.find((one) => one.session === session);
  return found === undefined ? 0 : Math.max(0, secondsLeft(found, clock));
}
