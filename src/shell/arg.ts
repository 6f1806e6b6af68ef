// One word as a command receives it: its text if that is certain, otherwise the facts known about it.

import type { Outlines, Skips } from '../model/command.ts';
import { outlineOfPattern, outlinesAfter } from './outline.ts';
import { type FoundName, GAP, type NameSearch, namesAfter } from './possible-names.ts';
import type { OutputForm, Value } from './state.ts';

/**
 * Symbolic links among the names found below a folder. none: no links. named: names of links. followed: also names reached
 * through links.
 */
export type LinkFollowing = 'none' | 'named' | 'followed';

/** The facts about a word that is more than its text. */
interface Traits {
  pattern: boolean;
  lead: string;
  many: boolean;
  texts: string[] | null;
  int: boolean;
  vanishes: boolean;
  tail: string;
  below: string[] | null;
  skips: Skips | null;
  files: boolean;
  links: LinkFollowing;
  found: NameSearch | null;
  outlines: Outlines;
  confined: boolean;
  hidden: boolean;
  equals: boolean;
  whole: string | null;
  holds: Value | null;
  shape: OutputForm | null;
  each: Value | null;
  unless: readonly string[] | null;
  numbered: string | null;
}

interface Fields extends Partial<Traits> {
  value?: string | null;
  text: string;
  pos: number;
  end: number;
}

/** One argument of a command, or any number of arguments if `many` is true. */
export class Arg {
  /** Text after quote removal, or null if not known. With `pattern`, the glob as written. */
  readonly value: string | null;
  /** The text that rules see. */
  readonly text: string;
  readonly pos: number;
  readonly end: number;
  private readonly traits: Traits | null;

  constructor(value: string | null, text: string, pos: number, end: number, traits: Traits | null = null) {
    this.value = value;
    this.text = text;
    this.pos = pos;
    this.end = end;
    this.traits = traits;
  }

  /** Contains unquoted `* ? [`. */
  get pattern(): boolean {
    return this.traits?.pattern ?? false;
  }

  /** Literal beginning. The whole text if the value is known and is not a pattern. */
  get lead(): string {
    return this.traits === null ? (this.value ?? '') : this.traits.lead;
  }

  /** May expand to no word or to several words. */
  get many(): boolean {
    return this.traits?.many ?? false;
  }

  /** Possible texts if `value` is null. */
  get texts(): string[] | null {
    return this.traits === null ? null : this.traits.texts;
  }

  /** Certainly a number, if `value` is null. */
  get int(): boolean {
    return this.traits?.int ?? false;
  }

  /** One word or no word, because its source may be empty. */
  get vanishes(): boolean {
    return this.traits?.vanishes ?? false;
  }

  /** Literal end of a word that is not known. */
  get tail(): string {
    return this.traits?.tail ?? '';
  }

  /** The word is one path (with `many`: any number of paths) at or below these folders. */
  get below(): string[] | null {
    return this.traits === null ? null : this.traits.below;
  }

  /** The value of a variable that this word assigns. An array has no text. */
  get holds(): Value | null {
    return this.traits === null ? null : this.traits.holds;
  }

  /** Contains no symbolic links. */
  get files(): boolean {
    return this.traits?.files ?? false;
  }

  /** The files below the folders in `below` that are left out. */
  get skips(): Skips | null {
    return this.traits?.skips ?? null;
  }

  /** Symbolic links among the paths in `below`. */
  get links(): LinkFollowing {
    return this.traits?.links ?? 'named';
  }

  /** Possible names. */
  get found(): NameSearch | null {
    return this.traits === null ? null : this.traits.found;
  }

  /** The certain pieces of an unknown word. */
  get outlines(): Outlines {
    return this.traits?.outlines;
  }

  /** The unknown part contains neither a slash nor `..`. */
  get confined(): boolean {
    return this.traits?.confined ?? false;
  }

  /** The value is one of several readings, or a name that only the shell knows. Rules must not use it as the text of the word. */
  get hidden(): boolean {
    return this.traits?.hidden ?? false;
  }

  /** Begins with an unquoted `=`, which zsh would expand. */
  get equals(): boolean {
    return this.traits?.equals ?? false;
  }

  /** For a word that Bash splits and zsh does not: the whole text at the first part, and '' at the others. */
  get whole(): string | null {
    return this.traits === null ? null : this.traits.whole;
  }

  /** The form that every possible text has. */
  get shape(): OutputForm | null {
    return this.traits === null ? null : this.traits.shape;
  }

  /** The word is one of `found`, and no option while none of these conditions is true. Null: not known. */
  get unless(): readonly string[] | null {
    return this.traits === null ? null : this.traits.unless;
  }

  /** The word expands to words that each have this value. */
  get each(): Value | null {
    return this.traits === null ? null : this.traits.each;
  }

  /** The text with a 1 for each number, if only numbers in it are unknown. */
  get numbered(): string | null {
    return this.traits === null ? null : this.traits.numbered;
  }

  /** The known, literal text. Null for dynamic words and globs. */
  get literal(): string | null {
    return this.pattern ? null : this.value;
  }

  /** May expand to several words. A glob does so if it matches more than one name. */
  get several(): boolean {
    return this.many || this.pattern;
  }

  /** The text after the first n characters, which must be known. */
  after(n: number): Arg {
    return argOf({
      value: this.value === null ? null : this.value.slice(n),
      pattern: this.pattern,
      lead: this.lead.slice(n),
      many: this.many,
      text: this.text,
      pos: this.pos,
      end: this.end,
      texts: this.texts ? this.texts.map((t) => t.slice(n)) : null,
      outlines: outlinesAfter(this.outlines, n),
      confined: this.confined,
      int: this.int,
      found: this.found && namesAfter(this.found, this.lead.slice(0, n)),
    });
  }

  /** The same word with only its first n characters known. */
  cut(n: number): Arg {
    return argOf({ lead: (this.value ?? this.lead).slice(0, n), text: this.text, pos: this.pos, end: this.end });
  }

  /** The same word, read as one of its possible texts. */
  assume(value: string): Arg {
    return argOf({ value, text: this.text, pos: this.pos, end: this.end, hidden: true });
  }

  /** A glob at the position of this word. */
  globbed(pattern: string): Arg {
    return argOf({ value: pattern, pattern: true, lead: '', text: pattern, pos: this.pos, end: this.end });
  }

  /** The same text as a glob. Its literal beginning remains known. */
  globbing(): Arg {
    return argOf({ value: this.value, pattern: true, text: this.text, pos: this.pos, end: this.end });
  }

  /** The same word at the position of another word. */
  at(other: { pos: number; end: number }): Arg {
    return new Arg(this.value, this.text, other.pos, other.end, this.traits);
  }

  /** The same word, repeated an unknown number of times. */
  anyNumber(): Arg {
    const { text, pos, end, found } = this;
    return argOf({ many: true, text, pos, end, found, outlines: this.value === null ? this.outlines : [[this.value]] });
  }

  /** The same word, certainly split. */
  settled(): Arg {
    return new Arg(this.value, this.text, this.pos, this.end, this.traits && { ...this.traits, whole: null });
  }

  /** The same word as one of its possible names. */
  name({ text, how }: FoundName): Arg {
    if (text.includes(GAP)) {
      const outline = text.split(GAP);
      const outlines = how === 'glob' ? [outlineOfPattern(outline.join('*'))] : [outline];
      return argOf({ lead: outline[0]!, text: this.text, pos: this.pos, end: this.end, outlines });
    }
    return how === 'glob' ? literalArg(text, this.pos, this.end).globbing() : this.as(text);
  }

  /** The same word with this text as its value. */
  as(value: string): Arg {
    return literalArg(value, this.pos, this.end);
  }
}

/** A word with more facts than its text. */
export function argOf(fields: Fields): Arg {
  const { value = null, text, pos, end, pattern = false, many = false, texts = null, int = false } = fields;
  const {
    vanishes = false,
    tail = '',
    lead = value ?? '',
    below = null,
    skips = null,
    files = false,
    links = 'named',
    found = null,
    outlines,
    confined = false,
    hidden = false,
    equals = false,
    whole = null,
    holds = null,
    shape = null,
    each = null,
    unless = null,
    numbered = null,
  } = fields;
  const traits = {
    pattern,
    lead,
    many,
    texts,
    int,
    vanishes,
    tail,
    below,
    skips,
    files,
    links,
    found,
    outlines,
    confined,
    hidden,
    equals,
    whole,
    holds,
    shape,
    each,
    unless,
    numbered,
  };
  return new Arg(value, text, pos, end, traits);
}

/** Words in a shell that does not split them. */
export function unsplit(args: readonly Arg[]): Arg[] {
  return args.flatMap((a) =>
    a.whole === null
      ? a
      : a.whole === ''
        ? []
        : argOf({ value: a.whole, text: quote(a.whole), pos: a.pos, end: a.end, whole: a.whole }),
  );
}

/** A word that is not in the source text, such as a path that xargs appends. */
export function unknownArg(pos: number, end: number, many = true, names: NameSearch | null = null): Arg {
  return argOf({ many, found: names, text: '', pos, end });
}

export function literalArg(value: string, pos: number, end: number): Arg {
  return new Arg(value, quote(value), pos, end);
}

const SHELL = /[\s'"\\$`;&|<>()*?[\]]|^[~#]|\{[^{}]*(?:,|\.\.)/;

/** Characters without a special meaning to a shell at any position: letters, digits, and `% + , - . / : @ _`. */
const isBare = Array.from({ length: 128 }, (_, code) => /[A-Za-z0-9%+,./:@_-]/.test(String.fromCharCode(code)));

/** True for a nonempty text of such characters only. */
export function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (isBare[text.charCodeAt(i)] !== true) return false;
  return text !== '';
}

/** Quotes a static word if it contains white space or shell characters. */
export function quote(value: string): string {
  if (isPlain(value)) return value;
  if (value === '') return "''";
  return SHELL.test(value) ? `'${value.replaceAll("'", "'\\''")}'` : value;
}

/**
 * True if the position of each parameter is certain. It is not after a word that may expand to several words or to no word, such
 * as the output of a command that fails.
 */
export function areNumbered(args: readonly Arg[]): boolean {
  return args.every((arg, i) => !arg.several && (i === args.length - 1 || !arg.vanishes));
}
