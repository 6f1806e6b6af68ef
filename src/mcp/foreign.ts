// Settings that would speak for us or answer our dialogs: hooks of others that name our server, Elicitation hooks.
import fs from 'node:fs';
import path from 'node:path';
import { parse as parseTolerant } from 'jsonc-parser';
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
 * A file that is there and cannot be read counts as one with such a hook; one that is no strict JSON also by its text.
 */
export function findForeign(place: Place): Finding[] {
  return settingsFiles(place).flatMap((file) => {
    const text = readText(file);
    if (text === null) return [];
    if (text === unreadable) return [{ file, what: 'settings that cannot be read here' }];
    const { value, strict } = parse(text);
    const hooks = strict ? hooksOf(value) : { ...hooksOf(value), text };
    const found: Finding[] = [];
    for (const event of dialogEvents) {
      if (Object.hasOwn(hooks, event) || (!strict && text.includes(`"${event}"`)))
        found.push({ file, what: `a hook on ${event}, which could answer a dialog` });
    }
    if (JSON.stringify(hooks).includes('plugin:modes:modes')) found.push({ file, what: 'a hook that calls the server of Modes' });
    return found;
  });
}

/** Settings files that switch all hooks off, or may do so. */
export function findDisabled(place: Place, changed: string | null): string[] {
  const files = changed === null ? settingsFiles(place) : [changed, ...settingsFiles(place)];
  return [...new Set(files)].filter((file) => {
    const text = readText(file);
    if (text === null) return false;
    if (text === unreadable) return true;
    const { value, strict } = parse(text);
    return (
      (value as { disableAllHooks?: unknown } | null)?.disableAllHooks === true ||
      (!strict && /"disableAllHooks"\s*:\s*true/.test(text))
    );
  });
}

function hooksOf(value: unknown): object {
  const hooks = typeof value === 'object' && value !== null ? (value as { hooks?: unknown }).hooks : undefined;
  return typeof hooks === 'object' && hooks !== null ? hooks : {};
}

/** What the text says, and whether it is JSON without comments; else as much as can be understood of it. */
function parse(text: string): { value: unknown; strict: boolean } {
  try {
    return { value: JSON.parse(text), strict: true };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { value: parseTolerant(text, [], { allowTrailingComma: true }), strict: false };
  }
}

/** Stands for a file that is there and that we cannot read, while the client perhaps can. */
const unreadable = '\0';

/** null when absent. */
function readText(file: string): string | null {
  try {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return null;
    return stat.isFile() && stat.size <= maxBytes ? fs.readFileSync(file, 'utf8') : unreadable;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOTDIR' || code === 'ENAMETOOLONG' ? null : unreadable;
  }
}
