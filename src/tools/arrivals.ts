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

/** What one command brings, whatever its targets. */
interface Load {
  all: readonly BashTarget[];
  /** By the last component. */
  byName: ReadonlyMap<string, readonly BashTarget[]>;
  areKnown: boolean;
}

/** Says where that comes from, for each target of the commands of one text; each command is looked at once. */
export function arrivalsIn(found: BashFacts, links: Links = diskLinks): (target: BashTarget) => Arrivals {
  const known = new Map<string, Load>();
  return (target) => {
    if (!carriers.test(target.via)) return { sources: [], areKnown: false };
    const key = `${target.command} ${target.via}`;
    const { all, byName, areKnown } = known.get(key) ?? loadOf(target, found, links);
    if (!known.has(key)) known.set(key, { all, byName, areKnown });
    const under = target.via === 'rsync';
    const sources = under ? all : (byName.get(path.basename(target.path)) ?? all);
    return {
      sources: sources.map((one) => ({ path: one.path, extent: one.extent, under: under && !one.path.endsWith('/') })),
      areKnown,
    };
  };
}

function loadOf(target: BashTarget, found: BashFacts, links: Links): Load {
  const { commands, reads, writes } = found;
  const isSource = (one: BashTarget): boolean => one.command === target.command && one.via === target.via && !one.arrives;
  const all = [...reads.filter(isSource), ...writes.filter(isSource)];
  const byName = new Map<string, BashTarget[]>();
  for (const one of all) {
    const name = path.basename(one.path);
    const same = byName.get(name);
    if (same === undefined) byName.set(name, [one]);
    else same.push(one);
  }
  const words = commands[target.command]?.argv ?? [null];
  const isOpen = words.some((word) => word === null || followsLinks.test(word));
  return { all, byName, areKnown: all.length > 0 && !isOpen && !isFilledBefore(all, target, found, links) };
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
