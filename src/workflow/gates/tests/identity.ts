// The identity of a test across runs: its file, and its suites and name without the parts that differ from run to run.

import path from 'node:path';
import { hexHash } from '../../../platform/hash.ts';
import type { TestReport, TestResult, UnreadableReport } from './result.ts';

/** The count of each outcome in the results of a run. Parameterized tests and duplicated names share one count. */
export interface TestCounts {
  passed: number;
  /** Failed by an assertion, or for a reason that the runner does not give. */
  failed: number;
  /** Failed by something else, such as an exception while the test file was loaded. */
  broken: number;
  skipped: number;
}

/** All results of one run with the same file, suites and name. */
export interface TestTally extends TestCounts {
  /** Relative to the folder of the run; null: the runner does not name it. */
  file: string | null;
  /** Suites and name, from the outermost suite on, with ` › ` between them. */
  title: string;
}

/** Most tests of a run with different titles or files. A larger run is not compared, because its record would be too large. */
export const maxTests = 50_000;
/** Longest title in characters. A longer one is cut, with a hash of the whole title. */
const maxTitle = 200;

/** The tests of a run by identity, or why the run is no evidence. */
export function talliesOf(report: TestReport): TestTally[] | UnreadableReport {
  if (!report.readable) return report;
  const { runner, tests } = report;
  const refused = { readable: false as const, runner, hasNoTests: false };
  if (tests.length === 0)
    return { ...refused, why: 'the run reported no test', how: 'Check that the command finds the tests, then run it again.' };
  const testTallies = tallyTests(tests);
  if (testTallies !== null) return testTallies;
  return {
    ...refused,
    why: `the run reported more than ${maxTests} tests`,
    how: 'A person can split the gate into several commands that each run a part of the tests.',
  };
}

/** null: there are more than `maxTests` tests. */
function tallyTests(results: readonly TestResult[]): TestTally[] | null {
  const found = new Map<string, TestTally>();
  for (const { file, suite, name, outcome, failure } of results) {
    const place = file === null ? null : path.posix.normalize(file);
    const title = titleOf(suite, name);
    const key = JSON.stringify([place, title]);
    let tally = found.get(key);
    if (tally === undefined) {
      if (found.size === maxTests) return null;
      tally = { file: place, title, passed: 0, failed: 0, broken: 0, skipped: 0 };
      found.set(key, tally);
    }
    tally[outcome === 'failed' && failure === 'error' ? 'broken' : outcome] += 1;
  }
  return [...found.values()];
}

/**
 * The title by which tests of two runs are matched. Formats separate suites in different ways, and some use a space. So all
 * separators count as a space. A time at the end of a title looks like the duration that some formats print there.
 */
export function matchingTitle(title: string): string {
  return title.replace(/ (?:[›»>] )+/g, ' ').replace(/(?: \(?\d+(?:\.\d+)? ?m?s\)?)+$/, '');
}

function titleOf(suite: readonly string[], name: string): string {
  const title = [...suite, name]
    .map(normalized)
    .filter((part) => part !== '')
    .join(' › ');
  if (title.length <= maxTitle) return title;
  return `${title.slice(0, maxTitle - 18)}… ${hexHash(title).slice(0, 16)}`;
}

/** Without control sequences of a terminal, invisible characters and addresses in memory. */
function normalized(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\x1b\[[0-9;?]*[ -/]*[@-~]/g, '')
    .replace(/[\p{Cf}]+/gu, '')
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    .replace(/\b0x[0-9a-f]{6,16}\b/gi, '0x…')
    .trim();
}
