// The tests that were known when a mode was entered, stored in the data folder beside the journal. The record outlives the
// session that made it.

import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import type { Tree } from '../../../git/file-tree.ts';
import type { Requirement } from '../../../model/requirement.ts';
import { newestFirst, projectFolder } from '../../../platform/data-folder.ts';
import { NotReadable } from '../../../platform/read-file.ts';
import { fields, pairs, RecordKind } from '../../../store/record.ts';
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

/** The records of tests that checks use and add to during the present visit to a mode. */
export interface StoredTests {
  /** The state at the entry; null: it was not recorded. */
  atEntry(check: TestsCheck): EntryTests | null;
  /** A run on the files as they were at the entry. It becomes the state at the entry. */
  recordEntry(check: TestsCheck, run: StoredRun): void;
  /** The newest run. It becomes the state at the entry into the next mode. */
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
/** Number of records that are kept: for the present mode, and for the modes of other sessions. */
const maxRecords = 8;

const count = z.int().check(z.nonnegative());
/** Tests name their files by position in `names`; -1: no file. */
const row = z.tuple([z.int().check(z.gte(-1)), z.string(), count, count, count, count]);
const named = fields({
  runner: z.enum(runnerNames),
  at: z.string(),
  names: z.array(z.string()),
  tests: z.array(row).check(z.maxLength(maxTests)),
  files: pairs(z.string()),
}).check(z.refine(({ names, tests }) => tests.every(([file]) => file < names.length)));

const storedRun = z.codec(named, z.custom<StoredRun>(), {
  decode: ({ names, tests, ...run }) => ({
    ...run,
    tests: tests.map(([file, title, passed, failed, broken, skipped]) => {
      return { file: names[file] ?? null, title, passed, failed, broken, skipped };
    }),
  }),
  encode: ({ runner, at, tests, files }) => {
    const names = [...new Set(tests.flatMap(({ file }) => (file === null ? [] : [file])))];
    const numbers = new Map(names.map((name, index) => [name, index]));
    const rows = tests.map(({ file, title, passed, failed, broken, skipped }): z.output<typeof row> => {
      return [file === null ? -1 : (numbers.get(file) as number), title, passed, failed, broken, skipped];
    });
    return { runner, at, names, tests: rows, files };
  },
});

const entryTests = new RecordKind({
  schema: fields({
    root: z.string(),
    /** Hash of the journal entry that started the visit; '' before the first. */
    entry: z.string(),
    commands: z.array(
      fields({
        key: z.string(),
        watched: pairs(z.string()),
        guarded: pairs(z.string()),
        fresh: z.boolean(),
        known: z.nullable(storedRun),
      }),
    ),
  }),
  maxBytes: maxRecordBytes,
});

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
    const stored = entryTests.read(this.file(entry));
    if (stored === null || stored.root !== this.root || stored.entry !== entry) return null;
    return new Map(stored.commands.map(({ key, ...tests }) => [key, tests]));
  }

  /**
   * False: the record would be too large, and none is written. Throws `LaterVersion` if a later version wrote this record, or if
   * the disk refuses.
   */
  write(entry: string, record: EntryRecord): boolean {
    const file = this.file(entry);
    entryTests.refuseLater(file);
    try {
      entryTests.write(file, { root: this.root, entry, commands: [...record].map(([key, tests]) => ({ key, ...tests })) });
    } catch (error) {
      if (error instanceof NotReadable) return false;
      throw error;
    }
    this.dropOld();
    return true;
  }

  /** A record of a later version stays, because only that version can read it. */
  private dropOld(): void {
    const names = fs.readdirSync(this.folder).filter((name) => name.endsWith('.json'));
    // Only the old ones are read, because a record can be large.
    for (const { name } of newestFirst(this.folder, names).slice(maxRecords)) {
      const file = path.join(this.folder, name);
      if (!['later', 'refused'].includes(entryTests.state(file).state)) fs.rmSync(file, { force: true });
    }
  }

  private file(entry: string): string {
    return path.join(this.folder, `${entry === '' ? 'first' : entry.slice(0, 32)}.json`);
  }
}
