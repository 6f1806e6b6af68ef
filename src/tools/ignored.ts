// What ignore files leave out below a folder, as ripgrep takes them and without starting git.
import fs from 'node:fs';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { look } from './look.ts';
import { hasTooManyStars } from './stars.ts';
import { belowOf } from './within.ts';

/** Larger files of rules are not read. */
const maxBytes = 1_048_576;
/** The first kind that says anything of a name decides. */
const kinds = ['.rgignore', '.ignore', '.gitignore'] as const;

interface Folder {
  path: string;
  above: Folder | null;
  /** A repository begins here: .gitignore above it says nothing of what lies below. */
  isTop: boolean;
  rules: Map<string, Ignore>;
}

/** True: left out. False: brought back by a rule. null: no rule says anything. */
export type Ignored = (absolute: string, isFolder: boolean) => boolean | null;

/** Made for one walk: each folder's files are read once. Rules that cannot be read leave nothing out. */
export function ignoredBelow(): Ignored {
  const known = new Map<string, Folder>();
  const folderOf = (name: string): Folder => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const above = name === '/' ? null : folderOf(path.dirname(name));
    const folder = readFolder(name, above);
    known.set(name, folder);
    return folder;
  };
  return (absolute, isFolder) => {
    const folder = folderOf(path.dirname(absolute));
    const isInRepository = topOf(folder) !== null;
    for (const kind of kinds) {
      const isGits = kind === '.gitignore';
      if (isGits && !isInRepository) continue;
      for (let one: Folder | null = folder; one !== null; one = isGits && one.isTop ? null : one.above) {
        const said = test(one.rules.get(kind), one.path, absolute, isFolder);
        if (said !== null) return said;
      }
    }
    const top = topOf(folder);
    return top === null ? null : test(top.rules.get('exclude'), top.path, absolute, isFolder);
  };
}

function topOf(folder: Folder): Folder | null {
  for (let one: Folder | null = folder; one !== null; one = one.above) if (one.isTop) return one;
  return null;
}

function test(rules: Ignore | undefined, folder: string, absolute: string, isFolder: boolean): boolean | null {
  if (rules === undefined) return null;
  const inner = belowOf(absolute, folder);
  const { ignored, unignored } = rules.test(isFolder ? `${inner}/` : inner);
  return ignored || unignored ? ignored : null;
}

function readFolder(name: string, above: Folder | null): Folder {
  const rules = new Map<string, Ignore>();
  for (const kind of kinds) add(rules, kind, path.join(name, kind));
  const isTop = look(path.join(name, '.git')) !== null;
  if (isTop) add(rules, 'exclude', path.join(name, '.git/info/exclude'));
  return { path: name, above, isTop, rules };
}

function add(rules: Map<string, Ignore>, key: string, file: string): void {
  try {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.size > maxBytes) return;
    const text = fs.readFileSync(file, 'utf8');
    if (!hasTooManyStars(text)) rules.set(key, ignore({ ignorecase: false }).add(text));
  } catch (error) {
    // What leaves nothing out only makes more count.
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
  }
}
