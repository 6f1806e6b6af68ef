// Records that a later version of Modes wrote: what a person said there is not written over by a version that cannot read it.

/** The remedy of `E_LATER_VERSION`. */
const advice = 'Do it with that version, or move the file away.';

/** A record in the data folder is of a later version than this one; `message` says what to do as well, `short` does not. */
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

/** Throws `LaterVersion` where the record's version is higher than 1, the only one that there is. */
export function refuseLater(file: string, record: unknown): void {
  const version = typeof record === 'object' && record !== null ? (record as { version?: unknown }).version : undefined;
  if (typeof version === 'number' && version > 1) throw new LaterVersion(file);
}
