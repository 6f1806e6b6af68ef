// Values of Rego outside of the evaluator. They are in Rego's own notation, since JSON would lose sets, keys that are not texts,
// and the spelling of numbers. Plain JavaScript, for the worker.

/**
 * A number is its text; objects and sets are sorted as OPA sorts them.
 * @typedef {null | boolean | string | { number: string } | { object: [Term, Term][] } | { set: Term[] } | TermList} Term
 * @typedef {Term[]} TermList
 */

const KINDS = ['null', 'boolean', 'number', 'string', 'array', 'object', 'set'];

/** @param {Term} term @returns {string} as `type_name` calls it */
export function kindOf(term) {
  if (term === null) return 'null';
  if (Array.isArray(term)) return 'array';
  if (typeof term !== 'object') return typeof term;
  return Object.keys(term)[0] ?? '';
}

/** @param {Term} term @returns {term is { number: string }} */
export const isNumber = (term) => kindOf(term) === 'number';
/** @param {Term} term @returns {term is { object: [Term, Term][] }} */
export const isObject = (term) => kindOf(term) === 'object';
/** @param {Term} term @returns {term is { set: Term[] }} */
export const isSet = (term) => kindOf(term) === 'set';

/**
 * Reads the output of `opa_value_dump`.
 * @param {string} text
 * @returns {Term}
 * @throws {Error} if it is not a value
 */
export function readTerm(text) {
  let at = 0;
  const fail = () => new Error(`not a value of Rego: ${text.slice(at, at + 20)}`);
  /** @param {RegExp} sticky */
  const take = (sticky) => {
    sticky.lastIndex = at;
    const found = sticky.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const space = () => take(/[ \n]*/y);
  /** @param {string} end @param {() => void} item */
  const list = (end, item) => {
    at += 1;
    space();
    while (text[at] !== end) {
      item();
      space();
      if (text[at] === ',') at += 1;
      else if (text[at] !== end) throw fail();
      space();
    }
    at += 1;
  };
  /** @returns {Term} */
  const value = () => {
    if (text[at] === '"') return JSON.parse(take(/"(?:[^"\\]|\\.)*"/sy) ?? '');
    if (text[at] === '[') {
      /** @type {Term[]} */
      const items = [];
      list(']', () => items.push(value()));
      return items;
    }
    if (text[at] === '{') return braces();
    if (take(/set\(\)/y)) return { set: [] };
    const word = take(/null|true|false/y);
    if (word !== undefined) return JSON.parse(word);
    const number = take(/-?[0-9][0-9.eE+-]*/y);
    if (number === undefined) throw fail();
    return { number };
  };
  /** @returns {Term} */
  const braces = () => {
    /** @type {[Term, Term][]} */
    const pairs = [];
    /** @type {Term[]} */
    const members = [];
    list('}', () => {
      const key = value();
      space();
      if (text[at] !== ':') return members.push(key);
      at += 1;
      space();
      return pairs.push([key, value()]);
    });
    if (members.length > 0) return { set: members.sort(compareTerms) };
    return { object: pairs.sort(([a], [b]) => compareTerms(a, b)) };
  };
  const term = value();
  space();
  if (at !== text.length) throw fail();
  return term;
}

/**
 * OPA's order of all values.
 * @param {Term} a @param {Term} b
 * @returns {number}
 */
export function compareTerms(a, b) {
  const [kind, other] = [kindOf(a), kindOf(b)];
  if (kind !== other) return KINDS.indexOf(kind) - KINDS.indexOf(other);
  if (typeof a === 'boolean') return Number(a) - Number(b);
  if (typeof a === 'string') return compareTexts(a, /** @type {string} */ (b));
  if (isNumber(a) && isNumber(b)) return compareNumbers(a.number, b.number);
  if (Array.isArray(a)) return compareLists(a, /** @type {Term[]} */ (b));
  if (isSet(a) && isSet(b)) return compareLists(a.set, b.set);
  if (isObject(a) && isObject(b)) return compareLists(a.object, b.object);
  return 0;
}

/** @param {Term[]} a @param {Term[]} b */
function compareLists(a, b) {
  for (let at = 0; at < a.length && at < b.length; at++) {
    const order = compareTerms(/** @type {Term} */ (a[at]), /** @type {Term} */ (b[at]));
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/**
 * By code point, which is the order of their UTF-8.
 * @param {string} a
 * @param {string} b
 */
function compareTexts(a, b) {
  if (a === b) return 0;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** @param {string} a @param {string} b */
function compareNumbers(a, b) {
  if (/^-?\d+$/.test(a) && /^-?\d+$/.test(b)) {
    const [one, other] = [BigInt(a), BigInt(b)];
    return one < other ? -1 : one > other ? 1 : 0;
  }
  return Number(a) - Number(b);
}

/**
 * Writes the input of `opa_value_parse`.
 * @param {Term} term
 * @returns {string}
 */
export function writeTerm(term) {
  if (isNumber(term)) return term.number;
  if (Array.isArray(term)) return `[${term.map(writeTerm).join(',')}]`;
  if (isSet(term)) return term.set.length === 0 ? 'set()' : `{${term.set.map(writeTerm).join(',')}}`;
  if (isObject(term)) return `{${term.object.map(([key, value]) => `${writeTerm(key)}:${writeTerm(value)}`).join(',')}}`;
  return JSON.stringify(term);
}

/** A value as OPA prints it. @param {Term} term @returns {string} */
export function printTerm(term) {
  if (typeof term === 'string') return quoteText(term);
  if (isNumber(term)) return term.number;
  if (Array.isArray(term)) return `[${term.map(printTerm).join(', ')}]`;
  if (isSet(term)) return term.set.length === 0 ? 'set()' : `{${term.set.map(printTerm).join(', ')}}`;
  if (isObject(term)) return `{${term.object.map(([key, value]) => `${printTerm(key)}: ${printTerm(value)}`).join(', ')}}`;
  return String(term);
}

const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
/** @type {Record<string, string>} */
const ESCAPES = { '\x07': '\\a', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\v': '\\v', '\\': '\\\\' };

/** One character as Go writes it inside quotes. @param {string} character @param {string} mark the quote */
export function quoteCharacter(character, mark) {
  if (character === mark) return `\\${mark}`;
  const escaped = ESCAPES[character];
  if (escaped !== undefined) return escaped;
  if (PRINTABLE.test(character)) return character;
  const code = /** @type {number} */ (character.codePointAt(0));
  const hex = (/** @type {number} */ digits) => code.toString(16).padStart(digits, '0');
  if (code < 0x20 || code === 0x7f) return `\\x${hex(2)}`;
  return code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`;
}

/** A text as Go quotes it. @param {string} text */
export function quoteText(text) {
  return `"${[...text].map((character) => quoteCharacter(character, '"')).join('')}"`;
}
