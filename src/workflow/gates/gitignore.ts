// What git ignores below a folder, without a git process: .gitignore at every depth and .git/info/exclude, tracked files aside.
import fs from 'node:fs';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { hasTooManyStars } from '../../tools/stars.ts';
import { IndexError, type Tracked, trackedFiles } from './tracked.ts';
import { markFiles, type Scope } from './tree.ts';

interface Rules {
  /** Folder that the rules stand in, relative; '' for the root. */
  folder: string;
  rules: Ignore;
}

/** What the client and Modes write while the agent works, and the agent cannot: a person's answers, the view, the socket. */
const kept: ReadonlySet<string> = new Set(['.claude/settings.local.json', '.claude/mode-state.json', '.claude/mode.sock']);

/** Largest file of rules that is read, bytes. */
const maxBytes = 1_048_576;

/** Texts of files with rules by their names, relative: as they were at one moment. */
export type IgnoreTexts = ReadonlyMap<string, string>;

const everything: Scope = { file: (name) => !kept.has(name), folder: () => true };
const exclude = '.git/info/exclude';

/** Everything below the root that git would not ignore, but for what is kept there while the agent works. Rules or an index that cannot be read ignore nothing. */
export function unignored(root: string): Scope {
  return scopeBy(root, (name) => readText(path.join(root, name)));
}

/**
 * The same, and what git would not have ignored by earlier rules: a rule that was written since hides nothing.
 * @param then null: not known, so that nothing counts as ignored
 */
export function unignoredSince(root: string, then: IgnoreTexts | null): Scope {
  if (then === null) return everything;
  const scopes = [unignored(root), scopeBy(root, (name) => then.get(name) ?? '')];
  return {
    file: (name) => scopes.some((scope) => scope.file(name)),
    folder: (name) => scopes.some((scope) => scope.folder(name)),
  };
}

/** The rules as they are now. Throws TreeError. */
export function ignoreTexts(root: string): Map<string, string> {
  const names = [exclude];
  const { folder } = unignored(root);
  // No file is looked at but those with rules.
  const file = (name: string) => {
    if (name === '.gitignore' || name.endsWith('/.gitignore')) names.push(name);
    return false;
  };
  markFiles(root, { folder, file });
  return new Map(names.map((name) => [name, readText(path.join(root, name))]));
}

function scopeBy(root: string, textOf: (name: string) => string): Scope {
  const readRules = (folder: string, name: string): Rules[] => {
    const text = textOf(name);
    return text === '' || hasTooManyStars(text) ? [] : [{ folder, rules: ignore({ ignorecase: false }).add(text) }];
  };
  const tracked = readTracked(root);
  if (tracked === null) return everything;
  const base = [exclude, '.gitignore'].flatMap((name) => readRules('', name));
  const chains = new Map<string, Rules[]>([['', base]]);
  const chainOf = (folder: string): Rules[] => {
    const known = chains.get(folder);
    if (known !== undefined) return known;
    const above = chainOf(parentOf(folder));
    const own = readRules(folder, `${folder}/.gitignore`);
    const chain = own.length === 0 ? above : [...above, ...own];
    chains.set(folder, chain);
    return chain;
  };
  const isOpen = (name: string, isFolder: boolean): boolean => {
    const chain = chainOf(parentOf(name));
    for (let at = chain.length - 1; at >= 0; at--) {
      const { folder, rules } = chain[at] as Rules;
      const inner = folder === '' ? name : name.slice(folder.length + 1);
      const { ignored, unignored } = rules.test(isFolder ? `${inner}/` : inner);
      if (ignored || unignored) return unignored;
    }
    return true;
  };
  return {
    file: (name) => !kept.has(name) && (isOpen(name, false) || tracked.files.has(name)),
    folder: (name) => isOpen(name, true) || tracked.folders.has(name),
  };
}

/** null where it cannot be known. */
function readTracked(root: string): Tracked | null {
  try {
    return trackedFiles(root);
  } catch (error) {
    if (error instanceof IndexError) return null;
    throw error;
  }
}

function parentOf(name: string): string {
  const at = name.lastIndexOf('/');
  return at === -1 ? '' : name.slice(0, at);
}

/** '' where there is none, or none that is read. */
function readText(file: string): string {
  try {
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    return stat?.isFile() && stat.size <= maxBytes ? fs.readFileSync(file, 'utf8') : '';
  } catch {
    // What is not ignored is watched, so an unreadable file only makes more count.
    return '';
  }
}
