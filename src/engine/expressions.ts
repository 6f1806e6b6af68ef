// The RE2 of the policy runs `fileRegex`, so the same RE2 checks whether it can read the expression.

import { describeProblem, quote } from '../config/text.ts';
import { pathName } from '../facts/paths/keys.ts';
import type { Configuration, Located } from '../model/configuration.ts';
import type { Problem } from '../model/problem.ts';
import type { OutsideRule } from '../model/rule.ts';
import { Evaluator } from '../policy/evaluator.ts';
import { lowerRules } from '../rules/lower.ts';

/** Longest expression, in characters. The time that RE2 takes depends on the length of the expression. */
const maxExpression = 2_000;

/** Returns an error for every expression that the RE2 of the core refuses. */
export function findUnreadableExpressions({ enforced }: Pick<Configuration, 'enforced'>, core: Uint8Array): Problem[] {
  const all = [...enforced.values()].flatMap(({ rules }) => rules.flatMap(({ outside }) => outside?.expressions ?? []));
  const expressions = new Map(all.map((one) => [JSON.stringify([one.source, one.text]), one]));
  if (expressions.size === 0) return [];
  const evaluator = new Evaluator(core);
  return [...expressions.values()].flatMap((one) => (isReadable(one.text, evaluator) ? [] : [unreadable(one)]));
}

/** With an empty alternative in front, a valid expression matches every text, so the write passes. An invalid one does not. */
function isReadable(text: string, evaluator: Evaluator): boolean {
  if (text.length > maxExpression) return false;
  const rule: OutsideRule = {
    id: 'r0',
    text,
    effect: 'deny',
    layer: 'project',
    source: { file: '', line: 1, column: 1 },
    kind: 'outside',
    paths: [],
    expressions: [`|${text}`],
  };
  evaluator.setData({ rules: lowerRules([rule], { defaults: [], trusted: true }) });
  const write = { path: 'x', root: 'project', names: [pathName('x', false)], readings: [[0]], below: [], via: '', command: null };
  const tool = { name: 'Write', group: 'edit', keys: ['Write'], params: {}, extra: [] };
  return evaluator.evaluateVerdict({ tool, writes: [write] }).verdict === 'pass';
}

function unreadable({ text, source }: Located): Problem {
  const message = `The expression ${quote(text)} cannot be read.`;
  const remedy = `Write it as RE2 does, at most ${maxExpression} characters: no look-ahead, no back-reference, every bracket closed.`;
  const { file, line, column } = source;
  return { ...describeProblem('E_FILE_REGEX', message, remedy, file), line, column: column + 1, length: text.length };
}
