// The contents of the files that a mode's gates compare, as of the entry into the mode. Stored in the data folder beside the
// journal.

import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { anyScope, type Hashed, hashFiles } from '../../git/file-tree.ts';
import { type Ignoring, ignoringNow, unignored } from '../../git/ignored.ts';
import { headCommit } from '../../git/run.ts';
import { keepNewest, projectFolder } from '../../platform/data-folder.ts';
import { fields, pairs, RecordKind } from '../../store/record.ts';
import { wideScope } from './globs.ts';

export interface Baseline extends Ignoring {
  globs: string[];
  /** The files of the globs. If `whole`, also every other file that git did not ignore. */
  files: Hashed;
  whole: boolean;
  /** The commit that was checked out; null: none, or unknown. */
  head: string | null;
}

/** Files with mark and hash, stored as a list. */
export const hashedFiles = z.codec(z.array(z.tuple([z.string(), z.string(), z.string()])), z.custom<Hashed>(), {
  decode: (list) => new Map(list.map(([name, mark, hash]) => [name, { mark, hash }])),
  encode: (files) => [...files].map(([name, { mark, hash }]): [string, string, string] => [name, mark, hash]),
});

/** Largest record of files, in bytes: 50,000 files take about 8 MB. */
export const maxFilesBytes = 134_217_728;

/** The first versions did not write the fields with a default. */
const baselines = new RecordKind({
  schema: fields({
    root: z.string(),
    /** Hash of the journal entry that started the visit; '' before the first. */
    entry: z.string(),
    globs: z.array(z.string()),
    whole: z._default(z.boolean(), false),
    head: z._default(z.nullable(z.string()), null),
    ignores: z._default(pairs(z.string()), () => new Map()),
    tracked: z._default(z.array(z.string()), () => []),
    files: hashedFiles,
  }),
  maxBytes: maxFilesBytes,
});

/** Number of records that are kept: for the present mode, and for the modes of other sessions. */
const maxRecords = 8;

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
  private lastRecord: { entry: string; baseline: Baseline } | null = null;

  constructor(
    private readonly root: string,
    dataFolder: string,
    scope: string,
  ) {
    this.folder = path.join(projectFolder(dataFolder, root), `entered${scope === '' ? '' : `-${scope}`}`);
  }

  /** The last record of this process, so that unchanged contents need not be read again. */
  get newest(): Baseline | null {
    return this.lastRecord?.baseline ?? null;
  }

  /** The record for this entry; null if it does not exist or is unreadable. */
  read(entry: string): Baseline | null {
    if (this.lastRecord?.entry === entry) return this.lastRecord.baseline;
    const baseline = baselines.read(this.file(entry));
    // An unknown baseline satisfies no requirement.
    if (baseline === null || baseline.root !== this.root || baseline.entry !== entry) return null;
    this.lastRecord = { entry, baseline };
    return baseline;
  }

  /** Throws if the disk refuses. The record in memory applies anyway. */
  write(entry: string, baseline: Baseline): void {
    this.lastRecord = { entry, baseline };
    baselines.write(this.file(entry), { ...baseline, root: this.root, entry });
    const names = fs.readdirSync(this.folder).filter((name) => name.endsWith('.json'));
    keepNewest(this.folder, names, maxRecords);
  }

  private file(entry: string): string {
    return path.join(this.folder, `${entry === '' ? 'first' : entry.slice(0, 32)}.json`);
  }
}
