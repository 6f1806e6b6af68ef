// The project in which each session started. A modes.yaml that appears later in a nearer folder does not take the session over.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder, readDataFile } from '../platform/data-folder.ts';

/** The project of a session: its root and the folder with its modes.yaml. */
export interface SessionOrigin {
  root: string;
  folder: string;
  layer: 'project' | 'user' | 'managed';
}

/**
 * If there are more records than this, a sweep checks half as many. It deletes those older than `silentMs` of sessions without a
 * server.
 */
const maxRecords = 1_000;
const silentMs = 7 * 24 * 60 * 60 * 1000;

/** Where a session started; null: no record yet, or not one of ours. */
export function readSessionOrigin(dataFolder: string, session: string): SessionOrigin | null {
  try {
    const begun = JSON.parse(readDataFile(recordFile(dataFolder, session))) as Partial<SessionOrigin> | null;
    const isWhole = typeof begun?.root === 'string' && typeof begun.folder === 'string' && path.isAbsolute(begun.root);
    return isWhole && ['project', 'user', 'managed'].includes(begun.layer ?? '') ? (begun as SessionOrigin) : null;
  } catch {
    // Absent or damaged: the nearest project is used, as on the session's first event.
    return null;
  }
}

/**
 * Whether a session is still in the project where it started. `folder`: the real path of its folder. A folder that no longer
 * exists does not count as leaving.
 */
export function isStillIn({ root }: SessionOrigin, folder: string): boolean {
  return folder === root || folder.startsWith(`${root}/`) || !fs.existsSync(folder);
}

/** Records where a session started, unless there is a record. Throws if the disk refuses. */
export function writeSessionOrigin(dataFolder: string, session: string, { root, folder, layer }: SessionOrigin): void {
  const file = recordFile(dataFolder, session);
  if (fs.existsSync(file)) return;
  makeFolder(path.dirname(file));
  try {
    fs.writeFileSync(file, `${JSON.stringify({ root, folder, layer })}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    // Another process was first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  sweep(dataFolder, Date.now());
}

function sweep(dataFolder: string, now: number): void {
  const folder = path.dirname(recordFile(dataFolder, ''));
  const names = fs.readdirSync(folder);
  if (names.length <= maxRecords) return;
  for (const name of names.slice(0, maxRecords / 2)) {
    const file = path.join(folder, name);
    const at = fs.lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now;
    if (now - at > silentMs && !fs.existsSync(path.join(dataFolder, 'sessions', path.basename(name, '.json'))))
      fs.rmSync(file, { force: true });
  }
}

function recordFile(dataFolder: string, session: string): string {
  return path.join(dataFolder, 'begun', `${sessionFileName(session)}.json`);
}

/** Ids of the client are used as file names. Any other id is replaced by its hash. */
export function sessionFileName(session: string): string {
  const isPlain = /^[A-Za-z0-9-]{1,100}$/.test(session) && !session.startsWith('hash-');
  return isPlain ? session : `hash-${createHash('sha256').update(session).digest('hex')}`;
}
