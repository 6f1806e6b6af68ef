// Links in the paths of rules: a file below the target of such a link is also known by the link's name.

import { belowOf, inside, under } from '../../platform/path-text.ts';
import { fold } from './keys.ts';
import type { Place } from './place.ts';
import { type LinkReader, resolveNames } from './resolve.ts';

/** A place that a deny or ask rule names, and its real path after following links. Both absolute. */
export interface LinkedPlace {
  name: string;
  real: string;
}

/** The places whose real path is elsewhere, found once for all accesses of a call. */
export type Linked = (kind: 'read' | 'write') => readonly LinkedPlace[];

/** Path prefixes of the rules that apply to one fixed place. */
interface RulePlaces {
  readPlaces: readonly string[];
  writePlaces: readonly string[];
}

export function linkedOnce({ readPlaces, writePlaces }: RulePlaces, place: Place, links: LinkReader): Linked {
  let reads: readonly LinkedPlace[] | null = null;
  let writes: readonly LinkedPlace[] | null = null;
  return (kind) => {
    if (kind === 'write') {
      writes ??= linkedPlaces(writePlaces, place.root, links);
      return writes;
    }
    reads ??= linkedPlaces(readPlaces, place.root, links);
    return reads;
  };
}

/** Cached links. A stale cache is safe: a new link only adds names for deny and ask rules, so missing it grants nothing new. */
interface CachedLinks {
  root: string;
  /** Time of this process, in milliseconds, until which the cache is valid. */
  until: number;
  names: readonly string[];
}

const nowhere: readonly LinkedPlace[] = [];
const linkCache = new WeakMap<readonly string[], CachedLinks>();
const refreshMs = 1_000;
/** The searches take at most 1/100 of the time. */
const share = 100;

/** Known links are resolved in every call, because their targets may have changed. */
function linkedPlaces(places: readonly string[], root: string, links: LinkReader): readonly LinkedPlace[] {
  if (places.length === 0) return nowhere;
  const before = linkCache.get(places);
  const now = performance.now();
  if (before !== undefined && before.root === root && now < before.until)
    return before.names.length === 0 ? nowhere : before.names.flatMap((name) => ledFrom(name, root, links));
  const found = places.flatMap((one) => ledFrom(one.startsWith('/') ? one : under(root, one), root, links));
  const done = performance.now();
  linkCache.set(places, { root, until: done + Math.max(refreshMs, share * (done - now)), names: found.map(({ name }) => name) });
  return found;
}

function ledFrom(name: string, root: string, links: LinkReader): LinkedPlace[] {
  const { real, unresolved } = resolveNames(name, root, links);
  return unresolved || real === name ? [] : [{ name, real }];
}

const none: readonly string[] = [];

/** The names of a path through these links. Compared without case, because no allow rule uses them. */
export function namesByLink(absolute: string, linked: readonly LinkedPlace[]): readonly string[] {
  if (linked.length === 0) return none;
  const folded = fold(absolute);
  return linked.flatMap(({ name, real }) => {
    if (inside(absolute, real)) return [absolute === real ? name : under(name, belowOf(absolute, real))];
    const other = fold(real);
    if (!inside(folded, other)) return [];
    return [folded === other ? name : under(name, belowOf(folded, other))];
  });
}

/** True if one of the links leads to the folder or below it. */
export function leadsBelow(folder: string, linked: readonly LinkedPlace[]): boolean {
  return linked.some(({ real }) => inside(real, folder));
}
