// The state of a mode's tests at its entry: the named results of an earlier run on the same files, and the files that affect the
// meaning of a run.

import path from 'node:path';
import { contents, differences, hashFiles, markFiles, type Tree, type TreeScope } from '../../../git/file-tree.ts';
import type { Requirement } from '../../../model/requirement.ts';
import { watchScope } from '../agent-run.ts';
import type { TestTally } from './identity.ts';
import {
  type EntryRecord,
  EntryTestStore,
  type EntryTests,
  type NamedRun,
  type StoredRun,
  type StoredTests,
  type TestsCheck,
} from './store.ts';

/** One visit to a mode, as far as its tests are concerned. */
interface ModeEntry {
  root: string;
  scope: string;
  /** Hash of the journal entry that started the visit. */
  entry: string;
}

export class TestHistory {
  private readonly newest = new Map<string, NamedRun>();
  private readonly stores = new Map<string, EntryTestStore>();

  constructor(
    private readonly root: string,
    private readonly home: string,
    private readonly dataFolder: string,
  ) {}

  of({ scope, entry }: ModeEntry): StoredTests {
    const store = this.store(scope);
    const record = new Map(store.read(entry));
    return {
      atEntry: (check) => record.get(keyOf(check)) ?? null,
      recordEntry: (check, run) => {
        const before = record.get(keyOf(check));
        if (before === undefined) return;
        record.set(keyOf(check), { ...before, known: run, fresh: true });
        store.write(entry, record);
      },
      record: (check, named) => {
        const key = scopedKey(scope, check);
        if (!forgetsTests(this.newest.get(key)?.run ?? record.get(keyOf(check))?.known ?? null, named.run))
          this.newest.set(key, named);
      },
    };
  }

  /**
   * The present state of the tests of a mode that is about to be entered.
   * @param before the visit that ends; null: there is none
   * @param guardedBy the files that affect the meaning of a run
   * @throws {TreeError} if a watched file cannot be read
   */
  take(
    requirements: readonly Requirement[],
    { root, scope }: Pick<ModeEntry, 'root' | 'scope'>,
    before: string | null,
    byDefault: () => TreeScope,
    guardedBy: (check: TestsCheck) => Tree,
  ): EntryRecord {
    const earlier = before === null ? null : this.store(scope).read(before);
    const record = new Map<string, EntryTests>();
    for (const check of requirements) {
      if (check.check !== 'tests' || record.has(keyOf(check))) continue;
      const watched = markFiles(root, watchScope(check, { home: this.home }, byDefault));
      const guarded = guardedBy(check);
      const last = this.lastOf(check, scope, earlier);
      const fresh = last !== null && differences(last.marks, watched).length === 0;
      record.set(keyOf(check), { watched, guarded, known: last?.run ?? null, fresh });
    }
    return record;
  }

  /** Whether a run shows the tests on the present files. Throws TreeError. */
  isKnown(check: TestsCheck, { root, scope, entry }: ModeEntry, byDefault: () => TreeScope): boolean {
    const last = this.lastOf(check, scope, this.store(scope).read(entry));
    if (last === null) return false;
    return differences(last.marks, markFiles(root, watchScope(check, { home: this.home }, byDefault))).length === 0;
  }

  /** Commands without a run that shows the tests at the entry. */
  unknownAt(requirements: readonly Requirement[], visit: ModeEntry): string[] {
    const { atEntry } = this.of(visit);
    const commands = requirements.flatMap((one) =>
      one.check === 'tests' && atEntry(one)?.fresh !== true
        ? [one.in === null ? one.command : `${one.command} (in ${one.in})`]
        : [],
    );
    return [...new Set(commands)];
  }

  /** Stores what `take` returned. False: it is too large to be stored, and the tests are then unknown. */
  write({ scope, entry }: Pick<ModeEntry, 'scope' | 'entry'>, record: EntryRecord): boolean {
    return record.size === 0 || this.store(scope).write(entry, record);
  }

  /** The newest named run: of this process, or the one that was known at the last entry. */
  private lastOf(check: TestsCheck, scope: string, earlier: EntryRecord | null): NamedRun | null {
    const newest = this.newest.get(scopedKey(scope, check));
    if (newest !== undefined) return newest;
    const before = earlier?.get(keyOf(check));
    if (before === undefined || before.known === null) return null;
    return { run: before.known, marks: before.fresh ? before.watched : new Map() };
  }

  private store(scope: string): EntryTestStore {
    const store = this.stores.get(scope) ?? new EntryTestStore(this.root, this.dataFolder, scope);
    this.stores.set(scope, store);
    return store;
  }
}

/** Whether a run reports no test after one with tests. A program that ends the run early can make it look like that. */
export function forgetsTests(known: StoredRun | null, { tests }: StoredRun): boolean {
  return tests.length === 0 && known !== null && known.tests.length > 0;
}

/** Contents of the test files that results name. */
export function testFiles(tests: readonly TestTally[], check: TestsCheck, root: string): Tree {
  const names = new Set(tests.flatMap(({ file }) => (file === null ? [] : [fileInProject(check, file)])));
  const folders = new Set<string>();
  for (const name of names)
    for (let folder = path.posix.dirname(name); folder !== '.' && !folders.has(folder); folder = path.posix.dirname(folder))
      folders.add(folder);
  const scope = { file: (name: string) => names.has(name), folder: (name: string) => folders.has(name) };
  return contents(hashFiles(root, { ...scope, meant: (name) => names.has(name) || folders.has(name) }));
}

/** The path of a test file from the root on. Results name it from the folder of the run on. */
export function fileInProject({ in: folder }: TestsCheck, file: string): string {
  return path.posix.join(folder ?? '.', file);
}

function scopedKey(scope: string, check: TestsCheck): string {
  return JSON.stringify([scope, keyOf(check)]);
}

/** Checks with the same key are about the same runs. */
function keyOf({ command, in: folder, watch, outputs, report }: TestsCheck): string {
  return JSON.stringify([command, folder, watch, outputs, report]);
}
