// go test: the events of `-json`, and the printed output of `-v`.

import type { TestResult } from '../result.ts';
import { failed, passed, plainText, type Reading, skipped } from './reading.ts';

/** The tests of one package, in the order in which they started. */
class Package {
  /** null: the test did not end. */
  readonly outcomes = new Map<string, TestResult['outcome'] | null>();
  readonly panicked = new Set<string>();
  ended: 'pass' | 'fail' | 'skip' | null = null;
  isBuildFailure = false;
  hasNoTests = false;
  /** Go prints only the coverage of a package without test files. */
  hasNoFiles = false;
  /** The program of its tests ran, and ended with 0. */
  hasEnded = false;

  constructor(readonly name: string) {}

  /** A run with `-count` runs a test several times. The worst outcome counts. */
  end(test: string, outcome: TestResult['outcome']): void {
    if (this.outcomes.get(test) !== 'failed') this.outcomes.set(test, outcome);
  }

  results(): TestResult[] {
    return [...this.outcomes].map(([test, outcome]) => {
      const parts = test.split('/');
      const [suite, name] = [[this.name, ...parts.slice(0, -1)], parts.at(-1) as string];
      if (outcome === 'passed') return passed(null, suite, name);
      if (outcome === 'skipped') return skipped(null, suite, name);
      // The runner does not distinguish an assertion from another error, except for a panic.
      return failed(null, suite, name, this.panicked.has(test) ? 'error' : null);
    });
  }
}

const actions: { [action: string]: TestResult['outcome'] } = { pass: 'passed', fail: 'failed', skip: 'skipped' };
const noTests = '[no tests to run]';
const coverageOnly = /^\t\S+\t\t(?:coverage: 0\.0% of statements\n?)?$/;
const buildFailure = /\[(?:build|setup) failed\]$/m;
const words: { [word: string]: TestResult['outcome'] } = { PASS: 'passed', FAIL: 'failed', SKIP: 'skipped' };

/** Reads the lines of JSON in a text that may contain other lines. */
export function readGoEvents(text: string): Reading {
  const packages = new Map<string, Package>();
  for (const line of text.split('\n')) {
    const event = goEvent(line);
    if (event === null) continue;
    const { Action: action, Package: name, Test: test, Output: output } = event;
    if (action === undefined || name === undefined) continue;
    const one = packages.get(name) ?? new Package(name);
    packages.set(name, one);
    if (action === 'output' && output !== undefined) {
      if (test !== undefined && /^(?:panic: |fatal error: )/.test(output)) one.panicked.add(test);
      if (buildFailure.test(output)) one.isBuildFailure = true;
      if (output.startsWith('ok ')) {
        one.hasEnded = true;
        if (output.includes(noTests)) one.hasNoTests = true;
      } else if (coverageOnly.test(output)) one.hasNoFiles = true;
    } else if (test !== undefined) {
      const outcome = actions[action];
      if (action === 'run') one.outcomes.set(test, one.outcomes.get(test) ?? null);
      else if (outcome !== undefined) one.end(test, outcome);
    } else if (action === 'pass' || action === 'fail' || action === 'skip')
      one.ended = one.hasNoTests || (one.hasNoFiles && !one.hasEnded) ? 'skip' : action;
  }
  return readPackages([...packages.values()]);
}

interface GoEvent {
  Action?: string;
  Package?: string;
  Test?: string;
  Output?: string;
}

function goEvent(line: string): GoEvent | null {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line);
  } catch {
    // A line of the program under test.
    return null;
  }
}

/** Reads `-v`, or `-json` where the command asks for it. Without either, passing tests have no names. */
export function readGo(text: string): Reading {
  const plain = plainText(text);
  if (/^\{"(?:Time|ImportPath|Action)":/m.test(plain)) return readGoEvents(plain);
  const isSilent = !/^=== RUN /m.test(plain);
  if (isSilent && /^(?:--- FAIL: |(?:ok|FAIL) *\t(?!.*\[no tests to run\]$))/m.test(plain))
    return { refused: /^--- FAIL: /m.test(plain) ? 'no names' : 'packages only' };
  const packages: Package[] = [];
  let open = new Package('');
  let last = '';
  for (const line of plain.split('\n')) {
    const [, started] = /^=== (?:RUN|CONT|NAME) +(\S+)$/.exec(line) ?? [];
    if (started !== undefined) {
      last = started;
      open.outcomes.set(started, open.outcomes.get(started) ?? null);
      continue;
    }
    // Output of the test without a line end may be in front.
    const [, word, name] = /--- (PASS|FAIL|SKIP): (\S+) \([\d.]+s\)$/.exec(line) ?? [];
    if (word !== undefined && name !== undefined) {
      if (!open.outcomes.has(name)) return { refused: 'disagrees', detail: `${name} has a result but did not start` };
      open.end(name, words[word] as TestResult['outcome']);
      last = name;
    } else if (/^(?:panic: |fatal error: )/.test(line)) open.panicked.add(last);
    const [, result, title, note = ''] = /^(ok {2}|FAIL|\? {3})\t(\S+)(?:\s+(.*))?$/.exec(line) ?? [];
    if (result === undefined || title === undefined) continue;
    const done = new Package(title);
    for (const [test, outcome] of open.outcomes) done.outcomes.set(test, outcome);
    for (const test of open.panicked) done.panicked.add(test);
    done.ended = result === 'FAIL' ? 'fail' : result.startsWith('?') || note.includes(noTests) ? 'skip' : 'pass';
    done.isBuildFailure = buildFailure.test(note);
    packages.push(done);
    open = new Package('');
  }
  if (open.outcomes.size > 0) return { refused: 'unfinished' };
  return packages.length === 0 ? { refused: 'no names' } : readPackages(packages);
}

function readPackages(packages: readonly Package[]): Reading {
  if (packages.length === 0) return { refused: 'empty' };
  const tests: TestResult[] = [];
  const silent: string[] = [];
  for (const one of packages) {
    const { name, outcomes, ended, isBuildFailure } = one;
    // A panic ends the process, and tests that were running in parallel have no result.
    if (ended === null) return { refused: 'unfinished', detail: `package ${name} has no result` };
    const open = [...outcomes].find(([, outcome]) => outcome === null);
    if (open !== undefined && ended === 'pass') return { refused: 'unfinished', detail: `${open[0]} has no result` };
    for (const [test, outcome] of outcomes) {
      if (outcome !== null) continue;
      one.end(test, 'failed');
      one.panicked.add(test);
    }
    const results = one.results();
    tests.push(...results);
    if (isBuildFailure || (ended === 'fail' && !results.some(({ outcome }) => outcome === 'failed')))
      tests.push(failed(null, [], name, 'error'));
    else if (ended === 'pass' && results.length === 0) silent.push(name);
  }
  const isNamed = tests.some(({ suite }) => suite.length > 0);
  // A package that passed without a test ended before its first test.
  if (silent.length > 0) return { refused: 'packages only', detail: silent[0] };
  if (tests.length === 0) return { refused: 'no tests' };
  return isNamed ? { tests } : { refused: 'load failed', detail: tests[0]?.name };
}
