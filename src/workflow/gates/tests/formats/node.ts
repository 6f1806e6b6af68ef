// node:test: the events of a run as lines of JSON, and the reporter `spec`.

import type { TestResult } from '../result.ts';
import {
  agreeing,
  brokenFile,
  failed,
  failureOf,
  isFileName,
  lastMatch,
  passed,
  plainText,
  type Reading,
  relativeFile,
  skipped,
  type Totals,
} from './reading.ts';
import { parentFailure, readTap } from './tap.ts';

/**
 * A reporter for node:test as the text of a module. It writes one line of JSON for each test, with the file, which the built-in
 * reporters leave out.
 */
const reporter = `export default async function* (events) {
  for await (const { type, data } of events) {
    if (type === 'test:pass' || type === 'test:fail') {
      const { name, file, nesting, skip, todo, details } = data;
      const { failureType, cause } = details.error ?? {};
      const error = details.error && { failureType, code: cause?.code, text: String(cause?.stack ?? cause).slice(0, 300) };
      yield JSON.stringify({ ok: type === 'test:pass', name, file, nesting, skip, todo, type: details.type, error }) + '\\n';
    } else if (type === 'test:diagnostic' && data.nesting === 0) yield JSON.stringify({ message: data.message }) + '\\n';
  }
}`;

/** Names the reporter as `--test-reporter` expects it. It has no character that NODE_OPTIONS would split. */
export const nodeReporter = `data:text/javascript,${encodeURIComponent(reporter.replace(/\n\s*/g, ' '))}`;

interface NodeEvent {
  ok: boolean;
  name: string;
  file?: string;
  nesting: number;
  skip?: boolean | string;
  todo?: boolean | string;
  type?: string;
  error?: { failureType?: string; code?: string; text?: string };
}

export function readNodeEvents(text: string, folder: string): Reading {
  if (text.trim() === '') return { refused: 'empty' };
  const events: NodeEvent[] = [];
  const counts = new Map<string, number>();
  for (const line of text.split('\n').filter((one) => one !== '')) {
    let event: NodeEvent & { message?: string };
    try {
      event = JSON.parse(line);
    } catch {
      return { refused: 'damaged', detail: `no JSON: ${line.slice(0, 60)}` };
    }
    const [, word, count] = /^(\w+) (\d+)$/.exec(event.message ?? '') ?? [];
    if (word !== undefined) counts.set(word, Number(count));
    else if (typeof event.name === 'string' && typeof event.nesting === 'number') events.push(event);
  }
  return summarized(events, counts, folder);
}

/** A parent comes after its children. So the list is read from the end. */
function summarized(events: readonly NodeEvent[], counts: ReadonlyMap<string, number>, folder: string): Reading {
  const suites: NodeEvent[] = [];
  const tests: TestResult[] = [];
  const failedSuites: TestResult[] = [];
  const failing: TestResult[][] = [];
  const suiteNames = [...events].reverse().map((event) => {
    suites.length = event.nesting;
    const names = suites.map(({ name }) => name);
    suites[event.nesting] = event;
    return names;
  });
  suiteNames.reverse();
  for (const [index, event] of events.entries()) {
    const file = event.file === undefined ? null : relativeFile(event.file, folder);
    const inner = failing[event.nesting + 1] ?? [];
    failing.length = event.nesting + 1;
    const result = resultOf(event, suiteNames[index] as string[], file, inner, folder);
    if (event.type === 'suite') {
      if (!event.ok && inner.length === 0) failedSuites.push(result);
    } else tests.push(result);
    if (result.outcome === 'failed') failing[event.nesting] = [...(failing[event.nesting] ?? []), result];
  }
  const of = (word: string) => counts.get(word) ?? 0;
  if (!counts.has('tests')) return { refused: 'unfinished' };
  const totals = { passed: of('pass'), failed: of('fail') + of('cancelled'), skipped: of('skipped') + of('todo') };
  const reading = agreeing(tests, totals);
  return 'tests' in reading ? withoutFiles([...tests, ...failedSuites]) : reading;
}

function resultOf(
  { ok, name, nesting, skip, todo, error }: NodeEvent,
  suite: readonly string[],
  file: string | null,
  inner: readonly TestResult[],
  folder: string,
): TestResult {
  if (nesting === 0 && isFileName(name)) {
    const own = relativeFile(name, folder);
    return ok ? passed(own, [], own) : brokenFile(own);
  }
  if ((skip !== undefined && skip !== false) || (todo !== undefined && todo !== false)) return skipped(file, suite, name);
  if (ok) return passed(file, suite, name);
  if (inner.length > 0) return failed(file, suite, name, parentFailure(inner));
  const isAssertion = error?.code === 'ERR_ASSERTION' || failureOf(error?.text ?? '') === 'assertion';
  return failed(file, suite, name, isAssertion ? 'assertion' : 'error');
}

/** node:test reports a file without tests as one that passed. So does a process that ended before its first test. */
function withoutFiles(tests: readonly TestResult[]): Reading {
  if (tests.length === 0) return { refused: 'no tests' };
  const named = tests.filter(({ file, name, outcome }) => outcome === 'failed' || file !== name);
  if (named.length === 0) return { refused: 'files only', detail: tests[0]?.name };
  return named.every(({ file, name }) => file === name) ? { refused: 'load failed', detail: named[0]?.name } : { tests: named };
}

/** Reads the default output: TAP in Node 20, `spec` in later versions. */
export function readNode(text: string, folder: string): Reading {
  const plain = plainText(text);
  // The folder or files that the command names do not exist.
  if (/^Could not find '.*'\s*$/m.test(plain) && !/^(?:TAP version|# Subtest)/m.test(plain)) return { refused: 'no tests' };
  return /^TAP version \d+\s*$/m.test(plain) ? readTap(plain, folder) : readSpec(plain, folder);
}

/** Tests of the reporter `spec` are lines with a mark, and two spaces for each suite around them. */
function readSpec(text: string, folder: string): Reading {
  const summary = lastMatch(text, /^ℹ tests \d+\n(?:ℹ \w+ [\d.]+\n?)+/gm);
  if (summary === null) return { refused: /^[ \t]*[✔✖﹣▶] /m.test(text) ? 'unfinished' : 'no names' };
  const count = (word: string) => Number(new RegExp(`^ℹ ${word} (\\d+)$`, 'm').exec(summary[0])?.[1] ?? '0');
  const totals: Totals = {
    passed: count('pass'),
    failed: count('fail') + count('cancelled'),
    skipped: count('skipped') + count('todo'),
  };
  const reasons = specReasons(text.slice((summary.index ?? 0) + summary[0].length));
  const events: NodeEvent[] = [];
  const opened: boolean[] = [];
  for (const line of text.slice(0, summary.index).split('\n')) {
    const [, space, mark, name, directive] = /^((?: {2})*)([✔✖﹣▶⚠]) (.*?) ?(?:\(\d[\d.]*ms\))( # .*)?$/.exec(line) ?? [];
    const start = /^((?: {2})*)▶ (.*)$/.exec(line);
    if (name === undefined || mark === '▶') {
      if (start !== null && name === undefined) opened[(start[1] as string).length / 2] = true;
      continue;
    }
    const nesting = (space as string).length / 2;
    const hadChildren = opened[nesting] === true;
    opened.length = nesting;
    const isTodo = directive?.startsWith(' # TODO') === true;
    const reason = mark === '✖' ? reasons.get(name)?.shift() : undefined;
    if (mark === '✖' && reason === undefined && !hadChildren && !isTodo) return { refused: 'unfinished' };
    events.push({
      ok: mark !== '✖',
      name,
      nesting,
      skip: mark === '﹣' || directive?.startsWith(' # SKIP') === true,
      todo: isTodo,
      type: hadChildren ? 'parent' : 'test',
      ...(reason === undefined ? {} : { error: { text: reason } }),
    });
  }
  return specResults(events, totals, count('suites'), folder);
}

/** First lines of the errors of the failing tests, by name and in the order of the failures. */
function specReasons(text: string): Map<string, string[]> {
  const reasons = new Map<string, string[]>();
  for (const [, name, reason] of text.matchAll(/^test at .*:\d+:\d+\n✖ (.*?) \(\d[\d.]*ms\)(?: # .*)?\n +(.*)$/gm))
    reasons.set(name as string, [...(reasons.get(name as string) ?? []), reason as string]);
  return reasons;
}

/** `spec` gives suites and tests with subtests the same mark. The totals show how many of them are tests. */
function specResults(events: NodeEvent[], totals: Totals, suites: number, folder: string): Reading {
  const parents = events.filter(({ type }) => type === 'parent').length;
  // If there are both, the output does not distinguish them. A suite that is skipped as a whole looks like a skipped test.
  const skippedSuites = suites - parents;
  const isSkipped = skippedSuites > 0 && events.filter(({ skip }) => skip === true).length === totals.skipped + skippedSuites;
  if (skippedSuites !== 0 && suites !== 0 && !isSkipped)
    return { refused: 'disagrees', detail: `${suites} suites in the summary and ${parents} by name` };
  if (suites === parents || isSkipped) for (const event of events) if (event.type === 'parent') event.type = 'suite';
  const counts = new Map([
    ['tests', 1],
    ['pass', totals.passed],
    ['fail', totals.failed],
    ['skipped', totals.skipped + (isSkipped ? skippedSuites : 0)],
  ]);
  return summarized(events, counts, folder);
}
