// Undoes a setup. The data folder records the files that each setup wrote; the newest setup is undone first.

import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { projectFolder } from '../../platform/data-folder.ts';
import { hexHash } from '../../platform/hash.ts';
import { readRegular } from '../../platform/read-file.ts';
import { fields, RecordKind, type RecordOf } from '../../store/record.ts';
import { exists, keepCopy, maxChangedBytes, refusePlace } from './step.ts';
import { unregister } from './without-plugin.ts';

const modesFile = '.claude/modes.yaml';

const records = new RecordKind({
  schema: fields({
    /** Oldest first. */
    setups: z.array(
      fields({
        at: z.string(),
        /** The files as this setup left them. Names are relative to the root. */
        written: z.array(
          fields({
            name: z.string(),
            /** The copy of the earlier file, with its SHA-256; null: there was no file. */
            backup: z.nullable(fields({ name: z.string(), hash: z.string() })),
            /** SHA-256 of the written text, hex. */
            hash: z.string(),
          }),
        ),
        /** The line that it recorded for our server. */
        registered: z.optional(z.nullable(z.string())),
      }),
    ),
  }),
  maxBytes: maxChangedBytes,
  indent: 2,
});

type Setup = RecordOf<typeof records>['setups'][number];
/** The actions of one setup. */
type Done = Omit<Setup, 'at'>;
/** A file as one setup left it. */
export type Written = Setup['written'][number];

interface UndoStep extends Written {
  /** The file was changed since, so the present file is kept as a copy. */
  changed: boolean;
}

export interface UndoPlan {
  root: string;
  steps: UndoStep[];
  /** The setup wrote the modes themselves, even if somebody removed them since. */
  isWhole: boolean;
  /** The line of a server that was registered with it; null: none. */
  registered: string | null;
}

/** Throws if a setup could not be recorded: the record is damaged, or of a later version (LaterVersion). */
export function checkRecord(dataFolder: string, root: string): void {
  read(dataFolder, root);
}

/** Records the files that a setup wrote. Throws like `checkRecord`, or if the disk refuses. */
export function recordSetup(dataFolder: string, root: string, done: Done, at: Date): void {
  write(dataFolder, root, [...read(dataFolder, root), { at: at.toISOString(), ...done }]);
}

export function hashOf(text: string | Buffer): string {
  return hexHash(text);
}

/** null: no such file. */
function hashIn(file: string): string | null {
  return exists(file) ? hashOf(readRegular(file, maxChangedBytes)) : null;
}

/** The actions that undo the newest setup. Throws if the record is damaged. */
export function planUndo(dataFolder: string, root: string): UndoPlan | { error: string } {
  const newest = read(dataFolder, root).at(-1);
  if (newest === undefined)
    return {
      error: `Nothing to undo: no setup of ${root} is recorded. If you added files yourself, remove them yourself.`,
    };
  const steps: UndoStep[] = [];
  for (const written of newest.written) {
    const { name, backup, hash } = written;
    const refused = refusePlace(root, name) ?? (backup === null ? null : refusePlace(root, backup.name));
    if (refused !== null) return { error: refused };
    if (backup !== null && hashIn(path.join(root, backup.name)) !== backup.hash)
      return {
        error: `${backup.name} is missing or has changed, so ${name} cannot be restored. Nothing was changed. Restore ${backup.name} first, or remove the files of the setup yourself.`,
      };
    const file = path.join(root, name);
    const present = hashIn(file);
    // The file was already removed.
    if (backup === null && present === null) continue;
    steps.push({ ...written, changed: present !== null && present !== hash });
  }
  const isWhole = newest.written.some(({ name }) => name === modesFile);
  return { root, steps, isWhole, registered: newest.registered ?? null };
}

/** The plan as text for a person. */
export function undoText({ steps }: UndoPlan): string {
  return steps
    .map(
      ({ name, backup, changed }) =>
        `${backup === null ? `- ${name}` : `~ ${name}  (as in ${path.basename(backup.name)})`}${changed ? '  changed since; a copy is kept' : ''}`,
    )
    .join('\n');
}

/** Carries the plan out and returns a line for each action. A file that was changed since the setup is kept as a copy. */
export function runUndo(plan: UndoPlan, dataFolder: string): string[] {
  const { root, steps, registered } = plan;
  // Unregister first. Otherwise the removal of files would be reported as a change of the registration.
  if (registered !== null) unregister(dataFolder, registered);
  const done = steps.map(({ name, backup, changed }) => {
    const file = path.join(root, name);
    const copyNote = changed ? ` (before: ${path.basename(keepCopy(file, 'before-undo'))})` : '';
    if (backup === null) {
      fs.unlinkSync(file);
      removeEmpty(root, path.dirname(file));
      return `removed ${name}${copyNote}`;
    }
    fs.renameSync(path.join(root, backup.name), file);
    return `restored ${name}${copyNote}`;
  });
  if (endedBy(plan)) done.push(...removeView(root));
  write(dataFolder, root, read(dataFolder, root).slice(0, -1));
  return done;
}

/** True if a person's undo removed the modes themselves. Then this folder is no longer governed. */
export function endedBy({ root, isWhole }: UndoPlan): boolean {
  return isWhole && !exists(path.join(root, modesFile));
}

/** Removes the state file. Without modes it has no use, and .gitignore no longer lists it. */
function removeView(root: string): string[] {
  const name = '.claude/mode-state.json';
  const file = path.join(root, name);
  if (!exists(file)) return [];
  fs.unlinkSync(file);
  removeEmpty(root, path.dirname(file));
  return [`removed ${name}`];
}

function removeEmpty(root: string, folder: string): void {
  if (folder === root || fs.readdirSync(folder).length > 0) return;
  fs.rmdirSync(folder);
  removeEmpty(root, path.dirname(folder));
}

/** The recorded setups, oldest first. */
function read(dataFolder: string, root: string): Setup[] {
  return records.demand(recordFile(dataFolder, root))?.setups ?? [];
}

function write(dataFolder: string, root: string, setups: Setup[]): void {
  records.write(recordFile(dataFolder, root), { setups });
}

function recordFile(dataFolder: string, root: string): string {
  return path.join(projectFolder(dataFolder, root), 'setups.json');
}
