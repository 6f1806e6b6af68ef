// A cache of bundles, by everything that they are made from. Every file is checked against its hash when it is read, so a damaged
// file counts as missing. The cache only saves time.

import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../model/problem.ts';
import { readRegular } from '../platform/read-file.ts';
import { type Bundle, type Manifest, manifestBytes } from './bundle.ts';
import type { CompilerFailure } from './compiler/types.ts';
import { sha256 } from './hash.ts';

const MAX_FILE_BYTES = 64 * 1024 * 1024;
/**
 * If there are more bundles than this, the oldest are removed, with the files that only they use. A configuration may have 200
 * modes and needs all of its bundles.
 */
const MAX_BUNDLES = 1_024;
/** Prepared configurations of all projects. The oldest are removed. */
const MAX_KEPT = 128;
/** A younger file may belong to a bundle that another process is still writing. */
const SETTLED_MS = 24 * 60 * 60 * 1000;
const HASH = /^sha256:([0-9a-f]{64})$/;

/** A WASM that is stored elsewhere and therefore not copied into the cache: the compiled core. */
export interface CachedWasm {
  hash: string;
  bytes: Uint8Array;
}

export type Cached = { found: true; bundle: Bundle } | { found: false; problem: Problem | null };

/** Cache key of everything that a bundle is made from, as any JSON value. The same content gives the same key. */
export function bundleKey(parts: unknown): string {
  return sha256(JSON.stringify(parts)).slice('sha256:'.length);
}

/** The bundle of a key. Not found if any part is missing or damaged; damage is also a warning. */
export function readBundle(folder: string, key: string, known: CachedWasm | null = null): Cached {
  const head = readCached(join(folder, `${key}.json`));
  if (head === null) return { found: false, problem: null };
  const entry = parseEntry(head);
  if (entry === null || entry.key !== key) return damaged(folder, `${key}.json`);
  const { manifest, hash } = entry;
  if (sha256(manifestBytes(manifest)) !== hash) return damaged(folder, `${key}.json`);
  const files = manifest.metadata.files;
  const wasm =
    known !== null && files['policy.wasm'] === known.hash ? known.bytes : readBlob(folder, files['policy.wasm'], 'wasm');
  if (wasm === null) return damaged(folder, files['policy.wasm']);
  const data = readBlob(folder, files['data.json'], 'data');
  if (data === null) return damaged(folder, files['data.json']);
  return { found: true, bundle: { manifest, wasm, data, hash } };
}

/** Stores a bundle. A failure to write is only a warning, since the bundle can be built again. */
export function writeBundle(folder: string, key: string, bundle: Bundle, known: CachedWasm | null = null): Problem | null {
  const files = bundle.manifest.metadata.files;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (files['policy.wasm'] !== known?.hash) writeBlob(folder, files['policy.wasm'], 'wasm', bundle.wasm);
    writeBlob(folder, files['data.json'], 'data', bundle.data);
    writeAtomically(folder, `${key}.json`, Buffer.from(JSON.stringify({ key, manifest: bundle.manifest, hash: bundle.hash })));
    prune(folder);
    return null;
  } catch (error) {
    return cacheProblem(`the bundle cannot be stored in ${folder}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export type Obtained = { ok: true; bundle: Bundle; warnings: Problem[] } | CompilerFailure;

/** Returns the cached bundle, or builds and stores a new one. */
export async function obtainBundle(
  folder: string,
  key: string,
  build: () => Promise<{ ok: true; bundle: Bundle } | CompilerFailure>,
  known: CachedWasm | null = null,
): Promise<Obtained> {
  const cached = readBundle(folder, key, known);
  if (cached.found) return { ok: true, bundle: cached.bundle, warnings: [] };
  const built = await build();
  if (!built.ok) return built;
  const unkept = writeBundle(folder, key, built.bundle, known);
  return { ok: true, bundle: built.bundle, warnings: [cached.problem, unkept].filter((one) => one !== null) };
}

/** Reads a JSON value that was stored under a key. Null if it is missing or was changed. */
export function readCacheFile<T>(folder: string, key: string): T | null {
  const bytes = readCached(join(folder, `${key}.kept`));
  if (bytes === null) return null;
  const text = Buffer.from(bytes).toString();
  const end = text.indexOf('\n');
  if (end === -1 || cachedHash(key, text.slice(end + 1)) !== text.slice(0, end)) return null;
  return JSON.parse(text.slice(end + 1)) as T;
}

/** The hash covers the key, so that a value that was copied to another key is refused. */
const cachedHash = (key: string, text: string): string => sha256(`${key}\n${text}`);

/** Stores a JSON value with its hash. A failure to write is a warning. */
export function writeCacheFile(folder: string, key: string, value: unknown): Problem | null {
  const text = JSON.stringify(value);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeAtomically(folder, `${key}.kept`, Buffer.from(`${cachedHash(key, text)}\n${text}`));
    const kept = readdirSync(folder).filter((name) => name.endsWith('.kept'));
    if (kept.length > MAX_KEPT)
      for (const name of oldest(folder, kept, MAX_KEPT / 2)) rmSync(join(folder, name), { force: true });
    return null;
  } catch (error) {
    return cacheProblem(
      `the prepared configuration cannot be stored in ${folder}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** All but the newest few. */
function oldest(folder: string, names: string[], keep: number): string[] {
  const age = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const newestFirst = names.map((name) => ({ name, at: age(name) })).sort((a, b) => b.at - a.at);
  return newestFirst.slice(keep).map(({ name }) => name);
}

/** `key` is the key that the entry was written under. An entry that was copied to another name counts as damaged. */
interface CacheEntry {
  key: string;
  manifest: Manifest;
  hash: string;
}

function parseEntry(bytes: Uint8Array): CacheEntry | null {
  try {
    const entry = JSON.parse(Buffer.from(bytes).toString()) as Partial<CacheEntry>;
    const files = entry.manifest?.metadata?.files;
    const whole =
      typeof entry.hash === 'string' && HASH.test(files?.['policy.wasm'] ?? '') && HASH.test(files?.['data.json'] ?? '');
    return whole ? (entry as CacheEntry) : null;
  } catch {
    return null;
  }
}

function readBlob(folder: string, hash: string, kind: 'wasm' | 'data'): Uint8Array<ArrayBuffer> | null {
  const bytes = readCached(join(folder, blobName(hash, kind)));
  return bytes !== null && sha256(bytes) === hash ? bytes : null;
}

function writeBlob(folder: string, hash: string, kind: 'wasm' | 'data', bytes: Uint8Array): void {
  if (readBlob(folder, hash, kind) === null) writeAtomically(folder, blobName(hash, kind), bytes);
}

const blobName = (hash: string, kind: string) => `${hash.slice('sha256:'.length)}.${kind}`;

/** A regular file of limited size. Null for anything else, which is then built again. */
function readCached(file: string): Uint8Array<ArrayBuffer> | null {
  try {
    const found = lstatSync(file);
    return found.isFile() && found.size <= MAX_FILE_BYTES
      ? new Uint8Array(readRegular(file, MAX_FILE_BYTES, { noFollow: true }))
      : null;
  } catch {
    return null;
  }
}

function writeAtomically(folder: string, name: string, bytes: Uint8Array): void {
  const temporary = join(folder, `${name}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    writeFileSync(temporary, bytes, { mode: 0o600, flag: 'wx' });
    chmodSync(temporary, 0o600);
    renameSync(temporary, join(folder, name));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Removes the oldest bundles beyond the limit. Then removes old files that no bundle names; young ones may still be written. */
function prune(folder: string): void {
  const names = readdirSync(folder);
  const entries = names.filter((name) => /^[0-9a-f]{64}\.json$/.test(name));
  if (entries.length <= MAX_BUNDLES) return;
  const age = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const newestFirst = entries.map((name) => ({ name, at: age(name) })).sort((a, b) => b.at - a.at);
  for (const { name } of newestFirst.slice(MAX_BUNDLES / 2)) rmSync(join(folder, name), { force: true });
  const used = new Set<string>();
  for (const { name } of newestFirst.slice(0, MAX_BUNDLES / 2)) {
    const files = parseEntry(readCached(join(folder, name)) ?? new Uint8Array())?.manifest.metadata.files;
    if (files === undefined) continue;
    used.add(blobName(files['policy.wasm'], 'wasm')).add(blobName(files['data.json'], 'data'));
  }
  for (const name of names) {
    const ours = /^[0-9a-f]{64}\.(wasm|data)$/.test(name) || name.endsWith('.tmp');
    if (ours && !used.has(name) && Date.now() - age(name) > SETTLED_MS) rmSync(join(folder, name), { force: true });
  }
}

function damaged(folder: string, what: string): Cached {
  return { found: false, problem: cacheProblem(`${what} in ${folder} is damaged or missing and is built again`) };
}

function cacheProblem(message: string): Problem {
  return {
    code: 'W_BUNDLE_CACHE',
    severity: 'warning',
    message,
    remedy: 'Nothing is lost; if it happens again, check the folder and the disk.',
  };
}
