// From words to facts: resolves functions, wrappers, and commands, for each possible reading of the words.

import { posix } from 'node:path';
import type { BashCommand, DeclaredCommand } from '../model/command.ts';
import { type Arg, literalArg, quote, unsplit } from './arg.ts';
import type { CommandCall } from './call.ts';
import { isCheck } from './checks.ts';
import { classifyCommandOptions } from './command-options.ts';
import { hostIn } from './hosts.ts';
import { conditionsOf } from './loads.ts';
import { listOf } from './outline.ts';
import { GAP, isKnown } from './possible-names.ts';
import { LISTERS, listPossibleOutput, PRINTERS } from './printed.ts';
import { lookup } from './registry.ts';
import { remoteTags } from './remote.ts';
import { weightOf } from './scope.ts';
import { tagsOfOutput } from './secrets.ts';
import { servedFolder } from './served.ts';
import { withoutQuotes } from './spellings.ts';
import { ANYTHING, joinValues, type ShellState, type Value } from './state.ts';
import { absolute, basename } from './targets.ts';
import { usualProgram } from './usual-words.ts';
import { writeGiven } from './written.ts';

/** The client removes these wrappers before it compares allow rules. */
const CLIENT_WRAPPERS = new Set(['timeout', 'time', 'nice', 'nohup', 'stdbuf', 'command', 'builtin', 'noglob']);

const MAX_READINGS = 16;

/** git stores its commands as separate programs. */
const GIT_CORE = /^(?:\/usr(?:\/local)?\/lib(?:exec)?\/git-core\/)?git-([a-z][a-z-]*)$/;
/** The same programs in a folder that is not known to be git's own. */
const OTHER_GIT_CORE = /\/git-core\/git-([a-z][a-z-]*)$/;

const SYSTEM_FOLDER = /^\/(?:usr\/)?s?bin\/[^/]+$/;

/**
 * Applies the project's declaration of a command. Returns true if the declaration replaces the built-in analysis, which only a
 * trusted one does. Declared reads, writes, and network access always count, because they can only add restrictions.
 */
function declared(call: CommandCall): boolean {
  const { declared } = call.host;
  if (declared.length === 0) return false;
  const declaredCommand = declared.find((d) => matches(d, call.args));
  if (!declaredCommand) return false;
  const why = `${declaredCommand.match} is declared as ${declaredCommand.class}`;
  const { trusted } = declaredCommand;
  if (trusted) call.name = call.args[0]!.literal!;
  const name = call.args[0]!.literal!;
  const literal = declaredCommand.match.split(/\s+/).filter((w) => w !== '*').length;
  const operands = call.args.slice(literal).filter((a) => !a.lead.startsWith('-'));
  const chosen = (which: readonly number[] | 'all' | undefined) =>
    which === 'all' ? operands : operands.filter((_, i) => which?.includes(i + 1));
  if (declaredCommand.writes && declaredCommand.writes !== 'all' && operands.some((o) => o.many || o.pattern))
    call.unknown(`the output files of ${name} are unknown`);
  for (const o of chosen(declaredCommand.reads)) call.read(o, name);
  for (const o of chosen(declaredCommand.writes)) call.write(o, name, { extent: 'deep', what: 'entry' });
  if (declaredCommand.network) call.network();
  if (trusted && declaredCommand.class === 'writes') call.bookkeeping(why);
  else if (declaredCommand.class !== 'read-only')
    call.is(!trusted && declaredCommand.class === 'writes' ? 'unknown' : declaredCommand.class, why);
  return trusted;
}

function matches(declaration: DeclaredCommand, args: Arg[]): boolean {
  const words = declaration.match.trim().split(/\s+/);
  const open = words[words.length - 1] === '*';
  if (open) words.pop();
  if (words.length === 0 || args.length < words.length || (!open && args.length !== words.length)) return false;
  return words.every((w, i) => (w === '*' ? i > 0 && !args[i]!.many : args[i]!.literal === w));
}

/** Analyzes a call and fills its entry. */
export function dispatch(call: CommandCall): void {
  const { args: written, cwds } = call;
  describe(call, written);
  classifyReadings(call);
  const entry = call.host.effects.commands[call.entry]!;
  if (cwds?.length !== 1 || cwds[0] !== call.host.origin) entry.cwds = cwds ?? [];
  const mayRun = entry.class === 'runs' || (entry.class === 'read-only' && entry.loads !== undefined);
  const mayQuery = !entry.network || entry.tags?.includes('network-read');
  if (mayRun && mayQuery && isCheck(entry.argv, entry.text)) call.tag('checks');
  if (entry.class !== 'runs' && entry.class !== 'unknown') return;
  writeGiven(call, written);
  for (const tag of remoteTags(entry.argv)) call.tag(tag);
  // A variable may name a file that the program reads: `BASH_ENV`, `GIT_CONFIG_GLOBAL`, `NETRC`.
  const values = call.prefix
    .flatMap(({ value }) => value.texts ?? [])
    .flatMap((text) => [text, ...text.split(/\s+/)])
    .map((text) => literalArg(text, call.at.pos, call.at.end));
  const runner = RUNNER.exec(entry.argv.slice(0, FIRST_WORDS).join(' '))?.[0].trim().split(' ').length ?? 0;
  const implied = (runner === 0 ? [0] : [runner, runner + 1]).flatMap(
    (at) => LOADS_ENVIRONMENT.get(basename(entry.argv[at] ?? '').replace(/(?!^)@.*$/, '')) ?? [],
  )[0];
  const words = written.slice(0, MOST_WORDS);
  // Words beyond the limit may be any names here.
  const further = [...(implied === undefined ? [] : [implied]), ...(words.length < written.length ? ['*'] : [])];
  const given = [...values, ...further.map((text) => literalArg(text, call.at.pos, call.at.end))];
  entry.named = addNamed([...words, ...given, ...wordsOfTexts(call, words)], call.cwds, entry.named ?? []);
  const served = servedFolder(words);
  call.mayOpen([...words.slice(1), ...listedIn(call, words), ...(served === null ? [] : [served])]);
  const input = 'text' in call.stdin && call.stdin.text !== undefined ? [call.stdin.text] : [];
  const texts = [...input, ...call.writtenTexts([...words.slice(1), ...SETTINGS_OF_RUNNERS])];
  if (texts.length > 0) entry.input = texts.join('\n');
}

/** Files with commands that runners find in the working folder. */
const SETTINGS_OF_RUNNERS = 'package.json Makefile makefile GNUmakefile justfile Justfile Taskfile.yml Rakefile'
  .split(' ')
  .map((name) => literalArg(name, 0, 0));

/** Options with a file as their value that lists further files, or settings that name them. */
const LISTING_OPTION =
  /^(?:--?(?:[\w-]*-)?(?:files0?|files0?-?from|file-?list|filelist|list-?files?|input-?list|from|path-list)|(?:ctags|uctags) -L|cscope -i|curl (?:-K|--config)|ffmpeg -i)$/;

/** Names in the files that `@file` and similar options name: `gcc @list`, `xz --files=list`, `cloc --list-file list`. */
function listedIn(call: CommandCall, [program, ...words]: readonly Arg[]): Arg[] {
  const name = basename(program?.literal ?? '');
  const isListing = (option: string): boolean => LISTING_OPTION.test(option) || LISTING_OPTION.test(`${name} ${option}`);
  const lists = words.flatMap((word, at): Arg[] => {
    const [, response] = /^(?:-[a-z!]*)?@(.+)$/.exec(word.literal ?? '') ?? [];
    const [, option = '', value] = /^(-[^=]*)=(.+)$/.exec(word.literal ?? '') ?? [];
    if (response !== undefined) return [word.as(response)];
    if (value !== undefined && isListing(option)) return [word.as(value)];
    return isListing(words[at - 1]?.literal ?? '') ? [word] : [];
  });
  const names = lists.flatMap((list) => call.namesInFile(list)?.names ?? []);
  return names.length === 0 ? [] : [call.appended(true, { names, isAll: false })];
}

/** A runner may come before such a program: `npx dotenv-cli`, `python -m dotenv`, `bundle exec dotenv`. */
const RUNNER =
  /^(?:(?:npx|bunx|pnpx|uvx|uv run|pipx run|bundle exec|poetry run|python[\d.]* -m|(?:npm|pnpm|yarn|bun) (?:dlx|exec|x)) )(?:-\S+ )*/;
const FIRST_WORDS = 8;

/** Programs that load the variables in this file if their words name no other. */
const LOADS_ENVIRONMENT = new Map([
  ...['dotenv', 'dotenv-cli', 'dotenvx', 'env-cmd', 'foreman', 'overmind', 'hivemind', 'honcho'].map((name): [string, string] => [
    name,
    '.env',
  ]),
  ['direnv', '.envrc'],
]);

/** These programs take commands or patches with names of files, in words and on standard input. */
const TAKES_COMMANDS =
  /^(?:sqlite3|duckdb|psql|pgcli|mysql|mariadb|mycli|curl|gdb|lldb|ed|ex|r?vim?|nvim|view|patch|git (?:apply|am))$/;

/** The words of the texts in the words of such a program. In a patch, `a/` and `b/` come before each name. */
function wordsOfTexts(call: CommandCall, [program, ...rest]: readonly Arg[]): Arg[] {
  const name = basename(program?.literal ?? '');
  if (!TAKES_COMMANDS.test(name === 'git' ? `git ${rest[0]?.literal}` : name)) return [];
  const input = 'text' in call.stdin ? (call.stdin.text ?? '') : '';
  const texts = [...rest.flatMap(({ literal }) => literal ?? []), input].filter((text) => /[\s="']/.test(text));
  const words = texts.flatMap((text) => text.split(/[\s"'`(),;=|!]+/)).filter((word) => /[./]/.test(word));
  return [...new Set(words.flatMap((word) => [word, word.replace(/^[ab]\//, '')]))].map((word) =>
    literalArg(word, call.at.pos, call.at.end),
  );
}

function classifyReadings(call: CommandCall): void {
  const readings = call.args.some(isOpen) ? readingsOf(call.args) : [call.args];
  if (readings.length === 1) one(call, readings[0]!);
  else {
    const entry = call.host.effects.commands[call.entry]!;
    // Each reading starts in the same state. After `cd $d` the shell may be in any of the resulting folders.
    const start = call.state.copy();
    const { cwds, stdin, external, skipFunctions } = call;
    let end: ShellState | null = null;
    let failure: ShellState | null = null;
    for (const args of readings) {
      if (!call.host.look(weightOf(args), call.at)) break;
      call.state.become(start.copy());
      call.failure = null;
      Object.assign(call, { cwds, stdin, external, skipFunctions });
      add(entry, args.map((a) => (a.hidden && a.value !== null ? quote(a.value) : a.text)).join(' '));
      if (!findsNothing(args[0]!)) one(call, args);
      const ok = call.state.copy();
      const failed: ShellState = call.failure ?? ok.copy();
      if (end) end.join(ok);
      else end = ok;
      if (failure) failure.join(failed);
      else failure = failed;
    }
    if (end) call.state.become(end);
    call.failure = failure;
  }
}

function readingsOf(args: Arg[]): Arg[][] {
  return withAndWithout(args).flatMap(splitAndWhole);
}

/**
 * The words with and without each word that may vanish. If one vanishes, an option before it takes the next word as its value.
 */
function withAndWithout(args: Arg[]): Arg[][] {
  let out: Arg[][] = [args];
  for (const a of args) {
    if (!a.vanishes) continue;
    if (out.length * 2 > MAX_READINGS) return [args.map((word) => (word.vanishes ? word.anyNumber() : word))];
    out = out.flatMap((words) => [words, without(words, a)]);
  }
  // A call without words runs nothing.
  return out.filter((words) => words.length > 0);
}

/**
 * The words without `gone`. If it was the last word, an option before it is removed too. If that option needs a value, the
 * program stops. If it does not, the other reading covers the case.
 */
function without(words: Arg[], gone: Arg): Arg[] {
  const at = words.indexOf(gone);
  const isValue = at === words.length - 1 && /^-(?!-?$)/.test(words[at - 1]?.literal ?? '');
  return words.filter((_, i) => i !== at && !(isValue && i === at - 1));
}

/** The words after splitting, as in Bash, and without splitting, as in zsh. */
function splitAndWhole(args: Arg[]): Arg[][] {
  if (args.every((a) => a.whole === null)) return variants(args);
  const split = variants(args.map((a) => (a.whole === null ? a : a.settled())));
  return [...split, ...(findsNothing(args[0]!) ? [args] : variants(unsplit(args)))];
}

/** True if the unsplit word contains blanks. No program has such a name, so zsh runs nothing. */
function findsNothing({ whole }: Arg): boolean {
  return whole !== null && !whole.includes('/') && /\s/.test(whole);
}

/** Every combination of the possible texts of the words, or the unchanged words if there are too many combinations. */
function variants(args: Arg[]): Arg[][] {
  let out: Arg[][] = [args];
  for (let i = 0; i < args.length; i++) {
    const a = args[i]!;
    if (!ambiguous(a)) continue;
    if (out.length * a.texts!.length > MAX_READINGS) return [args];
    out = out.flatMap((words) => a.texts!.map((text) => words.with(i, a.assume(text))));
  }
  return out;
}

const isOpen = (a: Arg) => a.whole !== null || a.vanishes || ambiguous(a);

function ambiguous(a: Arg): boolean {
  return a.texts !== null && a.texts.length > 1 && !a.many;
}

/** The text of a word that has no other one, but may be empty. No rule names an empty word. */
function onlyText({ texts, several }: Arg): string | null {
  const named = several ? [] : (texts ?? []).filter((text) => text !== '');
  return named.length === 1 ? named[0]! : null;
}

/** Fills in the spellings of a command. Called again after a wrapper is removed; then the previous text is kept as a spelling. */
function describe(call: CommandCall, written: Arg[]): void {
  const entry = call.host.effects.commands[call.entry]!;
  const { text: former, argv: wrapped } = entry;
  const argv = new Array<string | null>(written.length);
  let isQuoted = false;
  let isWritten = true;
  for (let i = 0; i < written.length; i++) {
    const a = written[i]!;
    const literal = a.hidden ? null : (a.literal ?? onlyText(a));
    argv[i] = literal;
    if (literal === null) isWritten = false;
    else if (literal !== a.text) isQuoted = true;
  }
  const bare = isWritten ? argv.join(' ') : joined(written, argv);
  const asWritten = isQuoted || !isWritten ? joined(written, null) : bare;
  // Words that are not in the source follow, so an allow rule for exactly these words does not apply.
  const text = written.some((a) => a.text === '') ? `${asWritten} ${MORE}` : asWritten;
  entry.name = argv[0] ?? '';
  entry.argv = argv;
  entry.text = text;
  if (former !== '') {
    add(entry, former);
    if (wrapped.some((word) => word?.startsWith('-'))) entry.wrapped = [...(entry.wrapped ?? []), wrapped];
  }
  if (asWritten !== text) add(entry, asWritten);
  if (bare !== text) add(entry, bare);
  const source = sourceWithoutQuotes(call, written[0]);
  if (source !== null) add(entry, source);
  if (entry.name.includes('/')) {
    const base = basename(entry.name);
    add(entry, base + text.slice(written[0]!.text.length));
    add(entry, base + bare.slice(entry.name.length));
    if (source?.startsWith(`${entry.name} `)) add(entry, base + source.slice(entry.name.length));
  }
  if (call.prefix.length > 0) add(entry, `${call.prefix.map((p) => p.text).join(' ')} ${text}`);
}

/**
 * The source text from this word on, without quotes and backslashes. Claude Code compares rules with the source text of a
 * command, which contains variables by name, so deny and ask rules are also compared with this text.
 */
function sourceWithoutQuotes({ source }: CommandCall, first: Arg | undefined): string | null {
  const from = source.findIndex(({ pos }) => pos === first?.pos);
  if (from === -1) return null;
  return withoutQuotes(
    source
      .slice(from)
      .map((word) => word.text)
      .join(' '),
  );
}

/** Placeholder for appended words. */
const MORE = '…';

/** The words as rules see them, or without quotes if `argv` is given. */
function joined(written: Arg[], argv: (string | null)[] | null): string {
  let out = '';
  for (let i = 0; i < written.length; i++) {
    const { text } = written[i]!;
    // A word that is not in the source has no text.
    if (text === '') continue;
    const word = argv?.[i] ?? text;
    out += i === 0 ? word : ` ${word}`;
  }
  return out;
}

function add(entry: BashCommand, spelling: string): void {
  if (spelling !== entry.text && !entry.spellings.includes(spelling)) entry.spellings.push(spelling);
}

const isEquals = (a: Arg) => a.equals && !/^[=~]+$/.test(a.value ?? '');

function one(call: CommandCall, args: Arg[]): void {
  const { output } = call;
  const listed = call.host.effects.listed.length;
  call.output = null;
  classifyOne(call, args);
  const own = call.output ?? PRINTERS.get(call.name)?.(call, call.rest) ?? listedBy(call, listed);
  const isNamed = basename(args[0]?.literal ?? '') === call.name;
  if (own.texts === null && !isKnown(own.found)) listPossibleOutput(call, isNamed ? args.slice(1) : call.rest);
  call.output = output === null ? own : joinValues(output, own);
}

/** The names that a command prints. */
function listedBy(call: CommandCall, from: number): Value {
  const printsMore = LISTERS.get(call.name);
  const names = printsMore ? call.host.effects.listed.slice(from) : [];
  const isListed = !printsMore?.test(call.rest.map(({ literal }) => ` ${literal ?? ''}`).join(''));
  // Other words may name a folder that is not in the names.
  const areKnown = call.rest.every(({ literal, pattern }) => pattern || (literal !== null && !/[:\\]/.test(literal)));
  const unless = isListed && areKnown ? conditionsOf(names, call.cwds) : undefined;
  return names.length === 0 ? ANYTHING : { ...ANYTHING, found: { names, isAll: false, isListed }, unless };
}

function classifyOne(call: CommandCall, args: Arg[]): void {
  call.name = '';
  call.args = args;
  const word = args[0];
  if (!word) {
    call.anything('the command word may be empty');
    return;
  }
  if (word.literal === null) {
    call.anything('the name of the command is unknown', word);
    return;
  }
  const equals = args.find(isEquals);
  if (equals) {
    call.unknown('another shell expands =name to a path', equals);
    return;
  }
  const own = GIT_CORE.exec(word.literal)?.[1];
  if (own !== undefined && !call.external) {
    const git = [literalArg('git', word.pos, word.end), literalArg(own, word.pos, word.end), ...args.slice(1)];
    call.external = true;
    describe(call, git);
    one(call, git);
    return;
  }
  let name = word.literal;
  const usual = usualProgram(basename(name));
  if (usual !== basename(name)) call.means(usual);
  for (const tag of tagsOfOutput(basename(name), args)) call.tag(tag);
  if (name.includes('/')) {
    if (declared(call)) return;
    if (!SYSTEM_FOLDER.test(name)) {
      const own = !name.startsWith('/') || name.startsWith(`${call.host.origin}/`);
      if (!lookup(basename(name))) call.opaque(...call.rest);
      if (own) {
        call.is('runs', `${name} is a program of the project`, word);
        call.writtenScript(word, call.freshState());
      } else call.unknown(`${name} is a program outside the system's folders`, word);
      const subcommand = OTHER_GIT_CORE.exec(name)?.[1];
      if (subcommand !== undefined) call.means('git', word.as(subcommand));
      return;
    }
    name = basename(name);
    call.external = true;
  }
  call.name = name;
  for (const one of new Set(args.flatMap(({ shape, each }) => [...(shape?.unless ?? []), ...(each?.shape?.unless ?? [])])))
    call.loads([one]);
  if (call.function()) {
    call.prints(ANYTHING);
    return;
  }
  if (call.state.taint && !BUILTIN.has(name)) {
    call.unknown(call.state.taint, word);
    call.prints(ANYTHING);
  }
  if (call.external && BUILTIN.has(name) && !PROGRAM_TOO.has(name)) {
    call.unknown(`${name} works only in the shell itself, not as a program`, word);
    // The command inside these is analyzed in any case.
    if (!/^(?:exec|command|builtin|eval)$/.test(name)) return;
  }
  if (declared(call)) {
    call.prints(ANYTHING);
    return;
  }
  const command = lookup(name);
  if (!command) {
    call.opaque(...call.rest);
    call.unknown(name === '' ? 'the command word is empty' : `${name} is not a known command`, word);
    classifyCommandOptions(call, args, false);
    classifyAddresses(call, args);
    return;
  }
  const entry = call.host.effects.commands[call.entry]!;
  const { top } = entry;
  if (
    !CLIENT_WRAPPERS.has(name) &&
    command.wrapper &&
    !(name === 'xargs' && args[1] && !(args[1].literal ?? '-').startsWith('-'))
  ) {
    entry.top = false;
  }
  command.classify(call);
  classifyCommandOptions(call, args, command.wrapper);
  // Without a command, `env` runs nothing else.
  if (name === 'env' && call.args === args) entry.top = top;
  if (!command.wrapper) {
    classifySentData(call, args);
    classifyAddresses(call, args);
  }
  if (!BUILTIN.has(name) || call.external) classifyEnvironment(call, word);
}

/** The words of a network program are sent to a host, and an unknown word may be the content of a file. */
function classifySentData(call: CommandCall, args: Arg[]): void {
  const entry = call.host.effects.commands[call.entry]!;
  if (!entry.network || entry.class !== 'read-only') return;
  const carrier = args.find((a) => a.value === null && !a.int && a.texts === null && a.shape === null);
  if (carrier) call.carries('an unknown word', carrier);
}

/** The handlers of these commands already report the addresses that they reach. */
const OWN_ADDRESSES = new Set(['curl', 'wget', 'http', 'https']);

/** Adds the hosts of addresses among the words, for a program that uses the network or may do anything. */
function classifyAddresses(call: CommandCall, args: Arg[]): void {
  const entry = call.host.effects.commands[call.entry]!;
  const isUnderstood = entry.class === 'read-only' || entry.class === 'writes';
  if (OWN_ADDRESSES.has(entry.name) || (isUnderstood && !entry.network)) return;
  for (let at = 1; at < args.length; at++) {
    const { literal, lead } = args[at]!;
    if (!lead.includes('://')) continue;
    const host = hostIn(lead, literal !== null);
    if (host !== null) call.network(host);
  }
}

/**
 * Programs with no documented environment variables other than those that are checked by name. Multi-call programs use ARGV0,
 * which zsh sets.
 */
const UNMOVED = new Set(
  'ls cat head tail wc sort uniq cut tr grep egrep fgrep diff cmp comm join paste nl tac rev od xxd hexdump basename dirname realpath readlink stat du df date true false echo printf pwd test [ seq expr md5sum sha1sum sha256sum uname id whoami hostname nproc jq which'.split(
    ' ',
  ),
);
const PLAIN_VARIABLE = /^(?!ARGV0$)[A-Z][A-Z0-9_]*$/;

/** A read-only program becomes unknown if its environment contains a variable with an unknown effect. */
function classifyEnvironment(call: CommandCall, word: Arg): void {
  const entry = call.host.effects.commands[call.entry]!;
  if (entry.class !== 'read-only') return;
  const isUnmoved = UNMOVED.has(call.name);
  const unsafe = call.prefix.find((p) => !p.safe && !p.known && !(isUnmoved && PLAIN_VARIABLE.test(p.name)));
  if (unsafe) call.unknown(`the effect of ${unsafe.name} in the environment of ${call.name} is unknown`, word);
  else if (call.state.envTaint) call.unknown(call.state.envTaint, word);
}

/** Builtins that also exist as programs with the same behavior. */
const PROGRAM_TOO = new Set(['echo', 'printf', 'test', '[', 'true', 'false', 'pwd', 'kill', 'time']);

/** Names that do not depend on PATH. */
export const BUILTIN = new Set(
  ': . [ alias bg bind break builtin caller cd command compgen complete continue declare dirs disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait'.split(
    ' ',
  ),
);

const NO_TEXTS: readonly string[] = [];

/** Number of words that are examined one by one. */
const MOST_WORDS = 600;
/** The texts in a word that may be a path: the whole word, the value of an option, and the text before a colon. */
function readings(text: string): readonly string[] {
  const isOption = text.startsWith('-');
  const equals = text.indexOf('=');
  if (isOption && equals === -1 && (text.length < 3 || text.startsWith('--'))) return NO_TEXTS;
  const value = equals > 0 ? text.slice(equals + 1) : isOption ? text.slice(2) : text;
  // `--output type=local,dest=out`
  if (value.includes(',') && text.includes('='))
    return [text, value, ...value.split(',').map((part) => part.slice(part.indexOf('=') + 1))];
  // `body=@file`, `file#label`, `-ir!file`
  const unmarked = value.replace(/^[@<%]|^[a-z]*!/, '');
  const label = unmarked.indexOf('#', Math.max(1, unmarked.lastIndexOf('/') + 1));
  const bare = label === -1 ? unmarked : unmarked.slice(0, label);
  const colon = value.indexOf(':');
  const more = [...(colon > 0 ? [value.slice(0, colon)] : []), ...(bare === value ? [] : [bare])];
  if (!isOption && equals < 1 && more.length === 0) return [text];
  return [...(isOption ? [] : [text]), value, ...more];
}

/** The known folder at the start of a partly known path, and the known names at its end. */
function knownParts(outlines: Arg['outlines']): string[] {
  return listOf(outlines).flatMap((outline) => {
    const [head = '', end = ''] = [outline[0], outline.at(-1)];
    const slash = head.lastIndexOf('/');
    return [...(slash > 0 ? [head.slice(0, slash)] : []), ...(end.startsWith('/') && end.length > 1 ? [end.slice(1)] : [])];
  });
}

function textsOf({ below, found, value, texts, many, outlines }: Arg): readonly string[] {
  if (below !== null) return below;
  if (found !== null) return found.names.map(({ text }) => text).filter((text) => !text.includes(GAP));
  if (value !== null) return [value];
  return many ? NO_TEXTS : (texts ?? knownParts(outlines));
}

/**
 * Adds absolute paths without `..` to the known paths and returns them. If the folder is not known, paths are resolved against
 * the root.
 */
function addNamed(args: readonly Arg[], cwds: readonly string[] | null, to: string[]): string[] {
  const known = new Set(to);
  for (let at = 1; at < args.length; at += 1)
    for (const text of textsOf(args[at] as Arg))
      for (const word of readings(text))
        if (word !== '')
          for (const path of absolute(word, cwds) ?? [`/${word}`]) {
            const plain = path.includes('/.') || path.includes('//') ? posix.normalize(path) : path;
            if (!known.has(plain)) to.push(plain);
            known.add(plain);
          }
  return to;
}
