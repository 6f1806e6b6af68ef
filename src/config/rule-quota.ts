// Limits the total size of the policies of a configuration. Rules beyond the limit are left out and reported, and reading is
// denied if one of them is a deny.

import type { ModeSettings, RuleText } from '../model/configuration.ts';
import type { Problem } from '../model/problem.ts';
import { describeProblem } from './text.ts';

/** Entries in the look-up tables of all policies together. Making one takes about 30 µs. */
export const MAX_ENTRIES = 60_000;
/** Compiling and storing a policy takes as long as this many entries. */
export const POLICY_ENTRIES = 100;
/** A rule with more alternatives in braces than this is refused. */
export const MAX_ALTERNATIVES = 512;

/** Assigns entries to one policy after another, until none are left. */
export class RuleQuota {
  problem: Problem | null = null;
  private left = MAX_ENTRIES;

  /** `policyEntries`: entries that each policy takes in addition to its rules. */
  constructor(private readonly policyEntries: number) {}

  /**
   * Joins the settings, with as many rules as fit. If a deny rule is left out, reading is denied, since the rule could be about
   * reading.
   */
  take(parts: readonly ModeSettings[]): ModeSettings {
    this.left -= this.policyEntries;
    const rules: RuleText[] = [];
    let lost: RuleText | undefined;
    for (const part of parts) {
      const beyond = this.left < 0 ? 0 : part.rules.findIndex((rule) => this.isBeyond(rule));
      for (const rule of beyond === -1 ? part.rules : part.rules.slice(0, beyond)) rules.push(rule);
      const first = part.rules[beyond];
      if (first === undefined) continue;
      this.problem ??= tooMany(first);
      lost ??= part.rules.find(({ effect }, at) => at >= beyond && effect === 'deny');
    }
    if (lost !== undefined) rules.push(closing(lost));
    return {
      rules,
      defaults: parts.flatMap(({ defaults }) => defaults),
      uncertain: parts.flatMap(({ uncertain = [] }) => uncertain),
    };
  }

  /** True if there are not enough entries even for a policy without rules. Then this rule is the place of the problem. */
  refuses(rule: RuleText): boolean {
    if (this.left > this.policyEntries) return false;
    this.problem ??= tooMany(rule);
    return true;
  }

  /** Once the limit is exceeded, every later rule is left out, even if it would fit. */
  private isBeyond(rule: RuleText): boolean {
    this.left -= entriesOf(rule);
    return this.left < 0;
  }
}

function closing({ layer, source }: RuleText): RuleText {
  return {
    text: 'Read',
    effect: 'deny',
    layer,
    source,
    note: 'rules from here on exceed the limit and are not read, and one of them may deny this',
  };
}

function tooMany({ source }: RuleText): Problem {
  const limit = MAX_ENTRIES.toLocaleString('en');
  const message = `All layers together have more than ${limit} rules, counted over all modes. This rule and those after it are not read.`;
  const remedy = `Combine rules into folder patterns, or remove some. A rule counts once in every mode that it applies to. Each alternative in braces counts as one rule. A mode counts as ${POLICY_ENTRIES} rules, and so does an entry of agents.`;
  return { ...describeProblem('E_TOO_MANY_RULES', message, remedy, source.file), line: source.line, column: source.column };
}

/** The space and `!` before an exception of a path rule: `Write(auth/** !docs/**)`. After a backslash they are part of a name. */
export const EXCEPTION = /(?<!\\) +!/;

/** Entries that a rule takes in a table, or a few more. Each alternative in its braces is one entry. */
export function entriesOf({ text, outside }: RuleText): number {
  if (outside === undefined) return text.split(EXCEPTION).reduce((sum, pattern) => sum + alternativesOf(pattern), 0);
  return outside.globs.reduce((sum, glob) => sum + alternativesOf(glob.text), outside.expressions.length);
}

/** The number of alternatives in the braces of a text. An unmatched brace does not count. */
function alternativesOf(text: string): number {
  if (!text.includes('{')) return 1;
  /** For each open brace: the count before it, and the sum of its complete alternatives. */
  const open: { before: number; sum: number }[] = [];
  let product = 1;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    const inner = open.at(-1);
    if (char === '\\') at += 1;
    else if (char === '{') {
      open.push({ before: product, sum: 0 });
      product = 1;
    } else if (char === ',' && inner !== undefined) {
      inner.sum += product;
      product = 1;
    } else if (char === '}' && inner !== undefined) {
      open.pop();
      product = inner.before * (inner.sum + product);
    }
  }
  const all = open.reduce((inner, { before, sum }) => before * (sum + inner), product);
  // A refused rule takes no entries.
  return all > MAX_ALTERNATIVES ? 1 : all;
}
