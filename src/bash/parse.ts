// The only file that knows the parser by name: pre-checks of the text, and parsing with every error made visible.
import { parse, type Script } from 'unbash';

export type { Script };

/** Longer texts are not analysed; the client itself always prompts above this length. */
export const MAX_CHARACTERS = 10_000;

/** Nesting deeper than this (substitutions, `sh -c` in `sh -c`, functions calling functions) is not followed. */
export const MAX_DEPTH = 40;

// Everything that is neither printed nor plain white space: controls, formats (zero width, bidi), surrogates, private use, unassigned,
// strange blanks, variation selectors, fillers and joiners that show nothing.
const FORBIDDEN =
  /(?![\t\n ])[\p{C}\p{Z}\u{115f}\u{1160}\u{2800}\u{3164}\u{ffa0}]|\p{Variation_Selector}|\u{34f}|\u{17b4}|\u{17b5}/u;

// Nearly every command; far cheaper to test.
const PLAIN = /^[\t\n\u0020-\u007e]*$/;

/** More substitutions than this, or more braces, are not analysed: each may lie in the one before it, and is then read once for each. */
const MAX_SUBSTITUTIONS = 200;
const MAX_BRACES = 1_200;
const SUBSTITUTION = /[$<>]\(|\$\{|`/g;
/** Characters up to which a text is quick to analyse whatever it holds. */
const FEW = 800;

export interface TextProblem {
  text: string;
  pos: number;
  end: number;
}

/** Says why a text must not even be parsed; null when it may be. */
export function checkText(text: string): TextProblem | null {
  if (text.length > MAX_CHARACTERS) {
    return { text: `longer than ${MAX_CHARACTERS} characters`, pos: 0, end: text.length };
  }
  const found = PLAIN.test(text) ? null : FORBIDDEN.exec(text);
  if (found) {
    const code = text.charCodeAt(found.index).toString(16).padStart(4, '0');
    return { text: `holds a control or invisible character (U+${code})`, pos: found.index, end: found.index + found[0].length };
  }
  if (text.length > FEW) {
    const substitutions = text.match(SUBSTITUTION)?.length ?? 0;
    if (substitutions > MAX_SUBSTITUTIONS || text.split('{').length > MAX_BRACES)
      return { text: 'holds more substitutions or braces than are looked at', pos: 0, end: text.length };
  }
  // Bash drops a lone backslash at the end of `eval` text, the parser keeps it.
  let end = text.length;
  while (text[end - 1] === '\\') end--;
  if ((text.length - end) % 2 === 1) return { text: 'ends in a lone backslash', pos: text.length - 1, end: text.length };
  return null;
}

/** Parses a text that passed `checkText`. Errors of nested scripts show only when the walk reaches them. */
export function parseScript(text: string): Script {
  return parse(text);
}

/** The first error of one script node, null when it parsed. */
export function scriptError(script: Script): string | null {
  const errors = (script as { errors?: readonly { message: string }[] }).errors;
  return errors?.length ? errors[0]!.message : null;
}
