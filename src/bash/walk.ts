// From the syntax tree to simple commands: control flow, substitutions, redirects, and what is known of the shell at each of them.
import type {
  ArithmeticExpression,
  Assignment,
  Command,
  CompoundList,
  Function as FunctionNode,
  PipelineNode,
  Redirection,
  Script,
  Statement,
  TestExpression,
  Word,
  WordPart,
} from 'unbash';
import { checkArithmetic, checkArithmeticText } from './arithmetic.ts';
import { checkAssignment } from './assignments.ts';
import { Call, type PrefixAssignment, type Stdin } from './call.ts';
import { dispatch } from './dispatch.ts';
import { Effects, type Place } from './effects.ts';
import { outputOf } from './outputs.ts';
import { checkText, MAX_DEPTH, parseScript, scriptError } from './parse.ts';
import { FILE, INHERIT, PIPE, type RedirectHost, redirect, stdinOf } from './redirects.ts';
import { isRewritten } from './shapes.ts';
import { ANYTHING, INTEGER, joinValues, type State, type Value } from './state.ts';
import type { BashContext, DeclaredCommand } from './types.ts';
import { Arg, assignmentValue, expandWord, quote, valueOfWord, wordValue } from './words.ts';

/** What holds after a command: on success, on failure; null where that cannot be reached. */
interface Flow {
  ok: State | null;
  fail: State | null;
}

/** Where a piece of text stands. */
interface Scope {
  /** Allow rules may name commands here. */
  top: boolean;
  depth: number;
  /** Positions of generated text are those of the word it came from. */
  fixed: Place | null;
  /** Nested in a substitution, where Bash re-parses its own print. */
  substituted: boolean;
  /** States at `break`, `continue`. */
  exits: State[] | null;
  /** States at `return`. */
  returns: State[] | null;
  stdin: Stdin;
  /** Names that the function being walked made its own. */
  locals?: Set<string>;
}

/** More simple commands than this are not followed. */
const MAX_STEPS = 4_000;

// Called by the shell itself, not by name.
const HOOK_FUNCTIONS =
  /^(?:command_not_found_handle|command_not_found_handler|precmd|preexec|chpwd|periodic|zshaddhistory|zshexit|zsh_directory_name|PROMPT_COMMAND|TRAP[A-Z0-9]+|debug|exit)$/;

function merge(a: State | null, b: State | null): State | null {
  if (!a) return b;
  if (!b || a === b) return a;
  const s = a.copy();
  s.join(b);
  return s;
}

export class Walk implements RedirectHost {
  readonly effects = new Effects();
  readonly home: string;
  readonly origin: string;
  readonly declared: readonly DeclaredCommand[];
  private scope: Scope;
  /** Entry that words being expanded belong to. */
  private current: number | null = null;
  private steps = 0;
  /** Where a descriptor was made a name for a file that is read, and where one was opened by name for writing. */
  private readonly descriptors: { odd?: Place; sink?: Place } = {};
  private loops = 0;
  private readonly calling = new Set<FunctionNode>();
  private readonly walked = new Set<FunctionNode>();
  private readonly defined: { fn: FunctionNode; state: State; scope: Scope }[] = [];

  constructor(context: BashContext) {
    this.home = context.home;
    this.origin = context.cwd;
    this.declared = context.commands ?? [];
    this.scope = { top: true, depth: 0, fixed: null, substituted: false, exits: null, returns: null, stdin: INHERIT };
  }

  /** Walks the whole text from the start state. */
  run(text: string, state: State): void {
    const problem = checkText(text);
    if (problem) {
      this.trouble(problem.text, problem.pos, problem.end);
      return;
    }
    this.script(parseScript(text), text, state);
    // Functions that nothing seen calls may still be called in ways that are not seen.
    for (const { fn, state: at, scope } of this.defined) {
      if (this.walked.has(fn)) continue;
      this.within({ ...scope, top: false, exits: null, returns: [], stdin: INHERIT }, () => this.callFunction(fn, at, null));
    }
    const { odd, sink } = this.descriptors;
    if (odd && sink) this.effects.worsen(null, 'unknown', 'opening a descriptor by name may write the file that it reads', sink);
  }

  // ---- places and trouble

  place(node: Place): Place {
    return this.scope.fixed ?? node;
  }

  trouble(text: string, pos: number, end: number): void {
    this.effects.worsen(this.current, 'unknown', text, this.place({ pos, end }));
  }

  private within<T>(scope: Scope, body: () => T): T {
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

  private script(script: Script, text: string, state: State): Flow {
    const error = scriptError(script);
    if (error)
      this.trouble(
        `is not valid Bash (${error}), and Bash may run the lines before the error`,
        script.pos,
        script.end || text.length,
      );
    return this.statements(script.commands, state);
  }

  private statements(list: readonly Statement[], start: State): Flow {
    let state = start;
    let flow: Flow = { ok: state, fail: state };
    for (let i = 0; i < list.length; i++) {
      // After an end (`exit`) the rest is judged as if it were reached.
      if (i > 0) state = merge(flow.ok, flow.fail) ?? state;
      flow = this.statement(list[i]!, state);
    }
    return flow;
  }

  private list(node: CompoundList | { commands: readonly Statement[] }, state: State): Flow {
    return this.statements(node.commands, state);
  }

  private statement(node: Statement, state: State): Flow {
    if (!node.background) return this.node(node.command, state);
    this.node(node.command, state.copy());
    return { ok: state, fail: null };
  }

  private after(flow: Flow, fallback: State): State {
    return merge(flow.ok, flow.fail) ?? fallback;
  }

  // ---- nodes

  private node(node: PipelineNode | Statement['command'], state: State): Flow {
    switch (node.type) {
      case 'Command':
        return this.simple(node, state);
      case 'AndOr': {
        let flow = this.node(node.commands[0]!, state);
        for (let i = 1; i < node.commands.length; i++) {
          const and = node.operators[i - 1] === '&&';
          const from = (and ? flow.ok : flow.fail) ?? flow.ok ?? flow.fail ?? state;
          const kept = and ? flow.fail : flow.ok;
          const next = this.node(node.commands[i]!, kept === from ? from.copy() : from);
          flow = and ? { ok: next.ok, fail: merge(kept, next.fail) } : { ok: merge(kept, next.ok), fail: next.fail };
        }
        return flow;
      }
      case 'Pipeline': {
        const negated = node.prefixes.filter((p) => p.type === 'Negation').length % 2 === 1;
        if (node.commands.length === 1) {
          const flow = this.node(node.commands[0]!, state);
          return negated ? { ok: flow.fail, fail: flow.ok } : flow;
        }
        const outer = this.scope;
        let last = state;
        node.commands.forEach((c, i) => {
          // zsh runs the last part in the shell itself.
          const at = state.copy();
          const scope = i === 0 ? outer : { ...outer, stdin: PIPE };
          const flow = this.within(scope, () => this.node(c, at));
          last = this.after(flow, at);
        });
        state.join(last);
        return { ok: state, fail: state };
      }
      case 'Subshell': {
        const inner = state.copy();
        this.within({ ...this.scope, exits: null, returns: null }, () => this.list(node.body, inner));
        return { ok: state, fail: state };
      }
      case 'BraceGroup':
        return this.list(node.body, state);
      case 'If': {
        let flow = this.list(node.clause, state);
        const ends: (State | null)[] = [];
        const branch = (body: CompoundList, from: State | null) => {
          const start = (from ?? state).copy();
          const f = this.list(body, start);
          ends.push(merge(f.ok, f.fail));
        };
        branch(node.then, flow.ok);
        let rest = flow.fail;
        for (const e of node.elif) {
          flow = this.list(e.clause, (rest ?? state).copy());
          branch(e.then, flow.ok);
          rest = flow.fail;
        }
        if (node.else) branch(node.else, rest);
        else ends.push(rest);
        const end = ends.reduce(merge, null);
        return { ok: end, fail: end };
      }
      case 'While':
        return this.loop(state, (s) => {
          const cond = this.list(node.clause, s);
          const into = node.kind === 'while' ? cond.ok : cond.fail;
          const out = node.kind === 'while' ? cond.fail : cond.ok;
          const body = this.list(node.body, (into ?? s).copy());
          return { next: this.after(body, s), out };
        });
      case 'For':
      case 'Select': {
        const words = node.wordlist?.flatMap((w) => expandWord(w, state, this));
        const value =
          node.type === 'Select' || !words
            ? ANYTHING
            : words.map(valueOfWord).reduce<Value | null>((a, b) => (a ? joinValues(a, b) : b), null);
        const name = node.name.value;
        this.assign(name, node.name, value ?? ANYTHING, state);
        return this.loop(state, (s) => {
          s.set(name, value ?? ANYTHING);
          const body = this.list(node.body, s.copy());
          const next = this.after(body, s);
          return { next, out: next };
        });
      }
      case 'ArithmeticFor':
        this.arithmeticNode(node.initialize, state);
        return this.loop(state, (s) => {
          this.arithmeticNode(node.test, s);
          const body = this.list(node.body, s.copy());
          const next = this.after(body, s);
          this.arithmeticNode(node.update, next);
          return { next, out: s };
        });
      case 'Case': {
        wordValue(node.word, state, this);
        const ends: (State | null)[] = [state];
        let before: State | null = null;
        for (const item of node.items) {
          for (const p of item.pattern) this.patternWord(p, state);
          const start = state.copy();
          if (before) start.join(before);
          const f = this.list(item.body, start);
          const end = merge(f.ok, f.fail);
          before = item.terminator === ';;' || item.terminator === undefined ? null : end;
          ends.push(end ? end.copy() : null);
        }
        const end = ends.reduce(merge, null);
        return { ok: end, fail: end };
      }
      case 'TestCommand':
        this.test(node.expression, state);
        return { ok: state, fail: state };
      case 'ArithmeticCommand':
        if (node.expression) checkArithmetic(node.expression, state, this);
        else if (node.body.trim() !== '') this.trouble('arithmetic that is not understood', node.pos, node.end);
        return { ok: state, fail: state };
      case 'Redirected': {
        const before = this.effects.commands.length;
        // Several commands share it, so that none of them surely gets all of a text.
        const given = stdinOf(node.redirects, state, this);
        const stdin = given === null ? this.scope.stdin : FILE;
        const flow = this.within({ ...this.scope, stdin }, () => this.node(node.command, state));
        const last = this.effects.commands.length - 1;
        let entry = last;
        while (entry > before && this.effects.commands[entry]!.top !== this.scope.top) entry--;
        if (last < before) entry = this.effects.open(this.scope.top);
        this.redirects(node.redirects, state, entry);
        return flow;
      }
      case 'Function': {
        const name = node.name.value;
        if (node.name.parts || HOOK_FUNCTIONS.test(name))
          this.trouble(`a function called ${name} may be run by the shell itself`, node.pos, node.end);
        state.define(name, node);
        if (!this.defined.some((d) => d.fn === node)) this.defined.push({ fn: node, state: state.copy(), scope: this.scope });
        return { ok: state, fail: state };
      }
      case 'Coproc':
        this.within({ ...this.scope, stdin: PIPE }, () => {
          const body = node.body;
          if (body.type === 'CompoundList') this.list(body, state.copy());
          else this.node(body, state.copy());
        });
        if (this.scope.substituted) this.trouble('coproc inside a substitution', node.pos, node.end);
        if (node.name) this.assign(node.name.value, node, ANYTHING, state);
        else state.set('COPROC', ANYTHING);
        return { ok: state, fail: state };
    }
  }

  private loop(state: State, body: (s: State) => { next: State; out: State | null }): Flow {
    const exits: State[] = [];
    const scope = { ...this.scope, exits };
    let head = state.copy();
    // Trials until a further round would start from what is already assumed.
    this.loops++;
    if (this.loops > 3) {
      head.forgetVariables();
      head.cwds = null;
    } else {
      for (let round = 0; ; round++) {
        const mark = this.effects.mark();
        exits.length = 0;
        const start = head.copy();
        const { next } = this.within(scope, () => body(start));
        this.effects.drop(mark);
        const wider = head.copy();
        wider.join(next);
        for (const e of exits) wider.join(e);
        if (head.covers(wider)) break;
        if (round >= 3) {
          wider.forgetVariables();
          wider.cwds = null;
          head = wider;
          break;
        }
        head = wider;
      }
    }
    exits.length = 0;
    const { next, out } = this.within(scope, () => body(head.copy()));
    this.loops--;
    const end = head.copy();
    end.join(next);
    if (out) end.join(out);
    for (const e of exits) end.join(e);
    state.become(end);
    return { ok: state, fail: state };
  }

  private test(e: TestExpression, state: State): void {
    switch (e.type) {
      case 'TestLogical':
        for (const o of e.operands) this.test(o, state);
        return;
      case 'TestNot':
        this.test(e.operand, state);
        return;
      case 'TestGroup':
        this.test(e.expression, state);
        return;
      case 'TestUnary': {
        const v = wordValue(e.operand, state, this);
        if (e.operator === '-v' || e.operator === '-R') {
          if (v.texts?.length !== 1 || !/^\w+$/.test(v.texts[0]!))
            this.trouble(`[[ ${e.operator} ]] evaluates a subscript in its operand`, e.pos, e.end);
        } else if (!/^-[a-zA-Z]$/.test(e.operator)) this.trouble(`[[ ${e.operator} ]] is not known`, e.pos, e.end);
        return;
      }
      case 'TestBinary': {
        this.patternWord(e.left, state);
        this.patternWord(e.right, state);
        if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(e.operator)) {
          this.arithmeticWord(e.left, state, `[[ ${e.operator} ]]`);
          this.arithmeticWord(e.right, state, `[[ ${e.operator} ]]`);
        } else if (!/^(?:==?|!=|=~|<|>|-nt|-ot|-ef)$/.test(e.operator))
          this.trouble(`[[ ${e.operator} ]] is not known`, e.pos, e.end);
        return;
      }
    }
  }

  /** Patterns of `case` and `[[ ]]`, where extended globs are plain Bash. */
  private patternWord(word: Word, state: State): void {
    const visit = (part: WordPart): void => {
      if (part.type === 'ExtendedGlob') {
        // zsh evaluates `(e:…:)` after a glob.
        if (/\(\s*e\s*[:'"{[]/.test(part.text)) this.trouble('a glob qualifier that runs text', part.pos, part.end);
        part.parts?.forEach(visit);
        return;
      }
      const single: Word = { type: 'Word', text: part.text, value: '', pos: part.pos, end: part.end, parts: [part] };
      wordValue(single, state, this, true);
    };
    if (word.parts) word.parts.forEach(visit);
  }

  // ---- arithmetic and substitutions

  arithmetic(part: Extract<WordPart, { type: 'ArithmeticExpansion' }>, state: State): void {
    if (part.expression) checkArithmetic(part.expression, state, this);
    else this.trouble('arithmetic that is not understood', part.pos, part.end);
  }

  private arithmeticNode(e: ArithmeticExpression | undefined, state: State): void {
    if (e) checkArithmetic(e, state, this);
  }

  arithmeticWord(word: Word, state: State, what: string): void {
    const v = wordValue(word, state, this, true);
    checkArithmeticText(v, word, state, this, what);
  }

  substitution(part: Extract<WordPart, { type: 'CommandExpansion' | 'ProcessSubstitution' }>, state: State): Value {
    const script = part.script;
    if (!script) {
      this.trouble('a substitution that is not understood', part.pos, part.end);
      return ANYTHING;
    }
    if (this.scope.depth >= MAX_DEPTH) {
      this.trouble('nested too deep', part.pos, part.end);
      return ANYTHING;
    }
    if (isRewritten(script))
      this.trouble(
        'a here-document inside a compound command inside a substitution is run differently by some shells',
        part.pos,
        part.end,
      );
    const fixed = this.scope.fixed ?? (script.source !== undefined ? { pos: part.pos, end: part.end } : null);
    const out = part.type === 'ProcessSubstitution' && part.operator === '>';
    const inner = state.copy();
    const scope: Scope = {
      top: false,
      depth: this.scope.depth + 1,
      fixed,
      substituted: true,
      exits: null,
      returns: null,
      stdin: out ? PIPE : this.scope.stdin,
    };
    this.within(scope, () => this.script(script, part.text, inner));
    if (part.type === 'ProcessSubstitution') return ANYTHING;
    return outputOf(script, state);
  }

  // ---- simple commands

  private simple(node: Command, state: State): Flow {
    if (++this.steps > MAX_STEPS) {
      if (this.steps === MAX_STEPS + 1) this.trouble('more commands than are followed', node.pos, node.end);
      return { ok: state, fail: state };
    }
    const entry = this.effects.open(this.scope.top);
    const outer = this.current;
    this.current = entry;
    const args: Arg[] = [];
    const assignments: Assignment[] = [];
    const redirects: Redirection[] = [];
    for (const p of node.prefix) {
      if (p.type === 'Assignment') assignments.push(p);
      else redirects.push(p);
    }
    if (node.name) args.push(...this.words(node.name, state));
    for (const s of node.suffix) {
      if (s.type === 'Word') args.push(...this.words(s, state));
      else if (s.type === 'Assignment') args.push(this.assignmentArg(s, state));
      else redirects.push(s);
    }
    const stdin = stdinOf(redirects, state, this) ?? this.scope.stdin;
    const plain = node.name === undefined;
    const prefix = assignments.map((a) => this.prefixAssignment(a, state, plain, entry));
    this.redirects(redirects, state, entry);
    if (plain) {
      this.current = outer;
      // Nothing to name: an assignment alone is no part that a rule could allow or deny, unless it does something.
      const e = this.effects.commands[entry]!;
      if (e.class === 'read-only' && this.effects.commands.length - 1 === entry && redirects.length === 0) {
        this.effects.commands.pop();
      }
      e.text = assignments.map((a) => a.text).join(' ');
      return { ok: state, fail: state };
    }
    const flow = this.execute(args, state, entry, stdin, prefix);
    this.current = outer;
    return flow;
  }

  words(word: Word, state: State): Arg[] {
    const out = expandWord(word, state, this);
    const fixed = this.scope.fixed;
    return fixed ? out.map((a) => new Arg({ ...a, pos: fixed.pos, end: fixed.end })) : out;
  }

  /** `name=value` as an argument (export, declare): kept as one word, arrays as unknown ones. */
  private assignmentArg(node: Assignment, state: State): Arg {
    const { pos, end } = this.place(node);
    if (node.index) this.arithmeticWord(node.index, state, 'a subscript');
    if (node.value.type === 'ArrayValue') {
      for (const w of node.value.elements) this.words(w, state);
      return new Arg({ text: node.text, lead: `${node.name}=(`, pos, end });
    }
    const v = assignmentValue(node.value, state, this);
    const head = node.text.slice(0, node.value.pos - node.pos);
    if (v.texts?.length === 1) return new Arg({ value: head + v.texts[0]!, text: quote(head + v.texts[0]!), pos, end });
    return new Arg({ text: node.text, lead: head + v.lead, int: v.int, pos, end, texts: v.texts?.map((t) => head + t) ?? null });
  }

  private prefixAssignment(node: Assignment, state: State, plain: boolean, entry: number): PrefixAssignment {
    const before = state;
    let value: Value = ANYTHING;
    if (node.index) this.arithmeticWord(node.index, state, 'a subscript');
    if (node.value.type === 'ArrayValue') {
      for (const w of node.value.elements) this.words(w, state);
    } else {
      value = assignmentValue(node.value, state, this);
      if (node.append) value = value.int && state.get(node.name).int ? INTEGER : ANYTHING;
      if (node.index) value = ANYTHING;
    }
    const verdict = checkAssignment(node.name, value, plain ? 'plain' : 'prefix');
    if (verdict.taint) this.effects.worsen(entry, 'unknown', verdict.taint, this.place(node));
    if (plain) before.set(node.name, value);
    return { name: node.name, text: node.text, safe: verdict.safe, known: verdict.known ?? false };
  }

  /** Assigns outside of simple commands (for, select). */
  assign(name: string, node: Place, value: Value, state: State): void {
    const verdict = checkAssignment(name, value, 'plain');
    if (verdict.taint) this.trouble(verdict.taint, node.pos, node.end);
    state.set(name, value);
  }

  private execute(args: Arg[], state: State, entry: number, stdin: Stdin, prefix: PrefixAssignment[]): Flow {
    const call = new Call(this, entry, args, state, stdin);
    const e = this.effects.commands[entry]!;
    call.prefix = prefix;
    if (prefix.some((p) => !p.safe)) e.top = false;
    dispatch(call);
    for (const p of prefix) if (state.vars.has(p.name)) state.set(p.name, ANYTHING);
    switch (call.ends) {
      case 'shell':
        return { ok: null, fail: null };
      case 'loop':
        this.scope.exits?.push(state.copy());
        this.scope.returns?.push(state.copy());
        return { ok: null, fail: null };
      default:
        return { ok: state, fail: call.failure ?? state };
    }
  }

  // ---- what commands ask for

  dispatch(call: Call): void {
    dispatch(call);
  }

  runText(text: string, at: Place, state: State): void {
    if (this.scope.depth >= MAX_DEPTH) {
      this.trouble('nested too deep', at.pos, at.end);
      return;
    }
    const problem = checkText(text);
    if (problem) {
      this.trouble(`the text inside ${problem.text}`, at.pos, at.end);
      return;
    }
    const scope: Scope = {
      top: false,
      depth: this.scope.depth + 1,
      fixed: this.place(at),
      substituted: this.scope.substituted,
      locals: this.scope.locals,
      exits: [],
      returns: [],
      stdin: this.scope.stdin,
    };
    const flow = this.within(scope, () => this.script(parseScript(text), text, state));
    state.become(this.after(flow, state));
    for (const s of [...scope.exits!, ...scope.returns!]) state.join(s);
  }

  runWords(args: Arg[], state: State, at: Place, stdin: Stdin): void {
    this.within({ ...this.scope, top: false, depth: this.scope.depth + 1, fixed: this.place(at) }, () => {
      const entry = this.effects.open(false);
      this.current = entry;
      const call = new Call(this, entry, args, state, stdin);
      call.external = true;
      dispatch(call);
    });
  }

  markLocal(name: string): void {
    this.scope.locals?.add(name);
  }

  markDescriptor(part: 'odd' | 'sink', at: Place): void {
    this.descriptors[part] ??= this.place(at);
  }

  /** Runs a function's body where it is called. */
  callFunction(fn: FunctionNode, state: State, args: Arg[] | null): void {
    this.walked.add(fn);
    if (this.calling.has(fn) || this.scope.depth >= MAX_DEPTH) {
      this.trouble(`${fn.name.value} calls itself`, fn.pos, fn.end);
      return;
    }
    this.calling.add(fn);
    const positional = state.positional;
    state.positional = args?.every((a) => !a.many) ? args.map(valueOfWord) : null;
    const returns: State[] = [];
    const locals = new Set<string>();
    this.within({ ...this.scope, top: false, depth: this.scope.depth + 1, exits: null, returns, locals }, () => {
      const flow = fn.body.type === 'CompoundList' ? this.list(fn.body, state) : this.node(fn.body, state);
      state.become(this.after(flow, state));
    });
    for (const r of returns) state.join(r);
    // What the function called its own is the caller's again.
    for (const name of locals) state.set(name, ANYTHING);
    state.positional = positional;
    this.calling.delete(fn);
  }

  private redirects(list: readonly Redirection[], state: State, entry: number): void {
    const outer = this.current;
    this.current = entry;
    for (const r of list) redirect(r, state, entry, this);
    this.current = outer;
  }
}
