// The tracked files that a sparse checkout includes. Git before 2.41 does not report them.
import path from 'node:path';
import ignore from 'ignore';
import { readDataFile } from '../platform/data-folder.ts';
import { hasTooManyStars } from '../platform/glob-cost.ts';

/** True for files that belong to the checkout. Names are relative to the repository's top. */
export type InCheckout = (name: string) => boolean;

/**
 * The check for the patterns in git's own folder. If patterns cannot be interpreted, more files count as included. `isCone`: the
 * patterns name whole folders (`core.sparseCheckoutCone`). Throws if they cannot be read.
 */
export function sparseCheckout(git: string, isCone: boolean): InCheckout {
  const text = readDataFile(path.join(git, 'info/sparse-checkout'));
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return (isCone ? readCone(lines) : null) ?? readPatterns(lines);
}

/** null if a line is not in the form that `git sparse-checkout` writes. Then git also interprets the lines one by one. */
function readCone(lines: readonly string[]): InCheckout | null {
  const all = new Set(lines);
  const whole = new Set<string>();
  /** Only the direct files of these folders are included. */
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

/** The last pattern that matches the file decides, else the last that matches its folder, and so on upwards. */
function readPatterns(lines: readonly string[]): InCheckout {
  if (lines.some(hasTooManyStars)) return () => true;
  const all = ignore({ ignorecase: false }).add([...lines]);
  // A pattern with `**` matches a folder at any depth. Then everything in an included folder counts as included.
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
  /** True if the pattern matches the name itself, not a folder that contains it. */
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
      // A pattern without a slash matches the base name at any depth.
      const candidate = inner.includes('/') ? name : path.posix.basename(name);
      return candidate.split('/').length === parts && one.ignores(isFolder ? `${candidate}/` : candidate);
    },
  };
}
