// The parts of the input that policies name. What none of them names none can see, and it is not handed over.

/** The name of the input in Rego, with up to two keys behind it. */
const INPUT = /\binput\b(?:\.([A-Za-z_]\w*)(?:\.([A-Za-z_]\w*))?)?/g;

/**
 * Parts such as `mode` and `tool.name`, sorted; null where the input is named as a whole. Whatever looks like the name counts, in a comment
 * and in a text too: Rego has no other way to the input, so that nothing is missed.
 */
export function partsNamed(texts: readonly string[]): string[] | null {
  const found = new Set<string>();
  for (const text of texts) {
    for (const [, key, below] of text.matchAll(INPUT)) {
      if (key === undefined) return null;
      found.add(below === undefined ? key : `${key}.${below}`);
    }
  }
  return [...found].sort();
}

/** Makes the function that cuts an input down to these parts. Of a list, a text and the like there are none: it stays whole. */
export function cutTo(parts: readonly string[]): (input: object) => object {
  const wanted = new Map<string, string[] | null>();
  for (const part of parts) {
    const [key = '', below] = part.split('.');
    const known = wanted.get(key);
    wanted.set(key, below === undefined || known === null ? null : [...(known ?? []), below]);
  }
  return (input) => Object.fromEntries([...wanted].map(([key, below]) => [key, pick((input as Keyed)[key], below)]));
}

type Keyed = Record<string, unknown>;

function pick(value: unknown, keys: string[] | null): unknown {
  if (keys === null || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(keys.map((key) => [key, (value as Keyed)[key]]));
}
