// Renders problems as text for a terminal and as JSON.
import type { Problem } from '../model/problem.ts';
import { measureWidth, showUnseen } from './text.ts';

export interface RenderOptions {
  colour?: boolean;
}

const PAINT = { red: 31, yellow: 33, cyan: 36, bold: 1 } as const;

function paint(text: string, style: keyof typeof PAINT, options: RenderOptions): string {
  return options.colour ? `\x1b[${PAINT[style]}m${text}\x1b[0m` : text;
}

/** Makes a text safe for one line: nothing in it can end the line or control the terminal. */
function clean(text: string): string {
  return showUnseen(text.replace(/(?<!\s)\s*[\r\n]+\s*/g, ' '));
}

/** `file:line:col`, as far as it is known. */
function renderPlace(problem: Problem): string {
  const { file, line, column } = problem;
  return [file === undefined ? undefined : clean(file), line, column].filter((part) => part !== undefined).join(':');
}

/** A line, with carets below a part of it. `column` is from 1. */
export function renderMarked(line: string, column: number, length: number): [text: string, carets: string] {
  const text = clean(line).replaceAll('\t', ' ');
  const start = column - 1;
  const width = Math.max(1, measureWidth(text.slice(start, start + length)));
  return [text, ' '.repeat(measureWidth(text.slice(0, start))) + '^'.repeat(width)];
}

/** A problem as `file:line:col code message`, the line, a caret below it, and the remedy. No line end at the end. */
export function renderProblem(problem: Problem, options: RenderOptions = {}): string {
  const tone = problem.severity === 'error' ? 'red' : 'yellow';
  const place = renderPlace(problem);
  const head = [
    place && paint(place, 'cyan', options),
    paint(problem.code, tone, options),
    paint(clean(problem.message), 'bold', options),
  ];
  const lines = [head.filter((part) => part !== '').join(' ')];
  if (problem.lineText !== undefined && problem.column !== undefined) {
    const [text, carets] = renderMarked(problem.lineText, problem.column, problem.length ?? 1);
    lines.push(`    ${text}`, `    ${carets.replace(/\^+$/, (mark) => paint(mark, tone, options))}`);
  }
  lines.push(`  ${clean(problem.remedy)}`);
  return lines.join('\n');
}

/** All problems with an empty line between them, and their number. Empty if there are none. */
export function renderProblems(problems: readonly Problem[], options: RenderOptions = {}): string {
  if (problems.length === 0) return '';
  const { errors, warnings } = countProblems(problems);
  const counts = [errors && count(errors, 'error'), warnings && count(warnings, 'warning')].filter((part) => part !== 0);
  return `${[...problems.map((problem) => renderProblem(problem, options)), counts.join(', ')].join('\n\n')}\n`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function countProblems(problems: readonly Problem[]): { errors: number; warnings: number } {
  const errors = problems.filter((problem) => problem.severity === 'error').length;
  return { errors, warnings: problems.length - errors };
}

/** All problems as data for `--json`. */
export function listProblems(problems: readonly Problem[]): {
  ok: boolean;
  errors: number;
  warnings: number;
  problems: Problem[];
} {
  const counts = countProblems(problems);
  return { ok: counts.errors === 0, ...counts, problems: [...problems] };
}
