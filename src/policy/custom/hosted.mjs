// OPA functions for which the evaluator's own version stops it or gives another result than OPA. These versions behave as in OPA,
// and the compiler sends the calls to the host. An argument of the wrong type makes a call undefined. Plain JavaScript, for the
// worker.
import { compareTerms, isNumber, isObject, isSet } from './terms.mjs';

/** @typedef {import('./terms.mjs').Term} Term */

/** Prefix of their names in a compiled policy. */
export const HOST_PREFIX = 'host.';

/** @type {Readonly<Record<string, (args: Term[]) => Term | undefined>>} */
export const HOSTED = {
  // The evaluator's own stops at numbers of more than 32 bits.
  format_int: ([number, base]) => {
    const radix = base !== undefined && isNumber(base) ? Number(base.number) : 0;
    if (number === undefined || !isNumber(number) || ![2, 8, 10, 16].includes(radix)) return undefined;
    return truncate(number.number).toString(radix);
  },
  // The evaluator's own finds '' everywhere.
  indexof: ([text, part]) => {
    if (typeof text !== 'string' || typeof part !== 'string' || part === '') return undefined;
    const at = text.indexOf(part);
    return { number: String(at === -1 ? -1 : [...text.slice(0, at)].length) };
  },
  // The evaluator's own joins a set in any order.
  concat: ([delimiter, given]) => {
    const texts = Array.isArray(given) ? given : given !== undefined && isSet(given) ? given.set : null;
    if (typeof delimiter !== 'string' || texts === null || !texts.every((text) => typeof text === 'string')) return undefined;
    return texts.join(delimiter);
  },
  // The evaluator's own searches for '' without end.
  replace: ([text, old, by]) =>
    typeof text === 'string' && typeof old === 'string' && typeof by === 'string'
      ? old === ''
        ? [...text, ''].map((letter) => by + letter).join('')
        : text.replaceAll(old, () => by)
      : undefined,
  // The evaluator's own has no value for an empty list.
  'object.union_n': ([objects]) => {
    if (!Array.isArray(objects) || !objects.every(isObject)) return undefined;
    return objects.reduce((one, other) => merge(one, other), { object: [] });
  },
  // The evaluator's own stops at a distance of more than 53 bits.
  'bits.rsh': ([number, by]) =>
    shift(number, by, (whole, distance) => (distance > MOST_BITS ? (whole < 0n ? -1n : 0n) : whole >> distance)),
  'bits.lsh': ([number, by]) => shift(number, by, (whole, distance) => (distance > MOST_BITS ? undefined : whole << distance)),
};

/** The functions by their names in a compiled policy. `divisor` is the right side of a division: undefined for 0. */
export const OF_HOST = Object.fromEntries([
  ...Object.entries(HOSTED).map(([name, of]) => [`${HOST_PREFIX}${name}`, of]),
  [
    `${HOST_PREFIX}divisor`,
    (/** @type {Term[]} */ [number]) =>
      number !== undefined && isNumber(number) && !/[1-9]/.test(mantissaOf(number.number)) ? undefined : number,
  ],
]);

/** Longer numbers are not supported. */
const MOST_BITS = 65_536n;
/** Precision that OPA keeps for a number that is not written as an integer. */
const MANTISSA_BITS = 64;

/** @param {string} number */
const mantissaOf = (number) => number.split(/[eE]/)[0] ?? '';

/**
 * A number as a fraction.
 * @param {string} number
 * @returns {[numerator: bigint, denominator: bigint]}
 */
function fractionOf(number) {
  const [mantissa = '', exponent = '0'] = number.split(/[eE]/);
  const [whole = '', part = ''] = mantissa.split('.');
  const power = Number(exponent) - part.length;
  const digits = BigInt(whole + part);
  return power < 0 ? [digits, 10n ** BigInt(-power)] : [digits * 10n ** BigInt(power), 1n];
}

/**
 * Rounds towards zero. A number with a point or an exponent is first reduced to 64 bits.
 * @param {string} number
 */
function truncate(number) {
  if (/^-?\d+$/.test(number)) return BigInt(number);
  const [numerator, denominator] = fractionOf(number);
  const sign = numerator < 0n ? -1n : 1n;
  const size = numerator * sign;
  if (size === 0n) return 0n;
  const scale = MANTISSA_BITS - (size.toString(2).length - denominator.toString(2).length);
  const [above, below] = scale > 0 ? [size << BigInt(scale), denominator] : [size, denominator << BigInt(-scale)];
  const kept = roundEven(above, below, (above / below) >> BigInt(MANTISSA_BITS) === 0n ? 1n : 2n);
  return sign * (scale > 0 ? kept >> BigInt(scale) : kept << BigInt(-scale));
}

/**
 * Rounds to the nearest multiple of `unit`; if two are equally near, to the even one.
 * @param {bigint} above
 * @param {bigint} below
 * @param {bigint} unit
 */
function roundEven(above, below, unit) {
  const step = below * unit;
  const [down, rest] = [above / step, (above % step) * 2n];
  const up = rest > step || (rest === step && down % 2n === 1n);
  return (down + (up ? 1n : 0n)) * unit;
}

/**
 * @param {Term | undefined} number @param {Term | undefined} by @param {(whole: bigint, distance: bigint) => bigint | undefined} shifted
 * @returns {Term | undefined}
 */
function shift(number, by, shifted) {
  const [whole, distance] = [integerOf(number), integerOf(by)];
  if (whole === null || distance === null || distance < 0n) return undefined;
  const value = shifted(whole, distance);
  return value === undefined ? undefined : { number: String(value) };
}

/**
 * @param {Term | undefined} term
 * @returns {bigint | null} null if it is not a whole number
 */
function integerOf(term) {
  if (term === undefined || !isNumber(term)) return null;
  const [numerator, denominator] = fractionOf(term.number);
  return numerator % denominator === 0n ? numerator / denominator : null;
}

/**
 * @param {{ object: [Term, Term][] }} one
 * @param {{ object: [Term, Term][] }} other counts if both have a key
 * @returns {{ object: [Term, Term][] }}
 */
function merge(one, other) {
  const isIn = (/** @type {Term} */ key, /** @type {[Term, Term][]} */ pairs) =>
    pairs.find(([name]) => compareTerms(name, key) === 0)?.[1];
  /** @type {[Term, Term][]} */
  const own = one.object.map(([key, value]) => {
    const newer = isIn(key, other.object);
    return [key, newer === undefined ? value : isObject(value) && isObject(newer) ? merge(value, newer) : newer];
  });
  return { object: [...own, ...other.object.filter(([key]) => isIn(key, one.object) === undefined)] };
}
