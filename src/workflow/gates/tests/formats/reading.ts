// The result of a parser of test output, and helpers that several parsers share.

import path from 'node:path';
import type { TestResult } from '../result.ts';

/** Why a text is no evidence. `report.ts` has the words. */
export type ReadingRefusal =
  | 'cut'
  | 'empty'
  | 'no report'
  | 'no tests'
  | 'all skipped'
  | 'files only'
  | 'packages only'
  | 'no names'
  | 'expected failures'
  | 'load failed'
  | 'unfinished'
  | 'disagrees'
  | 'damaged';

export type Reading = { tests: TestResult[] } | { refused: ReadingRefusal; detail?: string };

/**
 * Reads the results of a run from a text.
 * @param folder absolute folder of the run, with `/`
 */
export type ResultParser = (text: string, folder: string) => Reading;

/** The count of each outcome. */
export interface Totals {
  passed: number;
  failed: number;
  skipped: number;
}

export function totalsOf(tests: readonly TestResult[]): Totals {
  const totals = { passed: 0, failed: 0, skipped: 0 };
  for (const { outcome } of tests) totals[outcome] += 1;
  return totals;
}

/** The results, if they agree with the totals that the runner printed. */
export function agreeing(tests: TestResult[], printed: Totals): Reading {
  const named = totalsOf(tests);
  const wrong = (['passed', 'failed', 'skipped'] as const).filter((outcome) => named[outcome] !== printed[outcome]);
  if (wrong.length === 0) return { tests };
  const detail = wrong.map((outcome) => `${printed[outcome]} ${outcome} in the summary and ${named[outcome]} by name`).join(', ');
  return { refused: 'disagrees', detail };
}

export function passed(file: string | null, suite: readonly string[], name: string): TestResult {
  return { file, suite, name, outcome: 'passed', failure: null };
}

export function skipped(file: string | null, suite: readonly string[], name: string): TestResult {
  return { file, suite, name, outcome: 'skipped', failure: null };
}

export function failed(file: string | null, suite: readonly string[], name: string, failure: TestResult['failure']): TestResult {
  return { file, suite, name, outcome: 'failed', failure };
}

/** A file that could not be loaded, or that failed outside its tests. It has the name of the file. */
export function brokenFile(file: string): TestResult {
  return failed(file, [], file, 'error');
}

/** Relative to the folder of the run if the file is below it, with `/`. */
export function relativeFile(file: string, folder: string): string {
  const plain = file.replace(/^file:\/\//, '').replaceAll('\\', '/');
  if (!plain.startsWith('/') && !/^[a-z]:\//i.test(plain)) return path.posix.normalize(plain);
  return plain.startsWith(`${folder}/`) ? plain.slice(folder.length + 1) : plain;
}

/** True for a text that names a source file rather than a test. */
export function isFileName(text: string): boolean {
  return /^(?:\S.*[\\/])?[^\s\\/]+\.(?:[cm]?[jt]sx?|py|go|rs|rb|php|exs?|java|kt|cs)$/.test(text);
}

/** Without the control sequences of a terminal. */
export function withoutStyle(text: string): string {
  return text.replace(/\x1b\[[0-9;?]*[ -/]*[@-~]/g, '');
}

/** Without the control sequences of a terminal and with plain line ends. */
export function plainText(text: string): string {
  return withoutStyle(text).replace(/\r\n?/g, '\n');
}

/** The last match of an expression with the flags `gm`. */
export function lastMatch(text: string, expression: RegExp): RegExpMatchArray | null {
  return [...text.matchAll(expression)].at(-1) ?? null;
}

/** The kind of a failure, by the name and message of its error. */
export function failureOf(error: string): TestResult['failure'] {
  const line = error.trimStart();
  if (/^(?:Uncaught )?(?:[\w$.\\]*(?:Assert|Expectation)\w*|[\w.]*ComparisonFailure|Failed)\b(?!: Timeout)/.test(line))
    return 'assertion';
  if (/^(?:Error: )?expect(?:\.\w+)?\(|^assert\b/.test(line)) return 'assertion';
  return /^(?:Uncaught )?[\w$.\\]*(?:Error|Exception|Panic|Warning|Exit|Interrupt|Failed|Timeout)\b/.test(line) ? 'error' : null;
}
