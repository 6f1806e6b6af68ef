// File hashes as OPA computes them: of the bytes of a file, and for JSON of its values, independent of key order and whitespace.
import { createHash } from 'node:crypto';
import { type Node, type ParseError, parseTree } from 'jsonc-parser';
import { BundleRefused } from './refusal.ts';

/** OPA's names of algorithms, and Node's. MD5 and SHA-1 are not accepted. */
const ALGORITHMS: ReadonlyMap<string, string> = new Map([
  ['SHA-224', 'sha224'],
  ['SHA-256', 'sha256'],
  ['SHA-384', 'sha384'],
  ['SHA-512', 'sha512'],
  ['SHA-512-224', 'sha512-224'],
  ['SHA-512-256', 'sha512-256'],
]);

/** Files that are hashed by their values. */
const STRUCTURED: ReadonlySet<string> = new Set(['data.json', '.manifest']);
const YAML: ReadonlySet<string> = new Set(['data.yaml', 'data.yml']);

/**
 * Maximum bytes of a file that is hashed by its values, and maximum number of its values. A malicious server can combine a valid
 * signature with another file, and that file is parsed before the mismatch is known. A value takes about 2 µs and 300 bytes.
 */
export const MAX_STRUCTURED = 8 * 1024 * 1024;
export const MAX_VALUES = 1_000_000;
/** Each value except the first follows one of these bytes. */
const BEFORE_VALUES: ReadonlySet<number> = new Set(Buffer.from('[{,:'));

/**
 * Hex digest of a file as `opa sign` computes it.
 * @throws {Refused} E_BUNDLE_ARCHIVE for a file with values that cannot be parsed, E_BUNDLE_SIGNATURE for another algorithm.
 */
export function digestFile(name: string, bytes: Uint8Array, algorithm = 'SHA-256'): string {
  const known = ALGORITHMS.get(algorithm);
  if (known === undefined)
    throw new BundleRefused(
      'E_BUNDLE_SIGNATURE',
      `The signature uses the hash algorithm ${name} for ${JSON.stringify(algorithm)}.`,
      `Sign with one of: ${[...ALGORITHMS.keys()].join(', ')}.`,
    );
  const base = name.slice(name.lastIndexOf('/') + 1);
  if (YAML.has(base))
    throw new BundleRefused('E_BUNDLE_ARCHIVE', `${name} is YAML.`, 'Write the data as data.json, as opa build does.');
  const hash = createHash(known);
  return hash.update(STRUCTURED.has(base) ? canonicalText(name, bytes) : bytes).digest('hex');
}

/** Keys sorted by their bytes, no spaces, numbers as written. */
function canonicalText(name: string, bytes: Uint8Array): string {
  if (bytes.length > MAX_STRUCTURED) throw refuse(`${name} is larger than ${MAX_STRUCTURED / 1024 / 1024} MB`);
  if (countValues(bytes) > MAX_VALUES) throw refuse(`${name} contains more than ${MAX_VALUES.toLocaleString('en')} values`);
  const text = Buffer.from(bytes)
    .toString('utf8')
    .replace(/^\ufeff/, '');
  const errors: ParseError[] = [];
  const parts: string[] = [];
  try {
    const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
    if (tree === undefined || errors.length > 0) throw refuse(`${name} is not JSON`);
    write(tree, text, parts);
  } catch (error) {
    // The stack is exhausted before the values are.
    throw error instanceof RangeError ? refuse(`${name} is nested too deeply`) : error;
  }
  return parts.join('');
}

/** An upper bound of the number of values: separators inside strings are counted too. */
function countValues(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (BEFORE_VALUES.has(byte)) count += 1;
  return count;
}

function refuse(why: string): BundleRefused {
  return new BundleRefused('E_BUNDLE_ARCHIVE', `${why}.`, 'Build the bundle again.');
}

function write(node: Node, text: string, parts: string[]): void {
  if (node.type === 'object') {
    // For a duplicate key the last value counts.
    const entries = new Map((node.children ?? []).map(({ children: [key, value] = [] }) => [String(key?.value), value!]));
    const keys = [...entries.keys()].map((key) => [key, Buffer.from(key)] as const).sort(([, one], [, two]) => one.compare(two));
    parts.push('{');
    for (const [index, [key]] of keys.entries()) {
      parts.push(index === 0 ? '' : ',', quoted(key), ':');
      write(entries.get(key)!, text, parts);
    }
    parts.push('}');
  } else if (node.type === 'array') {
    parts.push('[');
    for (const [index, item] of (node.children ?? []).entries()) {
      if (index > 0) parts.push(',');
      write(item, text, parts);
    }
    parts.push(']');
  } else if (node.type === 'string') parts.push(quoted(node.value as string));
  else parts.push(text.slice(node.offset, node.offset + node.length));
}

/** As Go writes it without HTML escapes. */
function quoted(value: string): string {
  return JSON.stringify((value as string & { toWellFormed(): string }).toWellFormed()).replace(
    /[\u2028\u2029]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16)}`,
  );
}
