// A cache of bundles, by everything that they are made from. Every file is checked against its hash when it is read, so a damaged
// file counts as missing. The cache only saves time.

import { readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod/mini';
import type { Problem } from '../model/problem.ts';
import { keepNewest, makeFolder, newestFirst, writeWhole } from '../platform/data-folder.ts';
import { sha256 } from '../platform/hash.ts';
import { readRegular } from '../platform/read-file.ts';
import { fields, type Given, RecordKind } from '../store/record.ts';
import { type Bundle, type Manifest, manifestBytes } from './bundle.ts';
import type { CompilerFailure } from './compiler/types.ts';

const MAX_FILE_BYTES = 64 * 1024 * 1024;
/**
 * If there are more bundles than this, the oldest are removed, with the files that only they use. A configuration may have 200
 * modes and needs all of its bundles.
 */
const MAX_BUNDLES = 1_024;
/** Prepared configurations of all projects. The oldest are removed. */
const MAX_CACHE_FILES = 128;
/** A younger file may belong to a bundle that another process is still writing. */
const SETTLED_MS = 24 * 60 * 60 * 1000;

const hash = z.string().check(z.regex(/^sha256:[0-9a-f]{64}$/));
/** What Modes stores here is a regular file, so a link is not read. */
const stored = { version: 'none', maxBytes: MAX_FILE_BYTES, noFollow: true, isCache: true } as const;

/** A bundle without its two large files. */
const entries = new RecordKind({
  ...stored,
  schema: fields({
    /** The key that the entry was written under. An entry that was copied to another name counts as damaged. */
    key: z.string(),
    /** Its own hash covers the order of its keys. */
    manifest: z.custom<Manifest>(
      (value) =>
        z.safeParse(fields({ metadata: fields({ files: fields({ 'policy.wasm': hash, 'data.json': hash }) }) }), value).success,
    ),
    hash: z.string(),
  }),
});

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
  const found = entries.state(join(folder, `${key}.json`));
  if (found.state === 'absent' || found.state === 'refused') return { found: false, problem: null };
  if (found.state !== 'whole' || found.value.key !== key) return damaged(folder, `${key}.json`);
  const { manifest, hash } = found.value;
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
    makeFolder(folder);
    if (files['policy.wasm'] !== known?.hash) writeBlob(folder, files['policy.wasm'], 'wasm', bundle.wasm);
    writeBlob(folder, files['data.json'], 'data', bundle.data);
    entries.write(join(folder, `${key}.json`), { key, manifest: bundle.manifest, hash: bundle.hash });
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

/** A kind of value that is stored under a key. The hash covers the key, so that a file that was copied to another key is refused. */
export const cacheKind = <Schema extends z.ZodMiniType>(schema: Schema) =>
  new RecordKind({ ...stored, schema, hash: (json, file) => sha256(`${basename(file, '.kept')}\n${json}`) });

export const cacheFile = (folder: string, key: string): string => join(folder, `${key}.kept`);

/** Stores a value. A failure to write is a warning. */
export function writeCacheFile<Schema extends z.ZodMiniType>(
  kind: RecordKind<Schema>,
  folder: string,
  key: string,
  value: Given<z.output<Schema>>,
): Problem | null {
  try {
    kind.write(cacheFile(folder, key), value);
    const cacheFiles = readdirSync(folder).filter((name) => name.endsWith('.kept'));
    if (cacheFiles.length > MAX_CACHE_FILES) keepNewest(folder, cacheFiles, MAX_CACHE_FILES / 2);
    return null;
  } catch (error) {
    return cacheProblem(
      `the prepared configuration cannot be stored in ${folder}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function readBlob(folder: string, hash: string, kind: 'wasm' | 'data'): Uint8Array<ArrayBuffer> | null {
  const bytes = readCached(join(folder, blobName(hash, kind)));
  return bytes !== null && sha256(bytes) === hash ? bytes : null;
}

function writeBlob(folder: string, hash: string, kind: 'wasm' | 'data', bytes: Uint8Array): void {
  if (readBlob(folder, hash, kind) === null) writeWhole(join(folder, blobName(hash, kind)), bytes, false);
}

const blobName = (hash: string, kind: string) => `${hash.slice('sha256:'.length)}.${kind}`;

/** A regular file of limited size. Null for anything else, which is then built again. */
function readCached(file: string): Uint8Array<ArrayBuffer> | null {
  try {
    return new Uint8Array(readRegular(file, MAX_FILE_BYTES, { noFollow: true }));
  } catch {
    return null;
  }
}

/** Removes the oldest bundles beyond the limit. Then removes old files that no bundle names; young ones may still be written. */
function prune(folder: string): void {
  const names = readdirSync(folder);
  const heads = names.filter((name) => /^[0-9a-f]{64}\.json$/.test(name));
  if (heads.length <= MAX_BUNDLES) return;
  keepNewest(folder, heads, MAX_BUNDLES / 2);
  const left = newestFirst(folder, readdirSync(folder));
  const used = new Set<string>();
  for (const { name } of left) {
    const files = name.endsWith('.json') ? entries.read(join(folder, name))?.manifest.metadata.files : undefined;
    if (files !== undefined) used.add(blobName(files['policy.wasm'], 'wasm')).add(blobName(files['data.json'], 'data'));
  }
  for (const { name, at } of left) {
    const isOurs = /^[0-9a-f]{64}\.(wasm|data)$/.test(name) || /\.(tmp|new)$/.test(name);
    if (isOurs && !used.has(name) && Date.now() - at > SETTLED_MS) rmSync(join(folder, name), { force: true });
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
