// "Only these files may be written", as in `groups:` and `agents:` → a typed rule.

import type { FileSet } from '../model/configuration.ts';
import type { Problem } from '../model/problem.ts';
import type { OutsideRule, RuleHead } from '../model/rule.ts';
import { parsePathPattern } from './pattern.ts';
import type { ParsedRule } from './reading.ts';

/** Globs are parsed as in allow, where a doubtful pattern matches less. The evaluator that runs the expressions checks them. */
export function readOutside(head: RuleHead, { globs, expressions }: FileSet, home: string): ParsedRule {
  const rule: OutsideRule = { ...head, kind: 'outside', paths: [], expressions: expressions.map(({ text }) => text) };
  const warnings: Problem[] = [];
  for (const { text, source } of globs) {
    const problem = (severity: Problem['severity'], code: string, message: string, remedy: string, at: number): Problem => ({
      code,
      severity,
      message,
      remedy,
      file: source.file,
      line: source.line,
      column: source.column + 1 + at,
      length: Math.max(1, text.length - at),
    });
    const read = parsePathPattern(text, { home, narrow: false });
    if ('problem' in read) {
      const { message, remedy, at } = read.problem;
      return { problem: problem('error', 'E_RULE_PATH', message, remedy, at) };
    }
    rule.paths.push(...read.patterns);
    for (const { message, remedy, at } of read.doubts) warnings.push(problem('warning', 'W_RULE_PATH', message, remedy, at));
  }
  return { rule, warnings };
}
