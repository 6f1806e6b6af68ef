// The folders that configure modes: the organisation's, the user's, the project's.
import fs from 'node:fs';
import path from 'node:path';

/** Layers that have a folder; `local` shares the project's. Most authoritative first. */
export const FOLDER_LAYERS = ['managed', 'user', 'project'] as const;
export type FolderLayer = (typeof FOLDER_LAYERS)[number];

export interface LayerFolder {
  layer: FolderLayer;
  /** Absolute: where modes.yaml is. */
  folder: string;
  /** How a person sees it, with a slash at the end: `.claude/`, `~/.claude/`, `/etc/claude-code/modes/`. */
  shown: string;
  /** Real path that links may not leave; null where the folder is its owner's own affair. */
  within: string | null;
}

export interface LayerSurroundings {
  home: string;
  configFolder: string;
  managedFolders: readonly string[];
}

export const PROJECT_SHOWN = '.claude/';

/** `<root>/.claude`. */
export function projectLayer(root: string): LayerFolder {
  const real = realOf(root);
  return { layer: 'project', folder: path.join(real, '.claude'), shown: PROJECT_SHOWN, within: real };
}

/** Every folder that may configure a project, there or not, most authoritative first. */
export function layerFolders(root: string, { home, configFolder, managedFolders }: LayerSurroundings): LayerFolder[] {
  const project = projectLayer(root);
  const layers: LayerFolder[] = managedFolders.map((managed) => {
    const folder = path.join(managed, 'modes');
    return { layer: 'managed', folder, shown: `${folder}/`, within: null };
  });
  const below = configFolder.startsWith(`${home}/`) ? `~/${configFolder.slice(home.length + 1)}` : configFolder;
  layers.push({ layer: 'user', folder: configFolder, shown: `${below}/`, within: null });
  // The home folder's own .claude is the user's.
  if (realOf(project.folder) !== realOf(configFolder)) layers.push(project);
  return layers;
}

/** True for an owner whose files may speak for the user or the organisation. */
export function isTrustedOwner(uid: number): boolean {
  return uid === 0 || process.getuid === undefined || uid === process.getuid();
}

/** True when others than its owner may write a file of this mode; where files have no owner, nobody else is told apart. */
export function isOpenToOthers(mode: number): boolean {
  return process.getuid !== undefined && (mode & 0o022) !== 0;
}

function realOf(folder: string): string {
  try {
    return fs.realpathSync(folder);
  } catch {
    // What is not there has no other name; reading it says what is wrong.
    return path.resolve(folder);
  }
}
