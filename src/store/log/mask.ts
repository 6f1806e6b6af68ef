// Makes a value fit for the log: strings are cut and lose their secrets, lists and depth are bounded. Records the changes as JSON
// pointers.
import { isSecretName, isSecretOption, REDACTED, redact } from './secrets.ts';

/** Longest stored string, in characters. A note after it marks the cut. */
export const maxText = 4_000;
/** A secret may start before the cut and end after it, so the search covers this many characters beyond the cut. */
const margin = 600;
const maxItems = 100;
const maxDepth = 16;
/** Limit on the values in one event. Values beyond it are left out. */
const maxValues = 6_000;
/** A shorter secret is replaced where it was found and where it is a whole argument, but not inside other texts. */
const minSecret = 6;
const maxSecrets = 100;
const maxPointers = 200;

/** True for a pointer into the facts. Parameters of the call itself are never derived from other texts. */
function isOfFacts(at: string): boolean {
  return at.startsWith('/input') && !at.startsWith('/input/tool/');
}

/** Lookup keys and other spellings in the facts. */
const derivedNames: ReadonlySet<string> = new Set(['keys', 'allow_keys', 'spellings', 'contained', 'open_prefixes', 'labels']);

/** A shorter name contains no secret itself. */
const shortName = 16;
const maxNames = 500;

/** Cached results by field name, because the names of the facts are the same in every line. */
const names = new Map<string, { pointer: string; saysSecret: boolean }>();

function aboutName(name: string): { pointer: string; saysSecret: boolean } {
  const known = names.get(name);
  if (known !== undefined) return known;
  const about = { pointer: name.replaceAll('~', '~0').replaceAll('/', '~1'), saysSecret: isSecretName(name) };
  if (name.length < shortName && names.size < maxNames) names.set(name, about);
  return about;
}

export class Mask {
  /** Pointers to values that were replaced or cut. */
  readonly masked: string[] = [];
  /** Pointers to values that were left out; in a list, to the first such item. */
  readonly erased: string[] = [];
  private readonly secrets = new Set<string>();
  private readonly known = new Map<string, string>();
  private values = 0;

  /** Searches the call's parameters for secrets, so that they are also found in facts derived from them. */
  learn(value: unknown): void {
    const looking = new Mask();
    looking.shrink(value, '');
    for (const secret of looking.secrets) this.hide(secret);
    // If there is no secret, the same texts need no second search.
    if (this.secrets.size === 0) for (const [text, same] of looking.known) this.known.set(text, same);
  }

  /** Texts derived from others that were searched before. If those contain no secret, these contain none. */
  private derived(list: readonly string[], at: string): unknown {
    const isPlain = this.secrets.size === 0 && list.length <= maxItems && list.every((text) => text.length <= maxText);
    return isPlain ? list : this.shrink(list, at);
  }

  /** Treats a whole text as a secret. */
  hide(secret: string): void {
    if (secret !== '' && this.secrets.size < maxSecrets) this.secrets.add(secret);
  }

  /** A copy that is safe to store. `at` is its JSON pointer. */
  shrink(value: unknown, at: string, depth = 0): unknown {
    if (typeof value === 'string') return this.text(value, at);
    if (typeof value !== 'object' || value === null) return value;
    if (++this.values > maxValues || depth > maxDepth) {
      this.point(this.erased, at);
      return null;
    }
    return Array.isArray(value) ? this.list(value, at, depth) : this.fields(value as Record<string, unknown>, at, depth);
  }

  /** One string. It is cut before it is searched. */
  text(text: string, at: string): string {
    const before = text.length > maxText + margin ? text.slice(0, maxText + margin) : text;
    const masked = this.redacted(before);
    const cut =
      text.length > maxText && masked.length > maxText
        ? `${masked.slice(0, maxText)}… (cut, ${text.length} characters)`
        : text.length > before.length
          ? `${masked}… (cut, ${text.length} characters)`
          : masked;
    if (cut !== text) this.point(this.masked, at);
    return cut;
  }

  /** Replaces a value and records that. */
  replace(at: string): string {
    this.point(this.masked, at);
    return REDACTED;
  }

  private list(list: unknown[], at: string, depth: number): unknown[] {
    if (list.length > maxItems) this.point(this.erased, `${at}/${maxItems}`);
    return list.slice(0, maxItems).map((item, index) => {
      const here = `${at}/${index}`;
      const before = index > 0 ? list[index - 1] : undefined;
      if (typeof item === 'string' && item !== '') {
        const isValue = typeof before === 'string' && isSecretOption(before) && !item.startsWith('-') && !item.startsWith('$');
        if (isValue) this.hide(item);
        if (isValue || this.secrets.has(item)) return this.replace(here);
      }
      return this.shrink(item, here, depth + 1);
    });
  }

  private fields(value: Record<string, unknown>, at: string, depth: number): Record<string, unknown> {
    const names = Object.keys(value);
    if (names.length > maxItems) this.point(this.erased, at);
    const copy: Record<string, unknown> = {};
    for (const name of names.slice(0, maxItems)) {
      const key = name.length < shortName ? name : this.redacted(name.slice(0, maxText));
      const { pointer, saysSecret } = aboutName(key);
      const here = `${at}/${pointer}`;
      const item = value[name];
      const isSecret =
        (key === name ? saysSecret : isSecretName(name)) && (typeof item === 'string' || typeof item === 'number') && item !== '';
      if (isSecret) this.hide(String(item));
      // A key `__proto__` would set the prototype of the copy.
      if (key === '__proto__') continue;
      if (isSecret) copy[key] = this.replace(here);
      else if (derivedNames.has(name) && isOfFacts(at) && Array.isArray(item)) copy[key] = this.derived(item as string[], here);
      else copy[key] = this.shrink(item, here, depth + 1);
    }
    return copy;
  }

  private redacted(text: string): string {
    const known = this.known.get(text);
    if (known !== undefined) return known;
    let masked = text;
    for (const secret of this.secrets) if (secret.length >= minSecret) masked = masked.replaceAll(secret, REDACTED);
    masked = redact(masked, (secret) => this.hide(secret));
    this.known.set(text, masked);
    return masked;
  }

  private point(list: string[], at: string): void {
    if (list.length < maxPointers) list.push(at);
  }
}
