// The branches that a call works on: those of the trees that contain its paths, and of the repositories that its git commands
// change.
import path from 'node:path';
import type { CommandFacts } from '../model/facts.ts';
import { inside } from '../platform/path-text.ts';
import { branchIn, commonFolder, GitError, gitFolder } from './run.ts';

/**
 * The branches that a path or a command is on. null in the list: no branch is checked out, or there is no repository. Empty:
 * unknown.
 */
export type OnBranches = readonly (string | null)[];

/** Reads branches for one call, each folder once. */
export class Branches {
  private readonly known = new Map<string, OnBranches>();

  constructor(
    private readonly root: string,
    /** Absolute: the folder where the call starts. */
    private readonly cwd: string,
  ) {}

  /** The branches of the tree that contains this path, which is absolute or relative to the project. */
  at(shown: string): OnBranches {
    return this.of(path.resolve(this.root, shown));
  }

  /** The branches of the repositories that a git command works in; null if none of them belongs to the project. */
  ofCommand({ folders = [this.cwd] }: CommandFacts): OnBranches | null {
    const own = folders.filter((folder) => this.isOwn(path.resolve(folder)));
    return own.length === 0 && folders.length > 0 ? null : own.flatMap((folder) => this.of(path.resolve(folder)));
  }

  /** The repository is the project's, is inside it, or shares its branches. */
  private isOwn(folder: string): boolean {
    if (inside(folder, this.root)) return true;
    const [own, other] = [this.root, folder].map((one) => attempt(() => gitFolder(one)));
    if (own === undefined || other === undefined) return true;
    return own !== null && other !== null && commonFolder(own.git) === commonFolder(other.git);
  }

  private of(folder: string): OnBranches {
    const known = this.known.get(folder);
    if (known !== undefined) return known;
    const branches = attempt(() => this.look(folder)) ?? [];
    this.known.set(folder, branches);
    return branches;
  }

  /**
   * The project's branch also applies inside a nested repository. Otherwise the agent could escape the restriction by creating
   * one.
   */
  private look(folder: string): OnBranches {
    const repository = gitFolder(folder);
    if (repository === null) return [null];
    const { top, git } = repository;
    const branch = attempt(() => branchIn(git)) ?? null;
    const isNested = git === path.join(top, '.git') && top !== this.root && inside(top, this.root);
    return isNested ? [branch, ...this.of(path.dirname(top))] : [branch];
  }
}

/** undefined: unknown to git. */
function attempt<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

/** Git's records of branches, in a repository or for one of its worktrees. */
const record = /(?:^|\/)\.git(?:\/worktrees\/[^/]+)?(?:\/(.*))?$/s;
const records = ['HEAD', 'packed-refs', 'reftable', 'refs'];

/** Whether a write of this file changes the checked-out branch. */
export function checksOut(shown: string): boolean {
  return record.exec(shown)?.[1] === 'HEAD';
}

/** The branches that a write of git's own records moves. Empty: unknown; null: none. `deep`: with everything below. */
export function movedByWrite(shown: string, deep: boolean): OnBranches | null {
  const match = record.exec(shown);
  if (match === null) return null;
  const [, name = ''] = match;
  const branch = /^refs\/heads\/(.+)$/s.exec(name)?.[1];
  if (branch !== undefined && !deep) return [branch];
  const matchesRecord = name === '' ? deep : records.some((one) => inside(name, one) || (deep && inside(one, name)));
  const isElsewhere = inside(name, 'refs') && name !== 'refs' && !inside(name, 'refs/heads');
  return matchesRecord && !isElsewhere ? [] : null;
}
