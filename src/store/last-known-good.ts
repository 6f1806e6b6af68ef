// The newest usable content of a project. While the present content is broken, it applies together with a session's pinned
// content.
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder, projectFolder, readDataFile, writeWhole } from '../platform/data-folder.ts';
import { type ConfigSnapshot, readSnapshot, snapshotId, writeSnapshot } from './snapshots.ts';

const fileOf = (dataFolder: string, root: string) => path.join(projectFolder(dataFolder, root), 'good');

/** Throws if the disk refuses. */
export function writeLastKnownGood(dataFolder: string, root: string, snapshot: ConfigSnapshot): void {
  if (lastKnownGoodId(dataFolder, root) === snapshotId(snapshot)) return;
  const id = writeSnapshot(dataFolder, root, snapshot);
  makeFolder(projectFolder(dataFolder, root));
  writeWhole(fileOf(dataFolder, root), `${id}\n`);
}

/** null: there is no such content, or its copy is missing. */
export function readLastKnownGood(dataFolder: string, root: string): ConfigSnapshot | null {
  const id = lastKnownGoodId(dataFolder, root);
  return /^[0-9a-f]{64}$/.test(id) ? readSnapshot(dataFolder, root, id) : null;
}

/** Its identity; '': there is no such content. */
export function lastKnownGoodId(dataFolder: string, root: string): string {
  const file = fileOf(dataFolder, root);
  return fs.existsSync(file) ? readDataFile(file).trim() : '';
}
