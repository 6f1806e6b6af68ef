// One path that a call reads or writes, with every name it goes by, its extent and the protection it meets.
import path from 'node:path';
import { pathName } from '../rules/names.ts';
import { expandGlob, walkBelow } from './below.ts';
import type { OwnFolders } from './own.ts';
import type { Place } from './place.ts';
import { holdsProtected, inside, type Protection, protectedNames, protectionOf } from './protection.ts';
import { diskLinks, type Links, resolveNames } from './resolve.ts';
import type { PathAccess, PathName } from './types.ts';

/** Which names rules care about, so that extents carry only those (built from the rules of the mode). */
export interface Interest {
  /** False: no deny or ask rule is about reads, no extent of reading need be walked. */
  hasReadNarrow: boolean;
  hasWriteNarrow: boolean;
  couldMatchRead(name: PathName): boolean;
  couldMatchWrite(name: PathName): boolean;
}

export interface Reach {
  kind: 'read' | 'write';
  /** Absolute, not normalised. */
  path: string;
  extent: 'one' | 'deep' | 'glob';
  via: string;
  command: number | null;
  implied: boolean;
}

export interface Grounds {
  place: Place;
  interest: Interest;
  /** This session's own files, open to it. */
  own: OwnFolders;
  links?: Links;
}

const witnessLimit = 64;
/** Folders that package managers make anew: removing one whole meets no pattern that stands at any depth. */
const dependencyFolders = new Set(['node_modules', '.venv', 'venv', '__pycache__', '.pytest_cache', '.mypy_cache', '.tox', '.next', '.turbo', '.parcel-cache', 'bower_components']);
const beyond: Protection = {
  effect: 'deny', name: 'an extent too large to look through', remedy: 'Name a smaller folder.',
};
const circular: Protection = { effect: 'deny', name: 'a path whose links cannot be followed', remedy: 'Name the real path.' };

/** Works out names, extent and protection of one path. */
export function pathAccess(reach: Reach, { place, interest, own, links = diskLinks }: Grounds): PathAccess {
  const written = rooted(reach.path, place);
  const base = reach.extent === 'glob' ? globBase(written) : written;
  const deep = reach.extent !== 'one';
  const resolved = resolveNames(base, place.root, links);
  const names: PathName[] = [];
  const readings = resolved.names.map((absolute) => pushNames(names, absolute, place));
  const access: PathAccess = {
    path: shown(reach.extent === 'glob' ? written : (resolved.names[0] as string), place),
    real: shown(resolved.real, place),
    root: rootOf(resolved.real, place),
    deep, names, readings, below: [],
    via: reach.via, command: reach.command, protection: null, implied: reach.implied, own: null, dependency: false,
  };
  access.own = resolved.unresolved || reach.extent === 'glob' ? null : ownFolderOf(resolved.names, own[reach.kind]);
  if (access.own !== null) return access;
  if (reach.kind === 'write') {
    access.protection = resolved.unresolved ? circular : strictest((reach.extent === 'glob' ? [written] : resolved.names).map((name) => protectionOf(name, place)));
  }
  if (deep) lookBelow(access, reach, written, resolved.real, { place, interest, own, links });
  return access;
}

/** Fills `below` with existing names that a rule could match, and finds protected names there. */
function lookBelow(access: PathAccess, reach: Reach, written: string, real: string, grounds: Required<Grounds>): void {
  const { place, interest, links } = grounds;
  const writes = reach.kind === 'write';
  const wanted = writes ? interest.hasWriteNarrow : interest.hasReadNarrow;
  if (!writes && !wanted) return;
  const could = writes ? interest.couldMatchWrite : interest.couldMatchRead;
  const note = (absolute: string): void => {
    if (writes && protectedAround(absolute)) access.protection = strictest([access.protection, protectionOf(absolute, place)]);
    if (!wanted || access.below.length >= witnessLimit) return;
    const found: PathName[] = [];
    pushNames(found, absolute, place);
    if (found.some((name) => could(name))) access.below.push(...found);
  };
  const tops = reach.extent === 'glob' ? expandGlob(written) : [real];
  if (tops === null) {
    leaveUnseen(access, writes);
    return;
  }
  if (reach.extent === 'glob') for (const name of pushAll(written, place)) access.names.push(name);
  for (const top of tops) {
    if (reach.extent === 'glob') for (const name of resolveNames(top, place.root, links).names) note(name);
    if (writes && holdsProtected(top, place)) {
      access.protection = strictest([access.protection, { effect: 'deny', name: 'a folder that holds protected files', remedy: 'Name the files below it.' }]);
      return;
    }
    if (writes && dependencyFolders.has(path.basename(top)) && inside(top, place.root)) {
      access.dependency = tops.length === 1 && reach.extent === 'deep';
      continue;
    }
    const whole = walkBelow(top, (absolute) => {
      note(absolute);
      return undefined;
    });
    if (!whole) {
      leaveUnseen(access, writes);
      return;
    }
  }
}

/** Beyond what is looked through, rules and protection count as if something below met them. */
function leaveUnseen(access: PathAccess, writes: boolean): void {
  access.unseen = true;
  if (writes) access.protection = strictest([access.protection, beyond]);
}

/** The folder of the session's own files that every one of these names lies in. */
function ownFolderOf(names: string[], folders: string[]): string | null {
  return folders.find((folder) => names.every((name) => name !== folder && inside(name, folder))) ?? null;
}

function protectedAround(absolute: string): boolean {
  const last = absolute.slice(absolute.lastIndexOf('/') + 1);
  return protectedNames.has(last) || absolute.includes('/.claude/') || absolute.includes('/.git/') || last.startsWith('CLAUDE');
}

/** Adds the names of one absolute path; gives their indices. */
function pushNames(names: PathName[], absolute: string, place: Place): number[] {
  const at: number[] = [];
  for (const name of pushAll(absolute, place)) at.push(names.push(name) - 1);
  return at;
}

function pushAll(absolute: string, { root }: Place): PathName[] {
  const all = [pathName(absolute, true)];
  if (inside(absolute, root)) all.unshift(pathName(absolute.slice(root === '/' ? 1 : root.length + 1), false));
  return all;
}

/** The path with another spelling of the root replaced by the real one. */
function rooted(absolute: string, { root, rootAliases }: Place): string {
  for (const alias of rootAliases) if (absolute === alias || absolute.startsWith(`${alias}/`)) return root + absolute.slice(alias.length);
  return absolute;
}

/** What stands before the first wildcard: the folder whose content is meant. */
function globBase(pattern: string): string {
  const parts = pattern.split('/');
  const wild = parts.findIndex((part) => /[*?[]/.test(part));
  return parts.slice(0, wild === -1 ? parts.length : wild).join('/') || '/';
}

export function shown(absolute: string, { root }: Place): string {
  if (absolute === root) return '.';
  return inside(absolute, root) ? absolute.slice(root === '/' ? 1 : root.length + 1) : absolute;
}

function rootOf(real: string, place: Place): PathAccess['root'] {
  if (inside(real, place.root)) return 'project';
  return place.temp.some((folder) => inside(real, folder)) ? 'temp' : 'outside';
}

function strictest(found: (Protection | null)[]): Protection | null {
  return found.find((one) => one?.effect === 'deny') ?? found.find((one) => one !== null) ?? null;
}
