// Patterns of parameter expansions, applied to known texts. The time of a comparison is limited, so no pattern delays a decision.

/** A character of a pattern. A quoted one matches only itself. */
export interface PatternChar {
  char: string;
  isQuoted: boolean;
}

export interface PatternOptions {
  /** As with `shopt -s extglob`: `+(a)` and similar groups have a meaning. */
  hasGroups?: boolean;
  /** As with `shopt -s nocasematch`. */
  ignoresCase?: boolean;
}

/** `any` is `*`. A group has one of the operators `?*+@!`. */
type Piece =
  | { kind: 'one'; matches(char: string): boolean }
  | { kind: 'any' }
  | { kind: 'group'; operator: string; alternatives: readonly Pattern[] };

export type Pattern = readonly Piece[];

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

/** Longer texts and patterns are not compared, because each part of the text is tried. */
const MAX_TEXT = 256;

/** The start of a group in a pattern. */
export const GROUP = /[?*+@!]\(/;

/** Null if the matches of the pattern are not certain. */
export function readPattern(chars: readonly PatternChar[], options: PatternOptions = {}): Pattern | null {
  if (chars.length > MAX_TEXT) return null;
  const reader = new PatternReader(chars, options);
  const pattern = reader.sequence(false);
  return pattern !== null && reader.isAtEnd ? pattern : null;
}

class PatternReader {
  private at = 0;
  private readonly text: string;

  constructor(
    private readonly chars: readonly PatternChar[],
    private readonly options: PatternOptions,
  ) {
    // Only unquoted characters have a meaning.
    this.text = chars.map(({ char, isQuoted }) => (isQuoted ? '\0' : char)).join('');
  }

  get isAtEnd(): boolean {
    return this.at >= this.chars.length;
  }

  /** @param inGroup true: ends before a bar or a closing parenthesis */
  sequence(inGroup: boolean): Pattern | null {
    const pieces: Piece[] = [];
    while (!this.isAtEnd) {
      const char = this.text[this.at]!;
      if (inGroup && (char === '|' || char === ')')) break;
      const piece = this.piece(char);
      if (piece === null) return null;
      pieces.push(piece);
    }
    return pieces;
  }

  private piece(char: string): Piece | null {
    if (this.options.hasGroups && GROUP.test(this.text.slice(this.at, this.at + 2))) return this.group(char);
    if (char === '\\') return null;
    if (char === '[' && this.text.includes(']', this.at)) return this.bracket();
    const literal = this.chars[this.at++]!.char;
    if (char === '*') return { kind: 'any' };
    if (char === '?') return { kind: 'one', matches: () => true };
    if (!this.options.ignoresCase) return { kind: 'one', matches: (other) => other === literal };
    const lower = literal.toLowerCase();
    return { kind: 'one', matches: (other) => other.toLowerCase() === lower };
  }

  private group(operator: string): Piece | null {
    const alternatives: Pattern[] = [];
    this.at += 1;
    do {
      this.at += 1;
      const alternative = this.sequence(true);
      if (alternative === null || this.isAtEnd) return null;
      alternatives.push(alternative);
    } while (this.text[this.at] === '|');
    this.at += 1;
    return { kind: 'group', operator, alternatives };
  }

  /** `[a-z]`, `[!a[:digit:]]`. Null if shells or locales differ on its meaning. */
  private bracket(): Piece | null {
    const match = /^\[([!^]?)((?:\[:[a-z]+:\]|[\w ./,:;@%+=~#-])+)\]/.exec(this.text.slice(this.at));
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
      } else members += one.replace(/[^\w]/, '\\$&');
    }
    this.at += match[0].length;
    const set = new RegExp(`^[${match[1] === '' ? '' : '^'}${members}]$`, this.options.ignoresCase ? 'is' : 's');
    return { kind: 'one', matches: (char) => set.test(char) };
  }
}

/** Most positions of one text that are compared with a pattern. Beyond it, the matches are not certain. */
const MAX_STEPS = 300_000;

/** All matches of a pattern in a text, by their ends. */
class Matches {
  private left = MAX_STEPS;

  constructor(
    private readonly pattern: Pattern,
    private readonly text: string,
  ) {}

  get areCertain(): boolean {
    return this.left >= 0;
  }

  /** The ends of the matches that start at this position. */
  from(start: number): readonly number[] {
    return [...this.ends(this.pattern, new Set([start]))];
  }

  private ends(pattern: Pattern, starts: ReadonlySet<number>): ReadonlySet<number> {
    return pattern.reduce((from, piece) => this.endsOf(piece, from), starts);
  }

  private endsOf(piece: Piece, starts: ReadonlySet<number>): ReadonlySet<number> {
    const ends = new Set<number>();
    if (starts.size === 0) return ends;
    const addFrom = (start: number, unless?: ReadonlySet<number>) => {
      this.left -= this.text.length;
      for (let at = start; this.areCertain && at <= this.text.length; at++) if (!unless?.has(at)) ends.add(at);
    };
    this.left -= starts.size;
    if (!this.areCertain) return ends;
    if (piece.kind === 'any') addFrom(Math.min(...starts));
    else if (piece.kind === 'one') {
      for (const at of starts) if (at < this.text.length && piece.matches(this.text[at]!)) ends.add(at + 1);
    } else {
      const { operator, alternatives } = piece;
      const once = (from: ReadonlySet<number>) => new Set(alternatives.flatMap((one) => [...this.ends(one, from)]));
      if (operator === '!') for (const start of starts) addFrom(start, once(new Set([start])));
      else {
        if (operator === '?' || operator === '*') for (const start of starts) ends.add(start);
        let reached: ReadonlySet<number> = starts;
        do {
          reached = new Set([...once(reached)].filter((at) => !ends.has(at)));
          for (const at of reached) ends.add(at);
        } while ((operator === '+' || operator === '*') && reached.size > 0);
      }
    }
    return ends;
  }
}

/** `${text#pattern}` and the related operators. For an unknown pattern, all possible results. */
export function removeMatch(
  text: string,
  pattern: Pattern | null,
  operator: '#' | '##' | '%' | '%%',
): string | readonly string[] | null {
  if (text.length > MAX_TEXT) return null;
  const isFront = operator.startsWith('#');
  const isLong = operator.length === 2;
  const positions = Array.from({ length: text.length + 1 }, (_, at) => at);
  const rest = (at: number): string => (isFront ? text.slice(at) : text.slice(0, at));
  if (pattern === null) return positions.map(rest);
  const matches = new Matches(pattern, text);
  const found = isFront ? matches.from(0) : positions.filter((at) => matches.from(at).includes(text.length));
  if (!matches.areCertain) return positions.map(rest);
  if (found.length === 0) return text;
  return rest(isFront === isLong ? Math.max(...found) : Math.min(...found));
}

/** `${text/pattern/replacement}` and the related operators. */
export function replaceMatch(
  text: string,
  pattern: Pattern,
  replacement: (match: string) => string,
  operator: '/' | '//' | '/#' | '/%',
): string | null {
  if (text.length > MAX_TEXT) return null;
  const isEmptyMatch = new Matches(pattern, '').from(0).length > 0;
  if (text === '') return isEmptyMatch ? null : text;
  const matches = new Matches(pattern, text);
  let out = '';
  for (let from = 0; from < text.length; ) {
    const ends = matches.from(from);
    if (!matches.areCertain) return null;
    const end = operator === '/%' ? (ends.includes(text.length) ? text.length : -1) : Math.max(-1, ...ends);
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
  return operator === '/%' && isEmptyMatch ? out + replacement('') : out;
}

/** `${text^pattern}` and the related operators, for letters with the same case mapping in every locale. */
export function changeCase(text: string, pattern: Pattern | null, operator: '^' | '^^' | ',' | ',,'): string | null {
  if (!isAscii(text)) return null;
  const change = (char: string) => {
    if (pattern !== null && !new Matches(pattern, char).from(0).includes(1)) return char;
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
