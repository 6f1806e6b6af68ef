// Problems with the OPA server that this machine uses. The processes that ask the server record them for status and doctor.

import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import type { OpaPin } from '../model/opa-pin.ts';
import { teamsFolder } from './cached-bundle.ts';
import { fields, RecordKind, type RecordOf } from './record.ts';

const records = new RecordKind({
  schema: fields({
    /** The server that was asked. */
    url: z.string(),
    /** Why its answers do not count; null if they do. Times are ISO 8601. */
    trouble: z.catch(z.nullable(fields({ why: z.string(), since: z.string(), seen: z.string() })), null),
    /** Verdicts that differed from those of this machine, and the newest of them. */
    differing: z.catch(z.nullable(fields({ count: z.number(), at: z.string(), mode: z.string(), what: z.string() })), null),
  }),
  maxBytes: 65_536,
});

export type OpaRecord = RecordOf<typeof records>;

export const opaRecordFile = (dataFolder: string): string => path.join(teamsFolder(dataFolder), 'opa.json');

/** Older records are ignored, because no process has asked the server since. */
const FRESH_MS = 24 * 60 * 60 * 1000;

/** null if it is absent or unreadable. Then nothing is known about the server. */
export function readOpaRecord(dataFolder: string): OpaRecord | null {
  const record = records.read(opaRecordFile(dataFolder));
  if (record === null) return null;
  const isFresh = (at: string | undefined): boolean => at !== undefined && Date.now() - Date.parse(at) < FRESH_MS;
  const { url, trouble, differing } = record;
  return { url, trouble: isFresh(trouble?.seen) ? trouble : null, differing: isFresh(differing?.at) ? differing : null };
}

/** The record, if it is about exactly this server. */
export function opaStatus({ url }: Pick<OpaPin, 'url'>, dataFolder: string): Pick<OpaRecord, 'trouble' | 'differing'> {
  const record = readOpaRecord(dataFolder);
  return record?.url === url ? record : { trouble: null, differing: null };
}

/** Throws if the disk refuses. */
export function keepOpaRecord(dataFolder: string, record: OpaRecord): void {
  records.write(opaRecordFile(dataFolder), record);
}

/** Deletes the record when no server is configured any more. Throws if the disk refuses. */
export function forgetOpa(dataFolder: string): void {
  fs.rmSync(opaRecordFile(dataFolder), { force: true });
}
