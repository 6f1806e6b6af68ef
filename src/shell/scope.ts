// The context of a part of the text, the ways control leaves it, and the services of the walk that its parts need.
import type { Function as FunctionNode, Word } from 'unbash';
import type { Stdin } from '../model/command.ts';
import type { Arg } from './arg.ts';
import type { TextRange } from './effects.ts';
import type { RedirectHost } from './redirects.ts';
import type { ShellState } from './state.ts';

/** The states after success and after failure. Null if that outcome cannot be reached. */
export interface Flow {
  ok: ShellState | null;
  fail: ShellState | null;
}

/** The context of a part of the text. */
export interface ShellScope {
  /** Allow rules may name commands here. */
  top: boolean;
  depth: number;
  /** In generated text, all positions are those of the word that it came from. */
  fixed: TextRange | null;
  /** Inside a substitution, where Bash parses its own printed form of the text again. */
  substituted: boolean;
  /** The output goes into a pipe or a word. */
  isCaptured?: boolean;
  /** States at `break` and `continue`. */
  exits: ShellState[] | null;
  /** States at `return`. */
  returns: ShellState[] | null;
  stdin: Stdin;
  /** Local variables of the current function. */
  locals?: Set<string>;
}

/** Cost of a simple command in addition to the characters of its words. */
export const COMMAND = 24;

/** Cost, in characters, of a command line inside another one. */
export function weightOf(args: readonly Arg[]): number {
  let weight = COMMAND;
  // The value of a variable is longer than its name.
  for (const { text, value } of args) weight += Math.max(text.length, value?.length ?? 0);
  return weight;
}

/** The interface of the walk for control flow and simple commands. */
export interface Walker extends RedirectHost {
  scope: ShellScope;
  /** The entry that receives the effects of expanded words. */
  current: number | null;
  /** Number of enclosing loops, and of those with a command that may remove files. */
  loops: number;
  removingLoops: number;
  /** Walks a part in another scope, then restores the scope. */
  within<T>(scope: ShellScope, body: () => T): T;
  words(word: Word, state: ShellState): Arg[];
  /** Appends the expansion of a word. */
  word(word: Word, state: ShellState, into: Arg[]): void;
  /** Records the folders and the state of the shell. */
  visit(state: ShellState): void;
  /** Records a function. If nothing calls it, its body is walked at the end. */
  define(fn: FunctionNode, state: ShellState): void;
}

/** The state that covers both. Null if neither can be reached. */
export function merge(a: ShellState | null, b: ShellState | null): ShellState | null {
  if (!a) return b;
  if (!b || a === b) return a;
  const s = a.copy();
  s.join(b);
  return s;
}

/** The state after a command, after success or failure. */
export function after(flow: Flow, fallback: ShellState): ShellState {
  return merge(flow.ok, flow.fail) ?? fallback;
}
