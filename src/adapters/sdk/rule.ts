// One line of a permission list, read for another program.
import os from 'node:os';
import type { Effect } from '../../model/configuration.ts';
import type { Problem } from '../../model/problem.ts';
import type { Rule } from '../../model/rule.ts';
import { parseRule as parse } from '../../rules/parse.ts';

/** A rule, and what is to be said of it all the same; or why it is none. Columns of problems count from 1 in the text. */
export type ReadRule = { rule: Rule; warnings: Problem[] } | { problem: Problem };

/** Reads a rule such as `Bash(npm test:*)` as a line of allow, ask or deny; `home` stands for `~/`. Never throws. */
export function parseRule(text: string, effect: Effect, { home = os.homedir() }: { home?: string } = {}): ReadRule {
  // Sources point at the quote before a text.
  return parse({ text, effect, layer: 'project', source: { file: '', line: 1, column: 0 } }, 'r0', { home });
}
