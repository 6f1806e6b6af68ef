// The results of a test run, test by test.

export const runnerNames = [
  'node:test',
  'vitest',
  'jest',
  'mocha',
  'bun',
  'deno',
  'playwright',
  'pytest',
  'unittest',
  'go',
  'cargo',
  'nextest',
  'maven',
  'gradle',
  'dotnet',
  'rspec',
  'minitest',
  'phpunit',
  'exunit',
  'tap',
  'junit',
] as const;

/** A runner of the table in `runners.ts`, or the format of a report with an unknown runner (`tap`, `junit`). */
export type RunnerName = (typeof runnerNames)[number];

/** One test as a runner reported it. A test that ran for several parameters occurs once for each of them. */
export interface TestResult {
  /** Path of the test file, relative to the folder of the run, with `/`; null: the runner does not name it. */
  file: string | null;
  /** Names of the suites around the test, outermost first. */
  suite: readonly string[];
  name: string;
  /** An expected failure and a test to be done count as skipped, because they prove nothing. */
  outcome: 'passed' | 'failed' | 'skipped';
  /** For a failed test: an assertion was false, or something else went wrong; null: the runner does not say, or it did not fail. */
  failure: 'assertion' | 'error' | null;
}

export interface ReadableReport {
  readable: true;
  runner: RunnerName;
  tests: readonly TestResult[];
}

/** A run that is no evidence. */
export interface UnreadableReport {
  readable: false;
  runner: RunnerName | null;
  /** A clause without a period. */
  why: string;
  /** The remedy, as sentences. */
  how: string;
  /** The runner reports that there are no tests. */
  hasNoTests: boolean;
}

export type TestReport = ReadableReport | UnreadableReport;
