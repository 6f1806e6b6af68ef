// Other names of a skill: a plugin's `plugin:skill` can also be called as `skill`.

/** Parameters of a call that contain these names, for deny and ask. The client has no parameters with these names. */
export const shortParam = 'skill without its plugin';
export const pluginParam = 'skill of some plugin';
/** One for each other name of a skill, from its own file or its folder. */
export const ownParams = ['other name of the skill', 'second other name of the skill', 'third other name of the skill'];

/** The part after the plugin or folder. Otherwise null. */
export function shortName(name: string): string | null {
  const at = name.lastIndexOf(':');
  return at === -1 ? null : name.slice(at + 1);
}

/**
 * The other names of a called skill, by parameter. If no skill of the project or the user has a short name, the skill may be any
 * plugin's. Otherwise that skill takes precedence over plugins.
 */
export function otherNames(name: string, isFound: boolean): Record<string, string> {
  const short = shortName(name);
  if (short !== null) return { [shortParam]: short };
  return isFound ? {} : { [pluginParam]: name };
}

/** The parameters and values for a rule about this name, so that it matches a skill that is called by another name. */
export function otherRules(pieces: readonly string[]): { param: string; pieces: string[] }[] {
  const own = ownParams.map((param) => ({ param, pieces: [...pieces] }));
  const last = pieces.findLastIndex((piece) => piece.includes(':'));
  if (last !== -1)
    return [...own, { param: pluginParam, pieces: [shortName(pieces[last] as string) as string, ...pieces.slice(last + 1)] }];
  // A star may match the rest of a plugin's name and the text after it.
  const pluginRules = pieces.length > 1 ? [{ param: pluginParam, pieces: ['', pieces.at(-1) as string] }] : [];
  return [...own, { param: shortParam, pieces: [...pieces] }, ...pluginRules];
}
