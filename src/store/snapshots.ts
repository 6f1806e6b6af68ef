// Copies of contents in the data folder, by hash: those that sessions are pinned to, and those that a person trusted.

import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { hashConfiguration } from '../config/hash.ts';
import type { WholeSources } from '../config/sources.ts';
import { newestFirst, projectFolder } from '../platform/data-folder.ts';
import { hexHash } from '../platform/hash.ts';
import { fields, RecordKind, uncopied } from './record.ts';

/** The files of every layer at one moment. */
export type ConfigSnapshot = readonly WholeSources[];

const problem = fields({
  code: z.string(),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
  remedy: z.string(),
  file: z.optional(z.string()),
  line: z.optional(z.number()),
  column: z.optional(z.number()),
  length: z.optional(z.number()),
  lineText: z.optional(z.string()),
});
const layer = uncopied(
  fields({
    layer: z.enum(['project', 'user', 'managed']),
    shown: z.string(),
    root: z.string(),
    vanished: z.boolean(),
    signature: z.string(),
    stale: z.optional(z.boolean()),
    files: z.array(fields({ name: z.string(), text: z.string() })),
    faults: z.array(problem),
    strays: z.array(z.string()),
  }),
);
/** The files themselves are limited before they are stored. */
const copy = { version: 'none', maxBytes: 64 * 1024 * 1024, noFollow: true } as const;
const snapshots = new RecordKind({ ...copy, schema: z.array(layer) });
const trustedLayers = new RecordKind({ ...copy, schema: layer });

/** 64 hex digits that cover everything that affects a verdict, in every layer. Prose is left out. */
export function snapshotId(snapshot: ConfigSnapshot): string {
  const parts = snapshot.map(({ layer, shown, root, vanished, signature, stale, files, faults }) => [
    layer,
    shown,
    root,
    vanished,
    signature,
    hashConfiguration(files, faults, shown),
    ...(stale === true ? ['stale'] : []),
  ]);
  return hexHash(JSON.stringify(['content 1', parts]));
}

/** Stores a copy and returns its hash. Throws if the disk refuses. */
export function writeSnapshot(dataFolder: string, root: string, snapshot: ConfigSnapshot): string {
  const id = snapshotId(snapshot);
  const file = snapshotFile(dataFolder, root, id);
  if (readSnapshot(dataFolder, root, id) !== null) return id;
  snapshots.write(file, snapshot);
  return id;
}

/** The copy with this hash; null if it is absent or was changed. */
export function readSnapshot(dataFolder: string, root: string, id: string): ConfigSnapshot | null {
  const content = snapshots.read(snapshotFile(dataFolder, root, id));
  return content !== null && snapshotId(content) === id ? content : null;
}

/** Stores a project's trusted layer by its hash, unless it is already stored. Throws if the disk refuses. */
export function keepTrusted(
  dataFolder: string,
  root: string,
  project: ConfigSnapshot[number],
  approved: readonly string[],
): void {
  const hash = hashConfiguration(project.files, project.faults);
  const file = trustedFile(dataFolder, root, hash);
  if (fs.existsSync(file)) return;
  trustedLayers.write(file, project);
  const named = new Set([hash, ...approved].map((one) => path.basename(trustedFile(dataFolder, root, one))));
  for (const name of listSome(path.dirname(file)))
    if (!named.has(name)) fs.rmSync(path.join(path.dirname(file), name), { force: true });
}

/** The trusted layer with this hash (`sha256:…`); null if there is no intact copy. */
export function readTrusted(dataFolder: string, root: string, hash: string): ConfigSnapshot[number] | null {
  const project = trustedLayers.read(trustedFile(dataFolder, root, hash));
  return project !== null && hashConfiguration(project.files, project.faults) === hash ? project : null;
}

/** Limits on the copies that no record names: number and bytes. Each edit of the present content creates one. */
export const MAX_COPIES = 50;
export const MAX_COPIES_BYTES = 64 * 1024 * 1024;

/** True if there are more copies than the limits permit. */
export function isCrowded(dataFolder: string, root: string): boolean {
  const copies = copiesOf(dataFolder, root);
  return copies.length > MAX_COPIES || copies.reduce((sum, { size }) => sum + size, 0) > MAX_COPIES_BYTES;
}

/**
 * Removes copies that no record names and that no process can be about to name. These are copies older than a day and, beyond the
 * limits, also newer ones, oldest first. Checks at most `listed` files.
 */
export function sweepSnapshots(dataFolder: string, root: string, used: ReadonlySet<string>, now: number): void {
  let bytes = 0;
  const unused = copiesOf(dataFolder, root).filter(({ name }) => !used.has(name.replace(/\.json$/, '')));
  for (const [newer, { name, at, size }] of unused.entries()) {
    bytes += size;
    const tooMany = newer >= MAX_COPIES || bytes > MAX_COPIES_BYTES;
    // The absolute difference, so that a copy with a time in the future does not stay forever.
    const isSettled = Math.abs(now - at) > (tooMany ? namedMs : settledMs);
    if (isSettled) fs.rmSync(path.join(snapshotsFolder(dataFolder, root), name), { force: true });
  }
}

/** At most `listed` of them, newest first. */
function copiesOf(dataFolder: string, root: string) {
  const folder = snapshotsFolder(dataFolder, root);
  return newestFirst(folder, listSome(folder));
}

/** Longest time between a copy and the record that names it, in milliseconds, and how long a few unnamed copies are kept. */
const namedMs = 60_000;
const settledMs = 24 * 60 * 60 * 1000;
const listed = 500;

/** Names in one of our folders; empty if it does not exist yet. */
function listSome(folder: string): string[] {
  return fs.existsSync(folder) ? fs.readdirSync(folder).slice(0, listed) : [];
}

function snapshotsFolder(dataFolder: string, root: string): string {
  return path.join(projectFolder(dataFolder, root), 'contents');
}

function trustedFile(dataFolder: string, root: string, hash: string): string {
  return path.join(projectFolder(dataFolder, root), 'trusted', `${hash.slice('sha256:'.length)}.json`);
}

function snapshotFile(dataFolder: string, root: string, id: string): string {
  return path.join(snapshotsFolder(dataFolder, root), `${id}.json`);
}
