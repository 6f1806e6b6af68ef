// The walk through a text. It tracks the current script, function, or substitution, and provides services to the other parts of
// the analyser.
import type { Function as FunctionNode, Script, Word, WordPart } from 'unbash';
import type { BashContext, DeclaredCommand, Stdin } from '../model/command.ts';
import type { Arg } from './arg.ts';
import { checkArithmetic, checkArithmeticText, evaluatedTexts, textsOrNames } from './arithmetic.ts';
import { checkAssignment, runsLater } from './assignments.ts';
import { CommandCall } from './call.ts';
import { walkNode, walkStatements } from './compound.ts';
import { DiskView } from './disk.ts';
import { dispatch } from './dispatch.ts';
import { Effects, type TextRange } from './effects.ts';
import { INHERIT, joinInputs, PIPE } from './inputs.ts';
import { outputOf } from './outputs.ts';
import { checkText, FORBIDDEN, MAX_CHARACTERS, MAX_DEPTH, parseScript, scriptError, type TextProblem } from './parse.ts';
import { among, isKnown, joinNames } from './possible-names.ts';
import { printedBy, withoutLineEnds } from './printed.ts';
import { piecesOf, withoutForbidden } from './salvage.ts';
import { after, type Flow, type ShellScope, type Walker, weightOf } from './scope.ts';
import { isRewritten } from './shapes.ts';
import { ANYTHING, ShellState, textValue, type Value } from './state.ts';
import { expandWord, parametersOf, plainWord, wordValue } from './words.ts';

/** Total characters that are examined. Loops, functions, and words with several readings examine the same characters again. */
const MAX_EXAMINED_CHARACTERS = 120_000;
/** The same limit for the commands of rejected texts, which are analyzed one by one. */
const MAX_SALVAGED = 20_000;

/** Bash numbers the files of process substitutions downward from here. */
const FIRST_STREAM = 63;

/** Functions that are being walked, functions that were walked once, and the place of each definition. */
class Functions {
  readonly calling = new Set<FunctionNode>();
  readonly walked = new Set<FunctionNode>();
  readonly defined = new Map<FunctionNode, { state: ShellState; scope: ShellScope }>();
}

const NO_FUNCTIONS = new Functions();

/** A text that runs at a later, unknown time, such as the body of a trap. */
interface LaterText {
  text: string;
  at: TextRange;
  scope: ShellScope;
  /** The state at the definition, the join of all states since then, and the latest state. */
  start: ShellState;
  joined: ShellState;
  last: ShellState;
}

/** Maximum number of texts that run later, and maximum number of folders where each of them may run. */
const MAX_LATER = 32;
const MAX_EVERYWHERE = 50;

export class Walk implements Walker {
  readonly effects = new Effects();
  readonly home: string;
  readonly temp: string;
  readonly origin: string;
  readonly gitFolders: readonly string[];
  readonly declared: readonly DeclaredCommand[];
  readonly disk: DiskView;
  scope: ShellScope;
  current: number | null = null;
  private examinedCharacters = 0;
  private maxExaminedCharacters: number;
  /** Texts that cannot be followed, with the state at their position. Null while their commands are analyzed. */
  private rejected: Map<string, ShellState> | null = new Map();
  /**
   * The place where a descriptor became a name for a file that is read, and the place where one was opened by name for writing.
   */
  private readonly descriptors: { odd?: TextRange; sink?: TextRange } = {};
  loops = 0;
  removingLoops = 0;
  private functions: Functions | null = null;
  /** Variables that are declared as integers anywhere in the text that was walked so far, and those that always are. */
  private readonly integers = new Set(['RANDOM', 'SRANDOM', 'OPTIND', 'HISTCMD', 'SECONDS']);
  private readonly laterTexts: LaterText[] = [];
  private readonly streamPaths = new Map<string, string>();
  /** Every folder that the shell was in, and whether it was ever in an unknown folder. */
  readonly visited = new Set<string>();
  private isLost = false;
  private lastFolders: readonly string[] | null | undefined;

  /** @param length number of characters of the text that is walked */
  constructor(context: BashContext, length = 0, isSure = true) {
    this.maxExaminedCharacters = MAX_EXAMINED_CHARACTERS * Math.max(1, length / MAX_CHARACTERS);
    this.disk = new DiskView(context.disk ?? null, isSure);
    this.home = context.home;
    this.temp = context.temp || '/tmp';
    this.origin = context.cwd;
    this.gitFolders = [context.cwd, ...(context.known ?? [])];
    this.declared = context.commands ?? [];
    this.scope = { top: true, depth: 0, fixed: null, substituted: false, exits: null, returns: null, stdin: INHERIT };
  }

  /** Walks the whole text from the start state. */
  run(text: string, state: ShellState): void {
    const problem = checkText(text);
    const parsed = problem === null ? text : this.reject(problem, text, state);
    this.visit(state);
    if (parsed !== null) this.script(parseScript(parsed), parsed, state);
    this.runLater();
    const { overrun } = this.effects;
    if (overrun) {
      this.effects.worsen(null, 'unknown', 'more commands than Modes follows', overrun, true);
      this.rejected?.set(text, new ShellState([this.origin]));
    }
    const { odd, sink } = this.descriptors;
    if (odd && sink) this.effects.worsen(null, 'unknown', 'opening a descriptor by name may write the file that it reads', sink);
    if (this.rejected && this.rejected.size > 0) this.salvage(this.rejected);
  }

  /**
   * Reports why a text is not followed in its original form, and keeps it for the salvage. Returns the text to parse instead, or
   * null.
   */
  private reject({ text, parsed, pos, end }: TextProblem, source: string, state: ShellState): string | null {
    this.misread(text, { pos, end });
    if (parsed === null) this.rejected?.set(source, state.copy());
    return parsed;
  }

  /** Analyzes every command that a rejected text may contain. The literal words of such a command are certain. */
  salvage(rejected: ReadonlyMap<string, ShellState>): void {
    this.rejected = null;
    this.examinedCharacters = 0;
    this.maxExaminedCharacters *= MAX_SALVAGED / MAX_EXAMINED_CHARACTERS;
    this.effects.overrun = null;
    const known = new Set<string>();
    for (const [text, state] of rejected) {
      const texts = FORBIDDEN.test(text) ? withoutForbidden(text, FORBIDDEN) : [text];
      for (const piece of texts.flatMap(piecesOf)) {
        if (known.has(piece)) continue;
        known.add(piece);
        this.salvagePiece(piece, state, { pos: 0, end: text.length });
        if (this.effects.overrun !== null)
          this.effects.beyond ??= 'it cannot be analyzed, and contains more commands than Modes checks one by one';
        if (this.effects.beyond !== null) return;
      }
    }
  }

  private salvagePiece(piece: string, state: ShellState, fixed: TextRange): void {
    const scope: ShellScope = { ...this.scope, top: false, fixed, exits: [], returns: [], stdin: INHERIT };
    // If an earlier piece changed the folder, the start folder of the text is still possible.
    const at = state.copy();
    this.within(scope, () => this.script(parseScript(piece), piece, at));
    state.join(at);
  }

  /** Reports a text that is not understood. It may do anything that a command can do. */
  private misread(text: string, at: TextRange): void {
    this.effects.worsen(this.current, 'unknown', text, this.place(at), true);
  }

  get isCaptured(): boolean {
    return this.scope.isCaptured ?? false;
  }

  /**
   * Walks the bodies of traps, and functions without a known call, in every folder that the shell was in. They run at an unknown
   * time.
   */
  private runLater(): void {
    const { walked, defined } = this.functions ?? NO_FUNCTIONS;
    let done = 0;
    for (let before = -1; before !== done + walked.size; ) {
      before = done + walked.size;
      for (; done < this.laterTexts.length; done++) {
        const { text, at, scope, start, joined, last } = this.laterTexts[done]!;
        const [usual, ...more] = [joined, start, last].map((one) => this.everywhere(one));
        const others = more.filter(([one]) => !usual![0]!.covers(one!) || !one!.covers(usual![0]!));
        for (const state of [usual!, ...others].flat())
          this.within({ ...scope, top: false, exits: null, returns: [], stdin: INHERIT }, () => this.runText(text, at, state));
      }
      for (const [fn, { state, scope }] of defined) {
        if (walked.has(fn)) continue;
        for (const at of this.everywhere(state))
          this.within({ ...scope, top: false, exits: null, returns: [], stdin: INHERIT }, () => this.callFunction(fn, at, null));
      }
    }
  }

  /** The state in every folder that the shell was in. */
  private everywhere(state: ShellState): ShellState[] {
    const known = state.copy();
    known.cwds = [...this.visited].slice(0, MAX_EVERYWHERE);
    if (!this.isLost && this.visited.size <= MAX_EVERYWHERE) return [known];
    const lost = state.copy();
    lost.cwds = null;
    return known.cwds.length === 0 ? [lost] : [known, lost];
  }

  visit(state: ShellState): void {
    if (state.cwds !== this.lastFolders) {
      this.lastFolders = state.cwds;
      if (state.cwds === null) this.isLost = true;
      else for (const folder of state.cwds) this.visited.add(folder);
    }
    for (const one of this.laterTexts) {
      one.joined.join(state);
      one.last = state.copy();
    }
  }

  defer(text: string, at: TextRange, state: ShellState): void {
    const place = this.place(at);
    // A loop reaches the same text again in each round.
    const before = this.laterTexts.find((one) => one.text === text && one.at.pos === place.pos);
    if (before !== undefined) before.joined.join(state);
    else if (this.laterTexts.length >= MAX_LATER) this.fault('more delayed commands than Modes follows', at.pos, at.end);
    else {
      const start = state.copy();
      start.positional = null;
      this.laterTexts.push({ text, at: place, scope: this.scope, start, joined: start.copy(), last: start });
    }
  }

  assigned(name: string, value: Value, at: TextRange, state: ShellState, entry: number | null, isExported = true): void {
    const { texts, isOpen } = runsLater(name, value, isExported);
    for (const text of texts) this.defer(text, at, state);
    if (/^(?:BASH_)?ENV$/.test(name))
      for (const text of value.texts ?? []) {
        const stream = this.effects.streams.get(text);
        if (stream !== undefined && 'text' in stream && stream.text !== undefined) this.defer(stream.text, at, state);
        else if (/^\/(?:dev|proc)\/(?!null$)/.test(text))
          this.effects.worsen(entry, 'unknown', `${name} names a text that is not known`, this.place(at), true);
      }
    if (isOpen) this.effects.worsen(entry, 'unknown', `${name} names a command, and its value is unknown`, this.place(at), true);
    if (this.integers.has(name) && !value.int && !value.texts?.every((text) => /^-?\d+$/.test(text)))
      this.evaluated(`every value of ${name} is evaluated as arithmetic`, value, at, state);
  }

  markInteger(name: string): void {
    this.integers.add(name);
  }

  // ---- places and problems

  place(node: TextRange): TextRange {
    return this.scope.fixed ?? node;
  }

  fault(text: string, pos: number, end: number): void {
    this.effects.worsen(this.current, 'unknown', text, this.place({ pos, end }));
  }

  evaluated(why: string, value: Value, at: TextRange, state: ShellState): void {
    this.fault(why, at.pos, at.end);
    this.runEvaluated(textsOrNames(value), at, state);
  }

  runEvaluated(texts: readonly string[], at: TextRange, state: ShellState): void {
    // Quotes are literal in a here-document, and also in a subscript that Bash evaluates.
    for (const text of evaluatedTexts(texts, state))
      if (/[$`]/.test(text)) this.runText(`: <<MODES_TEXT\n${text}\nMODES_TEXT`, at, state.copy());
  }

  within<T>(scope: ShellScope, body: () => T): T {
    const before = this.scope;
    const current = this.current;
    this.scope = scope;
    this.current = null;
    try {
      return body();
    } finally {
      this.scope = before;
      this.current = current;
    }
  }

  // ---- scripts and lists

  private script(script: Script, text: string, state: ShellState): Flow {
    const error = scriptError(script);
    if (error) {
      const at = { pos: script.pos, end: script.end || text.length };
      this.misread(`is not valid Bash (${error}), and Bash may run the lines before the error`, at);
      this.rejected?.set(text, state.copy());
    }
    return walkStatements(script.commands, state, this);
  }

  // ---- arithmetic and substitutions

  arithmetic(part: Extract<WordPart, { type: 'ArithmeticExpansion' }>, state: ShellState): void {
    if (part.expression) checkArithmetic(part.expression, state, this);
    else {
      this.misread('arithmetic that cannot be analyzed', part);
      this.rejected?.set(part.text, state.copy());
    }
  }

  arithmeticWord(word: Word, state: ShellState, what: string): void {
    const v = wordValue(word, state, this, true);
    checkArithmeticText(v, word, state, this, what);
  }

  substitution(part: Extract<WordPart, { type: 'CommandExpansion' | 'ProcessSubstitution' }>, state: ShellState): Value {
    const script = part.script;
    if (!script) {
      this.misread('an unrecognized substitution', part);
      this.rejected?.set(part.text, state.copy());
      return ANYTHING;
    }
    if (this.scope.depth >= MAX_DEPTH) {
      this.misread('nested too deep', part);
      this.rejected?.set(part.text, state.copy());
      return ANYTHING;
    }
    if (isRewritten(script))
      this.fault(
        'a here-document inside a compound command inside a substitution runs differently in some shells',
        part.pos,
        part.end,
      );
    const fixed = this.scope.fixed ?? (script.source !== undefined ? { pos: part.pos, end: part.end } : null);
    const out = part.type === 'ProcessSubstitution' && part.operator === '>';
    const inner = state.copy();
    const scope: ShellScope = {
      top: false,
      depth: this.scope.depth + 1,
      fixed,
      substituted: true,
      isCaptured: true,
      exits: null,
      returns: null,
      stdin: out ? PIPE : this.scope.stdin,
    };
    const { length: before } = this.effects.listed;
    this.within(scope, () => this.script(script, part.text, inner));
    if (part.type === 'ProcessSubstitution') return textValue(this.stream(part, out ? PIPE : this.contentOf(script, before)));
    const printed = withoutLineEnds(printedBy(script.commands, this.effects.printed));
    const value = printed.texts === null ? outputOf(script, state) : printed;
    if (value.texts !== null || value.int || value.shape || value.each) return value;
    const listed = among(this.effects.listed.slice(before));
    const names = isKnown(printed.found) ? printed.found : joinNames(printed.found, listed);
    return names ? { ...printed, found: names } : printed;
  }

  /** The output of a process substitution, as far as it is known. */
  private contentOf({ commands }: Script, before: number): Stdin {
    const { texts, found } = printedBy(commands, this.effects.printed);
    const names = [...(found?.names ?? []), ...this.effects.listed.slice(before)];
    if (texts?.length === 1) return { kind: 'file', text: texts[0]!, isAll: true };
    return { kind: 'file', ...(texts && { text: texts.join('\n') }), ...(names.length > 0 && { names }), isAll: isKnown(found) };
  }

  /** The path of the file that represents a process substitution. Each place in the text has its own path. */
  private stream(part: TextRange & { text: string }, content: Stdin): string {
    const key = `${part.pos} ${part.text}`;
    const path = this.streamPaths.get(key) ?? `/dev/fd/${FIRST_STREAM + this.streamPaths.size}`;
    this.streamPaths.set(key, path);
    const { streams } = this.effects;
    const former = streams.get(path);
    streams.set(path, former === undefined ? content : joinInputs(former, content));
    return path;
  }

  // ---- words

  look(characters: number, at: TextRange): boolean {
    this.examinedCharacters += characters;
    if (this.examinedCharacters <= this.maxExaminedCharacters) return true;
    this.effects.overrun ??= this.place(at);
    return false;
  }

  define(fn: FunctionNode, state: ShellState): void {
    this.functions ??= new Functions();
    const { defined } = this.functions;
    if (!defined.has(fn)) defined.set(fn, { state: state.copy(), scope: this.scope });
  }

  word(word: Word, state: ShellState, into: Arg[]): void {
    const plain = plainWord(word, this, this.scope.fixed ?? word);
    if (plain !== null) into.push(plain);
    else for (const arg of this.words(word, state)) into.push(arg);
  }

  words(word: Word, state: ShellState): Arg[] {
    const out = expandWord(word, state, this);
    const fixed = this.scope.fixed;
    return fixed ? out.map((a) => a.at(fixed)) : out;
  }

  /** Assigns outside of simple commands (for, select). */
  assign(name: string, node: TextRange, value: Value, state: ShellState): void {
    const verdict = checkAssignment(name, value, 'plain');
    if (verdict.taint) this.fault(verdict.taint, node.pos, node.end);
    this.assigned(name, value, node, state, this.current);
    state.set(name, value);
  }

  // ---- requests from commands

  unwrapped(call: CommandCall): void {
    if (this.look(weightOf(call.args), call.at)) dispatch(call);
  }

  runText(text: string, at: TextRange, state: ShellState): void {
    if (this.scope.depth >= MAX_DEPTH) {
      this.misread('nested too deep', at);
      this.rejected?.set(text, state.copy());
      return;
    }
    if (!this.look(text.length, at)) return;
    const problem = checkText(text);
    const parsed =
      problem === null
        ? text
        : this.reject({ ...problem, text: `the text inside ${problem.text}`, pos: at.pos, end: at.end }, text, state);
    if (parsed === null) return;
    const scope: ShellScope = {
      top: false,
      depth: this.scope.depth + 1,
      fixed: this.place(at),
      substituted: this.scope.substituted,
      locals: this.scope.locals,
      exits: [],
      returns: [],
      stdin: this.scope.stdin,
    };
    const flow = this.within(scope, () => this.script(parseScript(parsed), parsed, state));
    state.become(after(flow, state));
    for (const s of [...scope.exits!, ...scope.returns!]) state.join(s);
  }

  runWords(args: Arg[], state: ShellState, at: TextRange, stdin: Stdin): void {
    if (!this.look(weightOf(args), at)) return;
    this.within({ ...this.scope, top: false, depth: this.scope.depth + 1, fixed: this.place(at) }, () => {
      const entry = this.effects.open(false);
      this.current = entry;
      const call = new CommandCall(this, entry, args, state, stdin);
      call.external = true;
      dispatch(call);
    });
  }

  markLocal(name: string): void {
    this.scope.locals?.add(name);
  }

  markDescriptor(part: 'odd' | 'sink', at: TextRange): void {
    this.descriptors[part] ??= this.place(at);
  }

  callDefinitions(name: string, state: ShellState, args: Arg[]): void {
    for (const fn of this.functions?.defined.keys() ?? []) {
      if (fn.name.value !== name || this.functions?.calling.has(fn)) continue;
      this.callFunction(fn, state.copy(), args);
    }
  }

  /** Walks the body of a function at its call. */
  callFunction(fn: FunctionNode, state: ShellState, args: Arg[] | null): void {
    this.functions ??= new Functions();
    const { calling, walked } = this.functions;
    walked.add(fn);
    if (calling.has(fn) || this.scope.depth >= MAX_DEPTH) {
      this.fault(`${fn.name.value} calls itself`, fn.pos, fn.end);
      return;
    }
    calling.add(fn);
    const positional = state.positional;
    state.positional = args && parametersOf(args);
    const returns: ShellState[] = [];
    const locals = new Set<string>();
    this.within({ ...this.scope, top: false, depth: this.scope.depth + 1, exits: null, returns, locals }, () => {
      const flow =
        fn.body.type === 'CompoundList' ? walkStatements(fn.body.commands, state, this) : walkNode(fn.body, state, this);
      state.become(after(flow, state));
    });
    for (const r of returns) state.join(r);
    // After the call, the local variables have the values of the caller again. These values are not tracked.
    for (const name of locals) state.set(name, ANYTHING);
    state.positional = positional;
    calling.delete(fn);
  }
}
