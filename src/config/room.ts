// How much the policies of a configuration may hold together: what is beyond is left out, said, and closed to reading.

import type { ModeSettings, RuleText } from '../model/configuration.ts';
import type { Problem } from '../model/problem.ts';
import { describeProblem } from './text.ts';

/** Entries of the look-up tables of all policies together; making one takes about 30 µs. */
export const MAX_ENTRIES = 60_000;
/** A policy takes as long to make and keep as this many entries. */
export const POLICY_ENTRIES = 100;
/** A rule whose braces stand for more texts than this is refused. */
export const MAX_ALTERNATIVES = 512;

/** Gives room to one policy after the other, until there is none left. */
export class Room {
  problem: Problem | null = null;
  private left = MAX_ENTRIES;

  /** `policyEntries`: what each policy takes beside its rules. */
  constructor(private readonly policyEntries: number) {}

  /**
   * The settings joined, with as many of the rules as there is room for. Where one that denies is left out, reading is denied: it could
   * be what that one is about.
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
    return { rules, defaults: parts.flatMap(({ defaults }) => defaults) };
  }

  /** True when not even a policy that is empty but for this rule fits; the rule is then what is told of. */
  refuses(rule: RuleText): boolean {
    if (this.left > this.policyEntries) return false;
    this.problem ??= tooMany(rule);
    return true;
  }

  /** Nothing smaller that comes after one that does not fit slips in. */
  private isBeyond(rule: RuleText): boolean {
    this.left -= entriesOf(rule);
    return this.left < 0;
  }
}

function closing({ layer, source }: RuleText): RuleText {
  return { text: 'Read', effect: 'deny', layer, source, note: 'rules from here on are more than are read, and may deny this' };
}

function tooMany({ source }: RuleText): Problem {
  const limit = MAX_ENTRIES.toLocaleString('en');
  const message = `All layers together have more than ${limit} rules, counted over all modes. This rule and those after it are not read.`;
  const remedy = `Combine rules into folder patterns, or remove some. A rule counts once in every mode that it applies to. Each alternative in braces counts as one rule. A mode counts as ${POLICY_ENTRIES} rules, and so does an entry of agents.`;
  return { ...describeProblem('E_TOO_MANY_RULES', message, remedy, source.file), line: source.line, column: source.column };
}

/** What a rule takes in a table, or a few more: each alternative of its braces is an entry. */
export function entriesOf({ text, outside }: RuleText): number {
  if (outside === undefined) return alternativesOf(text);
  return outside.globs.reduce((sum, glob) => sum + alternativesOf(glob.text), outside.expressions.length);
}

/** How many texts the braces of a text stand for; a brace that opens or closes nothing counts as none. */
function alternativesOf(text: string): number {
  if (!text.includes('{')) return 1;
  /** Of each brace that is open: what stands before it, and its alternatives that are complete. */
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
  // A rule that is refused takes no room.
  return all > MAX_ALTERNATIVES ? 1 : all;
}
