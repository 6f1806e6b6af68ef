// A path of which only parts are known before the call runs, as an access that rules and protection are tried on.
import path from 'node:path';
import type { BashOpenTarget } from '../../model/command.ts';
import type { PathAccess, PathOutline } from '../../model/facts.ts';
import { type Protection, protectionBelow, protectionOf, stricter } from '../protections/paths.ts';
import { fold } from './keys.ts';
import { pushAll } from './names.ts';
import type { Grounds } from './request.ts';

/** Stands for text that is not known, where the path is shown. */
const GAP = '…';

const notKnown: Protection = {
  effect: 'ask',
  name: 'a write to a path that is not known before the call runs',
  remedy: 'Write the path out as literal text.',
  firm: true,
};

/** What one command reads or writes at such a path; `command` is its index in the facts. */
export function outlineAccess(
  target: BashOpenTarget,
  command: number,
  { place, interest }: Pick<Grounds, 'place' | 'interest'>,
): PathAccess {
  const { kind, outline, via } = target;
  const shown = outline.join(GAP);
  const could = kind === 'read' ? interest.couldMatchReadOutline : interest.couldMatchWriteOutline;
  const outlines = spellings(outline, place).flatMap((one) => [one, { ...one, pieces: one.pieces.map(fold) }]);
  return {
    path: shown,
    real: shown,
    // Reading goes with running the command; a write takes an allow of its own.
    root: kind === 'read' ? 'project' : 'outside',
    // What it may be depends on the rules, as what lies below a folder does.
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

/** The outline from the root of the file system, and from each root that its beginning lies below. */
function spellings([first = '', ...rest]: readonly string[], place: Grounds['place']): PathOutline[] {
  if (!first.startsWith('/')) return [{ pieces: [first, ...rest], head: 'unknown' }];
  const slash = first.lastIndexOf('/');
  const folder = path.normalize(first.slice(0, slash) || '/').replace(/(?<=.)\/$/, '');
  const name = first.slice(slash + 1);
  const isBelow = (at: string): boolean => at.startsWith(folder === '/' ? folder : `${folder}/`);
  return [
    // What follows may lead to the root.
    ...(isBelow(place.root) ? [{ pieces: ['', ...rest], head: 'unknown' as const }] : []),
    ...pushAll(folder, place).map(({ path: at }): PathOutline => {
      const head = at === '' || at === '/' ? `${at}${name}` : `${at}/${name}`;
      return { pieces: [head, ...rest], head: at.startsWith('/') ? 'absolute' : 'relative' };
    }),
  ];
}

/**
 * Where a path may lead anywhere, it may lead to what is protected. One that stays below a known folder is as that folder and
 * what is known to lie there.
 */
function protectionOfOutline({ outline, confined }: BashOpenTarget, place: Grounds['place']): Protection | null {
  if (confined !== true) return notKnown;
  const [first = ''] = outline;
  const folder = path.normalize(first.slice(0, first.lastIndexOf('/')) || '/');
  const last = outline.at(-1)!;
  // Any name stands for the one that is not known.
  const name = `${first.slice(first.lastIndexOf('/') + 1)}_${last}`;
  const met = stricter(
    protectionOf(path.join(folder, name), place),
    last === '' || last.includes('/') ? null : protectionOf(path.join(folder, last), place),
  );
  if (met !== null) return { ...met, effect: 'ask' };
  return last.includes('/') && protectionBelow(folder, place) !== null ? notKnown : null;
}
