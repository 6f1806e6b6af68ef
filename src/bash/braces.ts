// Brace expansion of simple words.

const SIMPLE_BRACES = /^[A-Za-z0-9_./,+=:@%{}-]*$/;
const MAX_BRACES = 64;

/** What a word that braces make counts for, beside its characters. */
export const BRACED = 12;

/** Brace expansion of simple text, as Bash does it first of all; null when it is not certain. */
export function expandBraces(text: string): string[] | null {
  const open = text.indexOf('{');
  if (open < 0) return [text];
  if (!SIMPLE_BRACES.test(text)) return null;
  let depth = 0;
  let close = -1;
  const commas: number[] = [];
  for (let i = open; i < text.length; i++) {
    if (text[i] === '{') depth++;
    else if (text[i] === '}' && --depth === 0) {
      close = i;
      break;
    } else if (text[i] === ',' && depth === 1) commas.push(i);
  }
  if (close < 0) return null;
  const body = text.slice(open + 1, close);
  let items: string[];
  if (commas.length > 0) {
    items = [];
    let from = open + 1;
    for (const c of [...commas, close]) {
      const inner = expandBraces(text.slice(from, c));
      if (!inner) return null;
      items.push(...inner);
      from = c + 1;
    }
  } else {
    const m = /^(-?\d{1,6})\.\.(-?\d{1,6})$/.exec(body);
    if (!m || /^-?0\d/.test(m[1]!) || /^-?0\d/.test(m[2]!)) return null;
    const a = Number(m[1]);
    const b = Number(m[2]);
    if (Math.abs(a - b) >= MAX_BRACES) return null;
    items = Array.from({ length: Math.abs(a - b) + 1 }, (_, i) => String(a < b ? a + i : a - i));
  }
  const rest = expandBraces(text.slice(close + 1));
  if (!rest) return null;
  const prefix = text.slice(0, open);
  if (items.length * rest.length > MAX_BRACES) return null;
  return items.flatMap((x) => rest.map((y) => prefix + x + y));
}
