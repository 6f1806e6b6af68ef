// Files that teams.yaml names and that nobody else may have written: keys, tokens, certificates.
import fs from 'node:fs';
import { isTrustedOwner } from './layers.ts';

const MAX_BYTES = 256 * 1024;

/** What is in it, or why that is not used, in words that follow its name. */
export function readSecret(file: string): { bytes: Buffer } | { why: string } {
  try {
    const stat = fs.statSync(file);
    if (!stat.isFile()) return { why: 'is no file' };
    if (stat.size > MAX_BYTES) return { why: 'is too large' };
    if (!isTrustedOwner(stat.uid)) return { why: 'belongs to another user of this machine' };
    return { bytes: fs.readFileSync(file) };
  } catch (error) {
    return { why: `cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
}
