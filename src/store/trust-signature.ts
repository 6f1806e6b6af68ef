// Trust by signature: a key that the user or the organization pinned proves that a person approved this content.

import { createPublicKey, verify } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { isOpenToOthers, isTrustedOwner, type LayerFolder } from '../platform/layer-folders.ts';
import { readRegularText } from '../platform/read-file.ts';

/** Beside modes.yaml: the base64 signature over the text of the hash that trust covers. */
export const SIGNATURE_FILE = 'modes.sig';
/** In the user's or the organization's folder: public Ed25519 keys in PEM format, one after the other. */
export const KEYS_FILE = 'modes.keys.pem';

const maxBytes = 64 * 1024;

/** The signature of a project's content; '' if there is none. */
export function readSignature(folder: string): string {
  return readSmall(path.join(folder, SIGNATURE_FILE), () => true)?.trim() ?? '';
}

/** The keys that may sign, of every layer but the project's. A file that another user owns or can write is ignored. */
export function readKeys(layers: readonly LayerFolder[]): string[] {
  return layers
    .filter(({ layer }) => layer !== 'project')
    .flatMap(({ folder }) => readSmall(path.join(folder, KEYS_FILE), isTrusted)?.match(PEM) ?? []);
}

const PEM = /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g;

/** True if one of the keys signed exactly this hash (`sha256:…`). */
export function isSigned(hash: string, signature: string, keys: readonly string[]): boolean {
  if (signature === '' || keys.length === 0) return false;
  const bytes = Buffer.from(signature, 'base64');
  return keys.some((pem) => {
    try {
      const key = createPublicKey(pem);
      return key.asymmetricKeyType === 'ed25519' && verify(null, Buffer.from(hash), key, bytes);
    } catch {
      // An invalid key signs nothing.
      return false;
    }
  });
}

const isTrusted = ({ uid, mode }: fs.Stats): boolean => isTrustedOwner(uid) && !isOpenToOthers(mode);

function readSmall(file: string, counts: (stat: fs.Stats) => boolean): string | null {
  try {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (stat === undefined || !stat.isFile() || stat.size > maxBytes || !counts(stat)) return null;
    return readRegularText(file, maxBytes);
  } catch {
    // An unreadable file approves nothing.
    return null;
  }
}
