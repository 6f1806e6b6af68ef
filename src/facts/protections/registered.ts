// Our server under another name: registered by hand, and recorded by a person where neither agent nor project writes.

import fs from 'node:fs';
import path from 'node:path';
import { readRegularText } from '../../platform/read-file.ts';
import type { Place } from '../paths/place.ts';
import {
  entryOf,
  handPrefix,
  handServer,
  packageOf,
  pluginPrefix,
  recordedRoot,
  recordLine,
  shortCommands,
} from './without-plugin.ts';

/** Where the client found a server that a person or an administrator registered (`claude mcp add`). */
const sources: ReadonlySet<string> = new Set(['user', 'local', 'managed', 'enterprise']);
const maxBytes = 65_536;

type Grounds = Pick<Place, 'root' | 'start' | 'dataFolder' | 'managedFolders'>;

/**
 * True when the user's record (`servers` in the data folder) or the managed one (`modes-servers` in a managed folder) has this
 * server: as `SOURCE NAME`, such as `user modes`, or, for one of the project's own `.mcp.json`, as `project NAME HASH ROOT`,
 * which holds for exactly that entry in that project.
 */
export function isRegistered({ name, source }: { name: string; source: string }, place: Place): boolean {
  if (source === 'project') return name === handServer && registeredPackage(place) !== null;
  return sources.has(source) && recordsOf(place).some((record) => linesOf(record).includes(`${source} ${name}`));
}

/** The package whose server is registered in the project's `.mcp.json`; null: none is, or the entry is not the recorded one. */
export function registeredPackage(place: Grounds): string | null {
  const lines = recordsOf(place).flatMap(linesOf);
  if (!lines.some((line) => recordedRoot(line) === place.root)) return null;
  const entry = entryOf(handServer, place);
  return entry !== null && lines.includes(recordLine(place.root, entry)) ? packageOf(entry) : null;
}

/** True when a person registered a server for this project, whatever became of the entry. */
export function wasRegistered(place: Pick<Grounds, 'root' | 'dataFolder' | 'managedFolders'>): boolean {
  return recordsOf(place).some((record) => linesOf(record).some((line) => recordedRoot(line) === place.root));
}

/** What the names of our tools begin with in this project. */
export function toolPrefix(place: Place): string {
  return registeredPackage(place) === null ? pluginPrefix : handPrefix;
}

/** What a person types for us, after the slash, as the source of an expression. */
export function typedCommands(place: Place): string {
  return registeredPackage(place) === null ? 'modes:' : `(?:modes:|(?:${shortCommands.join('|')})(?![\\w:-]))`;
}

/** The file in the data folder that a person's registrations are kept in. */
export function serversFile(dataFolder: string): string {
  return path.join(dataFolder, 'servers');
}

function recordsOf({ dataFolder, managedFolders }: Pick<Grounds, 'dataFolder' | 'managedFolders'>): string[] {
  return [serversFile(dataFolder), ...managedFolders.map((folder) => path.join(folder, 'modes-servers'))];
}

/** Without a record nothing is registered, nor with one that cannot be read. */
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
