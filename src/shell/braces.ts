// Brace expansion. Bash performs it first, on the text of a word, before any other expansion of its parts.

/** Maximum number of words from one word. If there are more, only the text around the braces is known. */
const MAX_BRACES = 1_024;

/** Cost of a word from a brace expansion in addition to its characters. */
export const BRACED = 12;

const TOO_MANY = 'too many';

/** The words before any other expansion. Null if the words are too many or not certain. */
export function expandBraces(text: string): string[] | null {
  if (!text.includes('{')) return [text];
  const words = expand(text);
  return words === TOO_MANY ? null : words;
}

function expand(text: string): string[] | typeof TOO_MANY {
  for (let from = 0; ; ) {
    const open = find(text, from, '{');
    if (open < 0) return [text];
    const close = find(text, open + 1, '}');
    if (close < 0) {
      from = open + 1;
      continue;
    }
    const words = inside(text.slice(open + 1, close)) ?? [text.slice(open, close + 1)];
    const rest = words === TOO_MANY ? TOO_MANY : expand(text.slice(close + 1));
    if (words === TOO_MANY || rest === TOO_MANY || words.length * rest.length > MAX_BRACES) return TOO_MANY;
    const before = text.slice(0, open);
    return words.flatMap((word) => rest.map((after) => before + word + after));
  }
}

/** The words between two braces, or null if the braces are plain text. */
function inside(body: string): string[] | null | typeof TOO_MANY {
  if (!/(?:^|[^\\])(?:\\\\)*,/.test(body)) return sequence(body);
  const words: string[] = [];
  for (let from = 0; from <= body.length; ) {
    const comma = find(body, from, ',');
    const end = comma < 0 ? body.length : comma;
    const inner = expand(body.slice(from, end));
    if (inner === TOO_MANY || words.length + inner.length > MAX_BRACES) return TOO_MANY;
    words.push(...inner);
    from = end + 1;
  }
  return words;
}

/**
 * Index of a character that Bash reads as an opening brace, a closing brace, or a comma, at the level of the start of the search.
 * -1 if there is no such character. A brace closes nothing before a comma or `..`.
 */
function find(text: string, from: number, wanted: '{' | '}' | ','): number {
  let level = 0;
  let hasItems = wanted !== '}';
  for (let at = from; at < text.length; ) {
    const char = text[at]!;
    if (char === '$' && text[at + 1] === '{') {
      level++;
      at += 2;
      continue;
    }
    const end = pass(text, at);
    if (end > at + 1) {
      at = end;
      continue;
    }
    // An empty pair of braces is a separate word.
    const isEmpty = char === '{' && at === 0 && text[at + 1] === '}';
    if (char === wanted && level === 0 && hasItems && !isEmpty) return at;
    if (isEmpty && wanted === '{') {
      at++;
      continue;
    }
    if (char === '{') level++;
    else if (char === '}' && level > 0) level--;
    else if (wanted === '}' && level === 0 && (char === ',' || (char === '.' && text[at + 1] === '.' && text[at + 2] !== '}')))
      hasItems = true;
    at++;
  }
  return -1;
}

const NUMBERS = /^([-+]?\d{1,9})\.\.([-+]?\d{1,9})(?:\.\.([-+]?\d{1,9}))?$/;
const LETTERS = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.([-+]?\d{1,9}))?$/;
const MAY_BE_SEQUENCE = /^[^.'"\\$`{}]+\.\.[^'"\\$`{}]+$/;

/** `1..5`, `a..e..2`. Null if it is plain text. */
function sequence(body: string): string[] | null | typeof TOO_MANY {
  const numbers = NUMBERS.exec(body);
  const letters = numbers === null ? LETTERS.exec(body) : null;
  const match = numbers ?? letters;
  if (match === null) return MAY_BE_SEQUENCE.test(body) && /^[-+]?\d{10}|\.\.[-+]?\d{10}/.test(body) ? TOO_MANY : null;
  const [, first, last, by] = match as unknown as [string, string, string, string | undefined];
  const placeOf = (one: string) => (numbers === null ? one.charCodeAt(0) : Number(one));
  const [from, to] = [placeOf(first), placeOf(last)];
  // Between upper case and lower case, the range contains characters that quote.
  if (letters !== null && from < 97 !== to < 97) return TOO_MANY;
  const step = Math.abs(Number(by ?? 1)) || 1;
  const count = Math.floor(Math.abs(to - from) / step) + 1;
  if (count > MAX_BRACES) return TOO_MANY;
  const isPadded = [first, last].some((one) => /^[-+]?0\d/.test(one));
  const width = isPadded ? Math.max(first.length, last.length) : 0;
  return Array.from({ length: count }, (_, i) => {
    const value = from + (to < from ? -i : i) * step;
    if (numbers === null) return String.fromCharCode(value);
    return value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0');
  });
}

/** The end of the element that begins here: a quoted text, an expansion, or one character. */
function pass(text: string, at: number): number {
  const next = text[at + 1];
  switch (text[at]) {
    case '\\':
      return at + 2;
    case "'":
      return closing(text, at + 1, "'", false);
    case '"':
      return closing(text, at + 1, '"', true);
    case '`':
      return closing(text, at + 1, '`', false);
    case '$':
      if (next === '(') return closing(text, at + 2, ')', true);
      if (next === "'") return quotedEnd(text, at + 2);
      return at + 1;
    case '<':
    case '>':
      return next === '(' ? closing(text, at + 2, ')', true) : at + 1;
    default:
      return at + 1;
  }
}

/** Index after the closing quote of a text that allows backslash escapes. */
function quotedEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== "'") at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function closing(text: string, from: number, end: string, isNested: boolean): number {
  let at = from;
  while (at < text.length && text[at] !== end) {
    if (!isNested) at += text[at] === '\\' && end === '`' ? 2 : 1;
    else if (end === '"' && text[at] === "'") at++;
    else if (end === ')' && text[at] === '(') at = closing(text, at + 1, ')', true);
    else at = pass(text, at);
  }
  return at + 1;
}
