// The contents of the files that a mode's gates compare, as of the entry into the mode. Stored in the data folder beside the
// journal.

import fs from 'node:fs';
import path from 'node:path';
import { anyScope, type Hashed, hashFiles } from '../../git/file-tree.ts';
import { type Ignoring, ignoringNow, unignored } from '../../git/ignored.ts';
import { headCommit } from '../../git/run.ts';
import { makeFolder, projectFolder, writeWhole } from '../../platform/data-folder.ts';
import { readRegularText } from '../../platform/read-file.ts';
import { wideScope } from './globs.ts';

/** Largest record that is read, in bytes: 50,000 files take about 8 MB. */
const maxBytes = 134_217_728;

export interface Baseline extends Ignoring {
  globs: string[];
  /** The files of the globs. If `whole`, also every other file that git did not ignore. */
  files: Hashed;
  whole: boolean;
  /** The commit that was checked out; null: none, or unknown. */
  head: string | null;
}

interface Stored {
  version: 1;
  root: string;
  /** Hash of the journal entry that started the visit; '' before the first. */
  entry: string;
  globs: string[];
  files: [string, string, string][];
  whole?: boolean;
  head?: string | null;
  ignores?: [name: string, text: string][];
  tracked?: string[];
}

/** How many records are kept: for the present mode, and for modes that other sessions may still be in. */
const kept = 8;

/**
 * Records the present files. Reads globs both permissively and restrictively, so that either kind of check finds its files.
 * @param whole records every file that git does not ignore, too
 */
export function takeBaseline(
  root: string,
  home: string,
  globs: readonly string[],
  before: Baseline | null,
  whole = false,
): Baseline {
  const scopes = [...(globs.length > 0 ? [wideScope(globs, home)] : []), ...(whole ? [unignored(root)] : [])];
  const files = scopes.length === 0 ? new Map() : hashFiles(root, anyScope(...scopes), before?.files);
  return { globs: [...globs], whole, files, head: headCommit(root), ...ignoringNow(root) };
}

/** The records of one scope of a project, stored beside the journal of that scope. */
export class BaselineStore {
  private readonly folder: string;
  private held: { entry: string; baseline: Baseline } | null = null;

  constructor(
    private readonly root: string,
    dataFolder: string,
    scope: string,
  ) {
    this.folder = path.join(projectFolder(dataFolder, root), `entered${scope === '' ? '' : `-${scope}`}`);
  }

  /** The last record of this process, so that unchanged contents need not be read again. */
  get newest(): Baseline | null {
    return this.held?.baseline ?? null;
  }

  /** The record for this entry; null if it does not exist or is unreadable. */
  read(entry: string): Baseline | null {
    if (this.held?.entry === entry) return this.held.baseline;
    let stored: unknown;
    try {
      stored = JSON.parse(readRegularText(this.file(entry), maxBytes));
    } catch {
      // Absent or damaged: unknown, and an unknown baseline satisfies no requirement.
      return null;
    }
    if (!isStored(stored) || stored.root !== this.root || stored.entry !== entry) return null;
    const baseline = {
      globs: stored.globs,
      files: new Map(stored.files.map(([name, mark, hash]) => [name, { mark, hash }])),
      whole: stored.whole ?? false,
      head: stored.head ?? null,
      ignores: new Map(stored.ignores),
      tracked: stored.tracked ?? [],
    };
    this.held = { entry, baseline };
    return baseline;
  }

  /** Throws if the disk refuses. The record in memory applies anyway. */
  write(entry: string, baseline: Baseline): void {
    this.held = { entry, baseline };
    const stored: Stored = {
      version: 1,
      root: this.root,
      entry,
      globs: baseline.globs,
      ...(baseline.whole && { whole: true }),
      head: baseline.head,
      ignores: [...baseline.ignores],
      tracked: [...baseline.tracked],
      files: [...baseline.files].map(([name, { mark, hash }]) => [name, mark, hash]),
    };
    makeFolder(this.folder);
    writeWhole(this.file(entry), JSON.stringify(stored));
    this.dropOld();
  }

  private dropOld(): void {
    const aged = fs
      .readdirSync(this.folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => ({ name, at: fs.statSync(path.join(this.folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
      .sort((one, other) => other.at - one.at);
    for (const { name } of aged.slice(kept)) fs.rmSync(path.join(this.folder, name), { force: true });
  }

  private file(entry: string): string {
    return path.join(this.folder, `${entry === '' ? 'first' : entry.slice(0, 32)}.json`);
  }
}

function isStored(value: unknown): value is Stored {
  if (typeof value !== 'object' || value === null) return false;
  const { version, globs, files, whole = false, head, ignores = [], tracked = [] } = value as Partial<Stored>;
  return (
    version === 1 &&
    typeof whole === 'boolean' &&
    (head === undefined || head === null || typeof head === 'string') &&
    Array.isArray(ignores) &&
    ignores.every((one) => Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === 'string')) &&
    Array.isArray(tracked) &&
    tracked.every((name) => typeof name === 'string') &&
    Array.isArray(globs) &&
    globs.every((glob) => typeof glob === 'string') &&
    Array.isArray(files) &&
    files.every((file) => Array.isArray(file) && file.length === 3 && file.every((part) => typeof part === 'string'))
  );
}
