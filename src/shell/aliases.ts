// Names that a command line itself creates for other paths (links, moved folders). An access below the new name is also an access
// below the original path.
import { posix } from 'node:path';
import type { BashTarget } from '../model/command.ts';
import { trimSlashes } from './targets.ts';

/** `name` will refer to `path`. Both are absolute, and an unknown path is null. */
export interface Alias {
  name: string;
  path: string | null;
  /** The command that creates the name. Its own writes are reported separately. */
  command: number;
  /** A copy: it leads to its source only through links. */
  isCopy?: boolean;
  /** The path is a pattern. */
  isGlob?: boolean;
  /** Links appear below the name, which is a folder itself. */
  isBelow?: boolean;
}

/** Maximum number of added targets. Each of many names may refer to each of many paths. */
const MAX_ADDED = 400;
/** The operating system follows at most this number of links in one path. */
const MAX_STEPS = 40;
/** Maximum number of path characters. If a link leads below itself, each step makes the path longer. */
const MAX_CHARACTERS = 250_000;

/** Result of following aliases. `unknown`: a name may refer to an unknown path. */
export type Followed = 'all' | 'unknown' | 'too many';

/** A path that a name may refer to, with its position in the order of names. */
interface Meaning {
  path: string | null;
  /** The first command that creates the name. */
  command: number;
  order: number;
  /** Position of the same name from another command, if there is one. */
  again: number | null;
  isCopy: boolean;
  isGlob: boolean;
  isBelow: boolean;
}

function meanings(aliases: readonly Alias[]): Map<string, Map<string | null, Meaning>> {
  const out = new Map<string, Map<string | null, Meaning>>();
  aliases.forEach(({ name, path, command, isCopy = false, isGlob = false, isBelow = false }, order) => {
    const key = trimSlashes(posix.normalize(name));
    let same = out.get(key);
    if (same === undefined) {
      same = new Map();
      out.set(key, same);
    }
    const known = same.get(path);
    if (known === undefined) {
      same.set(path, { path, command, order, again: null, isCopy, isGlob, isBelow });
      return;
    }
    known.isCopy &&= isCopy;
    known.isBelow &&= isBelow;
    if (known.command !== command) known.again ??= order;
  });
  return out;
}

/** For every target at or below a new name, adds the same target under its original path. */
export function followAliases<T extends BashTarget>(targets: T[], aliases: readonly Alias[]): Followed {
  let known: Followed = 'all';
  const named = meanings(aliases);
  // A long path has many prefixes, and few of them are as long as a name.
  const lengths = new Set([...named.keys()].map((name) => name.length));
  // A name counts again for each command, because the command that creates a link does not write through it.
  const queued = new Set(targets.map((t) => `${t.command} ${t.path}`));
  const done = new Set<string>();
  const most = targets.length + MAX_ADDED;
  const steps = new Map<T, number>();
  let characters = 0;
  for (let i = 0; i < targets.length; i++) {
    const t = targets[i]!;
    const own = `${t.command} ${t.path}`;
    if (done.has(own)) continue;
    done.add(own);
    characters += t.path.length;
    if (characters > MAX_CHARACTERS) return 'too many';
    const found: { former: string | null; order: number; source: string | null; isGlob: boolean }[] = [];
    for (const [path, suffix] of splitAtParents(t.path)) {
      for (let end = path.length; end >= 0; end = end === 0 ? -1 : path.lastIndexOf('/', end - 1)) {
        if (!lengths.has(end)) continue;
        characters += end;
        const same = named.get(path.slice(0, end));
        if (same === undefined) continue;
        const rest = path.slice(end) + suffix;
        for (const { path: base, command, order: first, again, isCopy, isGlob, isBelow } of same.values()) {
          if (isBelow && rest === '' && t.extent === 'one') continue;
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
      if (queued.has(key)) continue;
      const step = (steps.get(t) ?? 0) + 1;
      if (targets.length >= most || step > MAX_STEPS) return 'too many';
      queued.add(key);
      const added: T = { ...t, path: former, extent: isGlob ? 'glob' : t.extent, copied: source ?? undefined };
      steps.set(added, step);
      targets.push(added);
    }
  }
  return known;
}

/** Maximum number of `..` in one path that are examined. */
const MAX_STEPS_UP = 16;

/** The names of a path, each with the rest after it. `..` after a link is the parent of the target of the link. */
function splitAtParents(path: string): [name: string, rest: string][] {
  const splits: [string, string][] = [[trimSlashes(posix.normalize(path)), '']];
  for (let at = path.indexOf('/..'); at > 0 && splits.length <= MAX_STEPS_UP; at = path.indexOf('/..', at + 3))
    if (/^\/\.\.(?:\/|$)/.test(path.slice(at, at + 4)))
      splits.push([trimSlashes(posix.normalize(path.slice(0, at))), path.slice(at)]);
  return splits;
}
