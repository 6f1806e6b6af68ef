// The present files that change what a run of a check means, where projects usually have them. For warnings, which a person waits for.

import fs from 'node:fs';
import path from 'node:path';
import type { Requirement } from '../../../model/requirement.ts';
import { guardedScope } from './check.ts';
import { setupFiles } from './setup-files.ts';

/** Folders of tests that have configurations of their own, such as `tests/conftest.py`. */
const testFolders = ['test', 'tests', 'spec'];
/** A warning names one file, so a few are enough. */
const maxNames = 50;

/** Relative to the root; none for a check that does not read test results. */
export function guardedFiles(check: Requirement, root: string, home: string): string[] {
  if (check.check !== 'tests') return [];
  const scope = guardedScope(check, root, home);
  const folders = new Set([
    '',
    ...testFolders,
    ...(check.in === null ? [] : [check.in, ...testFolders.map((name) => `${check.in}/${name}`)]),
  ]);
  const found = [...folders].flatMap((folder) =>
    filesIn(path.join(root, folder)).map((name) => (folder === '' ? name : `${folder}/${name}`)),
  );
  return [...new Set([...found.filter((name) => scope.file(name)), ...setupFiles(root, check)])].slice(0, maxNames);
}

function filesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
  } catch {
    // The project has no such folder.
    return [];
  }
}
