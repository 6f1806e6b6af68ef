// Checks the tree of a file against its schema. zod finds the differences; this file gives each a place, words and a remedy.
import * as z from 'zod/mini';
import { nearest } from '../platform/nearest-name.ts';
import { describeKind, type MapEntry, type Node } from './node.ts';
import { keyAdvice, nameAdvice, RESERVED_NAMES } from './parts.ts';
import type { Report } from './report.ts';
import { quote } from './text.ts';

type Schema = z.core.$ZodType;
type Issue = z.core.$ZodIssue;

/** A value of the file with its schema. `path` is its name in messages. */
interface CheckedPlace {
  node: Node;
  schema: Schema;
  path: string;
}

/** The types of zod, each in words and with the remedy for a value of another type. */
const TYPES = {
  string: ['a string', 'Write a string; quote it if it looks like a number, true, false or null.'],
  number: ['a number', 'Write a whole number from 1.'],
  boolean: ['true or false', 'Write true or false, without quotes.'],
  array: ['a list', 'Write a list, one item after the other.'],
  object: ['a mapping', 'Write keys with their values.'],
  record: ['a mapping', 'Write a mapping: each name with its value.'],
} as const;

/** Kinds of nodes by the type of their schema. */
const KINDS: Readonly<Record<string, Node['kind']>> = {
  string: 'text',
  enum: 'text',
  array: 'list',
  object: 'map',
  record: 'map',
};

/** Maximum number of values in one check. The stack holds all their issues, and fewer are reported. */
const FEW_VALUES = 10_000;

/** Reports every difference between a tree and its schema, in the order of the file. */
export function checkSchema(node: Node, schema: Schema, report: Report): void {
  const found = new Map<string, { at: number; tell: () => void }>();
  const check = new Check((code, message, remedy, span) => {
    // A missing key has no place of its own. It follows everything that its mapping has.
    const at = code === 'E_MISSING_KEY' ? span.end : span.start;
    found.set(JSON.stringify([at, message]), { at, tell: () => report(code, message, remedy, span) });
  });
  const place = { node, schema, path: '' };
  check.check(place);
  if (check.hasTwins) {
    check.which = -1;
    check.check(place);
  }
  for (const { tell } of [...found.values()].sort((one, other) => one.at - other.at)) tell();
}

class Check {
  /** The value that is checked if a key appears several times: the first, or the last. */
  which: 0 | -1 = 0;
  hasTwins = false;
  private readonly entries = new Map<Node, Map<string, MapEntry[]>>();
  /** Values of a tree that are checked, and those that are left. Later ones are skipped. */
  private most = Number.POSITIVE_INFINITY;
  private limits = 0;

  constructor(private readonly report: Report) {}

  check(place: CheckedPlace): void {
    for (const issue of this.issuesOf(place)) this.explain(issue, place);
  }

  private issuesOf({ node, schema }: CheckedPlace): readonly Issue[] {
    const parse = () => {
      this.limits = this.most;
      return z.safeParse(schema, this.valueOf(node), { jitless: true }).error?.issues ?? [];
    };
    try {
      return parse();
    } catch (error) {
      // zod passes all issues of a value as arguments of one call, and the stack has room for some hundred thousand.
      if (!(error instanceof RangeError)) throw error;
      this.most = FEW_VALUES;
      this.report('E_TOO_MANY_PROBLEMS', 'This file has more problems than are shown.', 'Fix the ones above first.', node.span);
      return parse();
    }
  }

  /** The plain value of a tree. */
  private valueOf(node: Node): unknown {
    switch (node.kind) {
      case 'map': {
        const entries = new Map<string, MapEntry[]>();
        for (const entry of node.entries) {
          const same = entries.get(keyOf(entry));
          if (same === undefined) entries.set(keyOf(entry), [entry]);
          else same.push(entry);
        }
        this.entries.set(node, entries);
        this.hasTwins ||= entries.size < node.entries.length;
        // No prototype: `constructor` is a key like any other.
        const value: Record<string, unknown> = Object.create(null);
        for (const [key, same] of entries) if (this.limits-- > 0) value[key] = this.valueOf(same.at(this.which)!.value);
        return value;
      }
      case 'list':
        return node.items.filter(() => this.limits-- > 0).map((item) => this.valueOf(item));
      case 'text':
        return node.value;
      case 'number':
        return /^[1-9]\d{0,8}$/.test(node.shown) ? Number(node.shown) : Number.NaN;
      case 'boolean':
        return node.shown === 'true';
      case 'null':
        return null;
    }
  }

  private explain(issue: Issue, from: CheckedPlace): void {
    const keys = issue.code === 'invalid_key' ? issue.path.slice(0, -1) : issue.path;
    let place = from;
    for (const key of keys) {
      const next = this.step(place, key);
      if (next === null) {
        this.missingKey(String(key), place);
        return;
      }
      place = next;
    }
    this.describe(issue, place);
  }

  private describe(issue: Issue, place: CheckedPlace): void {
    const { node, path } = place;
    switch (issue.code) {
      case 'unrecognized_keys':
        for (const key of issue.keys) for (const entry of this.entriesOf(node, key)) this.unknownKey(entry, place);
        break;
      case 'invalid_key': {
        const key = String(issue.path.at(-1));
        for (const entry of this.entriesOf(node, key)) this.wrongName(entry, place);
        // zod does not check the value of a wrong name.
        this.check(this.step(place, key)!);
        break;
      }
      case 'invalid_union':
        this.wrongChoice(issue, place);
        break;
      case 'invalid_value':
        if (node.kind === 'text') this.unknownValue(node, issue.values.map(String), path);
        else this.wrongType('string', place);
        break;
      case 'invalid_format':
        // A text that is not blank is explained by its reader.
        if (node.kind === 'text' && node.value.trim() === '')
          this.report('E_EMPTY_VALUE', `${quote(path)} is empty.`, 'Write a value, or remove the line.', node.span);
        break;
      case 'invalid_type':
        if (node.kind === 'number' && issue.expected === 'number') this.wrongCount(node.shown, issue.message, place);
        else this.wrongType(issue.expected, place);
        break;
      case 'too_small':
      case 'too_big':
        if (node.kind === 'number') this.wrongCount(node.shown, issue.message, place);
        break;
      default:
        throw new Error(`no words for ${issue.code}`);
    }
  }

  private entriesOf(node: Node, key: string): readonly MapEntry[] {
    return this.entries.get(node)?.get(key) ?? [];
  }

  /** The value of a key, or the item at an index. Null if the mapping does not have the key. */
  private step({ node, schema, path }: CheckedPlace, key: PropertyKey): CheckedPlace | null {
    const at = fitting(schema, node);
    if (at instanceof z.ZodMiniArray && node.kind === 'list')
      return { node: node.items[Number(key)]!, schema: at._zod.def.element, path: `${path}[${String(key)}]` };
    const entry = this.entriesOf(node, String(key)).at(this.which);
    if (entry === undefined) return null;
    const of = at instanceof z.ZodMiniObject ? at._zod.def.shape[entry.key] : (at as z.ZodMiniRecord)._zod.def.valueType;
    return { node: entry.value, schema: of as Schema, path: path === '' ? entry.key : `${path}.${entry.key}` };
  }

  private wrongType(expected: string, { node, path }: CheckedPlace): void {
    const [what, remedy] = TYPES[expected as keyof typeof TYPES];
    const where = path === '' ? 'The file' : quote(path);
    this.report('E_WRONG_TYPE', `${where} must be ${what}, not ${describeKind(node)}.`, remedy, node.span);
  }

  private wrongChoice(issue: Issue & { code: 'invalid_union' }, { node, schema, path }: CheckedPlace): void {
    const { options } = (unwrapped(schema) as z.ZodMiniUnion)._zod.def;
    const at = options.findIndex((option) => isFitting(option, node));
    for (const one of issue.errors[at] ?? []) this.explain(one, { node, schema: options[at]!, path });
    if (at >= 0) return;
    const { message: what } = issue;
    this.report('E_WRONG_TYPE', `${quote(path)} must be ${what}, not ${describeKind(node)}.`, `Write ${what}.`, node.span);
  }

  private wrongCount(shown: string, what: string, { node, path }: CheckedPlace): void {
    this.report('E_WRONG_TYPE', `${quote(path)} must be ${what}, not ${shown}.`, `Write ${what}.`, node.span);
  }

  private unknownValue(node: Node & { kind: 'text' }, values: readonly string[], path: string): void {
    const guess = nearest(node.value, values);
    const remedy = `${guess === null ? '' : `Did you mean "${guess}"? `}Write one of: ${values.join(', ')}.`;
    this.report('E_UNKNOWN_VALUE', `${quote(path)} cannot be ${quote(node.value)}.`, remedy, node.span);
  }

  private missingKey(key: string, { node, schema, path }: CheckedPlace): void {
    const at = fitting(schema, node) as z.ZodMiniObject;
    const about = z.globalRegistry.get(at._zod.def.shape[key] as Schema)?.description ?? '';
    this.report('E_MISSING_KEY', `The key "${key}" is missing ${placeOf(path)}.`, `Add "${key}": ${about}`, node.span);
  }

  private unknownKey({ key, keySpan }: MapEntry, { node, schema, path }: CheckedPlace): void {
    const at = fitting(schema, node) as z.ZodMiniObject;
    const { instead, later } = keyAdvice.get(at) ?? { instead: {}, later: [] };
    if (later.includes(key)) {
      const remedy = 'Remove the key, or install a version that supports it. This version would not enforce it.';
      this.report('E_UNSUPPORTED_KEY', `${quote(key)} is known but not supported by this version.`, remedy, keySpan);
      return;
    }
    const known = Object.keys(at._zod.def.shape);
    const guess = nearest(key, [...known, ...later]);
    const possible = `${guess === null ? '' : `Did you mean "${guess}"? `}Possible here: ${known.join(', ')}.`;
    const remedy = Object.hasOwn(instead, key) ? instead[key]! : possible;
    this.report('E_UNKNOWN_KEY', `${quote(key)} is not a valid key ${placeOf(path)}.`, remedy, keySpan);
  }

  private wrongName({ key, keySpan }: MapEntry, { node, schema }: CheckedPlace): void {
    const naming = nameAdvice.get(fitting(schema, node));
    if (naming !== undefined) {
      this.report(naming.code, `${quote(key)} is not ${naming.what}.`, naming.remedy, keySpan);
      return;
    }
    if (RESERVED_NAMES.includes(key.toLowerCase())) {
      const remedy = `Choose another name. Reserved: ${RESERVED_NAMES.join(', ')}.`;
      const message = `${quote(key)} is a reserved word and cannot be the name of a mode.`;
      this.report('E_MODE_RESERVED', message, remedy, keySpan);
      return;
    }
    const cleaned = key
      .trim()
      .replace(/[^A-Za-z0-9_-]+/g, '-')
      .replace(/^[^A-Za-z]+|(?<!-)-+$/g, '');
    const guess = cleaned === '' ? '' : ` For example "${cleaned.slice(0, 40)}".`;
    const remedy = `A name starts with a letter and continues with letters, digits, "-" and "_".${guess}`;
    this.report('E_MODE_NAME', `${quote(key)} cannot be the name of a mode.`, remedy, keySpan);
  }
}

/** The key in the plain value. zod leaves `__proto__` out of records, so it gets a name that no pattern treats otherwise. */
function keyOf({ key }: MapEntry): string {
  return key === '__proto__' ? '__proto__$' : key;
}

function placeOf(path: string): string {
  return path === '' ? 'at the top of the file' : `in ${quote(path)}`;
}

/** Without `optional` and `nullable`. */
function unwrapped(schema: Schema): Schema {
  const isWrapped = schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable;
  return isWrapped ? unwrapped(schema._zod.def.innerType) : schema;
}

function isFitting(schema: Schema, { kind }: Node): boolean {
  return KINDS[unwrapped(schema)._zod.def.type] === kind;
}

/** The schema of a node: of several, the one for its kind. */
function fitting(schema: Schema, node: Node): Schema {
  const inner = unwrapped(schema);
  if (!(inner instanceof z.ZodMiniUnion)) return inner;
  const option = inner._zod.def.options.find((one) => isFitting(one, node));
  return option === undefined ? inner : fitting(option, node);
}
