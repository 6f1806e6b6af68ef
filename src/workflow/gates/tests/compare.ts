// Compares the tests of two runs by name: those that were known when the mode was entered, and those of the newest run.

import type { TestDemand } from '../../../model/requirement.ts';
import type { AwaitedTest } from '../unmet.ts';
import { matchingTitle, type TestCounts, type TestTally } from './identity.ts';

/** `missing`: why the demand does not hold; null: it holds. */
export interface TestComparison {
  missing: string | null;
  /** Tests that decide about the demand. */
  tests: AwaitedTest[];
}

/** One test in both runs. */
interface Pair {
  title: string;
  before: TestCounts | null;
  after: TestCounts | null;
  /** The test is now reported for this other file, without its old file having been renamed. */
  movedTo: string | null;
}

/**
 * @param before tests that were known at the entry into the mode
 * @param after tests of the newest run
 * @param renamed present names of test files that were renamed since, by their names at the entry
 */
export function compareTests(
  demand: TestDemand,
  before: readonly TestTally[],
  after: readonly TestTally[],
  renamed: ReadonlyMap<string, string> = new Map(),
): TestComparison {
  const pairs = pairTests(before, after, renamed);
  switch (demand) {
    case 'new failure':
      return newFailure(pairs);
    case 'all pass':
      return allPass(pairs);
    case 'same':
      return samePass(pairs);
  }
}

/** Names that are shown, at most. */
const maxNamed = 3;

/** Some titles in backquotes, and the number of the others. */
export function listTitles(titles: readonly string[]): string {
  const shown = titles.slice(0, maxNamed).map((title) => `\`${title}\``);
  return titles.length > shown.length ? `${shown.join(', ')} and ${titles.length - shown.length} more` : shown.join(', ');
}

function newFailure(pairs: readonly Pair[]): TestComparison {
  const failing = pairs.filter(({ after }) => after !== null && after.failed > 0);
  // A test that failed for any reason before is not new, even if it was moved or is repeated.
  const found = failing.filter(({ before, after }) => (after as TestCounts).failed > failuresOf(before));
  // A failing test that is gone may be one of the new ones under another name. A file that could not be loaded is no test.
  const gone = pairs.filter((pair) => (pair.before?.failed ?? 0) > 0 && isAbsent(pair));
  if (found.length > 0 && found.length <= gone.length) return renamedFailure(titlesOf(gone), titlesOf(found));
  if (found.length > 0) return { missing: null, tests: found.map(({ title }) => ({ title, holds: true })) };
  const broken = titlesOf(pairs.filter(({ after }) => after !== null && after.broken > 0));
  const old = titlesOf(failing);
  const parts = [
    'no test fails by an assertion that did not fail when you entered this mode',
    ...(old.length > 0 ? [`${listTitles(old)} already failed`] : []),
    ...(broken.length > 0 ? [`${listTitles(broken)} failed by an error and not by an assertion`] : []),
  ];
  return { missing: parts.join('; '), tests: [...old, ...broken].map((title) => ({ title, holds: false })) };
}

function renamedFailure(gone: readonly string[], found: readonly string[]): TestComparison {
  const was = gone.length === 1 ? 'was' : 'were';
  return {
    missing: `${listTitles(gone)} failed when you entered this mode and ${was} not reported in the last run, so ${listTitles(found)} may be the same under another name`,
    tests: [...gone, ...found].map((title) => ({ title, holds: false })),
  };
}

function allPass(pairs: readonly Pair[]): TestComparison {
  const failedBefore = titlesOf(pairs.filter(({ before }) => failuresOf(before) > 0));
  const failing = titlesOf(pairs.filter(({ after }) => failuresOf(after) > 0));
  const skipped = titlesOf(pairs.filter(({ before, after }) => (after?.skipped ?? 0) > (before?.skipped ?? 0)));
  const moved = pairs.filter(({ movedTo }) => movedTo !== null);
  const absent = titlesOf(pairs.filter((pair) => isAbsent(pair) && !skipped.includes(pair.title)));
  const missing = [
    ...missingParts({ failing, skipped, absent, moved }),
    ...(pairs.some(({ after }) => (after?.passed ?? 0) > 0) ? [] : ['no test passed in the last run']),
  ];
  const wrong = new Set([...failing, ...skipped, ...titlesOf(moved), ...absent]);
  return {
    missing: missing.length === 0 ? null : withContext(missing, failedBefore.length),
    tests: [...new Set([...failedBefore, ...wrong])].map((title) => ({ title, holds: !wrong.has(title) })),
  };
}

function samePass(pairs: readonly Pair[]): TestComparison {
  const moved = pairs.filter(({ movedTo }) => movedTo !== null);
  const less = pairs.filter(({ before, after }) => passesOf(after) < passesOf(before));
  const failing = titlesOf(less.filter(({ after }) => failuresOf(after) > 0));
  const skipped = titlesOf(less.filter(({ after }) => failuresOf(after) === 0 && (after?.skipped ?? 0) > 0));
  const absent = titlesOf(less).filter((title) => !failing.includes(title) && !skipped.includes(title));
  const added = titlesOf(pairs.filter(({ before, after }) => passesOf(after) > passesOf(before)));
  const missing = [
    ...missingParts({ failing, skipped, absent, moved }),
    ...(added.length > 0 ? [`${listTitles(added)} passed only in the last run`] : []),
    ...(pairs.some(({ after }) => passesOf(after) > 0) ? [] : ['no test passed in the last run']),
  ];
  const wrong = [...new Set([...failing, ...skipped, ...absent, ...titlesOf(moved), ...added])];
  return {
    missing: missing.length === 0 ? null : missing.join('; '),
    tests: wrong.map((title) => ({ title, holds: false })),
  };
}

interface Wrong {
  failing: readonly string[];
  skipped: readonly string[];
  absent: readonly string[];
  moved: readonly Pair[];
}

function missingParts({ failing, skipped, absent, moved }: Wrong): string[] {
  const was = (names: readonly string[]) => (names.length === 1 ? 'was' : 'were');
  return [
    ...(failing.length > 0 ? [`${listTitles(failing)} failed in the last run`] : []),
    ...(skipped.length > 0 ? [`${listTitles(skipped)} ${was(skipped)} skipped in the last run`] : []),
    ...(absent.length > 0 ? [`${listTitles(absent)} ${was(absent)} not reported in the last run`] : []),
    ...moved.slice(0, maxNamed).map(({ title, movedTo }) => `\`${title}\` moved to ${movedTo}`),
    ...(moved.length > maxNamed ? [`${moved.length - maxNamed} more tests moved to another file`] : []),
  ];
}

function withContext(missing: readonly string[], failedBefore: number): string {
  const before =
    failedBefore === 0
      ? []
      : [`${failedBefore} ${failedBefore === 1 ? 'test was' : 'tests were'} failing when you entered this mode`];
  return [...before, ...missing].join('; ');
}

/** The test, or some of its repetitions, is not reported any more. A repetition that is skipped instead counts as skipped. */
function isAbsent({ before, after, movedTo }: Pair): boolean {
  return movedTo === null && totalOf(after) < totalOf(before);
}

/** Finds each test of the one run in the other. */
function pairTests(before: readonly TestTally[], after: readonly TestTally[], renamed: ReadonlyMap<string, string>): Pair[] {
  const [then, now] = [byTitle(before), byTitle(after)];
  return [...new Set([...then.keys(), ...now.keys()])].flatMap((key) => pairOf(then.get(key) ?? [], now.get(key) ?? [], renamed));
}

function byTitle(tallies: readonly TestTally[]): Map<string, TestTally[]> {
  const found = new Map<string, TestTally[]>();
  for (const tally of tallies) {
    const key = matchingTitle(tally.title);
    const same = found.get(key);
    if (same === undefined) found.set(key, [tally]);
    else same.push(tally);
  }
  return found;
}

/** Pairs the tests of one title. If a file is unknown in either run, only the sums can be compared. */
function pairOf(before: readonly TestTally[], after: readonly TestTally[], renamed: ReadonlyMap<string, string>): Pair[] {
  const title = (after[0] ?? (before[0] as TestTally)).title;
  if ([...before, ...after].some(({ file }) => file === null))
    return [{ title, before: sumOf(before), after: sumOf(after), movedTo: null }];
  const rest = new Map<string, TestTally[]>();
  for (const tally of after) rest.set(tally.file as string, [...(rest.get(tally.file as string) ?? []), tally]);
  const left: TestTally[] = [];
  const pairs: Pair[] = [];
  for (const [file, tallies] of groupByFile(before, renamed)) {
    const same = rest.get(file);
    if (same === undefined) left.push(...tallies);
    else pairs.push({ title, before: sumOf(tallies), after: sumOf(same), movedTo: null });
    rest.delete(file);
  }
  const others = [...rest.values()].flat();
  if (left.length > 0 && others.length > 0)
    return [...pairs, { title, before: sumOf(left), after: sumOf(others), movedTo: others[0]?.file ?? null }];
  if (left.length > 0) return [...pairs, { title, before: sumOf(left), after: null, movedTo: null }];
  return others.length > 0 ? [...pairs, { title, before: null, after: sumOf(others), movedTo: null }] : pairs;
}

function groupByFile(tallies: readonly TestTally[], renamed: ReadonlyMap<string, string>): Map<string, TestTally[]> {
  const found = new Map<string, TestTally[]>();
  for (const tally of tallies) {
    const file = renamed.get(tally.file as string) ?? (tally.file as string);
    found.set(file, [...(found.get(file) ?? []), tally]);
  }
  return found;
}

function sumOf(tallies: readonly TestTally[]): TestCounts | null {
  if (tallies.length === 0) return null;
  const sum = { passed: 0, failed: 0, broken: 0, skipped: 0 };
  for (const tally of tallies) for (const outcome of Object.keys(sum) as (keyof TestCounts)[]) sum[outcome] += tally[outcome];
  return sum;
}

function titlesOf(pairs: readonly Pair[]): string[] {
  return [...new Set(pairs.map(({ title }) => title))];
}

function passesOf(counts: TestCounts | null): number {
  return counts?.passed ?? 0;
}

function failuresOf(counts: TestCounts | null): number {
  return (counts?.failed ?? 0) + (counts?.broken ?? 0);
}

function totalOf(counts: TestCounts | null): number {
  return passesOf(counts) + failuresOf(counts) + (counts?.skipped ?? 0);
}
