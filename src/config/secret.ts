// Files that teams.yaml names and that nobody else may have written: keys, tokens, certificates.
import fs from 'node:fs';
import { isOpenToOthers, isTrustedOwner } from './layers.ts';

const MAX_BYTES = 256 * 1024;

/** What is in it, or why that is not used, in words that follow its name. What is looked at is what is read, and never waited for. */
export function readSecret(file: string): { bytes: Buffer } | { why: string } {
  let handle: number | null = null;
  try {
    handle = fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
    const stat = fs.fstatSync(handle);
    if (!stat.isFile()) return { why: 'is no file' };
    if (stat.size > MAX_BYTES) return { why: 'is too large' };
    if (!isTrustedOwner(stat.uid)) return { why: 'belongs to another user of this machine' };
    if (isOpenToOthers(stat.mode)) return { why: 'may be written by other users of this machine: chmod go-w' };
    return { bytes: fs.readFileSync(handle) };
  } catch (error) {
    return { why: `cannot be read (${(error as NodeJS.ErrnoException).code})` };
  } finally {
    if (handle !== null) fs.closeSync(handle);
  }
}
