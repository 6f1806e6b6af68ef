// Parses the arguments of /modes:grant and /modes:off: rules, duration, number of calls and reason.

import type { Rule } from '../model/rule.ts';
import { parseRule } from '../rules/parse.ts';
import type { ParseContext } from '../rules/reading.ts';
import type { Bounds } from './granting.ts';

export type GrantText = { rules: Rule[]; bounds: Bounds; why: string } | { error: string };

/** Number of characters that a dialog shows. A longer text could hide a part of the grant. */
const maxText = 240;
const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const example = '/modes:grant Bash(git push) 10m 3x';

/** Syntax: `RULE… [10m] [3x] [because WHY]`, with rules as in an allow list. */
export function readGrant(text: string, context: ParseContext): GrantText {
  const { words, why } = split(text);
  const ruleTexts = words.filter((word) => !isTime(word) && !isCount(word));
  const bounds = readBounds(words);
  if (typeof bounds === 'string') return { error: bounds };
  if (ruleTexts.length === 0) return { error: `Name what to grant, as in an allow list: ${example}` };
  if (/\p{C}/u.test(text) || ruleTexts.join(' ').length > maxText)
    return { error: `This is too long for a dialog. Write something shorter, such as ${example}` };
  const rules: Rule[] = [];
  for (const [at, rule] of ruleTexts.entries()) {
    const source = { file: '/modes:grant', line: 1, column: 0 };
    const parsed = parseRule({ text: rule, effect: 'allow', layer: 'user', source }, `r${at}`, context);
    if ('problem' in parsed) return { error: `${rule}: ${parsed.problem.message}. ${parsed.problem.remedy}` };
    rules.push(parsed.rule);
  }
  return { rules, bounds, why };
}

/** Syntax: `[30m] [because WHY]` */
export function readOff(text: string): { seconds: number | null; why: string } | { error: string } {
  const { words, why } = split(text);
  const bounds = readBounds(words);
  if (typeof bounds === 'string') return { error: bounds };
  if (words.some((word) => !isTime(word))) return { error: 'Give a time, or nothing for the whole session: /modes:off 30m' };
  return { seconds: bounds.seconds, why };
}

/** Splits the text into words. A part in parentheses belongs to the word before it. */
function split(text: string): { words: string[]; why: string } {
  const words: string[] = [];
  let rest = text.trim();
  while (rest !== '') {
    const end = endOfWord(rest);
    const word = rest.slice(0, end);
    rest = rest.slice(end).trim();
    if (word === 'because') return { words, why: rest };
    words.push(word);
  }
  return { words, why: '' };
}

/** The first blank after all parentheses are closed. If they do not match, the position after the last `)`. */
function endOfWord(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (/\s/.test(char) && depth <= 0) return at;
    if (char === '\\') at++;
    else if (char === '(') depth++;
    else if (char === ')') depth--;
  }
  return depth > 0 && text.includes(')') ? text.lastIndexOf(')') + 1 : text.length;
}

function isTime(word: string): boolean {
  return /^\d+[smhd]$/.test(word);
}

function isCount(word: string): boolean {
  return /^\d+x$/.test(word);
}

/** At most one time and one count, each at least 1. Otherwise an error text. */
function readBounds(words: readonly string[]): Bounds | string {
  const times = words.filter(isTime);
  const counts = words.filter(isCount);
  if (times.length > 1 || counts.length > 1) return 'Give at most one time and one number of calls.';
  const [time] = times;
  const [count] = counts;
  const bounds = {
    seconds: time === undefined ? null : Number(time.slice(0, -1)) * (units[time.slice(-1)] as number),
    count: count === undefined ? null : Number(count.slice(0, -1)),
  };
  if ([bounds.seconds, bounds.count].some((one) => one === 0 || (one !== null && !Number.isSafeInteger(one))))
    return 'A time and a number of calls must be whole numbers of at least 1.';
  return bounds;
}

/** For example `10 minutes, 3 calls`; '' without bounds. */
export function describeBounds({ seconds, count }: Bounds): string {
  return [seconds === null ? '' : describeTime(seconds), count === null ? '' : `${count} ${count === 1 ? 'call' : 'calls'}`]
    .filter((part) => part !== '')
    .join(', ');
}

/** For example `2 h 5 min`. From one minute on, whole minutes, rounded up. */
export function describeTime(seconds: number): string {
  if (seconds <= 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return [hours > 0 ? `${hours} h` : '', minutes % 60 > 0 ? `${minutes % 60} min` : ''].filter((part) => part !== '').join(' ');
}
