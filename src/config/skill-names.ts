// Under which other names a skill is called: one of a plugin, `plugin:skill`, answers to `skill` alone as well.

/** Parameters under which a call says these names for deny and ask; the client has none that are called so. */
export const shortParam = 'skill without its plugin';
export const pluginParam = 'skill of some plugin';
/** One for each other name that a skill has in its own file, or by its folder. */
export const ownParams = ['other name of the skill', 'second other name of the skill', 'third other name of the skill'];

/** What stands behind the plugin or folder; null where there is none. */
export function shortName(name: string): string | null {
  const at = name.lastIndexOf(':');
  return at === -1 ? null : name.slice(at + 1);
}

/**
 * The other names of a skill that is called, by parameter. One that is found nowhere by a short name may be any plugin's; a skill of
 * the project or the user goes before those.
 */
export function otherNames(name: string, isFound: boolean): Record<string, string> {
  const short = shortName(name);
  if (short !== null) return { [shortParam]: short };
  return isFound ? {} : { [pluginParam]: name };
}

/** The parameters and values by which a rule about this name meets a skill called otherwise. */
export function otherRules(pieces: readonly string[]): { param: string; pieces: string[] }[] {
  const own = ownParams.map((param) => ({ param, pieces: [...pieces] }));
  const last = pieces.findLastIndex((piece) => piece.includes(':'));
  if (last !== -1)
    return [...own, { param: pluginParam, pieces: [shortName(pieces[last] as string) as string, ...pieces.slice(last + 1)] }];
  // A star may stand for the rest of a plugin's name and what follows it.
  const behind = pieces.length > 1 ? [{ param: pluginParam, pieces: ['', pieces.at(-1) as string] }] : [];
  return [...own, { param: shortParam, pieces: [...pieces] }, ...behind];
}
