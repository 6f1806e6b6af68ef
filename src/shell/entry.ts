// The fields of an entry in a command table.

import type { BashClass } from '../model/command.ts';
import type { CommandCall } from './call.ts';
import type { OptionTable, ParseStyle } from './options.ts';

export type CommandTrait =
  /** Every option of the program is harmless, so a word that may become an option does no harm. */
  | 'any-option'
  /**
   * Loads code of the project, or passes control to a program in it, before it reads any option. Then only the words in `version`
   * are harmless.
   */
  | 'loads-project-code'
  /** Removes its own words and continues with the command inside. */
  | 'wrapper';

/** One entry of a table: the meaning of the words of a command. */
export interface CommandEntry {
  /** Names of the command, separated by blanks. */
  names: string;
  /** Options in the notation of options.ts. An option that is not listed is not understood. */
  options?: string;
  style?: ParseStyle;
  traits?: readonly CommandTrait[];
  /**
   * The kind of operands: files that are read (`read-within`: also folders with the files in them), paths that are listed, text,
   * or not allowed.
   */
  operands?: 'read' | 'read-within' | 'read-deep' | 'list' | 'text' | 'none' | 'write' | 'write-deep' | 'url';
  /** Maximum number of operands that are understood. */
  most?: number;
  /** Without an operand, the command reads the current folder. */
  here?: 'read' | 'list';
  /** Class of the command if its words are understood. Default: read-only. */
  class?: BashClass;
  /** `read`: it sends a request to a service and changes nothing there. */
  network?: boolean | 'read';
  /** The reason in words, for class and network. */
  why?: string;
  /**
   * A command line with exactly one of these words only prints a version or help, regardless of the other fields. `-v=a,b`: only
   * for the programs a and b.
   */
  version?: string;
  /**
   * Built-in subcommands that print their usage if `--help` is the only word after them. With a dot at the end, one more word may
   * come between. `*` is any one to four plain words, for a program without plugins and aliases. `-h` also requests help, and so
   * does `-help` if the program uses `-name` for long options. Subcommands in `verbs` are included automatically, unless they
   * pass their words to another program.
   */
  help?: string;
  /**
   * Files that make the program run code of the project, separated by blanks (see `BashLoad`). The files of a subcommand are
   * added.
   */
  loads?: string;
  /**
   * Subcommands. The longest match wins, and `*` matches any single word. In this case `options` are the options of the program
   * itself.
   */
  verbs?: Record<string, Verb>;
  /** Does all of the analysis, in place of `operands`. */
  handle?: (call: CommandCall, t: OptionTable) => void;
  /** Command lines with their expected class, checked by tests. */
  examples?: Record<string, BashClass>;
}

/** A subcommand: the fields of an entry that apply to it. A bare class applies to any words. */
export type Verb =
  | BashClass
  | Pick<
      CommandEntry,
      'options' | 'traits' | 'operands' | 'most' | 'here' | 'class' | 'network' | 'why' | 'style' | 'handle' | 'loads'
    >;
