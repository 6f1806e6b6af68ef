// The zone of time that the environment names. A project's settings can name a file that never ends or never begins, which whoever asks
// for a local time would wait for.
import fs from 'node:fs';
import path from 'node:path';

/** Where the system's library looks for a zone that is named relatively. */
const usual = '/usr/share/zoneinfo';

/** Takes the zone out of `env` when what it is read from may be something else than a regular file. */
export function dropOddZone(env: NodeJS.ProcessEnv): void {
  const { TZ, TZDIR } = env;
  if (TZ === undefined) return;
  // glibc reads the second for an empty zone, and the third for a rule such as CET-1CEST.
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
