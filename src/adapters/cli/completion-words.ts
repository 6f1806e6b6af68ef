// Possible completions of a command line, from the program's own verbs and options.
import type { Argument, Command, Option } from 'commander';

/** One completion; the shell shows `about` next to it. */
export interface Word {
  value: string;
  about: string;
}

/** Words, or a kind of name that the shell itself completes better. */
export type Fitting = { kind: 'words'; words: Word[] } | { kind: 'files' | 'folders' };

/** The option or argument that needs a value. */
export interface CompletionRequest {
  /** As typed: `policy coverage`. */
  verb: string;
  /** `--mode`, or the name of an argument. */
  name: string;
  /** As in the help: `folder` for `<folder>`. */
  placeholder: string;
  /** Values of options that were typed earlier, by long name. */
  given: ReadonlyMap<string, string>;
}

/** Completions of a value; null if they are unknown. */
export type ValuesOf = (asked: CompletionRequest) => Promise<Fitting | null>;

interface Line {
  command: Command;
  verb: string[];
  /** Number of operands so far. */
  operands: number;
  given: Map<string, string>;
  /** The option that takes the next word. `must`: it takes any word, even one that looks like an option. */
  pending: { option: Option; must: boolean } | null;
  /** After `--` nothing is an option. */
  closed: boolean;
}

/** Completions of the last word after the program's name. */
export async function fitting(program: Command, typed: readonly string[], valuesOf: ValuesOf): Promise<Fitting> {
  const current = typed.at(-1) ?? '';
  const line = read(program, typed.slice(0, -1));
  const found = await fill(line, current, valuesOf);
  if (found.kind !== 'words') return found;
  return { kind: 'words', words: found.words.filter(({ value }) => value.startsWith(current) && isPlain(value)) };
}

/** True if the value contains no line end and no terminal control character. */
const isPlain = (value: string): boolean => value !== '' && !/\p{C}/u.test(value);

function read(program: Command, words: readonly string[]): Line {
  const line: Line = { command: program, verb: [], operands: 0, given: new Map(), pending: null, closed: false };
  for (const word of words) take(line, word);
  return line;
}

function take(line: Line, word: string): void {
  const { pending, command } = line;
  const isOption = !line.closed && word.startsWith('-') && word !== '-';
  if (pending !== null && (pending.must || !isOption)) {
    line.given.set(pending.option.long ?? '', word);
    line.pending = pending.option.variadic ? { ...pending, must: false } : null;
    return;
  }
  line.pending = null;
  if (!line.closed && word === '--') line.closed = true;
  else if (isOption) takeOption(line, word);
  else {
    // Words after `help` are completed as without it.
    if (word === 'help' && command.parent === null && line.operands === 0) return;
    const verb = line.operands === 0 ? command.commands.find((one) => one.name() === word) : undefined;
    if (verb === undefined) line.operands++;
    else {
      line.command = verb;
      line.verb.push(word);
    }
  }
}

function takeOption(line: Line, word: string): void {
  const [name, value] = cut(word);
  const option = line.command.options.find(({ short, long }) => short === name || long === name);
  if (option === undefined) return;
  line.given.set(option.long ?? '', value ?? '');
  if (value === undefined && (option.required || option.optional)) line.pending = { option, must: option.required };
}

/** Splits `--name=value` into two. */
function cut(word: string): [name: string, value?: string] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}

async function fill(line: Line, current: string, valuesOf: ValuesOf): Promise<Fitting> {
  const { command, pending, closed } = line;
  const isOption = !closed && current.startsWith('-');
  if (pending?.must) return (await optionValues(line, pending.option, valuesOf)) ?? none;
  const [name, value] = cut(current);
  if (isOption && value !== undefined) {
    const option = command.options.find(({ long }) => long === name);
    const found = option && (await optionValues(line, option, valuesOf));
    if (found?.kind !== 'words') return found ?? none;
    return { kind: 'words', words: found.words.map((word) => ({ ...word, value: `${name}=${word.value}` })) };
  }
  if (isOption) return { kind: 'words', words: options(line) };
  const ofPending = pending === null ? null : await optionValues(line, pending.option, valuesOf);
  if (ofPending !== null) return ofPending;
  const verbs = command.createHelp().visibleCommands(command);
  if (command.commands.length > 0) {
    const words = verbs.map((verb) => ({ value: verb.name(), about: verb.description() }));
    return line.operands === 0 ? { kind: 'words', words } : none;
  }
  const argument = argumentAt(command, line.operands);
  const found = argument && (await valuesOf({ ...asked(line), name: argument.name(), placeholder: argument.name() }));
  // If no value is known, offer options.
  return found ?? { kind: 'words', words: closed ? [] : options(line) };
}

const none: Fitting = { kind: 'words', words: [] };

const asked = ({ verb, given }: Line): Pick<CompletionRequest, 'verb' | 'given'> => ({ verb: verb.join(' '), given });

function optionValues(line: Line, option: Option, valuesOf: ValuesOf): Promise<Fitting | null> {
  const placeholder = /[<[]([^>\].]+)/.exec(option.flags)?.[1] ?? '';
  return valuesOf({ ...asked(line), name: option.long ?? option.flags, placeholder });
}

/** Options that were not typed yet. */
function options({ command, given }: Line): Word[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, variadic, description }) =>
      long && (variadic || !given.has(long)) ? [{ value: long, about: description }] : [],
    );
}

function argumentAt(command: Command, at: number): Argument | undefined {
  const { registeredArguments: all } = command;
  return all[at] ?? (all.at(-1)?.variadic ? all.at(-1) : undefined);
}
