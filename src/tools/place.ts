// The folders that a call is judged against.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** All folders absolute; `root`, `temp` and `home` are real paths. */
export interface Place {
  /** The project's root. */
  root: string;
  /** Other absolute spellings of the root, such as the client's own through a link: a path below one is a path below the root. */
  rootAliases: string[];
  home: string;
  /** Folders for temporary files that count as the project's own ground. */
  temp: string[];
  /** The client's own folder: `$CLAUDE_CONFIG_DIR` or `~/.claude`. */
  configFolder: string;
  /** Trust, journals, caches. */
  dataFolder: string;
  /** Where this plugin is installed; null when it is not known. */
  pluginRoot: string | null;
  managedFolders: string[];
  /** Folders of the client's PATH that the user can write. */
  pathFolders: string[];
}

export const managedFolders = ['/etc/claude-code', '/Library/Application Support/ClaudeCode'];

/** The data folder: `modes-data` in the client's own folder. */
export function dataFolderOf(env: NodeJS.ProcessEnv): string {
  return path.join(configFolderOf(env), 'modes-data');
}

export function configFolderOf(env: NodeJS.ProcessEnv): string {
  const named = env.CLAUDE_CONFIG_DIR;
  if (named && path.isAbsolute(named) && !named.includes('${')) return path.normalize(named);
  return path.join(homeOf(env), '.claude');
}

export function homeOf(env: NodeJS.ProcessEnv): string {
  return env.HOME && path.isAbsolute(env.HOME) ? path.normalize(env.HOME) : os.homedir();
}

/** Works out the place once for a project; touches the file system for real paths and write permissions. */
export function placeOf(root: string, env: NodeJS.ProcessEnv, pluginRoot: string | null): Place {
  return {
    root: real(root),
    rootAliases: [root, env.CLAUDE_PROJECT_DIR ?? ''].map((name) => path.normalize(name)).filter((name) => path.isAbsolute(name) && name !== real(root) && real(name) === real(root)),
    home: real(homeOf(env)),
    temp: [...new Set(['/tmp', os.tmpdir(), env.CLAUDE_CODE_TMPDIR ?? ''].filter((folder) => path.isAbsolute(folder)).map(real))],
    configFolder: configFolderOf(env),
    dataFolder: dataFolderOf(env),
    pluginRoot: pluginRoot === null ? null : real(pluginRoot),
    managedFolders,
    pathFolders: (env.PATH ?? '').split(':').filter((folder) => path.isAbsolute(folder) && writable(folder)),
  };
}

function writable(folder: string): boolean {
  // root may write everywhere; then only folders outside the system's own count as the user's.
  if (process.getuid?.() === 0 && /^\/(usr|bin|sbin|opt|snap)(\/|$)/.test(folder)) return false;
  try {
    fs.accessSync(folder, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function real(folder: string): string {
  try {
    return fs.realpathSync.native(folder);
  } catch {
    return path.normalize(folder);
  }
}
