// Names that a command line itself makes for other paths (links, moved folders): what is done below the one is done below the other.
import { posix } from 'node:path';
import type { BashTarget } from '../model/command.ts';
import { trimSlashes } from './targets.ts';

/** `name` will stand for `path`; both absolute. A path that is not known is null. */
export interface Alias {
  name: string;
  path: string | null;
  /** The command that makes it: what that one writes is said by itself. */
  command: number;
  /** A copy: it leads to its source only where links do. */
  isCopy?: boolean;
  /** The path is a pattern. */
  isGlob?: boolean;
}

/** So many targets are added: each of many names may stand for each of many paths. */
const MAX_ADDED = 400;
/** The system follows no more links than this on one way. */
const MAX_STEPS = 40;
/** So many characters of paths are looked at: through links that lead below themselves paths grow with each step. */
const MAX_CHARACTERS = 250_000;

/** Whether all that the targets stand for is known: `unknown` where a name stands for something that is not known. */
export type Followed = 'all' | 'unknown' | 'too many';

/** What a name may stand for, and where that comes in the order of names. */
interface Meaning {
  path: string | null;
  /** The first command that makes it. */
  command: number;
  order: number;
  /** Where another command makes it as well. */
  again: number | null;
  isCopy: boolean;
  isGlob: boolean;
}

function meanings(aliases: readonly Alias[]): Map<string, Map<string | null, Meaning>> {
  const out = new Map<string, Map<string | null, Meaning>>();
  aliases.forEach(({ name, path, command, isCopy = false, isGlob = false }, order) => {
    const key = trimSlashes(posix.normalize(name));
    let same = out.get(key);
    if (same === undefined) {
      same = new Map();
      out.set(key, same);
    }
    const known = same.get(path);
    if (known === undefined) {
      same.set(path, { path, command, order, again: null, isCopy, isGlob });
      return;
    }
    known.isCopy &&= isCopy;
    if (known.command !== command) known.again ??= order;
  });
  return out;
}

/** Adds for every target at or below a new name the same target by its former path. */
export function followAliases(targets: BashTarget[], aliases: readonly Alias[]): Followed {
  let known: Followed = 'all';
  const named = meanings(aliases);
  // Long paths have many beginnings, of which few are as long as a name.
  const lengths = new Set([...named.keys()].map((name) => name.length));
  // A name counts anew for another command: what makes a link does not write behind it.
  const seen = new Set(targets.map((t) => `${t.command} ${t.path}`));
  const done = new Set<string>();
  const most = targets.length + MAX_ADDED;
  const steps = new Map<BashTarget, number>();
  let characters = 0;
  for (let i = 0; i < targets.length; i++) {
    const t = targets[i]!;
    const own = `${t.command} ${t.path}`;
    if (done.has(own)) continue;
    done.add(own);
    characters += t.path.length;
    if (characters > MAX_CHARACTERS) return 'too many';
    const found: { former: string | null; order: number; source: string | null; isGlob: boolean }[] = [];
    for (const [path, behind] of waysOf(t.path)) {
      for (let end = path.length; end >= 0; end = end === 0 ? -1 : path.lastIndexOf('/', end - 1)) {
        if (!lengths.has(end)) continue;
        characters += end;
        const same = named.get(path.slice(0, end));
        if (same === undefined) continue;
        const rest = path.slice(end) + behind;
        for (const { path: base, command, order: first, again, isCopy, isGlob } of same.values()) {
          const order = command === t.command ? again : first;
          if (order !== null)
            found.push({ former: base === null ? null : base + rest, order, source: isCopy ? base : null, isGlob });
        }
      }
    }
    if (found.length > 1) found.sort((a, b) => a.order - b.order);
    for (const { former, source, isGlob } of found) {
      if (former === null) {
        known = 'unknown';
        continue;
      }
      const key = `${t.command} ${former}${source === null ? '' : `\0${source}`}`;
      if (seen.has(key)) continue;
      const step = (steps.get(t) ?? 0) + 1;
      if (targets.length >= most || step > MAX_STEPS) return 'too many';
      seen.add(key);
      const { copied: _, ...same } = t;
      const moved: BashTarget = { ...same, path: former, extent: isGlob ? 'glob' : t.extent };
      const added = source === null ? moved : { ...moved, copied: source };
      steps.set(added, step);
      targets.push(added);
    }
  }
  return known;
}

/** So many `..` of one path are looked at. */
const MAX_STEPS_UP = 16;

/** The names that a path goes by, each with what stands behind it: `..` behind a link is the folder above what the link leads to. */
function waysOf(path: string): [name: string, behind: string][] {
  const ways: [string, string][] = [[trimSlashes(posix.normalize(path)), '']];
  for (let at = path.indexOf('/..'); at > 0 && ways.length <= MAX_STEPS_UP; at = path.indexOf('/..', at + 3))
    if (/^\/\.\.(?:\/|$)/.test(path.slice(at, at + 4)))
      ways.push([trimSlashes(posix.normalize(path.slice(0, at))), path.slice(at)]);
  return ways;
}
