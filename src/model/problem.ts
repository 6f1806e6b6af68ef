// A problem a person can act on, as data. Everything that is wrong with a configuration is one of these.

/** Where something stands: file as shown to a person (relative to the project root, else absolute), line and column from 1. */
export interface Source {
  file: string;
  line: number;
  column: number;
}

export interface Problem {
  /** Stable code, documented in docs/errors.md, e.g. `E_UNKNOWN_KEY`. */
  code: string;
  severity: 'error' | 'warning';
  message: string;
  /** What a person can do about it. */
  remedy: string;
  file?: string;
  line?: number;
  column?: number;
  /** How many characters the caret underlines; 1 when absent. */
  length?: number;
  /** The text of the line, for the caret. */
  lineText?: string;
}
