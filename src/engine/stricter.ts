// Chooses the stricter of two decisions of one call, which were made with two configurations.

import type { Decision } from '../model/decision.ts';
import { isStricter } from '../policy/verdict.ts';
import type { LoadedRules } from './prepared.ts';

/** The union of the grants that several decisions needed; undefined if none did. */
export function joinGrants(...lists: Decision['grants'][]): Decision['grants'] {
  const found = new Map(lists.flatMap((list) => (list ?? []).map((one) => [one.id, one] as const)));
  return found.size === 0 ? undefined : [...found.values()];
}

/** How a session can adopt the present configuration. */
export const wayToAdopt = ({ approvable }: Pick<LoadedRules, 'approvable'>): string =>
  approvable
    ? 'a person adopts the present one with /modes:trust'
    : 'a session that begins now has the present one, and nobody adopts it before: the organisation says so';

/**
 * Returns the stricter decision. If they differ, the reason says which configuration it comes from, unless that one is unusable.
 * `way` says how to adopt the present one.
 */
export function stricter(pinned: Decision, present: Decision, isUsable = true, way = wayToAdopt({ approvable: true })): Decision {
  const byPinned = !isStricter(present.decision, pinned.decision);
  const advice = pinned.advice ?? present.advice;
  const grants = joinGrants(pinned.grants, present.grants);
  const chosen = {
    ...(byPinned ? pinned : present),
    ...(advice !== undefined && { advice }),
    ...(grants !== undefined && { grants }),
  };
  const took = pinned.took_us + present.took_us;
  const isAlike = pinned.decision === present.decision;
  if (isAlike || chosen.reason === '' || (byPinned && !isUsable)) return { ...chosen, took_us: took };
  const said = { deny: 'Denied', ask: 'Asked', pass: 'Left to the client', allow: 'Allowed' }[chosen.decision];
  const why = byPinned
    ? `${said} by the content that this session started with; ${way}.`
    : `${said} by the present content, which differs from the one that this session started with.`;
  return { ...chosen, reason: `${chosen.reason} ${why}`, took_us: took };
}
