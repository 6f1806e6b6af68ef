// The number of a project's decisions that could not be logged: the size of a file beside the log, one byte each.
import fs, { constants } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../../platform/data-folder.ts';
import { LogFiles, logFolder } from './files.ts';

/** The count stops here. */
const maxCount = 1_000_000;

function lossesFile(dataFolder: string, root: string): string {
  return path.join(projectFolder(dataFolder, root), 'log-lost');
}

/** Adds to the count; false if the disk refuses that too. */
export function countLosses(dataFolder: string, root: string, count: number): boolean {
  try {
    const handle = fs.openSync(
      lossesFile(dataFolder, root),
      constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK,
      0o600,
    );
    try {
      const stat = fs.fstatSync(handle);
      if (!stat.isFile()) return false;
      fs.writeSync(handle, '.'.repeat(Math.min(count, Math.max(0, maxCount - stat.size))));
      return true;
    } finally {
      fs.closeSync(handle);
    }
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}

export interface LogHealth {
  folder: string;
  /** Decisions without a line since the project is governed. */
  lost: number;
  /** When the last one was lost, ISO 8601; null: no decision was lost. */
  lastLost: string | null;
  /** Why logging is impossible now; null if it is possible. */
  trouble: string | null;
}

/** Problems with the log of a project. Writes nothing. `inMemory`: losses that could not be counted on disk. */
export function healthOf(dataFolder: string, root: string, inMemory = 0): LogHealth {
  const folder = logFolder(dataFolder, root);
  const stat = statOf(lossesFile(dataFolder, root));
  const isCount = stat?.isFile() ?? false;
  return {
    folder,
    lost: (isCount ? (stat?.size ?? 0) : 0) + inMemory,
    lastLost: isCount ? (stat?.mtime.toISOString() ?? null) : null,
    trouble: faultOf(folder),
  };
}

/** An unreadable file has no count. `faultOf` runs into the same error and reports it. */
function statOf(file: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

function faultOf(folder: string): string | null {
  try {
    new LogFiles(folder).probe();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** A line for a person; '' if there is no problem. */
export function healthLine({ folder, lost, lastLost, trouble: fault }: LogHealth): string {
  const counted =
    lost === 0
      ? ''
      : `${lost} ${lost === 1 ? 'decision was' : 'decisions were'} not logged${lastLost === null ? '' : `, the last at ${lastLost}`}.`;
  const now = fault === null ? '' : `Decisions are not logged (${folder}): ${fault}.`;
  return [now, counted].filter((part) => part !== '').join(' ');
}
