// The time zone that the environment names. A project's settings can name a FIFO or a file that never ends. Any code that asks
// for a local time would then block.
import fs from 'node:fs';
import path from 'node:path';

/** The system's library looks up a relative zone name in this folder. */
const usual = '/usr/share/zoneinfo';

/** Removes the zone from `env` if it may be read from anything other than a regular file. */
export function dropOddZone(env: NodeJS.ProcessEnv): void {
  const { TZ, TZDIR } = env;
  if (TZ === undefined) return;
  // glibc reads Universal for an empty zone, and posixrules for a rule such as CET-1CEST.
  const names = [TZ.replace(/^:/, ''), 'Universal', 'posixrules'];
  if (names.every((name) => name === '' || isFileOrAbsent(path.resolve(TZDIR || usual, name)))) return;
  delete env.TZ;
  delete env.TZDIR;
}

function isFileOrAbsent(name: string): boolean {
  try {
    return fs.statSync(name, { throwIfNoEntry: false })?.isFile() ?? true;
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code === 'string') return false;
    throw error;
  }
}
