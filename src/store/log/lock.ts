// A short lock between processes, so that two of them do not log one decision twice. A process that does not get it continues
// anyway.
import fs from 'node:fs';
import path from 'node:path';

/** A lock older than this many milliseconds was abandoned. Normally a lock is held for about 1 ms. */
const staleMs = 2_000;

/**
 * Runs `act` while no other process does; null if another process has the lock. Throws errors of `act`, or if the disk refuses.
 */
export function holding<T>(folder: string, act: () => T): { value: T } | null {
  const file = path.join(folder, 'lock');
  if (!take(file)) return null;
  try {
    return { value: act() };
  } finally {
    release(file);
  }
}

/** Uses `unlinkSync`, because `rmSync` makes Node load its code for removing trees. */
function release(file: string): void {
  try {
    fs.unlinkSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function take(file: string): boolean {
  for (const isLast of [false, true]) {
    try {
      fs.closeSync(fs.openSync(file, 'wx', 0o600));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const at = fs.lstatSync(file, { throwIfNoEntry: false })?.mtimeMs;
    // If two processes take over a lock at once, a line may be written twice, but never torn.
    if (isLast || (at !== undefined && Math.abs(Date.now() - at) < staleMs)) return false;
    release(file);
  }
  return false;
}
