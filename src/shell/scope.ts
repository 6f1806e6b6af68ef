// Where a piece of text stands, how control leaves it, and what its parts need of the walk.
import type { Function as FunctionNode, Word } from 'unbash';
import type { Stdin } from '../model/command.ts';
import type { Arg } from './arg.ts';
import type { Place } from './effects.ts';
import type { RedirectHost } from './redirects.ts';
import type { State } from './state.ts';

/** What holds after a command: on success, on failure; null where that cannot be reached. */
export interface Flow {
  ok: State | null;
  fail: State | null;
}

/** Where a piece of text stands. */
export interface Scope {
  /** Allow rules may name commands here. */
  top: boolean;
  depth: number;
  /** Positions of generated text are those of the word it came from. */
  fixed: Place | null;
  /** Nested in a substitution, where Bash re-parses its own print. */
  substituted: boolean;
  /** What is printed here goes into a pipe or a word. */
  isCaptured?: boolean;
  /** States at `break`, `continue`. */
  exits: State[] | null;
  /** States at `return`. */
  returns: State[] | null;
  stdin: Stdin;
  /** Names that the function being walked made its own. */
  locals?: Set<string>;
}

/** What a simple command counts for, beside the characters of its words. */
export const COMMAND = 24;

/** Characters that a command line inside another counts for. */
export function weightOf(args: readonly Arg[]): number {
  let weight = COMMAND;
  // What a variable holds is longer than its name.
  for (const { text, value } of args) weight += Math.max(text.length, value?.length ?? 0);
  return weight;
}

/** The walk as control flow and simple commands see it. */
export interface Walker extends RedirectHost {
  scope: Scope;
  /** Entry that words being expanded belong to. */
  current: number | null;
  /** How many loops stand around. */
  loops: number;
  /** Walks a part that stands elsewhere, and comes back. */
  within<T>(scope: Scope, body: () => T): T;
  words(word: Word, state: State): Arg[];
  /** Adds what a word becomes. */
  word(word: Word, state: State, into: Arg[]): void;
  /** Remembers the folders in which the shell is, and what holds there. */
  visit(state: State): void;
  /** Remembers a function, whose body is walked when nothing calls it. */
  define(fn: FunctionNode, state: State): void;
}

/** What holds on either way; null where neither is reached. */
export function merge(a: State | null, b: State | null): State | null {
  if (!a) return b;
  if (!b || a === b) return a;
  const s = a.copy();
  s.join(b);
  return s;
}

/** What holds after a command, however it ended. */
export function after(flow: Flow, fallback: State): State {
  return merge(flow.ok, flow.fail) ?? fallback;
}
