// The append-only, hash-chained record of a project's mode. Each entry is one file, created by an atomic link.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as z from 'zod/mini';
import { projectFolder, readDataFile, sweepFresh } from '../platform/data-folder.ts';
import { hexHash } from '../platform/hash.ts';
import { fields, RecordKind, type RecordOf, type RecordState } from '../store/record.ts';
import type { AuthorityAct } from './authority-changes.ts';
import type { GateProof } from './gates/proof.ts';
import type { WorkEvent } from './plan/events.ts';

/** A text of one of these values, or of one that a later build added. */
const text = <Value extends string>() => z.custom<Value>((value) => typeof value === 'string');

export type Actor = 'model' | 'person' | 'engine';

/** `client`: the client's own dialog about a tool call. `dialog`: a dialog of Modes. `command`: the person typed the command. */
export type Confirmed = 'client' | 'dialog' | 'command' | 'terminal';

/** The confirmation of a change, in words. */
export const confirmedBy: Readonly<Record<Confirmed, string>> = {
  client: "confirmed by a person in the client's dialog",
  dialog: 'confirmed by a person in a dialog of Modes',
  command: 'typed by a person',
  terminal: 'confirmed by a person in a terminal',
};

/**
 * One entry. An entry of a later build may have another kind or actor, and fields that this build does not know. Its hash covers
 * them, so nested values are not checked: a wrong one does not follow from the entry before it.
 */
const entries = new RecordKind({
  schema: fields({
    version: z.literal(1),
    number: z.number(),
    /** ISO 8601, UTC. */
    timestamp: z.string(),
    /** Seconds since the machine started, with fractions. Entries of an earlier version do not have it. */
    uptime: z.optional(z.custom<number>()),
    /** Hash of the entry before; for the first entry, the hash of the root's path. */
    previous: z.string(),
    /**
     * `force` is a change of mode without its gate. `stop`: only reading is permitted until a person names a mode. `plan`,
     * `authority`: the mode stays the same, and the field `work` or `authority` describes the change.
     */
    kind: text<'start' | 'transition' | 'force' | 'stop' | 'plan' | 'authority'>(),
    from: z._default(z.custom<string | null>(), null),
    to: z.string(),
    actor: text<Actor>(),
    session: z._default(z.custom<string | null>(), null),
    permissionMode: z._default(z.custom<string | null>(), null),
    explanation: z.string(),
    /** The change of a plan or of the task, recorded in the same entry. */
    work: z.optional(z.custom<WorkEvent>()),
    /** A grant that a person gave or revoked, or that a call consumed. */
    authority: z.optional(z.custom<AuthorityAct>()),
    /** The satisfied requirements of the gate, with their evidence. */
    evidence: z.optional(z.custom<GateProof[]>()),
    /** For `force`: where a person confirmed it. Entries of an earlier version do not have it. */
    confirmed: z.optional(z.custom<Confirmed>()),
    hash: z.string(),
  }),
});

export type JournalEntry = RecordOf<typeof entries>;
/** The content of an entry. */
export type JournalChange = Omit<JournalEntry, 'version' | 'number' | 'timestamp' | 'uptime' | 'previous' | 'hash'>;

/** Identifies one entry of a journal by its number and hash. */
export type JournalMark = Pick<JournalEntry, 'number' | 'hash'>;

export type JournalReading = { entries: JournalEntry[]; broken: null } | { entries: JournalEntry[]; broken: string };

/** The folder of a scope's journal; '' is the project's own scope. */
export function journalFolder(dataFolder: string, root: string, scope: string): string {
  const name = scope === '' ? shared : `${shared}-${hexHash(scope).slice(0, 16)}`;
  return path.join(projectFolder(dataFolder, root), name);
}

const shared = 'journal';
const newestFile = 'newest';

export type ReadJournal = JournalReading & { isShared: boolean };

/**
 * Every journal of a project, including those of worktrees and sessions. Damaged journals that were set aside are left out.
 * Throws if the disk refuses.
 */
export function readJournals(dataFolder: string, root: string): ReadJournal[] {
  const folder = projectFolder(dataFolder, root);
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  return names
    .filter((name) => name === shared || /^journal-[0-9a-f]{16}$/.test(name))
    .map((name) => ({ ...new Journal(path.join(folder, name), root).read(), isShared: name === shared }));
}

/**
 * Works without a lock: an entry is written to a temporary file, synced, and linked to its number. If two writers choose one
 * number, the link succeeds for exactly one. A writer that dies leaves at most a temporary file, which no reader opens and a
 * later writer removes.
 */
export class Journal {
  private known: JournalEntry[] = [];
  /** Identity of the folder that `known` was read from. A journal that was set aside and started again is a different one. */
  private origin = '';
  private gapChecked = 0;
  private nextFile = { number: 0, file: '' };

  /** `after`: an entry that is known to follow from all entries before it. Only later entries are read. */
  constructor(
    private readonly folder: string,
    private readonly root: string,
    private after: JournalMark | null = null,
  ) {}

  /** The newest entry that was read; null if there is none. */
  get newest(): JournalMark | null {
    return this.known.at(-1) ?? this.after;
  }

  /** All entries were read, from the first one on. */
  get isWhole(): boolean {
    return this.after === null;
  }

  /** Returns all entries, verified. Reads only the new ones since the last call (two stats if there are none). */
  read(): JournalReading {
    return this.part(Number.POSITIVE_INFINITY) as JournalReading;
  }

  /** Like `read`, for at most `most` new entries; null: more may follow. */
  part(most: number): JournalReading | null {
    try {
      this.notice();
    } catch (error) {
      return { entries: this.known, broken: `${this.folder} cannot be read: ${(error as Error).message}` };
    }
    for (let left = most; left > 0; left--) {
      const number = this.nextNumber();
      const file = this.next(number);
      let isThere: boolean;
      try {
        // Cheaper than reading, and the usual case.
        isThere = fs.statSync(file, { throwIfNoEntry: false }) !== undefined;
      } catch (error) {
        return { entries: this.known, broken: `${file} cannot be read: ${(error as Error).message}` };
      }
      if (!isThere) return { entries: this.known, broken: this.gap(number) };
      const found = entries.state(file);
      if (found.state !== 'whole') return { entries: this.known, broken: `${file} ${brokenText(found)}` };
      const entry = found.value;
      if (entry.number !== number || entry.previous !== this.tip() || entry.hash !== hashOf(entry)) {
        return { entries: this.known, broken: `${file} does not follow from the entry before it` };
      }
      this.known.push(entry);
    }
    return null;
  }

  /**
   * Appends, unless another writer did so since `read()`. Then it returns null and the caller must read again. Throws if the disk
   * refuses.
   */
  append(change: JournalChange, at: Date): JournalEntry | null {
    const draft = {
      version: 1 as const,
      number: this.nextNumber(),
      timestamp: at.toISOString(),
      uptime: os.uptime(),
      previous: this.tip(),
      ...change,
    };
    const entry: JournalEntry = { ...draft, hash: '' };
    entry.hash = hashOf(entry);
    if (!entries.create(this.file(entry.number), entry)) return null;
    this.syncFolder();
    this.markNewest(entry);
    this.sweep();
    if (this.known.length === 0) this.origin = this.identity();
    this.known.push(entry);
    return entry;
  }

  /** Forgets everything if the folder was replaced. */
  private notice(): void {
    const origin = this.identity();
    if (origin === this.origin) return;
    // The verified prefix belongs to the folder that was replaced.
    if (this.origin !== '') this.after = null;
    this.origin = origin;
    this.known = [];
    this.gapChecked = 0;
  }

  private identity(): string {
    const stat = fs.statSync(this.folder, { throwIfNoEntry: false });
    return stat === undefined ? '' : `${stat.dev} ${stat.ino} ${stat.birthtimeMs}`;
  }

  private nextNumber(): number {
    return (this.newest?.number ?? 0) + 1;
  }

  /** Cached, because the same file name is checked on every call. */
  private next(number: number): string {
    if (this.nextFile.number !== number) this.nextFile = { number, file: this.file(number) };
    return this.nextFile.file;
  }

  private file(number: number): string {
    return entryFile(this.folder, number);
  }

  private tip(): string {
    return this.newest?.hash ?? hexHash(this.root);
  }

  /** A missing entry with later entries after it means a broken chain, not a short one. */
  private gap(number: number): string | null {
    if (this.gapChecked === number) return null;
    let names: string[];
    try {
      names = fs.readdirSync(this.folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      return `${this.folder} cannot be read: ${(error as Error).message}`;
    }
    const newest = this.readNewest();
    const later = names.some((name) => /^\d{8}\.json$/.test(name) && Number(name.slice(0, 8)) > number);
    const ended = newest !== null && newest.number >= number;
    // Another process may have appended since the previous check.
    if ((later || ended) && fs.statSync(this.file(number), { throwIfNoEntry: false }) === undefined)
      return `${this.file(number)} is missing`;
    if (later || ended) return null;
    if (newest !== null && newest.number > (this.after?.number ?? 0) && this.hashAt(newest.number) !== newest.hash)
      return `${this.file(newest.number)} differs from the entry that was written`;
    if (this.after !== null && !isThere(this.folder, this.after))
      return `${this.file(this.after.number)} has changed since it was read`;
    this.gapChecked = number;
    return null;
  }

  private hashAt(number: number): string | undefined {
    return this.known[number - 1 - (this.after?.number ?? 0)]?.hash;
  }

  /**
   * Records the newest entry in a file beside the entries, so that the removal of the last entries is noticed. If several writers
   * are active, the last write wins.
   */
  private markNewest({ number, hash }: JournalEntry): void {
    try {
      const { O_WRONLY, O_CREAT, O_TRUNC, O_NONBLOCK } = fs.constants;
      const flags = O_WRONLY | O_CREAT | O_TRUNC | (O_NONBLOCK ?? 0);
      const handle = fs.openSync(path.join(this.folder, newestFile), flags, 0o600);
      try {
        fs.writeSync(handle, `${number} ${hash}\n`);
      } finally {
        fs.closeSync(handle);
      }
    } catch (error) {
      process.stderr.write(`modes: could not mark the newest entry of ${this.folder}: ${(error as Error).message}\n`);
    }
  }

  /** The entry already exists, so a failed clean-up is only reported. */
  private sweep(): void {
    try {
      sweepFresh(this.folder, '');
      // The project's other records are written less often, so their leftovers are removed here.
      sweepFresh(path.dirname(this.folder), '');
    } catch (error) {
      process.stderr.write(`modes: could not clean up ${this.folder}: ${(error as Error).message}\n`);
    }
  }

  /** null: unknown. */
  private readNewest(): { number: number; hash: string } | null {
    let text: string;
    try {
      text = readDataFile(path.join(this.folder, newestFile));
    } catch (error) {
      if (typeof (error as NodeJS.ErrnoException).code === 'string') return null;
      throw error;
    }
    const [, number, hash] = /^(\d{1,8}) ([0-9a-f]{64})\n$/.exec(text) ?? [];
    return number === undefined || hash === undefined ? null : { number: Number(number), hash };
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

function entryFile(folder: string, number: number): string {
  return path.join(folder, `${String(number).padStart(8, '0')}.json`);
}

/** Also false if the disk refuses. */
export function isThere(folder: string, { number, hash }: JournalMark): boolean {
  const entry = entries.read(entryFile(folder, number));
  return entry !== null && entry.number === number && entry.hash === hash && hash === hashOf(entry);
}

function brokenText(found: Exclude<RecordState<JournalEntry>, { state: 'whole' }>): string {
  if (found.state === 'refused') return `cannot be read: ${found.error.message}`;
  if (found.state === 'later') return 'was written by a later version of Modes; use that version to read it';
  return found.state === 'absent' ? 'is missing' : 'is damaged';
}

/** Covers every field of the entry, including fields that only a later version knows. */
function hashOf(entry: JournalEntry): string {
  const { version, number, timestamp, previous, kind, from, to, actor, session, permissionMode, explanation, ...more } = entry;
  const { work, hash: _, ...named } = more;
  const fields = [version, number, timestamp, previous, kind, from, to, actor, session, permissionMode, explanation];
  const added = Object.entries(named)
    .filter(([, value]) => value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => ({ [name]: value }));
  return hexHash(JSON.stringify([...fields, ...(work === undefined ? [] : [work]), ...added]));
}
