// Patterns of `case` and of parameter expansions, applied to known texts.

/** A piece of a pattern: literal text, or text with `* ? [` as wildcards. */
export interface PatternPiece {
  text: string;
  isLiteral: boolean;
}

const META = /[\\^$.*+?()[\]{}|/-]/g;
const CLASSES: Record<string, string> = {
  alpha: 'A-Za-z',
  digit: '0-9',
  alnum: 'A-Za-z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\s',
  blank: ' \\t',
  punct: '!-\\/:-@\\[-`{-~',
  xdigit: '0-9A-Fa-f',
};

/** A pattern as a regular expression for a whole text, or null if its matches are not certain. */
export function patternExpression(pieces: readonly PatternPiece[]): RegExp | null {
  let source = '';
  for (const { text, isLiteral } of pieces) {
    if (isLiteral) {
      source += text.replace(META, '\\$&');
      continue;
    }
    for (let at = 0; at < text.length; at++) {
      const char = text[at]!;
      if (char === '*') source += '[\\s\\S]*';
      else if (char === '?') source += '[\\s\\S]';
      else if (char === '\\') return null;
      else if (char === '[') {
        const set = bracket(text, at);
        if (set === null) return null;
        source += set.source;
        at = set.end - 1;
      } else source += char.replace(META, '\\$&');
    }
  }
  return new RegExp(`^(?:${source})$`);
}

/** `[a-z]`, `[!a[:digit:]]`. Null if shells or locales differ on its meaning. */
function bracket(text: string, open: number): { source: string; end: number } | null {
  const match = /^\[([!^]?)((?:\[:[a-z]+:\]|[\w ./,:;@%+=~#-])+)\]/.exec(text.slice(open));
  if (match === null) return null;
  let members = '';
  for (const [one] of match[2]!.matchAll(/\[:[a-z]+:\]|.-.|./gs)) {
    if (one.startsWith('[:')) {
      const known = CLASSES[one.slice(2, -2)];
      if (known === undefined) return null;
      members += known;
    } else if (one.length === 3) {
      // Only ranges of digits have the same meaning in every locale.
      if (!/^\d-\d$/.test(one) || one[0]! > one[2]!) return null;
      members += one;
    } else members += one.replace(META, '\\$&');
  }
  return { source: `[${match[1] === '' ? '' : '^'}${members}]`, end: open + match[0].length };
}

/** Longer texts are not searched, because each of their parts is tried. */
const MAX_TEXT = 256;

/** `${text#pattern}` and the related operators. */
export function removeMatch(text: string, pattern: RegExp, operator: '#' | '##' | '%' | '%%'): string | null {
  if (text.length > MAX_TEXT) return null;
  const isShort = operator.length === 1;
  const isFront = operator.startsWith('#');
  for (let i = 0; i <= text.length; i++) {
    const length = isShort ? i : text.length - i;
    const cut = isFront ? text.slice(0, length) : text.slice(text.length - length);
    if (pattern.test(cut)) return isFront ? text.slice(length) : text.slice(0, text.length - length);
  }
  return text;
}

/** `${text/pattern/replacement}` and the related operators. */
export function replaceMatch(
  text: string,
  pattern: RegExp,
  replacement: (match: string) => string,
  operator: '/' | '//' | '/#' | '/%',
): string | null {
  if (text.length > MAX_TEXT) return null;
  if (text === '') return pattern.test('') ? null : text;
  let out = '';
  for (let from = 0; from < text.length; ) {
    const end = operator === '/%' ? (pattern.test(text.slice(from)) ? text.length : -1) : longest(text, from, pattern);
    if (end === from) return operator === '/#' ? replacement('') + text : null;
    if (end > from) {
      out += replacement(text.slice(from, end));
      from = end;
      if (operator === '//') continue;
      return out + text.slice(from);
    }
    if (operator === '/#') return text;
    out += text[from++]!;
  }
  // The empty text at the end matches too.
  return operator === '/%' && pattern.test('') ? out + replacement('') : out;
}

function longest(text: string, from: number, pattern: RegExp): number {
  for (let end = text.length; end > from; end--) if (pattern.test(text.slice(from, end))) return end;
  return pattern.test('') ? from : -1;
}

/** `${text^pattern}` and the related operators, for letters with the same case mapping in every locale. */
export function changeCase(text: string, pattern: RegExp | null, operator: '^' | '^^' | ',' | ',,'): string | null {
  if (!isAscii(text)) return null;
  const change = (char: string) => {
    if (pattern !== null && !pattern.test(char)) return char;
    return operator.startsWith('^') ? char.toUpperCase() : char.toLowerCase();
  };
  return operator.length === 2 ? [...text].map(change).join('') : text === '' ? '' : change(text[0]!) + text.slice(1);
}

/** `${text:offset:length}`. Null if Bash reports an error. */
export function slice(text: string, offset: number, length: number | null): string | null {
  if (!isAscii(text)) return null;
  const from = offset < 0 ? text.length + offset : offset;
  if (from < 0 || from > text.length) return '';
  if (length === null) return text.slice(from);
  const end = length < 0 ? text.length + length : from + length;
  return end < from ? null : text.slice(from, end);
}

export function isAscii(text: string): boolean {
  return /^[\x00-\x7f]*$/.test(text);
}
