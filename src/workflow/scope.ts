// Whose mode it is: the project's, a worktree's or a session's.
import fs from 'node:fs';
import path from 'node:path';
import type { Place } from '../facts/paths/place.ts';
import { knownWorktreeAt, lookForCheckouts, type Worktree } from '../facts/paths/worktrees.ts';
import type { Topology } from '../model/configuration.ts';
import type { Facts } from '../model/facts.ts';
import { inside } from '../platform/path-text.ts';
import { pinnedSessions } from '../store/session-pins.ts';
import { noAuthority } from './grants.ts';
import { noWork } from './plan/work.ts';
import { type State, StateStore } from './state.ts';

/** Who asks: with a scope of session or worktree each has a mode of its own. */
export interface Caller {
  session: string | null;
  /** Absolute. */
  cwd: string | null;
}

/** A caller that names neither a session nor a folder. */
export const nobody: Caller = { session: null, cwd: null };

/** Stores of sessions and worktrees that are kept open. */
const maxStores = 200;

/** The states of one project, one for each that has a mode of its own. */
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

  /** Names whose mode it is; '' for the project, null when each session has one and the asker names none. */
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

  /** The state of whoever asks; null where `key` is. */
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

  /** The folder that a mode is about: a worktree's own, where each has a mode; else the project's root. */
  ground({ cwd }: Caller, topology: Topology | null): string {
    return (topology?.scope === 'worktree' && cwd !== null && this.treeAt(cwd)?.project) || this.root;
  }

  /** Reads what summaries stand for, of every journal that is open now or later. */
  async check(): Promise<void> {
    this.isChecking = true;
    await Promise.all([...this.open.values()].map((store) => store.check()));
  }

  /** Keeps of every journal that was read what it came to. */
  summarise(): void {
    for (const store of this.open.values()) store.summarise();
  }

  /** Places in the project with a mode of their own that a call reads or writes in, from another such place. */
  reached(from: Caller, topology: Topology | null, { reads, writes }: Facts): Caller[] {
    if (topology?.scope !== 'worktree') return [];
    const own = this.key(from, topology);
    const found = new Map<string, Caller>();
    for (const { names, readings, deep } of [...reads, ...writes])
      for (const at of new Set(readings.flat())) {
        const name = names[at]?.path ?? '';
        const isWithin = name === this.root || inside(name, this.root) || (deep && inside(this.root, name));
        // Git's own bookkeeping is shared.
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
   * The worktree with a mode of its own that a path lies in, as the client makes them. A folder there that is no worktree of the
   * repository is a part of the project like any other, and so is a worktree in one: everybody may make them.
   */
  private treeAt(name: string): Worktree | null {
    const trees = `${this.root}/.claude/worktrees`;
    if (!name.startsWith(`${trees}/`)) return null;
    lookForCheckouts(name, this.place);
    const tree = knownWorktreeAt(name, this.place);
    return tree !== null && path.dirname(tree.root) === trees ? tree : null;
  }
}

/** Everybody who has a mode of their own: the project, its worktrees, or the sessions that have begun. */
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

export const noSession: State = {
  mode: null,
  trouble: { code: 'E_NO_SESSION', message: 'every session has a mode of its own (scope: session) and this call names none' },
  since: null,
  enteredBy: null,
  entries: [],
  work: noWork,
  authority: noAuthority,
};
