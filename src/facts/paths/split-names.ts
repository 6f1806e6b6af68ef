// Names in lists of files that become other names. The shell and xargs split `open/x secret/key` into two words, the shell expands
// `[s]ecret/key` as a pattern, and xargs removes the quotes of `sec'r'et/key`.
import path from 'node:path';
import { skipper } from '../../git/skipped-by-search.ts';
import type { Skips } from '../../model/command.ts';
import { belowOf, inside } from '../../platform/path-text.ts';
import { realOr } from '../../platform/stat.ts';
import { expandGlob, type List, maxMatches, type Visit, walkBelow } from './below.ts';

const blank = /[ \t\n]+/;
const special = /[\s*?[\\'"]/;
/** Most such names in one list. */
const most = 1_000;

/** A file, a folder with everything below it, or a pattern. */
export interface SplitName {
  path: string;
  extent: 'one' | 'deep' | 'glob';
}

/** What such names become; null if there are too many names. */
export function splitNames(
  { path: pattern, extent, skips }: { path: string; extent: string; skips: Skips | null },
  cwds: readonly string[],
  { list, budget }: { list: List | undefined; budget: { left: number } },
): SplitName[] | null {
  const found: { name: string; isFolder: boolean }[] = [];
  const tops = extent === 'glob' ? expandGlob(pattern, maxMatches, list) : [pattern];
  if (tops === null) return null;
  for (const top of tops.map((one) => path.resolve(one))) {
    if (special.test(top)) found.push({ name: top, isFolder: true });
    const real = realOr(top);
    const skipsIn = skips && skipper(real, skips);
    // What is below a folder with such a name is covered with the folder.
    const enter = (folder: string): Visit => {
      const isSkipped = skipsIn?.(folder);
      return (name, isFolder) => {
        if (isSkipped?.(name, isFolder)) return 'skip';
        if (special.test(name)) found.push({ name: path.join(top, belowOf(folder, real), name), isFolder });
        return undefined;
      };
    };
    if (extent === 'deep' && !walkBelow(real, enter, budget, list)) return null;
  }
  if (found.length > most) return null;
  // A list has names relative to the working folder, or absolute ones.
  return found.flatMap(({ name, isFolder }) => {
    const base = cwds.find((cwd) => inside(name, cwd));
    const words = (base === undefined ? name : path.relative(base, name)).split(blank).filter((word) => word !== '');
    return words.flatMap((word, at) => {
      const plain = isFolder && at === words.length - 1 ? 'deep' : 'one';
      const forms = [...new Set([word, word.replace(/\\(.)|['"]/g, '$1')])];
      return forms.flatMap((form) =>
        cwds.map((cwd) => ({ path: path.resolve(cwd, form), extent: /[*?[]/.test(form) ? ('glob' as const) : plain })),
      );
    });
  });
}
