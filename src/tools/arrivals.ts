// What a command that copies, moves or unpacks brings to a place.
import path from 'node:path';
import type { BashFacts, BashTarget } from '../bash/types.ts';
import type { Arrivals } from './access.ts';

/** Commands whose reads, or other writes, are what they bring; the rest bring names that nobody knows before. */
const carriers = /^(g?(cp|mv)|install|ln|rsync|git mv)$/;

/** Where that comes from, for one target of a command. */
export function arrivalsOf(target: BashTarget, { commands, reads, writes }: BashFacts): Arrivals {
  if (!carriers.test(target.via)) return { sources: [], areKnown: false };
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
  return { sources, areKnown: all.length > 0 && !commands[target.command]?.argv.includes(null) };
}
