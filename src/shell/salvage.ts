// Possible simple commands of a text that cannot be followed as a whole. The text is cut at everything that may separate
// commands, without regard to its structure.

/** Words that come before a command. */
const LEADING = /^(?:(?:if|then|elif|else|while|until|do|time|!|\{|\(|coproc|case\s+\S+\s+in)(?=\s|$)|\)|\d*$)\s*/;

const SEPARATOR = /[\n;&|(){}`]/;

/**
 * Pieces of the text that may be simple commands, without duplicates. In a rejected text, quotes and here-documents may begin at
 * other places than it seems. So the text is cut in three ways: outside of quotes, everywhere, and also at the quotes.
 */
export function piecesOf(text: string): string[] {
  const found = new Set<string>();
  const add = (piece: string): void => {
    let rest = piece.trim();
    for (let before = ''; before !== rest; ) {
      before = rest;
      rest = rest.replace(LEADING, '').trim();
    }
    if (rest !== '') found.add(rest);
  };
  const plain = text.replace(/\\\n/g, '');
  for (const piece of outsideQuotes(plain)) add(piece);
  const unescaped = plain.replaceAll('\\', '');
  for (const piece of unescaped.split(/[\n;&|(){}`]+/)) {
    add(piece.replace(/\$?["']/g, ''));
    for (const inner of piece.split(/\$?["']/)) add(inner);
  }
  return [...found];
}

function outsideQuotes(text: string): string[] {
  const pieces: string[] = [];
  let quote: string | null = null;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === '\\' && quote !== "'") at++;
    else if (quote !== null) {
      if (char === quote) quote = null;
    } else if (char === '"' || char === "'") quote = char;
    else if (SEPARATOR.test(char)) {
      // A redirection such as >& or &> continues.
      const goesOn = char === '&' && (/[<>]/.test(text[at - 1] ?? '') || text[at + 1] === '>');
      if (goesOn || (char === '|' && text[at - 1] === '>')) continue;
      pieces.push(text.slice(from, at));
      from = at + 1;
    }
  }
  pieces.push(text.slice(from));
  return pieces;
}

/**
 * The text without the forbidden characters, and the text with a blank in place of each: some shells drop them, and none splits
 * words at them.
 */
export function withoutForbidden(text: string, forbidden: RegExp): string[] {
  const all = new RegExp(forbidden.source, `g${forbidden.flags.replace('g', '')}`);
  return [...new Set([text.replace(all, ''), text.replace(all, ' ')])];
}
