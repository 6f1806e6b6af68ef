// How many decisions of a project could not be logged: the size of a file beside the log, a byte each.
import fs, { constants } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../../platform/data-folder.ts';
import { LogFiles, logFolder } from './files.ts';

/** More are not counted. */
const maxCount = 1_000_000;

function lossesFile(dataFolder: string, root: string): string {
  return path.join(projectFolder(dataFolder, root), 'log-lost');
}

/** Counts; false when the disk refuses that too. */
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
  /** Decisions that no line was written for, since the project is governed. */
  lost: number;
  /** When the last was lost, ISO 8601; null: none was. */
  lastLost: string | null;
  /** Why nothing can be logged now; null: it can. */
  trouble: string | null;
}

/** What is wrong with the log of a project. Writes nothing. `inMemory`: losses that could not even be counted on the disk. */
export function healthOf(dataFolder: string, root: string, inMemory = 0): LogHealth {
  const folder = logFolder(dataFolder, root);
  const stat = statOf(lossesFile(dataFolder, root));
  const isCount = stat?.isFile() ?? false;
  return {
    folder,
    lost: (isCount ? (stat?.size ?? 0) : 0) + inMemory,
    lastLost: isCount ? (stat?.mtime.toISOString() ?? null) : null,
    trouble: troubleOf(folder),
  };
}

/** What cannot be looked at is no count; `troubleOf` meets the same and says why. */
function statOf(file: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

function troubleOf(folder: string): string | null {
  try {
    new LogFiles(folder).probe();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** A line for a person; '' when all is well. */
export function healthLine({ folder, lost, lastLost, trouble }: LogHealth): string {
  const counted =
    lost === 0
      ? ''
      : `${lost} ${lost === 1 ? 'decision was' : 'decisions were'} not logged${lastLost === null ? '' : `, the last at ${lastLost}`}.`;
  const now = trouble === null ? '' : `Decisions are not logged (${folder}): ${trouble}.`;
  return [now, counted].filter((part) => part !== '').join(' ');
}
