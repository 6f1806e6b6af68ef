// How checks say what does not hold.
export interface Missing {
  missing: string;
  how: string;
}

/** A part of a gate that does not hold. */
export interface Unmet extends Missing {
  /** As the gate says it. */
  check: string;
}

/** A few names, and how many more there are. */
export function list(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => JSON.stringify(name).slice(1, -1));
  return names.length > shown.length ? `${shown.join(', ')} and ${names.length - shown.length} more` : shown.join(', ');
}
