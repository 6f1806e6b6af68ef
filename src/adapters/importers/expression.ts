// Translates between JavaScript expressions, which Roo runs, and RE2, which the policy runs, if the meaning stays the same.

/** Maximum repetitions of one character in RE2, and maximum characters of an expression in the policy. */
const maxRepeat = 1_000;
const maxLength = 2_000;
/** Characters that \s matches in JavaScript but not in RE2. */
const otherSpaces = String.raw`\v\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;

export type Rewritten = { text: string } | { wrong: string };

class Unlike extends Error {}

function unlike(what: string): never {
  throw new Unlike(what);
}

/** Translates a JavaScript expression without flags to RE2. The result matches the same paths, or fewer. */
export function toRe2(text: string): Rewritten {
  try {
    new RegExp(text);
  } catch (error) {
    return { wrong: (error as Error).message };
  }
  try {
    const written = new Rewriting(text).run();
    return written.length > maxLength ? { wrong: `it is longer than ${maxLength} characters` } : { text: written };
  } catch (error) {
    if (error instanceof Unlike) return { wrong: error.message };
    throw error;
  }
}

/** The reverse translation, for expressions that mean the same in both languages. */
export function toJavaScript(text: string): Rewritten {
  const plain = text
    .replaceAll(`\\s${otherSpaces}`, '\\s')
    .replace(/\\x\{([0-9a-f]{1,4})\}/g, (_, digits: string) => `\\u${digits.padStart(4, '0')}`);
  const again = toRe2(plain);
  if ('wrong' in again) return again;
  return again.text === text ? { text: plain } : { wrong: 'it means something else in JavaScript' };
}

class Rewriting {
  private at = 0;
  private out = '';

  constructor(private readonly text: string) {}

  run(): string {
    while (this.at < this.text.length) this.out += this.item();
    return this.out;
  }

  private item(): string {
    const rest = this.text.slice(this.at);
    const [repeat] = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(rest) ?? [];
    if (repeat !== undefined) {
      for (const [count] of repeat.matchAll(/\d+/g))
        if (Number(count) > maxRepeat) unlike(`${repeat} repeats more than ${maxRepeat} times`);
      return this.take(repeat);
    }
    if (rest.startsWith('(?')) return this.group(rest);
    if (rest.startsWith('[')) return this.set();
    if (rest.startsWith('\\')) return this.escape(rest);
    const char = String.fromCodePoint(rest.codePointAt(0) as number);
    this.at += char.length;
    if (char.length > 1 && /^[*+?{]/.test(this.text.slice(this.at)))
      unlike(`${char} is repeated, and JavaScript repeats only its second UTF-16 code unit`);
    if (isHalf(char)) unlike('it contains half of a surrogate pair');
    return /[{}\]]/.test(char) ? `\\${char}` : char;
  }

  private take(text: string, instead = text): string {
    this.at += text.length;
    return instead;
  }

  private group(rest: string): string {
    if (rest.startsWith('(?:')) return this.take('(?:');
    const [named] = /^\(\?<[A-Za-z_$][\w$]*>/.exec(rest) ?? [];
    if (named !== undefined) return this.take(named, '(');
    return unlike(/^\(\?<?[=!]/.test(rest) ? 'RE2 has no lookahead and no lookbehind' : `${rest.slice(0, 4)} is not supported`);
  }

  private escape(rest: string): string {
    const [control] = /^\\[dDwWbBtnrfvs]/.exec(rest) ?? [];
    if (control !== undefined) return this.take(control);
    if (rest.startsWith('\\S')) return this.take('\\S', `[^\\s${otherSpaces}]`);
    return this.character(rest);
  }

  /** One character written with a backslash, in a set or outside. */
  private character(rest: string): string {
    const [hex] = /^\\x[0-9a-fA-F]{2}/.exec(rest) ?? [];
    if (hex !== undefined) return this.take(hex);
    const [unicode, digits = ''] = /^\\u([0-9a-fA-F]{4})/.exec(rest) ?? [];
    if (unicode !== undefined)
      return /^d[89a-f]/i.test(digits)
        ? unlike('it contains half of a surrogate pair')
        : this.take(unicode, `\\x{${Number.parseInt(digits, 16).toString(16)}}`);
    if (/^\\0(?!\d)/.test(rest)) return this.take('\\0', '\\x00');
    if (/^\\[0-9ckpPux]/.test(rest)) return unlike(`${rest.slice(0, 2)} does not mean the same in JavaScript and in RE2`);
    const char = rest[1] as string;
    if (char > '\x7f') return unlike(`there is a backslash before ${char}`);
    return this.take(rest.slice(0, 2), /[A-Za-z_]/.test(char) ? char : `\\${char}`);
  }

  private set(): string {
    const negated = this.text[this.at + 1] === '^';
    this.at += negated ? 2 : 1;
    if (this.text[this.at] === ']') return unlike('a character class is empty');
    let inside = '';
    let first = true;
    for (; this.text[this.at] !== ']'; first = false) {
      const from = this.member(negated);
      const isRange = this.text[this.at] === '-' && this.text[this.at + 1] !== ']';
      if (from === '-') {
        inside += first || this.text[this.at] === ']' ? '-' : '\\-';
        if (first && isRange) return unlike('a range begins with -');
      } else if (!isRange) inside += from;
      else if (/^\\[dDwWsS]/.test(from)) {
        this.at++;
        inside += `${from}\\-`;
      } else {
        this.at++;
        const to = this.member(negated);
        if (/^\\[dDwWsS]/.test(to)) return unlike('a range ends with a class such as \\d');
        inside += `${from}-${to === '-' ? '\\-' : to}`;
      }
    }
    this.at++;
    return `[${negated ? '^' : ''}${inside}]`;
  }

  private member(negated: boolean): string {
    const rest = this.text.slice(this.at);
    const char = String.fromCodePoint(rest.codePointAt(0) as number);
    if (char.length > 1 || isHalf(char))
      return unlike(`${char} is in a character class, where JavaScript reads it as two UTF-16 code units`);
    if (char !== '\\') return this.take(char, /[[^]/.test(char) ? `\\${char}` : char);
    if (rest.startsWith('\\b')) return this.take('\\b', '\\x08');
    if (rest.startsWith('\\B')) return unlike('\\B is in a character class');
    if (rest.startsWith('\\S')) return unlike('\\S is in a character class');
    // A negated set matches every character that it does not list, so it must list everything that \s matches in JavaScript.
    if (rest.startsWith('\\s')) return this.take('\\s', negated ? `\\s${otherSpaces}` : '\\s');
    const [known] = /^\\[dDwWtnrfv]/.exec(rest) ?? [];
    return known === undefined ? this.character(rest) : this.take(known);
  }
}

const isHalf = (char: string): boolean => /^[\ud800-\udfff]$/.test(char);
