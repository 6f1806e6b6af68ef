// One path that a call reads or writes, with every name it goes by, its extent and the protection it meets.
import fs from 'node:fs';
import path from 'node:path';
import type { Skips } from '../bash/types.ts';
import { expandGlob, type ListNames, listingOnce, maxMatches, maxNames, walkBelow } from './below.ts';
import { fold, foldedName, pathName } from './keys.ts';
import { attempt } from './look.ts';
import type { OwnFolders } from './own.ts';
import type { Place } from './place.ts';
import { isProtectedName, type Protection, protectionBelow, protectionOf } from './protection.ts';
import { diskLinks, type Links, type Resolved, resolveNames } from './resolve.ts';
import { skipper } from './skipped.ts';
import { diskSpelling, type Spelling } from './spelling.ts';
import type { Facts, PathAccess, PathName } from './types.ts';
import { inside } from './within.ts';
import { knownWorktreeAt, lookForWorktree } from './worktrees.ts';

/** Which names rules care about, so that extents carry only those (built from the rules of the mode). */
export interface Interest {
  /** False: no deny or ask rule is about reads, no extent of reading need be walked. */
  hasReadNarrow: boolean;
  hasWriteNarrow: boolean;
  couldMatchRead(name: PathName): boolean;
  couldMatchWrite(name: PathName): boolean;
  /** Which names right in a folder, which goes by all of these, are worth being asked about; `isFolded`: in any case. */
  readsIn(folders: readonly PathName[], isFolded: boolean): (name: string) => boolean;
  writesIn(folders: readonly PathName[], isFolded: boolean): (name: string) => boolean;
  /** Some name below this folder, relative or absolute, could be matched; `anchored`: by a rule that does not hold at any depth. */
  couldMatchWriteBelow(folder: string, anchored?: boolean): boolean;
  /** The same for deny rules alone: where many names only ask, the one that is denied must not get lost. */
  couldDenyRead(name: PathName): boolean;
  couldDenyWrite(name: PathName): boolean;
}

export interface Reach {
  kind: 'read' | 'write';
  /** Absolute, not normalised. */
  path: string;
  extent: 'one' | 'deep' | 'glob';
  via: string;
  command: number | null;
  implied: boolean;
  /** Of a read with an extent: what is left out of it. */
  skips?: Skips;
  /** Of a write with an extent: it touches only what comes from these places, below the same names. */
  arrivals?: Arrivals;
}

export interface Arrivals {
  /** `under`: below a folder of the source's own name. */
  sources: readonly { path: string; extent: 'one' | 'deep' | 'glob'; under: boolean }[];
  /** False: there is more than these. */
  areKnown: boolean;
}

export interface Grounds {
  place: Place;
  interest: Interest;
  /** This session's own files, open to it. */
  own: OwnFolders;
  links?: Links;
  spelling?: Spelling;
  /** What patterns are looked for in. */
  list?: ListNames;
}

/** Names below an extent that are kept for rules of either effect, and as many again that are denied. */
const witnessLimit = 64;
/** Folders of which is remembered what was said of them: one below the other, by every name that they go by. */
const maxFolders = 256;
/** Folders that package managers make anew: removing one whole meets no pattern that stands at any depth. */
const dependencyFolders = new Set([
  'node_modules',
  '.venv',
  'venv',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.tox',
  '.next',
  '.turbo',
  '.parcel-cache',
  'bower_components',
]);
/** Ways to write that only remove. */
const removals = /^(g?rm|rmdir|rimraf|del|trash(-put)?|find -delete|git clean|git rm)\b/;
const beyond: Protection = {
  effect: 'deny',
  name: 'an extent too large to look through',
  remedy: 'Name a smaller folder.',
};
const unnamed: Protection = {
  effect: 'ask',
  name: 'files whose names are not known before they are written',
  remedy: 'Unpack into a new folder outside the project, look at the names, then copy.',
};
const circular: Protection = { effect: 'deny', name: 'a path whose links cannot be followed', remedy: 'Name the real path.' };

/** Works out names, extent and protection of one path. */
export function pathAccess(
  reach: Reach,
  { place, interest, own, links = diskLinks, spelling = diskSpelling, list = listingOnce() }: Grounds,
): PathAccess {
  const written = rooted(reach.path, place);
  const { base, rest } = reach.extent === 'glob' ? splitGlob(written) : { base: written, rest: '' };
  const folded = place.ignoresCase === true && spelling.ignoresCase(path.dirname(base));
  const resolved = folded ? settled(resolveNames(base, place.root, links), spelling) : resolveNames(base, place.root, links);
  const names: PathName[] = [];
  const readings: number[][] = [];
  for (const absolute of resolved.names) lookForWorktree(absolute, place, reach.extent !== 'one');
  for (const absolute of resolved.names) pushNames(names, readings, absolute, place);
  const access: PathAccess = {
    path: shown(join(resolved.names[0] as string, rest), place),
    real: shown(resolved.real, place),
    root: resolved.unresolved ? 'outside' : rootOf(resolved.real, place),
    deep: reach.extent !== 'one',
    names,
    readings,
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
  if (access.deep) new Extent(access, reach, { place, interest, own, links, spelling, list }, folded).look(resolved, rest);
  if (folded) access.names.push(...access.names.map(foldedName));
  return access;
}

/** True where the disk has a say: the call is about all that lies below some folder. */
export function isDeep({ reads, writes }: Pick<Facts, 'reads' | 'writes'>): boolean {
  return [...reads, ...writes].some(({ deep }) => deep);
}

/** True where what lies below some folder counts for rules with this interest. */
export function looksBelow({ reads, writes }: Pick<Facts, 'reads' | 'writes'>, interest: Interest): boolean {
  const isDeepIn = (accesses: readonly PathAccess[]): boolean => accesses.some(({ deep }) => deep);
  return (interest.hasReadNarrow && isDeepIn(reads)) || (interest.hasWriteNarrow && isDeepIn(writes));
}

/** Everything that an access with an extent meets: fills `below` with existing names that a rule could match, finds protected ones. */
class Extent {
  private readonly writes: boolean;
  private readonly wanted: boolean;
  private kept = 0;
  private denied = 0;
  /** Protected places that no name tells lie below. */
  private holds = false;
  private readonly budget = { left: maxNames };
  /** The names of a folder come one after the other. */
  private lastFolder: { name: string; real: string | null } = { name: '', real: null };
  /** Of folders that names lie in: which of their names are worth asking about. */
  private readonly folders = new Map<string, (name: string) => boolean>();

  constructor(
    private readonly access: PathAccess,
    private readonly reach: Reach,
    private readonly grounds: Required<Grounds>,
    private readonly folded: boolean,
  ) {
    this.writes = reach.kind === 'write';
    this.wanted = this.writes ? grounds.interest.hasWriteNarrow : grounds.interest.hasReadNarrow;
  }

  look(resolved: Resolved, rest: string): void {
    if ((!this.writes && !this.wanted) || resolved.unresolved) return;
    const { place, links } = this.grounds;
    if (this.reach.arrivals !== undefined) return void this.lookAtArrivals(resolved, rest, this.reach.arrivals);
    if (rest === '') return void this.lookAt(resolved, true);
    for (const name of resolved.names) this.access.names.push(...pushAll(join(name, rest), place));
    const tops = expandGlob(join(resolved.real, rest), maxMatches, this.grounds.list);
    if (tops === null) leaveUnseen(this.access, this.writes);
    for (const top of tops ?? []) {
      const found = resolveNames(top, place.root, links);
      this.addTop(found, resolved);
      if (!this.lookAt(found, false)) return;
    }
  }

  /** What comes from elsewhere, at the places where it would lie. */
  private lookAtArrivals(folder: Resolved, rest: string, { sources, areKnown }: Arrivals): void {
    const { place, links } = this.grounds;
    let known = areKnown;
    this.holds = protectionBelow(folder.real, place) !== null;
    if (rest !== '') for (const name of folder.names) this.access.names.push(...pushAll(join(name, rest), place));
    for (const source of sources) {
      const tops = source.extent === 'glob' ? expandGlob(source.path, maxMatches, this.grounds.list) : [source.path];
      if (tops === null) leaveUnseen(this.access, true);
      for (const top of tops ?? []) {
        const { real, unresolved } = resolveNames(top, place.root, links);
        if (unresolved || !fs.existsSync(real)) {
          known = false;
          continue;
        }
        const head = rest !== '' || source.under ? `/${path.basename(top)}` : '';
        if (head !== '') this.arrive(folder, head);
        const seen = walkBelow(
          real,
          (absolute) => void this.arrive(folder, head + absolute.slice(real === '/' ? 0 : real.length)),
          this.budget,
        );
        if (!seen) leaveUnseen(this.access, true);
      }
    }
    if (!known) this.expectAnything(folder);
  }

  /** One name below the folder, and where links that already lie there would take it. */
  private arrive(folder: Resolved, below: string): void {
    const { place, links } = this.grounds;
    for (const name of folder.names) {
      this.note(name + below);
      if (this.holds || isProtectedName(name + below)) this.protect(protectionOf(name + below, place));
    }
    const trusted = this.realFolder(folder.real, folder.real + below.slice(0, below.lastIndexOf('/')));
    if (trusted === null) return;
    const found = resolveNames(folder.real + below, trusted, links);
    if (found.names.length > 1 || found.unresolved) this.addTop(found, folder);
  }

  /** How much of a folder's path is certainly real: all of it, or what it begins with; null where nothing is. */
  private realFolder(real: string, folder: string): string | null {
    if (this.lastFolder.name === folder) return this.lastFolder.real;
    const { names, unresolved } = resolveNames(folder, real, this.grounds.links);
    const isReal = names.length === 1 && !unresolved;
    const isAbsent = isReal && attempt(() => fs.lstatSync(folder, { throwIfNoEntry: false }) === undefined) === true;
    this.lastFolder = { name: folder, real: isAbsent ? null : isReal ? folder : real };
    return this.lastFolder.real;
  }

  /** Rules and protection count as asking where one of the names that are not known could be theirs. */
  private expectAnything(folder: Resolved): void {
    const { place, interest } = this.grounds;
    const names = folder.names.flatMap((name) => pushAll(name, place));
    if (names.some((name) => interest.couldMatchWriteBelow(name.path))) this.access.unnamed = true;
    for (const name of folder.names) this.access.names.push(...pushAll(join(name, '*'), place));
    this.protect(protectionBelow(folder.real, place)?.effect === 'deny' ? { ...unnamed, firm: true } : unnamed);
  }

  /** A name that the pattern stands for: a link may lead out of the folder that the pattern is about. */
  private addTop(found: Resolved, folder: Resolved): void {
    const { place } = this.grounds;
    for (const name of found.names) {
      this.note(name);
      if (this.writes) this.protect(found.unresolved ? circular : protectionOf(name, place));
      if (!folder.names.some((base) => inside(name, base))) pushNames(this.access.names, this.access.readings, name, place);
    }
  }

  /** Looks at one existing name and everything below it. False when there is too much. */
  private lookAt({ names, real }: Resolved, whole: boolean): boolean {
    const { place } = this.grounds;
    if (this.writes) {
      const held = protectionBelow(real, place);
      this.protect(held);
      if (held?.effect === 'deny') return true;
      if (
        removals.test(this.reach.via) &&
        dependencyFolders.has(path.basename(real)) &&
        inside(real, place.root) &&
        real !== place.root
      ) {
        this.access.dependency = whole;
        const { interest } = this.grounds;
        if (!names.flatMap((name) => pushAll(name, place)).some((name) => interest.couldMatchWriteBelow(name.path, true)))
          return true;
      }
    }
    const { dependency } = this.access;
    const isSkipped = this.reach.skips ? skipper(real, this.reach.skips) : null;
    const seen = walkBelow(
      real,
      (absolute, isFolder) => {
        if (isSkipped?.(absolute, isFolder)) return 'skip';
        const below = absolute.slice(real === '/' ? 0 : real.length);
        if (this.writes && !dependency && isProtectedName(absolute)) this.protect(protectionOf(absolute, place));
        for (const name of names) this.note(name === '/' ? below : name + below);
        return undefined;
      },
      this.budget,
    );
    if (!seen) leaveUnseen(this.access, this.writes);
    return seen;
  }

  private protect(met: Protection | null): void {
    this.access.protection = stricter(this.access.protection, met);
  }

  /** Keeps a name below as a witness where a rule could match it. */
  private note(absolute: string): void {
    if (!this.wanted || this.denied >= witnessLimit || !this.isWorthAsking(absolute)) return;
    const { interest, place } = this.grounds;
    const could = (name: PathName) => (this.writes ? interest.couldMatchWrite(name) : interest.couldMatchRead(name));
    const denies = (name: PathName) => (this.writes ? interest.couldDenyWrite(name) : interest.couldDenyRead(name));
    const spelled = pushAll(absolute, place);
    const found = this.folded ? [...spelled, ...spelled.map(foldedName)] : spelled;
    if (!found.some(could)) return;
    const denied = found.some(denies);
    if (!denied && this.kept >= witnessLimit) return;
    if (denied) this.denied++;
    else this.kept++;
    this.access.below.push(...found);
  }

  /** Thousands of names lie in the same folders: what their folders say is asked for once. */
  private isWorthAsking(absolute: string): boolean {
    const { interest, place } = this.grounds;
    const slash = absolute.lastIndexOf('/');
    const folder = absolute.slice(0, slash) || '/';
    let asked = this.folders.get(folder);
    if (asked === undefined) {
      if (this.folders.size >= maxFolders) this.folders.clear();
      asked = interest[this.writes ? 'writesIn' : 'readsIn'](pushAll(folder, place), this.folded);
      this.folders.set(folder, asked);
    }
    return asked(absolute.slice(slash + 1));
  }
}

/** Beyond what is looked through, rules and protection count as if something below met them. */
function leaveUnseen(access: PathAccess, writes: boolean): void {
  access.unseen = true;
  if (writes) access.protection = stricter(access.protection, beyond);
}

/** The folder of the session's own files that every one of these names lies in. */
function ownFolderOf(names: string[], folders: string[]): string | null {
  return folders.find((folder) => names.every((name) => name !== folder && inside(name, folder))) ?? null;
}

/**
 * Adds the names of one absolute path, and the indices of each reading of it. In a worktree that the client made, the reading
 * relative to that tree is the only one an allow needs.
 */
function pushNames(names: PathName[], readings: number[][], absolute: string, place: Place): void {
  const { ofTree, relative, whole, isClients } = spellings(absolute, place);
  const at = names.length;
  if (ofTree === null) {
    if (relative === null) readings.push([names.push(whole) - 1]);
    else {
      names.push(relative, whole);
      readings.push([at, at + 1]);
    }
    return;
  }
  names.push(ofTree);
  if (isClients) {
    names.push(whole);
    readings.push([at, at + 1]);
    if (relative !== null) names.push(relative);
  } else {
    readings.push([at], [names.push(whole) - 1]);
  }
}

function pushAll(absolute: string, place: Place): PathName[] {
  const { ofTree, relative, whole } = spellings(absolute, place);
  return [relative, ofTree, whole].filter((name) => name !== null);
}

/** What an absolute path is called: relative to the project, relative to the project's place in a worktree, and whole. */
function spellings(
  absolute: string,
  place: Place,
): { relative: PathName | null; ofTree: PathName | null; whole: PathName; isClients: boolean } {
  const tree = knownWorktreeAt(absolute, place);
  return {
    isClients: tree?.isClients ?? false,
    relative: below(absolute, place.root),
    ofTree: tree === null ? null : below(absolute, tree.project),
    whole: pathName(absolute, true),
  };
}

function below(absolute: string, root: string): PathName | null {
  return inside(absolute, root) ? pathName(absolute.slice(root === '/' ? 1 : root.length + 1), false) : null;
}

/** Names as the disk spells them, where it ignores case. */
function settled(resolved: Resolved, spelling: Spelling): Resolved {
  if (resolved.unresolved) return resolved;
  const real = spelling.settle(resolved.real);
  const names = resolved.names.map((name) => (fold(name) === fold(real) ? real : name));
  return { ...resolved, real, names: [...new Set([...names.filter((name) => name !== real), real])] };
}

/** The path with another spelling of the root replaced by the real one. */
function rooted(absolute: string, { root, rootAliases }: Place): string {
  for (const alias of rootAliases) if (inside(absolute, alias)) return root + absolute.slice(alias.length);
  return absolute;
}

/** A pattern cut before its first wildcard: the folder whose content is meant, and the rest. */
function splitGlob(pattern: string): { base: string; rest: string } {
  const parts = pattern.split('/');
  const wild = parts.findIndex((part) => /[*?[]/.test(part));
  if (wild === -1) return { base: pattern, rest: '' };
  return { base: parts.slice(0, wild).join('/') || '/', rest: parts.slice(wild).join('/') };
}

function join(folder: string, rest: string): string {
  return rest === '' ? folder : path.normalize(`${folder}/${rest}`);
}

export function shown(absolute: string, { root }: Place): string {
  if (absolute === root) return '.';
  return inside(absolute, root) ? absolute.slice(root === '/' ? 1 : root.length + 1) : absolute;
}

function rootOf(real: string, place: Place): PathAccess['root'] {
  if (knownWorktreeAt(real, place) !== null) return 'worktree';
  if (inside(real, place.root)) return 'project';
  return place.temp.some((folder) => inside(real, folder)) ? 'temp' : 'outside';
}

/** A deny before an ask that is firm, that before any ask; the first of two alike. */
function stricter(one: Protection | null, other: Protection | null): Protection | null {
  if (one === null || other === null) return one ?? other;
  return weightOf(other) > weightOf(one) ? other : one;
}

function weightOf({ effect, firm }: Protection): number {
  return effect === 'deny' ? 2 : firm ? 1 : 0;
}
