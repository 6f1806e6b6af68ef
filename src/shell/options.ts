// Option tables in a compact notation, and the parser that applies them to the words of a command.
//
//   -abc        short switches a, b, c            --all        long switch
//   -n:         short with a value                --lines:     long with a value (`--lines 5` or `--lines=5`)
//   -n?         value only when attached          --color?     value only after `=`
//
// A letter after `:` or `?` is the role of the value:
//   r  file that is read            w  file that is written          l  path that is listed
//   d  folder with writes below it  n  file with names of files; it and they are read
//   h  host or URL                  x  program text, which is not understood
//   c  folder where the command works
// `!` in place of `:` or `?`: the option itself is not understood.
import { type Arg, unknownArg } from './arg.ts';
import { GAP } from './possible-names.ts';

export type Role = '' | 'r' | 'w' | 'l' | 'd' | 'n' | 'h' | 'c' | 'x' | '!';

export interface OptionSpec {
  arity: 0 | 1 | 2;
  role: Role;
}

export interface OptionTable {
  readonly short: Map<string, OptionSpec>;
  readonly long: Map<string, OptionSpec>;
}

/** A table in the notation above. It is parsed on the first use, because most commands are never used. */
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
    const m = /^(--?)([^:?!]+?|\?|:)(!|[:?][rwldnhcx!]?)?$/.exec(token);
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

/** An option on the command line. */
export interface GivenOption {
  /** `i` or `in-place` */
  name: string;
  /** The spelling that users know: `-i`, `--in-place`. */
  flag: string;
  value: Arg | null;
  spec: OptionSpec;
  arg: Arg;
}

export interface Given {
  options: GivenOption[];
  operands: Arg[];
  /** Index of the first operand after `--`. */
  dashed: number;
  /** The first word that is not understood, with the reason. */
  problem: { text: string; arg: Arg } | null;
  /** The first word that might expand to an option. */
  flaggy: Arg | null;
}

/** Rules of a program's command line that differ from getopt_long. */
export type ParseRule =
  /** Options end at the first operand. */
  | 'posix'
  /** `-name value` words, as in find, java, and terraform. */
  | 'single-dash'
  /** `-5` is a count. */
  | 'digits'
  /** A value is never attached to its letter. The following letters are options too, and they take the next words. */
  | 'detached-values'
  /** With `single-dash`, a number may be attached to a one-letter option. */
  | 'attached-numbers'
  /**
   * A word that looks like an option is not accepted as the value of another option, because some options take a value only after
   * `=`.
   */
  | 'strict-values'
  /** Accepts unambiguous abbreviations of long options. Only for tables that list every option. */
  | 'abbreviations';

export type ParseStyle = readonly ParseRule[];

const NO_STYLE: ParseStyle = [];

export function has(given: Given, ...names: string[]): boolean {
  for (const o of given.options) if (names.includes(o.name)) return true;
  return false;
}

/** The last of these options, which is the effective one for nearly every program. */
export function option(given: Given, ...names: string[]): GivenOption | undefined {
  return given.options.findLast((o) => names.includes(o.name));
}

/** True if a word may expand to an option, or to several words with an option among them. */
export function mayBeOption(arg: Arg): boolean {
  if (arg.value !== null && !arg.pattern) return false;
  if (arg.shape !== null) return false;
  if (arg.each !== null) return arg.each.shape === undefined && arg.each.lead === '';
  // Results of find begin with a starting point.
  if (arg.many && !arg.below) return true;
  if (arg.found?.isAll)
    return arg.found.names.some(
      ({ text, how }) => /^-|^$/.test(text) || text.startsWith(GAP) || (how !== 'one' && /^[*?[]/.test(text)),
    );
  return arg.lead === '' || arg.lead === '-' || arg.lead === '--';
}

function resolveLong(name: string, t: OptionTable, style: ParseStyle): { name: string; spec: OptionSpec } | null {
  const exact = t.long.get(name);
  if (exact) return { name, spec: exact };
  if (!style.includes('abbreviations')) return null;
  let known: { name: string; spec: OptionSpec } | null = null;
  for (const [long, spec] of t.long) {
    if (!long.startsWith(name)) continue;
    if (known !== null) return null;
    known = { name: long, spec };
  }
  return known;
}

function fail(given: Given, text: string, arg: Arg): void {
  given.problem ??= { text, arg };
}

/** INVARIANT: an option that takes a value has one, even if the value is not known. */
function valueAt(given: Given, args: readonly Arg[], at: number, flag: string, option: Arg, style: ParseStyle): Arg {
  const value = args[at];
  if (value === undefined) {
    fail(given, `${flag} has no value`, option);
    return unknownArg(option.pos, option.end, false);
  }
  if (value.several) given.flaggy ??= value;
  if (style.includes('strict-values') && /^--?[A-Za-z]/.test(value.lead))
    fail(given, `${flag} may read ${value.text} as an option and not as its value`, value);
  return value;
}

/** Most command lines have few options, so small arrays are allocated exactly. */
function add(given: Given, option: GivenOption): void {
  const { options } = given;
  if (options.length === 0) given.options = [option];
  else if (options.length === 1) given.options = [options[0]!, option];
  else options.push(option);
}

/** Parses `args` with a table, starting at index `from`. Never throws: a word that is not in the table becomes `problem`. */
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
      if (style.includes('posix')) {
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
      if (style.includes('posix')) {
        i++;
        break;
      }
      continue;
    }
    if (text.startsWith('--') || style.includes('single-dash')) {
      const body = text.startsWith('--') ? text.slice(2) : text.slice(1);
      const eq = body.indexOf('=');
      const number =
        style.includes('attached-numbers') && !partial && /^[a-z][-+]?\d\w*$/.test(body) ? t.long.get(body[0]!) : undefined;
      if (number?.arity === 1) {
        add(out, { name: body[0]!, flag: text.slice(0, 2), value: arg.after(2), spec: number, arg });
        continue;
      }
      const known = resolveLong(eq < 0 ? body : body.slice(0, eq), t, style);
      const flag = text.slice(0, eq < 0 ? undefined : text.length - body.length + eq);
      if (!known && arg.whole !== null && t.long.get(/^[^\s=]*(?=\s)/.exec(body)?.[0] ?? '')?.role === '') continue;
      if (!known || (eq < 0 && partial)) {
        fail(out, `${flag} is unknown`, arg);
        continue;
      }
      const { name, spec } = known;
      if (spec.role === '!') fail(out, `${flag} does more than read`, arg);
      let value: Arg | null = null;
      if (eq >= 0) {
        if (spec.arity === 0) fail(out, `${flag} takes no value`, arg);
        value = arg.after(text.length - body.length + eq + 1);
      } else if (spec.arity === 1) value = valueAt(out, args, ++i, flag, arg, style);
      add(out, { name, flag: text.startsWith('--') ? `--${name}` : `-${name}`, value, spec, arg });
      continue;
    }
    if (style.includes('digits') && !partial && /^-\d+$/.test(text)) continue;
    for (let k = 1; k < text.length; k++) {
      const name = text[k]!;
      const flag = `-${name}`;
      const spec = t.short.get(name);
      // No program reads a blank or a dash in an unsplit word as an option. The characters after it are still checked.
      if (!spec && arg.whole !== null && (name === ' ' || name === '-')) continue;
      if (!spec) {
        fail(out, `${flag} is unknown`, arg);
        break;
      }
      if (spec.role === '!') fail(out, `${flag} does more than read`, arg);
      if (spec.arity !== 0) {
        let value: Arg | null = null;
        if (style.includes('detached-values') && k + 1 < text.length && /\D/.test(text.slice(k + 1)))
          fail(out, `the words after ${flag} are separate options`, arg);
        if (k + 1 < text.length || partial) value = arg.after(k + 1);
        else if (spec.arity === 1) value = valueAt(out, args, ++i, flag, arg, style);
        add(out, { name, flag, value, spec, arg });
        break;
      }
      add(out, { name, flag, value: null, spec, arg });
      if (k + 1 === text.length && partial) fail(out, 'the words after the switches are unknown', arg);
    }
  }
  for (; i < args.length; i++) operands[count++] = args[i]!;
  operands.length = count;
  return out;
}
