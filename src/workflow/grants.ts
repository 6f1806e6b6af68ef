// The grants that the journal's entries result in, and the grants that apply to one call.
import os from 'node:os';
import type { GrantState } from '../engine/grants.ts';
import type { GrantAct, Term } from './authority-changes.ts';
import type { JournalEntry } from './journal.ts';

/** A grant that was not given back. Time and count decide whether it still applies. */
export interface OpenGrant extends GrantAct {
  /** The letter `g` and the number of its entry. */
  id: string;
  session: string;
  /** ISO 8601, UTC. */
  since: string;
  /** Ids of the calls that used it. */
  uses: readonly string[];
}

/** The state of `/modes:off` for one session. */
export interface Off extends Term {
  session: string;
  since: string;
}

export interface ActiveGrants {
  grants: readonly OpenGrant[];
  off: readonly Off[];
}

export const noAuthority: ActiveGrants = { grants: [], off: [] };

/** Applies one more entry of the journal. An act of a later version changes nothing. */
export function authorityAfter(
  authority: ActiveGrants,
  entry: Pick<JournalEntry, 'kind' | 'number' | 'session' | 'timestamp' | 'authority'>,
): ActiveGrants {
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

/** Two clocks: the time of day, which can be set, and the time since the machine started, which cannot. */
export interface Clock {
  /** Milliseconds since 1970. */
  now: number;
  /** Whole seconds. */
  uptime: number;
}

export function readClock(): Clock {
  return { now: Date.now(), uptime: Math.floor(os.uptime()) };
}

/** Seconds left; Infinity without a time limit, 0 or less after expiry. A restart of the machine ends the grant. */
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

/** The caller of the call that a grant may apply to. */
export interface GrantCaller {
  session: string | null;
  toolUse: string | null;
  /** Whether a server counts the calls of this session. Without it, a grant for a number of calls would cover any number. */
  isCounted(): boolean;
}

/** The grants and the suspension that apply to one call; null: nothing applies, which is the usual case. */
export function activeGrantsFor(
  { grants, off }: ActiveGrants,
  { session, toolUse, isCounted }: GrantCaller,
  clock: () => Clock = readClock,
): GrantState | null {
  const isOwn = (one: { session: string }): boolean => one.session === session;
  if (!grants.some(isOwn) && !off.some(isOwn)) return null;
  const at = clock();
  const isOff = off.some((one) => isOwn(one) && secondsLeft(one, at) > 0);
  const activeGrants = grants.filter((one) => {
    if (!isOwn(one) || one.asked !== undefined || secondsLeft(one, at) <= 0) return false;
    if (one.count === null) return true;
    return toolUse !== null && (one.uses.includes(toolUse) || (callsLeft(one) > 0 && isCounted()));
  });
  if (activeGrants.length === 0 && !isOff) return null;
  return {
    off: isOff,
    grants: activeGrants.map(({ id, rules, count, uses }) => ({
      id,
      rules,
      // A call that was charged once is not charged again.
      counted: count !== null && !uses.includes(toolUse as string),
    })),
  };
}

/** Grants of a session that can still be used, oldest first. */
export function liveGrants({ grants }: ActiveGrants, session: string | null, clock: Clock = readClock()): OpenGrant[] {
  return grants.filter((one) => one.session === session && secondsLeft(one, clock) > 0 && callsLeft(one) > 0);
}

/** The grant of a session that answers this ask, and was not used by another call; null if there is none. */
export function grantOfAsked(
  { grants }: ActiveGrants,
  { session, call, ask, toolUse }: { session: string | null; call: string; ask: string; toolUse: string },
  clock: Clock = readClock(),
): OpenGrant | null {
  const isFor = (one: OpenGrant): boolean => one.session === session && one.asked?.call === call && one.asked.ask === ask;
  const isOpen = (one: OpenGrant): boolean => one.uses.includes(toolUse) || callsLeft(one) > 0;
  return grants.find((one) => isFor(one) && isOpen(one) && secondsLeft(one, clock) > 0) ?? null;
}

/** The seconds that `/modes:off` still lasts for a session; 0 if it is not active. */
export function offLeft({ off }: ActiveGrants, session: string | null, clock: Clock = readClock()): number {
  const found = off.find((one) => one.session === session);
  return found === undefined ? 0 : Math.max(0, secondsLeft(found, clock));
}
