// Simple commands: collects the words, assignments, and redirections of one command for the tables.
import type { Assignment, Command, Redirection, Word } from 'unbash';
import { withWholeWords } from './adjoining.ts';
import { type Arg, argOf, literalArg, quote } from './arg.ts';
import { checkAssignment } from './assignments.ts';
import { CommandCall } from './call.ts';
import { BUILTIN, dispatch } from './dispatch.ts';
import { joinInputs, prependPipe, shared } from './inputs.ts';
import { concatOutlines } from './outline.ts';
import { surrounded } from './possible-names.ts';
import { redirect, stdinOf } from './redirects.ts';
import { COMMAND, type Flow, type Walker } from './scope.ts';
import {
  ANYTHING,
  anyItems,
  arrayValue,
  INTEGER,
  type Items,
  joinValues,
  outlinesOf,
  type PrefixAssignment,
  type ShellState,
  textValue,
  type Value,
} from './state.ts';
import { absolute, settled } from './targets.ts';
import { assignmentValue, checkSubscript, concat, isSubscriptText, parametersOf, wordValue } from './words.ts';

// Shared, because most commands have none. INVARIANT: nothing is ever added to these.
const NO_ASSIGNMENTS: Assignment[] = [];
const NO_REDIRECTS: Redirection[] = [];
const NO_PREFIX: PrefixAssignment[] = [];

function more<T>(list: T[], one: T): T[] {
  if (list.length === 0) return [one];
  list.push(one);
  return list;
}

/** Analyzes one simple command: expands its words, applies its redirections and assignments, and looks it up. */
export function walkCommand(node: Command, state: ShellState, walk: Walker): Flow {
  if (!walk.look(COMMAND, node)) return { ok: state, fail: state };
  walk.visit(state);
  const entry = walk.effects.open(walk.scope.top);
  const outer = walk.current;
  walk.current = entry;
  const args: Arg[] = [];
  let assignments: Assignment[] = NO_ASSIGNMENTS;
  let redirects: Redirection[] = NO_REDIRECTS;
  const { name, prefix: before, suffix } = withWholeWords(node);
  for (const p of before) {
    if (p.type === 'Assignment') assignments = more(assignments, p);
    else redirects = more(redirects, p);
  }
  if (name) walk.word(name, state, args);
  for (const s of suffix) {
    if (s.type === 'Word') walk.word(s, state, args);
    else if (s.type === 'Assignment') args.push(assignmentArg(s, state, walk, declaresAssociative(node)));
    else redirects = more(redirects, s);
  }
  const given = redirects.length > 0 ? stdinOf(redirects, state, walk) : null;
  const stdin = given === null ? walk.scope.stdin : prependPipe(walk.scope.stdin, given);
  const { scope } = walk;
  // Substitutions in later redirections read it too. So do substitutions in assignments in zsh. A function, eval, or another
  // shell passes it on.
  if (given !== null) walk.scope = { ...scope, stdin: shared(stdin) };
  const plain = name === undefined;
  const prefix = assignments.length > 0 ? assignments.map((a) => prefixAssignment(a, state, plain, entry, walk)) : NO_PREFIX;
  if (redirects.length > 0) applyRedirects(redirects, state, entry, walk);
  if (plain) {
    // `$(< list)` expands to the content of the file.
    if (given !== null && assignments.length === 0 && redirects.length === 1) {
      const names = new CommandCall(walk, entry, args, state, given).inputNames();
      if (names !== null) walk.effects.printed.set(node, { ...ANYTHING, found: names });
    }
    walk.scope = scope;
    walk.current = outer;
    walk.visit(state);
    // An assignment alone is not a command that a rule could allow or deny, unless it has an effect.
    const e = walk.effects.commands[entry]!;
    if (e.class === 'read-only' && walk.effects.commands.length - 1 === entry && redirects.length === 0) {
      walk.effects.commands.pop();
    }
    e.text = assignments.map((a) => a.text).join(' ');
    return { ok: state, fail: state };
  }
  const call = new CommandCall(walk, entry, args, state, stdin);
  call.source = sourceOf(node);
  const flow = execute(call, prefix, walk);
  const outputs = redirects.filter(redirectsOutput);
  const printed = outputs.length > 0 ? ANYTHING : (call.output ?? ANYTHING);
  walk.effects.printed.set(node, mayPrintNothing(call, redirects) ? orNothing(printed) : printed);
  const tees = call.name === 'tee' ? call.rest.flatMap(({ literal }) => literal ?? []) : [];
  if (outputs.length > 0 || tees.length > 0) recordContents(call, outputs, tees, walk);
  if (flow.ok) walk.visit(flow.ok);
  if (flow.fail) walk.visit(flow.fail);
  walk.scope = scope;
  walk.current = outer;
  return flow;
}

/** True if a command may end before it prints: a program before it, a redirection, or a limit of the shell can prevent it. */
function mayPrintNothing({ name, external, args, host }: CommandCall, redirects: readonly Redirection[]): boolean {
  const isProgram = external || !BUILTIN.has(name) || args[0]?.literal?.includes('/') === true;
  return external || (isProgram && host.effects.isLimited) || redirects.some(mayNotOpen);
}

/** Redirections to other places than the usual descriptors and `/dev/null`. */
function mayNotOpen(one: Redirection): boolean {
  return one.type === 'Redirect' && !/^(?:[012]|\/dev\/null)$/.test(one.target?.text ?? '');
}

function orNothing(printed: Value): Value {
  return printed.texts === null ? printed : joinValues(printed, textValue(''));
}

/** Records what the files contain afterwards, as far as it is known: the output of the command, or its input if it is copied. */
function recordContents(call: CommandCall, outputs: readonly Redirection[], names: readonly string[], walk: Walker): void {
  const { texts = null, found } = call.output ?? ANYTHING;
  const content = {
    kind: 'file' as const,
    ...(texts !== null && { text: texts.join('\n') }),
    ...(found && { names: found.names }),
  };
  const { effects } = walk;
  const mark = effects.mark();
  const targets = outputs.flatMap((one) =>
    one.type === 'Redirect' && one.target ? (wordValue(one.target, call.state.copy(), walk).texts ?? []) : [],
  );
  effects.drop(mark);
  for (const name of [...targets, ...names]) {
    for (const path of (absolute(name, call.state.cwds) ?? []).map(settled)) {
      const before = walk.disk.text(path);
      const known = [
        content,
        call.stdin,
        effects.streams.get(path),
        before === null ? undefined : { kind: 'file' as const, text: before },
      ];
      const inputs = known.filter((one) => one !== undefined).map(shared);
      effects.streams.set(path, inputs.reduce(joinInputs));
    }
  }
}

/** True if the output may go elsewhere. */
function redirectsOutput({ descriptor, operator }: Redirection): boolean {
  if (operator.startsWith('<')) return false;
  return operator.startsWith('&') || !(descriptor?.type === 'FileDescriptor' && descriptor.value === 2);
}

const NO_SOURCE: readonly Word[] = [];

/** The command word and the words after it, without assignments and redirections. */
export function wordsOf(command: Command): Word[] {
  const { name, suffix } = withWholeWords(command);
  return [...(name ? [name] : []), ...suffix.filter((one): one is Word => one.type === 'Word')];
}

/** The source words, if they may differ from the words that the command receives. */
function sourceOf(command: Command): readonly Word[] {
  const words = wordsOf(command);
  return words.some(({ text }) => /['"\\$`~{]/.test(text)) ? words : NO_SOURCE;
}

/** `name=value` as an argument (export, declare). It stays one word, and arrays are unknown. */
function assignmentArg(node: Assignment, state: ShellState, walk: Walker, isAssociative: boolean): Arg {
  const { pos, end } = walk.place(node);
  if (node.index) checkSubscript(node.index, node.name, state, walk);
  if (node.value.type === 'ArrayValue') {
    const holds = arrayOf(node.value.elements, state, walk, isAssociative);
    return argOf({ text: node.text, lead: `${node.name}=(`, holds, pos, end });
  }
  const v = assignmentValue(node.value, state, walk);
  const head = node.text.slice(0, node.value.pos - node.pos);
  if (v.texts?.length === 1) return argOf({ value: head + v.texts[0]!, text: quote(head + v.texts[0]!), pos, end });
  const { int, vanishes, confined } = v;
  return argOf({
    text: node.text,
    lead: head + v.lead,
    int,
    vanishes,
    pos,
    end,
    texts: v.texts?.map((t) => head + t) ?? null,
    found: v.found ? surrounded(v.found, head, '') : null,
    outlines: concatOutlines([[head]], outlinesOf(v)),
    confined,
  });
}

/** True for `declare -A` and its synonyms. */
function declaresAssociative({ name, suffix }: Command): boolean {
  return (
    /^(?:declare|typeset|local)$/.test(name?.text ?? '') &&
    suffix.some((one) => one.type === 'Word' && /^-[a-z]*A[a-z]*$/.test(one.text))
  );
}

/** Words of an array. `[i]=x` evaluates the text between the brackets as arithmetic. */
function arrayOf(elements: readonly Word[], state: ShellState, walk: Walker, isAssociative: boolean): Value {
  const all: Arg[] = [];
  let isExact = true;
  for (const word of elements) {
    const end = word.text.startsWith('[') ? word.text.search(/\]\+?=/) : -1;
    if (end > 0) {
      const name = /^\$?\{?([A-Za-z_]\w*)\}?$/.exec(word.text.slice(1, end))?.[1];
      const subscript = word.text.slice(1, end);
      const isText = isAssociative && isSubscriptText(subscript.replace(/^(["'])(.*)\1$/, '$2'), state);
      if (!isText && !/^\[\d+\]/.test(word.text) && !(name && state.get(name).int))
        walk.evaluated('a subscript evaluates text as arithmetic', textValue(subscript), word, state);
    }
    const words = walk.words(word, state);
    if (end > 0) isExact = false;
    // The text after the subscript is the element. The keys of an associative array count as elements too.
    if (end > 0 && isAssociative) all.push(...words.flatMap(keyArg));
    all.push(...(end > 0 ? words.map((arg) => elementArg(arg)) : words));
  }
  const { values, isExact: isCounted } = parametersOf(all);
  return arrayValue(values, isExact && isCounted);
}

/** The key of `[key]=element`. */
function keyArg(arg: Arg): Arg[] {
  const key = /^\[([^\]]*)\]\+?=/.exec(arg.value ?? arg.lead)?.[1];
  return key ? [arg.as(key)] : [];
}

/** The element of `[i]=element`. */
function elementArg(arg: Arg): Arg {
  const head = /^\[[^\]]*\]\+?=/.exec(arg.value ?? arg.lead);
  return head === null ? arg : arg.after(head[0].length);
}

/**
 * The result of `a+=b`. If the shell has marked the variable as an integer, numbers are added. Otherwise texts are concatenated.
 */
function appended(before: Value, more: Value): Value {
  if (before.int && more.int) return before.vanishes && more.vanishes ? more : INTEGER;
  const { items: _, ...scalar } = before;
  return before.int || more.int || before.attribute === 'readonly' ? ANYTHING : concat(scalar, more);
}

function appendItems({ items }: Value, more: Items): Value {
  if (items?.isExact && more.isExact) return arrayValue([...items.values, ...more.values], true);
  return arrayValue(anyItems([...(items?.values ?? [ANYTHING]), ...more.values]).values, false);
}

/** The result of `a[i]=b`. */
function withElement({ items }: Value, element: Value, index: Word, isAppended: boolean): Value {
  const before = items?.values ?? [];
  if (isAppended) return arrayValue([ANYTHING, ...before], false);
  const at = /^\d{1,3}$/.test(index.text) ? Number(index.text) : -1;
  if (items?.isExact && at >= 0 && at <= before.length)
    return arrayValue([...before.slice(0, at), element, ...before.slice(at + 1)], true);
  return arrayValue(anyItems([...before, element]).values, false);
}

function prefixAssignment(node: Assignment, state: ShellState, plain: boolean, entry: number, walk: Walker): PrefixAssignment {
  const before = state;
  let value: Value = ANYTHING;
  const isAssociative = state.get(node.name).attribute === 'associative';
  if (node.index) checkSubscript(node.index, node.name, state, walk);
  if (node.value.type === 'ArrayValue') {
    value = arrayOf(node.value.elements, state, walk, isAssociative);
    if (node.append) value = appendItems(state.get(node.name), value.items!);
  } else {
    value = assignmentValue(node.value, state, walk);
    // `+=` evaluates only the new part as arithmetic, and a pager may be the whole text or its end.
    if (node.append) walk.assigned(node.name, value, node, state, entry, !plain);
    if (node.append && !node.index) value = appended(state.has(node.name) ? state.get(node.name) : ANYTHING, value);
    if (node.index && isAssociative) {
      const mark = walk.effects.mark();
      const key = wordValue(node.index, state.copy(), walk);
      walk.effects.drop(mark);
      value = arrayValue(anyItems([...(state.get(node.name).items?.values ?? []), key, value]).values, false);
    } else if (node.index) value = withElement(state.get(node.name), value, node.index, node.append === true);
  }
  if (isAssociative && (node.index || node.value.type === 'ArrayValue')) value = { ...value, attribute: 'associative' };
  const verdict = checkAssignment(node.name, value, plain ? 'plain' : 'prefix');
  if (verdict.taint) walk.effects.worsen(entry, verdict.class ?? 'unknown', verdict.taint, walk.place(node));
  walk.assigned(node.name, value, node, state, entry, !plain);
  if (plain) before.set(node.name, value);
  return { name: node.name, text: node.text, safe: verdict.safe, known: verdict.known ?? false, value };
}

/** Variables with a program as their value, which other programs start. */
const NAMES_PROGRAM = /^\w*(?:EDITOR|VISUAL|PAGER|SHELL|COMMAND|CMD|ASKPASS|BROWSER)=(.*)$/s;

function execute(call: CommandCall, prefix: PrefixAssignment[], walk: Walker): Flow {
  const { state } = call;
  call.prefix = prefix;
  if (prefix.some((p) => !p.safe)) walk.effects.commands[call.entry]!.top = false;
  for (const p of prefix) {
    const program = NAMES_PROGRAM.exec(p.text);
    if (program) call.opaque(literalArg(program[1]!.replace(/^["']|["']$/g, ''), call.at.pos, call.at.end));
  }
  const before = prefix.map(({ name }) => (state.has(name) ? state.get(name) : ANYTHING));
  dispatch(call);
  // Some shells keep an assignment before some builtins.
  prefix.forEach(({ name, value }, i) => {
    if (state.has(name)) state.set(name, [before[i]!, value].reduce(joinValues, state.get(name)));
  });
  switch (call.ends) {
    case 'shell':
      return { ok: null, fail: null };
    case 'loop':
      walk.scope.exits?.push(state.copy());
      walk.scope.returns?.push(state.copy());
      return { ok: null, fail: null };
    default:
      return { ok: state, fail: call.failure ?? state };
  }
}

/** Applies redirections for the command at `entry`. */
export function applyRedirects(list: readonly Redirection[], state: ShellState, entry: number, walk: Walker): void {
  const outer = walk.current;
  walk.current = entry;
  for (const r of list) redirect(r, state, entry, walk);
  walk.current = outer;
}
