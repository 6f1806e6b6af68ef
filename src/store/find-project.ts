// Which project a session is in, and whether it is governed.
import fs from 'node:fs';
import path from 'node:path';
import { governedMarker } from '../platform/data-folder.ts';
import type { Begun } from './session-origin.ts';

/** `root` is a real path; `folder` holds modes.yaml: `<root>/.claude`, the user's or the managed one. */
export interface Found extends Begun {
  /** Governed before, but there is no modes.yaml now. */
  vanished: boolean;
  /** The project's `.claude` belongs to neither the user nor root. */
  foreign: boolean;
}

export interface Surroundings {
  home: string;
  configFolder: string;
  dataFolder: string;
  managedFolders: readonly string[];
}

/**
 * The nearest folder upwards from `start` that has `.claude/modes.yaml` or was governed before, never the home folder or `/`;
 * else `start` itself when the user or the organisation has a modes.yaml; else null: not governed. A session that began in a
 * project around `start` stays in it.
 */
export function findProject(start: string, around: Surroundings, begun: Begun | null = null): Found | null {
  const from = realOf(start);
  const again = begun !== null && (from === begun.root || from.startsWith(`${begun.root}/`)) ? foundAgain(begun, around) : null;
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

/** The nearest folder from a real path upwards that has modes of its own, or had; never the home folder or `/`. */
export function nearestProject(from: string, around: Pick<Surroundings, 'home' | 'dataFolder'>): Found | null {
  const home = realOf(around.home);
  for (let folder = from; folder !== '/'; folder = path.dirname(folder)) {
    const found = folder === home ? null : projectAt(folder, around);
    if (found !== null) return found;
  }
  return null;
}

/** The project whose root is this very folder. */
export function projectAt(folder: string, { dataFolder }: Pick<Surroundings, 'dataFolder'>): Found | null {
  const claude = path.join(folder, '.claude');
  if (isThere(path.join(claude, 'modes.yaml')))
    return { root: folder, folder: claude, layer: 'project', vanished: false, foreign: isForeign(claude) };
  if (fs.existsSync(governedMarker(dataFolder, folder)))
    return { root: folder, folder: claude, layer: 'project', vanished: true, foreign: false };
  return null;
}

/** null when a person ended that it is governed. */
function foundAgain({ root, folder, layer }: Begun, { dataFolder }: Surroundings): Found | null {
  const isProject = layer === 'project';
  const vanished = isProject && !isThere(path.join(folder, 'modes.yaml'));
  if (vanished && !fs.existsSync(governedMarker(dataFolder, root))) return null;
  return { root, folder, layer, vanished, foreign: isProject && isForeign(folder) };
}

/** What cannot be looked at is not there, as for the shell client, which must find the same; a folder that was governed has its mark. */
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

/** A folder's real path; its name where it does not exist. */
export function realOf(folder: string): string {
  try {
    return fs.realpathSync.native(folder);
  } catch {
    // A folder that does not exist has no project of its own; its parents are still looked at by name.
    return path.resolve(folder);
  }
}
