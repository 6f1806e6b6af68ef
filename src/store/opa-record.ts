// Problems with the OPA server that this machine uses. The processes that ask the server record them for status and doctor.

import fs from 'node:fs';
import path from 'node:path';
import type { OpaPin } from '../model/opa-pin.ts';
import { makeFolder, writeWhole } from '../platform/data-folder.ts';
import { readRegularText } from '../platform/read-file.ts';
import { teamsFolder } from './cached-bundle.ts';

/** Largest record that is read, in bytes. Modes writes much smaller ones. */
const maxBytes = 65_536;

export interface OpaRecord {
  version: 1;
  /** The server that was asked. */
  url: string;
  /** Why its answers do not count; null if they do. Times are ISO 8601. */
  trouble: { why: string; since: string; seen: string } | null;
  /** Verdicts that differed from those of this machine, and the newest of them. */
  differing: { count: number; at: string; mode: string; what: string } | null;
}

export const opaRecordFile = (dataFolder: string): string => path.join(teamsFolder(dataFolder), 'opa.json');

/** Older records are ignored, because no process has asked the server since. */
const FRESH_MS = 24 * 60 * 60 * 1000;

/** null if it is absent or unreadable. Then nothing is known about the server. */
export function readOpaRecord(dataFolder: string): OpaRecord | null {
  const file = opaRecordFile(dataFolder);
  try {
    if (!fs.statSync(file, { throwIfNoEntry: false })?.isFile()) return null;
    const {
      version,
      url,
      trouble: fault = null,
      differing = null,
    } = JSON.parse(readRegularText(file, maxBytes)) as Partial<OpaRecord>;
    if (version !== 1 || typeof url !== 'string') return null;
    const isFresh = (at: unknown): boolean => typeof at === 'string' && Date.now() - Date.parse(at) < FRESH_MS;
    const hasTrouble = isFresh(fault?.seen) && typeof fault?.why === 'string' && typeof fault.since === 'string';
    const hasDiffering = isFresh(differing?.at) && typeof differing?.count === 'number' && typeof differing.what === 'string';
    return { version, url, trouble: hasTrouble ? fault : null, differing: hasDiffering ? differing : null };
  } catch {
    return null;
  }
}

/** The record, if it is about exactly this server. */
export function opaStatus({ url }: Pick<OpaPin, 'url'>, dataFolder: string): Pick<OpaRecord, 'trouble' | 'differing'> {
  const record = readOpaRecord(dataFolder);
  return record?.url === url ? record : { trouble: null, differing: null };
}

/** Throws if the disk refuses. */
export function keepOpaRecord(dataFolder: string, record: OpaRecord): void {
  makeFolder(teamsFolder(dataFolder));
  writeWhole(opaRecordFile(dataFolder), JSON.stringify(record));
}

/** Deletes the record when no server is configured any more. Throws if the disk refuses. */
export function forgetOpa(dataFolder: string): void {
  fs.rmSync(opaRecordFile(dataFolder), { force: true });
}
