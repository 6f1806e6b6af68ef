// Other governed projects that a call touches: below, above or beside the folder that a session started in. The present mode of each
// is asked as well, and only what is stricter counts.
import fs from 'node:fs';
import path from 'node:path';
import type { Place } from '../facts/paths/place.ts';
import { findProjectsBelow, knownProjectsBelow } from '../facts/paths/projects-below.ts';
import { checkoutsOf, isCheckoutOfProject } from '../facts/paths/worktrees.ts';
import type { Decision } from '../model/decision.ts';
import type { Facts, PathAccess, ToolCall } from '../model/facts.ts';
import { governedMarker, makeFolder } from '../platform/data-folder.ts';
import { belowOf, inside, under } from '../platform/path-text.ts';
import { isStricter } from '../policy/verdict.ts';
import { type Found, projectAt } from '../store/find-project.ts';
import { journalFolder } from './journal.ts';

/** Another project, as far as it is asked about a call from outside of it. */
export interface OtherProject {
  readonly root: string;
  readonly released: boolean;
  ready(): Promise<void>;
  /** What its present mode says of the part of a call that touches it. */
  decideFromOutside(call: ToolCall): Decision;
}

/** What is known of a call before other projects are asked. */
export interface Touching {
  facts: Pick<Facts, 'reads' | 'writes'> | null;
  /** The folders that its Bash commands may run in. */
  workedIn: readonly (readonly string[])[];
}

/** Projects that one call is judged by. */
const maxProjects = 32;
/** Milliseconds until a project is looked at again for changes. */
const freshMs = 200;
/** Milliseconds until a folder is looked through again, and how many times longer than the look took. */
const lookAgainMs = 1_000;
const share = 50;

interface Looked {
  until: number;
  roots: readonly string[];
}

export class OtherProjects<Other extends OtherProject = OtherProject> {
  private readonly opened = new Map<string, Other>();
  private readonly looked = new Map<string, Looked>();
  /** Projects that a decision needed before they were loaded. */
  private readonly waiting = new Set<Other>();
  /** When each project was made ready last, milliseconds of this process. */
  private readonly readyAt = new Map<Other, number>();

  constructor(
    private readonly place: Place,
    /** The session's own project; null where its folder has none. */
    private readonly own: string | null,
    private readonly open: (found: Found) => Other,
  ) {}

  /** The other projects that a call touches. */
  touchedBy({ facts, workedIn }: Touching): Other[] {
    const found = new Map<string, Found>();
    const known = new Map<string, Found | null>();
    const note = (one: Found | null): void => {
      if (one !== null && one.root !== this.own && found.size < maxProjects && !this.isOwnCheckout(one.root))
        found.set(one.root, one);
    };
    const at = (folder: string): void => {
      note(this.nearest(folder, known));
      note(this.byRepository(folder, known));
    };
    for (const access of facts === null ? [] : [...facts.reads, ...facts.writes]) {
      for (const name of absoluteNames(access)) {
        at(name);
        if (access.deep) for (const root of this.below(name)) note(projectAt(root, this.place));
      }
    }
    for (const folder of new Set(workedIn.flat())) at(folder);
    return [...found.values()].map((one) => this.projectOf(one));
  }

  /** The strictest of what these projects say, with the project; null where none denies or asks. */
  judge(call: ToolCall, touched: readonly Other[]): { decision: Decision; by: Other } | null {
    let strictest: { decision: Decision; by: Other } | null = null;
    for (const by of touched) {
      if (performance.now() - (this.readyAt.get(by) ?? Number.NEGATIVE_INFINITY) > freshMs) this.waiting.add(by);
      if (by.released) continue;
      const decision = by.decideFromOutside(call);
      if (decision.decision !== 'deny' && decision.decision !== 'ask') continue;
      if (strictest === null || isStricter(decision.decision, strictest.decision.decision)) strictest = { decision, by };
    }
    return strictest;
  }

  /** Loads what the last decision needed; true where it has to be made again. */
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
      const found = projectAt(root, this.place);
      if (found !== null && this.waiting.size < maxProjects) this.waiting.add(this.projectOf(found));
    }
    await this.load();
  }

  get isWaiting(): boolean {
    return this.waiting.size > 0;
  }

  /** Roots of governed projects below a folder, found by a bounded look, and those that are known from before at any depth. */
  below(folder: string): readonly string[] {
    const top = this.own !== null && inside(folder, this.own) ? this.own : folder;
    const { home } = this.place;
    return this.lookBelow(top).filter((root) => root !== folder && root !== this.own && root !== home && inside(root, folder));
  }

  /** What was found is kept for a while: to look costs more than most decisions. */
  private lookBelow(folder: string): readonly string[] {
    const before = this.looked.get(folder);
    const now = performance.now();
    if (before !== undefined && now < before.until) return before.roots;
    const roots = [...new Set([...findProjectsBelow(folder), ...knownProjectsBelow(folder, this.place.dataFolder)])];
    const done = performance.now();
    this.looked.set(folder, { until: done + Math.max(lookAgainMs, share * (done - now)), roots });
    return roots;
  }

  private projectOf(found: Found): Other {
    let project = this.opened.get(found.root);
    if (project === undefined) {
      project = this.open(found);
      this.opened.set(found.root, project);
    }
    return project;
  }

  private nearest(folder: string, known: Map<string, Found | null>): Found | null {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const own = folder === this.place.home ? null : projectAt(folder, this.place);
    const found = folder === '/' ? null : (own ?? this.nearest(path.dirname(folder), known));
    known.set(folder, found);
    return found;
  }

  /** The project of a checkout that holds no modes itself, where the main checkout of the repository does at the same place. */
  private byRepository(name: string, known: Map<string, Found | null>): Found | null {
    if ((this.own !== null && inside(name, this.own)) || this.nearest(name, known) !== null) return null;
    const [top, main] = checkoutsOf(name);
    if (top === undefined || main === undefined || !inside(name, top)) return null;
    // Without a slash at the end: projects are compared by their roots.
    return this.nearest(path.resolve(under(main, belowOf(name, top))), known);
  }

  /** Another checkout of the session's own repository is judged by its own mode only where somebody worked in it. */
  private isOwnCheckout(root: string): boolean {
    if (this.own === null || !isCheckoutOfProject(root, this.place)) return false;
    return !fs.existsSync(journalFolder(this.place.dataFolder, root, ''));
  }
}

function absoluteNames({ names }: PathAccess): string[] {
  return names.flatMap(({ path: name }) => (name.startsWith('/') ? [name] : []));
}

/** Lets the shell client know that projects lie below a folder: it looks for nothing but this folder of marks. Throws where the disk refuses. */
export function markAround(dataFolder: string, roots: readonly string[]): void {
  for (const root of roots) makeFolder(path.dirname(governedMarker(dataFolder, root)));
}
