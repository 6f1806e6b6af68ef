// A problem that a person can act on, as data. Everything that is wrong with a configuration is one of these.

/** A place in a file. `file` is as shown to a person: relative to the project root, else absolute. Counts start at 1. */
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
  /** The action that a person can take. */
  remedy: string;
  file?: string;
  line?: number;
  column?: number;
  /** Number of characters that the caret underlines; 1 if absent. */
  length?: number;
  /** The text of the line, to print above the caret. */
  lineText?: string;
}
