// Syntax in words that zsh interprets and that is plain text in Bash.
import type { WordPart } from 'unbash';
import type { ShellState } from './state.ts';

interface Host {
  fault(text: string, pos: number, end: number): void;
}

/** `$=x` splits, `$~x` globs, and `$+x[y]` evaluates a subscript in zsh. In Bash they are plain text. */
export const ZSH_DOLLAR = /(?:^|[^\\])\$(?:[=~^]|\+[A-Za-z_])/;

const SUBSCRIPT = /((?:\[[^\]]*\])+)/y;
const OF_LENGTH = /\w*((?:\[[^\]]*\])+)/y;

/** In zsh, `$x[y]` and `$#x[y]` have subscripts, and their text is evaluated as arithmetic. */
export function checkSubscripts(parts: readonly WordPart[], state: ShellState, host: Host): void {
  if (parts.length < 2) return;
  const text = parts.map((p) => p.text).join('');
  let at = 0;
  for (let i = 0; i + 1 < parts.length; i++) {
    const part = parts[i]!;
    at += part.text.length;
    if (part.type !== 'SimpleExpansion') continue;
    const pattern = part.text === '$#' ? OF_LENGTH : SUBSCRIPT;
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[1];
    if (found === undefined) continue;
    const names = found.match(/[A-Za-z_]\w*/g) ?? [];
    if (/[$`(\\]/.test(found) || names.some((n) => state.has(n) && !state.get(n).int))
      host.fault('zsh evaluates the text after it as a subscript', part.pos, parts[i + 1]!.end);
  }
}
