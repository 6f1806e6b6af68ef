// The tests that were known when a mode was entered, stored in the data folder beside the journal. The record outlives the
// session that made it.

import fs from 'node:fs';
import path from 'node:path';
import type { Tree } from '../../../git/file-tree.ts';
import type { Requirement } from '../../../model/requirement.ts';
import { makeFolder, projectFolder, writeWhole } from '../../../platform/data-folder.ts';
import { refuseLater } from '../../../platform/newer-record.ts';
import { readRegularText } from '../../../platform/read-file.ts';
import { maxTests, type TestTally } from './identity.ts';
import { type RunnerName, runnerNames } from './result.ts';

/** The named results of one run. */
export interface StoredRun {
  runner: RunnerName;
  /** ISO 8601, UTC: when the run ended. */
  at: string;
  tests: readonly TestTally[];
  /** Hashes of the test files that the results name, to find a file that was renamed. */
  files: Tree;
}

export type TestsCheck = Requirement & { check: 'tests' };

/** The named results of a run, and the marks of the watched files as they were during it. */
export interface NamedRun {
  run: StoredRun;
  marks: Tree;
}

/** What checks know and record of the tests of the present visit to a mode. */
export interface StoredTests {
  /** The state at the entry; null: it was not recorded. */
  atEntry(check: TestsCheck): EntryTests | null;
  /** A run on the files as they were at the entry. It becomes the state at the entry. */
  recordEntry(check: TestsCheck, run: StoredRun): void;
  /** The newest run. It is what is known at the entry into the next mode. */
  record(check: TestsCheck, named: NamedRun): void;
}

/** The state of one command's tests at the entry into a mode. */
export interface EntryTests {
  /** Marks of the watched files. */
  watched: Tree;
  /** Contents of the files that change what a run means. */
  guarded: Tree;
  /** The last run with named results; null: none is known. */
  known: StoredRun | null;
  /** No watched file changed between that run and the entry. */
  fresh: boolean;
}

/** By the key of the requirement's command. */
export type EntryRecord = ReadonlyMap<string, EntryTests>;

/** Largest record in bytes. Nothing larger is written, and the gate then knows no tests. */
export const maxRecordBytes = 20_000_000;
/** How many records are kept: for the present mode, and for modes that other sessions may still be in. */
const kept = 8;
/** The first characters of every record of this version. */
const start = '{"version":1,';

type Row = [file: number, title: string, passed: number, failed: number, broken: number, skipped: number];
type Pairs = [name: string, hash: string][];

interface Stored {
  version: 1;
  root: string;
  /** Hash of the journal entry that started the visit; '' before the first. */
  entry: string;
  commands: {
    key: string;
    watched: Pairs;
    guarded: Pairs;
    fresh: boolean;
    known: { runner: RunnerName; at: string; names: string[]; tests: Row[]; files: Pairs } | null;
  }[];
}

/** The records of one scope of a project. */
export class EntryTestStore {
  private readonly folder: string;

  constructor(
    private readonly root: string,
    dataFolder: string,
    scope: string,
  ) {
    this.folder = path.join(projectFolder(dataFolder, root), `tests${scope === '' ? '' : `-${scope}`}`);
  }

  /** null: there is no record for this entry, or it cannot be read. Then no test is known. */
  read(entry: string): EntryRecord | null {
    const stored = this.stored(entry);
    if (!isStored(stored) || stored.root !== this.root || stored.entry !== entry) return null;
    return new Map(
      stored.commands.map(({ key, watched, guarded, fresh, known }) => [
        key,
        { watched: new Map(watched), guarded: new Map(guarded), fresh, known: known === null ? null : readStoredTests(known) },
      ]),
    );
  }

  /**
   * False: the record would be too large, and none is written. Throws `LaterVersion` if a later version wrote this record, or if
   * the disk refuses.
   */
  write(entry: string, record: EntryRecord): boolean {
    const stored: Stored = {
      version: 1,
      root: this.root,
      entry,
      commands: [...record].map(([key, { watched, guarded, fresh, known }]) => ({
        key,
        watched: [...watched],
        guarded: [...guarded],
        fresh,
        known: known === null ? null : writeStoredTests(known),
      })),
    };
    const text = JSON.stringify(stored);
    if (Buffer.byteLength(text) > maxRecordBytes) return false;
    refuseLater(this.file(entry), this.stored(entry));
    makeFolder(this.folder);
    writeWhole(this.file(entry), text);
    this.dropOld();
    return true;
  }

  private stored(entry: string): unknown {
    try {
      return JSON.parse(readRegularText(this.file(entry), maxRecordBytes));
    } catch {
      // Absent or damaged: no test is known, and a gate then says so.
      return null;
    }
  }

  /** A record of a later version stays, because only that version knows what is in it. */
  private dropOld(): void {
    const aged = fs
      .readdirSync(this.folder)
      .map((name) => path.join(this.folder, name))
      .filter((file) => file.endsWith('.json') && isOfThisVersion(file))
      .map((file) => ({ file, at: fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
      .sort((one, other) => other.at - one.at);
    for (const { file } of aged.slice(kept)) fs.rmSync(file, { force: true });
  }

  private file(entry: string): string {
    return path.join(this.folder, `${entry === '' ? 'first' : entry.slice(0, 32)}.json`);
  }
}

function isOfThisVersion(file: string): boolean {
  try {
    return readRegularText(file, maxRecordBytes).startsWith(start);
  } catch {
    // Too large or not a regular file: not written by this version.
    return false;
  }
}

function writeStoredTests({ runner, at, tests, files }: StoredRun): Stored['commands'][number]['known'] {
  const names = [...new Set(tests.flatMap(({ file }) => (file === null ? [] : [file])))];
  const numbers = new Map(names.map((name, index) => [name, index]));
  const rows = tests.map(({ file, title, passed, failed, broken, skipped }): Row => {
    return [file === null ? -1 : (numbers.get(file) as number), title, passed, failed, broken, skipped];
  });
  return { runner, at, names, tests: rows, files: [...files] };
}

function readStoredTests({ runner, at, names, tests, files }: NonNullable<Stored['commands'][number]['known']>): StoredRun {
  return {
    runner,
    at,
    tests: tests.map(([file, title, passed, failed, broken, skipped]) => {
      return { file: names[file] ?? null, title, passed, failed, broken, skipped };
    }),
    files: new Map(files),
  };
}

function isStored(value: unknown): value is Stored {
  if (typeof value !== 'object' || value === null) return false;
  const { version, commands } = value as Partial<Stored>;
  return version === 1 && Array.isArray(commands) && commands.every(isCommand);
}

function isCommand(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { key, watched, guarded, fresh, known } = value as Partial<Stored['commands'][number]>;
  return (
    typeof key === 'string' &&
    typeof fresh === 'boolean' &&
    arePairs(watched) &&
    arePairs(guarded) &&
    (known === null || isKnown(known))
  );
}

function isKnown(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { runner, at, names, tests, files } = value as { [key: string]: unknown };
  return (
    runnerNames.some((name) => name === runner) &&
    typeof at === 'string' &&
    Array.isArray(names) &&
    names.every((name) => typeof name === 'string') &&
    Array.isArray(tests) &&
    tests.length <= maxTests &&
    tests.every((row) => isRow(row, names.length)) &&
    arePairs(files)
  );
}

function isRow(row: unknown, files: number): boolean {
  if (!Array.isArray(row) || row.length !== 6) return false;
  const [file, title, ...counts] = row as unknown[];
  const isCount = (count: unknown): boolean => Number.isSafeInteger(count) && (count as number) >= 0;
  const isFile = file === -1 || (isCount(file) && (file as number) < files);
  return isFile && typeof title === 'string' && counts.every(isCount);
}

function arePairs(value: unknown): boolean {
  const isPair = (pair: unknown): boolean =>
    Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === 'string');
  return Array.isArray(value) && value.every(isPair);
}
