// The words for unmet checks.
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

/** A few names, and the number of the others. */
export function list(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => JSON.stringify(name).slice(1, -1));
  return names.length > shown.length ? `${shown.join(', ')} and ${names.length - shown.length} more` : shown.join(', ');
}
