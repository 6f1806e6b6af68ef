// sprintf as in OPA and Go: %s %d %v %q and %%, each with a width, `-` to fill on the right, and `0` before %d. Other verbs are
// errors, since an almost correct text is worse than none. Plain JavaScript, for the worker.
import { isNumber, printTerm, quoteCharacter, quoteText } from './terms.mjs';

/** @typedef {import('./terms.mjs').Term} Term */
/** @typedef {{ left: boolean, zero: boolean, width: number }} Layout */
/** @typedef {{ type: 'string', text: string } | { type: 'int64' | '*big.Int', digits: string } | { type: 'float64', value: number }} Argument */

/** Flags, width and verb. Without a verb, the text ends there. */
const DIRECTIVE = /%([-0]*)(\d*)(.?)/gsu;
const VERBS = 'sdvq%';
const MAX_WIDTH_DIGITS = 4;
const MAX_INT = 2n ** 63n;
const LAST_RUNE = 0x10ffffn;

/**
 * The unsupported part of a format, as written; null if it is supported.
 * @param {string} format
 * @returns {string | null}
 */
export function unsupportedVerb(format) {
  for (const [whole, flags = '', width = '', verb = ''] of format.matchAll(DIRECTIVE)) {
    const isZeroed = flags.includes('0') && verb !== '' && !'d%'.includes(verb);
    if (isZeroed || !VERBS.includes(verb) || width.length > MAX_WIDTH_DIGITS) return whole;
  }
  return null;
}

/**
 * @param {string} format
 * @param {Term[]} terms
 * @returns {string}
 * @throws {Error} for an unsupported verb
 */
export function sprintf(format, terms) {
  const unsupported = unsupportedVerb(format);
  if (unsupported !== null) throw new Error(`sprintf does not support ${JSON.stringify(unsupported)} here: ${SUPPORTED}`);
  const given = terms.map(argumentOf);
  let next = 0;
  const text = format.replace(DIRECTIVE, (_, flags, width, verb) => {
    if (verb === '') return '%!(NOVERB)';
    if (verb === '%') return '%';
    const argument = given[next++];
    if (argument === undefined) return `%!${verb}(MISSING)`;
    const left = flags.includes('-');
    return print(argument, verb, { left, zero: flags.includes('0') && !left, width: Number(width) });
  });
  const extra = given.slice(next).map((argument) => describe(argument, { left: false, zero: false, width: 0 }));
  return extra.length === 0 ? text : `${text}%!(EXTRA ${extra.join(', ')})`;
}

export const SUPPORTED = 'there are %s, %d, %v, %q and %%, with a width such as %-8s or %02d';

/** @param {Term} term @returns {Argument} */
function argumentOf(term) {
  if (typeof term === 'string') return { type: 'string', text: term };
  if (!isNumber(term)) return { type: 'string', text: printTerm(term) };
  if (/[.eE]/.test(term.number)) {
    const value = Number(term.number);
    return Number.isFinite(value) ? { type: 'float64', value } : { type: 'string', text: term.number };
  }
  const whole = BigInt(term.number);
  return { type: whole >= -MAX_INT && whole < MAX_INT ? 'int64' : '*big.Int', digits: String(whole) };
}

/** @param {Argument} argument @param {string} verb @param {Layout} layout @returns {string} */
function print(argument, verb, layout) {
  switch (argument.type) {
    case 'string':
      if (verb === 'd') return wrong(argument, verb, layout);
      return fill(verb === 'q' ? quoteText(argument.text) : argument.text, layout);
    case 'float64':
      return verb === 'v' ? fillNumber(printFloat(argument.value), layout) : wrong(argument, verb, layout);
    case 'int64':
      if (verb === 'q') return fill(quoteRune(BigInt(argument.digits)), layout);
      return verb === 's' ? wrong(argument, verb, layout) : fillNumber(argument.digits, layout);
    case '*big.Int':
      return verb === 'q' ? `%!q(big.Int=${argument.digits})` : fillNumber(argument.digits, layout);
  }
}

/** @param {Argument} argument @param {string} verb @param {Layout} layout */
const wrong = (argument, verb, layout) => `%!${verb}(${describe(argument, layout)})`;

/** @param {Argument} argument @param {Layout} layout */
const describe = (argument, layout) => `${argument.type}=${print(argument, 'v', layout)}`;

/** @param {string} text @param {Layout} layout */
function fill(text, { left, zero, width }) {
  const missing = Math.max(0, width - [...text].length);
  if (left) return text + ' '.repeat(missing);
  return (zero ? '0' : ' ').repeat(missing) + text;
}

/** Zeros come after the sign. @param {string} text @param {Layout} layout */
function fillNumber(text, layout) {
  if (!layout.zero || !text.startsWith('-')) return fill(text, layout);
  return `-${fill(text.slice(1), { ...layout, width: layout.width - 1 })}`;
}

/**
 * The fewest digits that identify the number, with an exponent if that is shorter.
 * @param {number} value
 */
function printFloat(value) {
  const [mantissa = '', exponent = ''] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power < -4 || power >= 6) return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
  const digits = mantissa.replace(/[-.]/g, '');
  const sign = mantissa.startsWith('-') || Object.is(value, -0) ? '-' : '';
  if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${digits}`;
  if (digits.length <= power + 1) return sign + digits.padEnd(power + 1, '0');
  return `${sign}${digits.slice(0, power + 1)}.${digits.slice(power + 1)}`;
}

/** @param {bigint} code */
function quoteRune(code) {
  const isRune = code >= 0n && code <= LAST_RUNE && !(code >= 0xd800n && code < 0xe000n);
  return `'${quoteCharacter(isRune ? String.fromCodePoint(Number(code)) : '\ufffd', "'")}'`;
}
