// Option tables in a compact notation, and the parser that reads a command's words by them.
//
//   -abc        short switches a, b, c            --all        long switch
//   -n:         short with a value                --lines:     long with a value (`--lines 5` or `--lines=5`)
//   -n?         value only when attached          --color?     value only after `=`
// A letter behind `:` or `?` is the role of the value: r file that is read, w file that is written, l path that is listed,
// d folder that is written below, n file that is read and holds names of files that are read, h host or URL, x program text (not understood). `!` instead: the option itself is not understood.
import { type Arg, unknownArg } from './arg.ts';

export type Role = '' | 'r' | 'w' | 'l' | 'd' | 'n' | 'h' | 'x' | '!';

export interface OptionSpec {
  arity: 0 | 1 | 2;
  role: Role;
}

export interface OptionTable {
  readonly short: Map<string, OptionSpec>;
  readonly long: Map<string, OptionSpec>;
}

/** A table in the notation above, which is read when somebody first looks into it: most commands are never met. */
export function table(text: string): OptionTable {
  let known: OptionTable | null = null;
  return {
    get short() {
      known ??= readTable(text);
      return known.short;
    },
    get long() {
      known ??= readTable(text);
      return known.long;
    },
  };
}

function readTable(text: string): OptionTable {
  const out: OptionTable = { short: new Map(), long: new Map() };
  for (const token of text.split(/\s+/)) {
    if (token === '') continue;
    const m = /^(--?)([^:?!]+?|\?|:)(!|[:?][rwldnhx!]?)?$/.exec(token);
    if (!m) throw new Error(`option table: ${token}`);
    const tail = m[3] ?? '';
    const arity = tail.startsWith(':') ? 1 : tail.startsWith('?') ? 2 : 0;
    const role = (arity === 0 ? tail : tail.slice(1)) as Role;
    const spec: OptionSpec = { arity, role };
    if (m[1] === '--') out.long.set(m[2]!, spec);
    else for (const c of m[2]!) out.short.set(c, spec);
  }
  return out;
}

/** An option as it stood on the command line. */
export interface GivenOption {
  /** `i` or `in-place` */
  name: string;
  /** As a person knows it: `-i`, `--in-place`. */
  flag: string;
  value: Arg | null;
  spec: OptionSpec;
  arg: Arg;
}

export interface Given {
  options: GivenOption[];
  operands: Arg[];
  /** Operands from this index on stood behind `--`. */
  dashed: number;
  /** The first word that is not understood, with the reason. */
  problem: { text: string; arg: Arg } | null;
  /** The first word that might expand to an option. */
  flaggy: Arg | null;
}

export interface ParseStyle {
  /** Options end at the first operand. */
  posix?: boolean;
  /** `-name value` words of find, java or terraform. */
  single?: boolean;
  /** `-5` is a count. */
  digits?: boolean;
  /** A value never stands glued to its letter: the letters behind it are options too, which take the words that follow. */
  apart?: boolean;
  /** With `single`, a number may stand glued to an option of one letter. */
  glued?: boolean;
  /** What looks like an option is none that another one takes for its value: some take one only behind `=`. */
  wary?: boolean;
  /** Unambiguous beginnings of long options count; only where the table lists every option. */
  abbreviate?: boolean;
}

const NO_STYLE: ParseStyle = {};

export function has(given: Given, ...names: string[]): boolean {
  for (const o of given.options) if (names.includes(o.name)) return true;
  return false;
}

/** The last of them, which is the one that counts for nearly every program. */
export function option(given: Given, ...names: string[]): GivenOption | undefined {
  return given.options.findLast((o) => names.includes(o.name));
}

/** True when a word may turn into an option, or into several words of which one may. */
export function mayBeOption(arg: Arg): boolean {
  if (arg.value !== null && !arg.pattern) return false;
  if (arg.shape !== null) return false;
  if (arg.each !== null) return arg.each.shape === undefined && arg.each.lead === '';
  // What find found begins as its starting points do.
  if (arg.many && !arg.below) return true;
  if (arg.found?.isAll)
    return arg.found.names.some(({ text, how }) => /^-|^$/.test(text) || (how !== 'one' && /^[*?[]/.test(text)));
  return arg.lead === '' || arg.lead === '-' || arg.lead === '--';
}

function resolveLong(name: string, t: OptionTable, style: ParseStyle): { name: string; spec: OptionSpec } | null {
  const exact = t.long.get(name);
  if (exact) return { name, spec: exact };
  if (!style.abbreviate) return null;
  let found: { name: string; spec: OptionSpec } | null = null;
  for (const [long, spec] of t.long) {
    if (!long.startsWith(name)) continue;
    if (found !== null) return null;
    found = { name: long, spec };
  }
  return found;
}

function fail(given: Given, text: string, arg: Arg): void {
  given.problem ??= { text, arg };
}

/** INVARIANT: an option that takes a value has one, if only one that is not known. */
function valueAt(given: Given, args: readonly Arg[], at: number, flag: string, option: Arg, style: ParseStyle): Arg {
  const value = args[at];
  if (value === undefined) {
    fail(given, `${flag} lacks its value`, option);
    return unknownArg(option.pos, option.end, false);
  }
  if (value.several) given.flaggy ??= value;
  if (style.wary && /^--?[A-Za-z]/.test(value.lead)) fail(given, `${flag} may leave ${value.text} for an option`, value);
  return value;
}

/** Few options stand on most command lines, so that no room is kept for more. */
function add(given: Given, option: GivenOption): void {
  const { options } = given;
  if (options.length === 0) given.options = [option];
  else if (options.length === 1) given.options = [options[0]!, option];
  else options.push(option);
}

/** Reads `args` from an index on (without the command word) by a table. Never throws; what is not in the table is `problem`. */
export function parseOptions(args: readonly Arg[], t: OptionTable, style: ParseStyle = NO_STYLE, from = 0): Given {
  const operands = from < args.length ? new Array<Arg>(args.length - from) : [];
  const out: Given = { options: [], operands, dashed: Number.POSITIVE_INFINITY, problem: null, flaggy: null };
  let count = 0;
  let i = from;
  for (; i < args.length; i++) {
    const arg = args[i]!;
    if (mayBeOption(arg)) {
      out.flaggy ??= arg;
      operands[count++] = arg;
      if (style.posix) {
        i++;
        break;
      }
      continue;
    }
    const text = arg.value ?? arg.lead;
    const partial = arg.value === null || arg.pattern;
    if (text === '--' && !partial) {
      out.dashed = count;
      i++;
      break;
    }
    if (text === '-' || !text.startsWith('-')) {
      operands[count++] = arg;
      if (style.posix) {
        i++;
        break;
      }
      continue;
    }
    if (text.startsWith('--') || style.single) {
      const body = text.startsWith('--') ? text.slice(2) : text.slice(1);
      const eq = body.indexOf('=');
      const number = style.glued && !partial && /^[a-z][-+]?\d\w*$/.test(body) ? t.long.get(body[0]!) : undefined;
      if (number?.arity === 1) {
        add(out, { name: body[0]!, flag: text.slice(0, 2), value: arg.after(2), spec: number, arg });
        continue;
      }
      const found = resolveLong(eq < 0 ? body : body.slice(0, eq), t, style);
      const flag = text.slice(0, eq < 0 ? undefined : text.length - body.length + eq);
      if (!found && arg.whole !== null && t.long.get(/^[^\s=]*(?=\s)/.exec(body)?.[0] ?? '')?.role === '') continue;
      if (!found || (eq < 0 && partial)) {
        fail(out, `${flag} is not known`, arg);
        continue;
      }
      const { name, spec } = found;
      if (spec.role === '!') fail(out, `${flag} does more than read`, arg);
      let value: Arg | null = null;
      if (eq >= 0) {
        if (spec.arity === 0) fail(out, `${flag} takes no value`, arg);
        value = arg.after(text.length - body.length + eq + 1);
      } else if (spec.arity === 1) value = valueAt(out, args, ++i, flag, arg, style);
      add(out, { name, flag: text.startsWith('--') ? `--${name}` : `-${name}`, value, spec, arg });
      continue;
    }
    if (style.digits && !partial && /^-\d+$/.test(text)) continue;
    for (let k = 1; k < text.length; k++) {
      const name = text[k]!;
      const flag = `-${name}`;
      const spec = t.short.get(name);
      // Of a word that was left whole, no program takes a blank for an option; what stands behind it is looked at all the same.
      if (!spec && arg.whole !== null && (name === ' ' || name === '-')) continue;
      if (!spec) {
        fail(out, `${flag} is not known`, arg);
        break;
      }
      if (spec.role === '!') fail(out, `${flag} does more than read`, arg);
      if (spec.arity !== 0) {
        let value: Arg | null = null;
        if (style.apart && k + 1 < text.length && /\D/.test(text.slice(k + 1)))
          fail(out, `what follows ${flag} are options of their own`, arg);
        if (k + 1 < text.length || partial) value = arg.after(k + 1);
        else if (spec.arity === 1) value = valueAt(out, args, ++i, flag, arg, style);
        add(out, { name, flag, value, spec, arg });
        break;
      }
      add(out, { name, flag, value: null, spec, arg });
      if (k + 1 === text.length && partial) fail(out, 'what follows the switches is not known', arg);
    }
  }
  for (; i < args.length; i++) operands[count++] = args[i]!;
  operands.length = count;
  return out;
}
