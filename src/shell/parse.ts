// The interface to the parser: checks of the text before parsing, and parsing with visible errors.
import { parse, type Script } from 'unbash';

export type { Script };

/**
 * A longer text always requires approval, because the client itself prompts above this length. Its commands are still analyzed.
 */
export const MAX_CHARACTERS = 10_000;

/** Longer texts are not parsed, because no shell accepts them as one argument. */
const MAX_PARSED = 131_072;

/** Deeper nesting is not followed (substitutions, `sh -c` in `sh -c`, functions that call functions). */
export const MAX_DEPTH = 40;

// Characters that are neither visible nor plain white space: controls, formats (zero width, bidi), surrogates, private use,
// unassigned, unusual blanks, variation selectors, invisible fillers and joiners.
export const FORBIDDEN =
  /(?![\t\n ])[\p{C}\p{Z}\u{115f}\u{1160}\u{2800}\u{3164}\u{ffa0}]|\p{Variation_Selector}|\u{34f}|\u{17b4}|\u{17b5}/u;

// True for nearly every command, and much cheaper to test.
const PLAIN = /^[\t\n\u0020-\u007e]*$/;

/**
 * A text with more substitutions or braces is not analyzed. Each may be nested in the one before it, and is then parsed once per
 * level.
 */
const MAX_SUBSTITUTIONS = 200;
const MAX_BRACES = 1_200;
const SUBSTITUTION = /[$<>]\(|\$\{|`/g;
/** A text up to this number of characters is fast to analyze with any content. */
const FEW = 800;

export interface TextProblem {
  text: string;
  /** The text to parse in spite of the problem. Null: it cannot be parsed. */
  parsed: string | null;
  pos: number;
  end: number;
}

/** Returns the reason why a text must not be parsed, or null if it may be parsed. */
export function checkText(text: string): TextProblem | null {
  if (text.length > MAX_CHARACTERS) {
    const isParsed = text.length <= MAX_PARSED && countBlocks(text, text.length / MAX_CHARACTERS) === null && PLAIN.test(text);
    return { text: `longer than ${MAX_CHARACTERS} characters`, parsed: isParsed ? text : null, pos: 0, end: text.length };
  }
  const match = PLAIN.test(text) ? null : FORBIDDEN.exec(text);
  if (match) {
    const code = text.charCodeAt(match.index).toString(16).padStart(4, '0');
    return {
      text: `contains a control or invisible character (U+${code})`,
      parsed: null,
      pos: match.index,
      end: match.index + match[0].length,
    };
  }
  const blocks = countBlocks(text, 1);
  if (blocks !== null) return blocks;
  // Bash drops a lone backslash at the end of an `eval` text, and the parser keeps it.
  let end = text.length;
  while (text[end - 1] === '\\') end--;
  if ((text.length - end) % 2 === 1)
    return { text: 'ends in a lone backslash', parsed: text.slice(0, -1), pos: text.length - 1, end: text.length };
  return null;
}

/** Checks for too many substitutions and braces. `times`: factor on the limit for a short text. */
function countBlocks(text: string, times: number): TextProblem | null {
  if (text.length <= FEW) return null;
  const substitutions = text.match(SUBSTITUTION)?.length ?? 0;
  if (substitutions <= MAX_SUBSTITUTIONS * times && text.split('{').length <= MAX_BRACES * times) return null;
  return { text: 'contains more substitutions or braces than Modes analyzes', parsed: null, pos: 0, end: text.length };
}

/** Parses a text that passed `checkText`. Errors of nested scripts appear only when the walk reaches them. */
export function parseScript(text: string): Script {
  return parse(text);
}

/** The first error of one script node, or null if it has no error. */
export function scriptError(script: Script): string | null {
  const errors = (script as { errors?: readonly { message: string }[] }).errors;
  return errors?.length ? errors[0]!.message : null;
}
