// Links that rules speak of: what lies where such a link leads goes by the link's name as well.

import { belowOf, inside, under } from '../../platform/path-text.ts';
import { fold } from './keys.ts';
import type { Place } from './place.ts';
import { type Links, resolveNames } from './resolve.ts';

/** A place that a deny or ask rule names, and where links on the way take it. Absolute. */
export interface LinkedPlace {
  name: string;
  real: string;
}

/** The places that links lead elsewhere, found once for the accesses of one call. */
export type Linked = (kind: 'read' | 'write') => readonly LinkedPlace[];

/** Where rules begin that hold in one place. */
interface Places {
  readPlaces: readonly string[];
  writePlaces: readonly string[];
}

export function linkedOnce({ readPlaces, writePlaces }: Places, place: Place, links: Links): Linked {
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

/** Where links were met, looked for now and then: a link more closes more, so it opens nothing until it is found. */
interface Looked {
  root: string;
  /** Milliseconds of this process. */
  until: number;
  names: readonly string[];
}

const nowhere: readonly LinkedPlace[] = [];
const looked = new WeakMap<readonly string[], Looked>();
const lookAgainMs = 1_000;
/** Looking takes this share of the time at most. */
const share = 100;

/** Links that were found are followed for every call: they may lead elsewhere by now. */
function linkedPlaces(places: readonly string[], root: string, links: Links): readonly LinkedPlace[] {
  if (places.length === 0) return nowhere;
  const before = looked.get(places);
  const now = performance.now();
  if (before !== undefined && before.root === root && now < before.until)
    return before.names.length === 0 ? nowhere : before.names.flatMap((name) => ledFrom(name, root, links));
  const found = places.flatMap((one) => ledFrom(one.startsWith('/') ? one : under(root, one), root, links));
  const done = performance.now();
  looked.set(places, { root, until: done + Math.max(lookAgainMs, share * (done - now)), names: found.map(({ name }) => name) });
  return found;
}

function ledFrom(name: string, root: string, links: Links): LinkedPlace[] {
  const { real, unresolved } = resolveNames(name, root, links);
  return unresolved || real === name ? [] : [{ name, real }];
}

const none: readonly string[] = [];

/** What a path is called by way of them; in any case, since no allow goes by it. */
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

/** True where one of them leads to a folder, or below it. */
export function leadsBelow(folder: string, linked: readonly LinkedPlace[]): boolean {
  return linked.some(({ real }) => inside(real, folder));
}
