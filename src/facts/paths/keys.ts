// Splits paths and commands into look-up keys. The facts contain these keys, and the index is keyed by them.

import type { BashCommand, BashContext, CommandTag } from '../../model/command.ts';
import type { CommandClass, CommandFacts, PathName } from '../../model/facts.ts';
import { analyse, isListed } from '../../shell/analyse.ts';
import { languageOf } from '../../shell/languages/plain.ts';
import { optionKeys } from '../../shell/option-sets.ts';
import { containedCommands } from '../../shell/program-texts.ts';
import { runsUnknownScript, scriptCalls, UNKNOWN_SCRIPT } from '../../shell/scripts.ts';

/** Longest word prefix that is a look-up key; a rule with more words is matched as a pattern. */
export const maxPrefixWords = 8;

/**
 * One name of a path with its look-up keys. A path inside a root has a relative name (`''` is the root itself) and an absolute
 * one in `names`. Only the relative one has keys by component, because relative patterns never match outside the roots.
 */
export function pathName(path: string, isAbsolute: boolean): PathName {
  const keys = [pathKey.whole(path)];
  if (path === '' || path === '/') return { path, keys };
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) keys.push(pathKey.under(path.slice(0, at)));
  keys.push(pathKey.under(isAbsolute ? '/' : ''));
  if (isAbsolute) return { path, keys };
  // The keys before this point are of other kinds. If there are many components, a set finds duplicates.
  const parts = new Keys(keys);
  for (let from = 0, to = 0; to < path.length; from = to + 1) {
    const slash = path.indexOf('/', from);
    to = slash === -1 ? path.length : slash;
    const part = path.slice(from, to);
    parts.add(pathKey.part(part));
    if (slash !== -1) parts.add(pathKey.folder(part));
    for (let dot = part.indexOf('.'); dot !== -1; dot = part.indexOf('.', dot + 1)) parts.add(pathKey.suffix(part.slice(dot)));
  }
  return { path, keys };
}

/** The keys that all names directly in a folder have in common. */
export function keysIn({ path, keys }: PathName): string[] {
  const shared = [...keys.slice(1), pathKey.under(path)];
  if (path !== '' && !path.startsWith('/')) shared.push(pathKey.folder(path.slice(path.lastIndexOf('/') + 1)));
  return shared;
}

/** True if `counts` accepts a key that depends only on the last component, and so applies in any folder. */
export function hasOwnKey(name: string, counts: (key: string) => boolean): boolean {
  if (counts(pathKey.part(name))) return true;
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1))
    if (counts(pathKey.suffix(name.slice(dot)))) return true;
  return false;
}

/** Appends keys, without duplicates among the appended ones. A short list is searched directly, which is faster than a set. */
class Keys {
  private readonly from: number;
  private known: Set<string> | null = null;

  constructor(private readonly list: string[]) {
    this.from = list.length;
  }

  add(key: string): void {
    const { list, from } = this;
    if (this.known === null) {
      if (list.indexOf(key, from) !== -1) return;
      if (list.length - from >= longList) this.known = new Set(list.slice(from));
    }
    if (this.known !== null) {
      if (this.known.has(key)) return;
      this.known.add(key);
    }
    list.push(key);
  }
}

const longList = 32;

/** One spelling for names that some file system treats as equal: names that differ in case, composition or ignored characters. */
export function fold(text: string): string {
  let hasCapitals = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7e) return foldBeyond(text);
    if (code >= 0x41 && code <= 0x5a) hasCapitals = true;
  }
  return hasCapitals ? text.toLowerCase() : text;
}

/** Characters that HFS+ ignores in a name: next_hfs_char in Git's utf8.c. */
const unseen = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * Folds each character separately, so that a text and its parts are folded in the same way: the lower case of a sigma depends on
 * whether it ends a word.
 */
function foldBeyond(text: string): string {
  let folded = '';
  for (const char of text.replace(unseen, '').normalize('NFC')) {
    const capital = char.toUpperCase();
    folded += (isOne(capital) ? capital : char).toLowerCase();
  }
  return folded;
}

function isOne(text: string): boolean {
  return text.length === 1 || (text.length === 2 && (text.codePointAt(0) as number) > 0xffff);
}

/** Folded names for deny and ask rules, for names that folding changes. They are in no reading, so no allow rule uses them. */
export function foldedNames(names: readonly PathName[]): PathName[] {
  const pathNames: PathName[] = [];
  for (const { path } of names) {
    const folded = fold(path);
    if (folded !== path) pathNames.push(pathName(folded, folded.startsWith('/')));
  }
  return pathNames;
}

/** Keys by the property of a path that they describe. The first character distinguishes the kinds. */
export const pathKey = {
  /** This path itself. */
  whole: (path: string): string => `=${path}`,
  /** Strictly below this folder. */
  under: (folder: string): string => `<${folder}`,
  /** A component of this name. */
  part: (name: string): string => `/${name}`,
  /** A component of this name that is not the last. */
  folder: (name: string): string => `>${name}`,
  /** A component that ends with this text, which starts with a dot. */
  suffix: (dotted: string): string => dotted,
};

/** Keys by the property of a command that they describe. */
export const commandKey = {
  /** This text. */
  whole: (text: string): string => `=${text}`,
  /** These words, alone or followed by more words. */
  prefix: (words: string): string => `>${words}`,
  class: (name: CommandClass): string => `@${name}`,
  /** A set of options, in deny and ask. */
  options: (set: string): string => set,
  every: '*',
};

/** Word prefixes of a command text, longest first, at most eight words; words end at a space. */
export function commandPrefixes(text: string): string[] {
  const prefixes: string[] = [];
  for (let at = text.indexOf(' '); prefixes.length < maxPrefixWords; at = text.indexOf(' ', at + 1)) {
    const prefix = at === -1 ? text : text.slice(0, at);
    if (prefix !== '') prefixes.push(prefix);
    if (at === -1) break;
  }
  return prefixes.reverse();
}

/** A simple command of a text that starts in this folder, as the policy sees it, with all its look-up keys. */
export function commandFacts(command: BashCommand, folder: string): CommandFacts {
  const { name, argv, text, top, network } = command;
  const { commands: contained, areAll } = commandsIn(command);
  // A plain program text starts nothing, so its words name no command: `import numpy as np`.
  const isPlainText = command.tags?.includes('checks') === true && languageOf(name) !== null;
  const purposes = isPlainText ? [] : contained.flatMap((one) => one.tags ?? []).filter((tag) => PURPOSES.has(tag));
  const tags = unique([...tagsOf(command), ...purposes]);
  const isPlain = command.spellings.length === 0 && contained.length === 0;
  const spellings = isPlain
    ? [text]
    : unique([text, ...command.spellings, ...contained.flatMap((one) => [one.text, ...one.spellings])]);
  const own = textKeys(text);
  let keys = own.slice();
  for (let at = 1; at < spellings.length; at++) keys.push(...textKeys(spellings[at] as string));
  const started = [argv, ...contained.map((one) => one.argv)];
  const scripts = started.flatMap((words) => scriptCalls(words, folder, command));
  const others = [...(command.wrapped ?? []), ...started.slice(1), ...scripts];
  const options = [argv, ...others].map(optionKeys);
  for (const set of options.flatMap((one) => one.keys)) keys.push(commandKey.options(set));
  if (!isPlain) keys = unique(keys);
  keys.push(commandKey.class(command.class));
  if (network) keys.push(commandKey.class('network'));
  for (const tag of tags) keys.push(commandKey.class(tag));
  keys.push(commandKey.every);
  const allowKeys = top && name !== '' ? own : [];
  allowKeys.push(...classesToAllow({ class: command.class, network, tags }).map(commandKey.class), commandKey.every);
  return {
    name,
    argv,
    text,
    spellings,
    keys,
    allow_keys: allowKeys,
    open_prefixes: unique([
      ...openPrefixes(argv),
      ...(command.open ?? []),
      ...contained.flatMap((one) => openPrefixes(one.argv)).filter((words) => words !== ''),
      ...options.flatMap((one) => one.open),
      ...(started.some(runsUnknownScript) || scripts.some(([, file]) => file === null) ? [UNKNOWN_SCRIPT] : []),
      ...(areAll ? [] : ['']),
    ]),
    top,
    class: command.class,
    network,
    ...(tags.length > 0 && { tags }),
    ...(others.length > 0 && { contained: others }),
    why: command.why.map((why) => why.text),
    ...(command.folders && { folders: command.folders }),
  };
}

/** Tags that a program also has if it runs a command with them. */
const PURPOSES: ReadonlySet<CommandTag> = new Set(['secrets', 'environment', 'database', 'deploy']);
/** The folder makes no difference, because only the words are used. */
const NOWHERE: BashContext = { cwd: '/', home: '/' };

/** The commands that the words of a command contain, without wrappers and assignments. `areAll` is false if there may be more. */
export function commandsIn(command: BashCommand): { commands: BashCommand[]; areAll: boolean } {
  const { texts, areAll } = containedCommands(command, isListed);
  const bashCommands = texts.flatMap((text) => analyse(text, NOWHERE).commands);
  return { commands: bashCommands.filter(({ text }) => text !== ''), areAll };
}

/** The tags from the analyser, and whether the command may send something to another machine. */
function tagsOf({ class: given, tags = [], network, local = false }: BashCommand): readonly CommandTag[] {
  if (!network || tags.includes('network-read')) return tags;
  if (!local) return [...tags, 'network-send'];
  // A request to this machine that changes nothing there, such as `curl http://localhost:3000/health`.
  return given === 'read-only' || given === 'writes' ? [...tags, 'network-read'] : tags;
}

/** Purposes that allow rules can name instead of the class, and the class that a command must then have. */
const classOfPurpose: Partial<Record<CommandTag, CommandClass>> = { checks: 'runs', files: 'writes' };

/** A class that may write anywhere must be allowed by its name. Other commands that use the network need `network` instead. */
export function classesToAllow({ class: given, network, tags }: Pick<BashCommand, 'class' | 'network' | 'tags'>): CommandClass[] {
  const queries = tags?.includes('network-read') ?? false;
  const named = network && !queries ? [] : (tags ?? []).filter((tag) => classOfPurpose[tag] === given);
  if (!network || (given !== 'read-only' && given !== 'writes')) return [given, ...named];
  return queries ? ['network', 'network-read'] : ['network'];
}

function textKeys(text: string): string[] {
  const keys = [commandKey.whole(text)];
  for (const words of commandPrefixes(text)) keys.push(commandKey.prefix(words));
  return keys;
}

/** The text before the first word with an unknown value, by written name and by basename. Empty if every word is known. */
export function openPrefixes(argv: (string | null)[]): string[] {
  const open = argv.indexOf(null);
  if (open === -1) return [];
  const [name, ...rest] = argv.slice(0, open) as string[];
  if (name === undefined) return [''];
  return unique([name, name.slice(name.lastIndexOf('/') + 1)].map((word) => [word, ...rest].join(' ')));
}

function unique<T extends string>(texts: T[]): T[] {
  if (texts.length > longList) return [...new Set(texts)];
  return texts.filter((text, at) => texts.indexOf(text) === at);
}
