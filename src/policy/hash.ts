// Content hashes.
import crypto from 'node:crypto';

/** In one step where this Node can, which halves what a short text costs. */
const hashOnce: typeof crypto.hash | undefined = crypto.hash;

/** `sha256:…` over bytes or text. */
export function sha256(content: string | Uint8Array): string {
  const digest =
    hashOnce === undefined ? crypto.createHash('sha256').update(content).digest('hex') : hashOnce('sha256', content, 'hex');
  return `sha256:${digest}`;
}
