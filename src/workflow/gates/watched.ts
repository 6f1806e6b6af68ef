// Marks of the watched files for each run that a gate requires: when the run is announced and when it has ended.

import { markFiles, type Tree, TreeError, type TreeScope } from '../../git/file-tree.ts';
import type { Requirement } from '../../model/requirement.ts';
import { setNewest } from '../../platform/bounded-map.ts';
import { guardKey, isRunOf, type RunCheck, watchKey, watchScope } from './agent-run.ts';
import { guardStamps, reportGlobs } from './tests/check.ts';
import { freshReports } from './tests/report-files.ts';

interface Marks {
  root: string;
  checks: RunCheck[];
  byDefault: () => TreeScope;
  before: Map<string, Tree>;
  after: Map<string, Tree>;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** Report files that the run wrote. */
  reports: Map<string, readonly string[]>;
}

/** Limit on the runs with marks. */
const maxMarkedRuns = 16;

/** By tool-use id. */
export class WatchedRuns {
  private readonly marks = new Map<string, Marks>();
  private readonly agents = new Map<string, Tree>();

  constructor(private readonly home: string) {}

  /** A command starts: marks the files that its checks watch. Reads no file for any other command. */
  announced(id: string, text: string, requirements: readonly Requirement[], root: string, byDefault: () => TreeScope): void {
    const checks = requirements.filter((one): one is RunCheck => ['passes', 'fails', 'tests'].includes(one.check));
    const meant = checks.filter((one) => isRunOf(one, text, this.home));
    if (meant.length === 0 || this.marks.has(id)) return;
    const before = this.look(root, meant, byDefault);
    const startedAt = Date.now();
    setNewest(
      this.marks,
      id,
      { root, checks: meant, byDefault, before, after: new Map(), startedAt, reports: new Map() },
      maxMarkedRuns,
    );
  }

  ended(id: string): void {
    const marks = this.marks.get(id);
    if (marks === undefined || marks.after.size > 0) return;
    marks.after = this.look(marks.root, marks.checks, marks.byDefault);
    for (const check of marks.checks) {
      const reports = check.check === 'tests' ? reportGlobs(check, marks.root) : null;
      if (reports !== null) marks.reports.set(watchKey(check), freshReports(marks.root, reports, marks.startedAt, this.home));
    }
  }

  /** Empty if nothing was marked. */
  of(id: string): Pick<Marks, 'before' | 'after' | 'reports'> {
    return this.marks.get(id) ?? { before: new Map(), after: new Map(), reports: new Map() };
  }

  agentEnded(id: string, root: string, byDefault: () => TreeScope): void {
    this.agents.delete(id);
    try {
      setNewest(this.agents, id, markFiles(root, byDefault()), maxMarkedRuns);
    } catch (error) {
      // Without marks, the subagent's result does not count.
      if (!(error instanceof TreeError)) throw error;
    }
  }

  ofAgent(id: string): Tree | null {
    return this.agents.get(id) ?? null;
  }

  private look(root: string, checks: readonly RunCheck[], byDefault: () => TreeScope): Map<string, Tree> {
    const found = new Map<string, Tree>();
    let open: TreeScope | undefined;
    for (const check of checks) {
      try {
        if (check.check === 'tests' && !found.has(guardKey(check)))
          found.set(guardKey(check), guardStamps(check, root, this.home));
        const key = watchKey(check);
        if (found.has(key)) continue;
        const scope = watchScope(check, { home: this.home }, () => {
          open ??= byDefault();
          return open;
        });
        found.set(key, markFiles(root, scope));
      } catch (error) {
        // Without marks, the run does not count, and the gate reports that.
        if (!(error instanceof TreeError)) throw error;
      }
    }
    return found;
  }
}
