// The folders that configure Modes: the organization's, the user's, the project's.
import fs from 'node:fs';
import path from 'node:path';

/** Layers with a folder of their own; `local` shares the project's. Most authoritative first. */
export const FOLDER_LAYERS = ['managed', 'user', 'project'] as const;
export type FolderLayer = (typeof FOLDER_LAYERS)[number];

export interface LayerFolder {
  layer: FolderLayer;
  /** Absolute path of the folder that contains modes.yaml. */
  folder: string;
  /** The folder as shown to a person, with a slash at the end: `.claude/`, `~/.claude/`, `/etc/claude-code/modes/`. */
  shown: string;
  /** Real path that links may not leave; null if links may lead anywhere, because the folder's owner is trusted. */
  within: string | null;
}

export interface LayerContext {
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

/** Every folder that may configure a project, existing or not, most authoritative first. */
export function layerFolders(root: string, { home, configFolder, managedFolders }: LayerContext): LayerFolder[] {
  const project = projectLayer(root);
  const layers: LayerFolder[] = managedFolders.map((managed) => {
    const folder = path.join(managed, 'modes');
    return { layer: 'managed', folder, shown: `${folder}/`, within: null };
  });
  const below = configFolder.startsWith(`${home}/`) ? `~/${configFolder.slice(home.length + 1)}` : configFolder;
  layers.push({ layer: 'user', folder: configFolder, shown: `${below}/`, within: null });
  // In the home folder, .claude is the user's layer and not a project's.
  if (realOf(project.folder) !== realOf(configFolder)) layers.push(project);
  return layers;
}

/** True for an owner whose files are accepted for the user or the organization. */
export function isTrustedOwner(uid: number): boolean {
  return uid === 0 || process.getuid === undefined || uid === process.getuid();
}

/** True if users other than the owner may write a file with this mode. False on systems where files have no owner. */
export function isOpenToOthers(mode: number): boolean {
  return process.getuid !== undefined && (mode & 0o022) !== 0;
}

function realOf(folder: string): string {
  try {
    return fs.realpathSync(folder);
  } catch {
    // A missing folder has no other name. The later attempt to read it reports the problem.
    return path.resolve(folder);
  }
}
