// Outcomes of tests and cases as text, JSON and JUnit.

import { renderProblems } from '../../config/render.ts';
import { showUnseen } from '../../config/text.ts';
import type { Problem } from '../../model/problem.ts';
import type { TestOutcome } from './policy-run.ts';

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export function countOutcomes(outcomes: readonly TestOutcome[]): Counts {
  const count = (...wanted: TestOutcome['outcome'][]) => outcomes.filter(({ outcome }) => wanted.includes(outcome)).length;
  return { passed: count('pass'), failed: count('fail', 'error'), skipped: count('skip') };
}

/** For a terminal: a line for each file, the failures with their details, a line with the counts. */
export function describeOutcomes(outcomes: readonly TestOutcome[], { verbose = false } = {}): string {
  const lines: string[] = [];
  for (const file of [...new Set(outcomes.map((one) => one.file))].sort()) {
    const ofFile = outcomes.filter((one) => one.file === file);
    lines.push(`${file}: ${describeCounts(countOutcomes(ofFile))}`);
    for (const one of ofFile) {
      if (one.outcome === 'pass' && !verbose) continue;
      lines.push(`  ${one.outcome.toUpperCase()} ${clean(one.name)} (${file}:${one.line})`);
      if (one.message !== '') for (const line of one.message.split('\n')) lines.push(`    ${clean(line)}`);
    }
  }
  const { passed, failed, skipped } = countOutcomes(outcomes);
  return [...lines, `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`].join('\n');
}

export function describeCounts({ passed, failed, skipped }: Counts): string {
  return [`${passed} passed`, failed > 0 && `${failed} failed`, skipped > 0 && `${skipped} skipped`].filter(Boolean).join(', ');
}

/** One `testsuite` per file, as continuous integration tools expect. Problems are errors of a separate suite. */
export function toJUnit(outcomes: readonly TestOutcome[], problems: readonly Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const suites = [...new Set(outcomes.map((one) => one.file))].sort().map((file) => {
    const cases = outcomes.filter((one) => one.file === file);
    const { failed, skipped } = countOutcomes(cases);
    const seconds = cases.reduce((sum, { ms }) => sum + ms, 0) / 1000;
    return [
      `  <testsuite name="${xml(file)}" tests="${cases.length}" failures="${failed}" errors="0" skipped="${skipped}" time="${seconds.toFixed(6)}">`,
      ...cases.map(toTestCase),
      '  </testsuite>',
    ].join('\n');
  });
  if (errors.length > 0)
    suites.push(
      [
        `  <testsuite name="problems" tests="${errors.length}" failures="0" errors="${errors.length}" skipped="0" time="0">`,
        ...errors.map(
          ({ code, message, file, line }) =>
            `    <testcase name="${xml(`${code} ${file ?? ''}:${line ?? 1}`)}" classname="problems" time="0"><error message="${xml(message)}"/></testcase>`,
        ),
        '  </testsuite>',
      ].join('\n'),
    );
  return ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites>', ...suites, '</testsuites>', ''].join('\n');
}

function toTestCase({ name, file, line, outcome, message, ms }: TestOutcome): string {
  const head = `    <testcase name="${xml(name)}" classname="${xml(file)}" file="${xml(file)}" line="${line}" time="${(ms / 1000).toFixed(6)}"`;
  if (outcome === 'pass') return `${head}/>`;
  if (outcome === 'skip') return `${head}><skipped/></testcase>`;
  return `${head}><failure message="${xml(message.split('\n')[0] ?? '')}">${xml(message)}</failure></testcase>`;
}

function xml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;', '\t': '&#9;' };
  return showUnseen(text).replace(/[&<>"\n\t]/g, (character) => entities[character] as string);
}

/** Escapes terminal control characters. */
function clean(text: string): string {
  return showUnseen(text);
}

/** All problems, ready to be printed after other output; '' if there are none. */
export function describeProblems(problems: readonly Problem[], colour = false): string {
  return renderProblems(problems, { colour }).trimEnd();
}
