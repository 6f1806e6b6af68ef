// What is fuzzed: something that takes a text, and a plain model that says what must not come of it.
import type { Pick } from './mutate.ts';

export interface Target {
  name: string;
  /** Texts to begin with. */
  seeds: string[];
  /** Pieces that mean something to it. */
  words: string[];
  /** Makes a text of a form of its own, such as one that says a thing again and again. */
  make?(pick: Pick): string;
  /** Every text is of that form: none is made by changing another, and what is found is told as it is. */
  isMade?: true;
  /** Milliseconds of processor time that one text may take, where that is more than others may. */
  longestMs?: number;
  /** Gives many texts to it at once, which costs less than one after the other. */
  checkAll?(texts: readonly string[]): (string | null)[];
  /** Gives one text to it. @returns what is wrong with what came of it; null: nothing. What it throws is wrong too. */
  check(text: string): string | null | Promise<string | null>;
  /** Called after every so many texts: whether it still does its work. */
  stands?(): Promise<string | null>;
  /** What else is worth saying of the run. */
  tells?(): string;
  close?(): void | Promise<void>;
}

export type Opens = () => Target | Promise<Target>;
