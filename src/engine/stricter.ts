// Two decisions of one call, by two contents → the one that counts.

import type { Decision } from '../model/decision.ts';
import { isStricter } from '../policy/verdict.ts';
import type { Known } from './prepared.ts';

/** What several judgements of one call needed; undefined: nothing. */
export function joinGrants(...lists: Decision['grants'][]): Decision['grants'] {
  const found = new Map(lists.flatMap((list) => (list ?? []).map((one) => [one.id, one] as const)));
  return found.size === 0 ? undefined : [...found.values()];
}

/** How a session comes to the present content. */
export const wayToAdopt = ({ approvable }: Pick<Known, 'approvable'>): string =>
  approvable
    ? 'a person adopts the present one with /modes:trust'
    : 'a session that begins now has the present one, and nobody adopts it before: the organisation says so';

/** The stricter of both; where they differ it says which content it is by, unless that is one that cannot be used. `way`: to the present one. */
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
