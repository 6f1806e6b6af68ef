// Governed projects below a folder.
import fs from 'node:fs';
import path from 'node:path';
import { governedMarker } from '../../platform/data-folder.ts';
import { belowOf, under } from '../../platform/path-text.ts';
import { statOf } from '../../platform/stat.ts';

/** Maximum number of folders to search, nearest first. */
const maxFolders = 2_000;
const maxDepth = 6;
const unsearched = new Set(['.git', '.claude', 'node_modules', '.venv', 'venv', 'vendor', 'target', '__pycache__']);

/** Folders below one that have modes of their own. The search is limited in depth and number and follows no links. */
export function findProjectsBelow(top: string): string[] {
  const found: string[] = [];
  let level = [top];
  let visitedCount = 0;
  for (let depth = 0; depth < maxDepth && level.length > 0; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      if (++visitedCount > maxFolders) return found;
      const entries = entriesIn(folder);
      // `.claude` may be a link.
      const hasModes =
        folder !== top &&
        entries.some(({ name }) => name === '.claude') &&
        statOf(path.join(folder, '.claude/modes.yaml')) !== null;
      if (hasModes) found.push(folder);
      const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
      for (const name of names.sort()) if (!unsearched.has(name)) next.push(under(folder, name));
    }
    level = next;
  }
  return found;
}

/** True for a folder that the search below `top` reaches, if the number of folders permits. */
export function isSearched(folder: string, top: string): boolean {
  const parts = folder === top ? [] : belowOf(folder, top).split('/');
  return parts.length < maxDepth - 1 && !parts.some((part) => unsearched.has(part));
}

/** Folders below one that Modes governed before, at any depth, according to the markers in the data folder. */
export function cachedProjectsBelow(folder: string, dataFolder: string): string[] {
  const marks = path.dirname(governedMarker(dataFolder, folder));
  // The marker of the folder itself does not count as below it.
  return findMarks(marks, maxDepthOfMarks).flatMap((mark) => (mark === marks ? [] : [under(folder, belowOf(mark, marks))]));
}

const maxDepthOfMarks = 64;

function findMarks(marks: string, left: number): string[] {
  if (left === 0) return [];
  return entriesIn(marks).flatMap((entry) => {
    if (entry.isDirectory()) return findMarks(path.join(marks, entry.name), left - 1);
    return entry.name === '.modes' ? [marks] : [];
  });
}

function entriesIn(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    // If the folder is unreadable or gone, no call reaches a project there either.
    return [];
  }
}
