// The result of a journal's entries up to one of them. A process that decides a single call reads the summary and only the later
// entries: reading hundreds takes longer than deciding. The server reads all entries.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { readDataFile } from '../platform/data-folder.ts';
import type { ActiveGrants } from './grants.ts';
import { isThere, type JournalEntry, type JournalMark } from './journal.ts';
import type { Work } from './plan/work.ts';

/** A new summary is stored after this many more entries. */
export const summarisedEvery = 64;
/** How many of the newest changes of mode it contains. */
const maxChanges = 50;
/** Limit in characters. A longer summary is not stored. */
const maxLength = 1_048_576;
const file = 'summary';

export interface Summary {
  /** The last entry that it covers. */
  upTo: JournalMark;
  /** Newest changes of mode, oldest first. */
  changes: JournalEntry[];
  work: Work;
  authority: ActiveGrants;
}

/** The stored form. It is valid only for this build, which knows the format, and for this project. */
interface SummaryRecord extends Summary {
  version: 1;
  build: string;
  root: string;
}

/** null if there is no valid summary of this build, or if the entry that it ends at is gone or changed. */
export function readSummary(folder: string, root: string, build: string): Summary | null {
  try {
    const text = readDataFile(path.join(folder, file));
    const end = text.indexOf('\n');
    if (end === -1 || text.slice(0, end) !== hashOf(text.slice(end + 1))) return null;
    const kept = JSON.parse(text.slice(end + 1)) as SummaryRecord;
    if (kept.version !== 1 || kept.build !== build || kept.root !== root) return null;
    return isThere(folder, kept.upTo) ? kept : null;
  } catch (error) {
    // Absent or unreadable: the entries are read instead.
    if (error instanceof SyntaxError || typeof (error as NodeJS.ErrnoException).code === 'string') return null;
    throw error;
  }
}

/** A failed write only costs the next process time. */
export function keepSummary(folder: string, root: string, build: string, { upTo, changes, work, authority }: Summary): void {
  const kept: SummaryRecord = { version: 1, build, root, upTo, changes: changes.slice(-maxChanges), work, authority };
  const text = JSON.stringify(kept);
  if (text.length > maxLength) return;
  const fresh = path.join(folder, `.${process.pid}.${process.hrtime.bigint()}.new`);
  try {
    // Not synced: a torn file fails the hash check.
    fs.writeFileSync(fresh, `${hashOf(text)}\n${text}`, { mode: 0o600, flag: 'wx' });
    fs.renameSync(fresh, path.join(folder, file));
  } catch (error) {
    fs.rmSync(fresh, { force: true });
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
