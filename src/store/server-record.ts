// The process that serves a session, by its record in the data folder.
import path from 'node:path';
import { readDataFile } from '../platform/data-folder.ts';

export const sessionName = /^[A-Za-z0-9-]{1,100}$/;

export function sessionsFolder(dataFolder: string): string {
  return path.join(dataFolder, 'sessions');
}

/** Whether the server of a session is running. */
export function isServed(dataFolder: string, session: string): boolean {
  return serverState(dataFolder, session) === 'running';
}

/** `ended`: it left its record, so something else ended it. `unknown`: it has no record, such as one that is starting. */
export function serverState(dataFolder: string, session: string): 'running' | 'ended' | 'unknown' {
  const pid = sessionName.test(session) ? readPid(path.join(sessionsFolder(dataFolder), session)) : null;
  if (pid === null) return 'unknown';
  return isRunning(pid) ? 'running' : 'ended';
}

/** The process id in a record; null if there is none. */
export function readPid(file: string): number | null {
  try {
    const pid = Number(readDataFile(file).trim());
    return Number.isInteger(pid) && pid > 0 ? pid : null;
  } catch (error) {
    // The file is gone, or Modes did not write it.
    if (['ENOENT', 'EISDIR', 'EACCES', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/** Whether a process with this id exists, of any user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
