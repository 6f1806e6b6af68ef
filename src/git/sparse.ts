// Which tracked files a sparse checkout takes in: git before 2.41 tells of none of them.
import path from 'node:path';
import ignore from 'ignore';
import { readOwn } from '../platform/data-folder.ts';
import { hasTooManyStars } from '../platform/glob-cost.ts';

/** True of files that belong into the checkout; names are relative to the repository's top. */
export type InCheckout = (name: string) => boolean;

/**
 * By the patterns in git's own folder. Of patterns that are not understood more counts as taken in. `isCone`: they name whole folders
 * (`core.sparseCheckoutCone`). Throws where they cannot be read.
 */
export function sparseCheckout(git: string, isCone: boolean): InCheckout {
  const text = readOwn(path.join(git, 'info/sparse-checkout'));
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return (isCone ? readCone(lines) : null) ?? readPatterns(lines);
}

/** null where a line has another form than `git sparse-checkout` writes: then git, too, reads them one by one. */
function readCone(lines: readonly string[]): InCheckout | null {
  const all = new Set(lines);
  const whole = new Set<string>();
  /** Folders of which only the files are taken in. */
  const parents = new Set<string>();
  for (const line of all) {
    if (line === '/*' || line === '!/*/') continue;
    const folder = /^\/((?:[^*?[\\]|\\.)+)\/$/.exec(line)?.[1];
    const parent = /^!\/((?:[^*?[\\]|\\.)+)\/\*\/$/.exec(line)?.[1];
    if (folder !== undefined) (all.has(`!${line}*/`) ? parents : whole).add(folder.replace(/\\(.)/g, '$1'));
    else if (parent === undefined || !all.has(`/${parent}/`)) return null;
  }
  if (!all.has('/*')) return null;
  if (!all.has('!/*/')) return () => true;
  return (name) => {
    const folder = path.posix.dirname(name);
    if (folder === '.' || parents.has(folder)) return true;
    for (let at = folder; at !== '.'; at = path.posix.dirname(at)) if (whole.has(at)) return true;
    return false;
  };
}

/** The last pattern that names the file decides, else the last that names its folder, and so on upwards. */
function readPatterns(lines: readonly string[]): InCheckout {
  if (lines.some(hasTooManyStars)) return () => true;
  const all = ignore({ ignorecase: false }).add([...lines]);
  // Such a pattern names a folder at any depth: what lies in a folder that is taken in then counts as taken in.
  if (lines.some((line) => line.includes('**'))) return (name) => all.ignores(name);
  const patterns = lines.map(readPattern).reverse();
  const decide = (name: string, isFolder: boolean): boolean | null =>
    patterns.find(({ names }) => names(name, isFolder))?.takes ?? null;
  const folders = new Map<string, boolean>([['.', false]]);
  const decideFolder = (name: string): boolean => {
    const known = folders.get(name);
    if (known !== undefined) return known;
    const decided = decide(name, true) ?? decideFolder(path.posix.dirname(name));
    folders.set(name, decided);
    return decided;
  };
  return (name) => decide(name, false) ?? decideFolder(path.posix.dirname(name));
}

interface Pattern {
  takes: boolean;
  /** Itself, not what it lies in. */
  names(name: string, isFolder: boolean): boolean;
}

function readPattern(line: string): Pattern {
  const text = line.replace(/^!/, '');
  const one = ignore({ ignorecase: false }).add(text);
  const inner = text.replace(/\/[ \t]*$/, '');
  const parts = inner.replace(/^\//, '').split('/').length;
  return {
    takes: !line.startsWith('!'),
    names: (name, isFolder) => {
      // Without a slash it names what has that name anywhere.
      const asked = inner.includes('/') ? name : path.posix.basename(name);
      return asked.split('/').length === parts && one.ignores(isFolder ? `${asked}/` : asked);
    },
  };
}
