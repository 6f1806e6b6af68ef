// Under which other names a skill is called: one of a plugin, `plugin:skill`, answers to `skill` alone as well.

/** Parameters under which a call says these names for deny and ask; the client has none that are called so. */
export const shortParam = 'skill without its plugin';
export const pluginParam = 'skill of some plugin';

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

/** The parameter and value by which a rule about this name meets a skill called otherwise. */
export function otherRule(pieces: readonly string[]): { param: string; pieces: string[] } {
  const last = pieces.findLastIndex((piece) => piece.includes(':'));
  if (last === -1) return { param: shortParam, pieces: [...pieces] };
  return { param: pluginParam, pieces: [shortName(pieces[last] as string) as string, ...pieces.slice(last + 1)] };
}
