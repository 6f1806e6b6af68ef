// OPA functions that a compiled policy needs from its host. They behave as in topdown: an argument of the wrong type makes a call
// undefined. Plain JavaScript, for the worker.
import { sprintf } from './sprintf.mjs';
import { compareTerms, isObject, isSet } from './terms.mjs';

/** @typedef {import('./terms.mjs').Term} Term */

/** The helper for `regex.replace`: all matches of `input.pattern` in `input.text`, found by the evaluator's own expressions. */
export const FIND_ENTRYPOINT = 'modes/find/all';
export const FIND_MODULE = 'package modes.find\n\nall := regex.find_all_string_submatch_n(input.pattern, input.text, -1)\n';

/**
 * Host functions that only the worker has.
 * @typedef {object} Host
 * @property {() => bigint} now nanoseconds since 1970, the same during one evaluation
 * @property {(pattern: string, text: string) => string[][] | undefined} find all matches with their groups; undefined for an
 * invalid pattern
 */

/** Functions that may return different values for the same arguments. */
export const UNSTEADY = ['time.now_ns'];

/** @type {Readonly<Record<string, (args: Term[], host: Host) => Term | undefined>>} */
export const BUILTINS = {
  sprintf: ([format, values]) => (typeof format === 'string' && Array.isArray(values) ? sprintf(format, values) : undefined),
  'regex.replace': ([text, pattern, by], { find }) =>
    typeof text === 'string' && typeof pattern === 'string' && typeof by === 'string'
      ? replace(text, pattern, by, find)
      : undefined,
  'strings.any_prefix_match': ([texts, prefixes]) => anyMatch(texts, prefixes, (text, prefix) => text.startsWith(prefix)),
  'strings.any_suffix_match': ([texts, suffixes]) => anyMatch(texts, suffixes, (text, suffix) => text.endsWith(suffix)),
  'object.subset': ([whole, part]) => isSubset(whole, part),
  'semver.is_valid': ([version]) => readVersion(version) !== null,
  'semver.compare': ([a, b]) => {
    const [one, other] = [readVersion(a), readVersion(b)];
    return one === null || other === null ? undefined : { number: String(compareVersions(one, other)) };
  },
  'time.now_ns': (_, { now }) => ({ number: String(now()) }),
  'time.parse_rfc3339_ns': ([text]) => (typeof text === 'string' ? parseTime(text) : undefined),
};

/** @param {Term | undefined} term @returns {string[] | null} a text, or all of a list or set of them */
function textsOf(term) {
  if (typeof term === 'string') return [term];
  const items = Array.isArray(term) ? term : term !== undefined && isSet(term) ? term.set : null;
  return items?.every((item) => typeof item === 'string') ? /** @type {string[]} */ (items) : null;
}

/** @param {Term | undefined} a @param {Term | undefined} b @param {(text: string, affix: string) => boolean} matches */
function anyMatch(a, b, matches) {
  const [texts, affixes] = [textsOf(a), textsOf(b)];
  if (texts === null || affixes === null) return undefined;
  return texts.some((text) => affixes.some((affix) => matches(text, affix)));
}

/** @param {Term | undefined} whole @param {Term | undefined} part @returns {boolean | undefined} */
function isSubset(whole, part) {
  if (whole === undefined || part === undefined) return undefined;
  if (isObject(whole) && isObject(part)) {
    return part.object.every(([key, value]) => {
      const own = whole.object.find(([name]) => compareTerms(name, key) === 0)?.[1];
      return own !== undefined && (compareTerms(own, value) === 0 || (sameKind(own, value) && isSubset(own, value) === true));
    });
  }
  if (isSet(part)) {
    const items = isSet(whole) ? whole.set : Array.isArray(whole) ? whole : null;
    if (items === null) return undefined;
    // OPA returns false for an empty list, even if the set is empty as well.
    if (Array.isArray(whole) && whole.length === 0) return false;
    return part.set.every((item) => items.some((one) => compareTerms(one, item) === 0));
  }
  if (!Array.isArray(whole) || !Array.isArray(part)) return undefined;
  const starts = [...Array(Math.max(0, whole.length - part.length + 1)).keys()];
  return starts.some((from) => part.every((item, at) => compareTerms(item, /** @type {Term} */ (whole[from + at])) === 0));
}

/** @param {Term} a @param {Term} b */
const sameKind = (a, b) => (isObject(a) && isObject(b)) || (isSet(a) && isSet(b)) || (Array.isArray(a) && Array.isArray(b));

/**
 * @param {string} text @param {string} written @param {string} by with $1 or ${name} for what a group found
 * @param {Host['find']} find
 */
function replace(text, written, by, find) {
  if (NOT_REPLACED.test(written)) throw new Error('regex.replace has no \\B');
  const pattern = written.replace(TOKENS, (token) => token.replace(/^\(\?</, '(?P<'));
  if (find(pattern, '') === undefined) return undefined;
  // A group before the expression captures the text between matches, so that the places of the matches are known.
  const found = find(`((?s:.*?))(?:${pattern})`, text) ?? [];
  const names = groupNames(pattern);
  const isOverEmpty = emptyMatches(text, pattern, find);
  let done = '';
  let at = 0;
  let last = null;
  for (const [whole = '', before = '', ...groups] of found) {
    // After an empty match, or after one that is skipped because it touches the last match, the search continues at the next
    // character.
    const start = last === '' || (last !== null && isOverEmpty(whole, at)) ? at + widthAt(text, at) : at;
    done += text.slice(at, start) + before + expand(by, [whole.slice(before.length), ...groups], names);
    at = start + whole.length;
    last = whole;
  }
  return done + text.slice(at);
}

/**
 * True if the search for this match began after an empty match that touches the match before it.
 * @param {string} text
 * @param {string} pattern
 * @param {Host['find']} find
 * @returns {(whole: string, at: number) => boolean}
 */
function emptyMatches(text, pattern, find) {
  const canBeEmpty = /[\^$]|\\[bBAz]/.test(pattern) || (find(pattern, '') ?? []).length > 0;
  if (!canBeEmpty) return () => false;
  return (whole, at) => {
    if (whole === '' || !text.startsWith(whole, at)) return true;
    if (!text.startsWith(whole, at + widthAt(text, at))) return false;
    const upTo = text.slice(0, at).replace(/[\\.+*?()|[\]{}^$]/g, '\\$&');
    return find(`\\A${upTo}(${pattern})`, text)?.[0]?.[1] === '';
  };
}

/** @param {string} text @param {number} at */
const widthAt = (text, at) => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);

/** The evaluator also finds this expression between the bytes of one character. */
export const NOT_REPLACED = /(?<!\\)(?:\\\\)*\\B/;

/** Quoted text, an escape, a class, or the beginning of a group: a numbered or a named one. */
const TOKENS = /\\Q.*?(?:\\E|$)|\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|\((?!\?)|\(\?P?<(\w+)>/gsu;

/**
 * Names of the groups of an expression, by number.
 * @param {string} pattern
 */
function groupNames(pattern) {
  /** @type {Map<string, number>} */
  const names = new Map();
  let number = 0;
  for (const [token, name] of pattern.matchAll(TOKENS)) {
    if (!token.startsWith('(')) continue;
    number += 1;
    if (name !== undefined && !names.has(name)) names.set(name, number);
  }
  return names;
}

/** @param {string} template @param {string[]} groups @param {Map<string, number>} names */
function expand(template, groups, names) {
  return template.replace(/\$(?:\$|\{([\p{L}\p{Nd}_]+)\}|([\p{L}\p{Nd}_]+))/gu, (_, braced, bare) => {
    const name = braced ?? bare;
    if (name === undefined) return '$';
    const number = /^(0|[1-9]\d*)$/.test(name) ? Number(name) : names.get(name);
    return number === undefined ? '' : (groups[number] ?? '');
  });
}

/** @typedef {{ numbers: bigint[], pre: string }} Version */

const IDENTIFIERS = /^[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*$/;
const MAX_INT = 2n ** 63n - 1n;

/** @param {Term | undefined} term @returns {Version | null} */
function readVersion(term) {
  if (typeof term !== 'string') return null;
  const match = /^v?(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([^+]*))?(?:\+(.*))?$/s.exec(term);
  if (match === null) return null;
  const [, major = '', minor = '', patch = '', pre, build] = match;
  const numbers = [major, minor, patch].map(BigInt);
  const isValid =
    numbers.every((number) => number <= MAX_INT) &&
    (build === undefined || IDENTIFIERS.test(build)) &&
    (pre === undefined || (IDENTIFIERS.test(pre) && !pre.split('.').some((one) => /^0\d+$/.test(one))));
  return isValid ? { numbers, pre: pre ?? '' } : null;
}

/** @param {Version} a @param {Version} b */
function compareVersions(a, b) {
  for (const [at, number] of a.numbers.entries()) {
    const other = /** @type {bigint} */ (b.numbers[at]);
    if (number !== other) return number < other ? -1 : 1;
  }
  if (a.pre === b.pre) return 0;
  if (a.pre === '' || b.pre === '') return a.pre === '' ? 1 : -1;
  const [ones, others] = [a.pre.split('.'), b.pre.split('.')];
  for (let at = 0; at < ones.length && at < others.length; at++) {
    const order = compareIdentifiers(/** @type {string} */ (ones[at]), /** @type {string} */ (others[at]));
    if (order !== 0) return order;
  }
  return Math.sign(ones.length - others.length);
}

/**
 * Numbers come before words.
 * @param {string} a
 * @param {string} b
 */
function compareIdentifiers(a, b) {
  const [isNumber, isOther] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber !== isOther) return isNumber ? -1 : 1;
  const clamp = (/** @type {string} */ digits) => (BigInt(digits) > MAX_INT ? MAX_INT : BigInt(digits));
  const [one, other] = isNumber ? [clamp(a), clamp(b)] : [a, b];
  return one < other ? -1 : one > other ? 1 : 0;
}

const TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

/** @param {string} text @returns {Term | undefined} nanoseconds since 1970, where 64 bits hold them */
function parseTime(text) {
  const match = TIME.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const [fraction = '', sign = '+', hours = '0', minutes = '0'] = match.slice(7);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isDay = month >= 1 && month <= 12 && day >= 1 && date.getUTCDate() === day;
  if (!isDay || hour > 23 || minute > 59 || second > 59 || Number(hours) > 24 || Number(minutes) > 60) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  const seconds = BigInt(date.getTime() / 1000 + (hour * 60 + minute - offset) * 60 + second);
  const number = seconds * 1_000_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0'));
  return number >= -MAX_INT - 1n && number <= MAX_INT ? { number: String(number) } : undefined;
}
