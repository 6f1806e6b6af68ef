// Which process serves a session, as its record in the data folder says.
import path from 'node:path';
import { readOwn } from '../platform/data-folder.ts';

export const sessionName = /^[A-Za-z0-9-]{1,100}$/;

export function sessionsFolder(dataFolder: string): string {
  return path.join(dataFolder, 'sessions');
}

/** Whether the server of a session lives. */
export function isServed(dataFolder: string, session: string): boolean {
  const pid = sessionName.test(session) ? readPid(path.join(sessionsFolder(dataFolder), session)) : null;
  return pid !== null && isRunning(pid);
}

/** The process id that a record holds; null where there is none. */
export function readPid(file: string): number | null {
  try {
    const pid = Number(readOwn(file).trim());
    return Number.isInteger(pid) && pid > 0 ? pid : null;
  } catch (error) {
    // Gone, or nothing that we wrote.
    if (['ENOENT', 'EISDIR', 'EACCES', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/** Whether there is a process of this id; whose it is does not matter. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
