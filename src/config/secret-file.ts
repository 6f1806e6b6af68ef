// Files that teams.yaml names and that others may not write: keys, tokens, certificates.
import { isOpenToOthers, isTrustedOwner } from '../platform/layer-folders.ts';
import { readRegular } from '../platform/read-file.ts';

const MAX_BYTES = 256 * 1024;

const WHY: Readonly<Record<string, string>> = { EISDIR: 'is a folder', ENOTREG: 'is not a regular file', EFBIG: 'is too large' };

class Refused extends Error {}

/** Returns the content, or the reason why it is not used, in words that follow the name of the file. */
export function readSecret(file: string): { bytes: Buffer } | { why: string } {
  try {
    const bytes = readRegular(file, MAX_BYTES, {
      check({ uid, mode }) {
        if (!isTrustedOwner(uid)) throw new Refused('belongs to another user of this machine');
        if (isOpenToOthers(mode)) throw new Refused('is writable by other users of this machine: chmod go-w');
      },
    });
    return { bytes };
  } catch (error) {
    if (error instanceof Refused) return { why: error.message };
    const code = (error as NodeJS.ErrnoException).code ?? '';
    return { why: WHY[code] ?? `cannot be read (${code})` };
  }
}
