// Finds the project of a session, and whether it is governed.
import fs from 'node:fs';
import path from 'node:path';
import { governedMarker } from '../platform/data-folder.ts';
import { realOr } from '../platform/stat.ts';
import type { SessionOrigin } from './session-origin.ts';

/** `root` is a real path. `folder` contains modes.yaml: `<root>/.claude`, the user's folder or the managed one. */
export interface ProjectLocation extends SessionOrigin {
  /** It was governed before, but modes.yaml is gone. */
  vanished: boolean;
  /** The project's `.claude` belongs neither to the user nor to root. */
  foreign: boolean;
}

export interface SearchContext {
  home: string;
  configFolder: string;
  dataFolder: string;
  managedFolders: readonly string[];
}

/**
 * The nearest folder from `start` upwards that has `.claude/modes.yaml` or was governed before, but never the home folder or `/`.
 * Otherwise `start` itself, if the user or the organization has a modes.yaml. Otherwise null: not governed. A session that
 * started in a project around `start` stays in it.
 */
export function findProject(start: string, around: SearchContext, origin: SessionOrigin | null = null): ProjectLocation | null {
  const from = realOr(start);
  const again =
    origin !== null && (from === origin.root || from.startsWith(`${origin.root}/`)) ? findAgain(origin, around) : null;
  if (again !== null) return again;
  const near = nearestProject(from, around);
  if (near !== null) return near;
  for (const folder of around.managedFolders.map((managed) => path.join(managed, 'modes'))) {
    if (fs.existsSync(path.join(folder, 'modes.yaml')))
      return { root: from, folder, layer: 'managed', vanished: false, foreign: false };
  }
  if (fs.existsSync(path.join(around.configFolder, 'modes.yaml')))
    return { root: from, folder: around.configFolder, layer: 'user', vanished: false, foreign: false };
  return null;
}

/** The nearest folder from a real path upwards that has modes of its own, or had them. Never the home folder or `/`. */
export function nearestProject(from: string, around: Pick<SearchContext, 'home' | 'dataFolder'>): ProjectLocation | null {
  const home = realOr(around.home);
  for (let folder = from; folder !== '/'; folder = path.dirname(folder)) {
    const location = folder === home ? null : projectAt(folder, around);
    if (location !== null) return location;
  }
  return null;
}

/** The project with exactly this folder as its root. */
export function projectAt(folder: string, { dataFolder }: Pick<SearchContext, 'dataFolder'>): ProjectLocation | null {
  const claude = path.join(folder, '.claude');
  if (isThere(path.join(claude, 'modes.yaml')))
    return { root: folder, folder: claude, layer: 'project', vanished: false, foreign: isForeign(claude) };
  if (fs.existsSync(governedMarker(dataFolder, folder)))
    return { root: folder, folder: claude, layer: 'project', vanished: true, foreign: false };
  return null;
}

/** null if a person ended its governance. */
function findAgain({ root, folder, layer }: SessionOrigin, { dataFolder }: SearchContext): ProjectLocation | null {
  const isProject = layer === 'project';
  const vanished = isProject && !isThere(path.join(folder, 'modes.yaml'));
  if (vanished && !fs.existsSync(governedMarker(dataFolder, root))) return null;
  return { root, folder, layer, vanished, foreign: isProject && isForeign(folder) };
}

/**
 * An unreadable file counts as absent, because the shell client must get the same result. A folder that was governed has its
 * marker.
 */
function isThere(file: string): boolean {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function isForeign(folder: string): boolean {
  const owner = fs.statSync(folder, { throwIfNoEntry: false })?.uid;
  return owner !== undefined && process.getuid !== undefined && owner !== 0 && owner !== process.getuid();
}
