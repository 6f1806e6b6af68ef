// Option tables in a compact notation, and the parser that reads a command's words by them.
//
//   -abc        short switches a, b, c            --all        long switch
//   -n:         short with a value                --lines:     long with a value (`--lines 5` or `--lines=5`)
//   -n?         value only when attached          --color?     value only after `=`
// A letter behind `:` or `?` is the role of the value: r file that is read, w file that is written, l path that is listed,
// d folder that is written below, h host or URL, x program text (not understood). `!` instead: the option itself is not understood.
import { type Arg, unknownArg } from './arg.ts';

export type Role = '' | 'r' | 'w' | 'l' | 'd' | 'h' | 'x' | '!';

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
    const m = /^(--?)([^:?!]+?|\?|:)(!|[:?][rwldhx!]?)?$/.exec(token);
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
  /** Unambiguous beginnings of long options count; only where the table lists every option. */
  abbreviate?: boolean;
}

export function has(given: Given, ...names: string[]): boolean {
  return given.options.some((o) => names.includes(o.name));
}

/** The last of them, which is the one that counts for nearly every program. */
export function option(given: Given, ...names: string[]): GivenOption | undefined {
  return given.options.findLast((o) => names.includes(o.name));
}

/** True when a word may turn into an option, or into several words of which one may. */
export function mayBeOption(arg: Arg): boolean {
  if (arg.value !== null && !arg.pattern) return false;
  // What find found begins as its starting points do.
  if (arg.many && !arg.below) return true;
  return arg.lead === '' || arg.lead === '-' || arg.lead === '--';
}

function resolveLong(name: string, t: OptionTable, style: ParseStyle): { name: string; spec: OptionSpec } | null {
  const exact = t.long.get(name);
  if (exact) return { name, spec: exact };
  if (!style.abbreviate) return null;
  const hits = [...t.long].filter(([k]) => k.startsWith(name));
  return hits.length === 1 ? { name: hits[0]![0], spec: hits[0]![1] } : null;
}

/** Reads `args` (without the command word) by a table. Never throws; what is not in the table is `problem`. */
export function parseOptions(args: Arg[], t: OptionTable, style: ParseStyle = {}): Given {
  const out: Given = { options: [], operands: [], dashed: Number.POSITIVE_INFINITY, problem: null, flaggy: null };
  const fail = (text: string, arg: Arg) => {
    out.problem ??= { text, arg };
  };
  let i = 0;
  const take = (): Arg | null => {
    const next = args[++i] ?? null;
    if (next?.several) out.flaggy ??= next;
    return next;
  };
  /** INVARIANT: an option that takes a value has one, if only one that is not known. */
  const lacking = (flag: string, arg: Arg): Arg => {
    fail(`${flag} lacks its value`, arg);
    return unknownArg(arg.pos, arg.end, false);
  };
  for (; i < args.length; i++) {
    const arg = args[i]!;
    if (mayBeOption(arg)) {
      out.flaggy ??= arg;
      out.operands.push(arg);
      if (style.posix) {
        i++;
        break;
      }
      continue;
    }
    const text = arg.value ?? arg.lead;
    const partial = arg.value === null || arg.pattern;
    if (text === '--' && !partial) {
      out.dashed = out.operands.length;
      i++;
      break;
    }
    if (text === '-' || !text.startsWith('-')) {
      out.operands.push(arg);
      if (style.posix) {
        i++;
        break;
      }
      continue;
    }
    if (text.startsWith('--') || style.single) {
      const body = text.startsWith('--') ? text.slice(2) : text.slice(1);
      const eq = body.indexOf('=');
      const found = resolveLong(eq < 0 ? body : body.slice(0, eq), t, style);
      const flag = text.slice(0, eq < 0 ? undefined : text.length - body.length + eq);
      if (!found || (eq < 0 && partial)) {
        fail(`${flag} is not known`, arg);
        continue;
      }
      if (found.spec.role === '!') fail(`${flag} is not harmless`, arg);
      let value: Arg | null = null;
      if (eq >= 0) {
        if (found.spec.arity === 0) fail(`${flag} takes no value`, arg);
        value = arg.after(text.length - body.length + eq + 1);
      } else if (found.spec.arity === 1) {
        value = take() ?? lacking(flag, arg);
      }
      out.options.push({
        name: found.name,
        flag: text.startsWith('--') ? `--${found.name}` : `-${found.name}`,
        value,
        spec: found.spec,
        arg,
      });
      continue;
    }
    if (style.digits && /^-\d+$/.test(text) && !partial) continue;
    for (let k = 1; k < text.length; k++) {
      const c = text[k]!;
      const spec = t.short.get(c);
      if (!spec) {
        fail(`-${c} is not known`, arg);
        break;
      }
      if (spec.role === '!') fail(`-${c} is not harmless`, arg);
      let value: Arg | null = null;
      if (spec.arity !== 0) {
        if (style.apart && k + 1 < text.length && /\D/.test(text.slice(k + 1)))
          fail(`what follows -${c} are options of their own`, arg);
        if (k + 1 < text.length || partial) value = arg.after(k + 1);
        else if (spec.arity === 1) {
          value = take() ?? lacking(`-${c}`, arg);
        }
        out.options.push({ name: c, flag: `-${c}`, value, spec, arg });
        break;
      }
      out.options.push({ name: c, flag: `-${c}`, value, spec, arg });
      if (k + 1 === text.length && partial) fail('what follows the switches is not known', arg);
    }
  }
  for (; i < args.length; i++) out.operands.push(args[i]!);
  return out;
}
