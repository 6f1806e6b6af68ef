// Command texts that were analysed a moment ago: the client's two handlers ask about one call, and sessions repeat their commands.

import type { BashContext, BashFacts } from '../model/command.ts';
import type { CommandFacts } from '../model/facts.ts';
import { analyse } from '../shell/analyse.ts';
import { commandFacts } from './paths/keys.ts';

/** Texts remembered, and the longest of them in characters; of longer ones the last. Few: what is kept for long fills the memory for long. */
const maxTexts = 24;
const maxLength = 2_000;

/** What the analyser says of a text, and its commands as the policy sees them. Shared: nobody changes it. */
export interface Analysed {
  said: BashFacts;
  commands: readonly CommandFacts[];
}

interface Known extends Analysed {
  cwd: string;
  home: string;
  temp: string;
  known: string | undefined;
}

/** By the text; one that is asked about elsewhere takes the place of the former. */
let known = new Map<string, Known>();
/** The last long text: the modes that a remedy may name ask about it again. */
let long: { text: string; made: Known } | null = null;
/** What the remembered texts were analysed with. */
let by: BashContext['commands'];

/** Asks `analyse`, which looks at nothing but what it is given. */
export function analysed(text: string, context: BashContext): Analysed {
  const { cwd, home, temp = '', known: other, commands } = context;
  if (commands !== by) {
    known = new Map();
    long = null;
  }
  by = commands;
  const before = long?.text === text ? long.made : known.get(text);
  if (before !== undefined && before.cwd === cwd && before.home === home && before.temp === temp && before.known === other)
    return before;
  const said = analyse(text, context);
  // The disk may say something else the next time.
  const made = { said, commands: said.commands.map(commandFacts), cwd, home, temp, known: other };
  if (said.isOfDisk) return made;
  if (text.length > maxLength) {
    long = { text, made };
    return made;
  }
  if (known.size >= maxTexts && before === undefined) known.delete(known.keys().next().value as string);
  known.set(text, made);
  return made;
}
