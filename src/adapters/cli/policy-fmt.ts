// modes policy fmt: formats Rego as `opa fmt` does.
import fs from 'node:fs';
import path from 'node:path';
import { openCompiler } from '../../app/own-package.ts';
import { readConfigFile } from '../../config/disk.ts';
import type { Modules } from '../../policy/compiler/types.ts';
import { startFolder } from './open.ts';
import { toJson } from './outputs/json.ts';
import { refuseInside } from './policy-output.ts';
import type { PolicyOptions } from './policy-test.ts';
import { refuseBroken } from './refuse.ts';
import { exits, type Terminal, UsageError } from './terminal.ts';

interface FormatOptions extends PolicyOptions {
  check?: boolean;
  diff?: boolean;
}

export async function policyFormat(named: string[], options: FormatOptions, terminal: Terminal): Promise<number> {
  const isDry = options.check === true || options.diff === true;
  if (!isDry) refuseInside('modes policy fmt without --check or --diff');
  const start = startFolder(options.project);
  const files = (named.length > 0 ? named : [path.join(start, '.claude/policies')]).flatMap(listRego);
  const readings = files.map((file) => readConfigFile(ANYWHERE, path.relative('.', file)));
  const faults = readings.flatMap((one) => (one !== null && 'fault' in one ? [one.fault] : []));
  if (faults.length > 0) return refuseBroken(faults, options, terminal);
  const before: Modules = Object.fromEntries(
    readings.flatMap((one) => (one !== null && 'file' in one ? [[one.file.name, one.file.text]] : [])),
  );
  const result = await openCompiler().format(before);
  if (!result.ok) return refuseBroken(result.problems, options, terminal);
  const changed = Object.keys(before).filter((file) => result.sources[file] !== before[file]);
  if (!isDry) for (const file of changed) fs.writeFileSync(file, result.sources[file]!);
  const diffs = options.diff ? changed.map((file) => unifiedDiff(file, before[file]!, result.sources[file]!)) : [];
  if (options.json) terminal.out(toJson<'policy-fmt'>({ changed, ...(options.diff ? { diffs } : {}) }, 2));
  else if (options.diff) for (const diff of diffs) terminal.out(diff);
  else for (const file of changed) terminal.out(file);
  return isDry && changed.length > 0 ? exits.wrong : exits.fine;
}

/** A person who names a file may format it, wherever it is. */
const ANYWHERE = { base: '.', shown: '', within: '/' };

function listRego(named: string): string[] {
  if (!fs.existsSync(named)) throw new UsageError(`there is no ${named}`);
  // A name that is not a file is refused later, with the reason, when it is read.
  if (!fs.statSync(named).isDirectory()) return [named];
  return fs
    .readdirSync(named, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = path.join(named, entry.name);
      if (entry.isDirectory()) return listRego(file);
      return entry.isFile() && entry.name.endsWith('.rego') ? [file] : [];
    });
}

const CONTEXT = 3;
/** With a larger table, all differences are shown as one block. */
const MAX_TABLE = 4_000_000;

/** For a last line without a line end. No line of Rego begins like this. */
const UNENDED = '\n\\ No newline at end of file';

/** The output of `diff -u`. */
export function unifiedDiff(file: string, before: string, after: string): string {
  const linesOf = (text: string) =>
    (text === '' || text.endsWith('\n') ? text.slice(0, -1) : `${text}${UNENDED}`).split(/\n(?!\\)/);
  const steps = diffLines(linesOf(before), linesOf(after));
  const lines = [`--- ${file}`, `+++ ${file}`];
  for (let at = 0; at < steps.length; ) {
    if (steps[at]!.sign === ' ') {
      at++;
      continue;
    }
    const from = Math.max(0, at - CONTEXT);
    let end = at;
    for (let quiet = 0; end < steps.length && quiet <= 2 * CONTEXT; end++) quiet = steps[end]!.sign === ' ' ? quiet + 1 : 0;
    while (steps[end - 1]!.sign === ' ') end--;
    const hunk = steps.slice(from, Math.min(steps.length, end + CONTEXT));
    const count = (sign: string) => hunk.filter((step) => step.sign === ' ' || step.sign === sign).length;
    const first = hunk[0]!;
    lines.push(`@@ -${first.before},${count('-')} +${first.after},${count('+')} @@`);
    lines.push(...hunk.map(({ sign, text }) => `${sign}${text}`));
    at = from + hunk.length;
  }
  return lines.join('\n');
}

interface Step {
  sign: ' ' | '-' | '+';
  text: string;
  /** Line number of the step, from 1. */
  before: number;
  after: number;
}

/** Compares by the longest common subsequence between the first and the last difference. */
function diffLines(a: string[], b: string[]): Step[] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const [left, right] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
  const width = right.length + 1;
  const isSmall = (left.length + 1) * width <= MAX_TABLE;
  const longest = new Uint32Array(isSmall ? (left.length + 1) * width : 0);
  if (isSmall)
    for (let i = left.length - 1; i >= 0; i--)
      for (let j = right.length - 1; j >= 0; j--)
        longest[i * width + j] =
          left[i] === right[j]
            ? longest[(i + 1) * width + j + 1]! + 1
            : Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!);
  const steps: Step[] = [];
  let [i, j] = [0, 0];
  const push = (sign: Step['sign'], text: string, before: number, after: number) => steps.push({ sign, text, before, after });
  for (let at = 0; at < head; at++) push(' ', a[at]!, at + 1, at + 1);
  while (i < left.length || j < right.length) {
    const [before, after] = [head + i + 1, head + j + 1];
    if (isSmall && i < left.length && j < right.length && left[i] === right[j]) {
      push(' ', left[i++]!, before, after);
      j++;
    } else if (i < left.length && (j >= right.length || !isSmall || longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!))
      push('-', left[i++]!, before, after);
    else push('+', right[j++]!, before, after);
  }
  for (let at = 0; at < tail; at++) push(' ', a[a.length - tail + at]!, a.length - tail + at + 1, b.length - tail + at + 1);
  return steps;
}
