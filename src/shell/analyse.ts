// Entry point of the analyser: from a command text and its working folder to its effects.

import { posix } from 'node:path';
import type { BashClass, BashContext, BashFacts, BashTarget, Renamed, Skips } from '../model/command.ts';
import { followAliases } from './aliases.ts';
import { type Effects, worse } from './effects.ts';
import { closeUnseen, resolveOwnWrites } from './loads.ts';
import { lookup } from './registry.ts';
import { ShellState } from './state.ts';
import { basename, dirname, isBelow, settled } from './targets.ts';
import { Walk } from './walk.ts';

const FEW = 16;
/**
 * Maximum number of files that are followed for one text, writes first. Each file is looked up by all its names, for each mode
 * that might allow it.
 */
const MOST_TARGETS = 1_000;

/** The beginning of the reason after a fault of the analyser. */
export const CRASHED = 'could not be analyzed';

/**
 * Analyzes the effects of a command text without running it. Accesses the file system only through `context.disk`.
 * Never throws: anything that is not understood has class `unknown`.
 */
export function analyse(command: string, context: BashContext): BashFacts {
  try {
    return finished(walked(command, context), context);
  } catch (error) {
    // A fault of the analyser must never allow anything.
    const text = `${CRASHED} (${error instanceof Error ? error.message : String(error)})`;
    const fault = { command: null, class: 'unknown', why: text, anything: true } as const;
    try {
      const walk = new Walk(context, command.length);
      walk.salvage(new Map([[command, new ShellState([context.cwd])]]));
      const facts = finished(walk, context);
      return { ...facts, class: 'unknown', uncertain: [...facts.uncertain, fault] };
    } catch {
      // The salvage failed too, so nothing is known about the text.
    }
    return {
      class: 'unknown',
      network: false,
      hosts: [],
      commands: [],
      writes: [],
      reads: [],
      open: [],
      uncertain: [fault],
      beyond: text,
      why: [{ text, pos: 0, end: typeof command === 'string' ? command.length : 0 }],
    };
  }
}

/**
 * Walks a text. If the text may change files that were read from the disk, their content is only possible, and the text is walked
 * again on that assumption.
 */
function walked(command: string, context: BashContext): Walk {
  const walk = new Walk(context, command.length);
  walk.run(command, new ShellState([context.cwd]));
  if (walk.disk.used.size === 0 || !mayChange(walk)) return walk;
  const again = new Walk(context, command.length, false);
  again.run(command, new ShellState([context.cwd]));
  return again;
}

/** True if something in the text may change the files that were read from the disk. */
function mayChange({ disk, effects }: Walk): boolean {
  if (effects.uncertain.length > 0 || effects.aliases.length > 0) return true;
  const used = [...disk.used].flatMap((name) => [name, disk.real(name) ?? name]);
  return effects.writes.some(({ path, extent }) => {
    const written = disk.real(dirname(path));
    const names = [settled(path), ...(written === null ? [] : [settled(`${written}/${basename(path)}`)])];
    return names.some((name) => used.some((one) => extent === 'glob' || isBelow(one, name) || isBelow(name, one)));
  });
}

function finished(walk: Walk, context: BashContext): BashFacts {
  cutTargets(walk);
  resolveAliases(walk);
  const facts = resolveOwnWrites(summarise(walk));
  return context.looks ? facts : closeUnseen(facts);
}

/** Targets beyond the limit are not followed, so the text must not run. */
function cutTargets({ effects }: Walk): void {
  if (effects.writes.length + effects.reads.length <= MOST_TARGETS) return;
  const [writes, reads] = [onlyOnce(effects.writes, pathOf), onlyOnce(effects.reads, pathOf)];
  effects.writes = writes.slice(0, MOST_TARGETS);
  effects.reads = reads.slice(0, MOST_TARGETS - effects.writes.length);
  if (writes.length + reads.length <= MOST_TARGETS) return;
  effects.beyond ??= `it names more than ${MOST_TARGETS} files`;
  effects.worsen(null, 'unknown', 'names more files than Modes follows', { pos: 0, end: 0 }, true);
}

/** A link that the text creates does not exist yet when its targets are resolved. */
function resolveAliases(walk: Walk): void {
  const { aliases, writes, reads } = walk.effects;
  if (aliases.length === 0) return;
  const [read, written] = [followAliases(reads, aliases), followAliases(writes, aliases)];
  if (read === 'too many' || written === 'too many')
    walk.effects.worsen(null, 'unknown', 'reaches more files through its own links than Modes follows', { pos: 0, end: 0 }, true);
  else if (written === 'unknown')
    walk.effects.worsen(null, 'unknown', 'writes through a link with an unknown target', { pos: 0, end: 0 }, true);
}

/**
 * The first of each group of equal elements. Repeated names of a file become one target, and repeated reasons become one reason.
 */
function onlyOnce<T extends object>(found: T[], nameOf: (one: T) => string): T[] {
  if (found.length <= FEW) return found;
  // The skip lists of a search may be long, and all its reads share them.
  const skipped = new Map<Skips, string>();
  const textOf = ({ skips, ...rest }: T & { skips?: Skips }) => {
    if (skips !== undefined && !skipped.has(skips)) skipped.set(skips, JSON.stringify(skips));
    return JSON.stringify(rest) + (skips === undefined ? '' : skipped.get(skips));
  };
  const firsts = new Map<string, T>();
  const texts = new Map<string, Set<string>>();
  return found.filter((one) => {
    const name = nameOf(one);
    const first = firsts.get(name);
    if (first === undefined) {
      firsts.set(name, one);
      return true;
    }
    const same = texts.get(name) ?? new Set([textOf(first)]);
    texts.set(name, same);
    const before = same.size;
    return same.add(textOf(one)).size > before;
  });
}

const pathOf = ({ path }: BashTarget) => path;

/** The destination may be a folder that receives the file. */
function namesOfCopy({ source, dest, cwds }: Effects['copies'][number]): Renamed[] {
  return [dest, `${dest}/${basename(source)}`].flatMap((name) =>
    (cwds ?? []).map((cwd) => ({ name: posix.resolve(cwd, name), path: posix.resolve(cwd, source) })),
  );
}

function summarise(walk: Walk): BashFacts {
  const { commands, hosts, why, keepers, aliases, copies } = walk.effects;
  let names: Renamed[] | null = null;
  const renamed = (): readonly Renamed[] => (names ??= [...aliases, ...copies.flatMap(namesOfCopy)]);
  commands.forEach((command, at) => {
    if (aliases.length + copies.length > 0) command.renamed = renamed;
    if (command.class === 'writes' && !keepers.has(at)) command.tags = [...(command.tags ?? []), 'files'];
  });
  const [writes, reads] = [onlyOnce(walk.effects.writes, pathOf), onlyOnce(walk.effects.reads, pathOf)];
  const open = onlyOnce(walk.effects.openTargets, ({ outline }) => outline.join('\0'));
  const uncertain = onlyOnce(walk.effects.uncertain, ({ why }) => why);
  let cls: BashClass = writes.length > 0 ? 'writes' : 'read-only';
  for (const c of commands) cls = worse(cls, c.class);
  for (const u of uncertain) cls = worse(cls, u.class);
  const { tracks } = walk.effects;
  const views = onlyOnce(walk.effects.views, ({ folder }) => folder);
  const usesDisk = walk.disk.used.size > 0;
  return {
    class: cls,
    network: commands.some((c) => c.network),
    hosts,
    commands,
    writes,
    reads,
    open,
    uncertain,
    beyond: walk.effects.beyond,
    why,
    ...(usesDisk && { isOfDisk: true }),
    ...(views.length > 0 && { views }),
    ...(tracks && { tracks }),
  };
}

/** True for a program that the tables of commands describe. */
export function isListed(name: string): boolean {
  return lookup(name) !== undefined;
}
