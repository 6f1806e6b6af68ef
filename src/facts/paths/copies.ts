// What is written below a copy lands in its source only where links in the source lead there.
import fs from 'node:fs';
import path from 'node:path';
import type { BashFacts, BashTarget } from '../../model/command.ts';
import { attempt } from '../../platform/look-at-disk.ts';
import { under } from '../../platform/path-text.ts';
import { settled } from '../../shell/targets.ts';
import { expandGlob, maxMatches, walkBelow } from './below.ts';
import { diskLinks, type Links, resolveNames } from './resolve.ts';

/** Names of all sources of a text that are looked at. */
const maxLooked = 4_000;
/** These follow no link that lies below, nor the name itself. */
const removals = /^(?:g?rm|rmdir|rimraf|unlink|find -delete)\b/;

/** Without the writes that a copy keeps from its source; the same object where there are none. */
export function settleCopies(facts: BashFacts, links?: Links): BashFacts {
  if (!facts.writes.some(({ copied }) => copied !== undefined)) return facts;
  const sources = new Sources();
  const writes = facts.writes.filter((target) => isThroughCopy(target, sources, links));
  return writes.length === facts.writes.length ? facts : { ...facts, writes };
}

/** True unless the source that was copied is there and holds no link on the way to the target, nor below it. */
function isThroughCopy({ path: target, copied, extent, via }: BashTarget, sources: Sources, links: Links = diskLinks): boolean {
  if (copied === undefined) return true;
  if (extent === 'glob') return sources.holdLink(copied);
  const removes = removals.test(via);
  const base = settled(copied);
  const end = settled(target);
  const way = removes ? path.dirname(end) : end;
  const folder = resolveNames(path.dirname(base), '/', links);
  const there = resolveNames(way, '/', links);
  if (links.readLink(base) === undefined || folder.unresolved || there.unresolved) return true;
  if (there.real !== path.join(folder.real, way.slice(path.dirname(base).length))) return true;
  return extent === 'deep' && !removes && sources.holdsLink(end);
}

/** What was copied, each looked at once, and all together up to a bound: beyond it a link may be anywhere. */
class Sources {
  private readonly budget = { left: maxLooked };
  private readonly found = new Map<string, boolean>();
  private readonly ofPatterns = new Map<string, boolean>();

  /** True where a link is, or may be, among what the pattern finds or below it. */
  holdLink(pattern: string): boolean {
    return once(this.ofPatterns, pattern, () => {
      const tops = expandGlob(pattern, maxMatches);
      return tops === null || tops.some((top) => this.holdsLink(top));
    });
  }

  /** True where a link is, or may be, this name or below it. */
  holdsLink(top: string): boolean {
    return once(this.found, top, () => {
      let found = isLink(top);
      const enter = (folder: string) => (name: string, isFolder: boolean) => {
        if (!isFolder && isLink(under(folder, name))) found = true;
        return undefined;
      };
      return found || this.budget.left-- <= 0 || !walkBelow(top, enter, this.budget) || found;
    });
  }
}

function isLink(name: string): boolean {
  return attempt(() => fs.lstatSync(name, { throwIfNoEntry: false })?.isSymbolicLink() ?? false) !== false;
}

function once(known: Map<string, boolean>, key: string, look: () => boolean): boolean {
  const before = known.get(key);
  if (before !== undefined) return before;
  const made = look();
  known.set(key, made);
  return made;
}
