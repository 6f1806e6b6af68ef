// Names that a command line itself makes for other paths (links, moved folders): what is done below the one is done below the other.
import { posix } from 'node:path';
import type { BashTarget } from './types.ts';

/** `name` will stand for `path`; both absolute. A path that is not known is null. */
export interface Alias {
  name: string;
  path: string | null;
  /** The command that makes it: what that one writes is said by itself. */
  command: number;
}

const MAX_TARGETS = 200;

function below(path: string, base: string): string | null {
  const p = posix.normalize(path).replace(/\/+$/, '');
  const b = posix.normalize(base).replace(/\/+$/, '');
  if (p === b) return '';
  return p.startsWith(`${b}/`) ? p.slice(b.length) : null;
}

/** Adds for every target at or below a new name the same target by its former path. False when one of those is not known. */
export function followAliases(targets: BashTarget[], aliases: readonly Alias[]): boolean {
  let known = true;
  // A name counts anew for another command: what makes a link does not write behind it.
  const seen = new Set(targets.map((t) => `${t.command} ${t.path}`));
  for (let i = 0; i < targets.length && i < MAX_TARGETS; i++) {
    const t = targets[i]!;
    for (const { name, path, command } of aliases) {
      const rest = t.command === command ? null : below(t.path, name);
      if (rest === null) continue;
      if (path === null) {
        known = false;
        continue;
      }
      const former = path + rest;
      const key = `${t.command} ${former}`;
      if (seen.has(key)) continue;
      seen.add(key);
      targets.push({ ...t, path: former });
    }
  }
  return known;
}
