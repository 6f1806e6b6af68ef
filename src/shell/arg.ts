// One word as a command gets it: its text where that is certain, else what is known of it.

import type { Outlines } from '../model/command.ts';
import { type Found, type FoundName, namesAfter } from './found.ts';
import { outlinesAfter } from './outline.ts';
import type { Shape, Value } from './state.ts';

/** Of names that are found below a folder: no link is among them, links may be, or names behind links as well. */
export type Links = 'none' | 'named' | 'followed';

/** What is said of a word that is not simply its text. */
interface Traits {
  pattern: boolean;
  lead: string;
  many: boolean;
  texts: string[] | null;
  int: boolean;
  vanishes: boolean;
  tail: string;
  below: string[] | null;
  files: boolean;
  links: Links;
  found: Found | null;
  outlines: Outlines;
  confined: boolean;
  hidden: boolean;
  equals: boolean;
  whole: string | null;
  holds: Value | null;
  shape: Shape | null;
  each: Value | null;
  numbered: string | null;
}

interface Fields extends Partial<Traits> {
  value?: string | null;
  text: string;
  pos: number;
  end: number;
}

/** One argument a command gets (or, with `many`, any number of them). */
export class Arg {
  /** Text after quoting; null when not known. With `pattern` the glob as written. */
  readonly value: string | null;
  /** As rules see it. */
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

  /** Holds unquoted `* ? [`. */
  get pattern(): boolean {
    return this.traits?.pattern ?? false;
  }

  /** Literal beginning; the whole text when the value is known and no pattern. */
  get lead(): string {
    return this.traits === null ? (this.value ?? '') : this.traits.lead;
  }

  /** May become no word or several. */
  get many(): boolean {
    return this.traits?.many ?? false;
  }

  /** Possible texts when `value` is null. */
  get texts(): string[] | null {
    return this.traits === null ? null : this.traits.texts;
  }

  /** Certainly a number, when `value` is null. */
  get int(): boolean {
    return this.traits?.int ?? false;
  }

  /** One word, or none: what it comes from may be empty. */
  get vanishes(): boolean {
    return this.traits?.vanishes ?? false;
  }

  /** Literal end of a word that is not known. */
  get tail(): string {
    return this.traits?.tail ?? '';
  }

  /** Stands for one path (with `many`: any number) at or below these. */
  get below(): string[] | null {
    return this.traits === null ? null : this.traits.below;
  }

  /** What a variable holds that is set by this word: an array has no text. */
  get holds(): Value | null {
    return this.traits === null ? null : this.traits.holds;
  }

  /** No symbolic link is among what it stands for. */
  get files(): boolean {
    return this.traits?.files ?? false;
  }

  /** Of `below`. */
  get links(): Links {
    return this.traits?.links ?? 'named';
  }

  /** Names that it may stand for. */
  get found(): Found | null {
    return this.traits === null ? null : this.traits.found;
  }

  /** The pieces that are certain of a word that is not known. */
  get outlines(): Outlines {
    return this.traits?.outlines;
  }

  /** What is not known of it holds neither a slash nor `..`. */
  get confined(): boolean {
    return this.traits?.confined ?? false;
  }

  /** The value is one of several readings, or a name that only the shell knows: rules must not see it as the word's text. */
  get hidden(): boolean {
    return this.traits?.hidden ?? false;
  }

  /** Begins with an unquoted `=`, as zsh would expand. */
  get equals(): boolean {
    return this.traits?.equals ?? false;
  }

  /** Of a word that Bash splits and zsh does not: all of it, at the first of its parts; nothing at the others. */
  get whole(): string | null {
    return this.traits === null ? null : this.traits.whole;
  }

  /** The form that it has whatever it is. */
  get shape(): Shape | null {
    return this.traits === null ? null : this.traits.shape;
  }

  /** Stands for words of which each has this value. */
  get each(): Value | null {
    return this.traits === null ? null : this.traits.each;
  }

  /** Text in which only numbers are not known, with a 1 for each of them. */
  get numbered(): string | null {
    return this.traits === null ? null : this.traits.numbered;
  }

  /** The known, literal text: null for dynamic words and globs. */
  get literal(): string | null {
    return this.pattern ? null : this.value;
  }

  /** May stand for several words: a glob does where it finds more than one name. */
  get several(): boolean {
    return this.many || this.pattern;
  }

  /** What follows the first n characters, which must be known. */
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

  /** The same word of which only the first n characters are known. */
  cut(n: number): Arg {
    return argOf({ lead: (this.value ?? this.lead).slice(0, n), text: this.text, pos: this.pos, end: this.end });
  }

  /** The same word read as one of its possible texts. */
  assume(value: string): Arg {
    return argOf({ value, text: this.text, pos: this.pos, end: this.end, hidden: true });
  }

  /** A glob in its place. */
  globbed(pattern: string): Arg {
    return argOf({ value: pattern, pattern: true, lead: '', text: pattern, pos: this.pos, end: this.end });
  }

  /** The same text as a glob, of which the beginning is known all the same. */
  globbing(): Arg {
    return argOf({ value: this.value, pattern: true, text: this.text, pos: this.pos, end: this.end });
  }

  /** The same word at the place of another. */
  at(other: { pos: number; end: number }): Arg {
    return new Arg(this.value, this.text, other.pos, other.end, this.traits);
  }

  /** The same word, of which nobody knows how many there are. */
  anyNumber(): Arg {
    const { text, pos, end, found } = this;
    return argOf({ many: true, text, pos, end, found, outlines: this.value === null ? this.outlines : [[this.value]] });
  }

  /** The same word, certainly split. */
  settled(): Arg {
    return new Arg(this.value, this.text, this.pos, this.end, this.traits && { ...this.traits, whole: null });
  }

  /** The same word as one of the names that it may stand for. */
  name({ text, how }: FoundName): Arg {
    return how === 'glob' ? literalArg(text, this.pos, this.end).globbing() : this.as(text);
  }

  /** The same word with a text that turned out to be its value. */
  as(value: string): Arg {
    return literalArg(value, this.pos, this.end);
  }
}

/** A word of which something else is to be said than its text. */
export function argOf(fields: Fields): Arg {
  const { value = null, text, pos, end, pattern = false, many = false, texts = null, int = false } = fields;
  const {
    vanishes = false,
    tail = '',
    lead = value ?? '',
    below = null,
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
    numbered,
  };
  return new Arg(value, text, pos, end, traits);
}

/** Words as they are in a shell that does not split them. */
export function unsplit(args: readonly Arg[]): Arg[] {
  return args.flatMap((a) =>
    a.whole === null
      ? a
      : a.whole === ''
        ? []
        : argOf({ value: a.whole, text: quote(a.whole), pos: a.pos, end: a.end, whole: a.whole }),
  );
}

/** A word that nobody wrote, such as a path that xargs appends. */
export function unknownArg(pos: number, end: number, many = true, found: Found | null = null): Arg {
  return argOf({ many, found, text: '', pos, end });
}

export function literalArg(value: string, pos: number, end: number): Arg {
  return new Arg(value, quote(value), pos, end);
}

const SHELL = /[\s'"\\$`;&|<>()*?[\]]|^[~#]|\{[^{}]*(?:,|\.\.)/;

/** Characters that are nothing but themselves to a shell wherever they stand: letters, digits and `% + , - . / : @ _`. */
const isBare = Array.from({ length: 128 }, (_, code) => /[A-Za-z0-9%+,./:@_-]/.test(String.fromCharCode(code)));

/** True for a text of such characters only, and not for an empty one. */
export function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (isBare[text.charCodeAt(i)] !== true) return false;
  return text !== '';
}

/** Quotes a static word where it holds white space or shell characters. */
export function quote(value: string): string {
  if (isPlain(value)) return value;
  if (value === '') return "''";
  return SHELL.test(value) ? `'${value.replaceAll("'", "'\\''")}'` : value;
}

/** Which word is which parameter: not behind what may be several words, or none, as what a command prints that fails. */
export function areNumbered(args: readonly Arg[]): boolean {
  return args.every((arg, i) => !arg.several && (i === args.length - 1 || !arg.vanishes));
}
