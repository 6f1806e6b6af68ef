// Requirements that a machine checks before a transition.
import type { Source } from './problem.ts';

/** A command, and the conditions under which its result is valid. */
export interface RequiredRun {
  command: string;
  /** It must run in this folder below the root. */
  in: string | null;
  /** Globs of files that make the result stale when they change; null: all files that git does not ignore. */
  watch: string[] | null;
  /** Globs of files that the command itself may change. */
  outputs: string[];
  /** Text that its output must contain; `*` is any text. */
  output: string | null;
}

/** A command that the engine may run itself. */
export interface EngineRun extends RequiredRun {
  /** Globs of files that define what the command does; null: the usual ones. */
  uses: string[] | null;
  /** Milliseconds after which it is stopped. */
  timeout: number;
  /** It may run outside the sandbox of the session's Bash calls. */
  unsandboxed: boolean;
}

/** `new failure`: a test fails that did not fail before. `all pass`: every test passes. `same`: the same tests pass. */
export type TestDemand = 'new failure' | 'all pass' | 'same';

/** One check; commands and globs are as written. */
export type Requirement = { source: Source } & (
  | ({
      check: 'passes' | 'fails';
      /** `command` is the pattern of a Bash rule. */
    } & RequiredRun)
  | ({ check: 'run' | 'review' } & EngineRun)
  | ({
      check: 'tests';
      demand: TestDemand;
      /** The accepted runs: those of the agent too, or only those of the engine. */
      by: 'agent' | 'engine';
      /** Globs of report files that the command writes (JUnit XML or TRX); null: the results are printed. */
      report: string[] | null;
    } & EngineRun)
  /** A gate of a custom policy. */
  | { check: 'policy'; name: string }
  /** `complete` is according to the agent. */
  | { check: 'plan'; state: 'approved' | 'complete' }
  | { check: 'changed' | 'unchanged'; globs: string[] }
  | { check: 'file'; path: string; exists: boolean; contains: string | null }
  | { check: 'git'; clean: boolean; branch: string | null }
  | { check: 'agent'; type: string }
  /** `time` is the minimum time in the mode, in milliseconds. */
  | { check: 'after'; time: number }
);
