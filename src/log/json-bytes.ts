// JSON as bytes, one document behind the other in memory that is used again. It says whether the mask would have left all of it as it is.
import { suspects, symbols, window } from './hints.ts';
import { derivedNames, maxDepth, maxItems, maxText, maxValues, shortName } from './mask.ts';
import { isSecretName, isSecretOption, plainNames, redact } from './secrets.ts';

/** Memory that is kept for the next documents, bytes. */
const usual = 256 * 1024;
const maxNames = 500;
/** A longer text is copied by the machine, and then looked at; characters. */
const long = 64;

const comma = 44;
const quote = 34;
const dash = 45;

/** By character: its symbol, or `special` where JSON writes it in another way. */
const kinds = new Uint8Array(256);
const special = 128;
for (let code = 0; code < 256; code++)
  kinds[code] = code < 32 || code > 127 || code === quote || code === 92 ? special : (symbols[code] as number);

/** How values are written: `given` are looked at for secrets and bounds; `facts` too, but for what was worked out of other texts; `known` are not. */
export type Care = 'given' | 'facts' | 'known';

interface Name {
  /** With its quotes and colon. */
  written: string;
  isDerived: boolean;
  saysSecret: boolean;
}

/** INVARIANT: where `isPlain` is still true, the mask would have left every value as it is. Where it is not, what was written is of no use. */
export class JsonBytes {
  bytes = Buffer.allocUnsafeSlow(usual);
  length = 0;
  isPlain = true;
  private values = 0;
  private readonly names = new Map<string, Name>();

  /** Begins a document. */
  begin(): void {
    this.isPlain = true;
    this.values = 0;
  }

  /** Takes back what is behind this length. */
  rewind(length: number): void {
    this.length = length;
  }

  /** Forgets everything. */
  clear(): void {
    this.length = 0;
    if (this.bytes.length > 4 * usual) this.bytes = Buffer.allocUnsafeSlow(usual);
  }

  /** Any text as it is. */
  put(text: string): void {
    this.reserve(3 * text.length);
    this.length += this.bytes.write(text, this.length);
  }

  /** Our own names and marks as they are: short, of plain characters. */
  mark(text: string): void {
    const { length } = text;
    this.reserve(length);
    const { bytes } = this;
    let at = this.length;
    for (let index = 0; index < length; index++) bytes[at++] = text.charCodeAt(index);
    this.length = at;
  }

  /** What was begun by a mark ends: what separates its values ends with it. */
  end(mark: '}' | ']'): void {
    this.reserve(1);
    if (this.bytes[this.length - 1] === comma) this.length--;
    this.bytes[this.length++] = mark.charCodeAt(0);
  }

  /** A name with its value, and a comma; nothing where there is none. */
  field(name: string, value: unknown, care: Care, depth = 0): void {
    if (value === undefined) return;
    const { written, isDerived, saysSecret } = this.names.get(name) ?? this.learn(name);
    this.mark(written);
    if (isDerived && care === 'facts' && Array.isArray(value)) this.derived(value);
    else {
      if (saysSecret && care !== 'known' && typeof value !== 'object') this.isPlain = false;
      this.value(value, care, depth + 1);
    }
    this.reserve(1);
    this.bytes[this.length++] = comma;
  }

  value(value: unknown, care: Care, depth: number): void {
    if (typeof value === 'string') this.text(value, care);
    else if (typeof value !== 'object' || value === null) this.mark(scalar(value));
    else if (care !== 'known' && (++this.values > maxValues || depth > maxDepth)) this.isPlain = false;
    else if (Array.isArray(value)) this.list(value, care, depth);
    else this.fields(value as Record<string, unknown>, care, depth);
  }

  /** What of an object is named, in its order. */
  fields(value: Record<string, unknown>, care: Care, depth = 0): void {
    this.mark('{');
    let count = 0;
    for (const name in value) {
      if (++count > maxItems && care !== 'known') this.isPlain = false;
      if (!this.isPlain) return;
      this.field(name, value[name], care, depth);
    }
    this.end('}');
  }

  private list(list: readonly unknown[], care: Care, depth: number): void {
    if (care !== 'known' && list.length > maxItems) this.isPlain = false;
    this.mark('[');
    for (let index = 0; index < list.length; index++) {
      if (!this.isPlain) return;
      const item = list[index];
      this.value(item, care, depth + 1);
      this.reserve(1);
      this.bytes[this.length++] = comma;
      // The next may be its value.
      if (care !== 'known' && typeof item === 'string' && item.charCodeAt(0) === dash && isSecretOption(item))
        this.isPlain = false;
    }
    this.end(']');
  }

  /** Of the facts, what was worked out of texts that are looked at elsewhere. */
  private derived(list: readonly unknown[]): void {
    if (list.length > maxItems) this.isPlain = false;
    this.mark('[');
    for (let index = 0; index < list.length; index++) {
      if (!this.isPlain) return;
      const item = list[index];
      if (typeof item !== 'string' || item.length > maxText) this.isPlain = false;
      else this.text(item, 'known');
      this.reserve(1);
      this.bytes[this.length++] = comma;
    }
    this.end(']');
  }

  private text(text: string, care: Care): void {
    const { length } = text;
    if (care !== 'known' && length > maxText) {
      this.isPlain = false;
      return;
    }
    this.reserve(3 * length + 2);
    if (care === 'known') this.knownText(text);
    else if (length > long) this.longText(text);
    else this.shortText(text);
  }

  private knownText(text: string): void {
    const { bytes } = this;
    let at = this.length;
    bytes[at++] = quote;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code > 127 || kinds[code] === special) {
        this.put(JSON.stringify(text));
        return;
      }
      bytes[at++] = code;
    }
    bytes[at++] = quote;
    this.length = at;
  }

  private shortText(text: string): void {
    const { bytes } = this;
    let at = this.length;
    bytes[at++] = quote;
    let suspicion = 0;
    let last = 0;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      const kind = code > 127 ? special : (kinds[code] as number);
      if (kind === special) {
        this.rareText(text);
        return;
      }
      last = ((last << 5) | kind) & window;
      suspicion |= suspects[last] as number;
      bytes[at++] = code;
    }
    bytes[at++] = quote;
    this.length = at;
    if (suspicion !== 0) this.look(text);
  }

  private longText(text: string): void {
    const { bytes } = this;
    const from = this.length + 1;
    const to = from + bytes.write(text, from);
    let suspicion = 0;
    let last = 0;
    for (let at = from; at < to; at++) {
      const kind = kinds[bytes[at] as number] as number;
      if (kind === special) {
        this.rareText(text);
        return;
      }
      last = ((last << 5) | kind) & window;
      suspicion |= suspects[last] as number;
    }
    bytes[from - 1] = quote;
    bytes[to] = quote;
    this.length = to + 1;
    if (suspicion !== 0) this.look(text);
  }

  private rareText(text: string): void {
    this.put(JSON.stringify(text));
    this.look(text);
  }

  private look(text: string): void {
    const masked = redact(text, () => {
      this.isPlain = false;
    });
    if (masked !== text) this.isPlain = false;
  }

  private learn(name: string): Name {
    // What is no plain word is left to the mask.
    if (!/^[\w.-]{1,100}$/.test(name) || name === '__proto__') {
      this.isPlain = false;
      return { written: '', isDerived: false, saysSecret: true };
    }
    const isLong = name.length >= shortName && !plainNames.has(name);
    const learnt = {
      written: `"${name}":`,
      isDerived: derivedNames.has(name),
      saysSecret: isSecretName(name) || (isLong && redact(name, () => undefined) !== name),
    };
    if (this.names.size < maxNames) this.names.set(name, learnt);
    return learnt;
  }

  private reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.length + more));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}

/** What is no text, list or object. */
function scalar(value: unknown): string {
  if (value === null) return 'null';
  if (value === true) return 'true';
  return value === false ? 'false' : (JSON.stringify(value) ?? 'null');
}
