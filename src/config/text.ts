// A text with its lines: converts an offset to a line, a column and a problem.

import type { Problem, Source } from '../model/problem.ts';
import type { Code } from '../model/problem-codes.ts';

/** The text of a file. `lineStarts` has the offset of the first character of every line. */
export interface SourceText {
  /** The name as a person sees it. */
  name: string;
  text: string;
  lineStarts: readonly number[];
}

/** From the first character up to but not including the last, in UTF-16 units. */
export interface Span {
  start: number;
  end: number;
}

/** A longer line is left out of a problem, since a minified file would fill the screen. */
const MAX_LINE_LENGTH = 400;
const MAX_QUOTE_LENGTH = 60;

/** C0 without tab and line ends, DEL, C1, line separators, direction overrides, lone surrogates, non-characters. */
const UNSEEN =
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

export function openText(name: string, text: string): SourceText {
  const lineStarts = [0];
  for (let offset = 0; offset < text.length; offset++) {
    const unit = text.charCodeAt(offset);
    const endsLine = unit === 10 || (unit === 13 && text.charCodeAt(offset + 1) !== 10);
    if (endsLine) lineStarts.push(offset + 1);
  }
  return { name, text, lineStarts };
}

/** Line and column, both from 1. The column counts UTF-16 units, as the language servers of editors do. */
export function locate(source: SourceText, offset: number): Source {
  let low = 0;
  let high = source.lineStarts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (source.lineStarts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return { file: source.name, line: low + 1, column: offset - source.lineStarts[low]! + 1 };
}

/** The text of a line (from 1) without its end. */
function getLine(source: SourceText, line: number): string {
  const start = source.lineStarts[line - 1] ?? source.text.length;
  let end = source.lineStarts[line] ?? source.text.length;
  // A pattern would walk through the whole line for every problem on it, and the line may be a megabyte long.
  while (end > start && (source.text[end - 1] === '\n' || source.text[end - 1] === '\r')) end--;
  return source.text.slice(start, end);
}

/** A problem without a place, or with only a file. */
export function describeProblem(code: Code, message: string, remedy: string, file?: string): Problem {
  const severity = code.startsWith('W_') ? 'warning' : 'error';
  return file === undefined ? { code, severity, message, remedy } : { code, severity, message, remedy, file };
}

/** A problem at a span. A span over several lines is underlined up to the end of its first line. */
export function locateProblem(code: Code, message: string, remedy: string, source: SourceText, span: Span): Problem {
  const { file, line, column } = locate(source, span.start);
  const lineText = getLine(source, line);
  const length = Math.max(1, Math.min(span.end - span.start, lineText.length - column + 1));
  return withLine({ ...describeProblem(code, message, remedy, file), line, column, length }, lineText);
}

/** Adds the text of the line to a problem, for the caret. A line that is too long is left out. */
export function withLine(problem: Problem, lineText: string): Problem {
  return lineText.length <= MAX_LINE_LENGTH ? { ...problem, lineText } : problem;
}

/** Offset of the first invisible character, or -1. */
export function findUnseen(text: string): number {
  return text.search(UNSEEN);
}

/** `U+202E` */
export function nameCharacter(text: string, offset: number): string {
  return `U+${text.charCodeAt(offset).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Quotes a name from a file for a message. It is cut if it is long, and contains nothing invisible. */
export function quote(name: string): string {
  const cut = name.length > MAX_QUOTE_LENGTH ? `${name.slice(0, MAX_QUOTE_LENGTH)}…` : name;
  return `"${showUnseen(cut.replace(/\s+/g, ' '))}"`;
}

const numbered = (character: string): string => `\\u{${character.codePointAt(0)!.toString(16)}}`;

/** Characters that join the parts of an emoji, or request its picture form. */
const EMOJI_PART = String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}#*0-9])\ufe0f|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})`;
/** Characters that control a terminal, change the writing direction or have no glyph. */
const INVISIBLE = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\p{Zl}\p{Zp}\u2800]`;
const EMOJI_PART_OR_HIDDEN = new RegExp(`(${EMOJI_PART})|(?![\\n\\t])${INVISIBLE}`, 'gu');

/**
 * Makes an untrusted text safe to show. A character that is invisible, or that could control a terminal, becomes its number.
 * Lines are kept; use `showInLine` for a text within a line.
 */
export function showUnseen(text: string, show: (character: string) => string = numbered): string {
  if (/^[\n\t -~]*$/.test(text)) return text;
  return text
    .replaceAll('\r\n', '\n')
    .replace(EMOJI_PART_OR_HIDDEN, (character, emojiPart?: string) => emojiPart ?? show(character));
}

/** The same for a text within a line. It cannot begin a line of its own, which a reader could take for a line of Modes. */
export function showInLine(text: string): string {
  return showUnseen(text.replace(/(?<!\s)\s*[\r\n]+\s*/g, ' ').trim());
}

/** A JSON value with all of its texts made safe to show. */
export function showUnseenIn<T>(value: T): T {
  if (typeof value === 'string') return showUnseen(value) as T;
  if (Array.isArray(value)) return value.map(showUnseenIn) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [showUnseen(key), showUnseenIn(one)])) as T;
}

/** Characters without a glyph, characters that change the direction of others, and every blank except the usual one. */
const ILLEGIBLE = new RegExp(String.raw`${INVISIBLE}|\p{C}|(?! )\p{Z}`, 'gu');
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Scripts with letters that look like Latin ones. */
const LIKE_LATIN = /[\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Armenian}\p{sc=Cherokee}\p{sc=Coptic}\p{sc=Lisu}]/gu;

/**
 * A text that a person can check. Characters that they would not see, or would mistake for another letter of the word, become
 * their numbers.
 */
export function legible(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  const escaped = text.replace(WORD, (word) => (/\p{sc=Latin}/u.test(word) ? word.replace(LIKE_LATIN, numbered) : word));
  return escaped.replace(ILLEGIBLE, numbered);
}

/** Columns that a text takes in a terminal: two for East Asian and pictographic characters, none for combining ones. */
export function measureWidth(text: string): number {
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width;
}

function widthOf(character: string): number {
  // Most texts contain only such characters.
  if (character < '\u0300' && character !== '\u00ad') return 1;
  if (/[\p{Mn}\p{Me}\p{Cf}]/u.test(character)) return 0;
  return isWide(character) ? 2 : 1;
}

function isWide(character: string): boolean {
  return /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u.test(
    character,
  );
}

/** Cuts a text to this many columns. A cut text ends in an ellipsis. */
export function cutWidth(text: string, columns: number): string {
  let width = 0;
  let at = 0;
  let end = 0;
  for (const character of text) {
    width += widthOf(character);
    if (width > columns) return `${text.slice(0, end)}…`;
    at += character.length;
    if (width < columns) end = at;
  }
  return text;
}
