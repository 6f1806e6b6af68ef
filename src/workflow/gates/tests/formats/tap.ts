// Test Anything Protocol, with the extensions of node:test.

import { Parser, type Result } from 'tap-parser';
import type { TestResult } from '../result.ts';
import {
  agreeing,
  brokenFile,
  failed,
  failureOf,
  isFileName,
  passed,
  type Reading,
  relativeFile,
  skipped,
  type Totals,
} from './reading.ts';

type Log = [string, unknown][];

/** Ends the recursion with a refusal. */
class Unusable extends Error {
  constructor(readonly reading: Reading) {
    super('unusable');
  }
}

interface Document {
  folder: string;
  /** node:test wrote it: suites have a mark, and a test with subtests is a test itself. */
  isNode: boolean;
  /** Suites that failed although none of their tests did. The totals do not count them. */
  failedSuites: TestResult[];
}

/** Several documents may follow each other, for example one for each workspace. */
export function readTap(text: string, folder: string): Reading {
  const documents = text.split(/^(?=TAP version \d+\s*$)/m).filter((part) => /^TAP version|^(?:not )?ok\b|^1\.\.\d/m.test(part));
  if (documents.length === 0) return { refused: 'empty' };
  const tests: TestResult[] = [];
  for (const document of documents) {
    const reading = readDocument(document, folder);
    if (!('tests' in reading)) return reading;
    tests.push(...reading.tests);
  }
  if (tests.length === 0) return { refused: 'no tests' };
  // node:test reports a file without tests as one that passed. So does a process that ended before its first test.
  const named = tests.filter(({ name, outcome }) => outcome === 'failed' || !isFileName(name));
  if (named.length > 0 && named.every(({ file, name }) => file === name))
    return { refused: 'load failed', detail: named[0]?.name };
  return named.length === 0 ? { refused: 'files only', detail: tests[0]?.name } : { tests: named };
}

function readDocument(text: string, folder: string): Reading {
  const log = Parser.parse(text) as Log;
  const bailout = log.find(([event]) => event === 'bailout');
  if (bailout !== undefined) return { refused: 'unfinished', detail: `bail out: ${bailout[1]}` };
  // The parser takes a document without a plan for one that announces no test. Such a run was ended before its first test.
  if (!/^1\.\.\d/m.test(text)) return { refused: 'unfinished' };
  const summary = summaryOf(log);
  const document: Document = { folder, isNode: summary !== null, failedSuites: [] };
  try {
    const tests = readLog(log, [], document);
    const reading: Reading = summary === null ? { tests } : agreeing(tests, summary);
    return 'tests' in reading ? { tests: [...reading.tests, ...document.failedSuites] } : reading;
  } catch (error) {
    if (error instanceof Unusable) return error.reading;
    throw error;
  }
}

/** The totals at the end of a document of node:test; null: another program wrote it. */
function summaryOf(log: Log): Totals | null {
  const counts = new Map<string, number>();
  for (const [event, value] of log) {
    if (event === 'assert') counts.clear();
    const [, word, count] = (event === 'comment' && /^# (\w+) (\d+)\n?$/.exec(value as string)) || [];
    if (word !== undefined) counts.set(word, Number(count));
  }
  const of = (word: string) => counts.get(word) ?? 0;
  if (!counts.has('tests') || !counts.has('suites')) return null;
  return { passed: of('pass'), failed: of('fail') + of('cancelled'), skipped: of('skipped') + of('todo') };
}

function readLog(log: Log, suite: readonly string[], document: Document): TestResult[] {
  const tests: TestResult[] = [];
  let child: Log | null = null;
  let points = 0;
  let planned: number | null = null;
  for (const [event, value] of log) {
    if (event === 'child') {
      if (child !== null) throw new Unusable({ refused: 'unfinished' });
      child = value as Log;
    } else if (event === 'plan') {
      const { start, end } = value as { start: number; end: number };
      planned = Math.max(0, end - start + 1);
    } else if (event === 'assert') {
      points += 1;
      const point = value as Result;
      const inner: TestResult[] = child === null ? [] : readLog(child, [...suite, point.name], document);
      child = null;
      tests.push(...inner, ...resultsOf(point, suite, inner, document));
    }
  }
  if (child !== null || planned === null) throw new Unusable({ refused: 'unfinished' });
  if (planned !== points) throw new Unusable({ refused: 'disagrees', detail: `${planned} planned and ${points} reported` });
  return tests;
}

function resultsOf(point: Result, suite: readonly string[], inner: TestResult[], document: Document): TestResult[] {
  const diagnostics: { [key: string]: unknown } = point.diag ?? {};
  const innerFailed = inner.filter(({ outcome }) => outcome === 'failed');
  const [outer] = suite;
  const file = outer !== undefined && isFileName(outer) ? relativeFile(outer, document.folder) : null;
  const parts = file === null ? suite : suite.slice(1);
  if (document.isNode ? diagnostics.type === 'suite' : inner.length > 0) {
    // A hook of the suite failed.
    if (!point.ok && innerFailed.length === 0) document.failedSuites.push(failed(file, parts, point.name, 'error'));
    return [];
  }
  if (point.skip !== false || point.todo !== false) return [skipped(file, parts, point.name)];
  if (isFileName(point.name) && suite.length === 0) {
    const own = relativeFile(point.name, document.folder);
    return point.ok ? [passed(own, [], own)] : [brokenFile(own)];
  }
  if (point.ok) return [passed(file, parts, point.name)];
  return [
    failed(
      file ?? fileOf(diagnostics, document),
      parts,
      point.name,
      innerFailed.length > 0 ? parentFailure(innerFailed) : pointFailure(diagnostics),
    ),
  ];
}

/** The file of a failed test. node:test names it with line and column. */
function fileOf({ location }: { [key: string]: unknown }, { folder }: Document): string | null {
  const [, file] = (typeof location === 'string' && /^(.+):\d+:\d+$/.exec(location)) || [];
  return file === undefined ? null : relativeFile(file, folder);
}

/** The failure of a test whose subtests failed. */
export function parentFailure(innerFailed: readonly TestResult[]): TestResult['failure'] {
  return innerFailed.some(({ failure }) => failure !== 'error') ? null : 'error';
}

function pointFailure({ code, name, error, failureType }: { [key: string]: unknown }): TestResult['failure'] {
  if (code === 'ERR_ASSERTION') return 'assertion';
  const text = typeof error === 'string' ? error : '';
  const found = failureOf(typeof name === 'string' ? `${name}: ${text}` : text);
  return found ?? (typeof failureType === 'string' ? 'error' : null);
}
