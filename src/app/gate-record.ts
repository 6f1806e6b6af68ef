// The state of the gates as a session's server last saw it, stored for other processes. They do not know which commands the
// session ran.

import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { readRegularText } from '../platform/read-file.ts';
import { fields, RecordKind, type RecordOf } from '../store/record.ts';
import { isRunning } from '../store/server-record.ts';
import type { CallerProject } from '../workflow/project.ts';
import type { GateState } from './statusline.ts';

const maxBytes = 1_048_576;

const gateRecords = new RecordKind({
  schema: fields({
    root: z.string(),
    session: z.nullable(z.string()),
    mode: z.string(),
    /** ISO 8601. */
    at: z.string(),
    ways: z.array(z.custom<GateState>()),
  }),
  maxBytes,
});

type GateRecord = RecordOf<typeof gateRecords>;

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
export function writeGateRecord(dataFolder: string, project: CallerProject, gates: GateState[]): void {
  const { mode } = project.describe();
  if (mode === null) return;
  const { root, caller } = project;
  const record = { root, session: caller.session, mode, at: new Date().toISOString(), ways: gates };
  gateRecords.write(path.join(gateRecordFolder(dataFolder), `${process.pid}.json`), record);
}

/** The newest record by a running session of the project in this mode; null if there is no such record. */
export function newestRecord(dataFolder: string, root: string, mode: string): GateRecord | null {
  const folder = gateRecordFolder(dataFolder);
  if (!fs.existsSync(folder)) return null;
  const all = fs.readdirSync(folder).flatMap((name) => {
    if (!name.endsWith('.json') || !isRunning(Number.parseInt(name, 10))) return [];
    const record = readGateRecord(path.join(folder, name));
    return record !== null && record.root === root && record.mode === mode ? [record] : [];
  });
  return all.sort((one, other) => other.at.localeCompare(one.at))[0] ?? null;
}

/** null: its server has ended in the meantime, or it is damaged. Throws if the disk refuses. */
function readGateRecord(file: string): GateRecord | null {
  const found = gateRecords.state(file);
  if (found.state === 'refused') throw found.error;
  return found.state === 'whole' ? found.value : null;
}
