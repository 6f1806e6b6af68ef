// Edits of a JSON text that leave everything else as it is: comments, order, indentation and line ends.

import { createScanner, findNodeAtLocation, getNodeValue, type Node, type ParseError, parse, parseTree } from 'jsonc-parser';

type JsonPath = readonly (string | number)[];

/** The line end that a text uses. */
export const eolOf = (text: string): string => (/\r\n/.test(text) ? '\r\n' : '\n');

/** True for JSON without trailing commas. */
export function isStrict(text: string, { comments }: { comments: boolean }): boolean {
  const errors: ParseError[] = [];
  parse(text.replace(/^\ufeff/, ''), errors, { disallowComments: !comments, allowTrailingComma: false });
  return errors.length === 0;
}

export class JsonText {
  private readonly mark: string;
  private body: string;
  private readonly eol: string;
  private readonly indent: string;

  /** The text must be an object, with comments and trailing commas or without. */
  constructor(text: string) {
    this.mark = text.startsWith('\ufeff') ? '\ufeff' : '';
    this.body = text.slice(this.mark.length);
    this.eol = eolOf(text);
    this.indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  }

  get text(): string {
    return `${this.mark}${this.body}`;
  }

  valueAt(at: JsonPath): unknown {
    const node = this.nodeAt(at);
    return node === undefined ? undefined : getNodeValue(node);
  }

  /** Adds a value at the end of the list at this path. Missing objects and the list are added. */
  append(at: JsonPath, value: unknown): void {
    const list = this.nodeAt(at);
    if (list !== undefined) {
      this.insert(list, this.jsonOf(value, at.length));
      return;
    }
    let depth = at.length - 1;
    while (this.nodeAt(at.slice(0, depth)) === undefined) depth--;
    let added: unknown = [value];
    for (const name of at.slice(depth + 1).reverse()) added = { [name]: added };
    const holder = this.nodeAt(at.slice(0, depth)) as Node;
    this.insert(holder, `${JSON.stringify(at[depth])}: ${this.jsonOf(added, depth)}`);
  }

  /** Removes an item of a list, or a key with its value. */
  remove(at: JsonPath): void {
    const value = this.nodeAt(at);
    const node = typeof at.at(-1) === 'number' ? value : value?.parent;
    if (node !== undefined) this.cut(node);
  }

  /** Removes a key with an empty list or object. False if there are items, or comments. */
  removeIfEmpty(at: JsonPath): boolean {
    const node = this.nodeAt(at);
    if (node === undefined || !/^.\s*.$/.test(this.body.slice(node.offset, node.offset + node.length))) return false;
    this.remove(at);
    return true;
  }

  private nodeAt(at: JsonPath): Node | undefined {
    const root = parseTree(this.body, [], { allowTrailingComma: true });
    return root && findNodeAtLocation(root, [...at]);
  }

  /** `depth`: levels of objects and lists around the holder. */
  private jsonOf(value: unknown, depth: number): string {
    const lines = JSON.stringify(value, null, this.indent).split('\n');
    return lines.join(`${this.eol}${this.indent.repeat(depth + 1)}`);
  }

  private insert(holder: Node, item: string): void {
    let depth = 0;
    for (let node = holder.parent; node !== undefined; node = node.parent) if (node.type !== 'property') depth++;
    const close = holder.offset + holder.length - 1;
    const last = holder.children?.at(-1);
    const end = last === undefined ? 0 : last.offset + last.length;
    const isOpen = last !== undefined && this.commaIn(end, close) === null;
    const before = isOpen ? `${this.body.slice(0, end)},${this.body.slice(end, close)}` : this.body.slice(0, close);
    const place = (levels: number): string => `${this.eol}${this.indent.repeat(levels)}`;
    this.body = `${before.trimEnd()}${place(depth + 1)}${item}${place(depth)}${this.body.slice(close)}`;
  }

  private cut(node: Node): void {
    const { children = [], offset, length } = node.parent as Node;
    const at = children.indexOf(node);
    const before = children[at - 1];
    const after = children[at + 1];
    const end = node.offset + node.length;
    const next = this.commaIn(end, after?.offset ?? offset + length - 1);
    // The last item goes with the comma before it.
    const previous = next === null && before !== undefined ? this.commaIn(before.offset + before.length, node.offset) : null;
    let [start, stop] = [node.offset, end];
    if (next !== null && this.body.slice(end, next).trim() === '') stop = next + 1;
    else if (next !== null) this.drop(next, next + 1);
    const lineStart = this.body.lastIndexOf('\n', start - 1) + 1;
    const [rest = ''] = /^[^\n]*\n?/.exec(this.body.slice(stop)) ?? [];
    if (this.body.slice(lineStart, start).trim() === '' && rest.trim() === '' && rest.endsWith('\n'))
      [start, stop] = [lineStart, stop + rest.length];
    this.drop(start, stop);
    if (previous !== null) this.drop(previous, previous + 1);
  }

  private drop(start: number, stop: number): void {
    this.body = this.body.slice(0, start) + this.body.slice(stop);
  }

  /** The place of the comma between two places, outside of comments. */
  private commaIn(start: number, stop: number): number | null {
    const scanner = createScanner(this.body.slice(start, stop), true);
    for (;;) {
      scanner.scan();
      const at = start + scanner.getTokenOffset();
      if (scanner.getTokenLength() === 0) return null;
      if (this.body[at] === ',') return at;
    }
  }
}
