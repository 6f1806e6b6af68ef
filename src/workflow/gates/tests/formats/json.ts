// Reports in JSON: that of Jest, which Vitest writes too, that of Mocha and that of RSpec.

import type { TestResult } from '../result.ts';
import { agreeing, brokenFile, failed, failureOf, passed, type Reading, relativeFile, skipped } from './reading.ts';

interface JestReport {
  /** Vitest leaves it out. */
  numRuntimeErrorTestSuites?: number;
  numTotalTests: number;
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    /** Absolute path of the file. */
    name: string;
    status: string;
    assertionResults: {
      ancestorTitles: string[];
      title: string;
      status: string;
      failureMessages?: string[];
      failureDetails?: unknown[];
    }[];
  }[];
}

export function readJestJson(text: string, folder: string): Reading {
  const report = parsed<JestReport>(text, ({ numTotalTests, testResults }) => {
    return typeof numTotalTests === 'number' && Array.isArray(testResults);
  });
  if (report === null) return { refused: 'damaged' };
  const tests: TestResult[] = [];
  const unlisted: TestResult[] = [];
  const broken: TestResult[] = [];
  for (const { name, status, assertionResults } of report.testResults) {
    const file = relativeFile(name, folder);
    const own = assertionResults.map(({ ancestorTitles, title, status: outcome, failureMessages, failureDetails }) => {
      if (outcome === 'passed') return passed(file, ancestorTitles, title);
      if (outcome !== 'failed') return skipped(file, ancestorTitles, title);
      const isMatcher = failureDetails?.some((detail) => detail instanceof Object && 'matcherResult' in detail) === true;
      const failure = isMatcher ? 'assertion' : (failureOf(failureMessages?.[0] ?? '') ?? 'error');
      return failed(file, ancestorTitles, title, failure);
    });
    // Jest does not list the tests of such a file in its printed output, so they are left out here too.
    const isUnlisted = report.numRuntimeErrorTestSuites !== undefined && own.every(({ outcome }) => outcome === 'skipped');
    (isUnlisted ? unlisted : tests).push(...own);
    if (status === 'failed' && !own.some(({ outcome }) => outcome === 'failed')) broken.push(brokenFile(file));
  }
  const { numTotalTests: total, numPassedTests: passes, numFailedTests: failures } = report;
  const reading = agreeing([...tests, ...unlisted], {
    passed: passes,
    failed: failures,
    skipped: total - passes - failures,
  });
  return 'tests' in reading ? withBrokenFiles(tests.length === 0 ? unlisted : tests, broken) : reading;
}

/** Files that could not be loaded count as results only beside tests that ran. */
export function withBrokenFiles(tests: readonly TestResult[], broken: readonly TestResult[]): Reading {
  if (tests.length === 0 && broken.length > 0) return { refused: 'load failed', detail: broken[0]?.name };
  return { tests: [...tests, ...broken] };
}

interface MochaReport {
  stats: { tests: number; passes: number; pending: number; failures: number };
  tests: MochaTest[];
  pending: MochaTest[];
  failures: MochaTest[];
}

interface MochaTest {
  title: string;
  /** Suites and title, with a space between them. */
  fullTitle: string;
  file?: string;
  err: { message?: string; stack?: string; code?: string };
}

export function readMochaJson(text: string, folder: string): Reading {
  // Output of the tests comes first where the report goes to standard output.
  const report = parsed<MochaReport>(text.slice(Math.max(0, text.search(/^\{$/m))), ({ stats, tests, pending, failures }) => {
    return stats instanceof Object && [tests, pending, failures].every(Array.isArray);
  });
  if (report === null) return { refused: 'damaged' };
  const keyOf = ({ file, fullTitle, err }: MochaTest) => JSON.stringify([file, fullTitle, err]);
  const pending = new Set(report.pending.map(keyOf));
  // A hook that fails is among the failures only.
  const known = new Set(report.tests.map(keyOf));
  const hooks = report.failures.filter((test) => !known.has(keyOf(test)));
  const tests = [...report.tests, ...hooks].map((test) => {
    const file = test.file === undefined ? null : relativeFile(test.file, folder);
    const around = test.fullTitle.endsWith(test.title) ? test.fullTitle.slice(0, -test.title.length).trim() : '';
    const suite = around === '' ? [] : [around];
    const error = test.err.stack ?? test.err.message;
    if (error !== undefined) {
      const isAssertion = test.err.code === 'ERR_ASSERTION' || failureOf(error) === 'assertion';
      return failed(file, suite, test.title, isAssertion ? 'assertion' : 'error');
    }
    return pending.has(keyOf(test)) ? skipped(file, suite, test.title) : passed(file, suite, test.title);
  });
  const { passes, pending: skips, failures } = report.stats;
  return agreeing(tests, { passed: passes, failed: failures, skipped: skips });
}

interface RspecReport {
  examples: {
    description: string;
    /** Groups and description, with a space between them. */
    full_description: string;
    status: string;
    file_path: string;
    exception?: { class: string };
  }[];
  summary: { example_count: number; failure_count: number; pending_count: number; errors_outside_of_examples_count?: number };
}

/** Reads a report, or printed output that contains one. */
export function readRspec(text: string, folder: string): Reading {
  const line = /^\{"version":.*\}/m.exec(text)?.[0];
  if (line === undefined) return { refused: /^\d+ examples?, \d+ failures?/m.test(text) ? 'no names' : 'unfinished' };
  const report = parsed<RspecReport>(line, ({ examples, summary }) => Array.isArray(examples) && summary instanceof Object);
  if (report === null) return { refused: 'damaged' };
  const tests = report.examples.map(({ description, full_description: full, status, file_path: path, exception }) => {
    const file = relativeFile(path, folder);
    const around = full.endsWith(description) ? full.slice(0, full.length - description.length).trim() : '';
    const suite = around === '' ? [] : [around];
    if (status === 'passed') return passed(file, suite, description);
    if (status !== 'failed') return skipped(file, suite, description);
    return failed(file, suite, description, /Expectation|Assertion/.test(exception?.class ?? '') ? 'assertion' : 'error');
  });
  const { example_count: all, failure_count: failures, pending_count: skips } = report.summary;
  const reading = agreeing(tests, { passed: all - failures - skips, failed: failures, skipped: skips });
  if (!('tests' in reading)) return reading;
  const outside = report.summary.errors_outside_of_examples_count ?? 0;
  return withBrokenFiles(tests, outside === 0 ? [] : [failed(null, [], 'error outside of examples', 'error')]);
}

function parsed<Report>(text: string, isReport: (value: Partial<Report>) => boolean): Report | null {
  try {
    const value: unknown = JSON.parse(text);
    return value instanceof Object && isReport(value as Partial<Report>) ? (value as Report) : null;
  } catch {
    return null;
  }
}
