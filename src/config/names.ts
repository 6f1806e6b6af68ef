// Names of the files in a layer's folder. They are as a person sees them: the layer's prefix, then forward slashes.
import { PROJECT_SHOWN } from '../platform/layer-folders.ts';

export const MODES_FILE = '.claude/modes.yaml';
/** A file of the organization or the user, with settings for many projects. */
export const TEAM_FILE = 'teams.yaml';
/** Means every mode in the names of settings files. */
export const ANY = 'any';

const SETTINGS_FILE = /^settings\.(.+?)(\.local)?\.json$/;
const INSTRUCTIONS_FILE = /^(?:CLAUDE\.(.+)\.md|modes\/([^/]+)\/[^/]+\.md)$/;
const POLICY_FILE = /^policies\/.+\.rego$/;

/**
 * The mode of a settings file (`any` for all modes), and whether it is one person's. Null for other files and the client's own.
 */
export function parseSettingsName(name: string, shown = PROJECT_SHOWN): { mode: string; isLocal: boolean } | null {
  const match = SETTINGS_FILE.exec(restOf(name, shown));
  if (match === null || match[1] === 'local') return null;
  return { mode: match[1]!, isLocal: match[2] !== undefined };
}

/** The mode of a file with instructions. Null for other files and the client's own. */
export function parseInstructionsName(name: string, shown = PROJECT_SHOWN): string | null {
  const match = INSTRUCTIONS_FILE.exec(restOf(name, shown));
  const mode = match?.[1] ?? match?.[2] ?? null;
  return mode === 'local' && match?.[1] ? null : mode;
}

export function isPolicyName(name: string, shown = PROJECT_SHOWN): boolean {
  return POLICY_FILE.test(restOf(name, shown)) && !name.endsWith('_test.rego');
}

/** '' for a name in another folder. */
function restOf(name: string, shown: string): string {
  return name.startsWith(shown) ? name.slice(shown.length) : '';
}
