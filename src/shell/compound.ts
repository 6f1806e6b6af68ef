// Control flow: lists, pipes, branches, and loops, and the state of the shell after each of them.
import type { CompoundList, Pipeline, PipelineNode, Statement, TestExpression, Word, WordPart } from 'unbash';
import type { BashCommand, Stdin } from '../model/command.ts';
import { unsplit } from './arg.ts';
import { checkArithmetic } from './arithmetic.ts';
import { removes } from './effects.ts';
import { PIPE, shared } from './inputs.ts';
import { printsObjects } from './outputs.ts';
import { type FoundName, isKnown } from './possible-names.ts';
import { stdinOf } from './redirects.ts';
import { after, COMMAND, type Flow, merge, type Walker } from './scope.ts';
import { applyRedirects, walkCommand, wordsOf } from './simple.ts';
import { withoutQuotes } from './spellings.ts';
import { ANYTHING, anyItem, joinValues, type ShellState, type Value } from './state.ts';
import { expandWord, valueOfWord, type WordHost, whole, wordValue } from './words.ts';
import { checkSubscripts } from './zsh.ts';

/** Cost of a control structure in addition to its content. A loop joins more states than the others. */
const COUNTS: Partial<Record<(PipelineNode | Statement['command'])['type'], number>> = {
  Command: 1,
  For: COMMAND,
  Select: COMMAND,
  ArithmeticFor: COMMAND,
  While: COMMAND,
};
const COMPOUND = 8;

// Functions that the shell calls itself, without their names in the text.
const HOOK_FUNCTIONS =
  /^(?:command_not_found_handle|command_not_found_handler|precmd|preexec|chpwd|periodic|zshaddhistory|zshexit|zsh_directory_name|PROMPT_COMMAND|TRAP[A-Z0-9]+|debug|exit)$/;

/** `time` is a reserved word, and rules can be written with it, so the first command also matches rules with `time`. */
function spellTimed({ prefixes, commands }: Pipeline, command: BashCommand | undefined): void {
  const time = prefixes.find(({ type }) => type === 'Time');
  if (time?.type !== 'Time' || commands[0]?.type !== 'Command' || command === undefined || command.text === '') return;
  const word = time.posix ? 'time -p' : 'time';
  command.spellings.push(...[command.text, ...command.spellings].map((text) => `${word} ${text}`));
}

/** Claude Code also compares deny and ask rules with a whole pipeline, so its text is a spelling of the first command. */
function spellPipeline({ commands }: Pipeline, command: BashCommand | undefined): void {
  const texts = commands.map((part) =>
    part.type === 'Command'
      ? wordsOf(part)
          .map(({ text }) => text)
          .join(' ')
      : '',
  );
  if (texts.includes('') || command === undefined || command.text === '') return;
  command.spellings.push(withoutQuotes(texts.join(' | ')));
}

/** Walks statements in sequence. */
export function walkStatements(list: readonly Statement[], start: ShellState, walk: Walker): Flow {
  let state = start;
  let flow: Flow = { ok: state, fail: state };
  for (let i = 0; i < list.length; i++) {
    // After `exit`, the rest is analyzed as if it were reached.
    if (i > 0) state = merge(flow.ok, flow.fail) ?? state;
    flow = statement(list[i]!, state, walk);
  }
  return flow;
}

function statement(node: Statement, state: ShellState, walk: Walker): Flow {
  if (!node.background) return walkNode(node.command, state, walk);
  walkNode(node.command, state.copy(), walk);
  return { ok: state, fail: null };
}

/**
 * The approximate output of `echo`, `printf`, or `cat` with a here-document into a pipe. It is enough to analyze the input of a
 * shell in the next part.
 */
function pipeFrom(node: Statement['command']): Stdin {
  if (node.type !== 'Command') return PIPE;
  const name = node.name?.value;
  if (name === 'cat') {
    const here = node.redirects.find((part) => part.type === 'HereDoc');
    if (here && !here.body.parts?.some(isDynamic)) return { kind: 'pipe', text: here.body.text };
  }
  if (name !== 'echo' && name !== 'printf') return PIPE;
  const words = node.suffix.map((part) => (part.type === 'Word' && !part.parts?.some(isDynamic) ? part.value : null));
  if (words.includes(null)) return PIPE;
  const text = words.filter((word) => !/^-[neE]+$/.test(word!)).join(' ');
  return { kind: 'pipe', text: text.replace(/\\n/g, '\n') };
}

/** The input that a command passes to the next one: its output text if that is certain, otherwise the names in it. */
function pipeBetween(node: Statement['command'], walk: Walker, before: number, isOutputOnly: boolean): Stdin {
  const printed = node.type === 'Command' ? walk.effects.printed.get(node) : undefined;
  if (printed?.texts?.length === 1) return { kind: 'pipe', text: printed.texts[0]!, isAll: true };
  if (printed?.found && isKnown(printed.found)) {
    const { unless, found } = printed;
    return { kind: 'pipe', names: found.names, isAll: true, ...(unless && isOutputOnly && printsOutputOnly(node) && { unless }) };
  }
  return listing(pipeFrom(node), [...(printed?.found?.names ?? []), ...walk.effects.listed.slice(before)]);
}

/** False if messages on standard error, or of another descriptor, may also go into the pipe. */
function printsOutputOnly(node: Statement['command']): boolean {
  return (
    node.type === 'Command' &&
    node.redirects.every(
      (one) => one.type === 'Redirect' && (one.operator === '<' || (one.operator === '>' && one.target?.text === '/dev/null')),
    )
  );
}

/** A pipe that also carries names. */
function listing(pipe: Stdin, names: readonly FoundName[]): Stdin {
  return pipe.kind === 'pipe' && names.length > 0 ? { ...pipe, names } : pipe;
}

function isDynamic(part: WordPart): boolean {
  return part.type.endsWith('Expansion');
}

/** Walks one node of control flow. */
export function walkNode(node: PipelineNode | Statement['command'], state: ShellState, walk: Walker): Flow {
  const count = COUNTS[node.type];
  if (!walk.look(count === 1 ? count : (count ?? COMPOUND) + state.breadth, node)) return { ok: state, fail: state };
  switch (node.type) {
    case 'Command':
      return walkCommand(node, state, walk);
    case 'AndOr': {
      let flow = walkNode(node.commands[0]!, state, walk);
      for (let i = 1; i < node.commands.length; i++) {
        const and = node.operators[i - 1] === '&&';
        const from = (and ? flow.ok : flow.fail) ?? flow.ok ?? flow.fail ?? state;
        const skipState = and ? flow.fail : flow.ok;
        const next = walkNode(node.commands[i]!, skipState === from ? from.copy() : from, walk);
        flow = and ? { ok: next.ok, fail: merge(skipState, next.fail) } : { ok: merge(skipState, next.ok), fail: next.fail };
      }
      return flow;
    }
    case 'Pipeline': {
      const negated = node.prefixes.length > 0 && node.prefixes.filter((p) => p.type === 'Negation').length % 2 === 1;
      if (node.commands.length === 0) return { ok: state, fail: state };
      const { length: first } = walk.effects.commands;
      if (node.commands.length === 1) {
        const flow = walkNode(node.commands[0]!, state, walk);
        spellTimed(node, walk.effects.commands[first]);
        return negated ? { ok: flow.fail, fail: flow.ok } : flow;
      }
      const { scope, current } = walk;
      const { length: before } = walk.effects.listed;
      let last = state;
      for (let i = 0; i < node.commands.length; i++) {
        // zsh runs the last part in the shell itself.
        const at = state.copy();
        const isLast = i === node.commands.length - 1;
        const piped = i > 0 ? pipeBetween(node.commands[i - 1]!, walk, before, node.operators[i - 1] === '|') : scope.stdin;
        const hasObjects = i > 0 && piped.kind === 'pipe' && printsObjects(node.commands.slice(0, i), state);
        const stdin: Stdin = hasObjects ? { ...piped, hasObjects } : piped;
        walk.scope = { ...scope, stdin, ...(!isLast && { isCaptured: true }) };
        walk.current = null;
        last = after(walkNode(node.commands[i]!, at, walk), at);
        if (i === 0) spellTimed(node, walk.effects.commands[first]);
      }
      spellPipeline(node, walk.effects.commands[first]);
      walk.scope = scope;
      walk.current = current;
      state.join(last);
      return { ok: state, fail: state };
    }
    case 'Subshell': {
      const inner = state.copy();
      walk.within({ ...walk.scope, exits: null, returns: null }, () => walkStatements(node.body.commands, inner, walk));
      return { ok: state, fail: state };
    }
    case 'BraceGroup':
      return walkStatements(node.body.commands, state, walk);
    case 'If': {
      let flow = walkStatements(node.clause.commands, state, walk);
      const ends: (ShellState | null)[] = [];
      const branch = (body: CompoundList, from: ShellState | null) => {
        const start = (from ?? state).copy();
        const f = walkStatements(body.commands, start, walk);
        ends.push(merge(f.ok, f.fail));
      };
      branch(node.then, flow.ok);
      let rest = flow.fail;
      for (const e of node.elif) {
        flow = walkStatements(e.clause.commands, (rest ?? state).copy(), walk);
        branch(e.then, flow.ok);
        rest = flow.fail;
      }
      if (node.else) branch(node.else, rest);
      else ends.push(rest);
      const end = ends.reduce(merge, null);
      return { ok: end, fail: end };
    }
    case 'While':
      return loop(state, walk, (s) => {
        const cond = walkStatements(node.clause.commands, s, walk);
        const into = node.kind === 'while' ? cond.ok : cond.fail;
        const out = node.kind === 'while' ? cond.fail : cond.ok;
        const body = walkStatements(node.body.commands, (into ?? s).copy(), walk);
        return { next: after(body, s), out };
      });
    case 'For':
    case 'Select': {
      const words = node.wordlist?.flatMap((w) => expandWord(w, state, walk));
      const one = words
        ? [...words, ...unsplit(words)].map(valueOfWord).reduce<Value | null>((a, b) => (a ? joinValues(a, b) : b), null)
        : anyItem({ ...ANYTHING, items: state.positional ?? undefined });
      const value = node.type === 'Select' && one ? joinValues(ANYTHING, one) : one;
      const name = node.name.value;
      walk.assign(name, node.name, value ?? ANYTHING, state);
      return loop(state, walk, (s) => {
        s.set(name, value ?? ANYTHING);
        const body = walkStatements(node.body.commands, s.copy(), walk);
        const next = after(body, s);
        return { next, out: next };
      });
    }
    case 'ArithmeticFor':
      if (node.initialize) checkArithmetic(node.initialize, state, walk);
      return loop(state, walk, (s) => {
        if (node.test) checkArithmetic(node.test, s, walk);
        const body = walkStatements(node.body.commands, s.copy(), walk);
        const next = after(body, s);
        if (node.update) checkArithmetic(node.update, next, walk);
        return { next, out: s };
      });
    case 'Case': {
      wordValue(node.word, state, walk);
      const ends: (ShellState | null)[] = [state];
      let before: ShellState | null = null;
      for (const item of node.items) {
        for (const p of item.pattern) patternWord(p, state, walk);
        const start = state.copy();
        if (before) start.join(before);
        const f = walkStatements(item.body.commands, start, walk);
        const end = merge(f.ok, f.fail);
        before = item.terminator === ';;' || item.terminator === undefined ? null : end;
        ends.push(end ? end.copy() : null);
      }
      const end = ends.reduce(merge, null);
      return { ok: end, fail: end };
    }
    case 'TestCommand':
      checkTest(node.expression, state, walk);
      return { ok: state, fail: state };
    case 'ArithmeticCommand':
      if (node.expression) checkArithmetic(node.expression, state, walk);
      else if (node.body.trim() !== '') walk.fault('arithmetic that cannot be analyzed', node.pos, node.end);
      return { ok: state, fail: state };
    case 'Redirected': {
      const before = walk.effects.commands.length;
      // Several commands share the input, so a single one may not get all of the text.
      const given = stdinOf(node.redirects, state, walk);
      const stdin = given === null ? walk.scope.stdin : shared(given);
      const flow = walk.within({ ...walk.scope, stdin }, () => walkNode(node.command, state, walk));
      const last = walk.effects.commands.length - 1;
      let entry = last;
      while (entry > before && walk.effects.commands[entry]!.top !== walk.scope.top) entry--;
      if (last < before) entry = walk.effects.open(walk.scope.top);
      const { scope } = walk;
      walk.scope = { ...scope, stdin };
      applyRedirects(node.redirects, state, entry, walk);
      walk.scope = scope;
      return flow;
    }
    case 'Function': {
      const name = node.name.value;
      if (node.name.parts || HOOK_FUNCTIONS.test(name))
        walk.fault(`a function called ${name} may be run by the shell itself`, node.pos, node.end);
      state.define(name, node);
      walk.define(node, state);
      return { ok: state, fail: state };
    }
    case 'Coproc': {
      const { printed, listed, opened } = walk.effects;
      const [values, names] = [printed.size, listed.length];
      walk.within({ ...walk.scope, stdin: PIPE }, () => {
        const body = node.body;
        if (body.type === 'CompoundList') walkStatements(body.commands, state.copy(), walk);
        else walkNode(body, state.copy(), walk);
      });
      // A later command may read what it prints from a descriptor.
      const output = [...printed.values()].slice(values);
      opened.push({
        kind: 'pipe',
        text: output.flatMap(({ texts }) => texts ?? []).join('\n'),
        names: [...output.flatMap(({ found }) => found?.names ?? []), ...listed.slice(names)],
      });
      if (walk.scope.substituted) walk.fault('coproc inside a substitution', node.pos, node.end);
      if (node.name) walk.assign(node.name.value, node, ANYTHING, state);
      else state.set('COPROC', ANYTHING);
      return { ok: state, fail: state };
    }
  }
}

function loop(state: ShellState, walk: Walker, body: (s: ShellState) => { next: ShellState; out: ShellState | null }): Flow {
  const exits: ShellState[] = [];
  const scope = { ...walk.scope, exits };
  let head = state.copy();
  // Trial rounds, until another round would start from a state that is already covered.
  walk.loops++;
  walk.removingLoops++;
  let mayRemove = walk.loops > 3;
  if (walk.loops > 3) {
    head.forgetVariables();
    head.cwds = null;
  } else {
    for (let round = 0; ; round++) {
      const mark = walk.effects.mark();
      exits.length = 0;
      const start = head.copy();
      const { next } = walk.within(scope, () => body(start));
      mayRemove ||= walk.effects.commands.slice(mark.commands).some(removes);
      walk.effects.drop(mark);
      const wider = head.copy();
      wider.join(next);
      for (const e of exits) wider.join(e);
      if (head.covers(wider)) break;
      if (round >= 3) {
        wider.forgetAssigned();
        wider.cwds = null;
        head = wider;
        break;
      }
      head = wider;
    }
  }
  exits.length = 0;
  if (!mayRemove) walk.removingLoops--;
  const { next, out } = walk.within(scope, () => body(head.copy()));
  walk.loops--;
  if (mayRemove) walk.removingLoops--;
  const end = head.copy();
  end.join(next);
  if (out && out !== next) end.join(out);
  for (const e of exits) end.join(e);
  state.become(end);
  return { ok: state, fail: state };
}

/** Analyzes the expression of `[[ ]]`. */
function checkTest(e: TestExpression, state: ShellState, walk: WordHost): void {
  switch (e.type) {
    case 'TestLogical':
      for (const o of e.operands) checkTest(o, state, walk);
      return;
    case 'TestNot':
      checkTest(e.operand, state, walk);
      return;
    case 'TestGroup':
      checkTest(e.expression, state, walk);
      return;
    case 'TestUnary': {
      const v = wordValue(e.operand, state, walk);
      if (e.operator === '-v' || e.operator === '-R') {
        if (v.texts?.length !== 1 || !/^\w+$/.test(v.texts[0]!))
          walk.evaluated(`[[ ${e.operator} ]] evaluates a subscript in its operand`, v, e, state);
      } else if (e.operator === '-t') {
        if (!v.int && !v.texts?.every((t) => /^\d+$/.test(t)))
          walk.fault('some shells evaluate the descriptor of [[ -t ]] as arithmetic', e.pos, e.end);
      } else if (!/^-[a-zA-Z]$/.test(e.operator)) walk.fault(`[[ ${e.operator} ]] is unknown`, e.pos, e.end);
      return;
    }
    case 'TestBinary': {
      patternWord(e.left, state, walk);
      patternWord(e.right, state, walk);
      if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(e.operator)) {
        walk.arithmeticWord(e.left, state, `[[ ${e.operator} ]]`);
        walk.arithmeticWord(e.right, state, `[[ ${e.operator} ]]`);
      } else if (!/^(?:==?|!=|=~|<|>|-nt|-ot|-ef)$/.test(e.operator)) walk.fault(`[[ ${e.operator} ]] is unknown`, e.pos, e.end);
      return;
    }
  }
}

/** Patterns of `case` and `[[ ]]`. Extended globs are plain Bash here. */
function patternWord(written: Word, state: ShellState, walk: WordHost): void {
  const word = whole(written, walk);
  const visit = (part: WordPart): void => {
    if (part.type === 'ExtendedGlob') {
      checkSubscripts(part.parts ?? [], state, walk);
      // zsh evaluates `(e:…:)` after a glob.
      if (/\(\s*e\s*[:'"{[]/.test(part.text)) walk.fault('a glob qualifier that runs text', part.pos, part.end);
      part.parts?.forEach(visit);
      return;
    }
    const single: Word = { type: 'Word', text: part.text, value: '', pos: part.pos, end: part.end, parts: [part] };
    wordValue(single, state, walk, true);
  };
  if (!word.parts) return;
  checkSubscripts(word.parts, state, walk);
  word.parts.forEach(visit);
}
