// The common result of reading YAML and JSON: a tree of values with their places. The same shapes check both.
import type { Span } from './text.ts';

export interface MapEntry {
  key: string;
  keySpan: Span;
  value: Node;
}

export type Node =
  | { kind: 'map'; entries: MapEntry[]; span: Span }
  | { kind: 'list'; items: Node[]; span: Span }
  | { kind: 'text'; value: string; span: Span }
  | { kind: 'number' | 'boolean' | 'null'; shown: string; span: Span };

/** Deeper than any configuration. */
export const MAX_DEPTH = 24;

/** In words, for "expected a list, found …". */
export function describeKind(node: Node): string {
  if (node.kind === 'map') return 'a mapping';
  if (node.kind === 'list') return 'a list';
  if (node.kind === 'text') return 'a string';
  return node.kind === 'null' ? 'nothing' : node.shown.length < 20 ? node.shown : `a ${node.kind}`;
}

/** The first value of a key. Keys are compared and never looked up in an object, so `__proto__` is a plain key. */
export function getEntry(node: Node | null | undefined, key: string): MapEntry | null {
  if (node?.kind !== 'map') return null;
  return node.entries.find((entry) => entry.key === key) ?? null;
}

/** A text without white space at its ends. Null if it is missing, blank or not a text. */
export function getText(node: Node | null | undefined, key: string): string | null {
  const value = getEntry(node, key)?.value;
  return value?.kind === 'text' && value.value.trim() !== '' ? value.value.trim() : null;
}

/** The same as one line: a further line in the context of a mode would look like one of Modes. */
export const getLine = (node: Node | null | undefined, key: string): string | null =>
  getText(node, key)?.replace(/\s*[\n\v\f\r\x85\u2028\u2029]\s*/g, ' ') ?? null;

export function getItems(node: Node | null | undefined, key: string): Node[] {
  const value = getEntry(node, key)?.value;
  return value?.kind === 'list' ? value.items : [];
}
