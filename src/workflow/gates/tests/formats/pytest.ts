// The printed output of pytest with `-v` or `-rA`, and of unittest with `-v`.

import type { TestResult } from '../result.ts';
import {
  agreeing,
  brokenFile,
  failed,
  failureOf,
  lastMatch,
  passed,
  plainText,
  type Reading,
  relativeFile,
  skipped,
} from './reading.ts';

/** A line of `-v`, with or without the worker of pytest-xdist in front. */
const verbose =
  /^(?:\[gw\d+\] \[ *\d+%\] (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS) (.+?\.py)::(.+?)|(\S.*?\.py)::(.+?) (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)(?: \(.*?\)?)?(?: +\[ *\d+%\])?) *$/;
/** A line of `-rA` or of the default summary. */
const short = /^(PASSED|FAILED|ERROR|XFAIL|XPASS) (\S.*?\.py)(?:::(.+?))?(?: - (.*))?$/;
/** A subtest that failed, in the summary. The line of its test may say PASSED. */
const subfailed = /^SUBFAILED.*? (\S+\.py)::(.+?)(?: - (.*))?$/;
const shortSkipped = /^SKIPPED \[(\d+)\] (\S.*?)(?::\d+)?: (.*)$/;

const outcomes: { [word: string]: TestResult['outcome'] } = {
  PASSED: 'passed',
  FAILED: 'failed',
  ERROR: 'failed',
  SKIPPED: 'skipped',
  XFAIL: 'skipped',
  XPASS: 'skipped',
};

const lastLine = /^=* ?((?:\d+ (?:subtests )?[a-z]+, )*\d+ (?:subtests )?[a-z]+|no tests ran) in [\d.]+s(?: \([\d:]+\))? ?=*$/gm;

/** Completes the results of a report in JUnit XML: it does not tell that a test was expected to fail and passed. */
export function withUnexpectedPasses(tests: readonly TestResult[], output: string, folder: string): Reading {
  const plain = plainText(output);
  const summary = lastMatch(plain, lastLine);
  if (summary === null) return { refused: 'unfinished' };
  const keyOf = ({ file, suite, name }: TestResult) => JSON.stringify([file && relativeFile(file, folder), suite, name]);
  const named = new Set(
    shortLines(plain).flatMap((line) => {
      const [, word, file, title] = short.exec(line) ?? [];
      if (word === 'XPASS' && title !== undefined) return [keyOf(resultOf(word, file as string, title, new Map()))];
      return readVerbose(line, new Map(), 'XPASS').map(keyOf);
    }),
  );
  const unexpected = tests.filter((test) => named.has(keyOf(test)));
  const count = Number(/\b(\d+) xpassed\b/.exec(summary[1] as string)?.[1] ?? 0);
  if (unexpected.length !== count) return { refused: 'expected failures' };
  return { tests: tests.map((test) => (unexpected.includes(test) ? { ...test, outcome: 'skipped', failure: null } : test)) };
}

export function readPytest(text: string, folder: string): Reading {
  const plain = plainText(text);
  const summary = lastMatch(plain, lastLine);
  if (summary === null) return { refused: 'unfinished' };
  const words = new Map(
    [...(summary[1] as string).matchAll(/\b(\d+) ((?:subtests )?[a-z]+)/g)].map(([, count, word]) => [
      word as string,
      Number(count),
    ]),
  );
  const of = (...names: string[]) => names.reduce((sum, name) => sum + (words.get(name) ?? 0), 0);
  const totals = {
    passed: of('passed'),
    failed: of('failed', 'error', 'errors'),
    skipped: of('skipped', 'xfailed', 'xpassed'),
  };
  const sum = totals.passed + totals.failed + totals.skipped;
  const body = plain.slice(0, summary.index);
  // `pytest.exit`, an interrupt, or an error while files are collected.
  if (sum === 0) return { refused: /^!{3,} .* !{3,}$/m.test(body) ? 'unfinished' : 'no tests' };
  // A module that skips itself is counted, but `-v` does not name it.
  const skippedModules = Number(
    /^(?:collecting [^\n]{0,99})?collected \d+ items?[^\n]{0,99}? \/ (\d+) skipped\b/m.exec(body)?.[1] ?? '0',
  );
  const at = lastMatch(body, /^=+ short test summary info =+$/gm)?.index ?? body.length;
  const causes = causesOf(body, at);
  const sections = body.search(/^=+ (?:ERRORS|FAILURES|PASSES|XPASSES|warnings summary|short test summary info) .*=+$/m);
  const broken = brokenFiles(body.slice(at));
  if (broken.length === sum) return { refused: 'load failed', detail: broken[0]?.name };
  const listed = readVerbose(sections === -1 ? body : body.slice(0, sections), causes);
  const tests = listed.length > 0 ? [...listed, ...broken] : readShort(body.slice(at), causes);
  // The default output names only the tests that failed.
  const subtests = failedSubtests(body.slice(at));
  const skippedSubtests = [...body.matchAll(/^\S.*\.py::.* SUB(?:SKIPPED|XFAIL|XPASS)\b/gm)].length;
  const unnamed = skippedSubtests + (listed.length > 0 ? skippedModules : 0);
  if (listed.length === 0 && tests.length + subtests.length < sum) return { refused: 'no names' };
  const reading = agreeing(
    tests.map((test) => ({ ...test, file: test.file === null ? null : relativeFile(test.file, folder) })),
    { ...totals, failed: totals.failed - subtests.length, skipped: totals.skipped - unnamed },
  );
  return 'tests' in reading ? { tests: reading.tests.map((test) => withSubtests(test, subtests, folder)) } : reading;
}

/** The summary counts a failed subtest beside its test. */
function failedSubtests(summary: string): TestResult[] {
  return shortLines(summary).flatMap((line) => {
    const [, file, title, message] = subfailed.exec(line) ?? [];
    if (file === undefined || title === undefined) return [];
    return [{ ...resultOf('FAILED', file, title, new Map()), failure: failureOf(message ?? '') ?? 'error' }];
  });
}

/** A test fails if one of its subtests does, and by an assertion if one of them does. */
function withSubtests(test: TestResult, subtests: readonly TestResult[], folder: string): TestResult {
  const own = subtests.filter(
    ({ file, suite, name }) =>
      file !== null &&
      relativeFile(file, folder) === test.file &&
      name === test.name &&
      suite.join('::') === test.suite.join('::'),
  );
  if (own.length === 0 || test.outcome === 'skipped') return test;
  return { ...test, outcome: 'failed', failure: own.some(({ failure }) => failure === 'assertion') ? 'assertion' : 'error' };
}

/** Lines of a usual length. The expressions above are slow on others. */
function shortLines(text: string): string[] {
  return text.split('\n').filter((line) => line.length < 2_000);
}

/** @param only the only word that is read */
function readVerbose(text: string, causes: Causes, only: string | null = null): TestResult[] {
  return shortLines(text).flatMap((line) => {
    const [, word1, file1, name1, file2, name2, word2] = verbose.exec(line) ?? [];
    const [word, file, name] = [word1 ?? word2, file1 ?? file2, name1 ?? name2];
    if (word === undefined || file === undefined || name === undefined) return [];
    return only === null || word === only ? [resultOf(word, file, name, causes)] : [];
  });
}

function readShort(text: string, causes: Causes): TestResult[] {
  return shortLines(text).flatMap((line) => {
    const [, count, place, reason] = shortSkipped.exec(line) ?? [];
    if (place !== undefined) {
      // The summary names only the place and the reason of a skipped test.
      const name = `skipped: ${reason}`;
      return Array.from({ length: Number(count) }, () => skipped(place.endsWith('.py') ? place : null, [], name));
    }
    const [, word, file, name] = short.exec(line) ?? [];
    if (word === undefined || file === undefined) return [];
    return [name === undefined ? brokenFile(file) : resultOf(word, file, name, causes)];
  });
}

function brokenFiles(text: string): TestResult[] {
  return [...text.matchAll(/^ERROR (\S.*?\.py)(?: - .*)?$/gm)].map(([, file]) => brokenFile(file as string));
}

function resultOf(word: string, file: string, title: string, causes: Causes): TestResult {
  // The identifier of a parameter may contain `::`.
  const [, path, parameter] = /^(.*?)(\[.*)?$/s.exec(title) as unknown as [string, string, string?];
  const parts = path.split('::');
  const [suite, name] = [parts.slice(0, -1), `${parts.at(-1)}${parameter ?? ''}`];
  const outcome = outcomes[word] as TestResult['outcome'];
  if (outcome === 'passed') return passed(file, suite, name);
  if (outcome === 'skipped') return skipped(file, suite, name);
  return failed(file, suite, name, word === 'ERROR' ? 'error' : (causes.get([...suite, name].join('.')) ?? null));
}

/** Kinds of failures, by the name in the heading of a failure. */
type Causes = ReadonlyMap<string, TestResult['failure']>;

/** The summary leaves the message out where the line is too long. So the section of each failure is read too. */
function causesOf(text: string, summaryAt: number): Causes {
  const causes = new Map<string, TestResult['failure']>();
  const start = text.search(/^=+ FAILURES =+$/m);
  if (start !== -1) {
    const sections = text.slice(start, summaryAt).split(/^(?:_{2,}|_) (.+?) (?:_{2,}|_)$/m);
    for (let at = 1; at + 1 < sections.length; at += 2) {
      const error = lastMatch(sections[at + 1] as string, /^\S.*:\d+: ([\w.]+)$/gm)?.[1];
      if (error !== undefined) causes.set(sections[at] as string, failureOf(error));
    }
  }
  for (const line of shortLines(text.slice(summaryAt))) {
    const [, word, , name, message] = short.exec(line) ?? [];
    if (word === 'FAILED' && name !== undefined && message !== undefined)
      causes.set(
        name.replace(/^[^[]*/, (path) => path.replaceAll('::', '.')),
        failureOf(message) ?? 'error',
      );
  }
  return causes;
}

/** `-v` prints the start of each test, its output, and its outcome. The docstring of a test has a line of its own. */
const unittestStart = /^(\w+) \(([\w.]+)\)(?=(?:\n.*)? \.\.\. )/gm;
const unittestHeading = /^(FAIL|ERROR): (\w+) \(([\w.]+)\)/gm;
/** Lines that are not tests. */
const unittestFixtures = new Set(['setUpClass', 'tearDownClass', 'setUpModule', 'tearDownModule']);

export function readUnittest(text: string): Reading {
  const plain = plainText(text);
  const summary = lastMatch(plain, /^Ran (\d+) tests? in [\d.]+s\n\n(?:OK|FAILED|NO TESTS RAN)(?: \((.*)\))?$/gm);
  if (summary === null) return { refused: 'unfinished' };
  const count = Number(summary[1]);
  const of = (word: string) => Number(new RegExp(`\\b${word}=(\\d+)`).exec(summary[2] ?? '')?.[1] ?? '0');
  const body = plain.slice(0, summary.index);
  const end = body.search(/^(?:={70}|-{70})$/m);
  // A subtest that fails has a heading with the name of its test.
  const failures = new Map<string, 'assertion' | 'error'>();
  const headings = [...body.slice(end === -1 ? body.length : end).matchAll(unittestHeading)];
  for (const [, word, method, place] of headings) {
    const failure = word === 'ERROR' || failures.get(`${place} ${method}`) === 'error' ? 'error' : 'assertion';
    failures.set(`${place} ${method}`, failure);
  }
  if (headings.length !== of('failures') + of('errors'))
    return {
      refused: 'disagrees',
      detail: `${of('failures') + of('errors')} failures in the summary and ${headings.length} by name`,
    };
  if (count === 0 && headings.length === 0) return { refused: 'no tests' };
  const parts = (end === -1 ? body : body.slice(0, end)).split(unittestStart);
  const tests: TestResult[] = [];
  for (let at = 1; at + 2 < parts.length; at += 3) {
    const [method, place, output] = parts.slice(at, at + 3) as [string, string, string];
    const key = `${place} ${method}`;
    const failure = failures.get(key);
    failures.delete(key);
    if (unittestFixtures.has(method)) continue;
    const outcome = /(ok|FAIL|ERROR|skipped [^\n]*|expected failure|unexpected success)\s*$/.exec(output)?.[1];
    if (outcome === undefined || (failure === undefined && /^(?:FAIL|ERROR)$/.test(outcome)))
      return { refused: 'disagrees', detail: `${method} has no outcome` };
    tests.push(unittestResult(method, place, failure === undefined ? outcome : failure));
  }
  if (tests.length === 0 && count > 0) return { refused: 'no names' };
  if (tests.length !== count) return { refused: 'disagrees', detail: `${count} in the summary and ${tests.length} by name` };
  const skips = tests.filter(({ outcome }) => outcome === 'skipped').length;
  const printed = of('skipped') + of('expected failures') + of('unexpected successes');
  if (skips !== printed) return { refused: 'disagrees', detail: `${printed} skipped in the summary and ${skips} by name` };
  const broken = [...unittestBroken(body)];
  const loaded = tests.filter(({ suite }) => suite[0] !== 'unittest.loader._FailedTest');
  if (loaded.length === 0) return { refused: 'load failed', detail: tests[0]?.name ?? broken[0]?.name };
  return { tests: [...tests, ...broken] };
}

/** Classes and modules that could not be prepared. None of their tests ran. */
function unittestBroken(body: string): TestResult[] {
  const headings = [...body.matchAll(unittestHeading)].filter(([, , method]) => unittestFixtures.has(method as string));
  return headings.map(([, , method, place]) => failed(null, [place as string], method as string, 'error'));
}

/** `tests.test_cart.TestCart.test_adds` since Python 3.11, `tests.test_cart.TestCart` before. */
function unittestResult(method: string, place: string, outcome: string): TestResult {
  const suite = place.endsWith(`.${method}`) ? place.slice(0, -method.length - 1) : place;
  if (outcome === 'ok') return passed(null, [suite], method);
  if (outcome === 'assertion' || outcome === 'error') return failed(null, [suite], method, outcome);
  return skipped(null, [suite], method);
}
