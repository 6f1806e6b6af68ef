// The newest content of a project that could be used: what holds beside a session's own while the present one is broken.
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder, projectFolder, readOwn, writeWhole } from '../platform/data-folder.ts';
import { type Content, contentId, keepContent, readContent } from './snapshots.ts';

const fileOf = (dataFolder: string, root: string) => path.join(projectFolder(dataFolder, root), 'good');

/** Throws where the disk refuses. */
export function keepGood(dataFolder: string, root: string, content: Content): void {
  if (goodId(dataFolder, root) === contentId(content)) return;
  const id = keepContent(dataFolder, root, content);
  makeFolder(projectFolder(dataFolder, root));
  writeWhole(fileOf(dataFolder, root), `${id}\n`);
}

/** null: there is none, or its copy is gone. */
export function readGood(dataFolder: string, root: string): Content | null {
  const id = goodId(dataFolder, root);
  return /^[0-9a-f]{64}$/.test(id) ? readContent(dataFolder, root, id) : null;
}

/** Identity of it; '': there is none. */
export function goodId(dataFolder: string, root: string): string {
  const file = fileOf(dataFolder, root);
  return fs.existsSync(file) ? readOwn(file).trim() : '';
}
