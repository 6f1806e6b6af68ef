// Finds the accesses of a call that a rule matched.

import { fold } from '../facts/paths/keys.ts';
import type { PathAccess } from '../model/facts.ts';
import type { Hit } from '../model/verdict.ts';

/** With more accesses than this, they are looked up in a map by name. */
const few = 8;

/** The accesses of one kind, with a lookup by hit. */
export class Accesses {
  private named: ReadonlyMap<string, readonly PathAccess[]> | null = null;

  constructor(private readonly list: readonly PathAccess[]) {}

  /** The first access that the hit is about. */
  first(hit: Hit): PathAccess | undefined {
    for (const access of this.near(hit)) if (matchesHit(access, hit)) return access;
    return undefined;
  }

  /** Indices of all accesses that at least one of the hits is about. */
  all(hits: readonly Hit[]): number[] {
    if (hits.length === 0) return [];
    const matched = new Set<PathAccess>();
    for (const hit of hits) for (const access of this.near(hit)) if (matchesHit(access, hit)) matched.add(access);
    const found: number[] = [];
    for (let at = 0; at < this.list.length; at++) if (matched.has(this.list[at] as PathAccess)) found.push(at);
    return found;
  }

  /** Candidates for this hit. */
  private near({ on }: Hit): readonly PathAccess[] {
    if (this.list.length <= few) return this.list;
    this.named ??= namesOf(this.list);
    return this.named.get(on) ?? [];
  }
}

/** A map from every name of an access, and from its shown path, to the access. */
function namesOf(list: readonly PathAccess[]): Map<string, PathAccess[]> {
  const found = new Map<string, PathAccess[]>();
  const add = (name: string, access: PathAccess): void => {
    const before = found.get(name);
    if (before === undefined) found.set(name, [access]);
    else if (before.at(-1) !== access) before.push(access);
  };
  for (const access of list) {
    add(access.path, access);
    for (const { path } of access.names) add(path, access);
    for (const { path } of access.below) add(path, access);
  }
  return found;
}

/** The path of a hit as the access spells it. A rule may have matched the name in another case. */
export function spelledOn(hit: Hit, access: PathAccess | undefined): string {
  const isOn = ({ path }: PathAccess['names'][number]): boolean => path === hit.on || fold(path) === hit.on;
  return (access?.names.find(isOn) ?? access?.below.find(isOn))?.path ?? hit.on;
}

/** True if the hit is about a name of this access, or about its shown path. */
export function matchesHit(access: PathAccess, hit: Hit): boolean {
  const { via, command } = access;
  return (
    via === hit.via &&
    command === hit.command &&
    (hit.on === access.path || isAmong(access.names, hit.on) || isAmong(access.below, hit.on))
  );
}

function isAmong(names: PathAccess['names'], path: string): boolean {
  for (const name of names) if (name.path === path) return true;
  return false;
}
