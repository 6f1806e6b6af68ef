// The words for unmet checks.
import { showInLine } from '../../config/text.ts';

export interface Missing {
  missing: string;
  how: string;
  /** Tests that a gate waits for, if it is about tests. */
  tests?: AwaitedTest[];
}

/** One test that a gate waits for. */
export interface AwaitedTest {
  title: string;
  holds: boolean;
}

/** An unmet part of a gate. */
export interface Unmet extends Missing {
  /** The check in the words of the gate. */
  check: string;
}

/** A command in a message: on one line, and not longer than a message can hold. */
export function shown(command: string): string {
  const line = showInLine(command);
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

/** A few names, and the number of the others. */
export function list(names: readonly string[], most = 5): string {
  const shown = names.slice(0, most).map((name) => JSON.stringify(name).slice(1, -1));
  return names.length > shown.length ? `${shown.join(', ')} and ${names.length - shown.length} more` : shown.join(', ');
}
