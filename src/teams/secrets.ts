// Files that teams.yaml names: keys, tokens, certificates.
import fs from 'node:fs';
import { isTrustedOwner } from '../config/layers.ts';
import { Refused } from './refusal.ts';

const MAX_BYTES = 256 * 1024;

/** @throws {Refused} E_BUNDLE_KEY when it cannot be read, or somebody else could change it */
export function readTrusted(file: string): Buffer {
  let why: string;
  try {
    const stat = fs.statSync(file);
    if (stat.isFile() && stat.size <= MAX_BYTES && isTrustedOwner(stat.uid)) return fs.readFileSync(file);
    why = stat.isFile() ? (stat.size > MAX_BYTES ? 'is too large' : 'belongs to another user of this machine') : 'is no file';
  } catch (error) {
    why = `cannot be read (${(error as NodeJS.ErrnoException).code})`;
  }
  throw new Refused('E_BUNDLE_KEY', `${file}, which teams.yaml names, ${why}.`, 'Put the file there, owned by root.');
}
