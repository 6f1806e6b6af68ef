// Whose mode it is: the project's, a worktree's or a session's.
import fs from 'node:fs';
import path from 'node:path';
import { pinnedSessions } from '../config/pins.ts';
import type { Topology } from '../config/types.ts';
import { noAuthority } from './grants.ts';
import { noWork } from './plan/work.ts';
import { type State, StateStore } from './state.ts';

/** Who asks: with a scope of session or worktree each has a mode of its own. */
export interface Where {
  session: string | null;
  /** Absolute. */
  cwd: string | null;
}

/** Stores of sessions and worktrees that are kept open. */
const maxStores = 200;

/** The states of one project, one for each that has a mode of its own. */
export class Stores {
  private readonly open = new Map<string, StateStore>();

  constructor(
    private readonly root: string,
    private readonly folder: string,
    private readonly dataFolder: string,
  ) {}

  /** Names whose mode it is; '' for the project, null when each session has one and the asker names none. */
  key({ session, cwd }: Where, topology: Topology | null): string | null {
    switch (topology?.scope) {
      case 'session':
        return session === null ? null : `session ${session}`;
      case 'worktree': {
        const trees = `${this.root}/.claude/worktrees/`;
        return cwd?.startsWith(trees) ? `worktree ${cwd.slice(trees.length).split('/')[0]}` : '';
      }
      default:
        return '';
    }
  }

  /** The state of whoever asks; null where `key` is. */
  of(where: Where, topology: Topology | null): StateStore | null {
    const key = this.key(where, topology);
    if (key === null) return null;
    let store = this.open.get(key);
    if (store === undefined) {
      if (this.open.size >= maxStores) this.open.clear();
      store = new StateStore(this.root, this.folder, this.dataFolder, key);
      this.open.set(key, store);
    }
    return store;
  }
}

/** Everybody who has a mode of their own: the project, its worktrees, or the sessions that have begun. */
export function everybody(root: string, dataFolder: string, scope: Topology['scope']): Where[] {
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
