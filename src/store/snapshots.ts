// Contents by their identity, kept in the data folder: what a session began with, and what a person trusted.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { hashConfiguration } from '../config/hash.ts';
import type { WholeSources } from '../config/sources.ts';
import { makeFolder, projectFolder, writeWhole } from '../platform/data-folder.ts';
import { readRegularText } from '../platform/read-file.ts';

/** Every layer's files, as found at one moment. */
export type Content = readonly WholeSources[];

/** Longest copy that is read, bytes; the files themselves are limited before they are kept. */
const maxBytes = 64 * 1024 * 1024;

/** 64 hex digits over everything that counts in a verdict, prose aside, in every layer. */
export function contentId(content: Content): string {
  const parts = content.map(({ layer, shown, root, vanished, signature, stale, files, faults }) => [
    layer,
    shown,
    root,
    vanished,
    signature,
    hashConfiguration(files, faults, shown),
    ...(stale === true ? ['stale'] : []),
  ]);
  return createHash('sha256')
    .update(JSON.stringify(['content 1', parts]))
    .digest('hex');
}

/** Keeps a copy and gives its identity. Throws when the disk refuses. */
export function keepContent(dataFolder: string, root: string, content: Content): string {
  const id = contentId(content);
  const file = contentFile(dataFolder, root, id);
  if (readContent(dataFolder, root, id) !== null) return id;
  makeFolder(path.dirname(file));
  writeWhole(file, JSON.stringify(content));
  return id;
}

/** The copy with this identity; null when there is none, or it is no longer what was kept. */
export function readContent(dataFolder: string, root: string, id: string): Content | null {
  const content = readCopy<Content>(contentFile(dataFolder, root, id));
  try {
    return content !== null && contentId(content) === id ? content : null;
  } catch {
    // Another shape than ours: no copy.
    return null;
  }
}

/** The JSON of a file of ours; null when it is absent or damaged, and whoever needs it falls back on what is careful. */
function readCopy<T>(file: string): T | null {
  try {
    const stat = fs.lstatSync(file);
    return stat.isFile() && stat.size <= maxBytes ? (JSON.parse(readRegularText(file, maxBytes, { noFollow: true })) as T) : null;
  } catch {
    return null;
  }
}

/** Keeps what a person trusted of a project, by its hash, unless it is there. Throws when the disk refuses. */
export function keepTrusted(dataFolder: string, root: string, project: Content[number], approved: readonly string[]): void {
  const hash = hashConfiguration(project.files, project.faults);
  const file = trustedFile(dataFolder, root, hash);
  if (fs.existsSync(file)) return;
  makeFolder(path.dirname(file));
  writeWhole(file, JSON.stringify(project));
  const named = new Set([hash, ...approved].map((one) => path.basename(trustedFile(dataFolder, root, one))));
  for (const name of listSome(path.dirname(file)))
    if (!named.has(name)) fs.rmSync(path.join(path.dirname(file), name), { force: true });
}

/** What a person trusted under this hash (`sha256:…`); null when there is no copy of it, or none that is whole. */
export function readTrusted(dataFolder: string, root: string, hash: string): Content[number] | null {
  const project = readCopy<Content[number]>(trustedFile(dataFolder, root, hash));
  try {
    return project !== null && hashConfiguration(project.files, project.faults) === hash ? project : null;
  } catch {
    // Another shape than ours: no copy.
    return null;
  }
}

/** Copies that are kept beside those that are named, and their bytes: each edit of what is in use makes one. */
export const MAX_COPIES = 50;
export const MAX_COPIES_BYTES = 64 * 1024 * 1024;

/** True when there are more copies than are kept. */
export function isCrowded(dataFolder: string, root: string): boolean {
  const names = listSome(contentsFolder(dataFolder, root));
  return (
    names.length > MAX_COPIES || names.reduce((sum, name) => sum + copyAt(dataFolder, root, name).size, 0) > MAX_COPIES_BYTES
  );
}

/**
 * Removes copies that nobody names and that no process can be about to name: those of yesterday, and of today as many as are too many,
 * the oldest first. Looks at no more than a few hundred.
 */
export function sweepContents(dataFolder: string, root: string, used: ReadonlySet<string>, now: number): void {
  const unused = listSome(contentsFolder(dataFolder, root))
    .filter((name) => !used.has(name.replace(/\.json$/, '')))
    .map((name) => copyAt(dataFolder, root, name))
    .sort((one, other) => other.at - one.at);
  let bytes = 0;
  for (const [newer, { file, at, size }] of unused.entries()) {
    bytes += size;
    const tooMany = newer >= MAX_COPIES || bytes > MAX_COPIES_BYTES;
    // A clock that was ahead makes no copy younger.
    if (Math.abs(now - at) > (tooMany ? namedMs : settledMs)) fs.rmSync(file, { force: true });
  }
}

function copyAt(dataFolder: string, root: string, name: string): { file: string; at: number; size: number } {
  const file = path.join(contentsFolder(dataFolder, root), name);
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  return { file, at: stat?.mtimeMs ?? 0, size: stat?.size ?? 0 };
}

/** Longest from the copy to the record that names it, milliseconds; and how long a few are kept that nobody names. */
const namedMs = 60_000;
const settledMs = 24 * 60 * 60 * 1000;
const listed = 500;

/** Names in a folder of ours; none where it is not there yet. */
function listSome(folder: string): string[] {
  return fs.existsSync(folder) ? fs.readdirSync(folder).slice(0, listed) : [];
}

function contentsFolder(dataFolder: string, root: string): string {
  return path.join(projectFolder(dataFolder, root), 'contents');
}

function trustedFile(dataFolder: string, root: string, hash: string): string {
  return path.join(projectFolder(dataFolder, root), 'trusted', `${hash.slice('sha256:'.length)}.json`);
}

function contentFile(dataFolder: string, root: string, id: string): string {
  return path.join(contentsFolder(dataFolder, root), `${id}.json`);
}
