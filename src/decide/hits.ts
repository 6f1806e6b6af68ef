// Which access of a call a rule met.
import type { Hit } from '../policy/types.ts';
import type { PathAccess } from '../tools/types.ts';

/** True where the hit is on a name of this access. */
export function meets(access: PathAccess, hit: Hit): boolean {
  return isBy(access, hit) && (isAmong(access.names, hit.on) || isAmong(access.below, hit.on));
}

/** True where the hit is on this access by what is shown of it, or by any of its names. */
export function meetsShown(access: PathAccess, hit: Hit): boolean {
  return isBy(access, hit) && (hit.on === access.path || isAmong(access.names, hit.on) || isAmong(access.below, hit.on));
}

function isBy({ via, command }: PathAccess, hit: Hit): boolean {
  return via === hit.via && command === hit.command;
}

function isAmong(names: PathAccess['names'], path: string): boolean {
  for (const name of names) if (name.path === path) return true;
  return false;
}
