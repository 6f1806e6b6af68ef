// Parses the input of the plan tools. Returns the value or an error text.

import { hasTooManyStars } from '../../platform/glob-cost.ts';
import { isObject } from '../../platform/json-object.ts';
import { parsePathPattern } from '../../rules/pattern.ts';
import type { PlanItem, PlanText } from './events.ts';

export const limits = { title: 200, items: 100, text: 500, files: 50, glob: 300, explanation: 2_000 } as const;

type ToolInput = Record<string, unknown>;
export type Read<T> = { value: T } | { wrong: string };

/** The error text for an unknown key; null if there is none. */
export function unknownKeyError(input: ToolInput, known: readonly string[]): string | null {
  const unknownKey = Object.keys(input).find((key) => !known.includes(key));
  return unknownKey === undefined
    ? null
    : `${JSON.stringify(unknownKey)} is not a parameter here; possible: ${known.join(', ') || 'nothing'}`;
}

export function readPlan(input: ToolInput, home: string): Read<PlanText> {
  const title = oneLine(input.title ?? '');
  if (title === null || title.length > limits.title) return wrong(`title must be a string of at most ${limits.title} characters`);
  const { items } = input;
  if (!Array.isArray(items) || items.length === 0) return wrong('items must be a list of at least one item');
  if (items.length > limits.items) return wrong(`items must have at most ${limits.items} entries`);
  const read: PlanItem[] = [];
  for (const [at, one] of items.entries()) {
    const item = readItem(one, home);
    if ('wrong' in item) return wrong(`item ${at + 1}: ${item.wrong}`);
    read.push(item.value);
  }
  return { value: { title, items: read } };
}

/** An item is `text` or `{text, files}`. */
function readItem(given: unknown, home: string): Read<PlanItem> {
  const item: ToolInput = typeof given === 'string' ? { text: given } : isObject(given) ? given : {};
  const keyError = unknownKeyError(item, ['text', 'files']);
  if (keyError !== null) return wrong(keyError);
  const text = oneLine(item.text);
  if (text === null || text === '' || text.length > limits.text)
    return wrong(`text must be a string of 1 to ${limits.text} characters`);
  const files = item.files ?? [];
  if (!Array.isArray(files) || files.length > limits.files) return wrong(`files must be a list of at most ${limits.files} globs`);
  for (const glob of files) {
    const problem = globProblem(glob, home);
    if (problem !== null) return wrong(`files: ${problem}`);
  }
  return { value: { text, files: files.map((glob: string) => glob.trim()) } };
}

/** Why a glob is invalid; null if it is valid. */
export function globProblem(glob: unknown, home: string): string | null {
  if (typeof glob !== 'string' || glob.trim() === '') return 'a glob is a string such as src/**';
  if (glob.length > limits.glob) return `a glob has at most ${limits.glob} characters`;
  const read = parsePathPattern(glob.trim(), { home, restricts: false });
  if ('problem' in read) return `${JSON.stringify(glob)}: ${read.problem.message}`;
  return read.patterns.some(({ text }) => hasTooManyStars(text)) ? `${JSON.stringify(glob)} has too many wildcards` : null;
}

/** Converts item numbers to indexes from 0. */
export function readItems(given: unknown, count: number): Read<number[]> {
  const numbers = Array.isArray(given) ? given : [given];
  const fits = (one: unknown): one is number => Number.isInteger(one) && (one as number) >= 1 && (one as number) <= count;
  if (numbers.length === 0 || !numbers.every(fits)) return wrong(`item must be a number from 1 to ${count}, or a list of them`);
  return { value: [...new Set(numbers.map((one) => one - 1))] };
}

export function readFlag(given: unknown, name: string, absent: boolean): Read<boolean> {
  if (given === undefined) return { value: absent };
  return typeof given === 'boolean' ? { value: given } : wrong(`${name} must be true or false`);
}

export function readExplanation(given: unknown): Read<string> {
  if (typeof given !== 'string' || given.trim() === '') return wrong('explanation is required');
  return { value: given.trim().slice(0, limits.explanation) };
}

/** Trimmed, with white space collapsed to single spaces. null if it is not a text or contains invisible characters. */
export function oneLine(given: unknown): string | null {
  if (typeof given !== 'string') return null;
  const text = given.replace(/\s+/g, ' ').trim();
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(text) ? null : text;
}

function wrong(what: string): { wrong: string } {
  return { wrong: what };
}

const bullet = /^(\s*)(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(\S.*)$/;
/** A horizontal rule, which uses the same marks as list items. */
const rule = /^\s*([-*_])(?:\s*\1){2,}\s*$/;
const fence = /^\s*(```|~~~)/;

/**
 * The list in a Markdown plan: its outermost items, and its first heading as the title. Never empty: a text without a list becomes
 * one item.
 */
export function planOfMarkdown(markdown: string): PlanText {
  const lines = withoutCode(markdown.split(/\r?\n/));
  const heading = lines.map((line) => /^#{1,6}\s+(\S.*)$/.exec(line)?.[1]).find((text) => text !== undefined);
  const found = lines.flatMap((line) => {
    const [, indent = '', text] = rule.test(line) ? [] : (bullet.exec(line) ?? []);
    return text === undefined ? [] : [{ depth: indent.length, text }];
  });
  const outermost = Math.min(...found.map(({ depth }) => depth));
  // Numbers may be right-aligned, so one more blank is not a nested list.
  const texts = found.filter(({ depth }) => depth - outermost <= 1).map(({ text }) => clean(text, limits.text));
  const title = clean(heading ?? '', limits.title);
  const isList = texts.length > 0 && texts.length <= limits.items;
  return { title, items: (isList ? texts : [title || 'The plan']).map((text) => ({ text, files: [] })) };
}

function withoutCode(lines: string[]): string[] {
  let isCode = false;
  return lines.filter((line) => {
    const isFence = fence.test(line);
    if (isFence) isCode = !isCode;
    return !isFence && !isCode;
  });
}

function clean(text: string, length: number): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, ' ').replace(/\s+/g, ' ');
  return plain.trim().slice(0, length).trim();
}
