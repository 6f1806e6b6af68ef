// Globs that a repository or the agent wrote. A glob that would take a matcher too long is not matched.

/** Maximum number of runs of `*` in one glob. Each may multiply the matching time by the length of a name. */
const maxStars = 4;

/** True if one of the lines has more wildcards than can be matched quickly. */
export function hasTooManyStars(text: string): boolean {
  return text.split('\n').some((line) => (line.match(/\*+/g)?.length ?? 0) > maxStars);
}
