// The only file that knows the parser by name: pre-checks of the text, and parsing with every error made visible.
import { parse, type Script } from 'unbash';

export type { Script };

/** Longer texts always ask, as the client itself prompts above this length. What is in them is judged all the same. */
export const MAX_CHARACTERS = 10_000;

/** Longer texts are not parsed: no shell takes them as one argument. */
const MAX_PARSED = 131_072;

/** Nesting deeper than this (substitutions, `sh -c` in `sh -c`, functions calling functions) is not followed. */
export const MAX_DEPTH = 40;

// Everything that is neither printed nor plain white space: controls, formats (zero width, bidi), surrogates, private use, unassigned,
// strange blanks, variation selectors, fillers and joiners that show nothing.
export const FORBIDDEN =
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
  /** The text as it can be parsed all the same; null: not at all. */
  parsed: string | null;
  pos: number;
  end: number;
}

/** Says why a text must not even be parsed; null when it may be. */
export function checkText(text: string): TextProblem | null {
  if (text.length > MAX_CHARACTERS) {
    const isParsed = text.length <= MAX_PARSED && countBlocks(text, text.length / MAX_CHARACTERS) === null && PLAIN.test(text);
    return { text: `longer than ${MAX_CHARACTERS} characters`, parsed: isParsed ? text : null, pos: 0, end: text.length };
  }
  const found = PLAIN.test(text) ? null : FORBIDDEN.exec(text);
  if (found) {
    const code = text.charCodeAt(found.index).toString(16).padStart(4, '0');
    return {
      text: `holds a control or invisible character (U+${code})`,
      parsed: null,
      pos: found.index,
      end: found.index + found[0].length,
    };
  }
  const blocks = countBlocks(text, 1);
  if (blocks !== null) return blocks;
  // Bash drops a lone backslash at the end of `eval` text, the parser keeps it.
  let end = text.length;
  while (text[end - 1] === '\\') end--;
  if ((text.length - end) % 2 === 1)
    return { text: 'ends in a lone backslash', parsed: text.slice(0, -1), pos: text.length - 1, end: text.length };
  return null;
}

/** More substitutions and braces than are looked at, so many times what a short text may hold. */
function countBlocks(text: string, times: number): TextProblem | null {
  if (text.length <= FEW) return null;
  const substitutions = text.match(SUBSTITUTION)?.length ?? 0;
  if (substitutions <= MAX_SUBSTITUTIONS * times && text.split('{').length <= MAX_BRACES * times) return null;
  return { text: 'holds more substitutions or braces than are looked at', parsed: null, pos: 0, end: text.length };
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
