// What is known of the guarded files during one visit of a mode, stored beside the journal so that every process compares with the
// same state.

import fs from 'node:fs';
import path from 'node:path';
import type { Hashed } from '../../git/file-tree.ts';
import type { Ignoring } from '../../git/ignored.ts';
import { makeFolder, projectFolder, writeWhole } from '../../platform/data-folder.ts';
import { readRegularText } from '../../platform/read-file.ts';

/** Largest record that is read, in bytes: 50,000 files take about 8 MB. */
const maxBytes = 134_217_728;

export interface VerifiedRun {
  id: string;
  command: string;
  /** ISO 8601. */
  at: string;
  /** It may go on after its call ended. */
  background: boolean;
}

/** A guarded file that changed although no permitted call wrote it. */
export interface Violation {
  file: string;
  change: 'created' | 'changed' | 'removed';
  /** The rule or protection that a write would have met. */
  rule: string;
  /** The run that was seen last before the change. */
  command: string;
  /** ISO 8601: when the change was seen. */
  at: string;
}

interface Stored extends Omit<VerificationRecord, 'files' | 'ignoring'> {
  version: 1;
  root: string;
  ignoring?: { ignores: [name: string, text: string][]; tracked: string[] } | null;
  files: [name: string, mark: string, hash: string][];
}

export interface VerificationRecord {
  /** Hash of the journal entry that started the visit; '' before the first. */
  entry: string;
  mode: string;
  /** Identifies the rules that selected the files. */
  rules: string;
  /** What git ignored then; null if it is not known, or does not matter. */
  ignoring: Ignoring | null;
  /** The last runs, oldest first. */
  runs: VerifiedRun[];
  violations: Violation[];
  /** The files as they may be: as of the first run, plus what permitted calls and persons changed since. */
  files: Hashed;
}

export class RecordStore {
  private readonly file: string;
  private cached: { stamp: string; record: VerificationRecord } | null = null;

  constructor(
    private readonly root: string,
    dataFolder: string,
    scope: string,
  ) {
    this.file = path.join(projectFolder(dataFolder, root), `verified${scope === '' ? '' : `-${scope}`}.json`);
  }

  /** null: there was no verified run. Throws if there is a record that cannot be read. */
  read(): VerificationRecord | null {
    const stat = fs.lstatSync(this.file, { throwIfNoEntry: false });
    if (stat === undefined) return null;
    const stamp = `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
    if (this.cached?.stamp === stamp) return this.cached.record;
    const read: unknown = JSON.parse(readRegularText(this.file, maxBytes));
    if (!isStored(read)) throw new Error('the record of verified runs is damaged, or of a later version');
    const { files, root, ignoring = null, version: _, ...rest } = read;
    if (root !== this.root) throw new Error(`the record of verified runs belongs to ${root}`);
    const record = {
      ...rest,
      ignoring: ignoring === null ? null : { ...ignoring, ignores: new Map(ignoring.ignores) },
      files: new Map(files.map(([name, mark, hash]) => [name, { mark, hash }])),
    };
    this.cached = { stamp, record };
    return record;
  }

  /** Throws if the disk refuses. */
  write(record: VerificationRecord): void {
    const { files, ignoring, ...rest } = record;
    const ignored = ignoring === null ? null : { ...ignoring, ignores: [...ignoring.ignores] };
    const listed = [...files].map(([name, { mark, hash }]): [string, string, string] => [name, mark, hash]);
    makeFolder(path.dirname(this.file));
    writeWhole(this.file, JSON.stringify({ version: 1, root: this.root, ...rest, ignoring: ignored, files: listed }));
    const stat = fs.lstatSync(this.file);
    this.cached = { stamp: `${stat.ino} ${stat.size} ${stat.mtimeMs}`, record };
  }
}

function isStored(value: unknown): value is Stored {
  if (typeof value !== 'object' || value === null) return false;
  const { version, root, entry, mode, rules, ignoring, runs, violations, files } = value as Partial<Stored>;
  const areTexts = (...all: unknown[]) => all.every((one) => typeof one === 'string');
  return (
    version === 1 &&
    areTexts(root, entry, mode, rules) &&
    (ignoring === undefined || ignoring === null || (Array.isArray(ignoring.ignores) && Array.isArray(ignoring.tracked))) &&
    Array.isArray(runs) &&
    runs.every((run) => areTexts(run?.id, run?.command, run?.at) && typeof run.background === 'boolean') &&
    Array.isArray(violations) &&
    violations.every((one) => areTexts(one?.file, one?.change, one?.rule, one?.command, one?.at)) &&
    Array.isArray(files) &&
    files.every((file) => Array.isArray(file) && file.length === 3 && areTexts(...file))
  );
}
