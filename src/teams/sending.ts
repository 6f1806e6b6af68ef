// The progress of sending a project's decision log, stored beside the log.

import path from 'node:path';
import { makeFolder, projectFolder, writeWhole } from '../platform/data-folder.ts';
import { readRegularText } from '../platform/read-file.ts';
import type { LogPosition } from '../store/log/files.ts';

/** Maximum bytes of a record that is read; ours is far smaller. */
const maxBytes = 1_048_576;

/** The progress of sending one project's log. */
export interface Sending {
  version: 1;
  /** Hash of the server's address. A different address starts from the beginning. */
  to: string;
  /** The server has acknowledged everything before this position. */
  position: LogPosition;
  /** A batch that may have arrived: bytes of the log from `position`. */
  pending: { bytes: number } | null;
  /**
   * Number of waiting lines in each file from `position`, by the file's number. `size` is the size of
   * the file when they were counted.
   */
  waiting: Record<string, { lines: number; size: number; from: number }>;
  /** Number of events that arrived, and of those that never will. */
  sent: number;
  lost: number;
  /** Complete files were created and removed without being counted, so more events are lost than `lost`. */
  lostMore?: boolean;
  /** Number of events that may or may not have arrived: they were logged before this record was damaged. */
  doubtful?: number;
  /** The reason why nothing arrives now. */
  trouble: string | null;
}

export const sendingFile = (dataFolder: string, root: string): string =>
  path.join(projectFolder(dataFolder, root), 'log-sent.json');

/** null if nothing has been sent yet. Throws on file system errors. */
export function readSending(dataFolder: string, root: string): Sending | 'damaged' | null {
  let state: Partial<Sending> | null;
  try {
    state = JSON.parse(readRegularText(sendingFile(dataFolder, root), maxBytes)) as Partial<Sending> | null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    if (!(error instanceof SyntaxError)) throw error;
    state = null;
  }
  const isWhole =
    state?.version === 1 &&
    typeof state.to === 'string' &&
    typeof state.position?.number === 'number' &&
    typeof state.position.offset === 'number' &&
    typeof state.waiting === 'object' &&
    state.waiting !== null &&
    typeof state.sent === 'number' &&
    typeof state.lost === 'number';
  return isWhole ? (state as Sending) : 'damaged';
}

/** Throws on file system errors. */
export function writeSending(dataFolder: string, root: string, state: Sending): void {
  makeFolder(projectFolder(dataFolder, root));
  writeWhole(sendingFile(dataFolder, root), JSON.stringify(state));
}
