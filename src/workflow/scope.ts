// The scope of a mode: the project, a worktree or a session.
import fs from 'node:fs';
import path from 'node:path';
import type { Place } from '../facts/paths/place.ts';
import { cachedWorktreeAt, findCheckouts, type Worktree } from '../facts/paths/worktrees.ts';
import type { Topology } from '../model/configuration.ts';
import type { Facts } from '../model/facts.ts';
import { inside } from '../platform/path-text.ts';
import { pinnedSessions } from '../store/session-pins.ts';
import { noAuthority } from './grants.ts';
import { noWork } from './plan/work.ts';
import { type ModeState, StateStore } from './state.ts';

/** The caller. If the scope is session or worktree, each session or worktree has a mode of its own. */
export interface Caller {
  session: string | null;
  /** Absolute. */
  cwd: string | null;
}

/** A caller that has neither a session nor a folder. */
export const nobody: Caller = { session: null, cwd: null };

/** Limit on the open stores of sessions and worktrees. */
const maxStores = 200;

/** The states of one project: one store for each scope that has a mode of its own. */
export class Stores {
  private readonly open = new Map<string, StateStore>();
  private isChecking = false;

  constructor(
    private readonly root: string,
    private readonly folder: string,
    private readonly place: Place,
    /** See `StateStore`. */
    private readonly build: string | null = null,
  ) {}

  /** The key of the caller's scope; '' for the project. null if each session has a mode and the caller names no session. */
  key({ session, cwd }: Caller, topology: Topology | null): string | null {
    switch (topology?.scope) {
      case 'session':
        return session === null ? null : `session ${session}`;
      case 'worktree': {
        return cwd === null ? '' : this.treeOf(cwd);
      }
      default:
        return '';
    }
  }

  /** The store of the caller's scope; null if `key` returns null. */
  of(caller: Caller, topology: Topology | null): StateStore | null {
    const key = this.key(caller, topology);
    if (key === null) return null;
    let store = this.open.get(key);
    if (store === undefined) {
      if (this.open.size >= maxStores) this.open.clear();
      store = new StateStore(this.root, this.folder, this.place.dataFolder, key, this.build);
      this.open.set(key, store);
      if (this.isChecking) void store.check();
    }
    return store;
  }

  /** The folder that a mode applies to: the worktree if worktrees have modes, otherwise the project's root. */
  scopeRoot({ cwd }: Caller, topology: Topology | null): string {
    return (topology?.scope === 'worktree' && cwd !== null && this.treeAt(cwd)?.project) || this.root;
  }

  /** Verifies the entries that summaries replaced, for every journal that is open now or opened later. */
  async check(): Promise<void> {
    this.isChecking = true;
    await Promise.all([...this.open.values()].map((store) => store.check()));
  }

  /** Stores a summary of every journal that was read. */
  summarise(): void {
    for (const store of this.open.values()) store.summarise();
  }

  /** Other scopes of the project that a call reads or writes in. */
  reached(from: Caller, topology: Topology | null, { reads, writes }: Facts): Caller[] {
    if (topology?.scope !== 'worktree') return [];
    const own = this.key(from, topology);
    const found = new Map<string, Caller>();
    for (const { names, readings, deep } of [...reads, ...writes])
      for (const at of new Set(readings.flat())) {
        const name = names[at]?.path ?? '';
        const isWithin = name === this.root || inside(name, this.root) || (deep && inside(this.root, name));
        // Git's own files are shared by all worktrees.
        if (!isWithin || inside(name, `${this.root}/.git`)) continue;
        const key = this.treeOf(name);
        if (key !== own && !found.has(key)) found.set(key, { session: from.session, cwd: name });
      }
    return [...found.values()];
  }

  private treeOf(name: string): string {
    const tree = this.treeAt(name);
    return tree === null ? '' : `worktree ${path.basename(tree.root)}`;
  }

  /**
   * The worktree with a mode of its own that contains a path. Only worktrees that the client creates in `.claude/worktrees` have
   * one. Any other folder there is an ordinary part of the project, and so is a worktree inside a worktree: an agent can create
   * both.
   */
  private treeAt(name: string): Worktree | null {
    const trees = `${this.root}/.claude/worktrees`;
    if (!name.startsWith(`${trees}/`)) return null;
    findCheckouts(name, this.place);
    const tree = cachedWorktreeAt(name, this.place);
    return tree !== null && path.dirname(tree.root) === trees ? tree : null;
  }
}

/** All scopes with a mode of their own: the project and its worktrees, or the sessions that have started. */
export function everybody(root: string, dataFolder: string, scope: Topology['scope']): Caller[] {
  if (scope === 'session') return pinnedSessions(dataFolder, root).map((session) => ({ session, cwd: null }));
  const trees = scope === 'worktree' ? namesIn(path.join(root, '.claude/worktrees')) : [];
  return [null, ...trees.map((name) => path.join(root, '.claude/worktrees', name))].map((cwd) => ({ session: null, cwd }));
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

export const noSession: ModeState = {
  mode: null,
  degraded: { code: 'E_NO_SESSION', message: 'each session has its own mode (scope: session), and this call names no session' },
  since: null,
  enteredBy: null,
  entries: [],
  work: noWork,
  authority: noAuthority,
};
