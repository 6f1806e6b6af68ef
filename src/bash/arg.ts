// One word as a command gets it: its text where that is certain, else what is known of it.

/** One argument a command gets (or, with `many`, any number of them). */
export class Arg {
  /** Text after quoting; null when not known. With `pattern` the glob as written. */
  readonly value: string | null;
  /** Holds unquoted `* ? [`. */
  readonly pattern: boolean;
  /** Literal beginning; the whole text when the value is known and no pattern. */
  readonly lead: string;
  /** May become no word or several. */
  readonly many: boolean;
  /** As rules see it. */
  readonly text: string;
  readonly pos: number;
  readonly end: number;
  /** Possible texts when `value` is null. */
  readonly texts: string[] | null;
  /** Certainly a number, when `value` is null. */
  readonly int: boolean;
  /** Stands for one path (with `many`: any number) at or below these. */
  readonly below: string[] | null;
  /** The value is one of several readings, or a name that only the shell knows: rules must not see it as the word's text. */
  readonly hidden: boolean;
  /** Begins with an unquoted `=`, as zsh would expand. */
  readonly equals: boolean;

  constructor(fields: Partial<Arg> & { text: string; pos: number; end: number }) {
    this.value = fields.value ?? null;
    this.pattern = fields.pattern ?? false;
    this.lead = fields.lead ?? this.value ?? '';
    this.many = fields.many ?? false;
    this.text = fields.text;
    this.pos = fields.pos;
    this.end = fields.end;
    this.texts = fields.texts ?? null;
    this.int = fields.int ?? false;
    this.below = fields.below ?? null;
    this.hidden = fields.hidden ?? false;
    this.equals = fields.equals ?? false;
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
    return new Arg({
      value: this.value === null ? null : this.value.slice(n),
      pattern: this.pattern,
      lead: this.lead.slice(n),
      many: this.many,
      text: this.text,
      pos: this.pos,
      end: this.end,
      texts: this.texts ? this.texts.map((t) => t.slice(n)) : null,
      int: this.int,
    });
  }

  /** The same word of which only the first n characters are known. */
  cut(n: number): Arg {
    return new Arg({ lead: (this.value ?? this.lead).slice(0, n), text: this.text, pos: this.pos, end: this.end });
  }

  /** The same word read as one of its possible texts. */
  assume(value: string): Arg {
    return new Arg({ value, text: this.text, pos: this.pos, end: this.end, hidden: true });
  }

  /** A glob in its place. */
  globbed(pattern: string): Arg {
    return new Arg({ value: pattern, pattern: true, lead: '', text: pattern, pos: this.pos, end: this.end });
  }

  /** The same word at the place of another. */
  at(other: { pos: number; end: number }): Arg {
    return new Arg({ ...this, pos: other.pos, end: other.end });
  }

  /** The same word with a text that turned out to be its value. */
  as(value: string): Arg {
    return new Arg({ value, text: quote(value), pos: this.pos, end: this.end });
  }
}

/** A word that nobody wrote, such as a path that xargs appends. */
export function unknownArg(pos: number, end: number, many = true): Arg {
  return new Arg({ many, text: '', pos, end });
}

export function literalArg(value: string, pos: number, end: number): Arg {
  return new Arg({ value, text: quote(value), pos, end });
}

const SHELL = /[\s'"\\$`;&|<>()*?[\]]|^[~#]|\{[^}]*(?:,|\.\.)/;

/** Quotes a static word where it holds white space or shell characters. */
export function quote(value: string): string {
  if (value === '') return "''";
  return SHELL.test(value) ? `'${value.replaceAll("'", "'\\''")}'` : value;
}
