// The form of a file as data. This file checks a tree against it; schema.ts turns it into a JSON Schema.
import type { Code } from '../model/problem-codes.ts';
import { nearest } from '../platform/nearest-name.ts';
import { describeKind, type MapEntry, type Node } from './node.ts';
import type { Report } from './report.ts';
import { quote, type Span } from './text.ts';

/** `nullable`: the key may have no value. */
export type Shape = TextShape | NumberShape | FlagShape | ListShape | RecordShape | NamedShape | ChoiceShape;

export interface TextShape {
  kind: 'text';
  nullable?: boolean;
  /** The text must have a character that is not white space. */
  filled?: boolean;
  oneOf?: readonly string[];
  /** Used in the schema only: a pattern for what the checks of names accept. */
  pattern?: string;
}

/** A whole number from 1. */
export interface NumberShape {
  kind: 'number';
  nullable?: boolean;
  /** 9999 if absent. */
  max?: number;
}

/** true or false. */
export interface FlagShape {
  kind: 'flag';
  nullable?: boolean;
}

/** One of several shapes. The kind of the value decides which. */
export interface ChoiceShape {
  kind: 'choice';
  nullable?: boolean;
  of: readonly (TextShape | ListShape | RecordShape)[];
  /** In words: `"all" or a list of numbers`. */
  about: string;
}

export interface ListShape {
  kind: 'list';
  nullable?: boolean;
  of: Shape;
}

export interface KeyShape {
  shape: Shape;
  required?: boolean;
  about: string;
}

export interface RecordShape {
  kind: 'record';
  nullable?: boolean;
  keys: ReadonlyMap<string, KeyShape>;
  /** Keys of the format that this version does not support. They are errors, since their purpose may be to deny something. */
  later: ReadonlySet<string>;
  /** Other words for a key, known from other tools, each with advice. */
  instead: ReadonlyMap<string, string>;
}

/** A mapping with keys that the user chooses. */
export interface NamedShape {
  kind: 'named';
  of: Shape;
  pattern: RegExp;
  reserved: ReadonlySet<string>;
  /** Describes the names if they are not names of modes. The code is E_ARGUMENT_NAME if absent. */
  naming?: { what: string; remedy: string; code?: Code };
}

/** The largest number if a shape has no `max`. */
export const MAX_COUNT = 9999;

/** Reports every difference between a tree and a shape. */
export function checkShape(node: Node, shape: Shape, report: Report): void {
  checkNode(node, shape, '', report);
}

const EXPECTED = {
  text: 'a string',
  number: 'a number',
  flag: 'true or false',
  list: 'a list',
  record: 'a mapping',
  named: 'a mapping',
} as const;
const KIND = { text: 'text', number: 'number', flag: 'boolean', list: 'list', record: 'map', named: 'map' } as const;
const WRONG_TYPE_REMEDY = {
  text: 'Write a string; quote it if it looks like a number, true, false or null.',
  number: 'Write a whole number from 1.',
  flag: 'Write true or false, without quotes.',
  list: 'Write a list, one item after the other.',
  record: 'Write keys with their values.',
  named: 'Write a mapping: each name with its value.',
} as const;

function checkNode(node: Node, shape: Shape, path: string, report: Report): void {
  if (node.kind === 'null' && shape.kind !== 'named' && shape.nullable) return;
  if (shape.kind === 'choice') {
    const fitting = shape.of.find((one) => KIND[one.kind] === node.kind);
    if (fitting !== undefined) checkNode(node, fitting, path, report);
    else
      report(
        'E_WRONG_TYPE',
        `${quote(path)} must be ${shape.about}, not ${describeKind(node)}.`,
        `Write ${shape.about}.`,
        node.span,
      );
    return;
  }
  if (node.kind !== KIND[shape.kind]) {
    const where = path === '' ? 'The file' : quote(path);
    report(
      'E_WRONG_TYPE',
      `${where} must be ${EXPECTED[shape.kind]}, not ${describeKind(node)}.`,
      WRONG_TYPE_REMEDY[shape.kind],
      node.span,
    );
    return;
  }
  if (shape.kind === 'text' && node.kind === 'text') checkText(node.value, node.span, shape, path, report);
  if (shape.kind === 'number' && node.kind === 'number' && !isCount(node.shown, shape.max ?? MAX_COUNT)) {
    const upTo = shape.max === undefined ? '' : ` to ${shape.max}`;
    report(
      'E_WRONG_TYPE',
      `${quote(path)} must be a whole number from 1${upTo}, not ${node.shown}.`,
      `Write a whole number from 1${upTo}.`,
      node.span,
    );
  }
  if (shape.kind === 'list' && node.kind === 'list') {
    for (const [index, item] of node.items.entries()) checkNode(item, shape.of, `${path}[${index}]`, report);
  }
  if (shape.kind === 'record' && node.kind === 'map') checkRecord(node, shape, path, report);
  if (shape.kind === 'named' && node.kind === 'map') {
    for (const entry of node.entries) {
      checkName(entry, shape, report);
      checkNode(entry.value, shape.of, join(path, entry.key), report);
    }
  }
}

function isCount(shown: string, max: number): boolean {
  return /^[1-9]\d{0,8}$/.test(shown) && Number(shown) <= max;
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function checkText(value: string, span: Span, shape: TextShape, path: string, report: Report): void {
  if (shape.oneOf && !shape.oneOf.includes(value)) {
    const guess = nearest(value, shape.oneOf);
    const remedy = `${guess === null ? '' : `Did you mean "${guess}"? `}Write one of: ${shape.oneOf.join(', ')}.`;
    report('E_UNKNOWN_VALUE', `${quote(path)} cannot be ${quote(value)}.`, remedy, span);
  } else if (shape.filled && value.trim() === '') {
    report('E_EMPTY_VALUE', `${quote(path)} is empty.`, 'Write a value, or remove the line.', span);
  }
}

function checkRecord(node: Node & { kind: 'map' }, shape: RecordShape, path: string, report: Report): void {
  const place = path === '' ? 'at the top of the file' : `in ${quote(path)}`;
  for (const entry of node.entries) {
    const key = shape.keys.get(entry.key);
    if (key !== undefined) checkNode(entry.value, key.shape, join(path, entry.key), report);
    else if (shape.later.has(entry.key)) {
      const remedy = 'Remove the key, or install a version that supports it. This version would not enforce it.';
      report('E_UNSUPPORTED_KEY', `${quote(entry.key)} is known but not supported by this version.`, remedy, entry.keySpan);
    } else {
      report('E_UNKNOWN_KEY', `${quote(entry.key)} is not a valid key ${place}.`, adviseKey(entry.key, shape), entry.keySpan);
    }
  }
  for (const [name, key] of shape.keys) {
    if (!key.required || node.entries.some((entry) => entry.key === name)) continue;
    report('E_MISSING_KEY', `The key "${name}" is missing ${place}.`, `Add "${name}": ${key.about}`, node.span);
  }
}

function adviseKey(key: string, shape: RecordShape): string {
  const instead = shape.instead.get(key);
  if (instead !== undefined) return instead;
  const guess = nearest(key, [...shape.keys.keys(), ...shape.later]);
  const possible = `Possible here: ${[...shape.keys.keys()].join(', ')}.`;
  return guess === null ? possible : `Did you mean "${guess}"? ${possible}`;
}

function checkName(entry: MapEntry, shape: NamedShape, report: Report): void {
  if (shape.naming !== undefined) {
    if (!shape.pattern.test(entry.key))
      report(
        shape.naming.code ?? 'E_ARGUMENT_NAME',
        `${quote(entry.key)} is not ${shape.naming.what}.`,
        shape.naming.remedy,
        entry.keySpan,
      );
    return;
  }
  if (!shape.pattern.test(entry.key)) {
    const cleaned = entry.key
      .trim()
      .replace(/[^A-Za-z0-9_-]+/g, '-')
      .replace(/^[^A-Za-z]+|(?<!-)-+$/g, '');
    const guess = cleaned === '' ? '' : ` For example "${cleaned.slice(0, 40)}".`;
    const remedy = `A name starts with a letter and continues with letters, digits, "-" and "_".${guess}`;
    report('E_MODE_NAME', `${quote(entry.key)} cannot be the name of a mode.`, remedy, entry.keySpan);
  } else if (shape.reserved.has(entry.key.toLowerCase())) {
    const remedy = `Choose another name. Reserved: ${[...shape.reserved].join(', ')}.`;
    report('E_MODE_RESERVED', `${quote(entry.key)} is a reserved word and cannot be the name of a mode.`, remedy, entry.keySpan);
  }
}
