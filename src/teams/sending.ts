// The progress of sending a project's decision log, stored beside the log.

import path from 'node:path';
import * as z from 'zod/mini';
import { projectFolder } from '../platform/data-folder.ts';
import { fields, RecordKind, type RecordOf } from '../store/record.ts';

const sendings = new RecordKind({
  schema: fields({
    /** Hash of the server's address. A different address starts from the beginning. */
    to: z.string(),
    /** The server has acknowledged everything before this position. */
    position: fields({ number: z.number(), offset: z.number() }),
    /** A batch that may have arrived: bytes of the log from `position`. */
    pending: z.nullable(fields({ bytes: z.number() })),
    /**
     * Number of waiting lines in each file from `position`, by the file's number. `size` is the size of
     * the file when they were counted.
     */
    waiting: z.record(z.string(), fields({ lines: z.number(), size: z.number(), from: z.number() })),
    /** Number of events that arrived, and of those that never will. */
    sent: z.number(),
    lost: z.number(),
    /** Complete files were created and removed without being counted, so more events are lost than `lost`. */
    lostMore: z.optional(z.boolean()),
    /** Number of events that may or may not have arrived: they were logged before this record was damaged. */
    doubtful: z.optional(z.number()),
    /** The reason why nothing arrives now. */
    trouble: z.nullable(z.string()),
  }),
  maxBytes: 1_048_576,
});

/** The progress of sending one project's log. */
export type Sending = RecordOf<typeof sendings>;

export const sendingFile = (dataFolder: string, root: string): string =>
  path.join(projectFolder(dataFolder, root), 'log-sent.json');

/** null if nothing has been sent yet. Throws on file system errors. */
export function readSending(dataFolder: string, root: string): Sending | 'damaged' | null {
  const found = sendings.state(sendingFile(dataFolder, root));
  if (found.state === 'refused') throw found.error;
  if (found.state === 'absent') return null;
  return found.state === 'whole' ? found.value : 'damaged';
}

/** Throws on file system errors. */
export function writeSending(dataFolder: string, root: string, state: Sending): void {
  sendings.write(sendingFile(dataFolder, root), state);
}
