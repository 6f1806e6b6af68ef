// Collects the problems of one file, up to a limit that a person can use.

import type { Problem } from '../model/problem.ts';
import type { Code } from '../model/problem-codes.ts';
import { describeProblem, locateProblem, type SourceText, type Span, withLine } from './text.ts';

/** Per severity and file. */
const MAX_PROBLEMS = 100;

export type Report = (code: Code, message: string, remedy: string, span: Span) => void;

interface ReportedProblems {
  source: SourceText;
  /** At most a hundred errors and a hundred warnings, and one more of each that reports the limit. */
  problems: Problem[];
  report: Report;
  /** True if an `error` was reported. */
  isBroken: () => boolean;
}

/** An empty collection for a text. */
export function openFindings(source: SourceText): ReportedProblems {
  const problems: Problem[] = [];
  const add = limitProblems(problems);
  return {
    source,
    problems,
    report: (code, message, remedy, span) => add(source.name, code, () => locateProblem(code, message, remedy, source, span)),
    isBroken: () => problems.some((problem) => problem.severity === 'error'),
  };
}

/**
 * Adds problems to a list, up to a hundred per severity and file. Errors and warnings are counted separately, so warnings never
 * displace an error.
 */
export function limitProblems(problems: Problem[]): (file: string, code: string, make: () => Problem) => void {
  const counts = new Map<string, number>();
  return (file, code, make) => {
    const kind = code.startsWith('W_') ? 'W' : 'E';
    const count = (counts.get(kind + file) ?? 0) + 1;
    counts.set(kind + file, count);
    if (count <= MAX_PROBLEMS) problems.push(make());
    else if (count === MAX_PROBLEMS + 1) {
      const more = kind === 'W' ? 'W_TOO_MANY_PROBLEMS' : 'E_TOO_MANY_PROBLEMS';
      const message = `This file has more ${kind === 'W' ? 'warnings' : 'problems'} than are shown.`;
      problems.push(describeProblem(more, message, 'Fix the ones above first.', file));
    }
  };
}

/**
 * Collects the problems of several files, each once and with the text of its line, up to the limit of `limitProblems`. A problem
 * of a rule may be reported again for every mode.
 */
export function collectProblems(files: readonly { name: string; text: string }[]): {
  problems: Problem[];
  add: (found: readonly Problem[]) => void;
} {
  const problems: Problem[] = [];
  const addLimited = limitProblems(problems);
  const reportedKeys = new Set<string>();
  const lines = new Map<string, string[]>();
  const linesOf = (name: string): string[] => {
    const known = lines.get(name) ?? files.find((file) => file.name === name)?.text.split(/\r?\n/) ?? [];
    lines.set(name, known);
    return known;
  };
  const complete = (problem: Problem): Problem => {
    const { lineText, file, line } = problem;
    const text = lineText !== undefined || file === undefined || line === undefined ? undefined : linesOf(file)[line - 1];
    return text === undefined ? problem : withLine(problem, text);
  };
  const add = (found: readonly Problem[]) => {
    for (const problem of found) {
      const { code, file = '', line, column, message } = problem;
      const key = JSON.stringify([code, file, line, column, message]);
      if (reportedKeys.has(key)) continue;
      reportedKeys.add(key);
      addLimited(file, code, () => complete(problem));
    }
  };
  return { problems, add };
}
