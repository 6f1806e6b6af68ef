// The printed output of Vitest (`verbose`), Jest (`--verbose`), Mocha (`spec`), Bun and Playwright (`list`).

import type { TestResult } from '../result.ts';
import { withBrokenFiles } from './json.ts';
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

/** Kinds of failures by title. */
type Causes = ReadonlyMap<string, TestResult['failure']>;

/** Counts such as `1 failed | 2 passed`, by word. */
function countsOf(text: string): (...words: string[]) => number {
  const counts = new Map([...text.matchAll(/\b(\d+) ([a-z]+)/g)].map(([, count, word]) => [word as string, Number(count)]));
  return (...words) => words.reduce((sum, word) => sum + (counts.get(word) ?? 0), 0);
}

/** Vitest's reports do not tell that a test was expected to fail. Its printed summary counts such tests. */
export function withoutExpectedFailures(tests: TestResult[], output: string): Reading {
  const summary = lastMatch(plainText(output), /^ +Tests {2}(\d.*)$/gm);
  return summary !== null && countsOf(summary[1] as string)('expected') > 0 ? unknownExpected : { tests };
}

const unknownExpected: Reading = { refused: 'expected failures' };

const vitestLine =
  /^ (✓|×|↓) (?:\|[^|]*\| )?(\S.*?\.[cm]?[jt]sx?) > (.+?)(?: \d+(?:\.\d+)?m?s)?(?: \((?:retry|repeat) x\d+\))*(?: \d+ MB heap used)?$/;

export function readVitest(text: string, folder: string): Reading {
  const plain = plainText(text);
  const summary = lastMatch(plain, /^ +Tests {2}(no tests|\d.*)$/gm);
  if (summary === null) return { refused: /^No test files found/m.test(plain) ? 'no tests' : 'unfinished' };
  const broken = [...plain.matchAll(/^ FAIL {2}(?:\|[^|]*\| )?(\S.*?) \[ .* \]$/gm)].map(([, file]) =>
    brokenFile(relativeFile(file as string, folder)),
  );
  if (/^ +Errors {2}\d+ errors?$/m.test(plain)) broken.push(failed(null, [], 'unhandled error', 'error'));
  const of = countsOf(summary[1] as string);
  if (of('expected') > 0) return unknownExpected;
  const totals = { passed: of('passed'), failed: of('failed'), skipped: of('skipped', 'todo') };
  const causes = vitestCauses(plain);
  const tests = plain.split('\n').flatMap((line) => {
    const [, mark, file, title] = vitestLine.exec(line) ?? [];
    if (mark === undefined || file === undefined || title === undefined) return [];
    const parts = title.split(' > ');
    const [suite, name] = [parts.slice(0, -1), parts.at(-1) as string];
    const place = relativeFile(file, folder);
    if (mark === '↓') return [skipped(place, suite, name)];
    return [mark === '✓' ? passed(place, suite, name) : failed(place, suite, name, causes.get(`${file} > ${title}`) ?? 'error')];
  });
  const sum = totals.passed + totals.failed + totals.skipped;
  if (sum > 0 && tests.length === 0) return { refused: 'no names' };
  const reading = agreeing(tests, totals);
  return 'tests' in reading ? withBrokenFiles(tests, broken) : reading;
}

/** Several tests that failed by the same error are listed one below the other. */
function vitestCauses(text: string): Causes {
  const causes = new Map<string, TestResult['failure']>();
  let titles: string[] = [];
  for (const line of text.split('\n')) {
    const title = /^ FAIL {2}(?:\|[^|]*\| )?(\S.* > .*)$/.exec(line)?.[1];
    if (title !== undefined) titles.push(title);
    else if (titles.length > 0) {
      for (const one of titles) causes.set(one, failureOf(line));
      titles = [];
    }
  }
  return causes;
}

export function readJest(text: string, folder: string): Reading {
  const plain = plainText(text);
  const summary = lastMatch(plain, /^Tests: +((?:\d+ [a-z]+, )*\d+ total)$/gm);
  if (summary === null) return { refused: /^No tests found/m.test(plain) ? 'no tests' : 'unfinished' };
  const of = countsOf(summary[1] as string);
  const totals = { passed: of('passed'), failed: of('failed'), skipped: of('skipped', 'todo') };
  const causes = jestCauses(plain);
  const tests: TestResult[] = [];
  const broken: TestResult[] = [];
  // `PASS` or `FAIL`, the project in color, and the file.
  for (const block of plain.slice(0, summary.index).split(/^(?=(?:PASS|FAIL) )/m)) {
    const [head = '', ...lines] = block.split('\n');
    const [, outcome, file] = /^(PASS|FAIL) (?:.* )?(\S+?)(?: \([\d.]+ m?s\))?$/.exec(head) ?? [];
    if (file === undefined) continue;
    const own = readTree(lines, jestLine, relativeFile(file, folder), causes);
    tests.push(...own);
    if (outcome === 'FAIL' && /^ {2}● Test suite failed to run$/m.test(block))
      broken.push(brokenFile(relativeFile(file, folder)));
  }
  const sum = totals.passed + totals.failed + totals.skipped;
  // A file whose tests are all skipped is not listed.
  if (sum > 0 && sum === totals.skipped) return { refused: 'all skipped' };
  if (sum > 0 && tests.length === 0) return { refused: 'no names' };
  // A file whose tests are all skipped is not listed either beside others.
  const hasUnlisted = /^Test Suites: .*\b\d+ skipped,/m.test(plain.slice(0, summary.index));
  const listedSkips = tests.filter(({ outcome }) => outcome === 'skipped').length;
  const reading = agreeing(tests, hasUnlisted ? { ...totals, skipped: Math.min(totals.skipped, listedSkips) } : totals);
  return 'tests' in reading ? withBrokenFiles(tests, broken) : reading;
}

/** Lines of one file until the blank line that ends its tests. The indentation shows the suites. */
function readTree(lines: readonly string[], line: RegExp, file: string | null, causes: Causes): TestResult[] {
  const suites: string[] = [];
  const tests: TestResult[] = [];
  for (const text of lines) {
    if (text.trim() === '') break;
    const [, space, mark, title] = line.exec(text) ?? [];
    const depth = (space ?? /^ */.exec(text)?.[0] ?? '').length / 2 - 1;
    if (!Number.isInteger(depth) || depth < 0) break;
    suites.length = Math.min(suites.length, depth);
    if (mark === undefined || title === undefined) {
      suites[depth] = text.trim();
      continue;
    }
    const suite = suites.filter((name) => name !== undefined);
    if (mark === '✓') tests.push(passed(file, suite, title));
    else if (mark === '✕') tests.push(failed(file, suite, title, causes.get([...suite, title].join(' › ')) ?? 'error'));
    else tests.push(skipped(file, suite, title));
  }
  return tests;
}

const jestLine = /^( *)(✓|✕|○ skipped|✎ todo) (.*?)(?: \(\d+(?:\.\d+)? m?s\))?$/;

function jestCauses(text: string): Causes {
  const causes = new Map<string, TestResult['failure']>();
  for (const [, title, message] of text.matchAll(/^ {2}● (.+)\n\n {4}(\S.*)$/gm))
    causes.set(title as string, failureOf(message as string));
  return causes;
}

/** The reporter `list` puts a colon before the time. */
const mochaLine = /^( +)(✔|\d+\)|-) (.*?)(?: \(\d+(?:\.\d+)?m?s\)|: \d+ms)?$/;

/** Mocha has one reporter. This one is its `spec` and its `json`. Modes finds them among the modules that Mocha has loaded. */
export const mochaReporter = {
  name: 'mocha-reporter.cjs',
  text: `const isIndex = ({ id }) => /[\\\\/]mocha[\\\\/]lib[\\\\/]reporters[\\\\/]index\\.js$/.test(id);
const { Spec, JSON } = Object.values(require.cache).find(isIndex).exports;
module.exports = class {
  constructor(runner, options) {
    new Spec(runner, options);
    new JSON(runner, options);
  }
};
`,
};

export function readMocha(text: string): Reading {
  const plain = plainText(text);
  const summary = lastMatch(plain, /^ {2}(\d+) passing \(\d+m?s\)$(?:\n {2}(\d+) pending$)?(?:\n {2}(\d+) failing$)?/gm);
  if (summary === null) return { refused: /^Error: No test files found/m.test(plain) ? 'no tests' : 'unfinished' };
  const [passes, pending, failing] = summary.slice(1, 4).map((count) => Number(count ?? '0')) as [number, number, number];
  if (passes + pending + failing === 0) return { refused: 'no tests' };
  const errors = mochaCauses(plain.slice((summary.index ?? 0) + summary[0].length));
  if (errors.size < failing) return { refused: 'unfinished' };
  const suites: string[] = [];
  const tests: TestResult[] = [];
  for (const line of plain.slice(0, summary.index).split('\n')) {
    const [, space, mark, title] = mochaLine.exec(line) ?? [];
    const depth = (space ?? /^ */.exec(line)?.[0] ?? '').length / 2 - 1;
    if (line.trim() === '' || !Number.isInteger(depth) || depth < 0) continue;
    suites.length = Math.min(suites.length, depth);
    if (mark === undefined || title === undefined) suites[depth] = line.trim();
    else if (mark === '✔') tests.push(passed(null, [...suites], title));
    else if (mark === '-') tests.push(skipped(null, [...suites], title));
    else tests.push(failed(null, [...suites], title, errors.get(mark) ?? 'error'));
  }
  if (tests.length === 0) return { refused: 'no names' };
  return agreeing(
    tests.map((test) => ({ ...test, suite: test.suite.filter((name) => name !== undefined) })),
    { passed: passes, failed: failing, skipped: pending },
  );
}

/** By the number of the failure with its parenthesis. A section without an error was cut. */
function mochaCauses(text: string): Causes {
  const causes = new Map<string, TestResult['failure']>();
  const sections = text.split(/^ {2}(\d+\)) /m);
  for (let at = 1; at + 1 < sections.length; at += 2) {
    const error = /:\n\s*((?:Uncaught )?[\w.]*(?:Error|Exception)\b.*)$/m.exec(sections[at + 1] as string)?.[1];
    if (error !== undefined) causes.set(sections[at] as string, failureOf(error));
  }
  return causes;
}

const bunLine = /^\((pass|fail|skip|todo)\) (.*?)(?: \[[\d.]+m?s\])?$/;

/** Bun leaves out the tests that pass where an agent runs it. */
export function readBun(text: string, folder: string): Reading {
  const plain = plainText(text);
  const summary = lastMatch(plain, /^ (\d+ pass\n(?: \d+ [\w() ]+\n){0,10})Ran (\d+) tests? across \d+ files?\./gm);
  if (summary === null) return { refused: 'unfinished' };
  const of = countsOf(summary[1] as string);
  // An error outside of the tests is a failure too.
  const errors = of('error', 'errors');
  const totals = { passed: of('pass'), failed: of('fail') - errors, skipped: of('skip', 'todo') };
  if (totals.passed + totals.failed + totals.skipped + errors === 0) return { refused: 'no tests' };
  const tests: TestResult[] = [];
  const broken: TestResult[] = [];
  let file: string | null = null;
  let error: TestResult['failure'] = null;
  for (const line of plain.slice(0, summary.index).split('\n')) {
    const [, outcome, title] = bunLine.exec(line) ?? [];
    const [, name] = /^(\S+\.[cm]?[jt]sx?):$/.exec(line) ?? [];
    if (name !== undefined) file = relativeFile(name, folder);
    else if (line === '# Unhandled error between tests') broken.push(brokenFile(file ?? 'unhandled error'));
    else if (outcome === undefined || title === undefined) error = failureOf(line.replace(/^error: /, '')) ?? error;
    else {
      const parts = title.split(' > ');
      const [suite, last] = [parts.slice(0, -1), parts.at(-1) as string];
      if (outcome === 'pass') tests.push(passed(file, suite, last));
      else if (outcome === 'fail') tests.push(failed(file, suite, last, error ?? 'error'));
      else tests.push(skipped(file, suite, last));
      error = null;
    }
  }
  if (totals.passed > 0 && !tests.some(({ outcome }) => outcome === 'passed')) return { refused: 'no names' };
  const reading = agreeing(tests, totals);
  return 'tests' in reading ? withBrokenFiles(tests, broken) : reading;
}

const playwrightLine = /^ +(✓|✘|-|ok|x) +\d+ (?:\[[^\]]*\] › )?(\S+?):\d+:\d+ › (.*?)(?: \([\d.]+m?s\))?$/;

export function readPlaywright(text: string, folder: string): Reading {
  const plain = plainText(text);
  const last = plain
    .split(/^(?= {2}\d+ (?:failed|skipped|passed|flaky|interrupted|did not run)\b)/m)
    .slice(1)
    .join('');
  if (last === '') return { refused: /No tests found/.test(plain) ? 'no tests' : 'unfinished' };
  const count = (word: string) => Number(new RegExp(`^ {2}(\\d+) ${word}`, 'm').exec(last)?.[1] ?? '0');
  const totals = { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
  const causes = new Map<string, TestResult['failure']>();
  for (const [, title, error] of plain.matchAll(/^ {2}\d+\) (?:\[[^\]]*\] › )?(\S+ › .*?) ─*\n\n {4}(.*)$/gm))
    causes.set(title as string, failureOf(error as string));
  const tests = plain.split('\n').flatMap((line) => {
    const [, mark, file, title] = playwrightLine.exec(line) ?? [];
    if (mark === undefined || file === undefined || title === undefined) return [];
    const [parts, place] = [title.split(' › '), relativeFile(file, folder)];
    const [suite, name] = [parts.slice(0, -1), parts.at(-1) as string];
    if (mark === '-') return [skipped(place, suite, name)];
    if (mark === '✓' || mark === 'ok') return [passed(place, suite, name)];
    const at = /^ +\S+ +\d+ (?:\[[^\]]*\] › )?(\S+) › /.exec(line)?.[1];
    return [failed(place, suite, name, causes.get(`${at} › ${title}`) ?? 'error')];
  });
  if (tests.length === 0) return { refused: 'no names' };
  return agreeing(tests, totals);
}
