// Expands `{a,b}` in a path pattern before any other parsing. Braces without a comma are literal, as in a shell.

import { MAX_ALTERNATIVES } from '../config/rule-quota.ts';

export type Expansion = { alternatives: string[] } | { error: string; at: number };

const maxDepth = 16;

class BraceError extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}

/** Every alternative in order. Escapes (`\{`) are kept for the next parser. The error has a message and an offset. */
export function expandBraces(text: string): Expansion {
  if (!/[{}]/.test(text)) return { alternatives: [text] };
  const reader = new BraceReader(text);
  try {
    return { alternatives: reader.readAll() };
  } catch (error) {
    if (error instanceof BraceError) return { error: error.message, at: error.at };
    throw error;
  }
}

class BraceReader {
  private at = 0;
  private depth = 0;

  constructor(private readonly text: string) {}

  readAll(): string[] {
    const all = this.readSequence(false);
    if (this.at < this.text.length) throw new BraceError('a } without its {', this.at);
    return all;
  }

  /** Text and groups up to the end, or inside a group up to `,` or `}`. */
  private readSequence(inside: boolean): string[] {
    let heads = [''];
    while (this.at < this.text.length) {
      const char = this.text[this.at] as string;
      if (char === '}' || (inside && char === ',')) break;
      if (char === '\\') {
        heads = heads.map((head) => head + this.text.slice(this.at, this.at + 2));
        this.at += 2;
      } else if (char === '{') {
        const tails = this.readGroup();
        if (heads.length * tails.length > MAX_ALTERNATIVES)
          throw new BraceError(`more than ${MAX_ALTERNATIVES} alternatives`, this.at);
        heads = heads.flatMap((head) => tails.map((tail) => head + tail));
      } else {
        heads = heads.map((head) => head + char);
        this.at++;
      }
    }
    return heads;
  }

  private readGroup(): string[] {
    const start = this.at++;
    if (++this.depth > maxDepth) throw new BraceError(`braces are nested more than ${maxDepth} deep`, start);
    const alternatives: string[][] = [];
    for (;;) {
      alternatives.push(this.readSequence(true));
      if (this.at >= this.text.length) throw new BraceError('a { without its }', start);
      if (this.text[this.at++] === '}') break;
    }
    this.depth--;
    const inner = this.text.slice(start + 1, this.at - 1);
    if (alternatives.length > 1) return alternatives.flat();
    if (!/[{}]/.test(inner) && inner.slice(1, -1).includes('..'))
      throw new BraceError('ranges in braces are not supported', start);
    return (alternatives[0] as string[]).map((text) => `{${text}}`);
  }
}
