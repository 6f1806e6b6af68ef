// Marks of the watched files for each run that a gate requires: when the run is announced and when it has ended.

import { markFiles, type Tree, TreeError, type TreeScope } from '../../git/file-tree.ts';
import type { Requirement } from '../../model/requirement.ts';
import { watchKey, watchScope } from './checks.ts';
import { isNothingBut } from './command.ts';

type RunCheck = Requirement & { check: 'passes' | 'fails' };

interface Marks {
  root: string;
  checks: RunCheck[];
  byDefault: () => TreeScope;
  before: Map<string, Tree>;
  after: Map<string, Tree>;
}

/** Limit on the runs with marks. */
const kept = 16;

/** By tool-use id. */
export class WatchedRuns {
  private readonly marks = new Map<string, Marks>();
  private readonly agents = new Map<string, Tree>();

  constructor(private readonly home: string) {}

  /** A command starts: marks the files that its checks watch. Reads no file for any other command. */
  announced(id: string, text: string, requirements: readonly Requirement[], root: string, byDefault: () => TreeScope): void {
    const checks = requirements.filter((one): one is RunCheck => one.check === 'passes' || one.check === 'fails');
    const meant = checks.filter((one) => isNothingBut(text, one.command, this.home));
    if (meant.length === 0 || this.marks.has(id)) return;
    this.marks.set(id, { root, checks: meant, byDefault, before: this.look(root, meant, byDefault), after: new Map() });
    if (this.marks.size > kept) this.marks.delete(this.marks.keys().next().value as string);
  }

  ended(id: string): void {
    const marks = this.marks.get(id);
    if (marks !== undefined && marks.after.size === 0) marks.after = this.look(marks.root, marks.checks, marks.byDefault);
  }

  /** Empty if nothing was marked. */
  of(id: string): { before: ReadonlyMap<string, Tree>; after: ReadonlyMap<string, Tree> } {
    return this.marks.get(id) ?? { before: new Map(), after: new Map() };
  }

  agentEnded(id: string, root: string, byDefault: () => TreeScope): void {
    this.agents.delete(id);
    try {
      this.agents.set(id, markFiles(root, byDefault()));
    } catch (error) {
      // Without marks, the subagent's result does not count.
      if (!(error instanceof TreeError)) throw error;
    }
    if (this.agents.size > kept) this.agents.delete(this.agents.keys().next().value as string);
  }

  ofAgent(id: string): Tree | null {
    return this.agents.get(id) ?? null;
  }

  private look(root: string, checks: readonly RunCheck[], byDefault: () => TreeScope): Map<string, Tree> {
    const found = new Map<string, Tree>();
    let open: TreeScope | undefined;
    for (const check of checks) {
      const key = watchKey(check);
      if (found.has(key)) continue;
      try {
        const scope = watchScope(check, { home: this.home }, () => {
          open ??= byDefault();
          return open;
        });
        found.set(key, markFiles(root, scope));
      } catch (error) {
        // Without marks, the run does not count, and the gate says so.
        if (!(error instanceof TreeError)) throw error;
      }
    }
    return found;
  }
}
