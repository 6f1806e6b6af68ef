// Shared parts of the rule parsers: the split text, its context, and the reporting of problems.

import type { ArgumentRole } from '../model/facts.ts';
import type { Problem } from '../model/problem.ts';
import type { Rule, RuleHead, TextGlob } from '../model/rule.ts';
import { readRuleText } from './rule-text.ts';

type ArgumentRoles = ReadonlyMap<string, ReadonlyMap<string, ArgumentRole>>;

export interface ParseContext {
  /** Absolute home folder, for `~/`. */
  home: string;
  /** `arguments:` of modes.yaml: tool → argument → role. */
  arguments?: ArgumentRoles;
  /**
   * The same, plus the declarations of an untrusted project. Used only for rules of the project's own layers, because an
   * untrusted project must not change the meaning of other layers' rules.
   */
  allArguments?: ArgumentRoles;
}

/** A rule with its warnings, or the problem that makes it invalid. */
export type ParsedRule = { rule: Rule; warnings: Problem[] } | { problem: Problem };

/** Declared roles by tool. If declarations of an argument differ, command takes precedence over write, and write over read. */
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

/** A problem with a rule. `at` and `length` are positions in its text. */
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

/** A rule text split at its parentheses. `nameAt` and `innerPlaces` are offsets in the text as written. */
export interface Cut {
  name: string;
  /** Without escapes; null if there are no parentheses. */
  inner: string | null;
  nameAt: number;
  /** For each offset in `inner`, the offset in the text as written. */
  innerPlaces: readonly number[];
}

/** The state while one rule is parsed. */
export interface RuleReading {
  head: RuleHead;
  cut: Cut;
  restricts: boolean;
  context: ParseContext;
  warn(code: string, message: string, remedy: string, at?: number): void;
}

/** Splits a rule into its name and the content of its parentheses. */
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
    broken(
      'the parentheses are empty',
      `Write ${name} alone for every call, or put a pattern into the parentheses.`,
      parts.nameEnd,
    );
  return { name, inner, nameAt, innerPlaces: parts.content.places.map((place) => nameAt + place) };
}

/** Rejects the rule because of its name. */
export function fail(reading: RuleReading, code: string, message: string, remedy: string, at?: number, length?: number): never {
  const { cut } = reading;
  throw new RuleError(code, message, remedy, at ?? cut.nameAt, length ?? (at === undefined ? cut.name.length : 1));
}

/** Rejects the rule because of the content of its parentheses. */
export function failInner(reading: RuleReading, code: string, message: string, remedy: string, offset = 0): never {
  const at = placeInner(reading.cut, offset);
  throw new RuleError(code, message, remedy, at, placeInner(reading.cut) - at);
}

/** The position in the rule of an offset in its parentheses. The default is the end of the parentheses. */
export function placeInner({ inner, innerPlaces }: Cut, offset = (inner ?? '').length): number {
  return innerPlaces[Math.min(offset, (inner ?? '').length)] ?? 0;
}

/** Maximum number of wildcards in one pattern. An expression with more would take longer than a decision may. */
export const maxWildcards = 32;
/** Maximum length of one rule, in characters. */
const maxRuleLength = 20_000;

/** Splits a text at its stars, which match any text. */
export function readGlob(reading: RuleReading, text: string): TextGlob {
  const pieces = text.split(/\*+/);
  if (pieces.length - 1 > maxWildcards) fail(reading, 'E_RULE_FORM', `more than ${maxWildcards} stars`, 'Write several rules.');
  return { pieces };
}
