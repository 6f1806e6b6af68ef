// How far the sending of a project's decision log is, beside the log.

import path from 'node:path';
import { makeFolder, projectFolder, writeWhole } from '../platform/data-folder.ts';
import { readRegularText } from '../platform/read-file.ts';
import type { Position } from '../store/log/files.ts';

/** Largest record that is read; ours is far below. */
const maxBytes = 1_048_576;

/** How far the sending of one project's log is. */
export interface Sending {
  version: 1;
  /** Hash of the address: another one begins anew. */
  to: string;
  /** What is behind it was answered for. */
  position: Position;
  /** A batch that may have arrived: bytes of the log from the position on. */
  pending: { bytes: number } | null;
  /** Lines that wait in each file from the position on, by its number; `size` is the file's when they were counted. */
  waiting: Record<string, { lines: number; size: number; from: number }>;
  /** Events that arrived, and those that never will. */
  sent: number;
  lost: number;
  /** Whole files came and went unseen: more are lost than could be counted. */
  lostMore?: boolean;
  /** Events of which nobody knows whether they arrived: they were logged before this record was damaged. */
  doubtful?: number;
  /** Why nothing arrives now. */
  trouble: string | null;
}

export const sendingFile = (dataFolder: string, root: string): string =>
  path.join(projectFolder(dataFolder, root), 'log-sent.json');

/** null where nothing was sent yet. Throws when the disk refuses. */
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

/** Throws when the disk refuses. */
export function writeSending(dataFolder: string, root: string, state: Sending): void {
  makeFolder(projectFolder(dataFolder, root));
  writeWhole(sendingFile(dataFolder, root), JSON.stringify(state));
}
