// Patterns as anchored regular expressions with the same meaning in RE2 and JavaScript, and the literal text that they require.
import type { CharSet, PathPattern, Piece, Segment, TextGlob } from '../model/rule.ts';

/** Escapes every character with a meaning outside a class in RE2 or JavaScript (with the u flag). */
export function escapeText(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/[\x00-\x1f\x7f]/g, escapeControl);
}

function escapeControl(char: string): string {
  return `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

/** `^…$` for a path pattern: the path itself or anything below a match. RE2 syntax; `(?s)` lets `.` match line ends. */
export function pathExpression(pattern: PathPattern): string {
  if (pattern.segments.length === 0) return everything(pattern);
  const lead = pattern.base === 'absolute' ? '\\/' : '';
  // A relative path does not start with a slash, so that an absolute path never matches a relative pattern.
  const float = pattern.floating ? (pattern.base === 'absolute' ? '(?:.*\\/)?' : '(?:[^\\/].*\\/)?') : '';
  let body = '';
  pattern.segments.forEach((segment, at) => {
    const last = at === pattern.segments.length - 1;
    if (segment.kind === 'any-depth') body += '(?:.*\\/)?';
    else body += segmentExpression(segment) + (last ? '' : '\\/');
  });
  return `(?s)^${lead}${float}${body}${pattern.strict ? '\\/.+' : '(?:\\/.*)?'}$`;
}

/** `**` and `/`: every path with this base. Strict: not the base itself. */
function everything({ base, strict }: PathPattern): string {
  if (base === 'absolute') return `(?s)^\\/${strict ? '.+' : '.*'}$`;
  return `(?s)^${strict ? '[^\\/].*' : '(?:[^\\/].*)?'}$`;
}

/** Matches what one of these expressions matches. */
export function anyExpression(expressions: readonly string[]): string {
  return `(?s)${expressions.map((one) => one.slice('(?s)'.length)).join('|')}`;
}

function segmentExpression(segment: Exclude<Segment, { kind: 'any-depth' }>): string {
  if (segment.kind === 'literal') return escapeText(segment.text);
  // A lone star matches a whole name, and a name is never empty.
  if (segment.pieces.length === 1 && segment.pieces[0]?.kind === 'star') return '[^\\/]+';
  return segment.pieces.map(pieceExpression).join('');
}

function pieceExpression(piece: Piece): string {
  switch (piece.kind) {
    case 'text':
      return escapeText(piece.text);
    case 'star':
      return '[^\\/]*';
    case 'one':
      return '[^\\/]';
    case 'set':
      return setExpression(piece);
    default:
      throw new Error(`unknown piece ${JSON.stringify(piece satisfies never)}`);
  }
}

const slash = 0x2f;

function setExpression({ negated, ranges }: CharSet): string {
  if (negated) return `[^\\/${ranges.map(rangeExpression).join('')}]`;
  const without = ranges.flatMap(([from, to]): [number, number][] => {
    if (from > slash || to < slash) return [[from, to]];
    return [[from, slash - 1] as [number, number], [slash + 1, to] as [number, number]].filter(([low, high]) => low <= high);
  });
  // `[/]` cannot match anything. RE2 and JavaScript have no common syntax for an empty class.
  return without.length === 0 ? '(?:\\b\\B)' : `[${without.map(rangeExpression).join('')}]`;
}

function rangeExpression([from, to]: [number, number]): string {
  return from === to ? classChar(from) : `${classChar(from)}-${classChar(to)}`;
}

function classChar(code: number): string {
  const char = String.fromCodePoint(code);
  if (code < 0x20 || code === 0x7f) return escapeControl(char);
  return /[\\\]^\-[/]/.test(char) ? `\\${char}` : char;
}

/** `^…$` for text with stars. `boundary`: any further text must start with a space. */
export function textExpression(pieces: string[], boundary: boolean): string {
  return `(?s)^${pieces.map(escapeText).join('.*')}${boundary ? '(?: .*)?' : ''}$`;
}

/** True if the whole text matches a text with stars. */
export function matchesText({ pieces }: TextGlob, text: string): boolean {
  return toRegExp(textExpression(pieces, false)).test(text);
}

/** The same expression for JavaScript. */
export function toRegExp(expression: string): RegExp {
  return new RegExp(expression.slice('(?s)'.length), 'su');
}

/** The longest text that every match of these segments contains; '' if there is none. */
export function literalOf(segments: Segment[]): string {
  const texts = segments.flatMap((segment) =>
    segment.kind === 'literal'
      ? [segment.text]
      : segment.kind === 'glob'
        ? segment.pieces.flatMap((piece) => (piece.kind === 'text' ? [piece.text] : []))
        : [],
  );
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), '');
}
