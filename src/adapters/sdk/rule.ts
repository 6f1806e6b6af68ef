// Parses one line of a permission list for another program.
import os from 'node:os';
import type { Effect } from '../../model/configuration.ts';
import type { Problem } from '../../model/problem.ts';
import type { Rule } from '../../model/rule.ts';
import { parseRule as parse } from '../../rules/parse.ts';

/** A rule with its warnings, or the problem that makes it invalid. Columns of problems count from 1 in the text. */
export type ReadRule = { rule: Rule; warnings: Problem[] } | { problem: Problem };

/** Parses a rule such as `Bash(npm test:*)` as a line of allow, ask or deny. `home` replaces `~/`. Never throws. */
export function parseRule(text: string, effect: Effect, { home = os.homedir() }: { home?: string } = {}): ReadRule {
  // Sources point at the quote before a text.
  return parse({ text, effect, layer: 'project', source: { file: '', line: 1, column: 0 } }, 'r0', { home });
}
