// The append-only, hash-chained record of a project's mode: one file an entry, created by an atomic link.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../config/folders.ts';

export type Actor = 'model' | 'person' | 'engine';

/** What an entry records; `force` is a change of mode without its gate. */
export interface Change {
  /** `stop`: until a person names a mode, only reading is open. */
  kind: 'start' | 'transition' | 'force' | 'stop';
  from: string | null;
  to: string;
  actor: Actor;
  session: string | null;
  permissionMode: string | null;
  explanation: string;
}

export interface Entry extends Change {
  version: 1;
  number: number;
  /** ISO 8601, UTC. */
  timestamp: string;
  /** Hash of the entry before; the root's path for the first. */
  previous: string;
  hash: string;
}

export type Reading = { entries: Entry[]; broken: null } | { entries: Entry[]; broken: string };

/**
 * Nothing is locked: an entry is written aside, synced and linked to its number. Of two writers of one number the link lets
 * exactly one through, and a writer that dies leaves at most a file that nobody reads.
 */
export class Journal {
  private known: Entry[] = [];
  /** Which folder `known` was read from: a journal that was set aside and begun anew is another one. */
  private origin = '';
  private gapChecked = 0;

  constructor(
    private readonly folder: string,
    private readonly root: string,
  ) {}

  /** All entries, checked. Reads only what is new since the last call (two stats when nothing is). */
  read(): Reading {
    try {
      this.notice();
    } catch (error) {
      return { entries: this.known, broken: `${this.folder} cannot be read: ${(error as Error).message}` };
    }
    for (;;) {
      const number = this.known.length + 1;
      const file = this.file(number);
      let text: string;
      try {
        if (fs.statSync(file, { throwIfNoEntry: false }) === undefined) return { entries: this.known, broken: this.gap(number) };
        text = fs.readFileSync(file, 'utf8');
      } catch (error) {
        return { entries: this.known, broken: `${file} cannot be read: ${(error as Error).message}` };
      }
      const entry = parseEntry(text);
      if (entry === null) return { entries: this.known, broken: `${file} is damaged` };
      if (entry.number !== number || entry.previous !== this.tip() || entry.hash !== hashOf(entry)) {
        return { entries: this.known, broken: `${file} does not follow from the entry before it` };
      }
      this.known.push(entry);
    }
  }

  /** Appends unless somebody else did since `read()`: then null, and the caller reads again. Throws when the disk refuses. */
  append(change: Change, at: Date): Entry | null {
    const draft = {
      version: 1 as const,
      number: this.known.length + 1,
      timestamp: at.toISOString(),
      previous: this.tip(),
      ...change,
    };
    const entry: Entry = { ...draft, hash: '' };
    entry.hash = hashOf(entry);
    makeFolder(this.folder);
    const aside = path.join(this.folder, `.${process.pid}.${process.hrtime.bigint()}.new`);
    const handle = fs.openSync(aside, 'wx', 0o600);
    try {
      fs.writeFileSync(handle, `${JSON.stringify(entry)}\n`);
      fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
    try {
      fs.linkSync(aside, this.file(entry.number));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
      throw error;
    } finally {
      fs.unlinkSync(aside);
    }
    this.syncFolder();
    if (this.known.length === 0) this.origin = this.identity();
    this.known.push(entry);
    return entry;
  }

  /** Forgets everything when the folder is another one than before. */
  private notice(): void {
    const origin = this.identity();
    if (origin === this.origin) return;
    this.origin = origin;
    this.known = [];
    this.gapChecked = 0;
  }

  private identity(): string {
    const stat = fs.statSync(this.folder, { throwIfNoEntry: false });
    return stat === undefined ? '' : `${stat.dev} ${stat.ino} ${stat.birthtimeMs}`;
  }

  private file(number: number): string {
    return path.join(this.folder, `${String(number).padStart(8, '0')}.json`);
  }

  private tip(): string {
    return this.known.at(-1)?.hash ?? createHash('sha256').update(this.root).digest('hex');
  }

  /** An entry that is missing in the middle leaves later ones behind: then the chain is broken, not short. */
  private gap(number: number): string | null {
    if (this.gapChecked === number) return null;
    let names: string[];
    try {
      names = fs.readdirSync(this.folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      return `${this.folder} cannot be read: ${(error as Error).message}`;
    }
    const later = names.some((name) => /^\d{8}\.json$/.test(name) && Number(name.slice(0, 8)) > number);
    // Another process may have appended both since the look before.
    if (later && fs.statSync(this.file(number), { throwIfNoEntry: false }) === undefined)
      return `${this.file(number)} is missing`;
    if (later) return null;
    this.gapChecked = number;
    return null;
  }

  private syncFolder(): void {
    const handle = fs.openSync(this.folder, 'r');
    try {
      fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
  }
}

function hashOf(entry: Entry): string {
  const { number, timestamp, previous, kind, from, to, actor, session, permissionMode, explanation } = entry;
  return createHash('sha256')
    .update(JSON.stringify([1, number, timestamp, previous, kind, from, to, actor, session, permissionMode, explanation]))
    .digest('hex');
}

function parseEntry(text: string): Entry | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Not JSON: the caller reports the file as damaged.
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const entry = value as Partial<Entry>;
  const strings = [entry.timestamp, entry.previous, entry.hash, entry.to, entry.explanation, entry.kind, entry.actor];
  return entry.version === 1 && typeof entry.number === 'number' && strings.every((text) => typeof text === 'string')
    ? (entry as Entry)
    : null;
}
