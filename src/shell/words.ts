// Expansion of words as Bash does it before a command runs. The result is static text if it is certain, otherwise the facts known
// about it.

import { parse, type Word, type WordPart } from 'unbash';
import type { NamePart, Outline, Outlines } from '../model/command.ts';
import { wholeWord } from './adjoining.ts';
import { Arg, areNumbered, argOf, isPlain, quote } from './arg.ts';
import { checkAssignment } from './assignments.ts';
import { BRACED, expandBraces } from './braces.ts';
import type { Effects } from './effects.ts';
import { unescaped } from './escapes.ts';
import { BLANK, concatOutlines, joinOutlines } from './outline.ts';
import {
  changeCase,
  GROUP,
  isAscii,
  type Pattern,
  type PatternChar,
  readPattern,
  removeMatch,
  replaceMatch,
  slice,
} from './patterns.ts';
import { among, GAP, isKnown, joinNames, type NameSearch, pairs, partlyKnown, unionNames } from './possible-names.ts';
import { hasDoubtfulQuotes } from './shapes.ts';
import {
  ANYTHING,
  anyItem,
  anyItems,
  arrayValue,
  COUNT,
  folderValue,
  INTEGER,
  type Items,
  isConfined,
  JOB,
  joinShapes,
  joinValues,
  KEY,
  namesOf,
  type OutputForm,
  outlinesOf,
  type ShellState,
  textValue,
  UNSIGNED,
  uncertain,
  type Value,
} from './state.ts';
import { isUnsignedExpression } from './unsigned.ts';
import { checkSubscripts, ZSH_DOLLAR } from './zsh.ts';

/** The services of the walk that word expansion needs: nested scripts, problem reports, arithmetic. */
export interface WordHost {
  readonly effects: Effects;
  readonly home: string;
  /** Every folder that the shell was in so far. */
  readonly visited: ReadonlySet<string>;
  /** Walks the script of a substitution. Returns the certain part of its output, or the path of a process substitution. */
  substitution(part: Extract<WordPart, { type: 'CommandExpansion' | 'ProcessSubstitution' }>, state: ShellState): Value;
  /** Checks an arithmetic expression: every variable in it must be a known integer. */
  arithmetic(part: Extract<WordPart, { type: 'ArithmeticExpansion' }>, state: ShellState): void;
  /** Checks text that Bash reads as arithmetic (offsets, subscripts). */
  arithmeticWord(word: Word, state: ShellState, what: string): void;
  fault(text: string, pos: number, end: number): void;
  /** Reports a text that the shell evaluates a second time. If the text is known, walks the commands in it. */
  evaluated(why: string, value: Value, at: { pos: number; end: number }, state: ShellState): void;
  /** The entry that receives the effects of expanded words. */
  readonly current: number | null;
  /** Walks the commands that may run because a variable has a new value. */
  assigned(
    name: string,
    value: Value,
    at: { pos: number; end: number },
    state: ShellState,
    entry: number | null,
    isExported?: boolean,
  ): void;
  /** Adds to the number of characters examined. Returns false if the limit is exceeded. */
  look(characters: number, at: { pos: number; end: number }): boolean;
}

/** Cost of each word that a variable is split into, in characters, in addition to its own characters. */
const SPLIT = 12;

/** Cost of each character that is compared with a pattern. */
const COMPARED = 2;

const NO_TEXTS: string[] = [];

interface WordPiece {
  value: Value;
  /** Unquoted and not literal: subject to splitting and globbing. */
  open: boolean;
  /**
   * list: `"$@"` or an array, which is any number of words, even in quotes. If `value.items` is exact, the words are those items.
   * hidden: the path of a process substitution, which is not a name on the disk.
   */
  kind: 'text' | 'glob' | 'list' | 'hidden';
}

const closedPiece = (value: Value, kind: WordPiece['kind'] = 'text'): WordPiece => ({ value, open: false, kind });

const SPECIAL_INT = new Set([
  '?',
  '#',
  '$',
  'LINENO',
  'SECONDS',
  'RANDOM',
  'SRANDOM',
  'PPID',
  'UID',
  'EUID',
  'BASHPID',
  'EPOCHSECONDS',
  'SHLVL',
  'COLUMNS',
  'LINES',
]);

/** The value of a parameter. `list`: it expands to any number of words, even in quotes. */
interface Got {
  value: Value;
  list: boolean;
}

const ONE = (value: Value): Got => ({ value, list: false });
const UNSET_ITEM = textValue('');

/** The words of an array or of `$@`, each as a separate value. */
function allOf(items: Items | null | undefined): Got {
  return { value: items ? { ...ANYTHING, items, found: namesOfItems(items) } : ANYTHING, list: true };
}

/** The items joined into one text, as `*` joins them in quotes. */
function joined({ items, found }: Value, state: ShellState): Value {
  const names = items ? namesOfItems(items) : found;
  const separators = state.has('IFS') ? state.get('IFS').texts : [' '];
  if (!items?.isExact || separators?.length !== 1) return { ...ANYTHING, found: names && { ...names, isAll: false } };
  const separator = literal(separators[0]!.slice(0, 1));
  return items.values.reduce((all, one, i) => concat(i === 0 ? all : concat(all, separator), one), literal(''));
}

function namesOfItems({ values }: Items): NameSearch | undefined {
  return values.length === 0 ? undefined : (namesOf(values.reduce(joinValues)) ?? undefined);
}

function parameter(name: string, state: ShellState, host: WordHost, quoted: boolean): Got {
  if (name === '@' || name === '*') {
    const all = allOf(state.positional);
    return name === '*' && quoted ? ONE(joined(all.value, state)) : all;
  }
  if (/^\d+$/.test(name)) {
    const n = Number(name);
    const { positional } = state;
    if (n === 0) return ONE(state.shellName ?? ANYTHING);
    if (positional === null) return ONE(ANYTHING);
    if (positional.isExact) return ONE(positional.values[n - 1] ?? UNSET_ITEM);
    return ONE(positional.values.reduce<Value>(joinValues, UNSET_ITEM));
  }
  if (name === 'HOME') return ONE(state.has(name) ? homeOf(state, host) : textValue(host.home));
  if (!state.has(name)) {
    if (name === '!') return ONE(JOB);
    if (name === '?' || name === '#' || name === '$') return ONE(INTEGER);
    if (SPECIAL_INT.has(name)) return ONE(INTEGER);
    if (name === 'PWD' && state.cwds?.length !== 0)
      return ONE(state.cwds?.map(textValue).reduce(joinValues) ?? folderValue(state.candidateFolders));
    if (name === 'OLDPWD') return ONE(visited(host));
    if (name === '_') return ONE(lastWord(host));
    if (name === 'DIRSTACK') return ONE(arrayValue([visited(host)], false));
    if (name === '-') return ONE({ texts: null, int: false, lead: '', splits: false });
  }
  return ONE(state.get(name));
}

/** `$_`: the last word of the command before, which may be any that came before in the text. */
function lastWord({ effects }: WordHost): Value {
  const words = new Set(effects.commands.flatMap(({ argv }) => argv.at(-1) ?? []));
  const names = [...words].slice(-MOST_LAST).map((text): NamePart => ({ text, how: 'one' }));
  return { ...ANYTHING, ...(names.length > 0 && { found: { names, isAll: false } }) };
}

/** Number of commands whose last words count. */
const MOST_LAST = 50;

const INDEX = /^-?\d{1,6}$/;

/** The elements of an array. A scalar variable acts as an array of one element. */
function itemsOf(variable: Value): Items {
  if (variable.items !== undefined) return variable.items;
  const isScalar = variable.attribute !== 'associative';
  return { values: isScalar ? [variable] : [], isExact: isScalar && variable.texts !== null };
}

/** `${a[i]}`. zsh counts from 1, so a positive index may select either of two elements. */
function element(base: Value, index: Word, state: ShellState, host: WordHost): Value {
  const items = itemsOf(base);
  if (items.values.length === 0) return ANYTHING;
  const mark = host.effects.mark();
  const at = wordValue(index, state.copy(), host, true).texts;
  host.effects.drop(mark);
  const any = anyItem(base);
  if (!items.isExact || at?.length !== 1 || !INDEX.test(at[0]!)) return joinValues(any, UNSET_ITEM);
  const n = Number(at[0]);
  const here = items.values.at(n) ?? UNSET_ITEM;
  return n > 0 ? joinValues(here, items.values[n - 1] ?? UNSET_ITEM) : here;
}

/** A change of a text. */
interface Change {
  /** All possible results. null: the result is not certain. */
  text(text: string): string | readonly string[] | null;
  /** The certain pieces of each result that is not certain. */
  outlines?: readonly Outline[];
}

/** Applies a change to each known text. */
function changed(value: Value, { text: change, outlines }: Change): Value {
  const other: Value = outlines === undefined ? ANYTHING : { ...ANYTHING, outlines };
  if (value.texts !== null) {
    const texts = value.texts.map(change);
    return texts.includes(null) ? other : (texts as (string | string[])[]).flat().map(textValue).reduce(joinValues);
  }
  let isAll = value.found?.isAll ?? false;
  const names = (value.found?.names ?? []).flatMap(({ text, how }): NamePart[] => {
    const made = how === 'one' && !text.includes(GAP) ? change(text) : null;
    isAll &&= made !== null;
    return [made ?? []].flat().map((text) => ({ text, how: 'one' }));
  });
  const found = among(names);
  return found === null ? other : { ...other, found: { ...found, isAll: isAll && found.names.length === names.length } };
}

/** Adds the cost of comparing the texts of a value with a pattern. Returns false if the limit is exceeded. */
function compares({ texts, found, items }: Value, at: { pos: number; end: number }, host: WordHost): boolean {
  const all = [texts, found?.names.map(({ text }) => text), items?.values.flatMap((one) => one.texts ?? [])];
  return host.look(COMPARED * all.reduce((length, list) => length + (list?.join('').length ?? 0), 0), at);
}

/** The results of a change for each pattern that an operand may mean. */
function possible<P>(patterns: readonly P[] | null, change: (pattern: P) => string | readonly string[] | null): string[] | null {
  const results = patterns?.flatMap(change) ?? [null];
  return results.includes(null) ? null : [...new Set(results as string[])];
}

/** Applies a change to each word of a list. */
function eachChanged(base: Got, change: Change): Got {
  const { items } = base.value;
  if (!base.list) return ONE(changed(base.value, change));
  if (items === undefined) return { value: changed(base.value, change), list: true };
  const made: Items = { values: items.values.map((one) => changed(one, change)), isExact: items.isExact };
  return { value: { ...ANYTHING, items: made, found: namesOfItems(made) }, list: true };
}

/**
 * The patterns that an operand may mean, or null if they are not certain. The options of the shell are not known: `extglob` gives
 * groups such as `+(a)` a meaning, and `nocasematch` ignores case in a replacement.
 */
function patternsOf(word: Word, state: ShellState, host: WordHost, canIgnoreCase = false): readonly Pattern[] | null {
  const chars: PatternChar[] = [];
  const add = (text: string, isQuoted: boolean) => {
    for (let at = 0; at < text.length; at++) chars.push({ char: text[at]!, isQuoted });
  };
  for (const part of word.parts ?? [{ type: 'Literal', text: word.text, value: word.value, pos: word.pos, end: word.end }]) {
    if (part.type === 'ExtendedGlob' || (part.type === 'Glob' && part.parts?.some((one) => one.type !== 'Literal'))) return null;
    const all = pieceOf(part as WordPart, state, host, true);
    if (part.type === 'Literal') {
      for (const [text] of part.text.matchAll(/\\?./gs)) add(text.at(-1)!, text.length > 1);
      continue;
    }
    const isQuoted = part.type.endsWith('Quoted') || part.type === 'LocaleString';
    for (const { value, kind } of all) {
      if (kind === 'list' || value.texts?.length !== 1) return null;
      add(value.texts[0]!, isQuoted);
    }
  }
  const forGroups = GROUP.test(chars.map(({ char, isQuoted }) => (isQuoted ? '' : char)).join('')) ? [false, true] : [false];
  const forCase = canIgnoreCase ? [false, true] : [false];
  const patterns = forGroups.flatMap((hasGroups) => forCase.map((ignoresCase) => readPattern(chars, { hasGroups, ignoresCase })));
  return patterns.includes(null) ? null : (patterns as Pattern[]);
}

/** The number in an offset or a length, or null if it is not known. */
function numberOf(word: Word | undefined, state: ShellState, host: WordHost, what: string): number | null {
  if (word === undefined) return null;
  host.arithmeticWord(word, state, what);
  const mark = host.effects.mark();
  const { texts } = wordValue(word, state.copy(), host, true);
  host.effects.drop(mark);
  const text = texts?.length === 1 ? texts[0]!.trim() : '';
  return text === '' ? (texts?.length === 1 ? 0 : null) : INDEX.test(text) ? Number(text) : null;
}

/** `${a[@]:1:2}`, and `${@:2}`. Index 0 of `$@` is `$0`. */
function sliceItems(
  { items }: Value,
  isParameters: boolean,
  from: number | null,
  length: number | null | undefined,
): Items | null {
  if (!items) return null;
  if (isParameters && (from ?? 0) < 1) return null;
  const isKnown = items.isExact && from !== null && from >= (isParameters ? 1 : 0) && length !== null && (length ?? 0) >= 0;
  if (!isKnown) return anyItems(items.values);
  const first = isParameters ? from - 1 : from;
  return { values: items.values.slice(first, length === undefined ? undefined : first + length), isExact: true };
}

/**
 * Checks the text between the brackets of `a[…]`. It is arithmetic unless the array is associative. An old shell has no
 * associative arrays and evaluates the text as arithmetic in any case, so only plain texts and keys are accepted.
 */
export function checkSubscript(index: Word, name: string, state: ShellState, host: WordHost): void {
  if (
    state.get(name).attribute === 'associative' &&
    quietly(state, host, (at) => isPlainKey(wordValue(index, at, host, true), at))
  ) {
    wordValue(index, state, host, true);
    return;
  }
  host.arithmeticWord(index, state, 'a subscript');
}

function isPlainKey({ attribute, texts }: Value, state: ShellState): boolean {
  if (attribute === 'key') return true;
  return texts?.every((text) => isSubscriptText(text, state)) ?? false;
}

/** True if the text is also harmless when it is evaluated as arithmetic. */
export function isSubscriptText(text: string, state: ShellState): boolean {
  return (
    /^[\w.:/@ -]+$/.test(text) && (text.match(/[A-Za-z_]\w*/g) ?? []).every((name) => !state.has(name) || state.get(name).int)
  );
}

type ParameterPart = Extract<WordPart, { type: 'ParameterExpansion' }>;

function expansion(part: ParameterPart, state: ShellState, host: WordHost, quoted: boolean): Got {
  const got = expanded(part, state, host, quoted);
  const isStar = part.index ? part.index.text === '*' : part.parameter === '*';
  return isStar && quoted && got.list ? ONE(joined(got.value, state)) : got;
}

function expanded(part: ParameterPart, state: ShellState, host: WordHost, quoted: boolean): Got {
  const bad = (text: string) => host.fault(text, part.pos, part.end);
  const op = part.operation;
  if (part.parameter === '' || op?.type === 'Unknown') bad('an expansion that is not Bash');
  if (quoted && op && hasDoubtfulQuotes(op)) bad('shells differ on where a quote inside braces ends');
  const index = part.index?.text;
  const isAll = index === '@' || index === '*';
  if (part.index && !isAll) checkSubscript(part.index, part.parameter, state, host);
  const variable = part.index ? parameter(part.parameter, state, host, quoted).value : null;
  const base = ((): Got => {
    // Even in quotes, the operation applies to each word before the words are joined.
    if (variable === null) return parameter(part.parameter, state, host, false);
    if (!isAll) return ONE(element(variable, part.index!, state, host));
    return allOf(itemsOf(variable));
  })();
  const { list } = base;
  if (part.prefix === '#') return ONE(lengthOf(base, op === undefined));
  if (part.prefix === '!') {
    // `${!array[@]}` lists indices and `${!prefix*}` lists names. Any other form evaluates the value of the variable.
    if (isAll) return { value: indicesOf(variable!), list: index === '@' || !quoted };
    if (op?.type === 'Names') return { value: ANYTHING, list: op.operator === '@' || !quoted };
    const name = base.value.texts?.length === 1 ? base.value.texts[0]! : '';
    if (op === undefined && /^[A-Za-z_]\w*$/.test(name)) return parameter(name, state, host, quoted);
    host.evaluated('an indirect expansion evaluates the value of the variable', base.value, part, state);
    // `${!#}` and `${!i}` may be any of the parameters.
    const some = base.value.int && state.positional ? namesOfItems(state.positional) : undefined;
    return { value: { ...ANYTHING, found: some && { ...some, isAll: false } }, list };
  }
  if (!op) return base;
  switch (op.type) {
    case 'Default': {
      const written = wordValue(op.operand, state, host, quoted);
      // In double quotes, a single quote and most backslashes are literal.
      const operand = quoted && /['\\]/.test(op.operand.text) ? uncertain(written) : written;
      if (op.operator.endsWith('=')) {
        const { taint } = checkAssignment(part.parameter, ANYTHING, 'plain');
        if (taint) bad(taint);
        host.assigned(part.parameter, operand, part, state, host.current);
        state.set(part.parameter, joinValues({ ...base.value, items: undefined }, operand));
      }
      const isKnown = state.has(part.parameter) && base.value.texts && part.index === undefined;
      if (isKnown && !list) {
        const empty = op.operator.startsWith(':') && base.value.texts!.includes('');
        const only = empty && base.value.texts!.length === 1;
        if (op.operator.endsWith('+')) return ONE(only ? literal('') : empty ? joinValues(textValue(''), operand) : operand);
        if (op.operator.endsWith('?')) return ONE(base.value);
        return ONE(only ? operand : empty ? joinValues(base.value, operand) : base.value);
      }
      if (op.operator.endsWith('?')) return base;
      if (op.operator.endsWith('+')) return { value: joinValues(textValue(''), operand), list };
      return {
        value: {
          ...joinValues(base.value.texts ? base.value : { ...ANYTHING, found: base.value.found }, operand),
          items: undefined,
        },
        list,
      };
    }
    case 'Remove': {
      wordValue(op.operand, state, host, true);
      if (!compares(base.value, part, host)) return ONE(ANYTHING);
      const patterns = quietly(state, host, (at) => patternsOf(op.operand, at, host));
      return eachChanged(base, {
        text: (text) => possible<Pattern | null>(patterns ?? [null], (pattern) => removeMatch(text, pattern, op.operator)),
      });
    }
    case 'CaseModification': {
      if (op.operand) wordValue(op.operand, state, host, true);
      const { operand } = op;
      const patterns = operand === undefined ? [null] : quietly(state, host, (at) => patternsOf(operand, at, host));
      return eachChanged(base, {
        text: (text) => possible<Pattern | null>(patterns, (pattern) => changeCase(text, pattern, op.operator)),
      });
    }
    case 'Replace': {
      wordValue(op.pattern, state, host, true);
      const { texts } = wordValue(op.replacement, state, host, true);
      if (!compares(base.value, part, host)) return ONE(ANYTHING);
      const patterns = quietly(state, host, (at) => patternsOf(op.pattern, at, host, true));
      const by = texts?.length === 1 ? texts[0]! : null;
      const before = op.operator === '/#' ? [] : [''];
      const after = op.operator === '/%' ? [] : [''];
      // The text may also remain as it is.
      const outlines = [BLANK, ...(texts ?? []).map((text) => [...before, ...text.split(/\\?&/), ...after])];
      const replaced = (change: (match: string) => string): Got =>
        eachChanged(base, {
          text: (text) =>
            by === null ? null : possible(patterns, (pattern) => replaceMatch(text, pattern, change, op.operator)),
          outlines,
        });
      if (by === null || !/[&\\]/.test(op.replacement.text + by)) return replaced(() => by!);
      // Shells differ on a backslash in the replacement, and on an unquoted `&`, which may be the matched text.
      const bare = by.replaceAll(/\\(.)/gs, '$1');
      const readings = [() => by, () => bare, (match: string) => bare.replaceAll('&', () => match)];
      return { value: { ...uncertain(readings.map((one) => replaced(one).value).reduce(joinValues)), outlines }, list };
    }
    case 'Slice': {
      const from = numberOf(op.offset, state, host, 'an offset');
      const length = op.length ? numberOf(op.length, state, host, 'a length') : undefined;
      if (list) {
        const items = sliceItems(base.value, part.index === undefined, from, length);
        // Which of the words these are is not known.
        const some = base.value.items && namesOfItems(base.value.items);
        const value = items ? { items, found: namesOfItems(items) } : { found: some && { ...some, isAll: false } };
        return { value: { ...ANYTHING, ...value }, list };
      }
      return eachChanged(base, {
        text: (text) => (from === null || length === null ? null : slice(text, from, length ?? null)),
      });
    }
    case 'Transform': {
      const how = op.operand.value;
      if (!/^[QULuKkAaE]$/.test(how) || op.operand.parts)
        host.evaluated(`\${…@${how}} may run the value of the variable`, base.value, part, state);
      return eachChanged(base, { text: (text) => transformed(text, how) });
    }
    case 'Names':
      return { value: ANYTHING, list: op.operator === '@' || !quoted };
    default:
      bad('an unrecognized expansion');
      return { value: ANYTHING, list };
  }
}

/** Examines a part that was already walked, without reporting its effects a second time. */
function quietly<T>(state: ShellState, host: WordHost, look: (at: ShellState) => T): T {
  const mark = host.effects.mark();
  const found = look(state.copy());
  host.effects.drop(mark);
  return found;
}

function lengthOf({ value, list }: Got, isWhole: boolean): Value {
  const { items, texts } = value;
  if (!isWhole) return INTEGER;
  if (list) return items?.isExact ? textValue(String(items.values.length)) : INTEGER;
  return texts?.length === 1 && isAscii(texts[0]!) ? textValue(String(texts[0]!.length)) : INTEGER;
}

function indicesOf(value: Value): Value {
  const { items, attribute } = value;
  if (attribute === 'associative') {
    // The known keys are among the elements.
    const names = items === undefined ? null : namesOf(anyItem(value));
    const found = names === null ? undefined : { ...names, isAll: false };
    return { ...ANYTHING, found, each: { ...KEY, found } };
  }
  // zsh does not have this expansion. An array may have gaps unless every element is known.
  if (!items?.isExact) return ANYTHING;
  return { ...ANYTHING, items: { values: items.values.map((_, i) => textValue(String(i))), isExact: true } };
}

/** `${text@U}` and the related transformations. */
function transformed(text: string, how: string): string | null {
  if (!isAscii(text)) return null;
  if (how === 'U') return text.toUpperCase();
  if (how === 'L') return text.toLowerCase();
  if (how === 'u') return text.charAt(0).toUpperCase() + text.slice(1);
  if (how === 'E') return unescaped(text);
  if (how === 'P') return /[\\$`!]/.test(text) ? null : text;
  return how === 'Q' && !/['\x00-\x1f\x7f]/.test(text) ? `'${text}'` : null;
}

/** Walks the parts of a word for their effects only, for a word that is a pattern or an alternative as a whole. */
function inner(parts: readonly WordPart[] | undefined, state: ShellState, host: WordHost): void {
  if (!parts) return;
  checkSubscripts(parts, state, host);
  for (const p of parts) pieceOf(p, state, host, true);
}

function pieceOf(part: WordPart, state: ShellState, host: WordHost, quoted: boolean): WordPiece[] {
  switch (part.type) {
    case 'Literal':
      if (ZSH_DOLLAR.test(part.text)) host.fault('zsh reads $= $~ $^ as expansions', part.pos, part.end);
      return [closedPiece(literal(part.value))];
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [closedPiece(literal(part.value))];
    case 'DoubleQuoted':
    case 'LocaleString':
      if (part.parts.length === 0) return [closedPiece(literal(''))];
      if (part.parts.length > 1) checkSubscripts(part.parts, state, host);
      return part.parts.length === 1
        ? closed(pieceOf(part.parts[0]!, state, host, true))
        : part.parts.flatMap((p) => closed(pieceOf(p, state, host, true)));
    case 'Glob':
      inner(part.parts, state, host);
      // In quotes, in a pattern, and in a value, this is plain text.
      return [closedPiece(literal(part.text), 'glob')];
    case 'ExtendedGlob':
      if (isPlainGroup(part.text)) return [closedPiece(literal('*'), 'glob')];
      host.fault('an extended glob, which other shells read differently', part.pos, part.end);
      inner(part.parts, state, host);
      return [{ value: ANYTHING, open: true, kind: 'glob' }];
    case 'BraceExpansion':
      // Brace expansions that produce words were expanded earlier. These braces are literal characters.
      if (!part.parts) return [closedPiece(literal(part.text.replace(/\\(.)/gs, '$1')))];
      return [
        closedPiece(literal('{')),
        ...part.parts.flatMap((p) => pieceOf(p, state, host, quoted)),
        closedPiece(literal('}')),
      ];
    case 'SimpleExpansion': {
      const p = parameter(part.text.slice(1), state, host, quoted);
      return [{ value: p.value, open: !quoted, kind: p.list ? 'list' : 'text' }];
    }
    case 'ParameterExpansion': {
      const p = expansion(part, state, host, quoted);
      // Only the unquoted parts of an operand are split.
      const isQuoted = !quoted && part.operation?.type === 'Default' && /["'\\]/.test(part.operation.operand.text);
      const value = isQuoted && p.value.splits ? uncertain(p.value) : p.value;
      return [{ value, open: !quoted, kind: p.list ? 'list' : 'text' }];
    }
    case 'CommandExpansion':
      return [{ value: host.substitution(part, state), open: !quoted, kind: 'text' }];
    case 'ProcessSubstitution':
      return [closedPiece(host.substitution(part, state), 'hidden')];
    case 'ArithmeticExpansion': {
      const value = part.expression && isUnsignedExpression(part.expression, state) ? UNSIGNED : INTEGER;
      host.arithmetic(part, state);
      return [{ value, open: !quoted, kind: 'text' }];
    }
  }
}

/**
 * True if an extended glob matches no more than `*` does. zsh reads a group at the end of a word as glob qualifiers unless the
 * group contains a bar. Some qualifiers run text (`e`, `o`, `O`, `P`, `+`).
 */
function isPlainGroup(text: string): boolean {
  const group = /^[!@]\(([\w*?|][\w*?|.-]*)\)$/.exec(text)?.[1];
  return group !== undefined && !/\|\./.test(group) && (group.includes('|') || !/[eoOP]/.test(group));
}

function closed(inner: WordPiece[]): WordPiece[] {
  return inner.some(({ open }) => open) ? inner.map((piece) => ({ ...piece, open: false })) : inner;
}

function literal(text: string): Value {
  return { texts: [text], int: false, lead: text, splits: false };
}

const TILDE = /^~([^/\s'"\\$`*?[:]*)/;
/** A word that looks like an assignment. Bash expands tildes after its `=` and after its colons. */
const LIKE_ASSIGNMENT = /^[A-Za-z_]\w*\+?=(?:~|.*[=:]~)/s;

/** The home folder. If HOME was assigned an unknown value, it may still be the user's home folder. */
export function homeOf(state: ShellState, { home }: { home: string }): Value {
  if (!state.has('HOME')) return literal(home);
  const value = state.get('HOME');
  const own: NameSearch = { names: [{ text: home, how: 'one' }], isAll: false };
  return value.texts !== null ? value : { ...value, found: value.found ? unionNames(value.found, own) : own };
}

/** A folder that the shell was in before. */
function visited({ visited }: WordHost): Value {
  return folderValue([...visited].map((folder) => [folder]));
}

/** The expansion of a tilde with this name. */
function tilde(name: string, state: ShellState, host: WordHost): Value {
  if (name === '') return homeOf(state, host);
  if (name === '+' && state.cwd !== null && !state.has('PWD')) return literal(state.cwd);
  if (name === '+' && !state.has('PWD')) return { ...folderValue(state.candidateFolders), splits: false };
  if (name === '-' && !state.has('OLDPWD')) return { ...visited(host), splits: false };
  // If no user has this name, the text is not expanded.
  return { ...uncertain(literal(`~${name}`)), splits: false };
}

/** Splits a literal text at tildes after `=` or a colon. The rest of the word and the shell decide whether they are expanded. */
function tildePieces(text: string, state: ShellState, host: WordHost): WordPiece[] {
  const out: WordPiece[] = [];
  let from = 0;
  for (const match of text.matchAll(/(?<=[=:])~/g)) {
    const [head, name] = TILDE.exec(text.slice(match.index))!;
    const end = match.index + head.length;
    if (!/^[:/]|^$/.test(text.slice(end))) continue;
    out.push(
      closedPiece(literal(text.slice(from, match.index))),
      closedPiece(joinValues(tilde(name!, state, host), literal(head))),
    );
    from = end;
  }
  out.push(closedPiece(literal(text.slice(from))));
  return out.filter(({ value }) => value.texts?.[0] !== '');
}

function pieces(word: Word, state: ShellState, host: WordHost, quoted = false): WordPiece[] {
  const { text, parts } = word;
  const hasTilde = !quoted && (text.startsWith('~') || (text.includes('~') && LIKE_ASSIGNMENT.test(text)));
  if (!hasTilde) {
    if (!parts) return [closedPiece(literal(word.value))];
    if (parts.length === 1) return pieceOf(parts[0]!, state, host, quoted);
    checkSubscripts(parts, state, host);
    return parts.flatMap((p) => pieceOf(p, state, host, quoted));
  }
  const [first] = parts ?? [];
  if (parts && parts.length > 1) checkSubscripts(parts, state, host);
  const lead = parts ? (first?.type === 'Literal' ? first.text : '') : text;
  const value = plainText(first, word);
  const rest = parts && lead !== '' ? parts.slice(1) : (parts ?? []);
  const restPieces = rest.flatMap((p) => pieceOf(p, state, host, quoted));
  // After `~:`, Bash does not perform expansions.
  if (/^~[^/]*:/.test(lead)) return [{ value: ANYTHING, open: true, kind: 'list' }];
  return [...(lead === '' ? [] : tildesIn(lead, value, rest, state, host)), ...restPieces];
}

/** The literal text at the beginning of a word, followed by `rest`. */
function tildesIn(lead: string, value: string, rest: readonly WordPart[], state: ShellState, host: WordHost): WordPiece[] {
  const plain = closedPiece(literal(value));
  if (lead.startsWith('~')) {
    const [head, name] = TILDE.exec(lead)!;
    const afterTilde = lead.slice(head.length);
    if (!afterTilde.startsWith('/') && (afterTilde !== '' || rest.length > 0)) return [plain];
    return [closedPiece(tilde(name!, state, host)), closedPiece(literal(value.slice(head.length)))];
  }
  const isOpen = rest.length > 0 && /[=:]~[^/:]*$/.test(lead);
  if (isOpen) return [closedPiece(uncertain(literal(value)))];
  if (lead.includes('\\')) return [closedPiece({ ...uncertain(literal(value)), splits: false })];
  return tildePieces(lead, state, host);
}

function plainText(part: WordPart | undefined, word: Word): string {
  return part?.type === 'Literal' ? part.value : word.value;
}

/** The concatenation of two values. */
export function concat(a: Value, b: Value): Value {
  let texts: string[] | null = null;
  if (a.texts?.length === 1 && b.texts?.length === 1) return textValue(a.texts[0]! + b.texts[0]!);
  if (a.texts && b.texts && a.texts.length * b.texts.length <= MAX_COMBINED) {
    texts = [...new Set(a.texts.flatMap((x) => b.texts!.map((y) => x + y)))];
  }
  const splits = a.splits || b.splits;
  if (texts !== null) return { texts, int: false, lead: '', splits };
  const [from, to] = [namesOf(a), namesOf(b)];
  const confined = isConfined(a) && isConfined(b);
  return {
    texts,
    int: false,
    lead: a.texts?.length === 1 ? a.texts[0]! + b.lead : '',
    splits,
    ...(from && to && { found: pairs(from, to) }),
    outlines: concatOutlines(outlinesOf(a), outlinesOf(b)),
    ...(confined && { confined }),
  };
}

/** The certain beginning of the text that the pieces form. */
function leadOf(all: readonly WordPiece[]): string {
  let lead = '';
  for (let i = 0; i < all.length; i++) {
    const { value, kind } = all[i]!;
    if (kind === 'glob' || kind === 'list') return lead;
    // If this piece is empty, the word begins with the next piece.
    if (value.vanishes && (lead !== '' || (i + 1 < all.length && /^-|^$/.test(leadOf(all.slice(i + 1)))))) return lead;
    lead += value.lead;
    if (value.texts?.length !== 1) return lead;
  }
  return lead;
}

/** Names that the pieces may form together. Null unless every piece has known names. */
function namesIn(all: readonly WordPiece[]): NameSearch | null {
  // A split value may end one word and begin another, so each word in its certain pieces is a name.
  const split = ({ open, value }: WordPiece): NameSearch | null =>
    open && value.splits && value.texts === null ? among(partlyKnown(value.outlines)) : null;
  const isOpen = all.some((piece) => piece.value.found || split(piece) !== null);
  if (!isOpen && all.every(({ value }) => (value.texts?.length ?? 1) === 1)) return null;
  let out: NameSearch | null = null;
  for (const piece of all) {
    const { value, kind } = piece;
    const own: NameSearch | null =
      kind === 'glob'
        ? { names: [{ text: value.texts![0]!, how: 'glob' }], isAll: true }
        : joinNames(namesOf(value), split(piece));
    if (own === null) return null;
    out = out === null ? own : pairs(out, own);
  }
  return isOpen ? out : out && { ...out, isAll: false };
}

const NO_VALUES: readonly Value[] = [];

/** The certain pieces of each word that the parts may form. A part that may be split ends one word and begins another. */
function outlinesIn(all: readonly WordPiece[], hasSeparators: boolean): Outlines {
  let out: Outlines = [];
  let isFirst = true;
  const add = (one: Outlines): void => {
    out = isFirst ? one : joinOutlines(out, one);
    isFirst = false;
  };
  let current: Outlines = [['']];
  for (const { value, open, kind } of all) {
    const maySplit = kind === 'list' || (open && (value.splits || hasSeparators));
    current = concatOutlines(current, kind === 'glob' || maySplit ? undefined : outlinesOf(value));
    if (!maySplit) continue;
    add(current);
    if (kind === 'list') for (const one of value.items?.values ?? NO_VALUES) if (one.outlines !== undefined) add(one.outlines);
    add(undefined);
    current = undefined;
  }
  add(current);
  return out;
}

/** The value of a word in a context without splitting and globbing: assignments, here-strings, `case`, `[[ ]]`. */
export function wordValue(written: Word, state: ShellState, host: WordHost, quoted = false): Value {
  if (!host.look(written.text.length, written)) return ANYTHING;
  const word = whole(written, host);
  if (isPlain(word.text)) return textValue(word.text);
  if (!word.parts && !word.text.includes('~')) return textValue(word.value);
  const all = pieces(word, state, host, quoted);
  if (!follows(all, word, host)) return ANYTHING;
  if (all.length === 1 && all[0]!.kind !== 'list') {
    const { value, kind } = all[0]!;
    const { items: _, ...scalar } = value;
    return scalar.texts?.length === 1 ? textValue(scalar.texts[0]!) : kind === 'glob' ? { ...scalar, splits: true } : scalar;
  }
  let v = literal('');
  for (const p of all) v = concat(v, p.kind === 'list' ? joinedList(p.value, state) : p.value);
  if (v.texts?.length === 1) return v;
  return { ...v, lead: leadOf(all), vanishes: all.every((p) => p.value.vanishes) };
}

/** All words of a list as one text. */
function joinedList(value: Value, state: ShellState): Value {
  return joined(value, state);
}

/** As `wordValue`, for an assignment. The tilde after a colon is not expanded here, so such a value is unknown. */
export function assignmentValue(word: Word, state: ShellState, host: WordHost): Value {
  const v = wordValue(word, state, host);
  return /:~/.test(word.text) ? ANYTHING : v;
}

/** A word without shell syntax, or null for any other word. */
export function plainWord(word: Word, host: WordHost, at: { pos: number; end: number }): Arg | null {
  const { text } = word;
  return isPlain(text) && host.look(text.length, word) ? new Arg(text, text, at.pos, at.end) : null;
}

/**
 * Counts the characters that a word contains beyond its source text. If variables are built from each other, their length can
 * double with each assignment.
 */
function follows(all: readonly WordPiece[], word: Word, host: WordHost): boolean {
  let addedCharacters = -word.text.length;
  for (const { value } of all) for (const text of value.texts ?? NO_TEXTS) addedCharacters += text.length;
  return addedCharacters <= 0 || host.look(addedCharacters, word);
}

/** Maximum number of combinations of piece texts that are followed. */
const MAX_COMBINED = 8;

/**
 * Every combination of the texts of the pieces. Each piece in a combination has one text or exact items. Null if a text is
 * unknown or there are too many combinations.
 */
function combined(all: readonly WordPiece[]): WordPiece[][] | null {
  let out: WordPiece[][] = [[]];
  for (const piece of all) {
    const { value, kind } = piece;
    const isList = kind === 'list';
    if (isList ? !value.items?.isExact || value.items.values.some(({ texts }) => texts?.length !== 1) : value.texts === null)
      return null;
    const each =
      isList || value.texts!.length === 1 ? [piece] : value.texts!.map((text) => ({ ...piece, value: textValue(text) }));
    if (out.length * each.length > MAX_COMBINED) return null;
    if (each.length === 1) for (const before of out) before.push(each[0]!);
    else out = out.flatMap((before) => each.map((one) => [...before, one]));
  }
  return out;
}

/**
 * A word under construction: its text, and the same text as a pattern. Quoted wildcards do not act as wildcards in the pattern.
 */
interface Field {
  text: string;
  pattern: string;
  isPattern: boolean;
  lead: string;
}

const WILD = /[*?[\\]/g;

/** The words that pieces with one text each form after Bash splits them. */
function fieldsOf(all: readonly WordPiece[]): Field[] {
  const out: Field[] = [];
  let field: Field | null = null;
  const add = (text: string, isWild: boolean): void => {
    field ??= { text: '', pattern: '', isPattern: false, lead: '' };
    field.text += text;
    field.pattern += isWild ? text : text.replace(WILD, '?');
    const at = isWild ? text.search(/[*?[]/) : -1;
    if (!field.isPattern) field.lead += at < 0 ? text : text.slice(0, at);
    if (at >= 0) field.isPattern = true;
  };
  const end = (): void => {
    if (field !== null) out.push(field);
    field = null;
  };
  const addOpen = (text: string): void => {
    const words = text.split(/[ \t\n]+/);
    words.forEach((word, i) => {
      if (i > 0) end();
      if (word !== '') add(word, true);
    });
  };
  for (const { value, open, kind } of all) {
    const texts = kind === 'list' ? value.items!.values.map((one) => one.texts![0]!) : value.texts!;
    texts.forEach((text, i) => {
      if (i > 0) end();
      if (open) addOpen(text);
      else add(text, kind === 'glob');
    });
  }
  end();
  return out;
}

/** The words that a command receives: after brace, tilde, and other expansions, splitting, and globbing. */
export function expandWord(word: Word, state: ShellState, host: WordHost): Arg[] {
  const { text } = word;
  const brace = text.indexOf('{');
  return expand(word, state, host, brace !== -1 && /,|\.\./.test(text.slice(brace)));
}

/** The word with the process substitutions that the parser takes for plain text. */
export function whole(word: Word, host: WordHost): Word {
  const found = wholeWord(word);
  if (found === null)
    host.effects.worsen(host.current, 'unknown', 'a process substitution inside a word is not understood', word, true);
  return found ?? word;
}

function expand(written: Word, state: ShellState, host: WordHost, hasBraces: boolean): Arg[] {
  const word = whole(written, host);
  const { pos, end, text } = word;
  const plain = plainWord(word, host, word);
  if (plain !== null) return [plain];
  if (!host.look(text.length, word)) return [argOf({ text, pos, end, many: true })];
  const hasTilde = text.startsWith('~') || (text.includes('~') && LIKE_ASSIGNMENT.test(text));
  if (!word.parts && !hasTilde && !hasBraces) {
    if (text.includes('$') && ZSH_DOLLAR.test(text)) host.fault('zsh reads $= $~ $^ as expansions', pos, end);
    const equals = text.startsWith('=') && text.length > 1;
    const { value } = word;
    const quoted = quote(value);
    return [equals ? argOf({ value, text: quoted, pos, end, equals }) : new Arg(value, quoted, pos, end)];
  }
  const list = hasBraces ? expandBraces(text) : [text];
  // Unquoted empty results produce no word.
  if (list !== null && (list.length !== 1 || list[0] !== text))
    return list.filter((x) => x !== '').flatMap((x) => reread(x, pos, end, state, host));
  const all = list === null ? aroundBraces(word, state, host) : pieces(word, state, host);
  if (!follows(all, word, host)) return [argOf({ text, pos, end, many: true })];
  const separators = separatorsOf(state);
  const hasSeparators = separators !== null;
  const blanks = blanksIn(all);
  if (blanks > 0 && !host.look(blanks * SPLIT, word)) return [argOf({ text, pos, end, many: true })];
  const isSplit = all.some(
    ({ open, kind, value }) => open && (hasSeparators || (kind === 'list' && value.items?.values.some((one) => one.splits))),
  );
  const combinations = isSplit ? null : withoutRootNames(combined(all), host);
  const fields = combinations?.map(fieldsOf) ?? null;
  if (combinations?.length === 1) {
    const certain = exactWords(word, combinations[0]!, fields![0]!);
    if (certain !== null) return certain;
  }
  return [openWord(word, all, fields, separators)];
}

/**
 * Without the words that name something new in the root folder, `/a` for `"$(mktemp -d)/a"`, because mktemp failed. A path in a folder
 * of the root that is usual, or that contains the project or the home folder, stays.
 */
function withoutRootNames(combinations: WordPiece[][] | null, host: WordHost): WordPiece[][] | null {
  if (combinations === null || combinations.length < 2) return combinations;
  const texts = combinations.map((pieces) => pieces.map(({ value }) => value.texts?.[0] ?? '').join(''));
  const isNew = (text: string): boolean => {
    const [, top] = /^\/([^/]+)/.exec(text) ?? [];
    const isUsual =
      top === undefined || ROOT_FOLDERS.test(top) || [host.home, ...host.visited].some((one) => isFirstIn(top, one));
    return (
      !isUsual &&
      texts.some((other) => other.length > text.length && other.endsWith(text) && NEW.test(other.slice(0, -text.length)))
    );
  };
  return combinations.filter((_, at) => !isNew(texts[at]!));
}

const isFirstIn = (top: string, folder: string): boolean => folder === `/${top}` || folder.startsWith(`/${top}/`);

/** The whole output of mktemp, which has no name yet. */
const NEW = /XXX$/;
const ROOT_FOLDERS =
  /^(?:\.|bin|boot|data|dev|etc|home|lib\w*|media|mnt|nix|opt|private|proc|root|run|sbin|snap|srv|sys|tmp|usr|var|workspaces?|Applications|Library|System|Users|Volumes|[*?[])/;

/** The number of blanks where unquoted texts may be split. */
function blanksIn(all: readonly WordPiece[]): number {
  let blanks = 0;
  for (const { value, open } of all)
    if (open)
      for (const text of value.texts ?? NO_TEXTS)
        for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) <= 32) blanks++;
  return blanks;
}

/** Words that are certain, or null if shells disagree on their number. */
function exactWords({ text, pos, end }: Word, all: readonly WordPiece[], fields: readonly Field[]): Arg[] | null {
  const whole = all.some(({ kind }) => kind === 'list') ? null : all.map(({ value }) => value.texts![0]!).join('');
  if (fields.length === 0 && whole !== null && whole !== '') return null;
  const hidden = all.some(({ kind }) => kind === 'hidden');
  const isSplit = whole !== null && all.some(({ open, value }) => open && /[ \t\n]/.test(value.texts![0]!));
  const isWritten = fields.length === 1 && all.some(({ kind }) => kind === 'glob');
  return fields.map((field, i) => {
    const value = field.isPattern ? field.pattern : field.text;
    return argOf({
      value,
      pattern: field.isPattern,
      lead: field.isPattern ? field.lead : value,
      text: isWritten || hidden ? text : field.isPattern ? value : quote(value),
      pos,
      end,
      equals: i === 0 && text.startsWith('='),
      hidden,
      whole: isSplit ? (i === 0 ? whole : '') : null,
    });
  });
}

/** A word that is not fully known. */
function openWord(
  { text, pos, end }: Word,
  all: readonly WordPiece[],
  combinations: Field[][] | null,
  separators: RegExp | null,
): Arg {
  const hasSeparators = separators !== null;
  const only = all.length === 1 ? all[0]! : null;
  const hasGlob = all.some(({ kind }) => kind === 'glob');
  const many = hasGlob || all.some(({ open, kind, value }) => kind === 'list' || (open && (value.splits || hasSeparators)));
  const int = only?.value.int ?? false;
  const shape = many || hasGlob ? null : shapeOf(all);
  const last = all.at(-1)!;
  const isSingle = combinations !== null && !many && combinations.every((fields) => fields.length === 1 && !fields[0]!.isPattern);
  const names = combinations
    ?.flat()
    .map((field): NamePart => ({ text: field.isPattern ? field.pattern : field.text, how: field.isPattern ? 'glob' : 'one' }));
  const known: NameSearch | null = names && names.length > 0 ? { names, isAll: true } : null;
  const some = isSingle || known ? null : (listNames(all) ?? namesIn(all) ?? (hasSeparators ? textsIn(all) : null));
  // Quoted blanks do not split a word.
  const isOpen = all.every(({ open, value }) => open || !namesOf(value)?.names.some((one) => /\s/.test(one.text)));
  const nameSearch = known ?? (some !== null && many ? splitNames(some, separators ?? (isOpen ? null : BLANKS)) : some);
  return argOf({
    value: null,
    lead: int ? '0' : leadOf(all),
    many,
    text,
    pos,
    end,
    texts: isSingle && !hasGlob ? combinations!.map(([field]) => field!.text) : null,
    int,
    found: nameSearch,
    vanishes: all.every((p) => p.open && p.value.vanishes),
    tail: only === null && isStatic(last) ? last.value.texts![0]! : '',
    equals: text.startsWith('='),
    outlines: outlinesIn(all, hasSeparators),
    confined: !many && all.every(({ value }) => isConfined(value)),
    shape,
    each: only !== null && (only.kind === 'list' || (only.open && !hasSeparators)) ? (only.value.each ?? null) : null,
    numbered: many || hasGlob ? null : numberedText(all, shape !== null),
  });
}

/** The form of an unknown word, if each of its parts has a known form. */
function shapeOf(all: readonly WordPiece[]): OutputForm | null {
  const [first, ...rest] = all;
  if (first === undefined) return null;
  if (rest.length === 0) return first.value.shape ?? null;
  // If the first part is empty, the word begins with the next part.
  if (first.value.texts === null && !/^[\w./@,]/.test(leadOf(rest))) return null;
  let shape: OutputForm | undefined;
  for (const [i, { value, kind }] of all.entries()) {
    const own = kind === 'hidden' ? undefined : (value.shape ?? (isName(value) ? PLAIN_NAME : undefined));
    shape = i === 0 ? own : joinShapes(shape, own);
    if (shape === undefined) return null;
  }
  return shape ?? null;
}

const PLAIN_NAME: OutputForm = { kind: 'name', unless: [] };

/** A number, or a text without blanks, globs, or a leading dash. */
function isName({ int, lead, texts }: Value): boolean {
  return texts === null ? int && lead === '0' : texts.every((text) => /^[\w./@:~^{}=,+%][\w./@:~^{}=,+%-]*$/.test(text));
}

/** The text with `1` in place of each unknown number. A number on a condition counts only if the word keeps that condition. */
function numberedText(all: readonly WordPiece[], isShaped: boolean): string | null {
  let text = '';
  for (const { value, kind } of all) {
    if (!isShaped && value.shape !== undefined && value.shape.unless.length > 0) return null;
    const isNumber = value.int || value.shape?.kind === 'count' || (value.texts?.every((one) => /^\d+$/.test(one)) ?? false);
    if (kind === 'list' || kind === 'hidden' || (value.texts?.length !== 1 && !isNumber)) return null;
    text += value.texts?.length === 1 ? value.texts[0]! : '1';
  }
  return text;
}

/** Names in a list: each of its words alone, and the first and the last word joined with the adjacent text. */
function listNames(all: readonly WordPiece[]): NameSearch | null {
  const list = all.find(({ kind }) => kind === 'list');
  if (list?.value.found === undefined) return null;
  const around = namesIn(all);
  if (all.length === 1) return list.value.found;
  return { ...(around === null ? list.value.found : unionNames(list.value.found, around)), isAll: false };
}

const BLANKS = /\s+/;

/** The characters at which an unquoted value is split, if the text sets them. */
function separatorsOf(state: ShellState): RegExp | null {
  if (!state.has('IFS')) return null;
  const { texts } = state.get('IFS');
  // An unknown value may be any punctuation.
  if (texts === null) return /[^\w./-]+/;
  return new RegExp(`[${texts.join('').replace(/[\\\]^-]/g, '\\$&')}]`);
}

/** The whole text, if it is known. */
function textsIn(all: readonly WordPiece[]): NameSearch | null {
  const texts = combined(all)?.map((pieces) => pieces.map(({ value }) => value.texts?.[0] ?? '').join(''));
  return texts ? among(texts.map((text) => ({ text, how: 'one' }))) : null;
}

/**
 * Names after Bash splits them and expands them as globs. zsh does neither.
 * @param separators the characters at which they are split, if they are not the usual ones or only some parts are split
 */
function splitNames(nameSearch: NameSearch, separators: RegExp | null): NameSearch {
  const parts = nameSearch.names.flatMap(({ text, how }): NamePart[] => {
    if (how !== 'one' || !(/[\s*?[]/.test(text) || separators?.test(text))) return [];
    return text
      .split(separators ?? BLANKS)
      .filter(Boolean)
      .map((one) => ({ text: one, how: /[*?[]/.test(one) ? 'glob' : 'one' }));
  });
  if (separators) return { names: unionNames(nameSearch, among(parts) ?? nameSearch).names, isAll: false };
  const { isAll } = nameSearch;
  const more = among(parts);
  return more === null
    ? { ...nameSearch, isAll }
    : {
        ...unionNames(nameSearch, { ...more, isAll: parts.length <= more.names.length }),
        isAll: isAll && nameSearch.names.length + parts.length <= 200,
      };
}

function isStatic({ value, open, kind }: WordPiece): boolean {
  return !open && kind === 'text' && value.texts?.length === 1;
}

/** A word with more brace expansions than are followed. Only the parts before the first and after the last of them are kept. */
function aroundBraces(word: Word, state: ShellState, host: WordHost): WordPiece[] {
  const parts = word.parts ?? [];
  const isBraces = (part: WordPart) => part.type === 'BraceExpansion';
  inner(parts, state, host);
  const gap = closedPiece(ANYTHING, 'list');
  const first = parts.findIndex(isBraces);
  if (first < 0) return [gap];
  const last = parts.findLastIndex(isBraces);
  const around = [...parts.slice(0, first), null, ...parts.slice(last + 1)];
  return around.flatMap((part) => (part === null ? gap : pieceOf(part, state, host, false)));
}

function reread(text: string, pos: number, end: number, state: ShellState, host: WordHost): Arg[] {
  if (!host.look(BRACED + text.length, { pos, end })) return [argOf({ text, pos, end, many: true })];
  if (isPlain(text)) return [new Arg(text, text, pos, end)];
  const script = parse(`x ${text}`);
  const node = script.commands[0]?.command;
  if (node?.type !== 'Command' || node.suffix.length !== 1 || node.suffix[0]!.type !== 'Word') {
    return [argOf({ text, pos, end, many: true })];
  }
  return expand(node.suffix[0]!, state, host, false).map((a) => a.at({ pos, end }));
}

/** The value of a variable after a word is assigned to it. */
export function valueOfWord(arg: Arg): Value {
  if (arg.value !== null && !arg.pattern) return textValue(arg.value);
  if (arg.each) return arg.each;
  if (arg.shape?.kind === 'job') return JOB;
  if (arg.int) return arg.vanishes ? COUNT : INTEGER;
  if (arg.shape) return { ...ANYTHING, splits: false, vanishes: true, shape: arg.shape, lead: arg.lead, outlines: arg.outlines };
  if (arg.texts) return arg.texts.map(textValue).reduce(joinValues);
  // Names from `find` may be anything below their starting folders.
  if (arg.below) return { ...ANYTHING, found: among(arg.below.map((text) => ({ text, how: 'deep' }))) ?? undefined };
  const nameSearch =
    arg.value !== null ? { names: [{ text: arg.value, how: 'glob' as const }], isAll: true } : (arg.found ?? undefined);
  // If a command or a glob yields several words, no single name in them is certain.
  const isAll = nameSearch?.isAll && (!arg.many || nameSearch.names.every(({ how }) => how === 'one'));
  return {
    texts: null,
    int: false,
    lead: arg.many ? '' : arg.lead,
    splits: true,
    found: nameSearch && { ...nameSearch, isAll: isAll ?? false, ...(isKnown(nameSearch) && { isListed: true }) },
    outlines: arg.value === null ? arg.outlines : undefined,
    ...(arg.confined && { confined: true }),
  };
}

/** Values of words that become parameters of a function or a script, or elements of an array. */
export function parametersOf(args: readonly Arg[]): Items {
  const values = args.map(valueOfWord);
  return areNumbered(args) ? { values, isExact: true } : anyItems(values);
}
