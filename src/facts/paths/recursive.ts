// The existing files below a path that a call accesses recursively: names that rules could match, and protected names.
import fs from 'node:fs';
import path from 'node:path';
import { skipper } from '../../git/skipped-by-search.ts';
import type { Skips } from '../../model/command.ts';
import type { PathName, PathProtection } from '../../model/facts.ts';
import { belowOf, inside, parentOf, under } from '../../platform/path-text.ts';
import { attempt } from '../../platform/stat.ts';
import { printedFiles } from '../git-view.ts';
import { circular, protectedNamesIn, protectionBelow, protectionOf, stricter } from '../protections/paths.ts';
import { expandGlob, maxMatches, maxNames, type Visit, walkBelow } from './below.ts';
import { fold, foldedNames } from './keys.ts';
import { type LinkedPlace, leadsBelow, namesByLink } from './linked.ts';
import { join, pushAll, pushNames } from './names.ts';
import type { AccessContext, AccessRequest, Arrivals, TrackedView } from './request.ts';
import { type Resolved, resolveNames } from './resolve.ts';
import { findCheckoutAt, findCheckouts, isScratch } from './worktrees.ts';

/** Maximum number of names kept below a path for rules of either effect, and of additional names that a rule denies. */
const sampleLimit = 64;
/** Folders that package managers can recreate. Removing a whole one matches no pattern that applies at any depth. */
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
/** The files that `git add` with everything would include. */
const gitSkips: Skips = { style: 'git', hidden: false, ignored: true, globs: [], types: [], base: null };
/** Commands that only remove files. */
const removals = /^(g?rm|rmdir|rimraf|del|trash(-put)?|find -delete|git clean|git rm)\b/;
const beyond: PathProtection = {
  effect: 'deny',
  name: 'a folder too large to search',
  remedy: 'Name a smaller folder.',
};
const unnamed = {
  effect: 'ask',
  name: 'files with names that are unknown until they are written',
  remedy: 'Unpack into a new folder outside the project, check the names, then copy.',
} as const;

/** Keeps a name directly in a folder if a rule could match it. */
type Note = (name: string) => void;

const ignoreName: Note = () => undefined;

/** What is found about the path of an access. */
export class Findings {
  readonly names: PathName[];
  readonly readings: number[][];
  readonly below: PathName[] = [];
  unseen = false;
  unnamed = false;
  dependency = false;
  protection: PathProtection | null = null;

  constructor(names: readonly PathName[], readings: readonly number[][]) {
    this.names = [...names];
    this.readings = [...readings];
  }

  protect(protection: PathProtection | null): void {
    this.protection = stricter(this.protection, protection);
  }
}

/** Examines a recursive access: fills `below` with existing names that a rule could match, and finds protected names. */
export class RecursiveAccess {
  private readonly writes: boolean;
  private readonly wanted: boolean;
  private readonly linked: readonly LinkedPlace[];
  private sampled = 0;
  private denied = 0;
  /** True if there are protected places below that cannot be found by name. */
  private holds = false;
  private readonly budget: { left: number };
  /** Real paths of links that were followed, so that a cycle ends. */
  private readonly followed = new Set<string>();
  /** The last check of a name that a rule could match. */
  private counts = (): boolean => true;
  /** Cache for the last folder, because the names of a folder arrive one after another. */
  private last: { folder: string; note: Note } = { folder: '', note: ignoreName };

  constructor(
    private readonly findings: Findings,
    private readonly request: AccessRequest,
    private readonly context: Required<AccessContext>,
  ) {
    this.budget = context.limits.names(maxNames);
    this.writes = request.kind === 'write';
    this.linked = context.linked(request.kind);
    this.wanted = this.writes ? context.pathFilter.hasWriteRestriction : context.pathFilter.hasReadRestriction;
  }

  look(resolved: Resolved, rest: string): void {
    if ((!this.writes && !this.wanted) || resolved.unresolved) return;
    const { place, links } = this.context;
    const { request } = this;
    if (request.kind === 'read' && request.view !== undefined) return void this.checkGitView(request.view);
    if (request.kind === 'write' && request.arrivals !== undefined)
      return void this.checkArrivals(resolved, rest, request.arrivals);
    if (rest === '') return void this.checkPath(resolved, 'whole');
    for (const name of resolved.names) this.findings.names.push(...pushAll(join(name, rest), place));
    const tops = expandGlob(join(resolved.real, rest), maxMatches, this.context.list);
    if (tops === null) this.leaveUnseen();
    for (const top of tops ?? []) {
      const resolvedPath = resolveNames(top, place.root, links);
      // A wildcard may match the folder of a checkout.
      for (const name of resolvedPath.names) findCheckouts(name, place);
      this.addTop(resolvedPath, resolved);
      if (!this.checkPath(resolvedPath, 'match')) return;
    }
  }

  /** Tracked files that git prints, anywhere in the repository, even if they are not on the disk. */
  private checkGitView({ view, alsoCounts, isWritten }: TrackedView): void {
    const printed = printedFiles(view, this.context.place, isWritten);
    if (printed === null) return;
    if (printed === 'unknown') {
      this.leaveUnseen();
      return;
    }
    const noteIn = (folder: string): Note => {
      const note = this.noteIn(folder);
      return (name) => {
        this.counts = () => printed.isPrinted(under(folder, name));
        note(name);
      };
    };
    for (const [folder, names] of printed.folders) {
      const note = noteIn(folder);
      for (const name of names) note(name);
    }
    if (alsoCounts === null) return;
    const skips = skipper(printed.top, { ...gitSkips, ignored: alsoCounts === 'unignored' });
    const enter = (folder: string): Visit => {
      const note = noteIn(folder);
      const isSkipped = skips(folder);
      return (name, isFolder) => {
        if (isSkipped(name, isFolder)) return 'skip';
        note(name);
        return undefined;
      };
    };
    if (!walkBelow(printed.top, enter, this.budget, this.context.list)) this.leaveUnseen();
  }

  /** Checks the files that arrive from elsewhere, at their new places. */
  private checkArrivals(folder: Resolved, rest: string, { sources, areKnown }: Arrivals): void {
    const { place, links } = this.context;
    let known = areKnown;
    this.holds = protectionBelow(folder.real, place) !== null;
    if (rest !== '') for (const name of folder.names) this.findings.names.push(...pushAll(join(name, rest), place));
    for (const source of sources) {
      const tops = source.extent === 'glob' ? expandGlob(source.path, maxMatches, this.context.list) : [source.path];
      if (tops === null) this.leaveUnseen();
      for (const top of tops ?? []) {
        const { real, unresolved } = resolveNames(top, place.root, links);
        if (unresolved || !fs.existsSync(real)) {
          known &&= source.isMade && !unresolved;
          continue;
        }
        const head = rest !== '' || source.under ? path.basename(top) : '';
        if (head !== '') this.arriveIn(folder, '')(head, false, false);
        const enter = (at: string) => this.arriveIn(folder, at === real ? head : under(head, belowOf(at, real)));
        const isComplete = walkBelow(real, enter, this.budget, this.context.list);
        if (!isComplete) this.leaveUnseen();
      }
    }
    if (!known) this.expectAnything(folder);
  }

  /**
   * Visits each name that will appear directly in a folder. `below` is the path of that folder below the written folder. Follows
   * links there.
   */
  private arriveIn(folder: Resolved, below: string): Visit {
    const { place, links } = this.context;
    const arrived = folder.names.map((name) => {
      const at = pathIn(name, below);
      return { at, note: this.noteIn(at), isProtected: this.holds ? anyName : protectedNamesIn(at) };
    });
    const at = pathIn(folder.real, below);
    const trusted = this.realFolder(folder.real, at);
    return (name) => {
      for (const one of arrived) {
        one.note(name);
        if (one.isProtected(name)) this.findings.protect(protectionOf(under(one.at, name), place));
      }
      if (trusted === null) return undefined;
      const resolved = resolveNames(under(at, name), trusted, links);
      if (resolved.names.length > 1 || resolved.unresolved) this.addTop(resolved, folder);
      return undefined;
    };
  }

  /** The longest prefix of a folder's path that is certainly real. null if the folder does not exist, so no link can be in it. */
  private realFolder(real: string, folder: string): string | null {
    const resolved = resolveNames(folder, real, this.context.links);
    const isReal = resolved.names.length === 1 && !resolved.unresolved;
    if (!isReal) return real;
    return attempt(() => fs.lstatSync(resolved.real, { throwIfNoEntry: false }) === undefined) === true ? null : resolved.real;
  }

  /** Rules and protections ask if one of the unknown names could match them. */
  private expectAnything(folder: Resolved): void {
    const { place, pathFilter } = this.context;
    const called = folder.names.flatMap((name) => [name, ...namesByLink(name, this.linked)]);
    const names = called.flatMap((name) => pushAll(name, place));
    const isNamed = names.some((name) => pathFilter.couldMatchWriteBelow(name.path));
    if (isNamed || leadsBelow(folder.real, this.linked)) this.findings.unnamed = true;
    for (const name of folder.names) this.findings.names.push(...pushAll(join(name, '*'), place));
    const isFirm = protectionBelow(folder.real, place)?.effect === 'deny';
    // No name in the temporary folder is protected, except in a project there.
    if (isFirm || !isScratch(folder.real, place)) this.findings.protect(isFirm ? { ...unnamed, firm: true } : unnamed);
  }

  /** Adds a match of the pattern. A link may lead out of the folder that contains it. */
  private addTop(resolved: Resolved, folder: Resolved): void {
    const { place } = this.context;
    for (const name of resolved.names) {
      this.note(name);
      if (this.writes) this.findings.protect(resolved.unresolved ? circular : protectionOf(name, place));
      if (!folder.names.some((base) => inside(name, base))) pushNames(this.findings.names, this.findings.readings, name, place);
    }
  }

  /** Checks one existing name and everything below it. False if there is too much. */
  private checkPath(top: Resolved, is: 'whole' | 'match' | 'link target'): boolean {
    const { names, real } = top;
    const { place } = this.context;
    if (this.writes) {
      const protection = protectionBelow(real, place);
      this.findings.protect(protection);
      if (protection?.effect === 'deny') return true;
      if (
        removals.test(this.request.via) &&
        dependencyFolders.has(path.basename(real)) &&
        inside(real, place.root) &&
        real !== place.root
      ) {
        this.findings.dependency = is === 'whole';
        const { pathFilter } = this.context;
        if (leadsBelow(real, this.linked)) this.findings.dependency = false;
        else if (!names.flatMap((name) => pushAll(name, place)).some((name) => pathFilter.couldMatchWriteBelow(name.path, true)))
          return true;
      }
    }
    const { dependency } = this.findings;
    // The targets of links are checked without the exclusions, because these apply to the path through the link.
    const { request } = this;
    const skips = request.kind === 'read' && request.skips && is !== 'link target' ? skipper(real, request.skips) : null;
    this.followed.add(real);
    const led: string[] = [];
    const enter = (folder: string): Visit => {
      const below = belowOf(folder, real);
      const notes = names.map((name) => this.noteIn(pathIn(name, below)));
      const isSkipped = skips?.(folder);
      const isProtected = this.writes && !dependency ? protectedNamesIn(folder) : noName;
      return (name, isFolder, isLink) => {
        const isFollowed = isLink && request.kind === 'read' && request.follows === true;
        // The link may lead to a folder, so patterns for folders apply to its name.
        if (isSkipped?.(name, isFolder || isFollowed)) return 'skip';
        if (isFollowed) led.push(under(folder, name));
        else if (isLink && request.opens) this.follow(under(folder, name), top);
        if (isProtected(name)) this.findings.protect(protectionOf(under(folder, name), place));
        for (const note of notes) note(name);
        return undefined;
      };
    };
    const isComplete = walkBelow(real, enter, this.budget, this.context.list);
    // Creating a link does not access its target yet. So a large folder only asks, and only if a rule could match something in
    // it.
    if (!isComplete && this.request.newLinks === 'to it') this.findings.unnamed = true;
    else if (!isComplete) this.leaveUnseen();
    return isComplete && led.every((link) => this.followLink(link));
  }

  /** Checks the target of a link and everything below it. False if there is too much. */
  private followLink(link: string): boolean {
    const resolved = resolveNames(link, parentOf(link), this.context.links);
    // A link of a process has a different target for every program.
    if (resolved.mirror !== undefined) this.leaveUnseen();
    if (resolved.unresolved || this.followed.has(resolved.real)) return true;
    for (const name of resolved.names) this.note(name);
    return this.checkPath(resolved, 'link target');
  }

  /** Follows a link to a file or folder elsewhere, into which the program may write. */
  private follow(link: string, top: Resolved): void {
    const resolved = resolveNames(link, this.context.place.root, this.context.links);
    this.addTop(resolved, top);
    if (resolved.unresolved || this.followed.has(resolved.real)) return;
    this.followed.add(resolved.real);
    this.note(under(resolved.real, '*'));
    // A second name for the folder also gives access to the targets of all links in it.
    if (this.request.newLinks === 'to it') this.checkPath(resolved, 'match');
  }

  /** Beyond the limits, rules and protections apply as if something below matched them. */
  private leaveUnseen(): void {
    this.findings.unseen = true;
    if (this.writes) this.findings.protect(beyond);
  }

  /** Keeps a name below the path if a rule could match it. */
  private note(absolute: string): void {
    const folder = parentOf(absolute);
    if (this.last.folder !== folder) this.last = { folder, note: this.noteIn(folder) };
    this.last.note(absolute.slice(absolute.lastIndexOf('/') + 1));
  }

  /** The same for the names in a folder. The folder's own path is checked once, under each name that links give it. */
  private noteIn(folder: string): Note {
    if (!this.wanted) return ignoreName;
    const notes = [folder, ...namesByLink(folder, this.linked)].map((one) => this.noteInOne(one));
    // Links whose target is a name in this folder, compared without case.
    const here = this.linked.filter(({ real }) => fold(parentOf(real)) === fold(folder));
    if (notes.length === 1 && here.length === 0) return notes[0] as Note;
    return (name) => {
      for (const note of notes) note(name);
      for (const other of namesByLink(under(folder, name), here)) this.keep(other);
    };
  }

  private noteInOne(folder: string): Note {
    const { pathFilter, place } = this.context;
    findCheckoutAt(folder, place);
    const couldMatch = pathFilter[this.writes ? 'writesIn' : 'readsIn'](pushAll(folder, place));
    return (name) => {
      if (couldMatch(name)) this.keep(under(folder, name));
    };
  }

  private keep(absolute: string): void {
    if (this.denied >= sampleLimit) return;
    const { pathFilter, place } = this.context;
    const could = (name: PathName) => (this.writes ? pathFilter.couldMatchWrite(name) : pathFilter.couldMatchRead(name));
    const denies = (name: PathName) => (this.writes ? pathFilter.couldDenyWrite(name) : pathFilter.couldDenyRead(name));
    const spelled = pushAll(absolute, place);
    const pathNames = [...spelled, ...foldedNames(spelled)];
    if (!pathNames.some(could)) return;
    if (!this.counts()) return;
    const denied = pathNames.some(denies);
    if (!denied && this.sampled >= sampleLimit) return;
    if (denied) this.denied++;
    else this.sampled++;
    this.findings.below.push(...pathNames);
  }
}

const anyName = () => true;
const noName = () => false;

/** A path below a folder, or the folder itself if `below` is empty. */
function pathIn(folder: string, below: string): string {
  return below === '' ? folder : under(folder, below);
}
