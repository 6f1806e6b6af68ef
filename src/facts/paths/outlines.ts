// A partly known path, as an access that rules and protections are matched against.
import path from 'node:path';
import type { BashOpenTarget } from '../../model/command.ts';
import type { PathAccess, PathOutline } from '../../model/facts.ts';
import { type Protection, protectionBelow, protectionOf, stricter } from '../protections/paths.ts';
import { fold } from './keys.ts';
import { pushAll } from './names.ts';
import type { AccessContext } from './request.ts';

/** Shown in place of the unknown text. */
const GAP = '…';

const notKnown: Protection = {
  effect: 'ask',
  name: 'a write to a path that is unknown until the call runs',
  remedy: 'Write the path as literal text.',
  firm: true,
};

/** The access of one command to such a path. `command` is its index in the facts. */
export function outlineAccess(
  target: BashOpenTarget,
  command: number,
  { place, pathFilter }: Pick<AccessContext, 'place' | 'pathFilter'>,
): PathAccess {
  const { kind, outline, via } = target;
  const shown = outline.join(GAP);
  const could = kind === 'read' ? pathFilter.couldMatchReadOutline : pathFilter.couldMatchWriteOutline;
  const outlines = spellings(outline, place).flatMap((one) => [one, { ...one, pieces: one.pieces.map(fold) }]);
  return {
    path: shown,
    real: shown,
    // A read is allowed together with its command. A write needs an allow rule of its own.
    root: kind === 'read' ? 'project' : 'outside',
    // As for a recursive access, the rules determine which files this may be.
    deep: true,
    names: [{ path: shown, keys: [] }],
    readings: [[0]],
    below: [],
    ...(outlines.some((one) => could(one)) && { unnamed: true }),
    ...(kind === 'read' && outline.at(-1) === '' && target.confined !== true && { unknown: true }),
    via,
    command,
    protection: kind === 'write' ? protectionOfOutline(target, place) : null,
    implied: false,
    own: null,
    dependency: false,
  };
}

/** An access that may not happen. No rule denies or allows it, but the call asks. */
export function unnamedAccess({ path: at, via, command }: PathAccess): PathAccess {
  return {
    path: at,
    real: at,
    root: 'project',
    deep: true,
    names: [{ path: at, keys: [] }],
    readings: [[0]],
    below: [],
    unnamed: true,
    via,
    command,
    protection: null,
    implied: false,
    own: null,
    dependency: false,
  };
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
function protectionOfOutline({ outline, confined }: BashOpenTarget, place: AccessContext['place']): Protection | null {
  if (confined !== true) return notKnown;
  const [first = ''] = outline;
  const folder = path.normalize(first.slice(0, first.lastIndexOf('/')) || '/');
  const last = outline.at(-1)!;
  // A substitute for the unknown name.
  const name = `${first.slice(first.lastIndexOf('/') + 1)}_${last}`;
  const met = stricter(
    protectionOf(path.join(folder, name), place),
    last === '' || last.includes('/') ? null : protectionOf(path.join(folder, last), place),
  );
  if (met !== null) return { ...met, effect: 'ask' };
  return last.includes('/') && protectionBelow(folder, place) !== null ? notKnown : null;
}
