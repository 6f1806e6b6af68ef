// A partly known path, as an access that rules and protections are matched against.
import path from 'node:path';
import type { BashOpenTarget } from '../../model/command.ts';
import type { AccessExtent, AccessedPath, PathOutline, PathProtection, ReadAccess, WriteAccess } from '../../model/facts.ts';
import { protectionBelow, protectionOf, stricter } from '../protections/paths.ts';
import { fold } from './keys.ts';
import { pushAll } from './names.ts';
import type { AccessContext } from './request.ts';

/** Shown in place of the unknown text. */
const GAP = '…';

const notKnown: PathProtection = {
  effect: 'ask',
  name: 'a write to a path that is unknown until the call runs',
  remedy: 'Write the path as literal text.',
  firm: true,
};

/** The read of one command from such a path. `command` is its index in the facts. */
export function outlineRead(target: BashOpenTarget, command: number | null, context: OutlineContext): ReadAccess {
  const isAny = target.outline.at(-1) === '' && target.confined !== true;
  return {
    // It is allowed together with its command.
    ...outlineAccess(target, command, context, context.pathFilter.couldMatchReadOutline),
    ...(isAny && { unknown: true }),
    ...plainRead,
  };
}

/** The write of one command to such a path. */
export function outlineWrite(target: BashOpenTarget, command: number, context: OutlineContext): WriteAccess {
  return {
    ...outlineAccess(target, command, context, context.pathFilter.couldMatchWriteOutline),
    // It needs an allow rule of its own.
    root: 'outside',
    own: null,
    implied: false,
    protection: protectionOfOutline(target, context.place),
    dependency: false,
  };
}

/** A read that may not happen. No rule denies or allows it, but the call asks. */
export function unnamedRead({ path: at, via, command }: ReadAccess): ReadAccess {
  return { ...displayed(at, via, command), unnamed: true, ...plainRead };
}

type OutlineContext = Pick<AccessContext, 'place' | 'pathFilter'>;

const plainRead = { own: null, implied: false, protection: null, dependency: false } as const;

function outlineAccess(
  { outline, via }: BashOpenTarget,
  command: number | null,
  { place }: OutlineContext,
  couldMatch: (outline: PathOutline) => boolean,
): AccessedPath & AccessExtent {
  const outlines = spellings(outline, place).flatMap((one) => [one, { ...one, pieces: one.pieces.map(fold) }]);
  return { ...displayed(outline.join(GAP), via, command), ...(outlines.some(couldMatch) && { unnamed: true }) };
}

/** A path without keys. As for a recursive access, the rules determine which files this may be. */
function displayed(path: string, via: string, command: number | null): AccessedPath & AccessExtent {
  return { path, real: path, root: 'project', deep: true, names: [{ path, keys: [] }], readings: [[0]], below: [], via, command };
}

/** The outline from the root of the file system, and from each root above its known start. */
function spellings([first = '', ...rest]: readonly string[], place: AccessContext['place']): PathOutline[] {
  if (!first.startsWith('/')) return [{ pieces: [first, ...rest], head: 'unknown' }];
  const slash = first.lastIndexOf('/');
  const folder = path.normalize(first.slice(0, slash) || '/').replace(/(?<=.)\/$/, '');
  const name = first.slice(slash + 1);
  const isBelow = (at: string): boolean => at.startsWith(folder === '/' ? folder : `${folder}/`);
  return [
    // The unknown rest may lead into the root.
    ...(isBelow(place.root) ? [{ pieces: ['', ...rest], head: 'unknown' as const }] : []),
    ...pushAll(folder, place).map(({ path: at }): PathOutline => {
      const head = at === '' || at === '/' ? `${at}${name}` : `${at}/${name}`;
      return { pieces: [head, ...rest], head: at.startsWith('/') ? 'absolute' : 'relative' };
    }),
  ];
}

/**
 * A path that may lead anywhere may lead to a protected file. A path that stays below a known folder has the protection of the
 * folder and of the known names in it.
 */
function protectionOfOutline({ outline, confined }: BashOpenTarget, place: AccessContext['place']): PathProtection | null {
  if (confined !== true) return notKnown;
  const [first = ''] = outline;
  const folder = path.normalize(first.slice(0, first.lastIndexOf('/')) || '/');
  const last = outline.at(-1)!;
  // A substitute for the unknown name.
  const name = `${first.slice(first.lastIndexOf('/') + 1)}_${last}`;
  const protection = stricter(
    protectionOf(path.join(folder, name), place),
    last === '' || last.includes('/') ? null : protectionOf(path.join(folder, last), place),
  );
  if (protection !== null) return { ...protection, effect: 'ask' };
  return last.includes('/') && protectionBelow(folder, place) !== null ? notKnown : null;
}
