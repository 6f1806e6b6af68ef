// Settings that would speak for us or answer our dialogs: hooks of others that name our server, Elicitation hooks.
import fs from 'node:fs';
import path from 'node:path';
import type { Place } from '../tools/place.ts';

export interface Finding {
  file: string;
  what: string;
}

const maxBytes = 1_048_576;
const dialogEvents = ['Elicitation', 'ElicitationResult'];

/** Settings files of the client that count in this project, most authoritative first. */
export function settingsFiles(place: Place): string[] {
  return [
    ...place.managedFolders.map((folder) => path.join(folder, 'managed-settings.json')),
    path.join(place.configFolder, 'settings.json'),
    path.join(place.root, '.claude/settings.json'),
    path.join(place.root, '.claude/settings.local.json'),
  ];
}

/**
 * What takes away the meaning of a dialog or of the private pipe. While there is any, nothing that widens is carried out.
 * A file that is there but cannot be read as JSON counts when its text holds one of the names.
 */
export function findForeign(place: Place): Finding[] {
  return settingsFiles(place).flatMap((file) => {
    const text = readText(file);
    if (text === null) return [];
    const hooks = hooksOf(text);
    const found: Finding[] = [];
    for (const event of dialogEvents) {
      if (hooks === null ? text.includes(`"${event}"`) : Object.hasOwn(hooks, event)) found.push({ file, what: `a hook on ${event}, which could answer a dialog` });
    }
    if ((hooks === null ? text : JSON.stringify(hooks)).includes('plugin:modes:modes')) found.push({ file, what: 'a hook that calls the server of Modes' });
    return found;
  });
}

/** Settings files that switch all hooks off. */
export function findDisabled(place: Place, changed: string | null): string[] {
  const files = changed === null ? settingsFiles(place) : [changed, ...settingsFiles(place)];
  return [...new Set(files)].filter((file) => {
    const text = readText(file);
    if (text === null) return false;
    const value = parse(text);
    if (value === null) return /"disableAllHooks"\s*:\s*true/.test(text);
    return (value as { disableAllHooks?: unknown }).disableAllHooks === true;
  });
}

function hooksOf(text: string): object | null {
  const value = parse(text);
  if (value === null) return null;
  const { hooks } = value as { hooks?: unknown };
  return typeof hooks === 'object' && hooks !== null ? hooks : {};
}

function parse(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    // Not JSON: the callers then look at the text itself.
    return null;
  }
}

/** null when absent; what cannot be read counts as empty text only if it is no regular file. */
function readText(file: string): string | null {
  try {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (stat === undefined || !stat.isFile() || stat.size > maxBytes) return null;
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    process.stderr.write(`modes: ${file} cannot be read: ${(error as Error).message}\n`);
    return null;
  }
}
