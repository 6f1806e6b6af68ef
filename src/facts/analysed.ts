// Cache of recent command analyses. The client's two handlers send the same call, and sessions repeat their commands.

import type { BashContext, BashFacts } from '../model/command.ts';
import type { CommandFacts } from '../model/facts.ts';
import { setNewest } from '../platform/bounded-map.ts';
import { analyse } from '../shell/analyse.ts';
import { commandFacts } from './paths/keys.ts';

/**
 * Number of cached texts, and the maximum length of one in characters. Of longer texts, only the last is cached. The limits are
 * low because cached analyses stay in memory.
 */
const maxTexts = 24;
const maxLength = 2_000;

/** The analysis of a text, and its commands as the policy sees them. Shared between callers: do not modify it. */
export interface Analysed {
  bash: BashFacts;
  commands: readonly CommandFacts[];
}

interface CachedAnalysis extends Analysed {
  cwd: string;
  home: string;
  temp: string;
  known: string | undefined;
}

/** By command text. A later analysis of the same text in another context replaces the former one. */
let known = new Map<string, CachedAnalysis>();
/** The last long text. Remedies that name other modes analyze the same text again. */
let long: { text: string; made: CachedAnalysis } | null = null;
/** The declared commands that were used for the cached analyses. */
let by: BashContext['commands'];

/** Cached `analyse`. This is correct because the result depends only on the arguments, unless `isOfDisk` is set. */
export function analysed(text: string, context: BashContext): Analysed {
  const { cwd, home, temp = '', commands } = context;
  const other = context.known?.join('\0');
  if (commands !== by) {
    known = new Map();
    long = null;
  }
  by = commands;
  const before = long?.text === text ? long.made : known.get(text);
  if (before !== undefined && before.cwd === cwd && before.home === home && before.temp === temp && before.known === other)
    return before;
  const analysis = analyse(text, context);
  // An analysis that depends on the disk is not cached, because the disk may change.
  const made = {
    bash: analysis,
    commands: analysis.commands.map((one) => commandFacts(one, cwd)),
    cwd,
    home,
    temp,
    known: other,
  };
  if (analysis.isOfDisk) return made;
  if (text.length > maxLength) {
    long = { text, made };
    return made;
  }
  setNewest(known, text, made, maxTexts);
  return made;
}
