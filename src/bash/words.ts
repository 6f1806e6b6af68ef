// Words: what Bash makes of them before a command sees them. Static text where that is certain, else what is known of it.
import { parse, type Word, type WordPart } from 'unbash';
import { Arg, argOf, isPlain, quote } from './arg.ts';
import { checkAssignment } from './assignments.ts';
import { BRACED, expandBraces } from './braces.ts';
import { among, type Found, surrounded } from './found.ts';
import { concatOutlines, type Outlines } from './outline.ts';
import { hasDoubtfulQuotes } from './shapes.ts';
import { ANYTHING, COUNT, INTEGER, isConfined, joinValues, outlinesOf, type State, textValue, type Value } from './state.ts';
import { checkSubscripts, ZSH_DOLLAR } from './zsh.ts';

/** What words need of the walk: nested scripts, trouble, arithmetic. */
export interface WordHost {
  readonly home: string;
  /** Walks a substitution's script; says what it certainly prints, else null. */
  substitution(part: Extract<WordPart, { type: 'CommandExpansion' | 'ProcessSubstitution' }>, state: State): Value;
  /** Checks an arithmetic expression: every variable in it must be a known integer. */
  arithmetic(part: Extract<WordPart, { type: 'ArithmeticExpansion' }>, state: State): void;
  /** Checks text that Bash reads as arithmetic (offsets, subscripts). */
  arithmeticWord(word: Word, state: State, what: string): void;
  trouble(text: string, pos: number, end: number): void;
  /** Counts so many characters that are looked at; false when there are too many to follow. */
  look(characters: number, at: { pos: number; end: number }): boolean;
}

/** What each of the words that a variable is split into counts for, beside its characters. */
const SPLIT = 12;

const NO_TEXTS: string[] = [];

interface Piece {
  value: Value;
  /** Unquoted and not literal: subject to splitting and globbing. */
  open: boolean;
  glob?: boolean;
  /** `"$@"`, arrays: any number of words even in quotes. */
  list?: boolean;
  hidden?: boolean;
}

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

function parameter(name: string, state: State, host: WordHost): { value: Value; list: boolean } {
  if (name === '@' || name === '*') return { value: ANYTHING, list: name === '@' };
  if (/^\d+$/.test(name)) {
    const n = Number(name);
    if (n >= 1 && state.positional && n <= state.positional.length) return { value: state.positional[n - 1]!, list: false };
    if (n >= 1 && state.positional) return { value: textValue(''), list: false };
    return { value: ANYTHING, list: false };
  }
  if (!state.has(name)) {
    if (name === '?' || name === '#' || name === '$' || name === '!') return { value: INTEGER, list: false };
    if (SPECIAL_INT.has(name)) return { value: INTEGER, list: false };
    if (name === 'HOME') return { value: textValue(host.home), list: false };
    if (name === 'PWD' && state.cwd !== null) return { value: textValue(state.cwd), list: false };
    if (name === '-') return { value: { texts: null, int: false, lead: '', splits: false }, list: false };
  }
  return { value: state.get(name), list: false };
}

function expansion(
  part: Extract<WordPart, { type: 'ParameterExpansion' }>,
  state: State,
  host: WordHost,
  quoted: boolean,
): { value: Value; list: boolean } {
  const bad = (text: string) => host.trouble(text, part.pos, part.end);
  const op = part.operation;
  let list = false;
  if (part.parameter === '' || op?.type === 'Unknown') bad('an expansion that is not Bash');
  if (quoted && op && hasDoubtfulQuotes(op)) bad('shells differ on where a quote inside braces ends');
  if (part.index) {
    const index = part.index.text;
    if (index === '@' || index === '*') list = index === '@';
    else host.arithmeticWord(part.index, state, 'a subscript');
  }
  if (part.prefix === '#') return { value: INTEGER, list: false };
  if (part.prefix === '!') {
    // ${!array[@]} lists indices and ${!prefix*} names; anything else evaluates what the variable holds.
    if (part.index && list) return { value: ANYTHING, list: true };
    if (op?.type === 'Names') return { value: ANYTHING, list: op.operator === '@' };
    bad('an indirect expansion evaluates what the variable holds');
    return { value: ANYTHING, list };
  }
  const base = part.index ? { value: ANYTHING, list } : parameter(part.parameter, state, host);
  list ||= base.list;
  if (!op) return { value: base.value, list };
  switch (op.type) {
    case 'Default': {
      const operand = wordValue(op.operand, state, host, quoted);
      if (op.operator.endsWith('=')) {
        const { taint } = checkAssignment(part.parameter, ANYTHING, 'plain');
        if (taint) bad(taint);
        state.set(part.parameter, ANYTHING);
      }
      const known = state.has(part.parameter) && base.value.texts;
      if (known && !list) {
        const empty = op.operator.startsWith(':') && base.value.texts!.includes('');
        const only = empty && base.value.texts!.length === 1;
        if (op.operator.endsWith('+')) return { value: empty ? ANYTHING : operand, list };
        return { value: only ? operand : empty ? joinValues(base.value, operand) : base.value, list };
      }
      return { value: joinValues(ANYTHING, operand), list };
    }
    case 'Remove':
    case 'CaseModification':
      if (op.operand) wordValue(op.operand, state, host, true);
      return { value: ANYTHING, list };
    case 'Replace':
      wordValue(op.pattern, state, host, true);
      wordValue(op.replacement, state, host, true);
      return { value: ANYTHING, list };
    case 'Slice':
      host.arithmeticWord(op.offset, state, 'an offset');
      if (op.length) host.arithmeticWord(op.length, state, 'a length');
      return { value: ANYTHING, list };
    case 'Transform':
      if (!/^[QULuKkAaE]$/.test(op.operand.value) || op.operand.parts)
        bad(`\${…@${op.operand.value}} may run what the variable holds`);
      return { value: ANYTHING, list };
    case 'Names':
      return { value: ANYTHING, list: op.operator === '@' };
    default:
      bad('an expansion that is not understood');
      return { value: ANYTHING, list };
  }
}

/** Parts of a word that is a pattern or a choice as a whole. */
function inner(parts: readonly WordPart[] | undefined, state: State, host: WordHost): void {
  if (!parts) return;
  checkSubscripts(parts, state, host);
  for (const p of parts) pieceOf(p, state, host, true);
}

function pieceOf(part: WordPart, state: State, host: WordHost, quoted: boolean): Piece[] {
  switch (part.type) {
    case 'Literal':
      if (ZSH_DOLLAR.test(part.text)) host.trouble('zsh reads $= $~ $^ as expansions', part.pos, part.end);
      return [{ value: literal(part.value), open: false }];
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [{ value: literal(part.value), open: false }];
    case 'DoubleQuoted':
    case 'LocaleString':
      if (part.parts.length === 0) return [{ value: literal(''), open: false }];
      if (part.parts.length > 1) checkSubscripts(part.parts, state, host);
      return part.parts.length === 1
        ? closed(pieceOf(part.parts[0]!, state, host, true))
        : part.parts.flatMap((p) => closed(pieceOf(p, state, host, true)));
    case 'Glob':
      inner(part.parts, state, host);
      return [{ value: literal(part.text), open: false, glob: true }];
    case 'ExtendedGlob':
      host.trouble('an extended glob, which other shells read differently', part.pos, part.end);
      inner(part.parts, state, host);
      return [{ value: ANYTHING, open: true, glob: true }];
    case 'BraceExpansion':
      inner(part.parts, state, host);
      return [{ value: ANYTHING, open: true, list: true }];
    case 'SimpleExpansion': {
      const p = parameter(part.text.slice(1), state, host);
      return [{ value: p.value, open: !quoted, list: p.list }];
    }
    case 'ParameterExpansion': {
      const p = expansion(part, state, host, quoted);
      return [{ value: p.value, open: !quoted, list: p.list }];
    }
    case 'CommandExpansion':
      return [{ value: host.substitution(part, state), open: !quoted }];
    case 'ProcessSubstitution':
      host.substitution(part, state);
      return [{ value: literal('/dev/fd/63'), open: false, hidden: true }];
    case 'ArithmeticExpansion':
      host.arithmetic(part, state);
      return [{ value: INTEGER, open: !quoted }];
  }
}

function closed(inner: Piece[]): Piece[] {
  return inner.some(({ open }) => open) ? inner.map((piece) => ({ ...piece, open: false })) : inner;
}

function literal(text: string): Value {
  return { texts: [text], int: false, lead: text, splits: false };
}

function pieces(word: Word, state: State, host: WordHost, quoted = false): Piece[] {
  const text = word.text;
  const single = word.parts?.length === 1 && !(text.startsWith('~') && !quoted) ? word.parts[0]! : null;
  if (single !== null) return pieceOf(single, state, host, quoted);
  const out: Piece[] = [];
  let parts = word.parts;
  if (text.startsWith('~') && !quoted) {
    const m = /^~([^/\s'"\\$`*?[]*)/.exec(text)!;
    const first = parts?.[0];
    const plain =
      !parts ||
      (first?.type === 'Literal' && first.text.startsWith(m[0]) && (first.text.length > m[0].length || parts.length === 1));
    if (plain) {
      const rest = (parts ? (first as { value: string }).value : word.value).slice(m[0].length);
      if (rest === '' || rest.startsWith('/')) {
        if (m[1] === '' && !state.has('HOME')) out.push({ value: literal(host.home), open: false });
        else if (m[1] === '+' && state.cwd !== null) out.push({ value: literal(state.cwd), open: false });
        else out.push({ value: { texts: null, int: false, lead: m[1] === '' ? '' : '/', splits: false }, open: false });
        out.push({ value: literal(rest), open: false });
        if (!parts) return out;
        parts = parts.slice(1);
      }
    }
  }
  if (!parts) {
    out.push({ value: literal(word.value), open: false });
    return out;
  }
  if (parts.length > 1) checkSubscripts(parts, state, host);
  for (const p of parts) for (const piece of pieceOf(p, state, host, quoted)) out.push(piece);
  return out;
}

function concat(a: Value, b: Value): Value {
  let texts: string[] | null = null;
  if (a.texts?.length === 1 && b.texts?.length === 1) texts = [a.texts[0]! + b.texts[0]!];
  else if (a.texts && b.texts && a.texts.length * b.texts.length <= 8) texts = a.texts.flatMap((x) => b.texts!.map((y) => x + y));
  const outlines = texts === null ? concatOutlines(outlinesOf(a), outlinesOf(b)) : undefined;
  const confined = texts === null && isConfined(a) && isConfined(b);
  return { texts, int: false, lead: '', splits: a.splits || b.splits, outlines, ...(confined && { confined }) };
}

/** What is known of the beginning that pieces make together. */
function leadOf(all: readonly Piece[]): string {
  let lead = '';
  for (let i = 0; i < all.length; i++) {
    const { value, glob, list } = all[i]!;
    if (glob || list) return lead;
    // Where it is empty the word begins as the next piece does.
    if (value.vanishes && (lead !== '' || (i + 1 < all.length && /^-|^$/.test(leadOf(all.slice(i + 1)))))) return lead;
    lead += value.lead;
    if (value.texts?.length !== 1) return lead;
  }
  return lead;
}

/** The pieces of text that are certain. A pattern and a list may stand for any text. */
function outlinesIn(all: readonly Piece[]): Outlines {
  let outlines: Outlines = [['']];
  for (const { value, glob, list } of all) outlines = concatOutlines(outlines, glob || list ? undefined : outlinesOf(value));
  return outlines;
}

/** Names that pieces may make together: those of one of them, between texts that are known. */
function foundIn(all: readonly Piece[]): Found | null {
  const at = all.findIndex((p) => p.value.found);
  const found = all[at]?.value.found;
  if (!found) return null;
  const around = (some: readonly Piece[]) => (some.every(isStatic) ? some.map((p) => p.value.texts![0]!).join('') : null);
  const before = around(all.slice(0, at));
  const behind = around(all.slice(at + 1));
  return before === null || behind === null ? null : surrounded(found, before, behind);
}

/** The value of a word where nothing is split or globbed: assignments, here-strings, `case`, `[[ ]]`. */
export function wordValue(word: Word, state: State, host: WordHost, quoted = false): Value {
  if (!host.look(word.text.length, word)) return ANYTHING;
  if (isPlain(word.text)) return textValue(word.text);
  if (!word.parts && !word.text.startsWith('~')) return textValue(word.value);
  const all = pieces(word, state, host, quoted);
  if (!follows(all, word, host)) return ANYTHING;
  if (all.length === 1)
    return all[0]!.list || all[0]!.glob ? { ...all[0]!.value, texts: all[0]!.list ? null : all[0]!.value.texts } : all[0]!.value;
  let v = literal('');
  for (const p of all) v = concat(v, p.list ? ANYTHING : p.value);
  if (v.texts?.length === 1) return textValue(v.texts[0]!);
  return { ...v, lead: leadOf(all), vanishes: all.every((p) => p.value.vanishes), found: foundIn(all) ?? undefined };
}

/** As `wordValue`, with the tilde after `=` and `:` of an assignment not expanded: such values count as not known. */
export function assignmentValue(word: Word, state: State, host: WordHost): Value {
  const v = wordValue(word, state, host);
  return /:~/.test(word.text) ? ANYTHING : v;
}

/** A word that holds nothing of a shell; null for any other. */
export function plainWord(word: Word, host: WordHost, at: { pos: number; end: number }): Arg | null {
  const { text } = word;
  return isPlain(text) && host.look(text.length, word) ? new Arg(text, text, at.pos, at.end) : null;
}

/** Counts what a word holds beside what is written: variables that hold each other double with each assignment. */
function follows(all: readonly Piece[], word: Word, host: WordHost): boolean {
  let held = -word.text.length;
  for (const { value } of all) for (const text of value.texts ?? NO_TEXTS) held += text.length;
  return held <= 0 || host.look(held, word);
}

function isStatic({ value, open, glob, list, hidden }: Piece): boolean {
  return !open && !glob && !list && !hidden && value.texts?.length === 1;
}

/** What a word becomes as command words: braces, tilde, expansions, splitting, globbing. */
export function expandWord(word: Word, state: State, host: WordHost): Arg[] {
  const { pos, end } = word;
  const plain = plainWord(word, host, word);
  if (plain !== null) return [plain];
  if (!host.look(word.text.length, word)) return [argOf({ text: word.text, pos, end, many: true })];
  if (!word.parts && !word.text.startsWith('~')) {
    if (word.text.includes('$') && ZSH_DOLLAR.test(word.text)) host.trouble('zsh reads $= $~ $^ as expansions', pos, end);
    const equals = word.text.startsWith('=') && word.text.length > 1;
    const { value } = word;
    const quoted = quote(value);
    return [equals ? argOf({ value, text: quoted, pos, end, equals }) : new Arg(value, quoted, pos, end)];
  }
  if (word.parts?.some((p) => p.type === 'BraceExpansion')) {
    const list = expandBraces(word.text);
    if (list) {
      // Empty results vanish.
      return list.filter((x) => x !== '').flatMap((x) => reread(x, pos, end, state, host));
    }
  }
  const all = pieces(word, state, host);
  if (!follows(all, word, host)) return [argOf({ text: word.text, pos, end, many: true })];
  const only = all.length === 1 ? all[0]! : null;
  // One quoted text.
  if (only !== null && isStatic(only) && !word.text.startsWith('=')) {
    const value = only.value.texts![0]!;
    return [new Arg(value, quote(value), pos, end)];
  }
  if (only?.open && only.value.texts?.length === 1 && !only.list) return splitStatic(only.value.texts[0]!, word, state, host);
  let v = literal('');
  let glob = false;
  let many = false;
  for (const p of all) {
    const value = p.list ? ANYTHING : p.value;
    v = concat(v, value);
    if (p.glob) glob = true;
    if (p.list || (p.open && (value.splits || state.has('IFS')))) many = true;
  }
  const lead = leadOf(all);
  const equals = word.text.startsWith('=');
  if (v.texts?.length === 1 && !many) {
    const value = v.texts[0]!;
    const hidden = all.some((p) => p.hidden);
    return [
      argOf({
        value,
        pattern: glob,
        lead: glob ? lead : value,
        text: glob || hidden ? word.text : quote(value),
        pos,
        end,
        equals,
        hidden,
      }),
    ];
  }
  const int = only?.value.int ?? false;
  return [
    argOf({
      value: null,
      lead: int ? '0' : lead,
      many,
      text: word.text,
      pos,
      end,
      texts: glob || many ? null : v.texts,
      int,
      found: foundIn(all),
      outlines: outlinesIn(all),
      confined: !many && !glob && all.every(({ value }) => isConfined(value)),
      vanishes: all.every((p) => p.open && p.value.vanishes),
      tail: only === null && isStatic(all.at(-1)!) ? all.at(-1)!.value.texts![0]! : '',
      equals,
    }),
  ];
}

function reread(text: string, pos: number, end: number, state: State, host: WordHost): Arg[] {
  if (!host.look(BRACED + text.length, { pos, end })) return [argOf({ text, pos, end, many: true })];
  if (isPlain(text)) return [new Arg(text, text, pos, end)];
  const script = parse(`x ${text}`);
  const node = script.commands[0]?.command;
  if (node?.type !== 'Command' || node.suffix.length !== 1 || node.suffix[0]!.type !== 'Word') {
    return [argOf({ text, pos, end, many: true })];
  }
  return expandWord(node.suffix[0]!, state, host).map((a) => a.at({ pos, end }));
}

/** An unquoted expansion whose text is known: split at blanks, each word a glob if it looks like one. */
function splitStatic(text: string, word: Word, state: State, host: WordHost): Arg[] {
  const words = text.split(/[ \t\n]+/).filter((x) => x !== '');
  const isFollowed = words.length < 2 || host.look(words.length * SPLIT, word);
  if (!isFollowed || state.has('IFS') || (words.length === 0 && text !== ''))
    return [argOf({ text: word.text, many: true, pos: word.pos, end: word.end })];
  const isSplit = words[0] !== text;
  return words.map((x, i) => {
    const whole = isSplit ? (i === 0 ? text : '') : null;
    const glob = /[*?[]/.test(x);
    const lead = glob ? x.slice(0, x.search(/[*?[]/)) : x;
    return argOf({ value: x, pattern: glob, lead, text: glob ? x : quote(x), pos: word.pos, end: word.end, whole });
  });
}

/** What a variable holds that was set to a word. */
export function valueOfWord(arg: Arg): Value {
  if (arg.value !== null && !arg.pattern) return textValue(arg.value);
  if (arg.int) return arg.vanishes ? COUNT : INTEGER;
  if (arg.texts) return arg.texts.map(textValue).reduce(joinValues);
  // Names that a glob finds may hold anything behind its literal beginning.
  if (arg.below) return { ...ANYTHING, found: among(arg.below.map((text) => ({ text, how: 'deep' }))) ?? undefined };
  const found =
    arg.value !== null ? { names: [{ text: arg.value, how: 'glob' as const }], isAll: true } : (arg.found ?? undefined);
  return {
    texts: null,
    int: false,
    lead: arg.many ? '' : arg.lead,
    splits: true,
    outlines: arg.value === null ? arg.outlines : undefined,
    ...(arg.confined && { confined: true }),
    found: arg.many && found ? { ...found, isAll: false } : found,
  };
}
