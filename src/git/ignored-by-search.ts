// The names below a folder that ignore files exclude, as ripgrep interprets them, without starting git.

import fs from 'node:fs';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { hasTooManyStars } from '../platform/glob-cost.ts';
import { belowOf, inside, under } from '../platform/path-text.ts';
import { readRegularText } from '../platform/read-file.ts';
import { statOf } from '../platform/stat.ts';

/** Larger ignore files are not read. In bytes. */
const maxBytes = 1_048_576;
/** In order of precedence: the first kind with a matching rule decides. */
const kinds = ['.rgignore', '.ignore', '.gitignore'] as const;
type Kind = (typeof kinds)[number];
/** Maximum number of comparisons of a name with a line, for one walk. Beyond it, no name counts as ignored. */
const maxComparisons = 1_000_000;

/** The rules of one ignore file. */
interface Rules {
  lines: number;
  test: Ignore['test'];
}

/** A file that is too long or too costly to compare may include any name again, also a hidden one. */
const anyRules: Rules = { lines: 0, test: () => ({ ignored: false, unignored: true }) };

interface Folder {
  path: string;
  above: Folder | null;
  /** A repository starts here: .gitignore files above it do not apply below it. */
  isTop: boolean;
  rules: Map<string, Rules>;
}

/** For a folder's absolute path and a name directly in it. True: ignored. False: re-included. null: no rule matches. */
type Ignored = (folder: string) => (name: string, isFolder: boolean) => boolean | null;

/**
 * For one walk: each folder's ignore files are read once. Unreadable files ignore nothing. `only`: the kinds of files to use.
 * `start`: ripgrep searches this folder even if a file above it ignores the folder. Then no rule of that file counts.
 */
export function ignoredBelow(only: readonly Kind[] = kinds, start: string | null = null): Ignored {
  let left = maxComparisons;
  const overridden = new Map<Rules, boolean>();
  const counts = (rules: Rules, at: string): boolean => {
    if (start === null || start === at || !inside(start, at)) return true;
    let ignored = overridden.get(rules);
    if (ignored === undefined) {
      ignored = rules.test(`${belowOf(start, at)}/`).ignored;
      overridden.set(rules, ignored);
    }
    return !ignored;
  };
  const known = new Map<string, Folder>();
  const folderOf = (name: string): Folder => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const above = name === '/' ? null : folderOf(path.dirname(name));
    const folder = readFolder(name, above, only);
    known.set(name, folder);
    return folder;
  };
  return (folder) => {
    const tests = rulesFor(folderOf(folder))
      .filter(([rules, at]) => counts(rules, at))
      .map(([rules, at]) => ({ rules, below: belowOf(folder, at) }));
    return (name, isFolder) => {
      for (const { rules, below } of tests) {
        left -= rules.lines;
        if (left < 0) return false;
        const { ignored, unignored } = rules.test(`${under(below, name)}${isFolder ? '/' : ''}`);
        if (ignored || unignored) return ignored;
      }
      return null;
    };
  };
}

/** The rules for names in a folder, each with the folder that they are relative to. The first match decides. */
function rulesFor(folder: Folder): [Rules, string][] {
  const found: [Rules, string][] = [];
  const take = (kind: string, one: Folder): void => {
    const rules = one.rules.get(kind);
    if (rules !== undefined) found.push([rules, one.path]);
  };
  const top = topOf(folder);
  for (const kind of kinds) {
    const isGits = kind === '.gitignore';
    if (isGits && top === null) continue;
    for (let one: Folder | null = folder; one !== null; one = isGits && one.isTop ? null : one.above) take(kind, one);
  }
  if (top !== null) take('exclude', top);
  return found;
}

function topOf(folder: Folder): Folder | null {
  for (let one: Folder | null = folder; one !== null; one = one.above) if (one.isTop) return one;
  return null;
}

function readFolder(name: string, above: Folder | null, only: readonly Kind[]): Folder {
  const rules = new Map<string, Rules>();
  for (const kind of only) add(rules, kind, path.join(name, kind));
  const isTop = statOf(path.join(name, '.git')) !== null;
  if (isTop) add(rules, 'exclude', path.join(name, '.git/info/exclude'));
  return { path: name, above, isTop, rules };
}

function add(rules: Map<string, Rules>, key: string, file: string): void {
  try {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile()) return;
    const text = stat.size > maxBytes ? null : readRegularText(file, maxBytes);
    if (text === null || hasTooManyStars(text)) rules.set(key, anyRules);
    else {
      const all = ignore({ ignorecase: false }).add(text);
      rules.set(key, { lines: text.split('\n').length, test: (name) => all.test(name) });
    }
  } catch (error) {
    // If rules are missing, more files count as included, which is safe.
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
  }
}
