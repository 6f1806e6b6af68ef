// Which paths the words of a command may name, where what it does with them is not known.
import { posix } from 'node:path';
import type { Arg } from './arg.ts';
import { absolute } from './targets.ts';

/** So many words are looked at. */
const MOST_WORDS = 200;
const NO_TEXTS: readonly string[] = [];

/** A word, and what it may hold as a path: the value of an option, or what stands in front of a colon. */
function readings(text: string): string[] {
  const equals = text.indexOf('=');
  const value = equals > 0 ? text.slice(equals + 1) : /^-[A-Za-z]./.test(text) ? text.slice(2) : text;
  const colon = value.indexOf(':');
  return [...(text.startsWith('-') ? [] : [text]), value, ...(colon > 0 ? [value.slice(0, colon)] : [])];
}

function textsOf({ below, value, texts, many }: Arg): readonly string[] {
  if (below !== null) return below;
  if (value !== null) return [value];
  return many ? NO_TEXTS : (texts ?? NO_TEXTS);
}

/** Absolute paths without `..`; of a folder that is not known, as if it were the topmost. */
export function namedBy(args: readonly Arg[], cwds: readonly string[] | null): string[] {
  const out = new Set<string>();
  for (const arg of args.slice(1, MOST_WORDS))
    for (const text of textsOf(arg))
      for (const word of readings(text))
        if (word !== '') for (const path of absolute(word, cwds) ?? [`/${word}`]) out.add(posix.normalize(path));
  return [...out];
}
