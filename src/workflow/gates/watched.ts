// Marks of the watched files for each run that a gate requires: when the run is announced and when it has ended.

import { markFiles, type Tree, TreeError, type TreeScope } from '../../git/file-tree.ts';
import type { Requirement } from '../../model/requirement.ts';
import { setNewest } from '../../platform/bounded-map.ts';
import { folderOf, guardKey, isRunOf, type RunCheck, ranIn, watchKey, watchScope } from './agent-run.ts';
import type { RecordedRun } from './evidence.ts';
import { guardStamps, reportGlobs, requestFor } from './tests/check.ts';
import { freshReports } from './tests/report-files.ts';
import type { ReportPlace, RequestedCall } from './tests/report-request.ts';
import type { TestsCheck } from './tests/store.ts';

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
  /** The call that runs in its place; null: none. */
  call: RequestedCall | null;
  requested: RecordedRun['requested'];
}

/** How a Bash call starts. */
export interface CallStart {
  /** Absolute folder where it starts; null: unknown. */
  cwd: string | null;
  /** Another call may run in its place. */
  mayReplace(): boolean;
  /** The place that enables a sandbox for Bash calls; null if there is none. */
  sandbox(): string | null;
}

/** Limit on the runs with marks. */
const maxMarkedRuns = 16;
/** Limit on the reports that are kept, in characters. */
const maxReports = 100_000_000;

/** By tool-use id. */
export class WatchedRuns {
  private readonly marks = new Map<string, Marks>();
  private readonly agents = new Map<string, Tree>();

  constructor(
    private readonly home: string,
    private readonly place: ReportPlace,
  ) {}

  /**
   * A command starts: marks the files that its checks watch. Reads no file for any other command. Returns the call that has to run in
   * its place, so that the runner writes a report; null: none.
   */
  announced(
    id: string,
    text: string,
    requirements: readonly Requirement[],
    { root, byDefault, cwd, mayReplace, sandbox }: CallStart & Pick<Marks, 'root' | 'byDefault'>,
  ): string | null {
    const checks = requirements.filter((one): one is RunCheck => ['passes', 'fails', 'tests'].includes(one.check));
    const meant = checks.filter((one) => isRunOf(one, text, this.home));
    if (meant.length === 0 || this.marks.has(id)) return null;
    const before = this.look(root, meant, byDefault);
    const startedAt = Date.now();
    const marks: Marks = {
      ...{ root, checks: meant, byDefault, before, after: new Map(), startedAt },
      ...{ reports: new Map(), call: null, requested: null },
    };
    setNewest(this.marks, id, marks, maxMarkedRuns);
    const named = meant.filter((one): one is TestsCheck => one.check === 'tests' && one.by !== 'engine');
    if (named.length === 0) return null;
    if (sandbox() !== null) marks.requested = 'sandboxed';
    else if (mayReplace()) {
      const folder = ranIn(cwd);
      const check = named.find((one) => folderOf(one, root) === folder && folder !== '');
      if (check !== undefined) marks.call = this.request(check, text, root);
    }
    return marks.call?.call ?? null;
  }

  /** @param ran the call that ran; null: it still runs */
  ended(id: string, ran: string | null): void {
    const marks = this.marks.get(id);
    if (marks === undefined || marks.after.size > 0) return;
    if (marks.call !== null && ran === marks.call.call) this.keepReports(marks, marks.call);
    marks.after = this.look(marks.root, marks.checks, marks.byDefault);
    for (const check of marks.checks) {
      const reports = check.check === 'tests' ? reportGlobs(check, marks.root) : null;
      if (reports !== null) marks.reports.set(watchKey(check), freshReports(marks.root, reports, marks.startedAt, this.home));
    }
  }

  private request(check: TestsCheck, text: string, root: string): RequestedCall | null {
    try {
      return requestFor(check, text, root, this.place);
    } catch (error) {
      // Without a report, the run does not count, and the gate reports that.
      process.stderr.write(`modes: could not ask for a report of ${text}: ${(error as Error).message}\n`);
      return null;
    }
  }

  private keepReports(marks: Marks, call: RequestedCall): void {
    try {
      marks.requested = { format: call.format, from: call.from, texts: call.read() };
    } catch (error) {
      // Without a report, the run does not count, and the gate reports that.
      process.stderr.write(`modes: could not read the report of ${call.command}: ${(error as Error).message}\n`);
    } finally {
      call.end();
    }
    let left = maxReports;
    for (const one of [...this.marks.values()].reverse()) {
      if (one.requested === null || one.requested === 'sandboxed') continue;
      for (const text of one.requested.texts) left -= text.length;
      if (left < 0) one.requested = null;
    }
  }

  /** Empty if nothing was marked. */
  of(id: string): Pick<Marks, 'before' | 'after' | 'reports' | 'requested'> {
    return this.marks.get(id) ?? { before: new Map(), after: new Map(), reports: new Map(), requested: null };
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
