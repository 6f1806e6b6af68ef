// What a command that copies, moves or unpacks brings to a place.
import path from 'node:path';
import type { BashFacts, BashTarget } from '../bash/types.ts';
import type { Arrivals } from './access.ts';
import { diskLinks, type Links, resolveNames } from './resolve.ts';
import { inside } from './within.ts';

/** Commands whose reads, or other writes, are what they bring; the rest bring names that nobody knows before. */
const carriers = /^(g?(cp|mv)|install|rsync|git mv)$/;
/** Options by which what links below the source lead to is brought too. */
const followsLinks = /^(-[a-zA-Z]*[LkH]|--(de|copy-))/;

/** Where that comes from, for one target of a command. */
export function arrivalsOf(target: BashTarget, found: BashFacts, links: Links = diskLinks): Arrivals {
  if (!carriers.test(target.via)) return { sources: [], areKnown: false };
  const { commands, reads, writes } = found;
  const isSource = (one: BashTarget): boolean => one.command === target.command && one.via === target.via && !one.arrives;
  const all = [...reads.filter(isSource), ...writes.filter(isSource)];
  const name = path.basename(target.path);
  const same = all.filter((one) => path.basename(one.path) === name);
  const under = target.via === 'rsync';
  const sources = (under || same.length === 0 ? all : same).map((one) => ({
    path: one.path,
    extent: one.extent,
    under: under && !one.path.endsWith('/'),
  }));
  const words = commands[target.command]?.argv ?? [null];
  const isOpen = words.some((word) => word === null || followsLinks.test(word));
  return { sources, areKnown: all.length > 0 && !isOpen && !isFilledBefore(all, target, found, links) };
}

/** Another part of the same text writes below a source, so that what lies there now is not all that will. */
function isFilledBefore(sources: BashTarget[], { command }: BashTarget, { writes }: BashFacts, links: Links): boolean {
  const others = writes.filter((one) => one.command !== command);
  if (others.length === 0) return false;
  const real = ({ path: name, extent }: BashTarget): string =>
    resolveNames(extent === 'glob' ? name.slice(0, name.search(/[^/]*[*?[]/)) : name, '/', links).real;
  const places = sources.map(real);
  return others.map(real).some((written) => places.some((place) => inside(written, place) || inside(place, written)));
}
