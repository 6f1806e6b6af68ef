// The state of the gates as a session's server last saw it, stored for other processes. They do not know which commands the
// session ran.

import fs from 'node:fs';
import path from 'node:path';
import { makeFolder, writeWhole } from '../platform/data-folder.ts';
import { readRegularText } from '../platform/read-file.ts';
import { objectOf } from '../store/log/files.ts';
import { isRunning } from '../store/server-record.ts';
import type { CallerProject } from '../workflow/project.ts';
import type { GateState } from './statusline.ts';

const maxBytes = 1_048_576;

interface GateRecord {
  version: 1;
  root: string;
  session: string | null;
  mode: string;
  /** ISO 8601. */
  at: string;
  ways: GateState[];
}

/** One file for each server, `<process id>.json`, beside the files of the status line. */
export function gateRecordFolder(dataFolder: string): string {
  return path.join(dataFolder, 'status');
}

/**
 * The size of the session's context window in tokens, which the client reports to the status line, and its script stores for this
 * server; null: no status line has run.
 */
export function readWindow(dataFolder: string): number | null {
  try {
    const size = Number(readRegularText(windowFile(dataFolder), maxBytes));
    return Number.isInteger(size) && size > 0 ? size : null;
  } catch {
    // Without a size there is no percentage.
    return null;
  }
}

export const windowFile = (dataFolder: string): string => path.join(gateRecordFolder(dataFolder), `${process.pid}.window`);

/** Throws if the disk refuses. */
export function writeGateRecord(dataFolder: string, project: CallerProject, ways: GateState[]): void {
  const { mode } = project.describe();
  if (mode === null) return;
  const seen: GateRecord = {
    version: 1,
    root: project.root,
    session: project.caller.session,
    mode,
    at: new Date().toISOString(),
    ways,
  };
  makeFolder(gateRecordFolder(dataFolder));
  writeWhole(path.join(gateRecordFolder(dataFolder), `${process.pid}.json`), JSON.stringify(seen));
}

/** The newest record by a running session of the project in this mode; null if there is no such record. */
export function newestRecord(dataFolder: string, root: string, mode: string): GateRecord | null {
  const folder = gateRecordFolder(dataFolder);
  if (!fs.existsSync(folder)) return null;
  const all = fs.readdirSync(folder).flatMap((name) => {
    if (!name.endsWith('.json') || !isRunning(Number.parseInt(name, 10))) return [];
    const seen = readGateRecord(path.join(folder, name));
    return seen !== null && seen.root === root && seen.mode === mode ? [seen] : [];
  });
  return all.sort((one, other) => other.at.localeCompare(one.at))[0] ?? null;
}

function readGateRecord(file: string): GateRecord | null {
  let text: string;
  try {
    text = readRegularText(file, maxBytes);
  } catch (error) {
    // Its server has ended in the meantime.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const seen = objectOf(text) as Partial<GateRecord> | null;
  return seen?.version === 1 && typeof seen.root === 'string' && typeof seen.mode === 'string' && Array.isArray(seen.ways)
    ? (seen as GateRecord)
    : null;
}
