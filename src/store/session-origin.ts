// The project in which each session started. A modes.yaml that appears later in a nearer folder does not take the session over.

import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { hexHash } from '../platform/hash.ts';
import { fields, RecordKind, type RecordOf, sweepSessions } from './record.ts';

const origins = new RecordKind({
  version: 'none',
  schema: fields({
    root: z.string().check(z.refine((root) => path.isAbsolute(root))),
    /** The folder with its modes.yaml. */
    folder: z.string(),
    layer: z.enum(['project', 'user', 'managed']),
  }),
});

/** The project of a session. */
export type SessionOrigin = RecordOf<typeof origins>;

/** More records are swept. */
const maxRecords = 1_000;

/**
 * The project where a session started; null: no record yet, or a damaged one. Then the nearest project is used, as on its first
 * event.
 */
export function readSessionOrigin(dataFolder: string, session: string): SessionOrigin | null {
  return origins.read(recordFile(dataFolder, session));
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
  if (origins.create(file, { root, folder, layer })) sweepSessions(path.dirname(file), dataFolder, maxRecords, Date.now());
}

function recordFile(dataFolder: string, session: string): string {
  return path.join(dataFolder, 'begun', `${sessionFileName(session)}.json`);
}

/** Ids of the client are used as file names. Any other id is replaced by its hash. */
export function sessionFileName(session: string): string {
  const isPlain = /^[A-Za-z0-9-]{1,100}$/.test(session) && !session.startsWith('hash-');
  return isPlain ? session : `hash-${hexHash(session)}`;
}
