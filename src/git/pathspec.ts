// Git's pathspecs (gitglossary(7)): the names, relative to the top of the working tree, that a pathspec selects.
import path from 'node:path';
import { hasTooManyStars } from '../platform/glob-cost.ts';

export interface Pathspec {
  isExclude: boolean;
  /** The path or pattern relative to the top; null if it is uncertain. */
  name: string | null;
  /** True for every name that git may match. For an excluding pathspec, only for names that certainly match. */
  covers(name: string): boolean;
}

interface Magic {
  top: boolean;
  literal: boolean;
  glob: boolean;
  icase: boolean;
  exclude: boolean;
  /** Magic that is not evaluated here, such as an attribute. */
  other: boolean;
}

const anything = (): boolean => true;
const nothing = (): boolean => false;

/**
 * Parses one pathspec.
 * @param prefix the folder where git runs, relative to the top; '' for the top
 * @param top absolute path of the working tree
 */
export function parsePathspec(text: string, prefix: string, top: string): Pathspec {
  const { magic, rest } = magicOf(text);
  const isExclude = magic.exclude;
  const unsure = { isExclude, name: null, covers: isExclude ? nothing : anything };
  // Git refuses an empty pathspec. Here it represents an unknown one.
  if (text === '' || magic.other || (text !== rest && rest === '' && !magic.top)) return unsure;
  const name = relativeName(rest, magic.top ? '' : prefix, top);
  // An excluding pathspec for the top does not exclude everything, and git does not resolve dots in a path from the top.
  const isIneffective = isExclude && (name === '' || (magic.top && /(?:^|\/)\.{0,2}(?:\/.|$)/.test(rest.replace(/\/$/, ''))));
  if (name === null || isIneffective || hasTooManyStars(rest)) return unsure;
  const fold = (one: string): string => (magic.icase ? one.toLowerCase() : one);
  const isFolder = rest.endsWith('/');
  const wanted = fold(name);
  const isLiteral = (one: string): boolean => wanted === '' || one.startsWith(`${wanted}/`) || (!isFolder && one === wanted);
  if (magic.literal || !/[*?[\\]/.test(wanted)) return { isExclude, name, covers: (one) => isLiteral(fold(one)) };
  const pattern = patternOf(wanted, magic.glob, isExclude);
  if (pattern === null) return unsure;
  return {
    isExclude,
    name,
    covers(one) {
      const folded = fold(one);
      if (isLiteral(folded) || pattern.test(folded)) return true;
      return !isExclude && foldersOf(folded).some((folder) => pattern.test(folder));
    },
  };
}

/**
 * The names that several pathspecs select together. Git may disregard the exclusion of a folder that contains everything
 * included.
 * @param isHere whether git includes a name if there is no including pathspec
 */
export function selectedBy(
  specs: readonly Pathspec[],
  prefix: string,
  isHere: (name: string) => boolean,
): (name: string) => boolean {
  const includes = specs.filter((one) => !one.isExclude);
  const bases = includes.length === 0 ? [prefix] : includes.map(({ name }) => name ?? '');
  const excludes = specs.filter(
    ({ isExclude, name }) => isExclude && !bases.every((base) => name !== null && (base === name || base.startsWith(`${name}/`))),
  );
  return (name) =>
    (includes.length > 0 ? includes.some((one) => one.covers(name)) : isHere(name)) && !excludes.some((one) => one.covers(name));
}

function magicOf(text: string): { magic: Magic; rest: string } {
  const magic: Magic = { top: false, literal: false, glob: false, icase: false, exclude: false, other: false };
  if (!text.startsWith(':')) return { magic, rest: text };
  if (text.startsWith(':(')) {
    const end = text.indexOf(')');
    if (end === -1) return { magic: { ...magic, other: true }, rest: text };
    for (const word of text.slice(2, end).split(',')) {
      if (word === 'top' || word === 'literal' || word === 'glob' || word === 'icase' || word === 'exclude') magic[word] = true;
      else if (word !== '') magic.other = true;
    }
    return { magic, rest: text.slice(end + 1) };
  }
  let at = 1;
  for (; at < text.length && text[at] !== ':'; at++) {
    const sign = text[at] as string;
    if (sign === '/') magic.top = true;
    else if (sign === '!' || sign === '^') magic.exclude = true;
    else if (/["#%&',;<=>@_`~-]/.test(sign)) magic.other = true;
    else break;
  }
  return { magic, rest: text.slice(text[at] === ':' ? at + 1 : at) };
}

/** A path relative to the top, without `.` and `..`; null if it is outside the working tree. */
function relativeName(text: string, prefix: string, top: string): string | null {
  if (text.startsWith('/')) {
    const below = path.posix.relative(top, path.posix.normalize(text));
    return below.startsWith('..') ? null : below;
  }
  const joined = path.posix.normalize(`/${prefix}/${text}`).replace(/(?<=.)\/$/, '');
  const ups = path.posix.normalize(prefix === '' ? `./${text}` : `${prefix}/${text}`);
  return ups.startsWith('..') ? null : joined.slice(1);
}

/** The pattern for a whole name; null if an excluding one is uncertain. A bracket matches any character. */
function patternOf(text: string, isGlob: boolean, isExclude: boolean): RegExp | null {
  if (isExclude && /[[\\]/.test(text)) return null;
  const [any, one] = isGlob ? ['[^/]*', '[^/]'] : ['.*', '.'];
  let source = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (char === '*') {
      const stars = /^\*+/.exec(text.slice(at))?.[0].length ?? 1;
      const isWhole = stars > 1 && (at === 0 || text[at - 1] === '/');
      if (isGlob && isWhole && text[at + stars] === '/') {
        source += '(?:.*/)?';
        at += stars;
        continue;
      }
      source += isGlob && isWhole && at + stars === text.length ? '.*' : any;
      at += stars - 1;
    } else if (char === '?') source += one;
    else if (char === '[') {
      const end = text.indexOf(']', at + 2);
      source += '.';
      if (end !== -1) at = end;
    } else if (char === '\\') source += escaped(text[++at] ?? '\\');
    else source += escaped(char);
  }
  return new RegExp(`^${source}$`, 's');
}

const escaped = (char: string): string => char.replace(/[.*+?^${}()|[\]\\/]/, '\\$&');

function foldersOf(name: string): string[] {
  const parts = name.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'));
}
