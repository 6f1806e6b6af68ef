// The printed output of Minitest (`-v`) and ExUnit (`--trace`).

import type { TestResult } from '../result.ts';
import { agreeing, failed, lastMatch, passed, plainText, type Reading, relativeFile, skipped } from './reading.ts';

export function readMinitest(text: string): Reading {
  const plain = plainText(text);
  const summary = lastMatch(plain, /^(\d+) (?:runs|tests), \d+ assertions, (\d+) failures, (\d+) errors, (\d+) skips$/gm);
  if (summary === null) return { refused: 'unfinished' };
  const [runs, failures, errors, skips] = summary.slice(1, 5).map(Number) as [number, number, number, number];
  if (runs === 0) return { refused: 'no tests' };
  const tests: TestResult[] = [];
  let open: { suite: string[]; name: string } | null = null;
  for (const line of plain.slice(0, summary.index).split('\n')) {
    const [, group, method] = /^(\S+)#(\S.*?) = /.exec(line) ?? [];
    if (group !== undefined && method !== undefined) open = { suite: [group], name: method };
    // Output of the test may come between its name and its outcome.
    const outcome = /\d\.\d+ s = ([.FES])$/.exec(line.slice(-40))?.[1];
    if (open === null || outcome === undefined) continue;
    const { suite, name } = open;
    open = null;
    if (outcome === '.') tests.push(passed(null, suite, name));
    else if (outcome === 'S') tests.push(skipped(null, suite, name));
    else tests.push(failed(null, suite, name, outcome === 'F' ? 'assertion' : 'error'));
  }
  if (tests.length === 0) return { refused: 'no names' };
  return agreeing(tests, { passed: runs - failures - errors - skips, failed: failures + errors, skipped: skips });
}

/** A line is printed when the test starts, and printed over when it ends. Only the second one has a time. */
const exunitLine = /^ {2}\* (.+?) \((\d+\.\d+ms|skipped|excluded)\) \[L#\d+\]$/;

function sumOf(text: string, count: RegExp): number {
  return [...text.matchAll(count)].reduce((sum, [, number]) => sum + Number(number), 0);
}

export function readExunit(text: string, folder: string): Reading {
  const plain = plainText(text);
  // Tests, doctests and properties are counted apart.
  const summary = lastMatch(plain, /^((?:\d+ \w+, )*)(\d+) failures?(.*)$/gm);
  if (/^There are no tests to run$/m.test(plain)) return { refused: 'no tests' };
  if (summary === null)
    return /^== Compilation error|\*\* \(\w+Error\)/m.test(plain) ? { refused: 'load failed' } : { refused: 'unfinished' };
  const all = sumOf(summary[1] as string, /(\d+)/g);
  const failures = Number(summary[2]);
  const left = sumOf(summary[3] as string, /\b(\d+) (?:skipped|excluded|invalid)/g);
  if (all === 0) return { refused: 'no tests' };
  const body = plain.slice(0, summary.index);
  const failing = new Map<string, TestResult['failure']>();
  for (const [, name, group, message] of body.matchAll(/^ {2}\d+\) (.+) \((\S+)\)\n {5}\S+:\d+\n {5}(.*)$/gm))
    failing.set(`${group} ${name}`, (message as string).startsWith('** (') ? 'error' : 'assertion');
  let [group, file]: [string, string | null] = ['', null];
  const tests: TestResult[] = [];
  for (const line of body.split('\n')) {
    const [, module, path] = /^(\S+) \[(\S+\.exs?)\]$/.exec(line) ?? [];
    if (module !== undefined) [group, file] = [module, relativeFile(path as string, folder)];
    const [, name, time] = exunitLine.exec(line) ?? [];
    if (name === undefined) continue;
    const failure = failing.get(`${group} ${name}`);
    if (time === 'skipped' || time === 'excluded') tests.push(skipped(file, [group], name));
    else tests.push(failure === undefined ? passed(file, [group], name) : failed(file, [group], name, failure));
  }
  if (tests.length === 0) return { refused: 'no names' };
  return agreeing(tests, { passed: all - failures - left, failed: failures, skipped: left });
}
