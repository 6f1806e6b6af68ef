// Finds the parts of the input that policies name. A policy cannot see any other part, so the rest is not passed to it.

/** The name of the input in Rego, with up to two keys after it. */
const INPUT = /\binput\b(?:\.([A-Za-z_]\w*)(?:\.([A-Za-z_]\w*))?)?/g;

/**
 * Returns parts such as `mode` and `tool.name`, sorted. Null if a policy uses the input as a whole. Every occurrence of the name
 * counts, even in a comment or a text. Rego has no other way to read the input, so nothing is missed.
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

/** Returns the function that reduces an input to these parts. A list, a text and other values without keys stay whole. */
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
