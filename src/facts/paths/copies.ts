// A write below a copy reaches the source only through links in the source.
import fs from 'node:fs';
import path from 'node:path';
import type { BashFacts, BashWrite } from '../../model/command.ts';
import { under } from '../../platform/path-text.ts';
import { attempt } from '../../platform/stat.ts';
import { settled } from '../../shell/targets.ts';
import { expandGlob, maxMatches, walkBelow } from './below.ts';
import { diskLinks, type LinkReader, resolveNames } from './resolve.ts';

/** Maximum number of names to check in all sources of a text. */
const maxSearched = 4_000;
/** These commands follow neither links below the path nor a link at the path itself. */
const removals = /^(?:g?rm|rmdir|rimraf|unlink|find -delete)\b/;

/** Removes writes below a copy that cannot reach its source. Returns the same object if there are none. */
export function resolveCopies(facts: BashFacts, links?: LinkReader): BashFacts {
  if (!facts.writes.some(({ copied }) => copied !== undefined)) return facts;
  const sources = new Sources();
  const writes = facts.writes.filter((target) => isThroughCopy(target, sources, links));
  return writes.length === facts.writes.length ? facts : { ...facts, writes };
}

/** False only if the copied source exists and contains no link on the way to the target or below it. */
function isThroughCopy(
  { path: target, copied, extent, via }: BashWrite,
  sources: Sources,
  links: LinkReader = diskLinks,
): boolean {
  if (copied === undefined) return true;
  if (extent === 'glob') return sources.holdLink(copied);
  const removes = removals.test(via);
  const base = settled(copied);
  const end = settled(target);
  const checkedPath = removes ? path.dirname(end) : end;
  const folder = resolveNames(path.dirname(base), '/', links);
  const there = resolveNames(checkedPath, '/', links);
  if (links.readLink(base) === undefined || folder.unresolved || there.unresolved) return true;
  if (there.real !== path.join(folder.real, checkedPath.slice(path.dirname(base).length))) return true;
  return extent === 'deep' && !removes && sources.holdsLink(end);
}

/** Checks each copied source once. All sources share a budget; beyond it, a link may be anywhere. */
class Sources {
  private readonly budget = { left: maxSearched };
  private readonly found = new Map<string, boolean>();
  private readonly ofPatterns = new Map<string, boolean>();

  /** True if a link is, or may be, among the matches of the pattern or below them. */
  holdLink(pattern: string): boolean {
    return once(this.ofPatterns, pattern, () => {
      const tops = expandGlob(pattern, maxMatches);
      return tops === null || tops.some((top) => this.holdsLink(top));
    });
  }

  /** True if this name is, or may be, a link or contain one. */
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
