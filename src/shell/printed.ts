// The output of simple commands, as far as their words determine it: names that a substitution or a pipe passes on.
import { posix } from 'node:path';
import type { Command, PipelineNode, Statement } from 'unbash';
import type { Arg } from './arg.ts';
import type { CommandCall } from './call.ts';
import { ESCAPE, echoed, escaped } from './escapes.ts';
import { among, type FoundName, GAP, isKnown, type NameSearch, unionNames } from './possible-names.ts';
import { ANYTHING, folderValue, INTEGER, joinValues, textValue, type Value } from './state.ts';
import { absolute, basename, dirname, newTemporary } from './targets.ts';
import { concat, valueOfWord } from './words.ts';

/** With more words, the output is not followed. */
const MAX_WORDS = 64;
/** Widest field of printf that is followed. */
const MOST_PADDED = 200;

type Printer = (call: CommandCall, args: readonly Arg[]) => Value;

/** The value of each word. Null if a word may expand to several words or to no word. */
function valuesOf(args: readonly Arg[]): Value[] | null {
  const isOpen = args.length > MAX_WORDS || args.some((arg) => arg.several || arg.vanishes || arg.hidden);
  return isOpen ? null : args.map(valueOfWord);
}

/** Applies a change to each known text and adds a line end. */
function eachLine(args: readonly Arg[], change: (text: string) => string): Value {
  const values = valuesOf(args);
  if (values === null || values.length === 0) return ANYTHING;
  return values
    .map(({ texts }) => (texts === null ? ANYTHING : texts.map((text) => textValue(`${change(text)}\n`)).reduce(joinValues)))
    .reduce(concat);
}

/** Some shells interpret backslashes in the words of echo without `-e`, and others do not with it. */
function echo(_: CommandCall, args: readonly Arg[]): Value {
  const options = args.findIndex(({ literal }) => !/^-[neE]+$/.test(literal ?? ''));
  const words = options === -1 ? [] : args.slice(options);
  const values = valuesOf(words);
  if (values === null || /^-[neE]+$/.test(words[0]?.lead ?? '') || (words[0]?.lead === '' && words[0].value === null))
    return ANYTHING;
  const all = values.reduce((line, value, i) => concat(i === 0 ? line : concat(line, textValue(' ')), value), textValue(''));
  const given = args.slice(0, args.length - words.length).map(({ literal }) => literal);
  const isPlain = given.every((option) => option === '-n') && given.length < 2;
  if (isPlain && !all.texts?.some((text) => text.includes('\\'))) return given.length === 1 ? all : concat(all, textValue('\n'));
  return mayBe((all.texts ?? []).flatMap((text) => [text, echoed(text)]));
}

/** A text that is one of these or another one. */
function mayBe(texts: readonly string[]): Value {
  return { ...ANYTHING, found: among([...new Set(texts)].map((text) => ({ text, how: 'one' }))) ?? undefined };
}

const FORMAT = new RegExp(String.raw`${ESCAPE}|%%|%([-0-9.]*)([sbdiqc])|[^\\%]+`, 'gy');
/** Escape sequences that only some shells know. */
const NEW_ESCAPE = /\\[uUeE?]/;

/** The output of `printf`. */
export function printf(_: CommandCall, args: readonly Arg[]): Value {
  const [first, ...rest] = args[0]?.literal === '--' ? args.slice(1) : args;
  const format = first?.literal ?? null;
  if (format === null || /^-/.test(format)) return ANYTHING;
  const values = valuesOf(rest);
  if (values === null) {
    // The text before the first conversion is known, even if the number of words is not.
    const lead = /^[^\\%]*/.exec(format)![0];
    const tail = /[^\\%a-zA-Z]*$/.exec(format)![0];
    return open(lead, tail);
  }
  const certain = (value: Value): Value => (NEW_ESCAPE.test(format) ? mayBe(value.texts ?? []) : value);
  let out: Value = textValue('');
  let at = 0;
  for (let rounds = 0; rounds === 0 || at < values.length; rounds++) {
    const before = at;
    let end = 0;
    for (const [text, mark, width, how] of format.matchAll(FORMAT)) {
      end += text.length;
      if (text === '%%') out = concat(out, textValue('%'));
      else if (mark !== undefined) out = concat(out, textValue(escaped(mark)));
      else if (how === undefined) out = concat(out, textValue(text));
      else out = concat(out, converted(values[at++] ?? textValue(''), how, width!));
    }
    if (end !== format.length) return open(/^[^\\%]*/.exec(format)![0], '');
    if (at === before || rounds > MAX_ROUNDS) return at < values.length && at !== before ? ANYTHING : certain(out);
  }
  return certain(out);
}

const MAX_ROUNDS = 64;

function converted(value: Value, how: string, width: string): Value {
  const { texts } = value;
  if (how === 's' && width === '') return value;
  if (how === 's' && texts !== null) return texts.map((text) => textValue(padded(text, width))).reduce(joinValues);
  if (how === 'c' && texts !== null) return texts.map((text) => textValue(text.slice(0, 1))).reduce(joinValues);
  if (width !== '') return ANYTHING;
  const isPlain = texts?.every((text) =>
    how === 'b' ? !text.includes('\\') : how === 'q' ? /^[\w./+:@%-]+$/.test(text) : /^(?:0|-?[1-9]\d{0,14})$/.test(text),
  );
  if (isPlain) return value;
  return how === 'b' ? mayBe((texts ?? []).map(echoed)) : how === 'd' || how === 'i' ? INTEGER : ANYTHING;
}

/** `%-5.3s` */
function padded(text: string, width: string): string {
  const [least = '', most] = width.split('.');
  const cut = most === undefined ? text : text.slice(0, Number(most));
  const length = Math.min(Math.abs(Number(least)) || 0, MOST_PADDED);
  return least.startsWith('-') ? cut.padEnd(length) : cut.padStart(length);
}

function open(lead: string, tail: string): Value {
  return { ...ANYTHING, lead, outlines: [[lead, tail]] };
}

function pwd({ cwds, state }: CommandCall, args: readonly Arg[]): Value {
  // With -P, links are followed. The printed name differs, and leads to the same folder.
  if (args.some((arg) => !/^-[LP]+$/.test(arg.literal ?? ''))) return ANYTHING;
  if (cwds === null) return folderValue(state.candidateFolders);
  return cwds.map((cwd) => textValue(`${cwd}\n`)).reduce(joinValues);
}

function dirnames(_: CommandCall, args: readonly Arg[]): Value {
  const words = args[0]?.literal === '--' ? args.slice(1) : args;
  return words.some(({ lead }) => lead.startsWith('-')) ? ANYTHING : eachLine(words, dirname);
}

function basenames(_: CommandCall, args: readonly Arg[]): Value {
  const words = args[0]?.literal === '--' ? args.slice(1) : args;
  const isMany = words[0]?.literal === '-a';
  const [word, suffix] = isMany ? [] : words;
  if (isMany) return eachLine(words.slice(1), (text) => basename(text) || '/');
  if (word === undefined || words.length > 2 || words.some(({ lead }) => lead.startsWith('-'))) return ANYTHING;
  const end = suffix === undefined ? '' : suffix.literal;
  if (end === null) return ANYTHING;
  return eachLine([word], (text) => {
    const name = basename(text) || (text === '' ? '' : '/');
    return end !== '' && name !== end && name.endsWith(end) ? name.slice(0, -end.length) : name;
  });
}

/** Paths without symbolic links, as the disk resolves them if it can. */
function realpaths(call: CommandCall, args: readonly Arg[]): Value {
  const words = args.filter(({ literal }) => !/^-(?:[efmnqsz]+|-canonicalize\S*|-no-newline|-quiet)$/.test(literal ?? ''));
  const values = valuesOf(words);
  const isRead = call.name !== 'readlink' || words.length < args.length;
  if (values === null || values.length === 0 || !isRead || words.some(({ lead }) => lead.startsWith('-'))) return ANYTHING;
  const lines = values.map(({ texts }): Value => {
    const paths = texts?.map((text) => absolute(text, call.cwds)) ?? [null];
    if (paths.includes(null)) return { ...ANYTHING, lead: '/', outlines: [['/', '']] };
    const names = paths.flatMap((all) => all!);
    const reals = names.map((name) => call.host.disk.real(name));
    const isListed = call.host.disk.isSure && !reals.includes(null);
    const found = [...new Set([...names.map((name) => posix.normalize(name)), ...reals.filter((name) => name !== null)])];
    return {
      ...ANYTHING,
      lead: '/',
      found: { names: found.map((text) => ({ text, how: 'one' })), isAll: false, ...(isListed && { isListed }) },
      outlines: [['/', '']],
    };
  });
  return lines.length === 1 ? lines[0]! : ANYTHING;
}

function topLevel(call: CommandCall, args: readonly Arg[]): Value {
  const folders = call.cwds;
  const isShowTopLevel = args.length === 1 && args[0]!.literal === '--show-toplevel';
  if (!isShowTopLevel || folders === null || call.prefix.length > 0 || call.state.envTaint !== null) return ANYTHING;
  const tops = folders.map((folder) => call.host.disk.repository(folder));
  const names = tops.filter((top) => top !== null);
  if (call.host.disk.isSure && names.length === tops.length) return names.map((top) => textValue(`${top}\n`)).reduce(joinValues);
  // Without a disk, the top level is the folder itself or one of its parents.
  const above = folders.flatMap((folder) => folder.split('/').map((_, i, all) => all.slice(0, all.length - i).join('/') || '/'));
  const found = [...new Set([...names, ...above])].slice(0, MAX_ROUNDS);
  return {
    ...ANYTHING,
    lead: '/',
    found: { names: found.map((text) => ({ text, how: 'one' })), isAll: false },
    outlines: [['/', '']],
  };
}

/**
 * `cat <<< text` prints the text. The content of a file may have changed when the command runs, so its lines are only names for
 * reads. They are never targets or known commands.
 */
function cat(call: CommandCall, args: readonly Arg[]): Value {
  const { stdin } = call;
  if (args.length === 0)
    return stdin.kind === 'text' || (stdin.kind === 'pipe' && stdin.isAll && stdin.text !== undefined)
      ? textValue(stdin.text!)
      : passOn(call, args);
  if (args.length > MAX_WORDS || args.some(({ lead }) => lead.startsWith('-'))) return ANYTHING;
  const lists = args.map((arg) => call.namesInFile(arg));
  return lists.includes(null) ? ANYTHING : { ...ANYTHING, found: (lists as NameSearch[]).reduce(unionNames) };
}

/** Some lines of standard input, possibly in another order. */
function passOn(call: CommandCall, args: readonly Arg[]): Value {
  if (call.stdin.kind === 'inherit' || args.some(({ literal }) => !/^(?:-[a-zA-Z]*\d*|\+?\d+)$/.test(literal ?? '')))
    return ANYTHING;
  const names = call.inputNames();
  // Another option may cut a name in two.
  const areWhole = args.every(({ literal }) => /^(?:-[nru]*\d*|\d+)$/.test(literal ?? ''));
  const unless = areWhole && 'unless' in call.stdin ? call.stdin.unless : undefined;
  return names && isKnown(names)
    ? { ...ANYTHING, found: names, unless }
    : call.stdin.isAll && names
      ? { ...ANYTHING, found: { ...names, isListed: true } }
      : { ...ANYTHING, found: names ?? undefined };
}

/** Prints nothing, unless its words ask it to list values. */
function silent(_: CommandCall, args: readonly Arg[]): Value {
  const isShown =
    args.length === 0 ||
    args.some(({ lead, value }) => lead === '-o' || lead.startsWith('-p') || (lead === '' && value === null));
  return isShown ? ANYTHING : textValue('');
}

/** Numbers, one per line, if there are few. */
function seq(_: CommandCall, args: readonly Arg[]): Value {
  const numbers = args.map(({ literal }) => (/^(?:0|[1-9]\d{0,8})$/.test(literal ?? '') ? Number(literal) : Number.NaN));
  if (numbers.length === 0 || numbers.length > 3 || numbers.some(Number.isNaN)) return ANYTHING;
  const last = numbers.at(-1)!;
  const [first, step] = [numbers.length > 1 ? numbers[0]! : 1, numbers.length > 2 ? numbers[1]! : 1];
  if (step === 0 || (last - first) / step >= MAX_WORDS) return ANYTHING;
  const names: FoundName[] = [];
  for (let n = first; n <= last; n += step) names.push({ text: String(n), how: 'one' });
  return names.length === 0 ? ANYTHING : { ...ANYTHING, found: { names, isAll: false, isListed: true } };
}

/** The new file or folder of mktemp. Its template stands for the name. If mktemp fails, it prints nothing. */
function mktemp({ host, external, prefix, state }: CommandCall, args: readonly Arg[]): Value {
  const { temp, effects } = host;
  const words = args.filter(({ literal }) => literal !== '-d');
  const template = words.length === 0 ? newTemporary(temp) : words.length === 1 ? words[0]!.literal : null;
  const isUsual = prefix.length === 0 && state.envTaint === null && !state.has('TMPDIR') && !external && !effects.isLimited;
  const isInTemp = template?.startsWith(`${temp}/`) && /^[\w.-]*XXX$/.test(template.slice(temp.length + 1));
  return isUsual && isInTemp ? joinValues(textValue(`${template}\n`), textValue('')) : ANYTHING;
}

const textOf = (words: readonly Arg[]): FoundName[] =>
  words.flatMap(({ value, pattern, lead }): FoundName[] => {
    if (value === null || value === '' || lead.startsWith('-')) return [];
    const [, assigned] = /^\w+=(.+)$/s.exec(value) ?? [];
    const how = pattern ? 'glob' : 'one';
    return [{ text: value, how }, ...(assigned === undefined ? [] : [{ text: assigned, how } as const])];
  });

/** The strings in a program text, and adjacent ones as one text and as one path. */
function stringsIn(code: string): FoundName[] {
  const texts: string[] = [];
  let joined = '';
  let before: string | null = null;
  let end = -1;
  for (const match of code.matchAll(/(["'])((?:\\[\s\S]|(?!\1)[^\\])*)\1/g)) {
    const text = match[2]!.replaceAll('\\/', '/');
    joined = /^[\s+.~]*$/.test(code.slice(end, match.index)) && end >= 0 ? joined + text : text;
    end = match.index + match[0].length;
    texts.push(text, joined, ...(before === null ? [] : [`${before}/${text}`]));
    before = text;
  }
  return [...new Set(texts)].filter(Boolean).map((text) => ({ text, how: 'one' }));
}

/** A format, with a gap for each placeholder. Only a path may have gaps, because other texts with gaps are usually no names. */
function formatted(format: string): FoundName[] {
  const decoded = echoed(format.replaceAll(/%x([0-9a-fA-F]{2})/g, '\\x$1'));
  const text = decoded.replaceAll(/%[-\d.]*(?:\([^)]*\)|[A-Za-z])/g, GAP);
  return text.includes(GAP) && !/[\w]\/|\/[\w.]/.test(text) ? [] : [{ text, how: 'one' }];
}

/** The texts that `s/a/text/`, `a text`, `i text` and `c text` put in. */
const replacements = (script: string): FoundName[] => [
  ...[...script.matchAll(/(?:^|[;{\s\d$/])[aic](?:\\?\s+|\\)(\S[^\n]*)/g)].map(
    ([, text]): FoundName => ({ text: text!, how: 'one' }),
  ),
  ...[...script.matchAll(/(?:^|[;{\s\d$/])s([^\w\s\\])((?:\\.|(?!\1).)*)\1((?:\\.|(?!\1).)*)\1/g)].flatMap(
    ([, , , by = '']): FoundName[] => {
      const text = by.replaceAll(/\\(.)/g, '$1');
      const isPath = text.startsWith('/') && text.length > 1;
      return text === '' ? [] : [{ text, how: 'one' }, ...(isPath ? [{ text: GAP + text, how: 'one' as const }] : [])];
    },
  ),
];

/** Values of an option of this name, in the next word or after `=`. */
const valuesAfter = (args: readonly Arg[], name: RegExp): string[] =>
  args.flatMap(({ literal }, at) => {
    const before = args[at - 1]?.literal;
    if (before && name.test(before)) return literal ?? [];
    const [option = '', value] = literal?.split(/=(.*)/s) ?? [];
    return value !== undefined && name.test(option) ? [value] : [];
  });

const below = (args: readonly Arg[]): FoundName[] => {
  const folders = textOf(args);
  return (folders.length === 0 ? [{ text: '.' }] : folders).map(({ text }) => ({ text, how: 'deep' }));
};

/** Texts that the output of a command may be, because its words contain them. The command may print anything else. */
const POSSIBLE_OUTPUTS: readonly [RegExp, (call: CommandCall, args: readonly Arg[]) => readonly FoundName[]][] = [
  [/^(?:realpath|readlink|file|basename|ls|dir|vdir|yes|git check-ignore)$/, (_, args) => textOf(args)],
  [
    /^(?:[gmn]?awk|[gj]?jq|jaq|yq|(?:perl|python|ruby|php|lua)[\d.]*|node|expr|bc|dc)$/,
    (_, args) => [...textOf(args), ...textOf(args).flatMap(({ text }) => stringsIn(text))],
  ],
  [/^g?sed$/, (_, args) => args.flatMap(({ literal }) => replacements(literal ?? ''))],
  [/^g?date$/, (_, args) => args.flatMap(({ literal }) => (literal?.startsWith('+') ? formatted(literal.slice(1)) : []))],
  [/^g?stat$/, (_, args) => [...textOf(args), ...valuesAfter(args, /^(?:-[cf]|--format|--printf)$/).flatMap(formatted)]],
  [/^g?find$/, (_, args) => valuesAfter(args, /^-printf$/).flatMap(formatted)],
  [
    /^git\b/,
    (_, args) => valuesAfter(args, /^--(?:format|pretty)$/).flatMap((text) => formatted(text.replace(/^t?format:/, ''))),
  ],
  [/^(?:tee|xargs|gtee|gxargs|column)$/, (call) => call.inputNames()?.names ?? []],
  [/^(?:tree|lsof|du)$/, (_, args) => below(args)],
  [/^p?locate$/, (_, args) => textOf(args).map(({ text }) => ({ text: GAP + text + GAP, how: 'one' }))],
  [
    /^compgen$/,
    (_, args) =>
      valuesAfter(args, /^-[GW]$/)
        .flatMap((text) => text.split(/\s+/))
        .concat(
          args.some(({ literal }) => /^-[fd]$/.test(literal ?? ''))
            ? [`${args.at(-1)!.literal?.replace(/^-.*/, '') ?? ''}*`, '.*']
            : [],
        )
        .map((text) => ({ text, how: 'glob' })),
  ],
];

/** Records texts in the words of a command that its output may contain. */
export function listPossibleOutput(call: CommandCall, args: readonly Arg[]): void {
  if (call.host.isCaptured) call.lists(...(POSSIBLE_OUTPUTS.find(([name]) => name.test(call.name))?.[1](call, args) ?? []));
}

const FD_PRINTS_MORE = / -(?:[^- ]*[xXl]|-(?:exec|list-details|format|path-separator))/;
/**
 * Commands that print names, if their words determine the names. Each has a pattern for words with which it also prints other
 * text, such as the content of files or the target of a link. A blank comes before each word.
 */
export const LISTERS: ReadonlyMap<string, RegExp> = new Map([
  [
    'find',
    / -(?:printf|fprint\w*|f?ls|(?:exec|ok)(?:dir)?(?! (?:[ef]?grep -[EFGHIirsvwx]*[lLq][EFGHIirsvwx]*|test|\[) ))(?: |$)/,
  ],
  [
    'ls',
    / -(?!(?:[1aABcdfFGhkpqrRStuUvX]*|-(?:all|almost-all|color(?:=\w+)?|directory|reverse|recursive|sort=\w+|zero))(?: |$))/,
  ],
  [
    'git ls-files',
    / -(?!(?:[cdimoz]*|-(?:cached|modified|deleted|others|ignored|exclude-standard|directory|deduplicate|error-unmatch|exclude=\S+)|-)(?: |$))/,
  ],
  ['fd', FD_PRINTS_MORE],
  ['fdfind', FD_PRINTS_MORE],
]);

/** From the name of a command to its output on standard output. */
export const PRINTERS: ReadonlyMap<string, Printer> = new Map<string, Printer>([
  ['echo', echo],
  ['printf', printf],
  ['pwd', pwd],
  // Prints folders that the shell was in.
  ['dirs', ({ host }) => folderValue([...host.visited].map((folder) => [folder]))],
  ['dirname', dirnames],
  ['basename', basenames],
  ['realpath', realpaths],
  ['readlink', realpaths],
  ['git rev-parse', topLevel],
  ['cat', cat],
  ...['sort', 'uniq', 'head', 'tail', 'tac', 'shuf'].map((name): [string, Printer] => [name, passOn]),
  ['mktemp', mktemp],
  ['seq', seq],
  ['cd', (_, args) => (args.length === 1 && args[0]!.literal !== '-' ? textValue('') : ANYTHING)],
  ...[':', 'true', 'false', 'test', '['].map((name): [string, Printer] => [name, () => textValue('')]),
  ...['set', 'export', 'local', 'readonly', 'unset', 'read', 'mapfile'].map((name): [string, Printer] => [name, silent]),
]);

/** Removes trailing line ends, as a substitution does. */
export function withoutLineEnds(value: Value): Value {
  const { texts, found } = value;
  if (texts !== null) return texts.map((text) => textValue(text.replace(/\n+$/, ''))).reduce(joinValues);
  const outlines = value.outlines?.map((one) => one.with(-1, one.at(-1)!.replace(/\n+$/, '')));
  const names = found?.names.map((name) => ({ ...name, text: name.text.replace(/\n+$/, '') }));
  return { ...value, outlines, ...(names && { found: { ...found!, names } }) };
}

/** The output of statements. */
export function printedBy(list: readonly Statement[], printed: ReadonlyMap<Command, Value>): Value {
  return inTurn(list.map(({ command, background }) => (background ? ANYTHING : byNode(command, printed))));
}

/** The output of commands that run in turn. One of them may end the shell, or be the condition of the next one. */
function inTurn(values: readonly Value[]): Value {
  const [first = textValue(''), ...more] = values;
  return more.reduce((before, value) => joinValues(before, concat(before, value)), first);
}

function byNode(node: PipelineNode | Statement['command'], printed: ReadonlyMap<Command, Value>): Value {
  if (node.type === 'Command') return printed.get(node) ?? ANYTHING;
  if (node.type !== 'AndOr' || node.operators.some((operator) => operator !== '&&')) return ANYTHING;
  return inTurn(node.commands.map((one) => byNode(one, printed)));
}
