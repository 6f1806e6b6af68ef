// Globs that a repository or the agent wrote. A glob that would take a matcher too long is not matched.

/** Maximum number of runs of `*` in one glob. Each may multiply the matching time by the length of a name. */
const maxStars = 4;

/** Longer patterns may not fit into a regular expression. In characters. */
const maxPattern = 1_000;
const maxPatterns = 5_000;

/** True if one of the lines has more wildcards than can be matched quickly, or if a line or the list of them is too long. */
export function hasTooManyStars(text: string): boolean {
  const lines = text.split('\n');
  const isCostly = (line: string) => line.length > maxPattern || (line.match(/\*+/g)?.length ?? 0) > maxStars;
  return lines.length > maxPatterns || lines.some(isCostly);
}
