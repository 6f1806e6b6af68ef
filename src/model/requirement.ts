// What a machine checks before a transition.
import type { Source } from './problem.ts';

/** A command and what its result is worth. */
export interface RequiredRun {
  command: string;
  /** Folder below the root that it must run in. */
  in: string | null;
  /** Globs of files whose change makes the result old; null: whatever git does not ignore. */
  watch: string[] | null;
  /** Globs of files that the command itself may change. */
  outputs: string[];
  /** Text that its output must hold, `*` for any text. */
  output: string | null;
}

/** One check; commands and globs are as written. */
export type Requirement = { source: Source } & (
  | ({
      check: 'passes' | 'fails';
      /** `command` is the pattern of a Bash rule. */
    } & RequiredRun)
  | ({
      check: 'run' | 'review';
      /** Globs of files that say what the command does; null: those that usually do. */
      uses: string[] | null;
      /** Milliseconds after which it is ended. */
      timeout: number;
      /** It may run outside of the sandbox that the session's Bash calls run in. */
      unsandboxed: boolean;
    } & RequiredRun)
  /** A gate of a custom policy. */
  | { check: 'policy'; name: string }
  /** `complete` is what the agent says. */
  | { check: 'plan'; state: 'approved' | 'complete' }
  | { check: 'changed' | 'unchanged'; globs: string[] }
  | { check: 'file'; path: string; exists: boolean; contains: string | null }
  | { check: 'git'; clean: boolean; branch: string | null }
  | { check: 'agent'; type: string }
  /** Milliseconds in the mode. */
  | { check: 'after'; time: number }
);
