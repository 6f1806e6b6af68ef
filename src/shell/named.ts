// Paths that the words of a command may name, for a command with unknown effects.
import { posix } from 'node:path';
import type { Arg } from './arg.ts';
import { GAP } from './found.ts';
import { absolute } from './targets.ts';

/** Words after this number are not examined. */
const MOST_WORDS = 200;
const NO_TEXTS: readonly string[] = [];

/** The texts in a word that may be a path: the whole word, the value of an option, and the text before a colon. */
function readings(text: string): readonly string[] {
  const isOption = text.startsWith('-');
  const equals = text.indexOf('=');
  if (isOption && equals === -1 && (text.length < 3 || text.startsWith('--'))) return NO_TEXTS;
  const value = equals > 0 ? text.slice(equals + 1) : isOption ? text.slice(2) : text;
  const colon = value.indexOf(':');
  if (!isOption && equals < 1 && colon < 1) return [text];
  return [...(isOption ? [] : [text]), value, ...(colon > 0 ? [value.slice(0, colon)] : [])];
}

function textsOf({ below, found, value, texts, many }: Arg): readonly string[] {
  if (below !== null) return below;
  if (found !== null) return found.names.map(({ text }) => text).filter((text) => !text.includes(GAP));
  if (value !== null) return [value];
  return many ? NO_TEXTS : (texts ?? NO_TEXTS);
}

/**
 * Adds absolute paths without `..` to the known paths and returns them. If the folder is not known, paths are resolved against
 * the root.
 */
export function addNamed(args: readonly Arg[], cwds: readonly string[] | null, to: string[]): string[] {
  const known = new Set(to);
  for (let at = 1; at < args.length && at < MOST_WORDS; at += 1)
    for (const text of textsOf(args[at] as Arg))
      for (const word of readings(text))
        if (word !== '')
          for (const path of absolute(word, cwds) ?? [`/${word}`]) {
            const plain = path.includes('/.') || path.includes('//') ? posix.normalize(path) : path;
            if (!known.has(plain)) to.push(plain);
            known.add(plain);
          }
  return to;
}
