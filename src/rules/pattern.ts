// Parses a path pattern: gitignore syntax, after brace expansion, with an optional leading `//`, `~/`, `/` or `./`.

import type { CharSet, PathPattern, Piece, Segment } from '../model/rule.ts';
import { expandBraces } from './braces.ts';
import { maxWildcards } from './reading.ts';
import { isEscaped } from './rule-text.ts';
import { type PatternProblem, warningsOf } from './warnings.ts';

/** The context that determines the meaning of a pattern. */
export interface PatternContext {
  /** Absolute home folder, for `~/`. */
  home: string;
  /** True in deny and ask, where a doubtful pattern matches more; false in allow, where it matches less. */
  restricts: boolean;
}

export type PatternResult = { patterns: PathPattern[]; warnings: PatternProblem[] } | { problem: PatternProblem };

class PatternError extends Error {
  constructor(readonly problem: PatternProblem) {
    super(problem.message);
  }
}

/** Parses the pattern of a path rule. An invalid pattern is a problem, never a pattern that matches nothing. */
export function parsePathPattern(text: string, context: PatternContext): PatternResult {
  const trimmed = dropTrailingSpaces(text);
  if (trimmed === '') return refuse('the pattern is empty', 'Write a path, or the tool alone for every path.', 0);
  if (/^\s/.test(trimmed))
    return refuse('the pattern begins with white space', 'Remove it, or write \\ before a space that is part of the name.', 0);
  if (trimmed.startsWith('!')) {
    return refuse(
      'a pattern cannot be negated',
      'Write an allow or deny rule instead; \\! matches a name that begins with !.',
      0,
    );
  }
  // Paths never contain NUL.
  if (trimmed.includes('\0')) return refuse('the pattern contains a NUL character', 'Remove it.', trimmed.indexOf('\0'));
  const expansion = expandBraces(trimmed);
  if ('error' in expansion)
    return refuse(
      expansion.error,
      'Close the braces, list the names with commas, or write \\{ and \\} for the characters.',
      expansion.at,
    );
  try {
    if (!context.restricts) refuseForAllow(trimmed);
    const patterns = expansion.alternatives.map((alternative) => parseAlternative(alternative, context));
    return { patterns: [...patterns, ...asInClient(trimmed, context)], warnings: warningsOf(trimmed, context.home) };
  } catch (error) {
    if (error instanceof PatternError) return { problem: error.problem };
    throw error;
  }
}

/** Forms that Claude Code interprets differently from gitignore or never matches. An allow with one would allow more here. */
const notInAllow: readonly [form: RegExp, message: string, remedy: string][] = [
  [/^#/, 'Claude Code treats a pattern that begins with # as a comment', 'Write \\# for the character.'],
  [/\[[!^]/, 'in Claude Code a set is never negated: [!a] and [^a] contain a', 'List the characters that you mean.'],
  [/\[\]/, 'in Claude Code the first ] closes a set', 'Write a rule for each name.'],
  [/\[[^\]]*\\/, 'Claude Code matches nothing with a backslash in a set', 'Write a rule for each name.'],
  [/\[:[a-z]*:\]/, 'Claude Code does not support character classes such as [:digit:]', 'Write the characters: [0-9].'],
  [/\\\?/, 'Claude Code matches nothing with \\?', 'Write [?] for the character.'],
  [/[^/]\/\.(?:\/|$)/, 'the pattern contains /./, which Claude Code never matches', 'Write the path without it.'],
];

function refuseForAllow(text: string): void {
  for (const [form, message, remedy] of notInAllow) {
    const match = form.exec(text);
    if (match !== null && !isEscaped(text, match.index)) throw new PatternError({ message, remedy, at: match.index });
  }
}

/**
 * The pattern as Claude Code interprets it, if that differs from gitignore: braces are literal, `[!a]` and `[^a]` contain `a`,
 * and an escaped star at the end is a star. Deny and ask rules match if either interpretation matches.
 */
function asInClient(text: string, context: PatternContext): PathPattern[] {
  if (!context.restricts) return [];
  const read = text
    .replace(/(?<!\\)[{}]/g, '\\$&')
    .replace(/\[\[:([a-z]*):\]\]/g, '[\\[:$1]\\]')
    .replace(/\[([!^])/g, '[\\$1')
    .replace(/\\\*$/, '*');
  if (read === text) return [];
  try {
    return [parseAlternative(read, context)];
  } catch (error) {
    if (error instanceof PatternError) return [];
    throw error;
  }
}

function refuse(message: string, remedy: string, at: number): { problem: PatternProblem } {
  return { problem: { message, remedy, at } };
}

function fail(message: string, remedy: string): never {
  throw new PatternError({ message, remedy, at: 0 });
}

/** gitignore removes trailing spaces that are not escaped by a backslash. */
function dropTrailingSpaces(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === ' ' && !isEscaped(text, end - 1)) end--;
  return text.slice(0, end);
}

interface Anchor {
  base: 'root' | 'absolute';
  head: Segment[];
  rooted: boolean;
  /** Matches only at the level of the base. */
  anchored: boolean;
  rest: string;
}

function parseAnchor(text: string, { home, restricts }: PatternContext): Anchor {
  if (text.startsWith('//')) return { base: 'absolute', head: [], rooted: true, anchored: true, rest: text.slice(2) };
  if (text === '~' || text.startsWith('~/')) {
    const head = home
      .split('/')
      .filter(Boolean)
      .map((name): Segment => ({ kind: 'literal', text: name }));
    return { base: 'absolute', head, rooted: true, anchored: true, rest: text.slice(2) };
  }
  if (text.startsWith('/')) return { base: 'root', head: [], rooted: true, anchored: true, rest: text.slice(1) };
  // The client strips `./`, after which a single name floats. In allow, the more restrictive reading is used.
  if (text === '.' || text.startsWith('./'))
    return { base: 'root', head: [], rooted: false, anchored: !restricts, rest: text.slice(2) };
  return { base: 'root', head: [], rooted: false, anchored: false, rest: text };
}

/** Maximum length of one alternative, in characters. No path is longer than a few thousand. */
const maxLength = 1_000;

function parseAlternative(text: string, context: PatternContext): PathPattern {
  if (text === '') fail('an alternative of the braces is empty', 'Remove the empty alternative.');
  if (text.length > maxLength) fail(`the pattern has more than ${maxLength} characters`, 'Write a shorter pattern.');
  const anchor = parseAnchor(text, context);
  const names = anchor.rest.replaceAll('\\/', '/').split('/');
  const onlyFolders = names.length > 1 && names.at(-1) === '';
  const parts = names.filter((name) => name !== '' && name !== '.').map((name) => (/^\*{2,}$/.test(name) ? '**' : name));
  if (parts.includes('..'))
    fail('the pattern contains ..', 'Write the path without it; // begins an absolute path and ~/ one in the home folder.');
  const whole = { text, base: anchor.base, rooted: anchor.rooted };
  if (parts.length === 0) return { ...whole, floating: false, strict: false, segments: anchor.head };
  // `dir/**/` matches only folders below. The client matches everything below, so deny and ask rules do the same.
  if (onlyFolders && parts.at(-1) === '**' && !(context.restricts && parts.some((name) => name !== '**'))) parts.push('*');

  const single =
    parts.length === 1 || (context.restricts && parts.length === 2 && parts[0] !== '**' && parts[1] === '**' && !onlyFolders);
  const inside = parts.at(-1) === '**';
  const body = dropRepeats(parts);
  while (body.at(-1) === '**') body.pop();
  const floating = body.length > 0 && anchor.head.length === 0 && (body[0] === '**' || (single && !anchor.anchored));
  if (anchor.head.length === 0) while (body[0] === '**') body.shift();
  const segments = body.map(parseSegment);
  if (countWildcards(segments) > maxWildcards)
    fail(`the pattern has more than ${maxWildcards} wildcards`, 'Write several rules.');
  return { ...whole, floating, strict: onlyFolders || inside, segments: [...anchor.head, ...segments] };
}

function countWildcards(segments: Segment[]): number {
  const ofSegment = (segment: Segment): number =>
    segment.kind === 'glob' ? segment.pieces.filter(({ kind }) => kind !== 'text').length : segment.kind === 'any-depth' ? 1 : 0;
  return segments.reduce((sum, segment) => sum + ofSegment(segment), 0);
}

function dropRepeats(parts: string[]): string[] {
  return parts.filter((part, at) => part !== '**' || parts[at - 1] !== '**');
}

function parseSegment(name: string): Segment {
  if (name === '**') return { kind: 'any-depth' };
  const pieces = parsePieces(name);
  const [only] = pieces;
  return pieces.length === 1 && only?.kind === 'text' ? { kind: 'literal', text: only.text } : { kind: 'glob', pieces };
}

function parsePieces(name: string): Piece[] {
  const pieces: Piece[] = [];
  const addText = (text: string): void => {
    const last = pieces.at(-1);
    if (last?.kind === 'text') last.text += text;
    else pieces.push({ kind: 'text', text });
  };
  for (let at = 0; at < name.length; at++) {
    const char = name[at] as string;
    if (char === '\\') {
      const escaped = name[++at];
      if (escaped === undefined) fail('a backslash with nothing after it', 'Write \\\\ for a backslash.');
      addText(escaped);
    } else if (char === '*') {
      if (pieces.at(-1)?.kind !== 'star') pieces.push({ kind: 'star' });
    } else if (char === '?') pieces.push({ kind: 'one' });
    else if (char === '[') {
      const { set, end } = parseSet(name, at);
      pieces.push(set);
      at = end;
    } else addText(char);
  }
  return pieces;
}

const posixClasses: ReadonlyMap<string, [number, number][]> = new Map(
  Object.entries({
    alnum: '09AZaz',
    alpha: 'AZaz',
    blank: '  \t\t',
    cntrl: '\x00\x1f\x7f\x7f',
    digit: '09',
    graph: '!~',
    lower: 'az',
    print: ' ~',
    punct: '!/:@[`{~',
    space: '  \t\n\r\r',
    upper: 'AZ',
    xdigit: '09AFaf',
  }).map(([name, ends]) => [name, pairs(ends)]),
);

function pairs(ends: string): [number, number][] {
  return Array.from({ length: ends.length / 2 }, (_, at) => [ends.charCodeAt(at * 2), ends.charCodeAt(at * 2 + 1)]);
}

/** `[a-z]`, `[!a]`, `[[:alpha:]]`. A `]` in the first position is a member, as in git's wildmatch. */
function parseSet(name: string, start: number): { set: CharSet; end: number } {
  const open = 'Close it with ], or write \\[ for the character.';
  const chars = [...name.slice(start + 1)];
  let at = 0;
  const negated = chars[0] === '!' || chars[0] === '^';
  if (negated) at++;
  const ranges: [number, number][] = [];
  const member = (): number => {
    if (chars[at] === '\\') at++;
    const char = chars[at++];
    if (char === undefined) fail('a [ without its ]', open);
    return char.codePointAt(0) as number;
  };
  for (let first = true; first || chars[at] !== ']'; first = false) {
    if (chars[at] === undefined) fail('a [ without its ]', open);
    const posix = /^\[:([a-z]*):\]/.exec(chars.slice(at).join(''));
    if (posix) {
      const known = posixClasses.get(posix[1] as string);
      if (known === undefined)
        fail(`[:${posix[1]}:] is not a class of characters`, `Classes are ${[...posixClasses.keys()].join(', ')}.`);
      ranges.push(...known);
      at += posix[0].length;
      continue;
    }
    const from = member();
    if (chars[at] !== '-' || chars[at + 1] === ']' || chars[at + 1] === undefined) {
      ranges.push([from, from]);
      continue;
    }
    at++;
    const to = member();
    if (to < from) fail('the ends of a range of characters are reversed', 'Write the lower character first.');
    ranges.push([from, to]);
  }
  const length = chars.slice(0, at + 1).join('').length;
  return { set: { kind: 'set', negated, ranges }, end: start + length };
}
