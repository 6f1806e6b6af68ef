// Content hashes.
import { createHash } from 'node:crypto';

/** `sha256:…` over bytes or text. */
export function sha256(content: string | Uint8Array): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}
