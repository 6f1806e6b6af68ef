// The known state of the guarded files during one visit to a mode. It is stored beside the journal, so that every process
// compares with the same state.

import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { projectFolder } from '../../platform/data-folder.ts';
import { fields, pairs, RecordKind } from '../../store/record.ts';
import { hashedFiles, maxFilesBytes } from '../gates/baseline.ts';

const verified = fields({
  /** Hash of the journal entry that started the visit; '' before the first. */
  entry: z.string(),
  mode: z.string(),
  /** Identifies the rules that selected the files. */
  rules: z.string(),
  /** The files that git ignored then; null if unknown or irrelevant. */
  ignoring: z._default(z.nullable(fields({ ignores: pairs(z.string()), tracked: z.readonly(z.array(z.string())) })), null),
  /** The last runs, oldest first. */
  runs: z.array(
    fields({
      id: z.string(),
      command: z.string(),
      /** ISO 8601. */
      at: z.string(),
      /** It may go on after its call ended. */
      background: z.boolean(),
    }),
  ),
  /**
   * What permitted calls may write whose end nobody sees; null: any file. A file that is seen to change uses the entry up, and the next
   * comparison uses up those for any file.
   */
  permitted: z._default(
    z.readonly(z.array(fields({ writes: z.nullable(z.readonly(z.array(fields({ path: z.string(), deep: z.boolean() })))) }))),
    [],
  ),
  /** Guarded files that changed although no permitted call wrote them. */
  violations: z.array(
    fields({
      file: z.string(),
      change: z.enum(['created', 'changed', 'removed']),
      /** The rule or protection that a write would have matched. */
      rule: z.string(),
      /** The run that was seen last before the change. */
      command: z.string(),
      /** ISO 8601: when the change was seen. */
      at: z.string(),
    }),
  ),
  /** The permitted state of the files: their state at the first run, with later changes by permitted calls and by a person. */
  files: hashedFiles,
});
const records = new RecordKind({ schema: z.extend(verified, { root: z.string() }), maxBytes: maxFilesBytes });

export type VerificationRecord = z.output<typeof verified>;
export type VerifiedRun = VerificationRecord['runs'][number];
export type PermittedWrites = VerificationRecord['permitted'][number]['writes'];
export type Violation = VerificationRecord['violations'][number];

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
    const record = records.demand(this.file);
    if (record === null) throw new Error(`${this.file} cannot be read`);
    if (record.root !== this.root) throw new Error(`the record of verified runs belongs to ${record.root}`);
    this.cached = { stamp, record };
    return record;
  }

  /** Throws if the disk refuses. */
  write(record: VerificationRecord): void {
    records.write(this.file, { ...record, root: this.root });
    const stat = fs.lstatSync(this.file);
    this.cached = { stamp: `${stat.ino} ${stat.size} ${stat.mtimeMs}`, record };
  }
}
