// The disk queries of the analyser: lists of names, links, and the top folder of a git repository.
import fs from 'node:fs';
import path from 'node:path';
import type { Disk } from '../../model/command.ts';
import { inside } from '../../platform/path-text.ts';
import { readRegularText } from '../../platform/read-file.ts';

/** Longer files are not lists that a person maintains, so their names count as unknown. In bytes. */
const maxBytes = 64 * 1024;

/** Disk queries for one call. Only files below the project's roots are opened. */
export function diskOf(roots: readonly string[]): Disk {
  const isInProject = (real: string): boolean => roots.some((root) => inside(real, root));
  return {
    text(name) {
      const real = realOf(name);
      return real === null || !isInProject(real) ? null : readSmall(real);
    },
    real: realOf,
    repository(folder) {
      const real = realOf(folder);
      for (let at = real; at !== null; at = at === '/' ? null : path.dirname(at))
        if (fs.existsSync(path.join(at, '.git'))) return at;
      return null;
    },
  };
}

function realOf(name: string): string | null {
  try {
    return fs.realpathSync(name);
  } catch {
    return null;
  }
}

function readSmall(real: string): string | null {
  try {
    return readRegularText(real, maxBytes, { noFollow: true });
  } catch {
    return null;
  }
}
