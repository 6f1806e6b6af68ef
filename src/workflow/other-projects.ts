// Other governed projects that a call touches: below, above or beside the session's start folder. The present mode of each
// decides too, and applies only if it is more restrictive.
import fs from 'node:fs';
import path from 'node:path';
import { mayNameFiles, pathsNamedIn } from '../facts/collect.ts';
import { expandGlob } from '../facts/paths/below.ts';
import { foldedNames } from '../facts/paths/keys.ts';
import type { Place } from '../facts/paths/place.ts';
import { cachedProjectsBelow, findProjectsBelow, isSearched } from '../facts/paths/projects-below.ts';
import { resolveNames } from '../facts/paths/resolve.ts';
import { isCheckoutOfProject, placesInCheckouts } from '../facts/paths/worktrees.ts';
import type { Decision } from '../model/decision.ts';
import type { Facts, PathAccess, ToolCall } from '../model/facts.ts';
import { governedMarker, makeFolder } from '../platform/data-folder.ts';
import { inside } from '../platform/path-text.ts';
import { attempt, realOr, statOf } from '../platform/stat.ts';
import { type ProjectLocation, projectAt } from '../store/find-project.ts';
import { journalFolder } from './journal.ts';

/** Another project, as far as it decides calls from outside. */
export interface OtherProject {
  readonly root: string;
  readonly released: boolean;
  ready(): Promise<void>;
  /** Decides the part of the call that touches this project, by its present mode. */
  decideFromOutside(call: ToolCall): Decision;
}

/** Facts about a call, collected before other projects decide. */
export interface Touching {
  facts: Pick<Facts, 'reads' | 'writes'> | null;
  /** For each of its Bash commands, the folders in which it may run, and the paths that it may use. */
  workedIn: readonly (readonly string[])[];
  call: ToolCall;
}

/** Limit on the projects that decide one call. A call that touches more of them is denied. */
const maxProjects = 32;
/** Milliseconds until a project is checked for changes again. */
const freshMs = 200;
/** Milliseconds until a folder is searched again, but at least `share` times the duration of the search. */
const refreshMs = 1_000;
const share = 50;

interface SearchedFolder {
  until: number;
  roots: readonly string[];
}

export class OtherProjects<Other extends OtherProject = OtherProject> {
  private readonly opened = new Map<string, Other>();
  private readonly searchedFolders = new Map<string, SearchedFolder>();
  /** Projects that a decision needed before they were loaded. */
  private readonly waiting = new Set<Other>();
  /** When each project was last made ready, in milliseconds of this process. */
  private readonly readyAt = new Map<Other, number>();

  constructor(
    private readonly place: Place,
    /** The session's own project; null if its folder has none. */
    private readonly own: string | null,
    private readonly open: (location: ProjectLocation) => Other,
  ) {}

  /** The other projects that a call touches. */
  touchedBy({ facts, workedIn, call }: Touching): Other[] {
    const found = new Map<string, ProjectLocation>();
    const known = new Map<string, ProjectLocation | null>();
    const note = (one: ProjectLocation | null): void => {
      if (one === null || one.root === this.own) return;
      const root = realOr(one.root);
      const folder = identityOf(root);
      const isOther = [this.own, this.place.home].every((name) => name === null || identityOf(name) !== folder);
      if (!isOther || found.has(folder) || found.size > maxProjects || this.isOwnCheckout(root)) return;
      found.set(folder, root === one.root ? one : (projectAt(root, this.place) ?? one));
    };
    const at = (folder: string): void => {
      note(this.nearest(folder, known));
      for (const one of this.byRepository(folder, known)) note(one);
    };
    const atOrBelow = (folder: string): void => {
      at(folder);
      for (const root of this.below(folder)) note(projectAt(root, this.place));
    };
    for (const access of facts === null ? [] : [...facts.reads, ...facts.writes]) {
      for (const name of absoluteNames(access)) (access.deep ? atOrBelow : at)(name);
      const pattern = path.resolve(this.place.root, access.path);
      if (access.deep && /[*?[]/.test(access.path)) for (const match of expandGlob(pattern) ?? []) at(realOr(match));
    }
    for (const folder of new Set(workedIn.flat().flatMap((one) => [one, realOr(one)]))) at(folder);
    // Tools of servers, and tools that may do anything, name files in any argument.
    const namesFiles = facts !== null && mayNameFiles(call);
    if (namesFiles && !call.tool.startsWith('mcp__')) at(realOr(call.cwd));
    for (const name of namesFiles ? pathsNamedIn(call, this.place) : []) {
      const { real } = resolveNames(name, '/');
      (inside(this.place.home, real) || statOf(real)?.isDirectory() !== true ? at : atOrBelow)(real);
    }
    return [...found.values()].map((one) => this.projectOf(one));
  }

  /** The decisions of these projects, each on its part of the call. */
  decide(call: ToolCall, touched: readonly Other[]): { decision: Decision; project: Other }[] {
    const [first] = touched;
    if (first !== undefined && touched.length > maxProjects)
      return [{ decision: tooMany(first.decideFromOutside(call)), project: first }];
    return touched.flatMap((project) => {
      if (performance.now() - (this.readyAt.get(project) ?? Number.NEGATIVE_INFINITY) > freshMs) this.waiting.add(project);
      return project.released ? [] : { decision: project.decideFromOutside(call), project };
    });
  }

  /** Loads the projects that the last decision lacked. True if the decision must be made again. */
  async load(): Promise<boolean> {
    if (this.waiting.size === 0) return false;
    const waiting = [...this.waiting];
    this.waiting.clear();
    await Promise.all(waiting.map((one) => one.ready()));
    for (const one of waiting) this.readyAt.set(one, performance.now());
    return true;
  }

  /** Loads the projects below the session's own, for hosts that decide without waiting. */
  async loadBelow(): Promise<void> {
    if (this.own === null) return;
    for (const root of this.below(this.own)) {
      const location = projectAt(root, this.place);
      if (location !== null && this.waiting.size < maxProjects) this.waiting.add(this.projectOf(location));
    }
    await this.load();
  }

  get isWaiting(): boolean {
    return this.waiting.size > 0;
  }

  /** Roots of governed projects below a folder: those that a bounded search finds, and known ones at any depth. */
  below(folder: string): readonly string[] {
    const top = this.own !== null && inside(folder, this.own) && isSearched(folder, this.own) ? this.own : folder;
    const { home } = this.place;
    return this.findBelow(top).filter((root) => root !== folder && root !== this.own && root !== home && inside(root, folder));
  }

  /** Caches the result for a while, because a search costs more than most decisions. */
  private findBelow(folder: string): readonly string[] {
    const before = this.searchedFolders.get(folder);
    const now = performance.now();
    if (before !== undefined && now < before.until) return before.roots;
    const roots = [...new Set([...findProjectsBelow(folder), ...cachedProjectsBelow(folder, this.place.dataFolder)])];
    const done = performance.now();
    this.searchedFolders.set(folder, { until: done + Math.max(refreshMs, share * (done - now)), roots });
    return roots;
  }

  private projectOf(location: ProjectLocation): Other {
    let project = this.opened.get(location.root);
    if (project === undefined) {
      project = this.open(location);
      this.opened.set(location.root, project);
    }
    return project;
  }

  private nearest(folder: string, known: Map<string, ProjectLocation | null>): ProjectLocation | null {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const own = folder === this.place.home ? null : projectAt(folder, this.place);
    const location = folder === '/' ? null : (own ?? this.nearest(path.dirname(folder), known));
    known.set(folder, location);
    return location;
  }

  /** For a path without modes: the projects at the same place in the other checkouts of its repository. */
  private byRepository(name: string, known: Map<string, ProjectLocation | null>): (ProjectLocation | null)[] {
    if ((this.own !== null && inside(name, this.own)) || this.nearest(name, known) !== null) return [];
    return placesInCheckouts(name).map((one) => this.nearest(one, known));
  }

  /**
   * Another checkout of the session's own repository has a mode of its own only after somebody worked in it and it got a journal.
   */
  private isOwnCheckout(root: string): boolean {
    if (this.own === null || !isCheckoutOfProject(root, this.place)) return false;
    return !fs.existsSync(journalFolder(this.place.dataFolder, root, ''));
  }
}

function tooMany(decision: Decision): Decision {
  const reason = `The call touches more than ${maxProjects} governed projects. Split it into several calls.`;
  return { ...decision, decision: 'deny', by: 'call', rules: [], also: [], policies: [], protections: [], reason, remedy: '' };
}

/** The same for each name of a folder: through a link, or in other case on a disk that ignores case. */
function identityOf(folder: string): string {
  const stat = attempt(() => fs.statSync(folder, { throwIfNoEntry: false }) ?? null);
  return stat === null ? folder : `${stat.dev} ${stat.ino}`;
}

/** Without the names in lower case, which are for rules only: they may not exist, or be another folder. */
function absoluteNames({ names, readings }: PathAccess): string[] {
  const spelled = new Set(readings.flat());
  const folded = new Set(foldedNames(names).map(({ path: name }) => name));
  return names.flatMap(({ path: name }, at) => (name.startsWith('/') && (spelled.has(at) || !folded.has(name)) ? [name] : []));
}

/**
 * Records that a folder has projects below it. The shell client checks only this folder of markers. Throws if the disk refuses.
 */
export function markAround(dataFolder: string, roots: readonly string[]): void {
  for (const root of roots) makeFolder(path.dirname(governedMarker(dataFolder, root)));
}
