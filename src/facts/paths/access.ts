// One path that a call reads or writes, with all its names, its extent and its protection.

import type { Facts, PathAccess, PathName } from '../../model/facts.ts';
import { belowOf, inside } from '../../platform/path-text.ts';
import { CallLimits, checkPath } from '../limits.ts';
import { circular, type Protection, protectionOf, stricter } from '../protections/paths.ts';
import { listingOnce } from './below.ts';
import { foldedNames } from './keys.ts';
import { linkedOnce, namesByLink } from './linked.ts';
import { join, pushAll, pushNames } from './names.ts';
import type { Place } from './place.ts';
import { Extent } from './recursive.ts';
import type { Grounds, Interest, Reach } from './request.ts';
import { diskLinks, type Resolved, resolveNames } from './resolve.ts';
import { diskSpelling, type Spelling } from './spelling.ts';
import { isInWorktree, isScratch, lookForCheckouts } from './worktrees.ts';

/** Determines the names, extent and protection of one path. */
export function pathAccess(reach: Reach, grounds: Grounds): PathAccess {
  return accessOf(reach, named(reach, grounds), grounds);
}

/** The same for a write or a read. A write that keeps part of the old content gives both, and its names are determined once. */
export function pathAccesses(reach: Reach, grounds: Grounds): { written: PathAccess | null; read: PathAccess | null } {
  if (reach.kind === 'read') return { written: null, read: pathAccess(reach, grounds) };
  const found = named(reach, grounds);
  const written = accessOf(reach, found, grounds);
  if (!reach.keeps) return { written, read: null };
  const { path, extent, via, command, isLinked, opens } = reach;
  const read: Reach = { kind: 'read', path, extent, via, command, implied: true, opens, ...(isLinked && { isLinked }) };
  return { written, read: accessOf(read, found, grounds) };
}

/** All names of a path, and the readings that they form. */
interface Named {
  resolved: Resolved;
  /** For a pattern: the part after the folder that `resolved` describes. */
  rest: string;
  names: readonly PathName[];
  readings: readonly number[][];
}

function named(reach: Reach, { place, links = diskLinks, spelling = diskSpelling, room = new CallLimits() }: Grounds): Named {
  room.path(reach.path);
  const written = rooted(reach.path, place);
  const { base, rest } = reach.extent === 'glob' ? splitGlob(written) : { base: written, rest: '' };
  const found = resolveNames(base, place.root, links);
  const resolved = place.ignoresCase === true ? settled(found, place, spelling) : found;
  const names: PathName[] = [];
  const readings: number[][] = [];
  for (const absolute of resolved.names) lookForCheckouts(absolute, place);
  for (const absolute of resolved.names) {
    checkPath(absolute);
    const known = names.length;
    pushNames(names, readings, absolute, place);
    room.lookUps(names, known);
  }
  return { resolved, rest, names, readings };
}

function accessOf(reach: Reach, { resolved, rest, ...found }: Named, grounds: Grounds): PathAccess {
  const {
    place,
    interest,
    own,
    links = diskLinks,
    spelling = diskSpelling,
    list = listingOnce(),
    room = new CallLimits(),
  } = grounds;
  const { linked = linkedOnce(interest, place, links) } = grounds;
  const names = [...found.names];
  const access: PathAccess = {
    path: shown(join(resolved.names[0] as string, rest), place),
    real: shown(resolved.real, place),
    root: resolved.unresolved ? 'outside' : rootOf(resolved.real, place),
    deep: reach.extent !== 'one',
    names,
    readings: [...found.readings],
    below: [],
    via: reach.via,
    command: reach.command,
    protection: null,
    implied: reach.implied,
    own: null,
    dependency: false,
  };
  access.own = resolved.unresolved || rest !== '' ? null : ownFolderOf(resolved.names, own[reach.kind]);
  if (access.own !== null) return access;
  if (reach.kind === 'write') {
    if (resolved.unresolved) access.protection = circular;
    else
      for (const name of resolved.names) access.protection = stricter(access.protection, protectionOf(join(name, rest), place));
  }
  const byLinks = linked(reach.kind);
  if (byLinks.length > 0 && !resolved.unresolved) {
    const known = names.length;
    for (const name of resolved.names)
      for (const other of namesByLink(join(name, rest), byLinks)) names.push(...pushAll(other, place));
    room.lookUps(names, known);
  }
  if (reach.isLinked) addSecondName(access, reach, { resolved, rest }, grounds);
  if (reach.hidesLinks) hideLinks(access, interest);
  if (access.deep) new Extent(access, reach, { place, interest, own, links, spelling, list, linked, room }).look(resolved, rest);
  if (reach.kind === 'read' ? interest.hasReadNarrow : interest.hasWriteNarrow) {
    const known = names.length;
    names.push(...foldedNames(names));
    room.lookUps(names, known);
  }
  return access;
}

const leaving: Protection = {
  effect: 'ask',
  name: 'a link out of the project',
  remedy: 'Copy what you need into the project, or let a person confirm the link.',
};

const untold: Protection = {
  effect: 'ask',
  name: 'links with unknown targets',
  remedy: 'Write the target of each link as literal text.',
};

/** A link gives everything at and below its target a second name that no rule covers. */
function addSecondName(
  access: PathAccess,
  { kind }: Reach,
  { resolved, rest }: Pick<Named, 'resolved' | 'rest'>,
  { place, interest }: Grounds,
): void {
  const names = resolved.names.flatMap((name) => pushAll(join(name, rest), place));
  // A rule need not know the names that appear there later.
  for (const name of resolved.names) access.names.push(...pushAll(join(name, rest === '' ? '*' : `${rest}/*`), place));
  const couldMatch = kind === 'read' ? interest.couldMatchReadBelow : interest.couldMatchWriteBelow;
  if (names.some(({ path }) => couldMatch(path, true))) access.unnamed = true;
  if (kind === 'write' && (access.root === 'outside' || access.root === 'temp'))
    access.protection = stricter(access.protection, leaving);
}

function hideLinks(access: PathAccess, interest: Interest): void {
  if (interest.hasReadNarrow || interest.hasWriteNarrow) access.unnamed = true;
  if (/^(?:ln|cp)\b/.test(access.via)) access.protection = stricter(access.protection, untold);
}

/** True if the result depends on the disk, because the call accesses everything below some folder. */
export function isDeep({ reads, writes }: Pick<Facts, 'reads' | 'writes'>): boolean {
  return [...reads, ...writes].some(({ deep }) => deep);
}

/** True if the files below some folder matter for rules with this interest. */
export function looksBelow({ reads, writes }: Pick<Facts, 'reads' | 'writes'>, interest: Interest): boolean {
  const isDeepIn = (accesses: readonly PathAccess[]): boolean => accesses.some(({ deep }) => deep);
  return (interest.hasReadNarrow && isDeepIn(reads)) || (interest.hasWriteNarrow && isDeepIn(writes));
}

/** The folder of the session's own files that contains every one of these names. */
function ownFolderOf(names: string[], folders: string[]): string | null {
  return folders.find((folder) => names.every((name) => name !== folder && inside(name, folder))) ?? null;
}

/** Names in the spelling of the disk, for file systems that ignore case. */
function settled(resolved: Resolved, { root }: Place, spelling: Spelling): Resolved {
  if (resolved.unresolved) return resolved;
  const real = spelling.settle(resolved.real, root);
  const names = resolved.names.map((name) => (name === resolved.real ? real : spelling.settle(name, root)));
  return { ...resolved, real, names: [...new Set([...names.filter((name) => name !== real), real])] };
}

/** The path, with an alias of the root replaced by the real root. */
function rooted(absolute: string, { root, rootAliases }: Place): string {
  for (const alias of rootAliases) if (inside(absolute, alias)) return root + absolute.slice(alias.length);
  return absolute;
}

/** A pattern cut before its first wildcard: the folder that it searches, and the rest. */
function splitGlob(pattern: string): { base: string; rest: string } {
  const parts = pattern.split('/');
  const wild = parts.findIndex((part) => /[*?[]/.test(part));
  if (wild === -1) return { base: pattern, rest: '' };
  return { base: parts.slice(0, wild).join('/') || '/', rest: parts.slice(wild).join('/') };
}

export function shown(absolute: string, { root }: Place): string {
  if (absolute === root) return '.';
  return inside(absolute, root) ? belowOf(absolute, root) : absolute;
}

function rootOf(real: string, place: Place): PathAccess['root'] {
  if (isInWorktree(real, place)) return 'worktree';
  if (inside(real, place.root)) return 'project';
  return isScratch(real, place) ? 'temp' : 'outside';
}
