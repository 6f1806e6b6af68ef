// Keys that sign and verify bundles. A key belongs to one algorithm, which the configuration names: it
// is never taken from the bundle.
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { BundleRefused } from './refusal.ts';

interface Family {
  /** Key type of node:crypto; null: a shared secret. */
  type: 'rsa' | 'ec' | 'ed25519' | null;
  curve?: string;
}

/** Values of `--alg` and `algorithm:`, each with the type of its keys. */
export const ALGORITHMS = {
  EdDSA: { type: 'ed25519' },
  ES256: { type: 'ec', curve: 'prime256v1' },
  ES384: { type: 'ec', curve: 'secp384r1' },
  RS256: { type: 'rsa' },
  RS384: { type: 'rsa' },
  RS512: { type: 'rsa' },
  PS256: { type: 'rsa' },
  PS384: { type: 'rsa' },
  PS512: { type: 'rsa' },
  HS256: { type: null },
  HS384: { type: null },
  HS512: { type: null },
} as const satisfies Record<string, Family>;

export type Algorithm = keyof typeof ALGORITHMS;

export function isAlgorithm(text: string): text is Algorithm {
  return Object.hasOwn(ALGORITHMS, text);
}

/** Minimum bytes of a secret, and minimum bits of an RSA key. */
const MIN_SECRET = 32;
const MIN_RSA = 2048;

/** The signing key. @throws {Refused} E_BUNDLE_KEY if it is not a key of this algorithm. */
export function signingKey(bytes: Uint8Array, algorithm: Algorithm): KeyObject | Uint8Array {
  return readKey(bytes, algorithm, 'private');
}

/** The verification key. @throws {Refused} E_BUNDLE_KEY if it is not a key of this algorithm, or is a private key. */
export function verifyingKey(bytes: Uint8Array, algorithm: Algorithm): KeyObject | Uint8Array {
  return readKey(bytes, algorithm, 'public');
}

function readKey(bytes: Uint8Array, algorithm: Algorithm, wanted: 'private' | 'public'): KeyObject | Uint8Array {
  const { type, curve }: Family = ALGORITHMS[algorithm];
  const text = Buffer.from(bytes).toString('latin1');
  const isPem = text.includes('-----BEGIN ');
  if (type === null) {
    // Everybody knows a public key: used as a secret, it would let anybody sign.
    if (isPem) throw refuse(`${algorithm} needs a secret, but this is a PEM key.`, 'Name the algorithm of the key.');
    if (bytes.length < MIN_SECRET)
      throw refuse(`The secret is ${bytes.length} bytes long.`, `Use at least ${MIN_SECRET} random bytes.`);
    return bytes;
  }
  const isPrivate = /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text);
  if (!isPem || isPrivate !== (wanted === 'private'))
    throw refuse(
      `${algorithm} needs a ${wanted} key in PEM format here, but this is ${isPem ? 'another kind of key' : 'not PEM'}.`,
      wanted === 'public' ? 'openssl pkey -in KEY -pubout writes the public key.' : 'Name the file of the private key.',
    );
  const key = parse(text, wanted);
  const details = key.asymmetricKeyDetails;
  const fits =
    key.asymmetricKeyType === type &&
    (curve === undefined || details?.namedCurve === curve) &&
    (type !== 'rsa' || (details?.modulusLength ?? 0) >= MIN_RSA);
  if (!fits)
    throw refuse(
      `${algorithm} needs a key of type ${type}${curve === undefined ? '' : ` (${curve})`}${type === 'rsa' ? ` of at least ${MIN_RSA} bits` : ''}, but this key has the type ${key.asymmetricKeyType ?? 'unknown'}.`,
      'Name the algorithm of the key, or use another key.',
    );
  return key;
}

function parse(pem: string, wanted: 'private' | 'public'): KeyObject {
  try {
    return wanted === 'private' ? createPrivateKey(pem) : createPublicKey(pem);
  } catch (error) {
    throw refuse(`The key cannot be read: ${(error as Error).message}.`, 'Write it as PEM, without a passphrase.');
  }
}

function refuse(message: string, remedy: string): BundleRefused {
  return new BundleRefused('E_BUNDLE_KEY', message, remedy);
}
