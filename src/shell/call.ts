// One simple command during its analysis: its words, its working folder, and the methods that tables and handlers use to record
// its effects.
import { posix } from 'node:path';
import type { Function as FunctionNode } from 'unbash';
import type {
  BashClass,
  BashRead,
  BashWrite,
  CommandTag,
  DeclaredCommand,
  HowRead,
  HowWritten,
  LinksBelow,
  LinkTo,
  Outline,
  Skips,
  Stdin,
} from '../model/command.ts';
import { Arg, argOf, type LinkFollowing, literalArg, unknownArg } from './arg.ts';
import type { DiskView } from './disk.ts';
import type { Effects, TextRange } from './effects.ts';
import { hostOf, isLoopback } from './hosts.ts';
import { joinInputs, shared } from './inputs.ts';
import { condition, conditionsOf } from './loads.ts';
import { type Given, type GivenOption, mayBeOption, type OptionTable, type ParseStyle, parseOptions } from './options.ts';
import { BLANK, isBlank, listOf, outlineOfPattern } from './outline.ts';
import { among, type FoundName, GAP, isKnown, MAX_POSSIBLE_NAMES, type NameSearch } from './possible-names.ts';
import { tagsOfOutput } from './secrets.ts';
import { spell } from './spellings.ts';
import { howNamed, joinValues, type PrefixAssignment, type ShellState, type Value } from './state.ts';
import {
  absolute,
  basename,
  dirname,
  enterFolder,
  isBelow,
  isMirror,
  isSink,
  isSource,
  isStdin,
  restBelowDescriptor,
  settled,
  trimSlashes,
  unmirror,
  unmirrorOutline,
} from './targets.ts';

/** The services that a call needs from its walk. */
export interface CallHost {
  readonly effects: Effects;
  readonly home: string;
  readonly temp: string;
  /** The working folder of the hook event. */
  readonly origin: string;
  /** Folders where git may run, because the git configuration there is trusted. */
  readonly gitFolders: readonly string[];
  readonly declared: readonly DeclaredCommand[];
  /** Number of enclosing loops with a command that may remove files. */
  readonly removingLoops: number;
  /** Every folder that the shell was in so far. */
  readonly visited: ReadonlySet<string>;
  readonly disk: DiskView;
  /** True if another command may use the output of commands here as words or names. */
  readonly isCaptured: boolean;
  /** Walks a text as a separate script. `state` is its start state and receives its final state. */
  runText(text: string, at: TextRange, state: ShellState): void;
  /** Analyzes a command line inside this one as a separate entry. */
  runWords(args: Arg[], state: ShellState, at: TextRange, stdin: Stdin): void;
  /** Walks the commands in texts that Bash evaluates as arithmetic, for example in subscripts. */
  runEvaluated(texts: readonly string[], at: TextRange, state: ShellState): void;
  /** Analyzes the command inside a wrapper as the same entry. */
  unwrapped(call: CommandCall): void;
  /** Walks a text in every folder where it may run later. */
  defer(text: string, at: TextRange, state: ShellState): void;
  /** Walks the commands that may run because a variable has a new value. */
  assigned(name: string, value: Value, at: TextRange, state: ShellState, entry: number | null, isExported?: boolean): void;
  /** Records that Bash evaluates every value assigned to the variable as arithmetic. */
  markInteger(name: string): void;
  /** Walks every function with this name that is defined anywhere in the text. The caller decides on the state afterwards. */
  callDefinitions(name: string, state: ShellState, args: Arg[]): void;
  /** Adds to the number of characters examined. Returns false if the limit is exceeded. */
  look(characters: number, at: TextRange): boolean;
  /** Records that the current function declared a local variable. */
  markLocal(name: string): void;
  /** Records a use of a file descriptor after which /dev/fd/N may be any file. */
  markDescriptor(part: 'odd' | 'sink', at: TextRange): void;
  /** Walks the body of a function. */
  callFunction(fn: FunctionNode, state: ShellState, args: Arg[] | null): void;
}

const NOTHING = {};
const NO_PREFIX: readonly PrefixAssignment[] = [];
const NO_SOURCE: readonly { pos: number; text: string }[] = [];
const NO_PATHS: string[] = [];
/** Cost of one use of a path, in characters: a fixed amount, plus its length divided by `PART`. */
const PATH = 16;
const PART = 4;
/** Divisor for the length of the folder of a path, which is copied and searched too. */
const FOLDER = 8;

export class CommandCall {
  readonly host: CallHost;
  readonly entry: number;
  /** The command word is the first element. */
  args: Arg[];
  name = '';
  readonly state: ShellState;
  /** The possible working folders of the command. A wrapper can change them. */
  cwds: readonly string[] | null;
  stdin: Stdin;
  /** The state after the command fails, if it differs. */
  failure: ShellState | null = null;
  /** The shell, or the loop or function, ends after this command (exit, return, break, exec). */
  ends: 'no' | 'shell' | 'loop' = 'no';
  /** Assignments before the command. */
  prefix: readonly PrefixAssignment[] = NO_PREFIX;
  /** The words of the command in the source text, if they may differ from `args`. */
  source: readonly { pos: number; text: string }[] = NO_SOURCE;
  /** Starts an external program (env, xargs, find), so functions and builtins are skipped. */
  external = false;
  /** An option names the folder where it works. */
  isElsewhere = false;
  /** `command` and `builtin` do not look up functions. */
  skipFunctions = false;
  /** The output under any reading of the words, or null before the first reading was analyzed. */
  output: Value | null = null;

  constructor(host: CallHost, entry: number, args: Arg[], state: ShellState, stdin: Stdin) {
    this.host = host;
    this.entry = entry;
    this.args = args;
    this.state = state;
    this.cwds = state.cwds;
    this.stdin = stdin;
  }

  get rest(): Arg[] {
    return this.args.slice(1);
  }

  get at(): TextRange {
    return this.args[0] ?? { pos: 0, end: 0 };
  }

  parse(t: OptionTable, style?: ParseStyle): Given {
    return parseOptions(this.args, t, style, 1);
  }

  is(cls: BashClass, text: string, at: TextRange = this.at): void {
    this.host.effects.worsen(this.entry, cls, text, at);
  }

  /**
   * The command is not understood. If an unknown word is the reason, the command may do anything that it does with another word.
   */
  unknown(text: string, at: TextRange | Arg = this.at): void {
    const isOpen = at instanceof Arg && at.value === null && !at.int;
    this.host.effects.worsen(this.entry, 'unknown', text, at, isOpen);
  }

  /** The command may run any command, and only the running call knows which. */
  anything(text: string, at: TextRange = this.at): void {
    this.host.effects.worsen(this.entry, 'unknown', text, at, true);
  }

  /** Bash evaluates this word a second time, including subscripts with commands in them. */
  evaluates(text: string, arg: Arg): void {
    this.unknown(text, arg);
    this.host.runEvaluated(arg.literal === null ? (arg.texts ?? []) : [arg.literal], arg, this.state);
  }

  /** The unknown text may be the content of a file, and the command sends it to a host. */
  carries(text: string, at: TextRange = this.at): void {
    this.is('unknown', `${text} may carry data away`, at);
  }

  /** Records words that are passed to something that may run them and is not analyzed. */
  opaque(...args: Arg[]): void {
    const entry = this.host.effects.commands[this.entry];
    if (args.length === 0) return;
    const texts = args.flatMap((arg) => (arg.literal !== null ? [arg.literal] : (arg.texts ?? [])));
    if (!entry || texts.length === 0) return;
    if (entry.opaque === undefined) entry.opaque = texts;
    else for (const text of texts) entry.opaque.push(text);
  }

  /** Starts another program with unknown effects. Deny and ask rules for that program also apply. */
  starts(words: Arg[]): void {
    const [program] = words;
    if (program === undefined) return;
    this.opaque(program);
    const named = program.literal ?? program.text;
    // A package runner takes a version after the name: `npx wrangler@latest`.
    const name = basename(named).replace(/(?!^)@[^@]*$/, '');
    for (const tag of tagsOfOutput(name, words)) this.tag(tag);
    for (const one of new Set([program.text, named, basename(named), name])) this.spelled(one, words.slice(1));
  }

  /** Records the subcommand as if no options came before it, so that deny and ask rules for that form also apply. */
  subcommand({ operands, options, problem }: Given): void {
    if (options.length > 0 || problem !== null) this.spelled(this.name, operands);
    // The unknown option may have taken the next word as its value.
    if (problem !== null) this.spelled(this.name, operands.slice(1));
  }

  /** Records another spelling, which deny and ask rules are also compared with. */
  spelled(name: string, rest: readonly Arg[]): void {
    const entry = this.host.effects.commands[this.entry];
    if (entry === undefined) return;
    spell(entry, name, rest);
    if (rest.some(({ lead }) => lead.startsWith('-')))
      entry.wrapped = [...(entry.wrapped ?? []), [name, ...rest.map(({ literal }) => literal)]];
  }

  /** Records the words as a command of another program, so that deny and ask rules for that program also apply. */
  means(program: string, ...before: Arg[]): void {
    this.spelled(program, [...before, ...this.rest]);
  }

  /** Does the same for the text on standard input, if it is known. */
  opaqueInput(): void {
    const text = 'text' in this.stdin ? this.stdin.text : undefined;
    if (text !== undefined) this.opaque(literalArg(text, this.at.pos, this.at.end));
  }

  /** Records network access, with the host if it is known. */
  network(host?: string | null): void {
    const entry = this.host.effects.commands[this.entry];
    if (entry) entry.network = true;
    if (!host) return;
    if (entry) entry.local = entry.local !== false && isLoopback(host);
    this.host.effects.request(host);
  }

  /** The command sends a request to a service and changes nothing there. */
  queries(): void {
    this.network();
    this.tag('network-read');
  }

  tag(tag: CommandTag): void {
    const entry = this.host.effects.commands[this.entry];
    if (entry && !entry.tags?.includes(tag)) entry.tags = [...(entry.tags ?? []), tag];
  }

  /** Records access to the host of a URL or of a `host:path` word. */
  url(arg: Arg): void {
    this.network(arg.literal === null ? null : hostOf(arg.literal));
  }

  private paths(arg: Arg): string[] | null {
    if (!this.host.look(PATH + (arg.value?.length ?? 0) / PART + lengthOf(this.cwds) / FOLDER, arg)) return null;
    if (arg.value !== null) return arg.value === '' ? NO_PATHS : absolute(arg.value, this.cwds);
    const words = arg.many ? null : arg.texts;
    if (!words) return null;
    const out: string[] = [];
    for (const w of words) {
      if (w === '') continue;
      const all = absolute(w, this.cwds);
      if (!all) return null;
      out.push(...all);
    }
    return out;
  }

  /** Outlines of the paths that a word may name. Relative paths are resolved against the current folders. */
  private outlines(arg: Arg): Outline[] {
    const { cwds } = this;
    const all = arg.value !== null ? [arg.pattern ? outlineOfPattern(arg.value) : [arg.value]] : this.outlinesOfUnknown(arg);
    return all.flatMap(([first, ...rest]): Outline[] => {
      const head = first!;
      if (head.startsWith('/')) return [[head, ...rest]];
      // An unknown beginning may be an absolute path, or lead to any place relative to the current folder.
      if (head === '' && rest.length > 0 && !arg.pattern && !(arg.confined && cwds !== null)) return [[head, ...rest]];
      if (cwds === null)
        return [['', `/${head}`, ...rest], ...this.candidates(false).map((folder) => [...inFolder(folder, head), ...rest])];
      return absolute(head, cwds)!.map((path) => [path, ...rest]);
    });
  }

  /** If the folder is not known, folders that the command may run in: either those known in full, or those with gaps. */
  private candidates(areKnown: boolean): readonly Outline[] {
    return this.cwds === null ? this.state.candidateFolders.filter(({ length }) => (length === 1) === areKnown) : [];
  }

  /** Paths that a relative word may name in those folders. */
  private possiblePaths(arg: Arg): { path: string; isPattern: boolean }[] {
    const words = arg.value !== null ? [arg.value] : ((arg.many ? null : arg.texts) ?? NO_PATHS);
    return this.candidates(true).flatMap(([folder]) => {
      const isPattern = arg.pattern || howNamed(folder!) === 'glob';
      return words
        .filter((word) => word !== '' && !word.startsWith('/'))
        .map((word) => ({ path: isPattern ? settled(`${folder}/${word}`) : `${folder}/${word}`, isPattern }));
    });
  }

  /** Known folders that a word may name: paths, patterns, and paths with gaps. */
  foldersNamed(arg: Arg): Outline[] {
    const from = this.state.candidateFolders;
    const enter = (word: string): Outline[] => {
      if (word.includes(GAP)) return enterPartly(word.split(GAP));
      if (word.startsWith('/')) return [[settled(word)]];
      return from.map((folder) => (folder.length === 1 ? [settled(`${folder[0]}/${word}`)] : inFolder(folder, word)));
    };
    const enterPartly = ([head = '', ...rest]: Outline): Outline[] =>
      head === '' || head.startsWith('/') ? [[head, ...rest]] : from.map((folder) => [...inFolder(folder, head), ...rest]);
    const words = [
      ...(arg.value !== null ? [arg.value] : (arg.texts ?? NO_PATHS)),
      ...(arg.found?.names ?? []).map(({ text }) => text),
    ];
    const partly = arg.value === null && arg.texts === null ? listOf(arg.outlines).filter((one) => !isBlank(one)) : [];
    return [...words.filter((word) => word !== '').flatMap(enter), ...partly.flatMap(enterPartly)];
  }

  private outlinesOfUnknown({ texts, many, outlines }: Arg): readonly Outline[] {
    return texts !== null && !many ? texts.map((text) => [text]) : listOf(outlines);
  }

  /** Records the certain parts of the path of a write that is not fully known. */
  private openWrite(arg: Arg, via: string): void {
    // The whole text requires approval, and its words are analyzed again one by one.
    if (this.host.effects.overrun !== null) return;
    for (const outline of this.outlines(arg)) this.addOpen('write', outline, arg, via);
  }

  /** Does the same for a read. Unless the extent is one path, it may also be any file below it. */
  private openRead(arg: Arg, via: string, how: HowRead): void {
    if (this.host.effects.overrun !== null) return;
    for (const outline of this.outlines(arg)) {
      // Listing a folder shows names and no file contents.
      if (how.what === 'names' && isBlank(outline)) continue;
      this.addOpen('read', outline, arg, via);
      if (hasBelow(how) && outline.at(-1) !== '')
        this.addOpen('read', [...outline.with(-1, `${outline.at(-1)!.replace(/\/\.?$/, '')}/`), ''], arg, via);
      const mirrored = unmirrorOutline(outline);
      if (mirrored === null) continue;
      const [first, ...rest] = mirrored.outline;
      if (!mirrored.isRoot) this.addOpen('read', ['', first!, ...rest], arg, via);
      for (const folder of mirrored.isRoot ? [''] : (this.cwds ?? NO_PATHS))
        if (rest.length === 0) this.read(arg.as(folder + first || '/'), via, how);
        else this.addOpen('read', [folder + first, ...rest], arg, via);
    }
  }

  /** The real paths of a path through the working folder or the root of a process. */
  private mirrored(path: string, arg: Arg, via: string, kind: 'read' | 'write' = 'read'): string[] {
    const found = unmirror(path);
    if (found === null) return NO_PATHS;
    const names = found.isRoot ? [found.rest || '/'] : (this.cwds ?? NO_PATHS).map((cwd) => cwd + found.rest);
    // Another process may have any working folder.
    if (!found.isRoot && (this.cwds === null || !found.isSelf)) this.addOpen(kind, ['', found.rest], arg, via);
    return names.flatMap((name) => [name, ...this.mirrored(name, arg, via, kind)]);
  }

  private addOpen(kind: 'read' | 'write', outline: Outline, arg: Arg, via: string): void {
    const confined = arg.confined && outline[0] !== '';
    this.host.effects.openTargets.push({ kind, outline, via, command: this.entry, ...(confined && { confined }) });
  }

  /** Records a write to an unknown place. */
  writeAnywhere(via: string): void {
    this.host.effects.openTargets.push({ kind: 'write', outline: BLANK, via, command: this.entry });
  }

  /** Records the read of a file. If the word is not fully known, its certain parts are recorded. */
  read(arg: Arg, via: string, how: HowRead = NOTHING): void {
    if (arg.below) {
      // If a folder is passed, a recursive command reads everything in it.
      const skips = arg.skips !== null && (arg.files || !hasBelow(how)) ? { skips: arg.skips } : {};
      for (const b of arg.below)
        this.read(arg.as(b), via, { ...how, extent: 'deep', opens: !arg.files, follows: arg.links !== 'none', ...skips });
      return;
    }
    for (const name of arg.found?.names ?? []) {
      // If the name is a folder, a recursive command reads everything in it, so the skips of the listing do not apply.
      const skips = name.files || !hasBelow(how) ? name.skips : null;
      this.read(
        arg.name(name),
        via,
        name.how === 'deep'
          ? { ...how, extent: 'deep', opens: !name.isWithoutLinks, follows: !name.isWithoutLinks, ...(skips && { skips }) }
          : how,
      );
    }
    const paths = this.paths(arg);
    if (paths === null && !isKnown(arg.found)) this.openRead(arg, via, how);
    if (paths === null)
      for (const { path, isPattern } of this.possiblePaths(arg)) {
        const target = readTarget(path, via, this.entry, how, isPattern);
        this.host.effects.reads.push({ ...target, possible: true });
      }
    for (const path of paths ?? NO_PATHS) {
      if (isSource(path)) continue;
      if (restBelowDescriptor(path) !== null) this.unknown(`${path} is another name of an unknown file`, arg);
      for (const mirrored of this.mirrored(path, arg, via)) {
        const extent = arg.pattern ? 'glob' : how.extent === 'deep' ? 'deep' : 'one';
        this.host.effects.reads.push({ path: mirrored, extent, via, command: this.entry });
      }
      const target = readTarget(path, via, this.entry, how, arg.pattern);
      if (how.what !== 'names' && /^(?:one|within)$/.test(target.extent) && this.host.isCaptured) this.listLines(path);
      this.host.effects.reads.push(target);
    }
  }

  /** Records the files that its words may name, for a program that may open any of them. It is not certain that it does. */
  mayOpen(args: readonly Arg[]): void {
    const { reads, openTargets } = this.host.effects;
    const [from, open] = [reads.length, openTargets.length];
    for (const arg of args) if (arg.value === null && arg.texts === null) this.read(arg, this.name);
    reads.push(...reads.splice(from).map((target): BashRead => ({ ...target, possible: true })));
    // Most words of a program are no paths, so a partly known word is compared only by the names in it.
    openTargets.length = open;
  }

  /** Each line and each quoted text of a printed file may be a name that a later command uses. */
  private listLines(path: string): void {
    const text = this.host.disk.text(path) ?? '';
    const strings = [...text.matchAll(/"([^"\\\n]+)"/g)].map(([, one]) => one!);
    this.lists(...[...text.split(/[\n\0]/), ...strings].filter(Boolean).map((text): FoundName => ({ text, how: 'one' })));
  }

  /** Records a read below the current folder. */
  readHere(via: string, how: HowRead = NOTHING): void {
    this.read(literalArg('.', this.at.pos, this.at.end), via, how);
  }

  /**
   * Records the change of a path. An unknown target makes the command unknown.
   */
  write(arg: Arg, via: string, how: HowWritten = NOTHING): void {
    if (arg.below && arg.links !== 'followed') {
      // An unknown path below known folders.
      for (const b of arg.below) this.write(arg.as(b), via, { ...how, extent: 'deep', opens: !arg.files });
      return;
    }
    const isFound = arg.found?.isAll && !arg.many;
    for (const name of arg.found?.names ?? [])
      if (isFound || name.how === 'one')
        this.write(arg.name(name), via, name.how === 'deep' ? { ...how, extent: 'deep', opens: true } : how);
    if (isFound) return;
    const paths = this.paths(arg);
    const at: TextRange = arg;
    const temporary = paths ? null : this.temporary(arg);
    if (temporary !== null) {
      this.write(temporary, via, how);
      return;
    }
    if (!paths) {
      this.openWrite(arg, via);
      // The recorded target requires approval if its path may lead anywhere.
      this.is('unknown', `${how.why ?? `${via} writes`} in an unknown place`, at);
      return;
    }
    for (const path of paths) {
      if (how.what !== 'entry' && (isSink(path) || (arg.hidden && path.startsWith('/dev/fd/')))) {
        if (path !== '/dev/null' && !arg.hidden) this.host.markDescriptor('sink', at);
        continue;
      }
      if (isMirror(path)) {
        this.unknown(`${path} is another name of an unknown file`, at);
        const below = restBelowDescriptor(path);
        if (below !== null) this.addOpen('write', ['', below], arg, via);
        for (const name of this.mirrored(path, arg, via, 'write')) this.write(arg.as(name), via, how);
        continue;
      }
      const extent = arg.pattern ? 'glob' : (how.extent ?? 'one');
      const target: BashWrite = { path, extent, via, command: this.entry };
      if (how.old === 'kept' || (how.old === 'untouched' && extent !== 'one')) target.old = how.old;
      if (how.opens && how.what !== 'entry' && extent === 'deep') target.opens = true;
      if (how.links) target.links = how.links;
      this.host.effects.writes.push(target);
      this.is('writes', how.why ?? `${via} writes ${arg.value ?? arg.text}`, at);
    }
  }

  /**
   * A file directly in the temporary folder with a partly unknown name, such as `/tmp/out.$$`, as a pattern. In a project, rules
   * could match a name that does not exist yet.
   */
  private temporary(arg: Arg): Arg | null {
    const [outline, ...more] = arg.confined ? listOf(arg.outlines) : [];
    if (outline === undefined || more.length > 0 || /[*?[\\]/.test(outline.join(''))) return null;
    const { temp, origin } = this.host;
    const isApart = !isBelow(origin, temp) && !isBelow(temp, origin);
    return isApart && dirname(`${outline[0]!}x`) === temp ? arg.globbed(outline.join('*')) : null;
  }

  /** Records folders that are created along a path and that `..` then leaves. The parents of the target need no entry. */
  writeIntermediateFolders(arg: Arg, via: string): void {
    for (const { index } of (arg.literal ?? '').matchAll(/(?<!\/)\/+\.\.(?=\/|$)/g)) {
      const left = arg.literal!.slice(0, index);
      if (/[^./]/.test(left)) this.write(arg.as(left).at(arg), via, { what: 'entry' });
    }
  }

  /**
   * Records a change to something other than a file of the tree, such as the internal data of a repository: class `writes`
   * without a target.
   */
  bookkeeping(text: string, at: TextRange = this.at): void {
    this.host.effects.keepers.add(this.entry);
    this.is('writes', text, at);
  }

  /**
   * Puts `sources` at `dest`. The file system is not examined, so `dest` may be a file, or a folder that receives the sources.
   * @param intoFolder true if dest is certainly a folder (several sources, `-t`, trailing slash), false if certainly not (`-T`)
   */
  place(
    sources: Arg[],
    dest: Arg,
    via: string,
    intoFolder: boolean | null,
    extent: 'one' | 'deep' = 'one',
    links?: LinksBelow,
  ): void {
    // `.`, `..`, and a path with a trailing slash can only be folders.
    const folder = intoFolder === null && /(?:^|\/)\.{0,2}$/.test(dest.literal ?? 'x') ? true : intoFolder;
    // A link adds no files: everything below its name already exists elsewhere.
    const old = via === 'ln' || via === 'cp -s' ? undefined : 'untouched';
    if (folder !== true) this.write(dest, via, { extent, old, links });
    if (folder === false) return;
    if (dest.value === null || dest.pattern) {
      if (folder === true) this.write(dest, via, { extent, old, links });
      return;
    }
    const base = trimSlashes(dest.value) || (dest.value.startsWith('/') ? '' : dest.value);
    for (const s of sources) {
      const name = s.value === null ? null : basename(s.value);
      if (name === null || name === '' || name === '.' || name === '..' || s.many) {
        // The names below the folder are not known, so the write covers the whole folder.
        this.write(dest, via, { extent: 'deep', old, links });
        continue;
      }
      const inside = literalArg(`${base}/${name}`, dest.pos, dest.end);
      this.write(s.pattern ? inside.globbing() : inside, via, { extent, old, links });
    }
  }

  /**
   * Makes `dest` a symbolic link to `source`, which gives the target a second name. The text is relative to the folder of the
   * link, or to the current folder if `isFromHere` is true.
   */
  link(source: Arg, dest: Arg, via: string, intoFolder: boolean | null, isFromHere = false): void {
    const texts = source.value !== null ? [source.value] : source.many ? null : source.texts;
    const names = this.linkNames(source, texts, dest, intoFolder) ?? [];
    // A pattern is expanded in the current folder, even if the link is in another folder.
    const isKnown = (text: string, name: string): boolean =>
      !source.pattern || isFromHere || text.startsWith('/') || (this.cwds?.length === 1 && this.cwds[0] === dirname(name));
    const areKnown = texts !== null && names.length > 0 && texts.every((text) => names.every((name) => isKnown(text, name)));
    this.place([source], dest, via, intoFolder, 'deep', areKnown ? 'made' : 'any');
    for (const text of texts ?? []) {
      const why = `${via} makes another name for ${text}`;
      const lead = (path: string, links?: LinkTo) =>
        this.write(source.pattern ? source.as(path).globbing() : source.as(path), via, {
          extent: 'deep',
          old: 'kept',
          links,
          why,
        });
      if (names.length === 0 && text.startsWith('/')) lead(text);
      for (const name of text === '' ? [] : names)
        for (const path of absolute(text, isFromHere ? this.cwds : [dirname(name)]) ?? [])
          lead(path, { name, text: isFromHere ? path : text });
    }
  }

  /** The possible names of a link, or null if they are not known. */
  private linkNames(source: Arg, texts: readonly string[] | null, dest: Arg, intoFolder: boolean | null): string[] | null {
    const places = dest.pattern ? null : this.paths(dest);
    if (places === null) return null;
    const isFolder = intoFolder === null && /(?:^|\/)\.{0,2}$/.test(dest.literal ?? 'x') ? true : intoFolder;
    const below = (texts ?? [source.tail || '*']).map((text) => basename(text));
    return [
      ...(isFolder === true ? [] : places),
      ...(isFolder === false ? [] : places.flatMap((place) => below.map((name) => `${trimSlashes(place)}/${name}`))),
    ];
  }

  /** Records that `name` will refer to the target of `source`. The text of a link is relative to the folder of the link. */
  alias(name: Arg, source: Arg, how: 'link' | 'same' | 'copy'): void {
    const text = how === 'copy' ? source.value : source.literal;
    const kind = { command: this.entry, isCopy: how === 'copy', isGlob: source.pattern };
    for (const n of this.paths(name) ?? [])
      for (const path of (text === null ? null : absolute(text, how === 'link' ? [dirname(n)] : this.cwds)) ?? [null])
        this.host.effects.aliases.push({ name: n, path, ...kind });
  }

  /** Does the same if `dest` may be a folder that receives the source. */
  aliasAt(dest: Arg, source: Arg, how: 'link' | 'same' | 'copy'): void {
    // A path with a trailing slash can only be a folder.
    if (!dest.literal?.endsWith('/')) this.alias(dest, source, how);
    if (dest.literal !== null && source.literal !== null)
      this.alias(dest.as(`${trimSlashes(dest.literal)}/${basename(source.literal)}`), source, how);
  }

  /** Records that there may now be links below a folder. */
  linksBelow(folder: Arg): void {
    for (const name of this.paths(folder) ?? [])
      this.host.effects.aliases.push({ name, path: null, command: this.entry, isBelow: true });
  }

  /** Records the working folders, unless the start folder of the text is the only one. Null: not known. */
  worksIn(folders: readonly string[] | null): void {
    const entry = this.host.effects.commands[this.entry];
    if (entry && (folders?.length !== 1 || folders[0] !== this.host.origin)) entry.folders = folders ?? [];
  }

  /** The analysis so far is valid only while none of these files exists. */
  loads(files: readonly string[]): void {
    const entry = this.host.effects.commands[this.entry];
    if (!entry || (entry.class !== 'read-only' && entry.class !== 'writes')) return;
    if (this.cwds === null) {
      this.is('runs', `${this.name} may run a program that a file of its folder names, and the folder is unknown`);
      return;
    }
    const load = { files, folders: this.cwds };
    entry.loads = [...(entry.loads ?? []), load];
    this.is('read-only', condition(entry.name, load));
  }

  /** Reports words that the option table does not know. Returns true if it knows all words. */
  accept(given: Given, loose = false): boolean {
    let ok = true;
    if (given.problem) {
      this.unknown(`${this.name} ${given.problem.text}`, given.problem.arg);
      ok = false;
    }
    if (given.flaggy && !loose) {
      const unless = this.conditionsOn(given);
      for (const one of unless ?? []) this.loads([one]);
      if (unless === null) {
        this.unknown(
          `${given.flaggy.text || 'a word'} may become an option of ${this.name} unless -- comes before it`,
          given.flaggy,
        );
        ok = false;
      }
    }
    return ok;
  }

  /** The conditions under which an operand that is the name of a file is an option. Null: some word may be one in any case. */
  private conditionsOn({ flaggy, operands, dashed, options }: Given): readonly string[] | null {
    if (!operands.includes(flaggy!) || options.some(({ value }) => value?.several)) return null;
    const all = operands.slice(0, dashed).flatMap((arg): readonly (string | null)[] => {
      if (!mayBeOption(arg)) return [];
      const glob = arg.pattern && arg.value !== null ? arg.value : null;
      return (glob === null ? arg.unless : conditionsOf([{ text: glob, how: 'glob' }], this.cwds, false)) ?? [null];
    });
    return all.includes(null) ? null : (all as string[]);
  }

  /** Applies the roles of option values. */
  roles(given: Given): void {
    for (const o of given.options) if (o.value && o.spec.role !== '') this.role(o, o.value);
  }

  private role(o: GivenOption, value: Arg): void {
    const via = `${this.name} ${o.flag}`;
    switch (o.spec.role) {
      case 'r':
        if (/^https?:\/\//i.test(value.lead)) this.url(value);
        else if (value.value !== '-') this.read(value, via);
        return;
      case 'l':
        this.read(value, via, { what: 'names' });
        return;
      case 'w':
        this.write(value, via, { why: `${via} writes to a file` });
        return;
      case 'd':
        this.write(value, via, { extent: 'deep', why: `${via} writes below a folder` });
        return;
      case 'h':
        this.url(value);
        return;
      case 'c':
        this.cwds = value.literal === null ? null : enterFolder(value.literal, this.cwds);
        this.isElsewhere = true;
        return;
      case 'n':
        if (value.value !== '-') this.read(value, via);
        this.readNamesIn(value, via);
        return;
      case 'x':
        this.unknown(`${via} runs or reads a program that is not analyzed`, value);
        return;
    }
  }

  /** Analyzes a shell program text as a separate script. */
  script(arg: Arg, state: ShellState): void {
    if (arg.literal === null) this.runsUnknownText(`${this.name} runs an unknown text`, arg);
    else this.host.runText(arg.literal, arg, state);
  }

  /**
   * Runs a file as a shell script. `/dev/stdin` and `/dev/fd/63` contain a text that only the running call knows, so it may be
   * any command.
   */
  scriptFile(file: Arg, state: ShellState): void {
    for (const text of this.programFile(file)) this.host.runText(text, file, state);
  }

  /**
   * Records that the command runs the program in a file. Returns the known texts of a program that is on standard input, in a
   * process substitution, or in a file that an earlier command wrote.
   * @param isDash `-` is standard input
   */
  programFile(file: Arg, isDash = false): readonly string[] {
    const literal = isDash && file.literal === '-' ? '/dev/stdin' : file.literal;
    const paths = literal === null ? NO_PATHS : (absolute(literal, this.cwds) ?? [literal]);
    if (literal === null) {
      this.unknown(`${this.name} runs an unknown file`, file);
      return NO_PATHS;
    }
    if (!paths.some((path) => /^\/+(?:dev|proc)\/(?!null$|shm\/)/.test(posix.normalize(path))))
      this.is('runs', `${this.name} runs the script ${literal}`, file);
    else this.anything(`${this.name} runs the text that it reads from ${literal}`, file);
    return this.textsAt(paths);
  }

  /** Runs the text that an earlier command wrote into the file, if it is known. */
  writtenScript(file: Arg, state: ShellState): void {
    const paths = file.literal === null ? NO_PATHS : (absolute(file.literal, this.cwds) ?? NO_PATHS);
    for (const text of this.textsAt(paths)) this.host.runText(text, file, state);
  }

  /** The texts that earlier commands wrote into files with these names, as far as they are known. */
  writtenTexts(words: readonly Arg[]): string[] {
    if (this.host.effects.streams.size === 0) return [];
    return words.flatMap(({ literal }) => (literal ? this.textsAt(absolute(literal, this.cwds) ?? NO_PATHS) : []));
  }

  private textsAt(paths: readonly string[]): string[] {
    const inputs = paths.map((path) => this.streamAt(path));
    return inputs.flatMap((input) => (input !== null && 'text' in input && input.text !== undefined ? [input.text] : []));
  }

  /** Runs the text on standard input, if it is known. */
  runInput(state: ShellState): void {
    if ('text' in this.stdin && this.stdin.text !== undefined) this.host.runText(this.stdin.text, this.at, state);
  }

  /** Analyzes a program text that runs later, possibly with another folder and other variables. */
  later(arg: Arg): void {
    const texts = arg.literal === null ? (arg.texts ?? []) : [arg.literal];
    if (arg.literal === null) this.runsUnknownText(`${this.name} runs an unknown text`, arg);
    for (const text of texts) this.host.defer(text, arg, this.state);
  }

  /** Runs a text that is known only in part or not at all. It may contain any command. */
  runsUnknownText(text: string, arg: Arg): void {
    this.anything(text, arg);
    // Each certain part is analyzed as a separate text.
    for (const outline of arg.value === null ? listOf(arg.outlines) : [])
      for (const piece of outline) if (piece.trim() !== '') this.host.runText(piece, arg, this.freshState());
  }

  /** Continues with the command inside a wrapper. */
  unwrap(args: Arg[]): void {
    this.args = args;
    this.host.unwrapped(this);
  }

  /** Runs the shell function with the name of this command, if one exists. */
  function(): boolean {
    if (this.external || this.skipFunctions) return false;
    if (this.state.isUncertainFunction(this.name)) {
      this.unknown(
        this.state.differs(this.name)
          ? `${this.name} is a function that only some paths define`
          : `${this.name} may be one of more functions than Modes follows`,
      );
      // The certain effects of each definition count in any case.
      this.host.callDefinitions(this.name, this.state, this.rest);
      return true;
    }
    const fn = this.state.function(this.name);
    if (!fn) return false;
    this.state.assigned(this.prefix);
    this.host.callFunction(fn, this.state, this.rest);
    return true;
  }

  /** A path below the starting points, as find passes it to commands. Null: the current folder. */
  found(at: Arg, starts: Arg[] | null, many: boolean, links: LinkFollowing, skips: Skips | null = null): Arg {
    const leads = starts ? starts.map((s) => s.lead) : ['.'];
    const safe = leads.every((l) => l !== '' && !l.startsWith('-'));
    const one = leads.length === 1 ? leads[0]! : '';
    // For a glob, the folder where it looks for matches.
    const folders = starts?.map(({ literal, value }) => literal ?? value?.replace(/[^/]*[*?[].*$/s, '') ?? null) ?? ['.'];
    const below = folders.every((one) => one !== null) ? folders.map((one) => one || '.') : null;
    return argOf({
      lead: one || (safe ? './' : ''),
      text: at.text,
      pos: at.pos,
      end: at.end,
      below,
      skips,
      links,
      files: links === 'none',
      many,
    });
  }

  /** The start state of a shell that this command runs. */
  freshState(cwds: readonly string[] | null = this.cwds): ShellState {
    return this.state.fresh(cwds, this.prefix);
  }

  /** Records the output on standard output under one reading of the words. */
  prints(value: Value): void {
    this.output = this.output === null ? value : joinValues(this.output, value);
  }

  /** A word that is not in the source text. */
  appended(many = true, names: NameSearch | null = null): Arg {
    return unknownArg(this.at.pos, this.at.end, many, names);
  }

  /** Records printed names that a later command may use as words. */
  lists(...names: FoundName[]): void {
    this.host.effects.listed.push(...names);
  }

  /** Possible words, lines, and names in the known text on standard input. */
  inputs(): string[] {
    const text = 'text' in this.stdin ? (this.stdin.text ?? '') : '';
    if (text === '') return [];
    const lines = text.split(/\n|\0|\\0/);
    const words = lines.flatMap((line) => line.split(/\s+/)).map((word) => word.replaceAll(/['"\\]/g, ''));
    return [...new Set([...lines, ...words])].filter(Boolean);
  }

  /** The same, plus the names that are listed on standard input. */
  inputNames(): NameSearch | null {
    const texts = this.inputs().map((text): FoundName => ({ text, how: 'one' }));
    const names = among([...texts, ...(('names' in this.stdin && this.stdin.names) || [])]);
    if (names === null || this.stdin.kind === 'inherit' || this.stdin.isAll !== true) return names;
    // Some commands that read names interpret quotes, blanks, and backslashes.
    const isPlain = texts.length <= MAX_POSSIBLE_NAMES && texts.every(({ text }) => /^[\w./@+:,-]+$/.test(text));
    return isPlain ? { ...names, isListed: true } : names;
  }

  /** Names that a file contains, if it can be read. */
  namesInFile(arg: Arg): NameSearch | null {
    const paths = this.paths(arg) ?? NO_PATHS;
    // The shell may be in one of several folders, and the file may be missing in some of them.
    const inputs = paths.map((path) => this.inputAt(path)).filter((input) => input !== null);
    if (inputs.length === 0 || arg.pattern) return null;
    const before = this.stdin;
    this.stdin = paths.length === 1 ? inputs[0]! : inputs.reduce(joinInputs);
    const names = this.inputNames();
    this.stdin = before;
    return names;
  }

  /** The content of a file, if it is known. */
  private inputAt(path: string): Stdin | null {
    const stream = this.streamAt(path);
    if (stream !== null) return stream;
    const text = this.host.disk.text(path);
    return text === null ? null : { kind: 'file', text, isAll: this.host.disk.isSure };
  }

  /** A file at `dest`, or in the folder `dest`, now has the content of `source`. */
  copiesContent(source: Arg, dest: Arg): void {
    if (source.literal === null || dest.literal === null) return;
    const inputs = (this.paths(source) ?? NO_PATHS).map((path) => this.inputAt(path)).filter((input) => input !== null);
    const names = [dest.literal, `${trimSlashes(dest.literal)}/${basename(source.literal)}`];
    const { streams, copies } = this.host.effects;
    copies.push({ source: source.literal, dest: dest.literal, cwds: this.cwds });
    for (const path of inputs.length === 0 ? [] : names.flatMap((name) => absolute(name, this.cwds) ?? NO_PATHS)) {
      const before = this.inputAt(path);
      streams.set(settled(path), [...inputs, ...(before === null ? [] : [before])].map(shared).reduce(joinInputs));
    }
  }

  /** The content of a path that is not a file: standard input, or a process substitution. */
  private streamAt(path: string): Stdin | null {
    const name = posix.normalize(path);
    return isStdin(name) ? this.stdin : (this.host.effects.streams.get(name) ?? null);
  }

  /** Reads the files named in a list file. If the list cannot be read, they may be any files. */
  readNamesIn(list: Arg, via: string, how: HowRead = NOTHING): void {
    const names = list.literal === '-' ? this.inputNames() : this.namesInFile(list);
    this.read(this.appended(true, names), via, how);
  }

  /** Reads the files that are named on standard input. */
  readInputs(via: string, how: HowRead = NOTHING): void {
    for (const name of this.inputNames()?.names ?? []) this.read(this.appended().name(name), via, how);
  }
}

function readTarget(path: string, via: string, command: number, how: HowRead, isPattern: boolean): BashRead {
  const target: BashRead = { path, extent: isPattern ? 'glob' : (how.extent ?? 'one'), via, command };
  if (how.what !== undefined && how.what !== 'contents') target.what = how.what;
  if (how.skips) target.skips = how.skips;
  if (!hasBelow(how) || how.what === 'names') return target;
  if (how.follows !== false) target.follows = true;
  if (how.opens && target.extent === 'deep') target.opens = true;
  return target;
}

/** True if the files below a path are, or may be, read with it. */
function hasBelow(how: HowRead): how is HowRead & { extent: 'deep' | 'within' } {
  return how.extent === 'deep' || how.extent === 'within';
}

/** A relative word in a partly known folder. */
function inFolder(folder: Outline, word: string): Outline {
  return folder.with(-1, `${folder.at(-1)!.replace(/\/$/, '')}/${word}`);
}

function lengthOf(folders: readonly string[] | null): number {
  let length = 0;
  for (const folder of folders ?? NO_PATHS) length += folder.length;
  return length;
}
