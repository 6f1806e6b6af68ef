// What git ignores below a folder, without a git process: .gitignore at every depth and .git/info/exclude.
import fs from 'node:fs';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { hasTooManyStars } from '../../tools/stars.ts';
import type { Scope } from './tree.ts';

interface Rules {
  /** Folder that the rules stand in, relative; '' for the root. */
  folder: string;
  rules: Ignore;
}

/** Largest file of rules that is read, bytes. */
const maxBytes = 1_048_576;

/** Everything below the root that git would not ignore. Rules that cannot be read ignore nothing. */
export function unignored(root: string): Scope {
  const base = [path.join('.git', 'info', 'exclude'), '.gitignore'].flatMap((name) => readRules(root, '', name));
  const chains = new Map<string, Rules[]>([['', base]]);
  const chainOf = (folder: string): Rules[] => {
    const known = chains.get(folder);
    if (known !== undefined) return known;
    const above = chainOf(parentOf(folder));
    const own = readRules(root, folder, '.gitignore');
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
  return { file: (name) => isOpen(name, false), folder: (name) => isOpen(name, true) };
}

function parentOf(name: string): string {
  const at = name.lastIndexOf('/');
  return at === -1 ? '' : name.slice(0, at);
}

function readRules(root: string, folder: string, name: string): Rules[] {
  const file = path.join(root, folder, name);
  let text: string;
  try {
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.size > maxBytes) return [];
    text = fs.readFileSync(file, 'utf8');
  } catch {
    // What is not ignored is watched, so an unreadable file only makes more count.
    return [];
  }
  return hasTooManyStars(text) ? [] : [{ folder, rules: ignore({ ignorecase: false }).add(text) }];
}
