// Report files that a command writes into the project.

import fs from 'node:fs';
import path from 'node:path';
import { markFiles } from '../../../git/file-tree.ts';
import { readRegularText } from '../../../platform/read-file.ts';
import { globScope } from '../globs.ts';

/** Largest report file, and all of a run, in bytes. */
const maxBytes = 20_000_000;

/** Contents of the report files that were written since a time, in milliseconds since 1970. Throws TreeError. */
export function freshReports(root: string, globs: readonly string[], since: number, home: string): string[] {
  const texts: string[] = [];
  let bytes = 0;
  for (const name of [...markFiles(root, globScope(globs, false, home)).keys()].sort()) {
    const file = path.join(root, name);
    // A program can set the time of the last modification, but not the time of the last change of the entry.
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    if (stat === undefined || !stat.isFile() || stat.ctimeMs < since) continue;
    bytes += stat.size;
    if (bytes > maxBytes) break;
    texts.push(readRegularText(file, maxBytes));
  }
  return bytes > maxBytes ? [] : texts;
}
