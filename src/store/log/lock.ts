// A lock between processes, held for a moment: it keeps two of them from logging one decision twice. Whoever does not get it goes on.
import fs from 'node:fs';
import path from 'node:path';

/** A lock that is older was left behind, milliseconds; it is held for about one. */
const staleMs = 2_000;

/** Runs `act` while no other process does; null when another has the lock. Throws what `act` throws, or when the disk refuses. */
export function holding<T>(folder: string, act: () => T): { value: T } | null {
  const file = path.join(folder, 'lock');
  if (!take(file)) return null;
  try {
    return { value: act() };
  } finally {
    release(file);
  }
}

/** By `unlink`: for `rm` Node loads what takes whole trees away. */
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
    // Two that take it over at once cost a line that stands there twice, never a torn one.
    if (isLast || (at !== undefined && Math.abs(Date.now() - at) < staleMs)) return false;
    release(file);
  }
  return false;
}
