// Every name a path goes by: as written, after each symbolic link on the way, and at last the real one.
import fs from 'node:fs';
import path from 'node:path';
import { inside } from '../../platform/path-text.ts';
import { MalformedInput } from '../input.ts';
import type { Room } from '../limits.ts';

/** What the file system says of one name; injected so that tests can simulate other file systems. */
export interface Links {
  /** The text of the symbolic link at this absolute path; null when it is none, undefined when there is nothing of that name. */
  readLink(absolute: string): string | null | undefined;
}

const maxLinks = 40;
/** Longer than what links lead to and what comes behind them, each as long as the system takes. */
const maxPending = 8_192;
/** Links that lead elsewhere for every process that asks. */
const ofProcess = /^\/proc\/(self|thread-self|\d+)(\/|$)/;
/** Such links by their names alone: the process need not be there yet, nor let anybody look. */
const mirrors = /^\/proc\/(?:self|thread-self|\d+(?:\/task\/\d+)?\/(?:cwd|root))$/;

const optional = { throwIfNoEntry: false } as const;

export const diskLinks: Links = {
  readLink(absolute) {
    const stat = fs.lstatSync(absolute, optional);
    if (stat === undefined) return undefined;
    return stat.isSymbolicLink() ? fs.readlinkSync(absolute) : null;
  },
};

/** Names that a call is remembered to have been told of. */
const maxKnown = 64;

/** What a link costs, beside the characters of where it leads, which are gone through again and again. */
const perLink = 400;
const perCharacter = 4;

/** Looks at each name once, for the accesses of one call; of many only at the first so. `room` hears what was gone through. */
export function lookingOnce(links: Links, room?: Pick<Room, 'looks'>): Links {
  const known = new Map<string, string | null | undefined>();
  return {
    readLink(absolute) {
      let target = known.get(absolute);
      if (target === undefined && !known.has(absolute)) {
        room?.looks(absolute.length);
        target = links.readLink(absolute);
        if (known.size < maxKnown) known.set(absolute, target);
      }
      if (typeof target === 'string') room?.looks(perLink + perCharacter * target.length);
      return target;
    },
  };
}

export interface Resolved {
  /** Absolute, normalised names without doubles: the written one first, the real one last. */
  names: string[];
  real: string;
  /**
   * True when the links go in a circle or depend on the process, or a name cannot be looked at: nothing is known of the real
   * place.
   */
  unresolved: boolean;
  /** Where the links began to depend on the process: the whole path from there on. */
  mirror?: string;
}

/**
 * Follows the links of an absolute path as the kernel does: `..` after a link is the parent of its target.
 * `trusted` is a real folder whose own components need no look-up (the project root); the walk starts below it.
 */
export function resolveNames(absolute: string, trusted: string, links: Links = diskLinks): Resolved {
  const written = isNormal(absolute) ? absolute : stripSlash(path.normalize(absolute));
  let pending = absolute;
  let done = '';
  let followed = 0;
  /** Of the names between the written and the real one; null where there was no link. */
  let met: Set<string> | null = null;
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
    if (here.startsWith('/proc/') && mirrors.test(here)) return lost(written, met, mirrorAt(here, pending.slice(from)));
    let target = look(links, here);
    if (target === undefined && from < pending.length && !ofProcess.test(here) && isNormal(pending.slice(to))) {
      // Below what is not there is nothing either; one look at the whole says whether it is a name at all.
      const whole = here + pending.slice(to);
      const last = look(links, whole);
      if (last === undefined) {
        done = whole;
        break;
      }
      if (last === LOST) target = LOST;
    }
    if (target === LOST) return lost(written, met);
    if (target === null || target === undefined) {
      done = here;
      continue;
    }
    if (++followed > maxLinks || pending.length > maxPending || ofProcess.test(here)) return lost(written, met);
    const rest = pending.slice(from);
    met ??= new Set();
    met.add(stripSlash(path.normalize(`${here}/${rest}`)));
    pending = `${target}/${rest}`;
    from = 0;
    if (target.startsWith('/')) done = '';
    met.add(stripSlash(path.normalize(`${done}/${pending}`)));
  }
  const real = done === '' ? '/' : done;
  if (met === null) return { names: written === real ? [real] : [written, real], real, unresolved: false };
  const names = new Set([written, ...met]);
  names.delete(real);
  return { names: [...names, real], real, unresolved: false };
}

/** Stands for what nobody can say. */
const LOST = Symbol('lost');

/** As `readLink`, where it can be told: EACCES, ENAMETOOLONG or a NUL say nothing of where a name leads. */
function look(links: Links, absolute: string): string | null | undefined | typeof LOST {
  try {
    return links.readLink(absolute);
  } catch (error) {
    if (error instanceof MalformedInput) throw error;
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? undefined : LOST;
  }
}

const mirrorAt = (here: string, rest: string): string => stripSlash(path.normalize(`${here}/${rest}`));

function lost(written: string, met: ReadonlySet<string> | null, mirror: string | null = null): Resolved {
  return { names: [...new Set([written, ...(met ?? [])])], real: written, unresolved: true, ...(mirror !== null && { mirror }) };
}

/** True for a text that `path.normalize` would give back, without a slash at its end. */
function isNormal(text: string): boolean {
  return !text.includes('//') && !text.includes('/.') && (text.length === 1 || !text.endsWith('/'));
}

function stripSlash(text: string): string {
  return text.length > 1 && text.endsWith('/') ? text.slice(0, -1) : text;
}
