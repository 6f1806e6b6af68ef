// Projects for the tests of the configuration: as data, and on a disk.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfiguration } from '../../../src/config/read.ts';
import type { Configuration } from '../../../src/model/configuration.ts';
import type { Problem } from '../../../src/model/problem.ts';
import { afterTest } from '../../support/cleanup.ts';
import { putFile } from '../../support/files.ts';

export const TWO_MODES = `name: two
default: idle
modes:
  idle:
    transitions:
      - to: work
  work:
    transitions:
      - to: idle
`;

/** Reads files given by their name below `.claude`. */
export function read(files: Record<string, string>): Configuration {
  return readConfiguration({
    root: '/project',
    files: Object.entries(files).map(([name, text]) => ({ name: `.claude/${name}`, text })),
  });
}

/** Problems without the warning about missing settings, which most small examples carry. */
export function readProblems(files: Record<string, string>): Problem[] {
  return read(files).problems.filter((problem) => problem.code !== 'W_NO_SETTINGS');
}

/** What a problem underlines. */
export function getUnderlined(problem: Problem): string {
  const start = (problem.column ?? 1) - 1;
  return (problem.lineText ?? '').slice(start, start + (problem.length ?? 0));
}

/** A folder that is gone after the test. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'modes-config-'));
  afterTest(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A project on the disk; names are relative to its root. */
export function makeProject(files: Record<string, string | Uint8Array>): string {
  const root = makeFolder();
  for (const [name, content] of Object.entries(files)) {
    putFile(join(root, name), content);
  }
  return root;
}
