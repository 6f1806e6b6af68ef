// The result of a journal's entries up to one of them. A process that decides a single call reads the summary and only the later
// entries: reading hundreds takes longer than deciding. The server reads all entries.
import { createHash } from 'node:crypto';
import path from 'node:path';
import * as z from 'zod/mini';
import { fields, RecordKind, type RecordOf } from '../store/record.ts';
import type { ActiveGrants } from './grants.ts';
import { isThere, type JournalEntry } from './journal.ts';
import type { Work } from './plan/work.ts';

/** A new summary is stored after this many more entries. */
export const summarisedEvery = 64;
/** How many of the newest changes of mode it contains. */
const maxChanges = 50;

/** Valid only for the build that wrote it, which knows the format, and for its project. A larger summary is not stored. */
const summaries = new RecordKind({
  schema: fields({
    build: z.string(),
    root: z.string(),
    /** The last entry that it covers. */
    upTo: fields({ number: z.number(), hash: z.string() }),
    /** Newest changes of mode, oldest first. */
    changes: z.array(z.custom<JournalEntry>()),
    work: z.custom<Work>(),
    authority: z.custom<ActiveGrants>(),
  }),
  maxBytes: 1_048_576,
  hash: (json) => createHash('sha256').update(json).digest('hex'),
  isCache: true,
});

export type Summary = Omit<RecordOf<typeof summaries>, 'build' | 'root'>;

const summaryFile = (folder: string): string => path.join(folder, 'summary');

/** null if there is no valid summary of this build, or if the entry that it ends at is gone or changed. */
export function readSummary(folder: string, root: string, build: string): Summary | null {
  const record = summaries.read(summaryFile(folder));
  return record?.build === build && record.root === root && isThere(folder, record.upTo) ? record : null;
}

/** A failed write only costs the next process time. */
export function keepSummary(folder: string, root: string, build: string, { upTo, changes, work, authority }: Summary): void {
  try {
    summaries.write(summaryFile(folder), { build, root, upTo, changes: changes.slice(-maxChanges), work, authority });
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
  }
}
