// Parts of the schemas of configuration files. They use zod/mini, since a process that reads a configuration for a single call
// loads it: it takes a third of the time of zod.
import * as z from 'zod/mini';
import type { Code } from '../model/problem-codes.ts';

type Schema = z.core.$ZodType;

/** Advice for keys that a record does not have. */
export interface KeyAdvice {
  /** Other words for a key, known from other tools, each with advice. */
  instead: Readonly<Record<string, string>>;
  /** Keys of the format that this version does not support. They are errors, since their purpose may be to deny something. */
  later: readonly string[];
}

/** Describes the names of a mapping if they are not names of modes. */
export interface NameAdvice {
  what: string;
  remedy: string;
  code: Code;
}

export const keyAdvice = z.registry<KeyAdvice>();
export const nameAdvice = z.registry<NameAdvice>();

/** A text with a character that is not white space. */
export const FILLED = matching(/\S/);
export const PROSE = z.nullable(z.string());
export const TEXTS = z.array(FILLED);
export const TEXT_OR_TEXTS = choice([FILLED, TEXTS], 'a string or a list of strings');
export const DURATION = matching(/^\s*[1-9][0-9]{0,5}\s*(ms|s|m|h|d)\s*$/);

/** A text with this pattern. Only a blank text is reported here. The reader of the text reports every other one that does not match. */
export function matching(pattern: RegExp) {
  return z.string().check(z.regex(pattern));
}

const MAX_COUNT = 9999;

/** A whole number from 1. */
export function count(max = MAX_COUNT) {
  const about = `a whole number from 1${max === MAX_COUNT ? '' : ` to ${max}`}`;
  return z.int(about).check(z.minimum(1, about), z.maximum(max, about));
}

/** One of several schemas of different kinds. `about` is in words: `"all" or a list of numbers`. */
export function choice<const Options extends readonly Schema[]>(options: Options, about: string) {
  return z.union(options, { error: about });
}

/** A required key. `about` completes "Add the key: …". */
export function needed<S extends Schema>(schema: S, about: string): S {
  return described(z.clone(schema), about);
}

/** A key that may be missing. */
export function optional<S extends Schema>(schema: S, about: string) {
  return described(z.optional(schema), about);
}

function described<S extends Schema>(schema: S, about: string): S {
  z.globalRegistry.add(schema, { description: about });
  return schema;
}

/** A mapping with exactly these keys. */
export function record<const Keys extends z.core.$ZodLooseShape>(
  keys: Keys,
  instead: KeyAdvice['instead'] = {},
  later: KeyAdvice['later'] = [],
) {
  return z.strictObject(keys).register(keyAdvice, { instead, later });
}

/** A mapping with names that the user chooses; names of modes without advice. */
export function named<S extends z.core.SomeType>(pattern: RegExp, of: S, advice?: NameAdvice) {
  const names = z.record(matching(pattern), of);
  return advice === undefined ? names : names.register(nameAdvice, advice);
}

/** Reserved in any case, since some file systems ignore case: settings.Local.json would be the client's own file. */
export const RESERVED_NAMES = ['local', 'any', 'status', 'reset', 'help'];
const RESERVED = RESERVED_NAMES.map((word) => [...word].map((letter) => `[${letter.toUpperCase()}${letter}]`).join(''));
export const MODE_NAMES = new RegExp(`^(?!(${RESERVED.join('|')})$)[A-Za-z][A-Za-z0-9_-]*$`);

/** The same advice for several keys. */
export function advise(keys: readonly string[], advice: string): Record<string, string> {
  return Object.fromEntries(keys.map((key) => [key, advice]));
}

export const TO_TEAMS =
  'Only the organization or the user may choose where decisions are sent: in teams.yaml of their own folder.';
