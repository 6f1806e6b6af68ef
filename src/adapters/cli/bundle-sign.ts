// modes bundle sign and verify.
import path from 'node:path';
import { isAddress } from '../../config/team-server.ts';
import { packArchive } from '../../policy/archive.ts';
import { ALGORITHMS, type Algorithm, isAlgorithm } from '../../teams/keys.ts';
import { BundleRefused } from '../../teams/refusal.ts';
import { putBundle } from '../../teams/remote.ts';
import { SIGNATURES, signBundle, verifyBundle } from '../../teams/signature.ts';
import { type BundleFiles, unpackArchive } from '../../teams/unpack.ts';
import { insideClient } from './inside.ts';
import { readNamed } from './open.ts';
import { toJson } from './outputs/json.ts';
import { refuseInside, writeOutput } from './policy-output.ts';
import { refuse } from './refuse.ts';
import { exits, type Terminal, UsageError } from './terminal.ts';

interface KeyOptions {
  key: string;
  alg: string;
  scope?: string;
  keyId?: string;
  json?: boolean;
}

interface SignOptions extends KeyOptions {
  output?: string;
  expires?: string;
}

const DAY = 24 * 60 * 60 * 1000;
const UNITS: Record<string, number> = { m: 60_000, h: 60 * 60_000, d: DAY, w: 7 * DAY };

export async function bundleSign(file: string, options: SignOptions, terminal: Terminal): Promise<number> {
  refuseInside('modes bundle sign');
  const algorithm = algorithmOf(options.alg);
  const expires = options.expires === undefined ? undefined : momentOf(options.expires);
  return refusing(options, terminal, async () => {
    const files = await signBundle(open(file), {
      algorithm,
      key: readNamed(options.key, 'key'),
      ...(options.keyId && { keyId: options.keyId }),
      ...(options.scope && { scope: options.scope }),
      ...(expires && { expires }),
    });
    const output = path.resolve(options.output ?? file);
    writeOutput(output, pack(files));
    const signed = files.size - 1;
    if (options.json)
      terminal.out(toJson<'bundle-sign'>({ file: output, algorithm, files: signed, expires: expires?.toISOString() ?? null }));
    else terminal.out(`${path.relative('.', output)}: ${signed} files signed with ${algorithm}`);
  });
}

export async function bundleVerify(file: string, options: KeyOptions, terminal: Terminal): Promise<number> {
  const algorithm = algorithmOf(options.alg);
  return refusing(options, terminal, async () => {
    const files = open(file);
    const { revision, issuedAt, expires } = await verifyBundle(files, {
      algorithm,
      key: readNamed(options.key, 'key'),
      ...(options.keyId && { keyId: options.keyId }),
      ...(options.scope && { scope: options.scope }),
    });
    const signed = [...files.keys()].filter((name) => name !== SIGNATURES);
    const isoOf = (at: number | null) => (at === null ? null : new Date(at).toISOString());
    if (options.json)
      terminal.out(
        toJson<'bundle-verify'>({
          file: path.resolve(file),
          algorithm,
          revision,
          signed: isoOf(issuedAt),
          expires: isoOf(expires),
          files: signed,
        }),
      );
    else terminal.out(`${file}: revision ${revision || '(none)'}, ${signed.length} files, all unchanged since the signature`);
  });
}

/** Runs `act`; prints a refusal and returns the exit code. */
export async function refusing(options: { json?: boolean }, terminal: Terminal, act: () => Promise<void>): Promise<number> {
  try {
    await act();
    return exits.fine;
  } catch (error) {
    if (!(error instanceof BundleRefused)) throw error;
    const { code, message, remedy } = error;
    return refuse({ code, message: options.json ? message : `${code} ${message}`, remedy }, options, terminal);
  }
}

/** @throws {UsageError} if there is no such file, {Refused} if it is not a bundle */
export function open(file: string): BundleFiles {
  return unpackArchive(readNamed(file, 'bundle'));
}

/** Maximum bytes of a name in our archives, without the slash before it. */
const MAX_NAME = 99;

/** @throws {Refused} */
function pack(files: BundleFiles): Uint8Array {
  for (const name of files.keys())
    if (Buffer.byteLength(name) > MAX_NAME)
      throw new BundleRefused('E_BUNDLE_ARCHIVE', `${name} is longer than ${MAX_NAME} bytes.`, 'Give it a shorter name.');
  return packArchive(new Map([...files].map(([name, bytes]) => [`/${name}`, bytes])));
}

function algorithmOf(text: string): Algorithm {
  if (!isAlgorithm(text)) throw new UsageError(`--alg must be one of ${Object.keys(ALGORITHMS).join(', ')}`);
  return text;
}

function momentOf(text: string): Date {
  const [, count, unit] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  const at = count === undefined ? new Date(text) : new Date(Date.now() + Number(count) * UNITS[unit!]!);
  if (Number.isNaN(at.getTime())) throw new UsageError('--expires must be a time such as 30d, or a date and time (ISO 8601)');
  return at;
}

interface PushOptions {
  token?: string;
  ca?: string;
  json?: boolean;
}

export async function bundlePush(file: string, url: string, options: PushOptions, terminal: Terminal): Promise<number> {
  const inside = insideClient(process.env);
  if (inside !== null)
    throw new UsageError(`only a person may run modes bundle push, in their own terminal, but ${inside}`, 'E_INSIDE_CLIENT');
  if (!isAddress(url)) throw new UsageError('write the address as https://…; http:// is allowed only for this machine');
  const at = new URL(url);
  return refusing(options, terminal, async () => {
    const bytes = readNamed(file, 'bundle');
    if (!unpackArchive(bytes).has(SIGNATURES))
      throw new BundleRefused('E_BUNDLE_UNSIGNED', 'The bundle is not signed.', 'Sign it: modes bundle sign.');
    const etag = await putBundle(at, bytes, {
      ...(options.token && { token: readNamed(options.token, 'key').toString('utf8').trim() }),
      ...(options.ca && { ca: readNamed(options.ca, 'key').toString('utf8') }),
    });
    if (options.json) terminal.out(toJson<'bundle-push'>({ url: at.href, bytes: bytes.length, etag }));
    else terminal.out(`${at.href}: ${Math.ceil(bytes.length / 1024)} KB`);
  });
}
