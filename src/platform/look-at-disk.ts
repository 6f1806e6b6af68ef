// Looks at the disk that may be refused.
import fs from 'node:fs';

/** null where the file system refuses. */
export function attempt<T>(ask: () => T): T | null {
  try {
    return ask();
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code === 'string') return null;
    throw error;
  }
}

/** What a name itself is, a link too; null where nothing is, or the file system refuses. */
export function look(name: string): fs.Stats | null {
  return attempt(() => fs.lstatSync(name, { throwIfNoEntry: false }) ?? null);
}
