// The folders that determine the facts of a call.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { realOr } from '../../platform/stat.ts';
import { diskSpelling } from './spelling.ts';

/** All folders are absolute; `root`, `temp` and `home` are real paths. */
export interface Place {
  /** The project's root. */
  root: string;
  /** Other absolute spellings of the root, such as the client's path through a link. A path below one is below the root. */
  rootAliases: string[];
  home: string;
  /** Folders for temporary files that count as part of the project. */
  temp: string[];
  /** The client's own folder: `$CLAUDE_CONFIG_DIR` or `~/.claude`. */
  configFolder: string;
  /** The folder for trust, journals and caches. */
  dataFolder: string;
  /** The folder where this plugin is installed; null if unknown. */
  pluginRoot: string | null;
  managedFolders: string[];
  /** Real targets of links in the project's `.claude`, and real paths of the client's and Modes' own folders. Also protected. */
  linkTargets: string[];
  /** Those that are the data folder or a managed folder. Grants never cover them. */
  permanentTargets?: readonly string[];
  /** Start files of shells and programs that environment variables name, by name and real path. A folder includes its content. */
  startFiles?: readonly string[];
  /** True if the disk ignores case in one of these folders or on the way to it. */
  ignoresCase?: boolean;
  /** Folders of the client's PATH that the user can write to or create, by name and real path. */
  pathFolders: string[];
  /** `search` is PATH, where commands find programs; `scratch` is TMPDIR, where they put temporary files. '' if not set. */
  search: string;
  scratch: string;
  /** Real path of the folder where the client was started; the root if unknown. */
  start?: string;
}

/** Names below `.claude` that are not configuration of Modes, so links there are not protected. */
const notConfiguration = /^(skills|commands|agents|rules|tasks|worktrees|CLAUDE\.md|CLAUDE\.local\.md)$/i;

export const managedFolders = ['/etc/claude-code', '/Library/Application Support/ClaudeCode'];

/** The data folder: `modes-data` in the client's own folder. */
export function dataFolderOf(env: NodeJS.ProcessEnv): string {
  return path.join(configFolderOf(env), 'modes-data');
}

export function configFolderOf(env: NodeJS.ProcessEnv): string {
  const named = env.CLAUDE_CONFIG_DIR;
  if (named && isSteady(named) && !named.includes('${')) return path.resolve(named);
  return path.join(homeOf(env), '.claude');
}

/** The user's home folder: HOME, or the system's user record if HOME is missing or could point into the project. */
export function homeOf(env: NodeJS.ProcessEnv): string {
  return env.HOME && isSteady(env.HOME) ? path.resolve(env.HOME) : os.userInfo().homedir;
}

/** True if the name means the same folder in each process. `/proc/self/cwd` is the process's folder, often in the project. */
function isSteady(named: string): boolean {
  return path.isAbsolute(named) && !named.includes('/proc/');
}

/** The client's start folder, according to the client; null if it names none. */
export function startOf(env: NodeJS.ProcessEnv): string | null {
  const named = env.CLAUDE_PROJECT_DIR;
  return named && path.isAbsolute(named) && !named.includes('${') ? named : null;
}

/** Determines the place once for a project. Reads real paths and write permissions from the file system. */
export function placeOf(root: string, env: NodeJS.ProcessEnv, pluginRoot: string | null): Place {
  const guarded = [real(root), real(homeOf(env)), real(configFolderOf(env)), real(dataFolderOf(env))];
  if (pluginRoot !== null) guarded.push(real(pluginRoot));
  return {
    root: real(root),
    rootAliases: [...new Set([root, env.CLAUDE_PROJECT_DIR ?? ''].flatMap((name) => aliasOf(name, real(root))))],
    home: real(homeOf(env)),
    // The root contains everything, so it cannot be a folder for temporary files.
    temp: [...new Set(['/tmp', os.tmpdir(), env.CLAUDE_CODE_TMPDIR ?? ''].filter(isSteady).map(real))].filter(
      (folder) => folder !== '/',
    ),
    configFolder: configFolderOf(env),
    dataFolder: dataFolderOf(env),
    pluginRoot: pluginRoot === null ? null : real(pluginRoot),
    managedFolders,
    linkTargets: linkTargets(real(root), env),
    permanentTargets: movedFrom([dataFolderOf(env), ...managedFolders]).map(([, target]) => target),
    startFiles: startFiles(env),
    pathFolders: pathFolders(env.PATH ?? '', real(root)),
    ignoresCase: guarded.some((folder) => diskSpelling.ignoresCase(folder) || diskSpelling.isRespelled(folder)),
    start: real(startOf(env) ?? root),
    search: env.PATH ?? '',
    scratch: env.TMPDIR ?? '',
  };
}

/** The prefix of a name that is another spelling of the root. `name` is the root or a folder below it. */
function aliasOf(name: string, root: string): string[] {
  if (!path.isAbsolute(name)) return [];
  const below = real(name).slice(root.length);
  const alias = path.resolve(name).slice(0, path.resolve(name).length - below.length);
  return alias !== root && alias !== '' && alias + below === path.resolve(name) && real(alias) === root ? [alias] : [];
}

/** Targets of links in `.claude` that configuration is read through, and real paths of folders that are protected by name. */
function linkTargets(root: string, env: NodeJS.ProcessEnv): string[] {
  const claude = path.join(root, '.claude');
  const named = [claude, configFolderOf(env), dataFolderOf(env), ...managedFolders];
  const moved = movedFrom(named);
  // Modes does not read through a link out of the project.
  const within = linksBelow(claude).filter((target) => target.startsWith(`${root}/`));
  return [...new Set([...moved.map(([, target]) => target), ...within])].filter((target) => target !== root && target !== '/');
}

/** The folders whose real path differs from their name, each with its real path. */
function movedFrom(folders: readonly string[]): (readonly [named: string, target: string])[] {
  return folders.map((folder) => [folder, real(folder)] as const).filter(([folder, target]) => folder !== target);
}

/** Real targets of the links below a folder, down to a few levels. */
function linksBelow(folder: string, depth = 4): string[] {
  let entries: fs.Dirent[];
  try {
    entries = fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    // If the folder is missing or unreadable, no configuration is read through it either.
    return [];
  }
  return entries.flatMap((entry) => {
    const name = path.join(folder, entry.name);
    if (notConfiguration.test(entry.name)) return [];
    if (entry.isSymbolicLink()) return [real(name)];
    return entry.isDirectory() && depth > 1 ? linksBelow(name, depth - 1) : [];
  });
}

/** Variables that name start files or their folder, and the start files below it; '' for the path itself. */
const startVariables: readonly (readonly [variable: string, below: readonly string[]])[] = [
  ['ZDOTDIR', ['.zshenv', '.zprofile', '.zshrc', '.zlogin', '.zlogout']],
  ['BASH_ENV', ['']],
  ['ENV', ['']],
  ['INPUTRC', ['']],
  ['XDG_CONFIG_HOME', ['git', 'fish', 'curlrc']],
  ['CURL_HOME', ['.curlrc', '.config/curlrc']],
  ['GIT_CONFIG_GLOBAL', ['']],
  ['GIT_CONFIG_SYSTEM', ['']],
  ['NPM_CONFIG_USERCONFIG', ['']],
  ['npm_config_userconfig', ['']],
];

/** Devices: setting a variable to `/dev/null` means that there is no file. */
const device = /^\/dev\/(?:[^/]*|fd\/.*)$/;

function startFiles(env: NodeJS.ProcessEnv): string[] {
  const named = startVariables.flatMap(([variable, below]) => {
    const value = env[variable] ?? '';
    return path.isAbsolute(value) ? below.map((name) => path.join(value, name)) : [];
  });
  const files = named.flatMap((name) => [path.resolve(name), real(name)]);
  return [...new Set(files)].filter((file) => file !== '/' && !device.test(file));
}

/** Relative entries are resolved from the project's root. The root itself is omitted, because it would protect every file. */
function pathFolders(list: string, root: string): string[] {
  const named = list
    .split(':')
    .filter((entry) => entry !== '')
    .map((entry) => path.resolve(root, entry));
  return [
    ...new Set(
      named.filter((folder) => folder !== root && folder !== '/' && writable(folder)).flatMap((folder) => [folder, real(folder)]),
    ),
  ];
}

/** Also true for a missing folder that the user could create. */
function writable(folder: string): boolean {
  // The root user may write everywhere. Then only folders outside the system folders count as the user's.
  if (process.getuid?.() === 0 && /^\/(usr|bin|sbin|opt|snap)(\/|$)/.test(folder)) return false;
  try {
    fs.accessSync(folder, fs.constants.W_OK);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && folder !== '/' && writable(path.dirname(folder));
  }
}

/** The real path of a folder in the spelling of the disk. A missing folder keeps its name. */
export function real(folder: string): string {
  const found = realOr(folder);
  return diskSpelling.isRespelled(found) ? diskSpelling.toDiskSpelling(found) : found;
}
