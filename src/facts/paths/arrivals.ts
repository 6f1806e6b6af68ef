// The files that a command copies, moves or unpacks to a place.
import path from 'node:path';
import type { BashFacts, BashTarget, BashWrite } from '../../model/command.ts';
import type { Arrivals } from './request.ts';
import { diskLinks, type LinkReader, resolveNames } from './resolve.ts';

/** Commands whose reads, or other writes, are the files that they bring. All other commands bring unknown names. */
const carriers = /^(g?(cp|mv)|install|rsync|git mv)$/;
/** It fails if its target is a folder. */
const makesFile = /^(?:&?>{1,2}\|?|tee)$/;
/** Options that also copy the targets of links below the source. */
const followsLinks = /^(-[a-zA-Z]*[LkH]|--(de|copy-))/;

/** The files that one command brings, for any of its targets. */
export interface Load {
  all: readonly BashTarget[];
  /** By the last component. */
  byName: ReadonlyMap<string, readonly BashTarget[]>;
  areKnown: boolean;
  /** Sources that another command makes first, certainly as a file. */
  made: ReadonlySet<BashTarget>;
}

/** The files that the commands of one text bring. Each command and each write is examined once. */
export function loadsIn(facts: BashFacts, links: LinkReader = diskLinks): (target: BashTarget) => Load {
  const known = new Map<string, Load>();
  let written: WrittenPlaces | null = null;
  return (target) => {
    const key = `${target.command} ${target.via}`;
    let load = known.get(key);
    if (load === undefined) {
      written ??= new WrittenPlaces(facts, links);
      load = loadOf(target, facts, written);
      known.set(key, load);
    }
    return load;
  };
}

/** The sources of new entries, for each target of the commands of one text. */
export function arrivalsIn(facts: BashFacts, links: LinkReader = diskLinks): (target: BashTarget) => Arrivals {
  const loads = loadsIn(facts, links);
  return (target) => {
    if (!carriers.test(target.via)) return { sources: [], areKnown: false };
    const { all, byName, areKnown, made } = loads(target);
    const under = target.via === 'rsync';
    const sources = under ? all : namedAt(target, { all, byName });
    return {
      sources: sources.map((one) => ({
        path: one.path,
        extent: one.extent,
        under: under && !one.path.endsWith('/'),
        isMade: made.has(one),
      })),
      areKnown,
    };
  };
}

/** The sources that may appear at a target: those with its name, and those whose content is copied directly into a folder. */
export function namedAt({ path: at }: BashTarget, { all, byName }: Pick<Load, 'all' | 'byName'>): readonly BashTarget[] {
  const same = byName.get(path.basename(at));
  return same === undefined
    ? all
    : [...same, ...all.filter((one) => !same.includes(one) && /(?:^|\/)\.{1,2}\/*$/.test(one.path))];
}

function loadOf(target: BashTarget, { commands, reads, writes }: BashFacts, written: WrittenPlaces): Load {
  const isBySame = (one: BashTarget): boolean => one.command === target.command && one.via === target.via;
  const isSource = ({ old, links }: BashWrite): boolean => old !== 'untouched' && typeof links !== 'string';
  const all = [...reads.filter(isBySame), ...writes.filter((one) => isBySame(one) && isSource(one))];
  const byName = new Map<string, BashTarget[]>();
  for (const one of all) {
    const name = path.basename(one.path);
    const same = byName.get(name);
    if (same === undefined) byName.set(name, [one]);
    else same.push(one);
  }
  const words = commands[target.command]?.argv ?? [null];
  const isOpen = words.some((word) => word === null || followsLinks.test(word));
  const others = all.filter((source) => written.isByAnother(source));
  const made = new Set(others.filter((source) => written.isFile(source)));
  return { all, byName, areKnown: all.length > 0 && !isOpen && made.size === others.length, made };
}

/**
 * The real paths that the commands of a text write. If another part writes to a source first, its present content is not all
 * that will be copied.
 */
class WrittenPlaces {
  /** For each place, the command that writes there; `several` for more than one. */
  private readonly at = new Map<string, number>();
  private readonly below = new Map<string, number>();
  /** Places that a redirection writes. */
  private readonly files = new Set<string>();
  /** The same as `below`, without redirections. */
  private readonly belowOfOthers = new Map<string, number>();

  constructor(
    { writes }: BashFacts,
    private readonly links: LinkReader,
  ) {
    // A single command cannot disturb another one.
    const first = writes[0]?.command;
    if (writes.every(({ command }) => command === first)) return;
    for (const target of writes) {
      const place = this.real(target);
      mark(this.at, place, target.command);
      const isFile = makesFile.test(target.via) && target.extent === 'one';
      if (isFile) this.files.add(place);
      for (const folder of around(place)) {
        mark(this.below, folder, target.command);
        if (!isFile) mark(this.belowOfOthers, folder, target.command);
      }
    }
  }

  /** True if a redirection makes the target's place as a file, and other commands write neither it, nor below, nor around it. */
  isFile(target: BashTarget): boolean {
    const place = this.real(target);
    const isOther = (found: number | undefined): boolean => found !== undefined && found !== target.command;
    const isAlone =
      !isOther(this.belowOfOthers.get(place)) && !around(place).some((at) => at !== place && isOther(this.at.get(at)));
    return target.extent !== 'glob' && this.files.has(place) && isAlone;
  }

  /** True if a command other than the target's own writes to its place, below it, or to a folder that contains it. */
  isByAnother(target: BashTarget): boolean {
    if (this.at.size === 0) return false;
    const place = this.real(target);
    const isOther = (found: number | undefined): boolean => found !== undefined && found !== target.command;
    return isOther(this.below.get(place)) || around(place).some((folder) => isOther(this.at.get(folder)));
  }

  private real({ path: name, extent }: BashTarget): string {
    return resolveNames(extent === 'glob' ? name.slice(0, name.search(/(?<![^/])[^/]*[*?[]/)) : name, '/', this.links).real;
  }
}

const several = -1;

function mark(places: Map<string, number>, place: string, command: number): void {
  const before = places.get(place);
  places.set(place, before === undefined || before === command ? command : several);
}

/** A place and every folder that contains it. */
function around(place: string): string[] {
  const all = [place];
  for (let at = place.lastIndexOf('/'); at > 0; at = place.lastIndexOf('/', at - 1)) all.push(place.slice(0, at));
  if (place !== '/') all.push('/');
  return all;
}
