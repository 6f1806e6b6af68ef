// The files as they were before "modes init --harness" changed them, in the data folder. With them, --undo restores a file exactly if
// nobody has edited it since. Otherwise only the entries of Modes are removed.

import fs from 'node:fs';
import path from 'node:path';
import { makeFolder, projectFolder, readDataFile, writeWhole } from '../../platform/data-folder.ts';
import { hexHash } from '../../platform/hash.ts';
import { isObject } from '../../platform/json-object.ts';

export interface ChangedText {
  /** Relative to the project. */
  name: string;
  /** null: there is no such file. */
  before: string | null;
  after: string | null;
}

/** A file of Modes in the data folder. `after`: the hash of the text that Modes wrote. */
interface Original {
  before: string | null;
  after: string;
}

const fileOf = (dataFolder: string, root: string, name: string): string =>
  path.join(projectFolder(dataFolder, root), 'originals', `${hexHash(name).slice(0, 16)}.json`);

/** The text before Modes wrote this one, null if there was no file, undefined if it is not known. */
export function originalOf(dataFolder: string, root: string, name: string, text: string): string | null | undefined {
  try {
    const kept: unknown = JSON.parse(readDataFile(fileOf(dataFolder, root, name)));
    if (!isObject(kept) || kept.after !== hexHash(text)) return undefined;
    return typeof kept.before === 'string' || kept.before === null ? kept.before : undefined;
  } catch {
    // There is none, or it is damaged.
    return undefined;
  }
}

/** A text with parts of Modes, perhaps from an earlier version, is no original. */
const ofModes = /hooks\/harness\.sh|<!-- modes:(?:begin|end)/;

/** Keeps the originals of the files that were changed, or forgets them after an undo. */
export function keepOriginals(dataFolder: string, root: string, changes: readonly ChangedText[], undo: boolean): void {
  for (const { name, before, after } of changes) {
    const file = fileOf(dataFolder, root, name);
    const earlier = before === null ? undefined : originalOf(dataFolder, root, name, before);
    const original = earlier === undefined && !ofModes.test(before ?? '') ? before : earlier;
    fs.rmSync(file, { force: true });
    if (undo || after === null || original === undefined) continue;
    makeFolder(path.dirname(file));
    writeWhole(file, JSON.stringify({ before: original, after: hexHash(after) } satisfies Original));
  }
}
