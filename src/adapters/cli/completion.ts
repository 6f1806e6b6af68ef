// modes completion: prints a completion script for a shell. Also the hidden verb that the scripts call.

import path from 'node:path';
import type { Argument, Command, Option } from 'commander';
import { scripts, shells } from './completion-scripts.ts';
import { exits, type Terminal, UsageError } from './terminal.ts';

export async function completion(shell: string, terminal: Terminal): Promise<number> {
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (script === undefined)
    throw new UsageError(`there is no script for ${JSON.stringify(shell)}; use one of ${shells.join(', ')}`);
  terminal.out(script.trimEnd());
  return exits.fine;
}

/**
 * Answers a script: the kind of completion, then one word per line with its description. Fails
 * silently, because a person is typing.
 */
export async function complete(typed: readonly string[], program: Command, terminal: Terminal): Promise<number> {
  try {
    terminal.out(describe(await fitting(program, typed, valuesOf)));
  } catch {
    // For example, a folder cannot be read: offer nothing. The verb itself reports the error.
    return exits.fine;
  }
  return exits.fine;
}

function describe(completions: Fitting): string {
  if (completions.kind !== 'words') return completions.kind;
  return ['words', ...completions.words.map(({ value, about }) => (about === '' ? value : `${value}\t${about}`))].join('\n');
}

/** One completion; the shell shows `about` next to it. */
interface Word {
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
export type ValuesOf = (request: CompletionRequest) => Promise<Fitting | null>;

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
async function fitting(program: Command, typed: readonly string[], valuesOf: ValuesOf): Promise<Fitting> {
  const current = typed.at(-1) ?? '';
  const line = read(program, typed.slice(0, -1));
  const completions = await fill(line, current, valuesOf);
  if (completions.kind !== 'words') return completions;
  return { kind: 'words', words: completions.words.filter(({ value }) => value.startsWith(current) && isPlain(value)) };
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
    const completions = option && (await optionValues(line, option, valuesOf));
    if (completions?.kind !== 'words') return completions ?? none;
    return { kind: 'words', words: completions.words.map((word) => ({ ...word, value: `${name}=${word.value}` })) };
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
  const found = argument && (await valuesOf({ ...completionRequest(line), name: argument.name(), placeholder: argument.name() }));
  // If no value is known, offer options.
  return found ?? { kind: 'words', words: closed ? [] : options(line) };
}

const none: Fitting = { kind: 'words', words: [] };

const completionRequest = ({ verb, given }: Line): Pick<CompletionRequest, 'verb' | 'given'> => ({ verb: verb.join(' '), given });

function optionValues(line: Line, option: Option, valuesOf: ValuesOf): Promise<Fitting | null> {
  const placeholder = /[<[]([^>\].]+)/.exec(option.flags)?.[1] ?? '';
  return valuesOf({ ...completionRequest(line), name: option.long ?? option.flags, placeholder });
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

type ValueSource = (request: CompletionRequest) => Promise<readonly string[]>;

const times: ValueSource = async () => ['10m', '1h', '1d', '7d', '30d'];

/** By option or argument. The key is `VERB NAME` if the name has another meaning for that verb. */
export const values: Readonly<Record<string, ValueSource>> = {
  '--mode': modesOf,
  '--preset': async () => {
    const [{ listPresets }, { packageRoot }] = await Promise.all([
      import('../../app/setup/setup.ts'),
      import('../../platform/package.ts'),
    ]);
    return listPresets(packageRoot(import.meta.url));
  },
  '--decision': async () => (await import('./log.ts')).decisions,
  '--tool': async () => [...(await import('../../facts/table.ts')).tools.keys()],
  '--since': times,
  '--until': times,
  '--fail-on': async () => (await import('../../app/log/changes.ts')).classes,
  '--theme': async () => (await import('./graph.ts')).themes,
  '--format': async () => (await import('./policy-coverage.ts')).formats,
  '--alg': async () => Object.keys((await import('../../teams/keys.ts')).ALGORITHMS),
  '--target': async () => (await import('./policy-build.ts')).targets,
  '--harness': async () => [...(await import('../harnesses/table.ts')).harnesses.keys()],
  'hook event': async () => (await import('./one-shot.ts')).events,
  'completion shell': async () => (await import('./completion-scripts.ts')).shells,
};

/** Kind of file name by placeholder, for values that the shell itself completes. */
const ofDisk: Readonly<Record<string, 'files' | 'folders'>> = {
  folder: 'folders',
  file: 'files',
  program: 'files',
  paths: 'files',
  before: 'folders',
  after: 'folders',
};

const valuesOf: ValuesOf = async (completionRequest): Promise<Fitting | null> => {
  const { verb, name, placeholder } = completionRequest;
  const key = [`${verb} ${name}`, name].find((one) => Object.hasOwn(values, one));
  if (key !== undefined)
    return {
      kind: 'words',
      words: (await (values[key] as ValueSource)(completionRequest)).map((value) => ({ value, about: '' })),
    };
  return Object.hasOwn(ofDisk, placeholder) ? { kind: ofDisk[placeholder] as 'files' | 'folders' } : null;
};

/** Names that modes.yaml permits; anything else is not a mode. */
const modeName = /^[A-Za-z][A-Za-z0-9_-]*$/;

/** Read only from modes.yaml: nothing is compiled, and no trust is needed. */
async function modesOf({ given }: CompletionRequest): Promise<readonly string[]> {
  const [{ readConfigFile }, { findProject }, { layerFolders }, { packageRoot }, { readTopology }, { placeOf }] =
    await Promise.all([
      import('../../config/disk.ts'),
      import('../../store/find-project.ts'),
      import('../../platform/layer-folders.ts'),
      import('../../platform/package.ts'),
      import('../../config/topology.ts'),
      import('../../facts/paths/place.ts'),
    ]);
  const start = path.resolve(given.get('--project') || process.env.CLAUDE_PROJECT_DIR || '.');
  const place = placeOf(start, process.env, packageRoot(import.meta.url));
  const location = findProject(start, place);
  const layer = location && layerFolders(location.root, place).find(({ layer }) => layer === location.layer);
  if (!location || !layer) return [];
  const reading = readConfigFile(
    { base: path.dirname(location.folder), shown: '', within: null },
    `${path.basename(location.folder)}/modes.yaml`,
  );
  if (reading === null || 'fault' in reading) return [];
  return [...(readTopology(reading.file, location.layer).names ?? [])].filter((name) => modeName.test(name));
}
