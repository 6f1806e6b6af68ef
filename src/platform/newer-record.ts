// Records that a later version of Modes wrote. This version must not overwrite user decisions that it cannot read.

/** The remedy of `E_LATER_VERSION`. */
const advice = 'Use that version, or move the file.';

/** A later version of Modes wrote this record in the data folder. `message` includes the remedy, `short` does not. */
export class LaterVersion extends Error {
  readonly code = 'E_LATER_VERSION';
  readonly remedy = advice;
  readonly short: string;

  constructor(file: string) {
    const short = `${file} was written by a later version of Modes.`;
    super(`${short} ${advice}`);
    this.short = short;
  }
}

/** Throws `LaterVersion` if the record's version is higher than 1, the only version so far. */
export function refuseLater(file: string, record: unknown): void {
  const version = typeof record === 'object' && record !== null ? (record as { version?: unknown }).version : undefined;
  if (typeof version === 'number' && version > 1) throw new LaterVersion(file);
}
