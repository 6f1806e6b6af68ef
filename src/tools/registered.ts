// Our server under another name: registered by hand (`claude mcp add`), and recorded by a person where neither agent nor project writes.
import fs from 'node:fs';
import path from 'node:path';
import type { Place } from './place.ts';

/** Where the client found a server that a person or an administrator registered. A project's own `.mcp.json` is none of these. */
const sources: ReadonlySet<string> = new Set(['user', 'local', 'managed', 'enterprise']);
const maxBytes = 65_536;

/**
 * True when the user's record (`servers` in the data folder) or the managed one (`modes-servers` in a managed folder) has the line
 * `SOURCE NAME` of this server, such as `user modes`.
 */
export function isRegistered({ name, source }: { name: string; source: string }, place: Place): boolean {
  if (!sources.has(source)) return false;
  const records = [
    path.join(place.dataFolder, 'servers'),
    ...place.managedFolders.map((folder) => path.join(folder, 'modes-servers')),
  ];
  return records.some((record) => linesOf(record).includes(`${source} ${name}`));
}

/** Without a record nothing is registered, nor with one that cannot be read. */
function linesOf(file: string): string[] {
  try {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.size > maxBytes) return [];
    return fs.readFileSync(file, 'utf8').split(/\r?\n/);
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code === 'string') return [];
    throw error;
  }
}
