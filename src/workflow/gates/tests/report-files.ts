// Report files that a command writes into the project.

import fs from 'node:fs';
import path from 'node:path';
import { markFiles } from '../../../git/file-tree.ts';
import { readRegularText } from '../../../platform/read-file.ts';
import { globScope } from '../globs.ts';
import { runnerNamed, runnerOf } from './runners.ts';
import { scriptReader } from './scripts.ts';
import type { TestsCheck } from './store.ts';

/** Largest report file, and all of a run, in bytes. */
const maxBytes = 20_000_000;

/** The report files of a check: those that it names, else those that its runner writes without being asked; null: none. */
export function reportGlobs(check: Pick<TestsCheck, 'command' | 'in' | 'report'>, root: string): readonly string[] | null {
  if (check.report !== null) return check.report;
  const { runner } = runnerOf(check.command, scriptReader(root, check.in));
  const written = runner === null ? null : (runnerNamed(runner)?.writes ?? null);
  return written === null ? null : [written];
}

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
