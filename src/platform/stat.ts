// Disk queries that the file system may refuse.
import fs from 'node:fs';
import path from 'node:path';

/** The result, or null if the file system refuses. */
export function attempt<T>(ask: () => T): T | null {
  try {
    return ask();
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code === 'string') return null;
    throw error;
  }
}

/** The status of the name itself, without following a link. null if nothing exists there or the file system refuses. */
export function statOf(name: string): fs.Stats | null {
  return attempt(() => fs.lstatSync(name, { throwIfNoEntry: false }) ?? null);
}

/** The real path. A missing path keeps its name. */
export function realOr(folder: string): string {
  return attempt(() => fs.realpathSync.native(folder)) ?? path.resolve(folder);
}
