// What the entries of a journal came to, up to one of them. A process that decides a single call reads it, and of the entries only those
// behind it: reading hundreds takes longer than deciding. The server reads them all.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { readOwn } from '../platform/data-folder.ts';
import type { Authority } from './grants.ts';
import { type Entry, isThere, type Mark } from './journal.ts';
import type { Work } from './plan/work.ts';

/** After so many more entries another one is kept. */
export const summarisedEvery = 64;
/** Changes of mode that it holds, the newest. */
const maxChanges = 50;
/** A longer one is not kept, characters. */
const maxLength = 1_048_576;
const file = 'summary';

export interface Summary {
  /** The newest entry that it is of. */
  upTo: Mark;
  /** Newest changes of mode, oldest first. */
  changes: Entry[];
  work: Work;
  authority: Authority;
}

/** As it is kept: of this build, which knows what it is made of, and of this project. */
interface Kept extends Summary {
  version: 1;
  build: string;
  root: string;
}

/** null where there is none that is whole, of this build, and of an entry that is there as it was. */
export function readSummary(folder: string, root: string, build: string): Summary | null {
  try {
    const text = readOwn(path.join(folder, file));
    const end = text.indexOf('\n');
    if (end === -1 || text.slice(0, end) !== hashOf(text.slice(end + 1))) return null;
    const kept = JSON.parse(text.slice(end + 1)) as Kept;
    if (kept.version !== 1 || kept.build !== build || kept.root !== root) return null;
    return isThere(folder, kept.upTo) ? kept : null;
  } catch (error) {
    // Absent, or nothing that can be read: then the entries are.
    if (error instanceof SyntaxError || typeof (error as NodeJS.ErrnoException).code === 'string') return null;
    throw error;
  }
}

/** What the disk refuses costs the next process its time. */
export function keepSummary(folder: string, root: string, build: string, { upTo, changes, work, authority }: Summary): void {
  const kept: Kept = { version: 1, build, root, upTo, changes: changes.slice(-maxChanges), work, authority };
  const text = JSON.stringify(kept);
  if (text.length > maxLength) return;
  const fresh = path.join(folder, `.${process.pid}.${process.hrtime.bigint()}.new`);
  try {
    // Not synced: one that is torn is not of its hash.
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
