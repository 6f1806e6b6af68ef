// The printed output of cargo test and of cargo-nextest.

import type { TestResult } from '../result.ts';
import { agreeing, failed, failureOf, lastMatch, passed, plainText, type Reading, skipped } from './reading.ts';

const testLine = /^test (.+?)( - should panic)? \.\.\. (ok|FAILED|ignored(?:, .*)?)(?: <[\d.]+s>)?$/gm;
const resultLine =
  /^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored; \d+ measured; \d+ filtered out(?:; finished in .*)?$/m;

export function readCargo(text: string): Reading {
  const plain = plainText(text);
  // Each test program announces how many tests it runs.
  const [head, ...programs] = plain.split(/^running (\d+) tests?$/m);
  if (programs.length === 0) {
    const isBroken = /^error(?:\[E\d+\])?:/m.test(head as string);
    return isBroken ? { refused: 'load failed', detail: 'it does not compile' } : { refused: 'empty' };
  }
  const started = [...plain.matchAll(/^ +(?:Running (?:unittests |tests\/|\S+ \()|Doc-tests )/gm)].length;
  if (started > programs.length / 2) return { refused: 'unfinished', detail: 'a test program started and reported nothing' };
  const tests: TestResult[] = [];
  for (let at = 0; at < programs.length; at += 2) {
    const reading = readProgram(Number(programs[at]), programs[at + 1] as string);
    if (!('tests' in reading)) return reading;
    tests.push(...reading.tests);
  }
  return tests.length === 0 ? { refused: 'no tests' } : { tests };
}

function readProgram(announced: number, text: string): Reading {
  const result = resultLine.exec(text);
  const lines = [...(result === null ? text : text.slice(0, result.index)).matchAll(testLine)];
  if (result === null)
    return {
      refused: 'unfinished',
      detail: `${announced} ${announced === 1 ? 'test' : 'tests'} announced and ${lines.length} reported`,
    };
  if (lines.length !== announced) return { refused: 'disagrees', detail: `${announced} announced and ${lines.length} reported` };
  const tests = lines.map(([, title, panic = '', outcome]) => {
    const result = resultOf(title as string, outcome as string, text);
    // A test that has to panic asserts the opposite of one without this attribute, so the two have different names.
    return { ...result, name: `${result.name}${panic}` };
  });
  const [passes, failures, ignored] = result.slice(1, 4).map(Number) as [number, number, number];
  return agreeing(tests, { passed: passes, failed: failures, skipped: ignored });
}

function resultOf(title: string, outcome: string, text: string): TestResult {
  // A test in documentation: its line changes with every edit above it.
  const [, file, item] = /^(\S+\.(?:rs|md)) - (.*?) ?\(line \d+\)(?: - .*)?$/.exec(title) ?? [];
  const parts = file === undefined ? title.split('::') : [item === '' ? 'documentation' : (item as string)];
  const [suite, name] = [parts.slice(0, -1), parts.at(-1) as string];
  if (outcome === 'ok') return passed(file ?? null, suite, name);
  if (outcome !== 'FAILED') return skipped(file ?? null, suite, name);
  return failed(file ?? null, suite, name, causeOf(sectionOf(title, text)));
}

/** The output of one failed test. */
function sectionOf(title: string, text: string): string {
  const start = text.indexOf(`---- ${title} stdout ----\n`);
  if (start === -1) return '';
  const rest = text.slice(start + title.length + 17);
  const end = rest.search(/^(?:---- .* stdout ----|failures:)$/m);
  return end === -1 ? rest : rest.slice(0, end);
}

/** Messages of the standard library for something else than an assertion. */
const otherPanics =
  /^(?:called `|not (?:yet )?implemented|internal error: entered unreachable code|explicit panic|index out of bounds|attempt to |slice index|range (?:start|end)|byte index|already (?:mutably )?borrowed|capacity overflow|.*: (?:Parse\w+Error|Os \{|Error\b))/;

/** An assertion with a message of its own looks like any other panic. Then the kind is unknown. */
export function causeOf(text: string): TestResult['failure'] {
  const panic = /panicked at (?:'(.*)|[^\n]*:\n(.*))/.exec(text);
  if (panic === null) return /^ *Error: /m.test(text) ? 'error' : null;
  const message = (panic[1] ?? panic[2] ?? '').trim();
  if (/^assertion\b/.test(message)) return 'assertion';
  return otherPanics.test(message) ? 'error' : failureOf(message);
}

const nextestLine =
  /^ +(?:TRY \d+ )?(PASS|FAIL|SKIP|LEAK|TIMEOUT|ABORT|SIG\w+|FLAKY \d+\/\d+) \[ *[\d.]+s\] (?:\( *\d+\/\d+\) )?(\S+) (\S.*)$/gm;

/**
 * nextest runs each test in a separate process and accepts its exit code as the result. So a test that passed must also have
 * printed its result, which nextest shows with `--success-output=immediate`.
 */
export function readNextest(text: string): Reading {
  const plain = plainText(text);
  const summary = lastMatch(
    plain,
    /^ +Summary \[ *[\d.]+s\] +(?:(\d+)\/)?(\d+) tests? run: (\d+) passed(?: \([^)]*\))?(?:, (\d+) failed)?(?:, (\d+) timed out)?(?:, (\d+) skipped)?$/gm,
  );
  if (summary === null) return { refused: 'unfinished' };
  const [ran, all, passes, failures, late, skips] = summary.slice(1).map((count) => Number(count ?? '0')) as number[];
  if (all === 0) return { refused: skips === 0 ? 'no tests' : 'all skipped' };
  if (ran !== 0 && ran !== all) return { refused: 'unfinished', detail: `${ran} of ${all} tests ran` };
  const tests: TestResult[] = [];
  // Failed tests are listed again after the summary.
  const parts = plain.slice(0, summary.index).split(nextestLine);
  for (let at = 1; at + 3 < parts.length; at += 4) {
    const [word, program, title, body] = parts.slice(at, at + 4) as [string, string, string, string];
    const names = title.split('::');
    const [suite, name] = [[program, ...names.slice(0, -1)], names.at(-1) as string];
    const end = new RegExp(`^ *test ${title.replace(/\W/g, '\\$&')}( - should panic)? \\.\\.\\. (ok|FAILED)$`, 'm').exec(body);
    const [, panic = '', outcome] = end ?? [];
    if (!/^(?:PASS|LEAK|FLAKY)/.test(word))
      tests.push(failed(null, suite, name + panic, word === 'FAIL' && outcome === 'FAILED' ? causeOf(body) : 'error'));
    else if (!body.includes('stdout')) return { refused: 'no names', detail: `${title} passed by its exit code only` };
    else if (outcome !== 'ok') return { refused: 'unfinished', detail: `${title} passed by its exit code only` };
    else tests.push(passed(null, suite, name + panic));
  }
  return agreeing(tests, { passed: passes as number, failed: (failures as number) + (late as number), skipped: 0 });
}
