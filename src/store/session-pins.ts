// The content that each session is pinned to. One file for each session, which every process finds by the session's id.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder, projectFolder, readDataFile, writeWhole } from '../platform/data-folder.ts';
import { lastKnownGoodId } from './last-known-good.ts';
import { sessionFileName } from './session-origin.ts';
import { type ConfigSnapshot, isCrowded, sweepSnapshots, writeSnapshot } from './snapshots.ts';

interface PinRecord {
  version: 1;
  root: string;
  session: string;
  /** Content hash. */
  content: string;
  at: string;
}

/** Pins beyond this number are deleted, those of the longest ended sessions first. */
const maxPins = 200;
/** How many pins a sweep checks, and after how many new pins one runs. */
const swept = 500;
const sweepEvery = 50;
/** A session without a server that started longer ago counts as ended. */
const silentMs = 7 * 24 * 60 * 60 * 1000;

/** The hash of the content that a session is pinned to. null: it has no pin yet. `damaged`: the pin is unreadable. */
export function readPin(dataFolder: string, root: string, session: string): { content: string } | 'damaged' | null {
  let text: string;
  try {
    text = readDataFile(pinFile(dataFolder, root, session));
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '') ? null : 'damaged';
  }
  return parsePin(text, root, session) ?? 'damaged';
}

/**
 * Pins a content for a session without a pin, and returns the pin that is then stored: another process may have been first.
 * Throws if the disk refuses.
 */
export function takePin(
  dataFolder: string,
  root: string,
  session: string,
  content: ConfigSnapshot,
  at: Date,
): ReturnType<typeof readPin> {
  const id = writeSnapshot(dataFolder, root, content);
  const file = pinFile(dataFolder, root, session);
  makeFolder(path.dirname(file));
  const fresh = `${file}.${randomBytes(6).toString('hex')}.new`;
  try {
    fs.writeFileSync(fresh, pinText(root, session, id, at), { mode: 0o600, flag: 'wx' });
    fs.linkSync(fresh, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return readPin(dataFolder, root, session);
  } finally {
    fs.rmSync(fresh, { force: true });
  }
  sweepPins(dataFolder, root, at);
  return { content: id };
}

/** Pins a content for one session, replacing any earlier pin. Call this only at a person's request. */
export function setPin(dataFolder: string, root: string, session: string, content: ConfigSnapshot, at: Date): void {
  const id = writeSnapshot(dataFolder, root, content);
  makeFolder(pinsFolder(dataFolder, root));
  writeWhole(pinFile(dataFolder, root, session), pinText(root, session, id, at));
}

/** The same for every session of the project that has a pin. Returns their number. */
export function setAllPins(dataFolder: string, root: string, content: ConfigSnapshot, at: Date): number {
  const id = writeSnapshot(dataFolder, root, content);
  const files = pinFiles(dataFolder, root);
  for (const file of files) {
    const session = sessionOf(file, root);
    if (session === null) fs.rmSync(file, { force: true });
    else writeWhole(file, pinText(root, session, id, at));
  }
  return files.length;
}

/** Contents that sessions with a running server are pinned to. */
export function runningPins(dataFolder: string, root: string): string[] {
  const ids = pinFiles(dataFolder, root)
    .filter((file) => fs.existsSync(path.join(dataFolder, 'sessions', path.basename(file, '.json'))))
    .map((file) => readFile(file)?.content ?? '');
  return [...new Set(ids)];
}

/** Sessions of the project with a pin. */
export function pinnedSessions(dataFolder: string, root: string): string[] {
  return pinFiles(dataFolder, root).flatMap((file) => sessionOf(file, root) ?? []);
}

/** Removes every pin of the project. */
export function dropAllPins(dataFolder: string, root: string): void {
  for (const file of pinFiles(dataFolder, root)) fs.rmSync(file, { force: true });
}

/** The folder of the pins. It changes whenever a pin changes. */
export function pinsFolder(dataFolder: string, root: string): string {
  return path.join(projectFolder(dataFolder, root), 'pins');
}

/** If there are many pins, removes those of ended sessions, and copies that no pin names. */
function sweepPins(dataFolder: string, root: string, at: Date): void {
  const files = pinFiles(dataFolder, root);
  if (files.length <= maxPins || files.length % sweepEvery !== 0) return;
  const age = (file: string) => at.getTime() - (fs.lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? at.getTime());
  const oldest = files
    .slice(0, swept)
    .map((file) => ({ file, age: age(file) }))
    .sort((one, other) => other.age - one.age);
  for (const { file, age: silent } of oldest.slice(0, Math.max(0, files.length - maxPins / 2))) {
    if (silent > silentMs && !fs.existsSync(path.join(dataFolder, 'sessions', path.basename(file, '.json'))))
      fs.rmSync(file, { force: true });
  }
  sweepUnnamed(dataFolder, root, at);
}

/** If there are many copies, removes those that no pin names and that are not the last good one. Throws if the disk refuses. */
export function sweepCopies(dataFolder: string, root: string, at: Date): void {
  if (isCrowded(dataFolder, root)) sweepUnnamed(dataFolder, root, at);
}

function sweepUnnamed(dataFolder: string, root: string, at: Date): void {
  const pinned = pinFiles(dataFolder, root).flatMap((file) => readFile(file)?.content ?? []);
  sweepSnapshots(dataFolder, root, new Set([...pinned, lastKnownGoodId(dataFolder, root)]), at.getTime());
}

function pinFiles(dataFolder: string, root: string): string[] {
  const folder = pinsFolder(dataFolder, root);
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => path.join(folder, name));
}

function pinFile(dataFolder: string, root: string, session: string): string {
  return path.join(pinsFolder(dataFolder, root), `${sessionFileName(session)}.json`);
}

function pinText(root: string, session: string, content: string, at: Date): string {
  const record: PinRecord = { version: 1, root, session, content, at: at.toISOString() };
  return `${JSON.stringify(record)}\n`;
}

function parsePin(text: string, root: string, session: string | null): PinRecord | null {
  try {
    const record = JSON.parse(text) as Partial<PinRecord> | null;
    const isWhole = record?.version === 1 && record.root === root && typeof record.session === 'string';
    if (!isWhole || typeof record.content !== 'string' || !/^[0-9a-f]{64}$/.test(record.content)) return null;
    return session === null || record.session === session ? (record as PinRecord) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function readFile(file: string): PinRecord | null {
  try {
    const text = readDataFile(file);
    return parsePin(text, (JSON.parse(text) as { root?: string }).root ?? '', null);
  } catch {
    // Gone or damaged: it names no copy.
    return null;
  }
}

function sessionOf(file: string, root: string): string | null {
  const pin = readFile(file);
  return pin !== null && pin.root === root ? pin.session : null;
}
