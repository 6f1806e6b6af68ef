// The repository that git would find from a folder, by its files, without starting git.
import fs from 'node:fs';
import path from 'node:path';
import { attempt } from './look.ts';

export interface Repository {
  /** The tree's own folder; of a bare repository that itself. */
  top: string;
  /** The folder of records of this tree, and the one that all trees share. */
  own: string;
  common: string;
}

/** The repository that git would find from a folder, by its real path; null for none. */
export function repositoryOf(folder: string): Repository | null {
  for (let top = realPath(folder); ; top = path.dirname(top)) {
    const git = path.join(top, '.git');
    const own = isFolder(git) ? git : (namedIn(git, top) ?? (isBare(top) ? top : null));
    if (own !== null) {
      const shared = textOf(path.join(own, 'commondir'))?.trim();
      return { top, own, common: shared === undefined ? own : path.resolve(own, shared) };
    }
    if (top === path.dirname(top)) return null;
  }
}

/** The folder that a `.git` file names. */
function namedIn(git: string, top: string): string | null {
  const named = /^gitdir: (.+)$/m.exec(textOf(git) ?? '')?.[1];
  return named === undefined ? null : path.resolve(top, named);
}

function isBare(folder: string): boolean {
  return (
    isFolder(path.join(folder, 'objects')) && isFolder(path.join(folder, 'refs')) && textOf(path.join(folder, 'HEAD')) !== null
  );
}

function isFolder(name: string): boolean {
  return attempt(() => fs.statSync(name, { throwIfNoEntry: false })?.isDirectory()) ?? false;
}

/** A short file's text; null where there is none. */
function textOf(name: string): string | null {
  return attempt(() => {
    const stat = fs.statSync(name, { throwIfNoEntry: false });
    return stat?.isFile() && stat.size <= 8_192 ? fs.readFileSync(name, 'utf8') : null;
  });
}

function realPath(folder: string): string {
  try {
    return fs.realpathSync.native(folder);
  } catch {
    // What does not exist yet goes by its name.
    return path.resolve(folder);
  }
}
