// Files that teams.yaml names: keys, tokens, certificates.
import { readSecret } from '../config/secret-file.ts';
import { BundleRefused } from './refusal.ts';

/** @throws {Refused} E_BUNDLE_KEY if it cannot be read, or if another user could change it */
export function readTrusted(file: string): Buffer {
  const read = readSecret(file);
  if ('bytes' in read) return read.bytes;
  throw new BundleRefused(
    'E_BUNDLE_KEY',
    `${file}, which teams.yaml names, ${read.why}.`,
    'Put the file there, owned by root and writable only by root.',
  );
}
