// Every name a path goes by: as written, after each symbolic link on the way, and at last the real one.
import fs from 'node:fs';
import path from 'node:path';

/** What the file system says of one name; injected so that tests can simulate other file systems. */
export interface Links {
  /** The text of the symbolic link at this absolute path, or null when it is none or does not exist. */
  readLink(absolute: string): string | null;
}

const maxLinks = 40;
/** Links that lead elsewhere for every process that asks. */
const ofProcess = /^\/proc\/(self|thread-self|\d+)(\/|$)/;

export const diskLinks: Links = {
  readLink(absolute) {
    const stat = fs.lstatSync(absolute, { throwIfNoEntry: false });
    return stat?.isSymbolicLink() ? fs.readlinkSync(absolute) : null;
  },
};

export interface Resolved {
  /** Absolute, normalised names without doubles: the written one first, the real one last. */
  names: string[];
  real: string;
  /** True when the links go in a circle or depend on the process, or a name cannot be looked at: nothing is known of the real place. */
  unresolved: boolean;
}

/**
 * Follows the links of an absolute path as the kernel does: `..` after a link is the parent of its target.
 * `trusted` is a real folder whose own components need no look-up (the project root); the walk starts below it.
 */
export function resolveNames(absolute: string, trusted: string, links: Links = diskLinks): Resolved {
  const written = path.normalize(absolute);
  const names = new Set([stripSlash(written)]);
  let pending = absolute.split('/');
  let done = '';
  let followed = 0;
  if (!hasDots(absolute) && (absolute === trusted || absolute.startsWith(`${trusted}/`))) {
    done = trusted === '/' ? '' : trusted;
    pending = absolute.slice(done.length).split('/');
  }
  for (let i = 0; i < pending.length; i++) {
    const part = pending[i] as string;
    if (part === '' || part === '.') continue;
    if (part === '..') {
      done = done.slice(0, Math.max(0, done.lastIndexOf('/')));
      continue;
    }
    const here = `${done}/${part}`;
    let target: string | null;
    try {
      target = links.readLink(here);
    } catch (error) {
      // EACCES, ENAMETOOLONG, a NUL: nobody can say where this leads. Below what is no folder there is nothing.
      if ((error as NodeJS.ErrnoException).code !== 'ENOTDIR')
        return { names: [...names], real: stripSlash(written), unresolved: true };
      target = null;
    }
    if (target === null) {
      done = here;
      continue;
    }
    if (++followed > maxLinks || ofProcess.test(here)) return { names: [...names], real: stripSlash(written), unresolved: true };
    const rest = pending.slice(i + 1);
    names.add(stripSlash(path.normalize([here, ...rest].join('/'))));
    pending = [...target.split('/'), ...rest];
    if (target.startsWith('/')) done = '';
    i = -1;
    names.add(stripSlash(path.normalize([target.startsWith('/') ? '' : done, ...pending].join('/'))));
  }
  const real = done === '' ? '/' : done;
  names.delete(real);
  names.add(real);
  return { names: [...names], real, unresolved: false };
}

function hasDots(text: string): boolean {
  return text.includes('/.') && /\/\.\.?(\/|$)/.test(text);
}

function stripSlash(text: string): string {
  return text.length > 1 && text.endsWith('/') ? text.slice(0, -1) : text;
}
