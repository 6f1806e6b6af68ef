// One path that a call reads or writes, with all its names, its extent and its protection.

import type {
  AccessExtent,
  AccessedPath,
  Facts,
  PathAccess,
  PathName,
  PathProtection,
  ReadAccess,
  WriteAccess,
} from '../../model/facts.ts';
import { belowOf, inside } from '../../platform/path-text.ts';
import { CallLimits, checkPath } from '../limits.ts';
import { circular, protectionOf } from '../protections/paths.ts';
import { type List, listingOnce } from './below.ts';
import { foldedNames } from './keys.ts';
import { linkedOnce, namesByLink } from './linked.ts';
import { join, pushAll, pushNames } from './names.ts';
import type { Place } from './place.ts';
import { Findings, RecursiveAccess } from './recursive.ts';
import type { AccessContext, AccessRequest, PathFilter, ReadRequest, WriteRequest } from './request.ts';
import { diskLinks, type Resolved, resolveNames } from './resolve.ts';
import { diskSpelling, type Spelling } from './spelling.ts';
import { findCheckouts, hasOnlyFilesBelow, hasProjectsBelow, isInWorktree, isScratch, samePlaces } from './worktrees.ts';

/** Determines the names, extent and protection of one path. */
export function pathAccess(request: AccessRequest, context: AccessContext): PathAccess {
  return request.kind === 'read' ? readAccess(request, context) : writeAccess(request, context);
}

export function readAccess(request: ReadRequest, context: AccessContext, namedPath = named(request, context)): ReadAccess {
  const { access, own } = examine(request, namedPath, context);
  return Object.assign(access, { own, implied: request.implied, protection: null, dependency: false } as const);
}

export function writeAccess(request: WriteRequest, context: AccessContext, namedPath = named(request, context)): WriteAccess {
  const { access, own, protection, dependency } = examine(request, namedPath, context);
  if (own !== null) return Object.assign(access, { own, implied: false, protection: null, dependency: false } as const);
  return Object.assign(access, { own, implied: false, protection, dependency } as const);
}

/** The same for a write or a read. A write that keeps part of the old content gives both, and its names are determined once. */
export function pathAccesses(
  request: AccessRequest,
  context: AccessContext,
): { written: WriteAccess | null; read: ReadAccess | null } {
  if (request.kind === 'read') return { written: null, read: readAccess(request, context) };
  const namedPath = named(request, context);
  const written = writeAccess(request, context, namedPath);
  if (!request.readModifyWrite) return { written, read: null };
  const { path, extent, via, command, newLinks, opens } = request;
  const read: ReadRequest = { kind: 'read', path, extent, via, command, implied: true, opens };
  return { written, read: readAccess(newLinks === 'to it' ? { ...read, newLinks } : read, context, namedPath) };
}

/** All names of a path, and the readings that they form. */
interface Named {
  resolved: Resolved;
  /** For a pattern: the part after the folder that `resolved` describes. */
  rest: string;
  names: readonly PathName[];
  readings: readonly number[][];
}

function named(
  request: AccessRequest,
  { place, links = diskLinks, spelling = diskSpelling, limits = new CallLimits() }: AccessContext,
): Named {
  limits.path(request.path);
  const written = rooted(request.path, place);
  const { base, rest } = request.extent === 'glob' ? splitGlob(written) : { base: written, rest: '' };
  const resolvedPath = resolveNames(base, place.root, links);
  const resolved = place.ignoresCase === true ? settled(resolvedPath, place, spelling) : resolvedPath;
  const names: PathName[] = [];
  const readings: number[][] = [];
  for (const absolute of resolved.names) findCheckouts(absolute, place);
  for (const absolute of resolved.names) {
    checkPath(absolute);
    const known = names.length;
    pushNames(names, readings, absolute, place);
    limits.lookups(names, known);
  }
  return { resolved, rest, names, readings };
}

type Examined = { access: AccessedPath & AccessExtent; own: string | null } & Pick<Findings, 'protection' | 'dependency'>;

function examine(request: AccessRequest, { resolved, rest, names, readings }: Named, context: AccessContext): Examined {
  const {
    place,
    pathFilter,
    own,
    links = diskLinks,
    spelling = diskSpelling,
    list = listingOnce(),
    limits = new CallLimits(),
  } = context;
  const { linked = linkedOnce(pathFilter, place, links) } = context;
  const findings = new Findings(names, readings);
  const root = resolved.unresolved ? 'outside' : rootOf(resolved.real, place);
  const isDeep = request.extent !== 'one';
  const examined = (folder: string | null): Examined => {
    const { below, unseen, unnamed, protection, dependency } = findings;
    const { names, readings } = findings;
    const shownAs = { path: shown(join(resolved.names[0] as string, rest), place), real: shown(resolved.real, place), root };
    const extent: AccessExtent = isDeep ? { deep: true, below } : { deep: false, below: [] };
    const access: AccessedPath & AccessExtent = Object.assign(
      shownAs,
      { names, readings, via: request.via, command: request.command },
      extent,
    );
    if (unseen && access.deep) access.unseen = true;
    if (unnamed) access.unnamed = true;
    if (isDeep && root === 'temp' && hasProjectsBelow(join(resolved.real, rest), place, list)) access.projects = true;
    return { access, own: folder, protection, dependency };
  };
  const folder = resolved.unresolved || rest !== '' ? null : sessionFolderOf(resolved.names, own[request.kind]);
  if (folder !== null) return examined(folder);
  if (request.kind === 'write') {
    if (resolved.unresolved) findings.protect(circular);
    else for (const name of resolved.names) findings.protect(protectionOf(join(name, rest), place));
  }
  const byLinks = linked(request.kind);
  if (byLinks.length > 0 && !resolved.unresolved) {
    const known = findings.names.length;
    for (const name of resolved.names)
      for (const other of namesByLink(join(name, rest), byLinks)) findings.names.push(...pushAll(other, place));
    limits.lookups(findings.names, known);
  }
  if (request.newLinks === 'to it') addSecondName(findings, request, { resolved, rest, root }, context);
  if (request.newLinks === 'unknown') hideLinks(findings, request, resolved, { place, pathFilter, list });
  if (isDeep)
    new RecursiveAccess(findings, request, { place, pathFilter, own, links, spelling, list, linked, limits }).look(
      resolved,
      rest,
    );
  if (request.kind === 'read' ? pathFilter.hasReadRestriction : pathFilter.hasWriteRestriction) {
    const known = findings.names.length;
    findings.names.push(...foldedNames(findings.names));
    limits.lookups(findings.names, known);
  }
  return examined(null);
}

const leaving: PathProtection = {
  effect: 'ask',
  name: 'a link out of the project',
  remedy: 'Copy what you need into the project, or let a person confirm the link.',
};

const untold: PathProtection = {
  effect: 'ask',
  name: 'links with unknown targets',
  remedy: 'Write the target of each link as literal text.',
};

/** A link gives everything at and below its target a second name that no rule covers. */
function addSecondName(
  findings: Findings,
  { kind }: AccessRequest,
  { resolved, rest, root }: Pick<Named, 'resolved' | 'rest'> & Pick<AccessedPath, 'root'>,
  { place, pathFilter }: AccessContext,
): void {
  const names = resolved.names.flatMap((name) => pushAll(join(name, rest), place));
  // A wildcard covers the names that appear there later.
  for (const name of resolved.names) findings.names.push(...pushAll(join(name, rest === '' ? '*' : `${rest}/*`), place));
  const couldMatch = kind === 'read' ? pathFilter.couldMatchReadBelow : pathFilter.couldMatchWriteBelow;
  if (names.some(({ path }) => couldMatch(path, true))) findings.unnamed = true;
  if (root === 'outside' || root === 'temp') findings.protect(leaving);
}

/**
 * Rules cannot name what such a link leads to. The links of an archive that is unpacked into the temporary folder are known when the
 * next call is decided. In this call, the analyser finds the writes through them.
 */
function hideLinks(
  findings: Findings,
  request: AccessRequest,
  { real }: Resolved,
  { place, pathFilter, list }: Pick<AccessContext, 'place' | 'pathFilter'> & { list: List },
): void {
  const isUntold = /^(?:ln|cp)\b/.test(request.via);
  const isArchive = /^(?:tar|unzip)\b/.test(request.via);
  const isUnread = request.kind === 'write' || request.isUnread === true;
  if (isUntold) findings.protect(untold);
  else if (isArchive && isUnread && isScratch(real, place) && hasOnlyFilesBelow(real, place, list)) return;
  if (pathFilter.hasReadRestriction || pathFilter.hasWriteRestriction) findings.unnamed = true;
}

/** True if the result depends on the disk, because the call accesses everything below some folder. */
export function isDeep({ reads, writes }: Pick<Facts, 'reads' | 'writes'>): boolean {
  return [...reads, ...writes].some(({ deep }) => deep);
}

/** True if the files below some folder matter for rules with this interest. */
export function looksBelow({ reads, writes }: Pick<Facts, 'reads' | 'writes'>, pathFilter: PathFilter): boolean {
  const isDeepIn = (accesses: readonly PathAccess[]): boolean => accesses.some(({ deep }) => deep);
  return (pathFilter.hasReadRestriction && isDeepIn(reads)) || (pathFilter.hasWriteRestriction && isDeepIn(writes));
}

/** The facts with other findings below each recursive access. */
export function withBelow(
  facts: Facts,
  below: (kind: 'reads' | 'writes', at: number) => Partial<Pick<PathAccess, 'below' | 'unseen' | 'unnamed' | 'projects'>>,
): Facts {
  const replaced = <Access extends PathAccess>(kind: 'reads' | 'writes', list: readonly Access[]): Access[] =>
    list.map((access, at) => (access.deep ? { ...access, ...below(kind, at) } : access));
  return { ...facts, reads: replaced('reads', facts.reads), writes: replaced('writes', facts.writes) };
}

/** The folder of the session's own files that contains every one of these names. */
function sessionFolderOf(names: string[], folders: string[]): string | null {
  return folders.find((folder) => names.every((name) => name !== folder && inside(name, folder))) ?? null;
}

/** Names in the spelling of the disk, for file systems that ignore case. */
function settled(resolved: Resolved, { root }: Place, spelling: Spelling): Resolved {
  if (resolved.unresolved) return resolved;
  const real = spelling.toDiskSpelling(resolved.real, root);
  const names = resolved.names.map((name) => (name === resolved.real ? real : spelling.toDiskSpelling(name, root)));
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
  // A work tree of the project's repository may have no `.git`.
  return isScratch(real, place) && samePlaces(real, place).length === 0 ? 'temp' : 'outside';
}
