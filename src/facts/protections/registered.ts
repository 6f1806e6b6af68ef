// The server of Modes under another name: registered manually and recorded by a person where neither agent nor project can write.

import fs from 'node:fs';
import path from 'node:path';
import { readRegularText } from '../../platform/read-file.ts';
import type { Place } from '../paths/place.ts';
import {
  entryOf,
  manualPrefix,
  manualServer,
  packageOf,
  pluginPrefix,
  recordedRoot,
  recordLine,
  shortCommands,
} from './without-plugin.ts';

/** The client's names for sources of servers that a person or an administrator registered (`claude mcp add`). */
const sources: ReadonlySet<string> = new Set(['user', 'local', 'managed', 'enterprise']);
const maxBytes = 65_536;

type Grounds = Pick<Place, 'root' | 'start' | 'dataFolder' | 'managedFolders'>;

/**
 * True if the user's record (`servers` in the data folder) or the managed one (`modes-servers` in a managed folder) contains this
 * server: as `SOURCE NAME`, such as `user modes`, or, for one in the project's own `.mcp.json`, as `project NAME HASH ROOT`,
 * which is valid only for exactly that entry in that project.
 */
export function isRegistered({ name, source }: { name: string; source: string }, place: Place): boolean {
  if (source === 'project') return name === manualServer && registeredPackage(place) !== null;
  return sources.has(source) && recordsOf(place).some((record) => linesOf(record).includes(`${source} ${name}`));
}

/** The package whose server is registered in the project's `.mcp.json`; null if none is, or if the entry is not recorded. */
export function registeredPackage(place: Grounds): string | null {
  const lines = recordsOf(place).flatMap(linesOf);
  if (!lines.some((line) => recordedRoot(line) === place.root)) return null;
  const entry = entryOf(manualServer, place);
  return entry !== null && lines.includes(recordLine(place.root, entry)) ? packageOf(entry) : null;
}

/** True if a person registered a server for this project, even if the entry has changed since. */
export function wasRegistered(place: Pick<Grounds, 'root' | 'dataFolder' | 'managedFolders'>): boolean {
  return recordsOf(place).some((record) => linesOf(record).some((line) => recordedRoot(line) === place.root));
}

/** The prefix of the names of Modes' tools in this project. */
export function toolPrefix(place: Place): string {
  return registeredPackage(place) === null ? pluginPrefix : manualPrefix;
}

/** The commands of Modes that a person types, without the slash, as the source of a regular expression. */
export function typedCommands(place: Place): string {
  return registeredPackage(place) === null ? 'modes:' : `(?:modes:|(?:${shortCommands.join('|')})(?![\\w:-]))`;
}

/** The file in the data folder that contains a person's registrations. */
export function serversFile(dataFolder: string): string {
  return path.join(dataFolder, 'servers');
}

function recordsOf({ dataFolder, managedFolders }: Pick<Grounds, 'dataFolder' | 'managedFolders'>): string[] {
  return [serversFile(dataFolder), ...managedFolders.map((folder) => path.join(folder, 'modes-servers'))];
}

/** The lines of a record. A missing or unreadable record registers nothing. */
function linesOf(file: string): string[] {
  try {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.size > maxBytes) return [];
    return readRegularText(file, maxBytes).split(/\r?\n/);
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code === 'string') return [];
    throw error;
  }
}
