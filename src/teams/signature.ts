// `.signatures.json` of an OPA bundle: one JWT that lists every file with its hash.
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { digestFile } from './digest.ts';
import { type Algorithm, signingKey, verifyingKey } from './keys.ts';
import { BundleRefused } from './refusal.ts';
import { type BundleFiles, shown } from './unpack.ts';

export const SIGNATURES = '.signatures.json';

/**
 * Maximum milliseconds by which the signer's clock may be ahead. Every later bundle would count as older than a bundle from
 * further in the future.
 */
const AHEAD = 24 * 60 * 60 * 1000;
/** The last valid date, milliseconds since 1970. */
const LAST_DATE = 8.64e15;

export interface SigningOptions {
  algorithm: Algorithm;
  /** PEM of a private key, or a secret. */
  key: Uint8Array;
  /** Included in the signature, for recipients with several keys. */
  keyId?: string;
  /** The purpose of the bundle; the signer and the recipient must name the same. */
  scope?: string;
  /** The bundle may be activated until then. */
  expires?: Date;
  now?: Date;
}

export interface VerifyingOptions {
  algorithm: Algorithm;
  /** PEM of a public key, or a secret. */
  key: Uint8Array;
  keyId?: string;
  scope?: string;
  now?: Date;
}

/** The verified statements of a signature; times in ms since 1970, null if it has none. */
export interface Vouched {
  revision: string;
  issuedAt: number | null;
  expires: number | null;
}

interface FileEntry {
  name: string;
  hash: string;
  algorithm: string;
}

/** The files with their signature, which replaces any previous one. @throws {Refused} */
export async function signBundle(files: BundleFiles, options: SigningOptions): Promise<BundleFiles> {
  const { algorithm, keyId, scope, expires, now = new Date() } = options;
  const rest: BundleFiles = new Map([...files].filter(([name]) => !isSignatures(name)));
  const entries: FileEntry[] = [...rest].map(([name, bytes]) => ({ name, hash: digestFile(name, bytes), algorithm: 'SHA-256' }));
  const claims = { files: entries, ...(scope && { scope }), ...(keyId && { keyid: keyId }) };
  const token = new SignJWT(claims)
    .setProtectedHeader({ alg: algorithm, typ: 'JWT', ...(keyId && { kid: keyId }) })
    .setIssuedAt(now);
  if (expires !== undefined) token.setExpirationTime(expires);
  const signed = await token.sign(signingKey(options.key, algorithm));
  rest.set(SIGNATURES, Buffer.from(`${JSON.stringify({ signatures: [signed] }, null, 2)}\n`));
  return rest;
}

/**
 * Checks that the key signed exactly these files.
 * @throws {Refused} E_BUNDLE_UNSIGNED, E_BUNDLE_KEY, E_BUNDLE_SIGNATURE, E_BUNDLE_EXPIRED, E_BUNDLE_SCOPE, E_BUNDLE_ALTERED
 */
export async function verifyBundle(files: BundleFiles, options: VerifyingOptions): Promise<Vouched> {
  const payload = await verifyToken(readToken(files), options);
  const named = entriesOf(payload);
  if ((payload.scope ?? '') !== (options.scope ?? ''))
    throw new BundleRefused(
      'E_BUNDLE_SCOPE',
      `The bundle is signed for the scope ${JSON.stringify(payload.scope ?? '')}, not ${JSON.stringify(options.scope ?? '')}.`,
      'Sign it with --scope, or configure the scope that it has.',
    );
  for (const [name, bytes] of files) {
    if (isSignatures(name)) continue;
    const entry = named.get(name);
    if (entry === undefined) throw altered(`${shown(name)} is not listed in the signature`);
    if (digestFile(name, bytes, entry.algorithm) !== entry.hash.toLowerCase())
      throw altered(`${shown(name)} differs from the signed file`);
    named.delete(name);
  }
  const [missing] = named.keys();
  if (missing !== undefined) throw altered(`${shown(missing)} was signed but is missing`);
  return { revision: revisionOf(files), issuedAt: timeOf(payload.iat), expires: timeOf(payload.exp) };
}

/** Milliseconds, at most the largest valid date. */
function timeOf(seconds: number | undefined): number | null {
  return seconds === undefined ? null : Math.min(seconds * 1000, LAST_DATE);
}

/** `revision` of the manifest; '' if it has none. */
export function revisionOf(files: BundleFiles): string {
  try {
    const manifest = JSON.parse(files.get('.manifest')?.toString('utf8') ?? '{}') as { revision?: unknown } | null;
    return typeof manifest?.revision === 'string' ? manifest.revision : '';
  } catch {
    throw new BundleRefused('E_BUNDLE_ARCHIVE', 'Its .manifest is not JSON.', 'Build the bundle again.');
  }
}

const isSignatures = (name: string): boolean => name === SIGNATURES || name.endsWith(`/${SIGNATURES}`);

function readToken(files: BundleFiles): string {
  const found = [...files].filter(([name]) => isSignatures(name));
  if (found.length === 0)
    throw new BundleRefused('E_BUNDLE_UNSIGNED', 'The bundle is not signed.', 'Sign it: modes bundle sign.');
  let parsed: { signatures?: unknown; plugin?: unknown } | null;
  try {
    parsed = JSON.parse(found[0]![1].toString('utf8')) as typeof parsed;
  } catch {
    throw badSignature(`${SIGNATURES} is not JSON`);
  }
  const { signatures, plugin } = parsed ?? {};
  if (![undefined, '', '_default'].includes(plugin as string | undefined))
    throw badSignature(`it is for the plugin ${JSON.stringify(plugin)}`);
  if (!Array.isArray(signatures) || signatures.length === 0)
    throw new BundleRefused('E_BUNDLE_UNSIGNED', 'The bundle is not signed.', 'Sign it: modes bundle sign.');
  if (found.length > 1 || signatures.length > 1 || typeof signatures[0] !== 'string')
    throw badSignature('there must be exactly one signature');
  return signatures[0];
}

async function verifyToken(token: string, { algorithm, key, keyId, now }: VerifyingOptions): Promise<JWTPayload> {
  const vouching = verifyingKey(key, algorithm);
  try {
    const { payload, protectedHeader } = await jwtVerify(token, vouching, {
      algorithms: [algorithm],
      clockTolerance: 60,
      ...(now && { currentDate: now }),
    });
    const made = timeOf(payload.iat);
    if (made !== null && made > (now ?? new Date()).getTime() + AHEAD)
      throw badSignature(`it was made at ${new Date(made).toISOString()}, which is in the future`);
    const named = protectedHeader.kid ?? (payload.keyid as string | undefined);
    if (keyId !== undefined && named !== undefined && named !== keyId)
      throw badSignature(`it names the key ${JSON.stringify(named)}, not ${JSON.stringify(keyId)}`);
    return payload;
  } catch (error) {
    throw error instanceof errors.JOSEError ? refusalOf(error, algorithm) : error;
  }
}

function refusalOf(error: errors.JOSEError, algorithm: Algorithm): BundleRefused {
  if (error instanceof errors.JWTExpired)
    return new BundleRefused('E_BUNDLE_EXPIRED', 'The signature of the bundle has expired.', 'Sign it again, and publish it.');
  if (error instanceof errors.JOSEAlgNotAllowed)
    return badSignature(`its algorithm is not ${algorithm}, which is pinned for the key`);
  if (error instanceof errors.JWSSignatureVerificationFailed) return badSignature('it was not made by this key');
  return badSignature(error.message);
}

function entriesOf({ files }: JWTPayload): Map<string, FileEntry> {
  const isEntry = (one: unknown): one is FileEntry => {
    const { name, hash, algorithm } = (one ?? {}) as Partial<FileEntry>;
    return typeof name === 'string' && typeof hash === 'string' && typeof algorithm === 'string';
  };
  if (!Array.isArray(files) || !files.every(isEntry)) throw badSignature('it lists no files');
  return new Map(files.map((one) => [one.name, one]));
}

function badSignature(why: string): BundleRefused {
  return new BundleRefused(
    'E_BUNDLE_SIGNATURE',
    `The signature of the bundle is invalid: ${why}.`,
    'Sign the bundle with the pinned key, or pin the key that signed it.',
  );
}

function altered(why: string): BundleRefused {
  return new BundleRefused(
    'E_BUNDLE_ALTERED',
    `The bundle was changed after it was signed: ${why}.`,
    'Publish the signed bundle, or sign this one.',
  );
}
