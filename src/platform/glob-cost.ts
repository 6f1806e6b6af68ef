// Globs that somebody else wrote, a repository or the agent: what would take a matcher too long is not matched.

/** Runs of `*` in one glob. Each may cost a matcher a factor of the length of a name. */
const maxStars = 4;

/** True when one of the lines has more wildcards than can be matched in no time. */
export function hasTooManyStars(text: string): boolean {
  return text.split('\n').some((line) => (line.match(/\*+/g)?.length ?? 0) > maxStars);
}
