// Which accesses of a call a rule met.

import { fold } from '../facts/paths/keys.ts';
import type { PathAccess } from '../model/facts.ts';
import type { Hit } from '../model/verdict.ts';

/** Of more accesses than this, each is looked up by its names. */
const few = 8;

/** The accesses of one kind, to be asked for what is known of a hit. */
export class Accesses {
  private named: ReadonlyMap<string, readonly PathAccess[]> | null = null;

  constructor(private readonly list: readonly PathAccess[]) {}

  /** The first that the hit is on. */
  first(hit: Hit): PathAccess | undefined {
    for (const access of this.near(hit)) if (meets(access, hit)) return access;
    return undefined;
  }

  /** Indices of all that one of the hits is on. */
  all(hits: readonly Hit[]): number[] {
    if (hits.length === 0) return [];
    const met = new Set<PathAccess>();
    for (const hit of hits) for (const access of this.near(hit)) if (meets(access, hit)) met.add(access);
    const found: number[] = [];
    for (let at = 0; at < this.list.length; at++) if (met.has(this.list[at] as PathAccess)) found.push(at);
    return found;
  }

  /** Those that it may be on. */
  private near({ on }: Hit): readonly PathAccess[] {
    if (this.list.length <= few) return this.list;
    this.named ??= namesOf(this.list);
    return this.named.get(on) ?? [];
  }
}

/** By every name of theirs and by what is shown. */
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

/** What a hit is on as the access spells it: a rule may have met the name in another case. */
export function spelledOn(hit: Hit, access: PathAccess | undefined): string {
  const isOn = ({ path }: PathAccess['names'][number]): boolean => path === hit.on || fold(path) === hit.on;
  return (access?.names.find(isOn) ?? access?.below.find(isOn))?.path ?? hit.on;
}

/** True where the hit is on a name of this access, or on it as it is shown. */
export function meets(access: PathAccess, hit: Hit): boolean {
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
