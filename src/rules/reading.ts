// What the readers of a rule share: the text cut in two, what it depends on, and how a problem is said.

import type { ArgumentRole } from '../model/facts.ts';
import type { Problem } from '../model/problem.ts';
import type { Rule, RuleHead, TextGlob } from '../model/rule.ts';
import { readRuleText } from './rule-text.ts';

type ArgumentRoles = ReadonlyMap<string, ReadonlyMap<string, ArgumentRole>>;

export interface ParseContext {
  /** Absolute home folder, for `~/`. */
  home: string;
  /** `arguments:` of modes.yaml: tool → argument → what it is. */
  arguments?: ArgumentRoles;
  /** The same with what an untrusted project declares: for rules of its own layers, since it must not change what others mean. */
  ownArguments?: ArgumentRoles;
}

/** A rule with what is to be said of it all the same, or why it is none. */
export type ParsedRule = { rule: Rule; warnings: Problem[] } | { problem: Problem };

/** Declarations by tool; where several say different things of an argument, it is a command before a write before a read. */
export function rolesOf(
  declared: readonly { tool: string; roles: readonly { argument: string; role: ArgumentRole }[] }[],
): ArgumentRoles {
  const order: readonly ArgumentRole[] = ['command', 'write', 'read'];
  const tools = new Map<string, Map<string, ArgumentRole>>();
  for (const { tool, roles } of declared) {
    const known = tools.get(tool) ?? new Map<string, ArgumentRole>();
    tools.set(tool, known);
    for (const { argument, role } of roles) {
      const before = known.get(argument);
      if (before === undefined || order.indexOf(role) < order.indexOf(before)) known.set(argument, role);
    }
  }
  return tools;
}

/** A problem with a rule; `at` and `length` are places in its text. */
export class RuleError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly remedy: string,
    readonly at: number,
    readonly length: number,
  ) {
    super(message);
  }
}

/** A rule text cut at its parentheses; `at` are offsets in the text as written. */
export interface Cut {
  name: string;
  /** Without escapes; null when there are no parentheses. */
  inner: string | null;
  nameAt: number;
  /** The offset in the text as written for each offset in `inner`. */
  innerPlaces: readonly number[];
}

/** One rule while it is read. */
export interface Reading {
  head: RuleHead;
  cut: Cut;
  narrow: boolean;
  context: ParseContext;
  warn(code: string, message: string, remedy: string, at?: number): void;
}

/** The name and the content of the parentheses. */
export function cutText(text: string): Cut {
  const trimmed = text.trim();
  const nameAt = text.length - text.trimStart().length;
  const broken = (message: string, remedy: string, at: number): never => {
    throw new RuleError('E_RULE_FORM', message, remedy, nameAt + at, trimmed.length - at);
  };
  if (trimmed === '')
    broken('the rule is empty', 'Write a tool, like Read, or a tool with what it may touch, like Write(src/**).', 0);
  if (trimmed.length > maxRuleLength)
    broken(`the rule has more than ${maxRuleLength} characters`, 'Write several rules.', maxRuleLength);
  const parts = readRuleText(trimmed);
  if (parts.form === 'malformed') return broken(parts.message, parts.remedy, parts.at);
  const { name } = parts;
  if (parts.form === 'bare') return { name, inner: null, nameAt, innerPlaces: [] };
  if (name.trim() !== name || name === '')
    broken('there is no tool name right before the (', 'Write Tool(what), without a space.', 0);
  const inner = parts.content.text;
  if (inner.trim() === '')
    broken('the parentheses are empty', `Write ${name} alone for every call, or say what is meant.`, parts.nameEnd);
  return { name, inner, nameAt, innerPlaces: parts.content.places.map((place) => nameAt + place) };
}

/** Refuses the rule for its name. */
export function fail(reading: Reading, code: string, message: string, remedy: string, at?: number, length?: number): never {
  const { cut } = reading;
  throw new RuleError(code, message, remedy, at ?? cut.nameAt, length ?? (at === undefined ? cut.name.length : 1));
}

/** Refuses the rule for what stands in its parentheses. */
export function failInner(reading: Reading, code: string, message: string, remedy: string, offset = 0): never {
  const at = placeInner(reading.cut, offset);
  throw new RuleError(code, message, remedy, at, placeInner(reading.cut) - at);
}

/** The place in the rule of an offset in its parentheses; without an offset, of their end. */
export function placeInner({ inner, innerPlaces }: Cut, offset = (inner ?? '').length): number {
  return innerPlaces[Math.min(offset, (inner ?? '').length)] ?? 0;
}

/** More wildcards than this in one pattern are refused: an expression of them costs more than a decision may. */
export const maxWildcards = 32;
/** Characters of one rule. */
const maxRuleLength = 20_000;

/** Text whose stars stand for any text. */
export function readGlob(reading: Reading, text: string): TextGlob {
  const pieces = text.split(/\*+/);
  if (pieces.length - 1 > maxWildcards) fail(reading, 'E_RULE_FORM', `more than ${maxWildcards} stars`, 'Write several rules.');
  return { pieces };
}
