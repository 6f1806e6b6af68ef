// Escape sequences in the words of echo and printf, and in `$'…'`.

const NAMED: Record<string, string> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  v: '\v',
};

/** A backslash and the escape sequence after it, as one group. */
export const ESCAPE = String.raw`\\([ntrabeEfv\\"'?]|[0-7]{1,3}|x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8})`;
const ESCAPES = new RegExp(ESCAPE, 'g');
/** In the words of echo and in values of `%b`, an octal number has a leading zero of its own. */
const ECHOED = new RegExp(String.raw`\\0([0-7]{1,3})|${ESCAPE}`, 'g');

/** The character of an escape sequence without its backslash. */
export function escaped(mark: string): string {
  if (/^[xuU]./.test(mark)) return character(Number.parseInt(mark.slice(1), 16));
  return /^\d/.test(mark) ? octal(mark) : (NAMED[mark] ?? mark);
}

/** The text between the quotes of `$'…'`. */
export const unescaped = (text: string): string => text.replaceAll(ESCAPES, (_, mark: string) => escaped(mark));

/** The text as `echo -e` and `printf %b` print it. */
export const echoed = (text: string): string =>
  text.replaceAll(ECHOED, (_, digits: string | undefined, mark: string) =>
    digits === undefined ? escaped(mark) : octal(digits),
  );

const octal = (digits: string): string => character(Number.parseInt(digits, 8) & 255);
const character = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '');
