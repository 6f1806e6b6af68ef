// What the files below .claude are called. Names are relative to the project's root, with forward slashes.

export const MODES_FILE = '.claude/modes.yaml';
/** Stands for every mode in names of settings files. */
export const ANY = 'any';

const SETTINGS_FILE = /^\.claude\/settings\.(.+?)(\.local)?\.json$/;
const INSTRUCTIONS_FILE = /^\.claude\/(?:CLAUDE\.(.+)\.md|modes\/([^/]+)\/[^/]+\.md)$/;
const POLICY_FILE = /^\.claude\/policies\/.+\.rego$/;

/** The mode a settings file is for (`any` for all of them) and its layer; null for other files and the client's own. */
export function parseSettingsName(name: string): { mode: string; layer: 'project' | 'local' } | null {
  const match = SETTINGS_FILE.exec(name);
  if (match === null || match[1] === 'local') return null;
  return { mode: match[1]!, layer: match[2] === undefined ? 'project' : 'local' };
}

/** The mode a file with instructions is for; null for other files and the client's own. */
export function parseInstructionsName(name: string): string | null {
  const match = INSTRUCTIONS_FILE.exec(name);
  const mode = match?.[1] ?? match?.[2] ?? null;
  return mode === 'local' && match?.[1] ? null : mode;
}

export function isPolicyName(name: string): boolean {
  return POLICY_FILE.test(name) && !name.endsWith('_test.rego');
}
