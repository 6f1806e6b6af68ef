// Reads the results of a test run, test by test. A run whose tests cannot be read by name is no evidence.

import { readGoEvents } from './formats/go.ts';
import { readJestJson, readMochaJson, readRspec } from './formats/json.ts';
import { readJunit } from './formats/junit.ts';
import { readNodeEvents } from './formats/node.ts';
import { type Reading, type ReadingRefusal, type ResultParser, withoutStyle } from './formats/reading.ts';
import { readTap } from './formats/tap.ts';
import { isTrx, readTrx } from './formats/trx.ts';
import type { RunnerName, TestReport, TestResult, UnreadableReport } from './result.ts';
import { type ReportFormat, type Runner, runnerNamed, runnerOfOutput, type ScriptTool } from './runners.ts';

const formats: { [format in ReportFormat]: ResultParser } = {
  tap: readTap,
  xml: (text, folder) => (isTrx(text) ? readTrx(text) : readJunit(text, folder)),
  'node events': readNodeEvents,
  'go events': readGoEvents,
  'jest json': readJestJson,
  'mocha json': readMochaJson,
  'rspec json': readRspec,
};

/** Words for a refusal. Without `how`, the remedy of the runner follows the hint. */
const refusals: { [refusal in ReadingRefusal]: { why: string; how?: string; hint?: string } } = {
  cut: { why: 'its output was cut', how: 'Run it so that it prints less, or run a part of the tests with a command of its own.' },
  empty: {
    why: 'it reported nothing',
    how: 'A run that ends before its report proves nothing. Find out what ended it, then run it again.',
  },
  'no report': { why: 'it wrote no report', hint: 'A run that ends before its report proves nothing.' },
  'no tests': { why: 'it ran no test', how: 'Check that the command finds the tests, then run it again.' },
  'all skipped': { why: 'every test was skipped', how: 'Let at least one test run, then run it again.' },
  'files only': {
    why: 'it named only files and no tests',
    how: 'A file that ends the process before its tests start is reported like this. Find out what ended it, then run it again.',
  },
  'packages only': {
    why: 'a package passed without naming a test',
    hint: 'A program that ends before its tests start is reported like this.',
  },
  'no names': { why: 'its output does not name every test' },
  'expected failures': {
    why: 'it does not show which tests were expected to fail',
    how: 'Write these tests so that they are expected to pass.',
  },
  'load failed': { why: 'it failed before the first test', how: 'Fix the error, then run it again.' },
  unfinished: {
    why: 'its report ends before the summary',
    hint: 'A run that ends early proves nothing, so find out what ended it. Another reporter may print no summary.',
  },
  disagrees: { why: 'its summary disagrees with the tests that it names', hint: 'Output of the tests can hide a result.' },
  damaged: { why: 'its report cannot be read' },
};

/** Marks of output that was cut, by the client or by Modes. */
const cutMark =
  /^(?:… \d+ (?:bytes|characters) …|\.\.\. ?\[\d[\d,]* (?:characters|lines|bytes)[^\]]* truncated\] ?\.\.\.|<persisted-output>.*)$/m;

/**
 * Reads the output that a run printed.
 * @param runner null: unknown
 * @param folder absolute folder of the run
 * @param tool runs the scripts of several packages, if the runner is unknown
 */
export function readPrinted(
  runner: RunnerName | null,
  output: string,
  folder: string,
  tool: ScriptTool | null = null,
): TestReport {
  const entry = runner === null ? runnerOfOutput(output) : runnerNamed(runner);
  const whole = entry === null ? null : reportOf(entry.name, readOutput(entry, output, folder));
  if (whole?.readable === true || runner !== null) return whole as TestReport;
  return (tool === null ? null : readScripts(tool, output, folder)) ?? whole ?? unknownOutput(tool);
}

function readOutput({ printed }: Runner, output: string, folder: string): Reading {
  if (cutMark.test(output)) return { refused: 'cut' };
  if (output.trim() === '') return { refused: 'empty' };
  return printed === null ? { refused: 'no names' } : parse(printed, output, folder);
}

function unknownOutput(tool: ScriptTool | null): UnreadableReport {
  const how = tool?.remedy ?? 'Use the command of a test runner that is known, or let it write a report in JUnit XML or TAP.';
  const why = 'its output is not that of a test runner that is known';
  return { readable: false, runner: null, why, how, hasNoTests: false };
}

/** Reads the output of several scripts that each run tests; null: it is not that of several scripts with one runner that is known. */
function readScripts(tool: ScriptTool, output: string, folder: string): TestReport | null {
  const texts = outputsOf(tool, withoutStyle(output));
  const readings = texts.flatMap((text) => {
    const entry = runnerOfOutput(text);
    return entry === null ? [] : [{ name: entry.name, reading: readOutput(entry, text, folder) }];
  });
  const [first, ...others] = readings;
  if (first === undefined) return null;
  const refused = readings.find(({ reading }) => 'refused' in reading && reading.refused !== 'no tests');
  if (refused !== undefined) {
    const report = reportOf(refused.name, refused.reading) as UnreadableReport;
    return tool.remedy === null ? report : { ...report, how: tool.remedy };
  }
  if (others.some(({ name }) => name !== first.name)) {
    const how = 'A person can write a gate for each package, with a command of its own.';
    const why = 'it is the output of several test runners';
    return { readable: false, runner: null, why, how, hasNoTests: false };
  }
  const tests = readings.flatMap(({ reading }) => ('tests' in reading ? reading.tests : []));
  return reportOf(first.name, { tests });
}

/** The output of each script. A line without the name of a script is the tool's own. */
function outputsOf({ line }: ScriptTool, output: string): string[] {
  if (line === null) return output.split(/^(?=> \S)/m);
  const found = new Map<string, string[]>();
  // A carriage return inside of a line is output of the script.
  for (const text of output.split(/\r?\n/)) {
    const [, name, own = ''] = line.exec(text) ?? [];
    if (name !== undefined) found.set(name, [...(found.get(name) ?? []), own]);
  }
  return [...found.values()].map((lines) => `${lines.join('\n')}\n`);
}

/**
 * Reads the reports that a runner wrote in one run, for example one for each class.
 * @param runner null: unknown
 * @param folder absolute folder of the run
 * @param output the printed output. Without a report, it can show that there are no tests. It completes some reports.
 */
export function readReports(
  format: ReportFormat,
  texts: readonly string[],
  folder: string,
  runner: RunnerName | null,
  output = '',
): TestReport {
  const name = runner ?? (format === 'tap' ? 'tap' : 'junit');
  const tests: TestResult[] = [];
  if (texts.length === 0) {
    const printed = readPrinted(name, output, folder);
    if (!printed.readable && printed.hasNoTests) return printed;
    return reportOf(name, { refused: runnerNamed(name)?.writes == null ? 'empty' : 'no report' });
  }
  // nextest accepts the exit code of a test as its result, and its report omits the output of the test. See `readNextest`.
  if (name === 'nextest') return reportOf(name, { refused: 'no names', detail: 'a test that passed may have ended early' });
  for (const text of texts) {
    if (cutMark.test(text)) return reportOf(name, { refused: 'cut' });
    const reading: Reading =
      text.trim() === '' ? { refused: 'empty' } : parse(formats[format], text.replace(/^\uFEFF/, ''), folder);
    if ('tests' in reading) for (const test of reading.tests) tests.push(test);
    // A class without tests writes a report too.
    else if (reading.refused !== 'no tests') return reportOf(name, reading);
  }
  return reportOf(name, runnerNamed(name)?.beside?.(tests, output, folder) ?? { tests });
}

/** The program under test can write anything. A text that makes a parser throw, or that has numbers for names, is damaged. */
function parse(parser: ResultParser, text: string, folder: string): Reading {
  try {
    const reading = parser(text, folder.replaceAll('\\', '/').replace(/\/+$/, ''));
    const areTexts = !('tests' in reading) || reading.tests.every(({ suite, name }) => [...suite, name].every(isText));
    return areTexts ? reading : { refused: 'damaged' };
  } catch (error) {
    return { refused: 'damaged', detail: error instanceof Error ? error.message : String(error) };
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function reportOf(runner: RunnerName, reading: Reading): TestReport {
  if ('tests' in reading) {
    if (reading.tests.length === 0) return reportOf(runner, { refused: 'no tests' });
    if (reading.tests.every(({ outcome }) => outcome === 'skipped')) return reportOf(runner, { refused: 'all skipped' });
    return { readable: true, runner, tests: reading.tests };
  }
  const { why, how, hint } = refusals[reading.refused];
  const detail = reading.detail === undefined ? '' : ` (${reading.detail.replace(/[\p{C}\s]+/gu, ' ').slice(0, 200)})`;
  const remedy = [hint, runnerNamed(runner)?.remedy].filter((text) => text !== undefined).join(' ');
  const hasNoTests = reading.refused === 'no tests';
  return { readable: false, runner, why: `${why}${detail}`, how: how ?? remedy, hasNoTests };
}
