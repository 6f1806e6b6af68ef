// Text patterns of checks.

/** Whether a text contains a pattern in which `*` matches any text. Runs in linear time. */
export function holdsText(text: string, pattern: string): boolean {
  let at = 0;
  for (const piece of pattern.split('*')) {
    const found = text.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return true;
}
