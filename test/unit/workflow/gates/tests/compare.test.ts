// Tests of two runs are matched by name. Each row that does not hold is a way to make a gate open without the work.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TestDemand } from '../../../../../src/model/requirement.ts';
import { compareTests, listTitles } from '../../../../../src/workflow/gates/tests/compare.ts';
import { matchingTitle, maxTests, type TestTally, talliesOf } from '../../../../../src/workflow/gates/tests/identity.ts';
import type { TestResult } from '../../../../../src/workflow/gates/tests/result.ts';

/** `FILE:SUITE > NAME OUTCOME`; without `FILE:` the runner names no file. */
function results(lines: readonly string[]): TestResult[] {
  return lines.map((line) => {
    const [, file, titles, word] = /^(?:([^:]+):)?(.+) (\w+)$/.exec(line) as unknown as [string, string?, string?, string?];
    const names = (titles as string).split(' > ');
    const outcome = word === 'error' ? 'failed' : (word as TestResult['outcome']);
    const failure = word === 'failed' ? 'assertion' : word === 'error' ? 'error' : null;
    return { file: file ?? null, suite: names.slice(0, -1), name: names.at(-1) as string, outcome, failure };
  });
}
const read = (tests: TestResult[]) => talliesOf({ readable: true, runner: 'tap', tests });
/** No lines stand for a run of which nothing is known. */
const tally = (lines: readonly string[]) => (lines.length === 0 ? [] : (read(results(lines)) as TestTally[]));

describe('two runs', () => {
  test.each<[string, TestDemand, string[], string[], string | null]>([
    ['a new test fails', 'new failure', ['a passed'], ['a passed', 'b failed'], null],
    ['a known test fails now', 'new failure', ['a passed'], ['a failed'], null],
    ['a skipped test fails now', 'new failure', ['a skipped'], ['a failed'], null],
    ['one more of several with one name fails', 'new failure', ['a failed', 'a passed'], ['a failed', 'a failed'], null],
    ['nothing fails', 'new failure', ['a passed'], ['a passed', 'b passed'], 'no test fails by an assertion'],
    ['the test failed before', 'new failure', ['a failed'], ['a failed'], '`a` already failed'],
    ['the failing test was moved', 'new failure', ['x.js:a failed'], ['y.js:a failed'], '`a` already failed'],
    ['it failed by an error before', 'new failure', ['a error'], ['a failed'], '`a` already failed'],
    ['the new test only throws an error', 'new failure', ['a passed'], ['b error'], '`b` failed by an error'],
    ['no test at all', 'new failure', ['a passed'], [], 'no test fails by an assertion'],
    [
      'a failing test was renamed',
      'new failure',
      ['a failed', 'b failed'],
      ['b failed', 'c failed'],
      '`a` failed when you entered this mode and was not reported in the last run, so `c` may be the same under another name',
    ],
    ['a failing test was renamed, and another one is new', 'new failure', ['a failed'], ['c failed', 'd failed'], null],
    ['a passing test was renamed, and fails now', 'new failure', ['a passed'], ['c failed'], null],
    ['a file that could not be loaded has a failing test', 'new failure', ['a.js error'], ['a failed'], null],

    ['all pass', 'all pass', ['a failed', 'b passed'], ['a passed', 'b passed'], null],
    ['a new test passes too', 'all pass', ['a passed'], ['a passed', 'b passed'], null],
    ['a test was skipped before and is still', 'all pass', ['a passed', 'b skipped'], ['a passed', 'b skipped'], null],
    ['the failing test is not reported', 'all pass', ['a failed', 'b passed'], ['b passed'], '`a` was not reported'],
    ['the failing test is skipped', 'all pass', ['a failed', 'b passed'], ['a skipped', 'b passed'], '`a` was skipped'],
    ['a passing test is gone', 'all pass', ['a passed', 'b passed'], ['b passed'], '`a` was not reported'],
    ['a skipped test is gone', 'all pass', ['a skipped', 'b passed'], ['b passed'], '`a` was not reported'],
    ['a new test is skipped', 'all pass', ['b passed'], ['b passed', 'c skipped'], '`c` was skipped'],
    ['a test fails', 'all pass', ['a failed'], ['a failed'], '`a` failed in the last run'],
    ['a test fails by an error', 'all pass', ['a failed'], ['a error'], '`a` failed in the last run'],
    ['one of several with one name is gone', 'all pass', ['a passed', 'a failed'], ['a passed'], '`a` was not reported'],
    [
      'one of several with one name is skipped',
      'all pass',
      ['a passed', 'a failed'],
      ['a passed', 'a skipped'],
      '`a` was skipped',
    ],
    ['only the name of the file is reported', 'all pass', ['a failed'], ['test/a.test.js passed'], '`a` was not reported'],
    ['everything is skipped, as before', 'all pass', ['a skipped'], ['a skipped'], 'no test passed'],
    ['no test was reported', 'all pass', ['a failed'], [], '`a` was not reported'],
    ['the test moved', 'all pass', ['x.js:a failed'], ['y.js:a passed'], '`a` moved to y.js'],
    ['its file was renamed', 'all pass', ['old.js:a failed'], ['new.js:a passed'], null],
    [
      'the same name in another file does not replace it',
      'all pass',
      ['x.js:a failed', 'y.js:a passed'],
      ['y.js:a passed'],
      '`a` was not reported',
    ],
    ['a format without files, after one with files', 'all pass', ['x.js:s > a failed'], ['s > a passed'], null],
    ['a test that moved, after a format without files', 'all pass', ['a failed'], ['y.js:a passed'], null],
    ['a title that ends like a duration', 'all pass', ['s > takes (3 ms) failed'], ['s > takes passed'], null],
    ['a format that joins suites with a space', 'all pass', ['s > a failed'], ['s a passed'], null],

    ['the same pass', 'same', ['a passed', 'b failed'], ['a passed', 'b failed'], null],
    ['the same pass in another order', 'same', ['a passed', 'b passed'], ['b passed', 'a passed'], null],
    ['one more passes', 'same', ['a passed'], ['a passed', 'b passed'], '`b` passed only in the last run'],
    ['one less passes', 'same', ['a passed', 'b passed'], ['a passed'], '`b` was not reported'],
    ['one fails now', 'same', ['a passed', 'b passed'], ['a passed', 'b failed'], '`b` failed'],
    ['one is skipped now', 'same', ['a passed', 'b passed'], ['a passed', 'b skipped'], '`b` was skipped'],
    ['one of two with one name is gone', 'same', ['a passed', 'a passed'], ['a passed'], '`a` was not reported'],
    ['one moved', 'same', ['x.js:a passed'], ['y.js:a passed'], '`a` moved to y.js'],
    ['none passed before or after', 'same', ['a failed'], ['a failed'], 'no test passed'],
  ])('%s (%s)', (_, demand, before, after, missing) => {
    const found = compareTests(demand, tally(before), tally(after), new Map([['old.js', 'new.js']]));
    if (missing === null) expect(found.missing).toBeNull();
    else expect(found.missing).toContain(missing);
  });

  test('report how many tests failed at the entry, name a few, and count the others', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const before = tally([...names.map((name) => `cart > ${name} failed`), 'f passed']);
    const after = tally([...names.slice(1).map((name) => `cart > ${name} failed`), 'f passed']);
    expect(compareTests('all pass', before, after)).toEqual({
      missing:
        '5 tests were failing when you entered this mode; `cart › b`, `cart › c`, `cart › d` and 1 more failed in the last run; `cart › a` was not reported in the last run',
      tests: names.map((name) => ({ title: `cart › ${name}`, holds: false })),
    });
    expect(listTitles(names)).toBe('`a`, `b`, `c` and 2 more');
  });

  test('list the tests that the gate waits for, with those that hold', () => {
    const found = compareTests(
      'all pass',
      tally(['a failed', 'b failed', 'c passed']),
      tally(['a passed', 'b failed', 'c passed']),
    );
    expect(found.tests).toEqual([
      { title: 'a', holds: true },
      { title: 'b', holds: false },
    ]);
  });
});

describe('for any two runs', () => {
  const word = fc.constantFrom('passed', 'failed', 'error', 'skipped');
  const line = fc.tuple(fc.constantFrom('', 'x.js:', 'y.js:'), fc.constantFrom('a', 'b', 's > a', 'c'), word);
  const run = fc.array(line, { maxLength: 8 }).map((lines) => lines.map(([file, name, outcome]) => `${file}${name} ${outcome}`));
  const countOf = (lines: string[], name: string, outcome: RegExp) =>
    lines.filter((one) => one.replace(/^[xy]\.js:/, '').startsWith(`${name} `) && outcome.test(one)).length;
  const titles = ['a', 'b', 's > a', 'c'];

  test('"all pass" never holds where a test fails, is gone, or is newly skipped', () => {
    fc.assert(
      fc.property(run, run, (before, after) => {
        if (compareTests('all pass', tally(before), tally(after)).missing !== null) return;
        expect(after.filter((one) => /(failed|error)$/.test(one))).toEqual([]);
        for (const name of titles) {
          expect(countOf(after, name, /passed$/)).toBeGreaterThanOrEqual(countOf(before, name, /(passed|failed|error)$/));
          expect(countOf(after, name, /skipped$/)).toBeLessThanOrEqual(countOf(before, name, /skipped$/));
        }
      }),
      { numRuns: 5_000 },
    );
  });

  test('"all pass" and "same" hold for a run that passed twice, and "new failure" never does', () => {
    fc.assert(
      fc.property(run, (lines) => {
        const all = [...lines.map((one) => one.replace(/(failed|error|skipped)$/, 'passed')), 'd passed'];
        expect(compareTests('all pass', tally(all), tally(all)).missing).toBeNull();
        expect(compareTests('same', tally(all), tally(all)).missing).toBeNull();
        expect(compareTests('new failure', tally(lines), tally(lines)).missing).not.toBeNull();
      }),
      { numRuns: 2_000 },
    );
  });

  test('"new failure" holds only if a name has more failed assertions than it had failures', () => {
    fc.assert(
      fc.property(run, run, (before, after) => {
        if (compareTests('new failure', tally(before), tally(after)).missing !== null) return;
        expect(after.some((one) => one.endsWith('failed'))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the identity of a test', () => {
  const titleOf = (name: string, suite: string[] = []) =>
    (read([{ file: null, suite, name, outcome: 'passed', failure: null }]) as TestTally[])[0]?.title;

  test.each([
    ['colors of a terminal', '\u001b[32madds\u001b[0m tax', 'adds tax'],
    ['several spaces and line breaks', ' adds \n\t tax ', 'adds tax'],
    ['another form of one character', 'cafe\u0301', 'caf\u00e9'],
    ['an invisible character', 'adds\u200b tax', 'adds tax'],
    ['an address in memory', 'is <Cart object at 0x7f3a5c0d1e80>', 'is <Cart object at 0x…>'],
  ])('leaves out %s', (_, name, title) => expect(titleOf(name)).toBe(title));

  test('distinguishes two long names', () => {
    const long = 'x'.repeat(10_000);
    expect(titleOf(`${long}1`)).not.toBe(titleOf(`${long}2`));
    expect(titleOf(`${long}1`)?.length).toBeLessThanOrEqual(200);
  });

  test('is the same for each way to separate suites', () => {
    const [title] = [titleOf('adds', ['cart', 'tax'])];
    expect(title).toBe('cart › tax › adds');
    for (const other of ['cart > tax > adds', 'cart tax adds', 'cart » tax › adds'])
      expect(matchingTitle(other)).toBe(matchingTitle(title as string));
  });

  test('has a file in one spelling', () => {
    expect(tally(['./test/a.js:a passed', 'test//a.js:a passed'])).toEqual([
      { file: 'test/a.js', title: 'a', passed: 2, failed: 0, broken: 0, skipped: 0 },
    ]);
  });

  test('is not compared if a run has too many tests', () => {
    const many = Array.from({ length: maxTests + 1 }, (_, index) => `t${index} passed`);
    expect(read(results(many))).toMatchObject({ readable: false, why: 'the run reported more than 50000 tests' });
    expect(read(results(many.slice(1)))).toHaveLength(maxTests);
  });

  test('is not compared if a run reported no test, or cannot be read', () => {
    expect(read([])).toMatchObject({ readable: false, why: 'the run reported no test' });
    const unreadable = {
      readable: false as const,
      runner: null,
      hasNoTests: false,
      why: 'nothing names a test',
      how: 'Name the tests.',
    };
    expect(talliesOf(unreadable)).toBe(unreadable);
  });
});
