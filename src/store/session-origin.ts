// Which project each session began in: a modes.yaml that appears in a nearer folder meanwhile does not take it over.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder, readOwn } from '../platform/data-folder.ts';

/** The project of a session, by root and the folder with its modes.yaml. */
export interface Begun {
  root: string;
  folder: string;
  layer: 'project' | 'user' | 'managed';
}

/** Records beyond this many are swept, the oldest first, a few hundred at a time. */
const maxRecords = 1_000;
const silentMs = 7 * 24 * 60 * 60 * 1000;

/** Where a session began; null: nowhere yet, or what is recorded is nothing of ours. */
export function readBegun(dataFolder: string, session: string): Begun | null {
  try {
    const begun = JSON.parse(readOwn(recordFile(dataFolder, session))) as Partial<Begun> | null;
    const isWhole = typeof begun?.root === 'string' && typeof begun.folder === 'string' && path.isAbsolute(begun.root);
    return isWhole && ['project', 'user', 'managed'].includes(begun.layer ?? '') ? (begun as Begun) : null;
  } catch {
    // Absent or damaged: the nearest project is the session's, as at its first event.
    return null;
  }
}

/** Whether a session is in the project that it began in, by the real path of its folder: it does not leave by one that is gone. */
export function isStillIn({ root }: Begun, folder: string): boolean {
  return folder === root || folder.startsWith(`${root}/`) || !fs.existsSync(folder);
}

/** Records where a session began, unless it is recorded. Throws when the disk refuses. */
export function recordBegun(dataFolder: string, session: string, { root, folder, layer }: Begun): void {
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

/** Ids of the client are file names; anything else goes by its hash. */
export function sessionFileName(session: string): string {
  const isPlain = /^[A-Za-z0-9-]{1,100}$/.test(session) && !session.startsWith('hash-');
  return isPlain ? session : `hash-${createHash('sha256').update(session).digest('hex')}`;
}
