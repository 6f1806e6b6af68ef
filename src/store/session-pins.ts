// The content that each session is pinned to. One file for each session, which every process finds by the session's id.
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { projectFolder } from '../platform/data-folder.ts';
import { lastKnownGoodId } from './last-known-good.ts';
import { fields, RecordKind, sweepSessions } from './record.ts';
import { sessionFileName } from './session-origin.ts';
import { type ConfigSnapshot, isCrowded, sweepSnapshots, writeSnapshot } from './snapshots.ts';

const pins = new RecordKind({
  schema: fields({
    root: z.string(),
    session: z.string(),
    /** Content hash. */
    content: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
    /** ISO 8601. The first version did not write it. */
    at: z.optional(z.string()),
  }),
});

/** More pins are swept. */
const maxPins = 200;

/** The hash of the content that a session is pinned to. null: it has no pin yet. `damaged`: the pin is unreadable. */
export function readPin(dataFolder: string, root: string, session: string): { content: string } | 'damaged' | null {
  const pin = pins.state(pinFile(dataFolder, root, session));
  if (pin.state === 'absent') return null;
  return pin.state === 'whole' && pin.value.root === root && pin.value.session === session ? pin.value : 'damaged';
}

/**
 * Pins a content for a session without a pin, and returns the pin that is then stored: another process may have been first.
 * Throws if the disk refuses.
 */
export function takePin(
  dataFolder: string,
  root: string,
  session: string,
  snapshot: ConfigSnapshot,
  at: Date,
): ReturnType<typeof readPin> {
  const id = writeSnapshot(dataFolder, root, snapshot);
  const file = pinFile(dataFolder, root, session);
  if (!pins.create(file, { root, session, content: id, at: at.toISOString() })) return readPin(dataFolder, root, session);
  if (sweepSessions(pinsFolder(dataFolder, root), dataFolder, maxPins, at.getTime())) sweepUnnamed(dataFolder, root, at);
  return { content: id };
}

/** Pins a content for one session, replacing any earlier pin. Call this only at a person's request. */
export function setPin(dataFolder: string, root: string, session: string, snapshot: ConfigSnapshot, at: Date): void {
  const id = writeSnapshot(dataFolder, root, snapshot);
  pins.write(pinFile(dataFolder, root, session), { root, session, content: id, at: at.toISOString() });
}

/** The same for every session of the project that has a pin. Returns their number. */
export function setAllPins(dataFolder: string, root: string, snapshot: ConfigSnapshot, at: Date): number {
  const id = writeSnapshot(dataFolder, root, snapshot);
  const files = pinFiles(dataFolder, root);
  for (const file of files) {
    const session = sessionOf(file, root);
    if (session === null) fs.rmSync(file, { force: true });
    else pins.write(file, { root, session, content: id, at: at.toISOString() });
  }
  return files.length;
}

/** Contents that sessions with a running server are pinned to. */
export function runningPins(dataFolder: string, root: string): string[] {
  const ids = pinFiles(dataFolder, root)
    .filter((file) => fs.existsSync(path.join(dataFolder, 'sessions', path.basename(file, '.json'))))
    .map((file) => pins.read(file)?.content ?? '');
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

/** If there are many copies, removes those that no pin names and that are not the last good one. Throws if the disk refuses. */
export function sweepCopies(dataFolder: string, root: string, at: Date): void {
  if (isCrowded(dataFolder, root)) sweepUnnamed(dataFolder, root, at);
}

function sweepUnnamed(dataFolder: string, root: string, at: Date): void {
  const pinned = pinFiles(dataFolder, root).flatMap((file) => pins.read(file)?.content ?? []);
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

function sessionOf(file: string, root: string): string | null {
  const pin = pins.read(file);
  return pin?.root === root ? pin.session : null;
}
