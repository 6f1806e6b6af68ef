// The files of a project, as far as a survey looks at them: a bounded list of names, and the texts of small files. Nothing is run.
import fs from 'node:fs';
import path from 'node:path';
import { readRegularText } from '../../platform/read-file.ts';

export interface ProjectFiles {
  /** Names of regular files, relative to the root, with `/`. Files near the root come first. */
  names: readonly string[];
  /** True if the project has more files than the survey looks at. */
  isCut: boolean;
  /** null: no such file, too large, or not readable. */
  text(name: string): string | null;
}

/** Most entries and folders that a survey looks at, and the largest text that it reads, in bytes. */
export const surveyLimits = { entries: 30_000, folders: 4_000, depth: 12, bytes: 524_288 };

/** Folders with code of others or with generated files. */
const ignoredFolders: ReadonlySet<string> = new Set([
  'node_modules',
  'bower_components',
  'vendor',
  'target',
  'dist',
  'build',
  'out',
  'obj',
  'coverage',
  'htmlcov',
  'venv',
  'env',
  'site-packages',
  '__pycache__',
  '_build',
  'deps',
  'tmp',
  'log',
]);

/** Hidden folders are tools and caches, except these. */
const namedHidden: ReadonlySet<string> = new Set(['.github', '.circleci', '.config']);

/** Lists the project breadth first. Links are not followed, so the list never leaves the project. */
export function readProject(root: string, limits = surveyLimits): ProjectFiles {
  const names: string[] = [];
  let waiting = [''];
  let entries = 0;
  let folders = 0;
  let isCut = false;
  for (let depth = 0; waiting.length > 0 && !isCut; depth++) {
    if (depth > limits.depth) isCut = true;
    const next: string[] = [];
    for (const folder of isCut ? [] : waiting) {
      const listed = listFolder(path.join(root, folder));
      folders++;
      entries += listed.length;
      if (folders > limits.folders || entries > limits.entries) {
        isCut = true;
        break;
      }
      for (const entry of listed) {
        const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (entry.isFile()) names.push(name);
        else if (entry.isDirectory() && !isIgnored(entry.name)) next.push(name);
      }
    }
    waiting = next;
  }
  const listed = new Set(names);
  const texts = new Map<string, string | null>();
  return {
    names,
    isCut,
    text(name) {
      if (!listed.has(name)) return null;
      if (!texts.has(name)) texts.set(name, readSmall(path.join(root, name), limits.bytes));
      return texts.get(name) ?? null;
    },
  };
}

function isIgnored(name: string): boolean {
  return name.startsWith('.') ? !namedHidden.has(name) : ignoredFolders.has(name);
}

/** A folder that cannot be read has no entries. */
function listFolder(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch {
    return [];
  }
}

function readSmall(file: string, bytes: number): string | null {
  try {
    return readRegularText(file, bytes, { noFollow: true });
  } catch {
    return null;
  }
}
