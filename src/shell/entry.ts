// What an entry of a command table may say.

import type { BashClass } from '../model/command.ts';
import type { Call } from './call.ts';
import type { OptionTable, ParseStyle } from './options.ts';

/** One entry of a table: what a command's words mean. */
export interface CommandEntry {
  /** Names it goes by, separated by blanks. */
  names: string;
  /** Options in the notation of options.ts; what is not listed is not understood. */
  options?: string;
  style?: ParseStyle;
  /** Every option that the program has is harmless, so that a word that may become an option does no harm. */
  loose?: boolean;
  /** What operands are: files read (`read-within`: folders with what lies in them, too), paths listed, only text, or not allowed. */
  operands?: 'read' | 'read-within' | 'read-deep' | 'list' | 'text' | 'none' | 'write' | 'write-deep' | 'url';
  /** Most operands that are understood. */
  most?: number;
  /** Reads the folder in force when there is no operand. */
  here?: 'read' | 'list';
  /** Class of the command once its words are understood; read-only when left out. */
  class?: BashClass;
  network?: boolean;
  /** In words, for class and network. */
  why?: string;
  /**
   * Command lines of exactly one of these words only print a version or help, whatever else the entry says; `-v=a,b`: those of
   * the programs a and b only.
   */
  version?: string;
  /** Loads code of the project, or hands over to a program in it, before it looks at any option: only `version` lists what is harmless. */
  steered?: true;
  /**
   * Subcommands that are the program's own and show how they are used when `--help` is all that stands behind them; with a dot
   * one more word may stand between. `*` stands for any one to four plain words, of a program without plugins and aliases. `-h` asks as
   * well, and `-help` where the program takes `-name` for long options. Subcommands of `verbs` are among them without being listed,
   * unless they hand their words to another program.
   */
  help?: string;
  /** Files by which the project can make it run code of its own, separated by blanks (see `BashLoad`). A subcommand's are added to the program's. */
  loads?: string;
  /** Strips words and goes on with the command inside. */
  wrapper?: boolean;
  /** Subcommands, the longest match first; `*` stands for any single word. Then `options` are the program's own. */
  verbs?: Record<string, Verb>;
  /** Does everything by itself, in place of `operands`. */
  handle?: (call: Call, t: OptionTable) => void;
  /** Command lines that must come out as this class; checked by tests. */
  examples?: Record<string, BashClass>;
}

/** A subcommand: the fields of an entry that make sense for it. A bare class stands for any words whatever. */
export type Verb =
  | BashClass
  | Pick<
      CommandEntry,
      'options' | 'loose' | 'operands' | 'most' | 'here' | 'class' | 'network' | 'why' | 'style' | 'handle' | 'loads'
    >;
