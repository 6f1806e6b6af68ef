// The newest usable content of a project. While the present content is broken, it applies together with a session's pinned
// content.
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder, projectFolder, readOwn, writeWhole } from '../platform/data-folder.ts';
import { type Content, contentId, keepContent, readContent } from './snapshots.ts';

const fileOf = (dataFolder: string, root: string) => path.join(projectFolder(dataFolder, root), 'good');

/** Throws if the disk refuses. */
export function keepGood(dataFolder: string, root: string, content: Content): void {
  if (goodId(dataFolder, root) === contentId(content)) return;
  const id = keepContent(dataFolder, root, content);
  makeFolder(projectFolder(dataFolder, root));
  writeWhole(fileOf(dataFolder, root), `${id}\n`);
}

/** null: there is no such content, or its copy is missing. */
export function readGood(dataFolder: string, root: string): Content | null {
  const id = goodId(dataFolder, root);
  return /^[0-9a-f]{64}$/.test(id) ? readContent(dataFolder, root, id) : null;
}

/** Its identity; '': there is no such content. */
export function goodId(dataFolder: string, root: string): string {
  const file = fileOf(dataFolder, root);
  return fs.existsSync(file) ? readOwn(file).trim() : '';
}
