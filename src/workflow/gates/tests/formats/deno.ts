// The printed output of Deno, and tests with steps, which Deno reports beside their steps.

import type { TestResult } from '../result.ts';
import { withBrokenFiles } from './json.ts';
import { agreeing, brokenFile, failed, failureOf, passed, plainText, type Reading, relativeFile, skipped } from './reading.ts';

/** The output of tests, steps and modules is between such lines. */
const printed = /^-{7} (?:(?:pre|post)-test )?output -{7}\n[\s\S]*?-{5} (?:(?:pre|post)-test )?output end -{5}$/gm;
/** A test, or with deeper indentation a step, with its outcome. Steps follow the start of their test or step. */
const resultLine = /^( *)(\S.*) \.\.\. (ok|FAILED|ignored)(?: \(due to \d+ failed steps?\))? \([^()]*\)$/;
const startLine = /^( *)(\S.*) \.\.\.$/;
const count = String.raw`(\d+) \w+(?: \((\d+) steps?\))?`;
const summaryLine = new RegExp(
  String.raw`^(?:ok|FAILED) \| ${count} \| ${count}(?: \| (\d+) ignored(?: \((\d+) steps?\))?)?(?: \| \d+ (?:measured|filtered out))* \(.*\)$`,
  'gm',
);

export function readDeno(text: string, folder: string): Reading {
  const plain = plainText(text).replace(printed, '');
  const [summary, ...others] = plain.matchAll(summaryLine);
  if (summary === undefined && /^TAP version \d+$/m.test(plain)) return { refused: 'no names' };
  if (summary === undefined) return { refused: /^error: No test modules found$/m.test(plain) ? 'no tests' : 'unfinished' };
  if (others.length > 0) return { refused: 'disagrees', detail: 'it has several summaries' };
  const sum = (...groups: number[]) => groups.reduce((all, group) => all + Number(summary[group] ?? '0'), 0);
  const totals = { passed: sum(1, 2), failed: sum(3, 4), skipped: sum(5, 6) };
  const causes = causesOf(plain);
  const tests: TestResult[] = [];
  const broken: TestResult[] = [];
  const suites: string[] = [];
  let file: string | null = null;
  for (const line of plain.slice(0, summary.index).split('\n')) {
    const [, own] = /^running \d+ tests? from (\S.*)$/.exec(line) ?? [];
    const [, uncaught] = /^Uncaught error from (\S.*) FAILED$/.exec(line) ?? [];
    if (own !== undefined) file = relativeFile(own, folder);
    if (uncaught !== undefined) broken.push(brokenFile(relativeFile(uncaught, folder)));
    const [, space = '', name = '', outcome] = resultLine.exec(line) ?? (file === null ? null : startLine.exec(line)) ?? [];
    if (name === '') continue;
    // With `--parallel`, each name starts with its file, and output of other files can be between the lines of a test.
    if (file === null) return { refused: 'no names' };
    const suite = suites.slice(0, space.length / 2);
    const isEnd = outcome !== undefined && suites.length > suite.length;
    if (space.length !== suite.length * 2 || (isEnd && suites.pop() !== name) || suites.length !== suite.length)
      return { refused: 'disagrees', detail: `${name} ends in a different place from where it started` };
    if (outcome === undefined) suites.push(name);
    else if (outcome === 'ok') tests.push(passed(file, suite, name));
    else if (outcome === 'ignored') tests.push(skipped(file, suite, name));
    else tests.push(failed(file, suite, name, causes.get([...suite, name].join(' ... ')) ?? 'error'));
  }
  if (totals.passed > 0 && !tests.some(({ outcome }) => outcome === 'passed')) return { refused: 'no names' };
  const reading = agreeing([...tests, ...broken], totals);
  return 'tests' in reading ? withBrokenFiles(withoutParents(tests), broken) : reading;
}

/** Kinds of failures by title. */
function causesOf(text: string): ReadonlyMap<string, TestResult['failure']> {
  const errors = [...text.matchAll(/^(\S.*) => \S+:\d+:\d+\nerror: (?:\(in promise\) )?(.*)$/gm)];
  return new Map(errors.map(([, title, error]) => [title as string, failureOf(error as string)]));
}

/** A test with steps counts itself only if it failed and no step explains its failure. */
export function withoutParents(tests: readonly TestResult[]): TestResult[] {
  const titleOf = (suite: readonly string[]) => JSON.stringify(suite);
  const parents = new Set<string>();
  const failedParents = new Set<string>();
  for (const { suite, outcome } of tests)
    for (let length = 1; length <= suite.length; length++) {
      const title = titleOf(suite.slice(0, length));
      parents.add(title);
      if (outcome === 'failed') failedParents.add(title);
    }
  return tests.filter(({ suite, name, outcome }) => {
    const title = titleOf([...suite, name]);
    return !parents.has(title) || (outcome === 'failed' && !failedParents.has(title));
  });
}
