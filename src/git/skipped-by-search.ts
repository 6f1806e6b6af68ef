// The files below a folder that a search does not open. If uncertain, a file counts as opened.
import ignore from 'ignore';
import type { Skips } from '../model/command.ts';
import { hasTooManyStars } from '../platform/glob-cost.ts';
import { belowOf, inside, under } from '../platform/path-text.ts';
import { ignoredBelow } from './ignored-by-search.ts';
import { IndexError, type Tracked, trackedFiles } from './index-file.ts';
import { repositoryOf } from './repository.ts';

/** For the absolute path of a folder: whether the search skips a name directly in it. */
type Test = (folder: string) => (name: string, isFolder: boolean) => boolean;

/** For each name on a walk from `start`: whether the search skips it. A skipped folder includes everything below it. */
export function skipper(start: string, skips: Skips): Test {
  switch (skips.style) {
    case 'grep':
      return skippedByGrep(skips);
    case 'git':
      return skippedByGit(start, skips);
    default:
      return skippedByRg(start, skips);
  }
}

/** git: skips files that are ignored and not tracked. */
function skippedByGit(start: string, { ignored }: Skips): Test {
  const repository = ignored ? repositoryOf(start) : null;
  const tracked = repository && trackedIn(repository.gitDir);
  if (repository === null || tracked === null) return () => () => false;
  const ignores = ignoredBelow(['.gitignore']);
  return (folder) => {
    const below = belowOf(folder, repository.top);
    // The submodule's own index tracks the files in it.
    if (below.split('/').some((_, at, parts) => tracked.files.has(parts.slice(0, at + 1).join('/')))) return () => false;
    const isIgnored = ignores(folder);
    return (name, isFolder) =>
      isIgnored(name, isFolder) === true && !(isFolder ? tracked.folders : tracked.files).has(under(below, name));
  };
}

/** null: unknown. */
function trackedIn(git: string): Tracked | null {
  try {
    return trackedFiles(git);
  } catch (error) {
    if (error instanceof IndexError || typeof (error as NodeJS.ErrnoException).code === 'string') return null;
    throw error;
  }
}

/** GNU grep compares the base name. The last matching pattern decides; without one, it skips a file if the first one includes. */
function skippedByGrep({ globs }: Skips): Test {
  const tests = globs.map(({ text, ...glob }) => ({ ...glob, matches: shellPattern(text) }));
  const isOnly = tests.find((glob) => glob.of === 'file')?.skip === false;
  return () => (name, isFolder) => {
    const match = tests.findLast((glob) => glob.of === (isFolder ? 'folder' : 'file') && glob.matches?.(name) !== false);
    if (match === undefined) return !isFolder && isOnly;
    return match.skip && match.matches !== null;
  };
}

/** A pattern of one name as in fnmatch; null if implementations interpret it differently. Then it skips nothing. */
function shellPattern(text: string): ((name: string) => boolean) | null {
  if (/[[\]\\/]/.test(text) || hasTooManyStars(text)) return null;
  const source = text
    .replace(/[.+^${}()|]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replace(/\?/g, '.');
  const pattern = new RegExp(`^${source}$`, 'su');
  return (name) => pattern.test(name);
}

/** Extensions of ripgrep's most common types, or a superset. A file with another extension is certainly not of that type. */
const types: ReadonlyMap<string, RegExp> = new Map([
  ['ts', /\.(ts|tsx|cts|mts)$/],
  ['js', /\.(js|jsx|cjs|mjs|vue)$/],
  ['py', /\.(py|pyi)$/],
  ['rust', /\.rs$/],
  ['go', /\.go$/],
  ['java', /\.(java|jsp|jspx|properties)$/],
  ['c', /\.(c|h)(\.in)?$|\.(cats|H)$/],
  ['cpp', /\.([ch](pp|xx|\+\+|h)|cc|C|H|h|inl)(\.in)?$/],
  ['css', /\.(css|scss)$/],
  ['html', /\.(htm|html|ejs)$/],
]);

function skippedByRg(start: string, { hidden, ignored, globs, types: named, base }: Skips): Test {
  // A configuration file of ripgrep may switch off either.
  const isSteered = Boolean(process.env.RIPGREP_CONFIG_PATH);
  const ignores = ignored && !isSteered ? ignoredBelow(undefined, start) : null;
  const hides = hidden && !isSteered;
  const tests = globs.map((glob) => ({ skip: glob.skip, matches: globTest(glob, base ?? start, base !== null) }));
  const isOnly = tests.some(({ skip }) => !skip);
  const isOfType =
    named.length > 0 && !isSteered && named.every((one) => types.has(one)) ? named.map((one) => types.get(one)!) : null;
  return (folder) => {
    const here = tests.map(({ skip, matches }) => ({ skip, matches: matches(folder) }));
    const isIgnored = ignores?.(folder) ?? null;
    return (name, isFolder) => {
      const match = here.findLast(({ matches }) => matches(name, isFolder));
      if (match !== undefined) return match.skip;
      if (isOnly && !isFolder) return true;
      const ignored = isIgnored?.(name, isFolder) ?? null;
      if (ignored !== null) return ignored;
      if (!isFolder && isOfType !== null && !isOfType.some((one) => one.test(name))) return true;
      return hides && name.startsWith('.');
    };
  };
}

const maxAlternatives = 64;

/** Expands `{a,b}`; null if it is not a simple list, or if there are too many alternatives. */
function alternatives(text: string): string[] | null {
  if (text.includes('\\') && /[{}]/.test(text)) return null;
  let all = [text];
  while (all.some((one) => /[{}]/.test(one))) {
    all = all.flatMap((one) => {
      const match = /^([^{}]*)\{([^{}\\]*)\}(.*)$/s.exec(one);
      return match ? (match[2] as string).split(',').map((part) => match[1] + part + match[3]) : /[{}]/.test(one) ? [] : [one];
    });
    if (all.length === 0 || all.length > maxAlternatives) return null;
  }
  return all;
}

/** The test for a pattern. One that cannot be located includes everything if it includes, and skips nothing if it excludes. */
function globTest({ text, skip }: { text: string; skip: boolean }, base: string, isBaseKnown: boolean): Test {
  const expanded = alternatives(text);
  const unsure = () => (): boolean => !skip;
  if (expanded === null || expanded.some(hasTooManyStars)) return unsure;
  const isPlaced = isBaseKnown || expanded.every((one) => !/^\/|\/./.test(one.replace(/^\*\*\//, '')));
  if (!isPlaced) return unsure;
  const isPlain = /^[\w.-]+$/.test(text);
  const rules = ignore({ ignorecase: false }).add(expanded.filter((one) => one !== ''));
  return (folder) => {
    // Patterns are relative to `base`. Outside it, nothing is certain.
    if (!inside(folder, base)) return unsure();
    const below = belowOf(folder, base);
    // A name without wildcards matches itself, and everything in a folder with that name.
    if (isPlain) return below.split('/').includes(text) ? () => true : (name) => name === text;
    return (name, isFolder) => rules.ignores(`${under(below, name)}${isFolder ? '/' : ''}`);
  };
}
