// Makes a value fit for the log: strings cut and without secrets, lists and depth bounded. Says by JSON pointer what it changed.
import { isSecretName, isSecretOption, REDACTED, redact } from './secrets.ts';

/** Longest string that is kept, characters; what of it was cut is told behind it. */
export const maxText = 4_000;
/** A secret that begins before the cut is looked at whole, up to so many characters beyond it. */
const margin = 600;
const maxItems = 100;
const maxDepth = 16;
/** Values looked at in one event; what is beyond is left out. */
const maxValues = 6_000;
/** A secret that is shorter is replaced where it was found and where it is a whole argument, not within other texts. */
const minSecret = 6;
const maxSecrets = 100;
const maxPointers = 200;

/** What the call was given is never worked out of something else. */
function isOfFacts(at: string): boolean {
  return at.startsWith('/input') && !at.startsWith('/input/tool/');
}

/** Look-up keys and other spellings in the facts. */
const derivedNames: ReadonlySet<string> = new Set(['keys', 'allow_keys', 'spellings', 'open_prefixes', 'labels']);

/** A name that is shorter holds no secret itself. */
const shortName = 16;
const maxNames = 500;

/** What a field's name says, by name: those of the facts are the same in every line. */
const names = new Map<string, { pointer: string; saysSecret: boolean }>();

function aboutName(name: string): { pointer: string; saysSecret: boolean } {
  const known = names.get(name);
  if (known !== undefined) return known;
  const about = { pointer: name.replaceAll('~', '~0').replaceAll('/', '~1'), saysSecret: isSecretName(name) };
  if (name.length < shortName && names.size < maxNames) names.set(name, about);
  return about;
}

export class Mask {
  /** Pointers to what was replaced or cut. */
  readonly masked: string[] = [];
  /** Pointers to what was left out; of a list, to the first item that was. */
  readonly erased: string[] = [];
  private readonly secrets = new Set<string>();
  private readonly known = new Map<string, string>();
  private values = 0;

  /** Looks for secrets in what the call was given, so that they are found again in what was worked out of it. */
  learn(value: unknown): void {
    const looking = new Mask();
    looking.shrink(value, '');
    for (const secret of looking.secrets) this.hide(secret);
    // Without a secret the same texts stay as they are.
    if (this.secrets.size === 0) for (const [text, same] of looking.known) this.known.set(text, same);
  }

  /** Texts that were worked out of others, which were looked at before: where those hold no secret, these hold none. */
  private derived(list: readonly string[], at: string): unknown {
    const isPlain = this.secrets.size === 0 && list.length <= maxItems && list.every((text) => text.length <= maxText);
    return isPlain ? list : this.shrink(list, at);
  }

  /** Takes a whole text for a secret. */
  hide(secret: string): void {
    if (secret !== '' && this.secrets.size < maxSecrets) this.secrets.add(secret);
  }

  /** A copy that is safe to keep. `at` is its JSON pointer. */
  shrink(value: unknown, at: string, depth = 0): unknown {
    if (typeof value === 'string') return this.text(value, at);
    if (typeof value !== 'object' || value === null) return value;
    if (++this.values > maxValues || depth > maxDepth) {
      this.point(this.erased, at);
      return null;
    }
    return Array.isArray(value) ? this.list(value, at, depth) : this.fields(value as Record<string, unknown>, at, depth);
  }

  /** One string, cut before anything is looked for in it. */
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

  /** Leaves a value out. */
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
    const kept: Record<string, unknown> = {};
    for (const name of names.slice(0, maxItems)) {
      const key = name.length < shortName ? name : this.redacted(name.slice(0, maxText));
      const { pointer, saysSecret } = aboutName(key);
      const here = `${at}/${pointer}`;
      const item = value[name];
      const isSecret =
        (key === name ? saysSecret : isSecretName(name)) && (typeof item === 'string' || typeof item === 'number') && item !== '';
      if (isSecret) this.hide(String(item));
      // A name of every object's own must not become one.
      if (key === '__proto__') continue;
      if (isSecret) kept[key] = this.replace(here);
      else if (derivedNames.has(name) && isOfFacts(at) && Array.isArray(item)) kept[key] = this.derived(item as string[], here);
      else kept[key] = this.shrink(item, here, depth + 1);
    }
    return kept;
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
