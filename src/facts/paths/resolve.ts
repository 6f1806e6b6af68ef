// All names of a path: as written, after each symbolic link on the way, and finally the real path.
import fs from 'node:fs';
import path from 'node:path';
import { inside } from '../../platform/path-text.ts';
import { MalformedInput } from '../input.ts';
import type { CallLimits } from '../limits.ts';

/** The links of the file system; injected so that tests can simulate other file systems. */
export interface LinkReader {
  /** The text of the symbolic link at this absolute path; null if it is not a link, undefined if nothing exists there. */
  readLink(absolute: string): string | null | undefined;
}

const maxLinks = 40;
/** Longer than a link target plus the rest of the path, each of the maximum length that the system accepts. In characters. */
const maxPending = 8_192;
/** Links with a different target for every process that reads them. */
const ofProcess = /^\/proc\/(self|thread-self|\d+)(\/|$)/;
/** The same links recognized by name alone: the process may not exist yet, or may not permit access. */
const mirrors = /^\/proc\/(?:self|thread-self|\d+(?:\/task\/\d+)?\/(?:cwd|root))$/;

const optional = { throwIfNoEntry: false } as const;

export const diskLinks: LinkReader = {
  readLink(absolute) {
    const stat = fs.lstatSync(absolute, optional);
    if (stat === undefined) return undefined;
    return stat.isSymbolicLink() ? fs.readlinkSync(absolute) : null;
  },
};

/** Maximum number of names that the cache of one call contains. */
const maxKnown = 64;

/** Cost of a link, and of each character of its target, because a target is processed several times. */
const perLink = 400;
const perCharacter = 4;

/** Reads the link at each name only once per call; only the first `maxKnown` names are cached. `room` counts the characters. */
export function lookingOnce(links: LinkReader, limits?: Pick<CallLimits, 'looks'>): LinkReader {
  const known = new Map<string, string | null | undefined>();
  return {
    readLink(absolute) {
      let target = known.get(absolute);
      if (target === undefined && !known.has(absolute)) {
        limits?.looks(absolute.length);
        target = links.readLink(absolute);
        if (known.size < maxKnown) known.set(absolute, target);
      }
      if (typeof target === 'string') limits?.looks(perLink + perCharacter * target.length);
      return target;
    },
  };
}

export interface Resolved {
  /** Absolute, normalized names without duplicates: the written one first, the real one last. */
  names: string[];
  real: string;
  /** True if the links form a cycle or depend on the process, or if a name cannot be read. Then the real path is unknown. */
  unresolved: boolean;
  /** The path from the first link that depends on the process, to its end. */
  mirror?: string;
}

/**
 * Follows the links of an absolute path as the kernel does: `..` after a link is the parent of its target.
 * `trusted` is a real folder whose own components need no look-up (the project root); the walk starts below it.
 */
export function resolveNames(absolute: string, trusted: string, links: LinkReader = diskLinks): Resolved {
  const written = isNormal(absolute) ? absolute : stripSlash(path.normalize(absolute));
  let pending = absolute;
  let done = '';
  let followed = 0;
  /** Names between the written and the real one; null if there was no link. */
  let intermediate: Set<string> | null = null;
  if (absolute === trusted || inside(absolute, trusted)) {
    done = trusted === '/' ? '' : trusted;
    pending = absolute.slice(done.length);
  }
  for (let from = 0; from < pending.length; ) {
    const slash = pending.indexOf('/', from);
    const to = slash === -1 ? pending.length : slash;
    const part = pending.slice(from, to);
    from = to + 1;
    if (part === '' || part === '.') continue;
    if (part === '..') {
      done = done.slice(0, Math.max(0, done.lastIndexOf('/')));
      continue;
    }
    const here = `${done}/${part}`;
    if (here.startsWith('/proc/') && mirrors.test(here)) return lost(written, intermediate, mirrorAt(here, pending.slice(from)));
    let target = look(links, here);
    if (target === undefined && from < pending.length && !ofProcess.test(here) && isNormal(pending.slice(to))) {
      // Nothing exists below a missing name. One query of the whole path detects names that the system rejects.
      const whole = here + pending.slice(to);
      const last = look(links, whole);
      if (last === undefined) {
        done = whole;
        break;
      }
      if (last === LOST) target = LOST;
    }
    if (target === LOST) return lost(written, intermediate);
    if (target === null || target === undefined) {
      done = here;
      continue;
    }
    if (++followed > maxLinks || pending.length > maxPending || ofProcess.test(here)) return lost(written, intermediate);
    const rest = pending.slice(from);
    intermediate ??= new Set();
    intermediate.add(stripSlash(path.normalize(`${here}/${rest}`)));
    pending = `${target}/${rest}`;
    from = 0;
    if (target.startsWith('/')) done = '';
    intermediate.add(stripSlash(path.normalize(`${done}/${pending}`)));
  }
  const real = done === '' ? '/' : done;
  if (intermediate === null) return { names: written === real ? [real] : [written, real], real, unresolved: false };
  const names = new Set([written, ...intermediate]);
  names.delete(real);
  return { names: [...names, real], real, unresolved: false };
}

/** The result for a name that cannot be read. */
const LOST = Symbol('lost');

/** As `readLink`, or LOST if it fails: EACCES, ENAMETOOLONG or a NUL say nothing about the target of a name. */
function look(links: LinkReader, absolute: string): string | null | undefined | typeof LOST {
  try {
    return links.readLink(absolute);
  } catch (error) {
    if (error instanceof MalformedInput) throw error;
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? undefined : LOST;
  }
}

const mirrorAt = (here: string, rest: string): string => stripSlash(path.normalize(`${here}/${rest}`));

function lost(written: string, intermediate: ReadonlySet<string> | null, mirror: string | null = null): Resolved {
  return {
    names: [...new Set([written, ...(intermediate ?? [])])],
    real: written,
    unresolved: true,
    ...(mirror !== null && { mirror }),
  };
}

/** True for a text that `path.normalize` would return unchanged and that has no slash at its end. */
function isNormal(text: string): boolean {
  return !text.includes('//') && !text.includes('/.') && (text.length === 1 || !text.endsWith('/'));
}

function stripSlash(text: string): string {
  return text.length > 1 && text.endsWith('/') ? text.slice(0, -1) : text;
}
