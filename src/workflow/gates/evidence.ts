// All data that the checks of a gate use.

import type { Tree, TreeScope } from '../../git/file-tree.ts';
import type { Work } from '../plan/work.ts';
import type { Baseline } from './baseline.ts';
import type { GateEngine } from './engine.ts';
import type { EndedRuns } from './engine-run.ts';
import type { By } from './proof.ts';
import type { ReportRequest } from './tests/runners.ts';
import type { StoredTests } from './tests/store.ts';
import type { Missing } from './unmet.ts';
import type { UsedFiles } from './uses.ts';

/** A Bash call that was announced and ended in the present mode. In every list, the newest comes first. */
export interface RecordedRun {
  text: string;
  /** Real path of the folder where it ran. */
  folder: string;
  outcome: 'passed' | 'failed' | 'none';
  /** Exit code of a failed run. */
  code: number | null;
  /** Why the run does not count, if `outcome` is `none`. */
  why: string;
  output: string;
  /** The evidence that is stored if a check holds by this run. */
  by: By;
  /** Marks of the watched files before and after the run, by `watchKey`. */
  before: ReadonlyMap<string, Tree>;
  after: ReadonlyMap<string, Tree>;
  /** Report files that the run wrote, by `watchKey`. */
  reports: ReadonlyMap<string, readonly string[]>;
  /**
   * The report that Modes asked the runner for; null: it did not ask. `sandboxed`: it did not ask because the client's sandbox keeps
   * the command from writing the report.
   */
  requested: RequestedTexts | 'sandboxed' | null;
}

/** The reports that a runner wrote on request. */
export interface RequestedTexts extends Pick<ReportRequest, 'format' | 'from'> {
  texts: readonly string[];
}

/** A subagent that ended in the present mode. */
export interface AgentReport {
  type: string;
  /** Marks of the watched files when it ended; null: unknown. */
  after: Tree | null;
  /** Last line of its last message. */
  lastLine: string;
  /** The evidence that is stored if a check holds by this subagent. */
  by: By;
}

/** All data that checks use. */
export interface Evidence {
  /** Real path of the folder that the mode applies to. */
  root: string;
  /** Real path of the project, which contains `root`. */
  project: string;
  home: string;
  now: Date;
  /** When the mode was entered; null: before the first journal entry. */
  since: Date | null;
  /** Seconds since the machine started, at the entry into the mode (null: unknown) and now. */
  uptime: { entered: number | null; now: number };
  runs: readonly RecordedRun[];
  agents: readonly AgentReport[];
  /** File contents at the entry into the mode, and the globs that they were collected for; null: unknown. */
  baseline: Pick<Baseline, 'globs' | 'files' | 'head'> | null;
  /** The watched files of a check that names none: those that git does not ignore now, or did not at the entry. */
  byDefault(): TreeScope;
  /** The named results that are known of each command. */
  tests: StoredTests;
  /** null: no process is started and no policy is evaluated. */
  engine: GateEngine | null;
  used: UsedFiles;
  /** Commands of the gate that have run so far. */
  ended: EndedRuns;
  dataFolder: string;
  work: Work;
}

/** The result of a check: the missing part, or the evidence. */
export type EvidenceResult = Missing | By;
