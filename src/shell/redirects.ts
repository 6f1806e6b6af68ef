// Redirections: the files they open for writing, and the standard input that the command receives.
import type { HereDoc, Redirection, Word } from 'unbash';
import type { Stdin } from '../model/command.ts';
import type { Arg } from './arg.ts';
import { type CallHost, CommandCall } from './call.ts';
import type { TextRange } from './effects.ts';
import { socketHost } from './hosts.ts';
import { FILE, INHERIT, joinInputs, openedInput, shared } from './inputs.ts';
import { partlyKnown } from './possible-names.ts';
import { ANYTHING, INTEGER, type ShellState, type Value } from './state.ts';
import { absolute, isSink, settled } from './targets.ts';
import { type WordHost, wordValue } from './words.ts';
import { checkSubscripts } from './zsh.ts';

const NOTHING: Stdin = { kind: 'text', text: '' };

/** The services of the walk that redirections need. */
export interface RedirectHost extends WordHost, CallHost {
  place(node: TextRange): TextRange;
  words(word: Word, state: ShellState): Arg[];
  assign(name: string, node: TextRange, value: Value, state: ShellState): void;
}

/** The text of a here-document as the command receives it, or null if not certain. */
function hereText(r: HereDoc): string | null {
  const { text, parts } = r.body;
  if (parts?.some((p) => p.type !== 'Literal')) return null;
  // If the delimiter is unquoted, the shell may remove a backslash.
  if (!r.delimiter?.quoted && text.includes('\\')) return null;
  return r.operator === '<<-' ? text.replace(/^\t+/gm, '') : text;
}

/** The standard input after these redirections, or null if they do not change it. */
export function stdinOf(list: readonly Redirection[], state: ShellState, host: RedirectHost): Stdin | null {
  let out: Stdin | null = null;
  let several = false;
  for (const r of list) {
    const isOther = r.descriptor && (r.descriptor.type !== 'FileDescriptor' || r.descriptor.value !== 0);
    if (isOther && (r.type !== 'Redirect' || r.operator === '<')) host.effects.opened.push(inputOf(r, state, host));
    if (isOther || (r.type === 'Redirect' && !r.operator.startsWith('<'))) continue;
    several = out !== null;
    out = r.type === 'Redirect' && r.operator === '<&' ? openedInput(host.effects.opened) : inputOf(r, state, host);
  }
  // zsh reads all of them.
  return several ? FILE : out;
}

/** The input that one redirection opens. */
function inputOf(r: Redirection, state: ShellState, host: RedirectHost): Stdin {
  if (r.type === 'HereDoc') {
    const text = hereText(r);
    return text === null ? FILE : { kind: 'text', text, isAll: true };
  }
  if (r.type !== 'HereString')
    return r.operator === '<' && r.target?.text === '/dev/null' ? NOTHING : fileOf(r.target, state, host);
  const mark = host.effects.mark();
  const v = r.target ? wordValue(r.target, state.copy(), host) : ANYTHING;
  host.effects.drop(mark);
  return v.texts?.length === 1
    ? { kind: 'text', text: `${v.texts[0]}\n`, isAll: true }
    : { kind: 'file', names: [...(v.found?.names ?? []), ...(v.texts === null ? partlyKnown(v.outlines) : [])] };
}

/** Input from a file, with its text if it is a small file of the project or a process substitution. */
function fileOf(target: Word | undefined, state: ShellState, host: RedirectHost): Stdin {
  if (target === undefined) return FILE;
  const mark = host.effects.mark();
  const { texts } = wordValue(target, state.copy(), host);
  host.effects.drop(mark);
  const paths = texts?.flatMap((text) => absolute(text, state.cwds) ?? []) ?? [];
  const known = paths.flatMap((path): Stdin[] => {
    const stream = host.effects.streams.get(settled(path));
    const text = stream === undefined ? host.disk.text(path) : null;
    return stream ? [stream] : text === null ? [] : [{ kind: 'file', text, isAll: host.disk.isSure }];
  });
  if (known.length === 0) return FILE;
  return paths.length === 1 ? known[0]! : shared(known.reduce(joinInputs));
}

function hereDoc(r: HereDoc, state: ShellState, host: RedirectHost): void {
  if (!r.closing) host.fault('a here-document has no end', r.pos, r.end);
  const parts = r.body.parts ?? [];
  checkSubscripts(parts, state, host);
  for (const p of parts) {
    if (p.type === 'Literal') continue;
    wordValue({ type: 'Word', text: p.text, value: '', pos: p.pos, end: p.end, parts: [p] }, state, host, true);
  }
}

/** Applies one redirection for the command at `entry`. */
export function redirect(r: Redirection, state: ShellState, entry: number, host: RedirectHost) {
  if (r.descriptor?.type === 'FileDescriptorVariable') host.assign(r.descriptor.name, r.descriptor, INTEGER, state);
  if (r.type === 'HereDoc') return hereDoc(r, state, host);
  if (!r.target) return host.fault('a redirection without a target', r.pos, r.end);
  if (r.type === 'HereString') {
    wordValue(r.target, state, host);
    return;
  }
  const op = r.operator;
  const at = host.place(r);
  const args = host.words(r.target, state);
  const arg = args.length === 1 ? args[0]! : null;
  const value = arg?.literal ?? null;
  const call = new CommandCall(host, entry, arg ? [arg] : [], state, INHERIT);
  call.name = op;
  const fd = r.descriptor?.type === 'FileDescriptor' ? r.descriptor.value : op.startsWith('<') ? 0 : 1;
  if ((op === '>&' || op === '<&') && arg && (arg.int || (value !== null && /^(?:\d+-?|-)$/.test(value)))) {
    if (fd !== 0 && !/^(?:[12]|-)$/.test(value ?? '')) host.markDescriptor('odd', at);
    return;
  }
  if (op === '<' && fd !== 0) host.markDescriptor('odd', at);
  const socket = value === null ? null : socketHost(value);
  if (socket !== null) {
    call.network(socket);
    return call.unknown('opens a network connection', at);
  }
  if (arg?.equals || (/^&?>/.test(op) && value === '!'))
    host.fault('another shell reads this redirection differently', at.pos, at.end);
  if (op === '<' || op === '<>') {
    // If the opened path is a folder, its files can be read through the name of the descriptor.
    if (arg) call.read(arg, op, { extent: fd !== 0 || r.descriptor !== undefined ? 'within' : 'one' });
    if (op === '<') return;
  }
  if (op === '<&') return host.fault('an unknown file descriptor', at.pos, at.end);
  if (!arg || value === '') {
    call.writeAnywhere(op);
    return call.unknown(`${op} writes to an unknown file`, at);
  }
  if (value !== null && isSink(value)) {
    if (value !== '/dev/null') host.markDescriptor('sink', at);
    return;
  }
  call.write(arg, op, { why: op === '<>' ? '<> opens a file for writing' : `${op} writes to a file` });
}
