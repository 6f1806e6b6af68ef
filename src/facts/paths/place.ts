// The folders that a call is judged against.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { attempt } from '../../platform/look-at-disk.ts';
import { diskSpelling } from './spelling.ts';

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
  /**
   * Real paths that links in the project's `.claude`, or the client's and our folders themselves, lead to: protected like these.
   */
  linkTargets: string[];
  /** Those of them that the data folder, or a managed one, is: no grant is for these either. */
  lastingTargets?: readonly string[];
  /** What shells and programs read at their start because the environment says so, by name and real path; folders whole. */
  startFiles?: readonly string[];
  /** True where the disk takes upper and lower case for the same, in one of these folders or on the way to it. */
  ignoresCase?: boolean;
  /** Folders of the client's PATH that the user can write or make, by name and real path. */
  pathFolders: string[];
  /**
   * PATH and TMPDIR of the environment, '' where they are not set: where commands find programs, and where they put temporary
   * files.
   */
  search: string;
  scratch: string;
  /** Where the client was started, by its real path; the root where that is not known. */
  start?: string;
}

/** Below `.claude`: what is no configuration of modes, so that links there protect nothing. */
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

/**
 * The user's folder; where HOME names none, or a relative one, which could lie in the project, the system's own record of the
 * user.
 */
export function homeOf(env: NodeJS.ProcessEnv): string {
  return env.HOME && isSteady(env.HOME) ? path.resolve(env.HOME) : os.userInfo().homedir;
}

/** Names the same folder in each process: `/proc/self/cwd` is where a process is, which is mostly the project. */
function isSteady(named: string): boolean {
  return path.isAbsolute(named) && !named.includes('/proc/');
}

/** The folder that the client says it was started in; null where it says none. */
export function startOf(env: NodeJS.ProcessEnv): string | null {
  const named = env.CLAUDE_PROJECT_DIR;
  return named && path.isAbsolute(named) && !named.includes('${') ? named : null;
}

/** Works out the place once for a project; touches the file system for real paths and write permissions. */
export function placeOf(root: string, env: NodeJS.ProcessEnv, pluginRoot: string | null): Place {
  const guarded = [real(root), real(homeOf(env)), real(configFolderOf(env)), real(dataFolderOf(env))];
  if (pluginRoot !== null) guarded.push(real(pluginRoot));
  return {
    root: real(root),
    rootAliases: [...new Set([root, env.CLAUDE_PROJECT_DIR ?? ''].flatMap((name) => aliasOf(name, real(root))))],
    home: real(homeOf(env)),
    temp: [...new Set(['/tmp', os.tmpdir(), env.CLAUDE_CODE_TMPDIR ?? ''].filter((folder) => path.isAbsolute(folder)).map(real))],
    configFolder: configFolderOf(env),
    dataFolder: dataFolderOf(env),
    pluginRoot: pluginRoot === null ? null : real(pluginRoot),
    managedFolders,
    linkTargets: linkTargets(real(root), env),
    lastingTargets: movedFrom([dataFolderOf(env), ...managedFolders]).map(([, target]) => target),
    startFiles: startFiles(env),
    pathFolders: pathFolders(env.PATH ?? '', real(root)),
    ignoresCase: guarded.some((folder) => diskSpelling.ignoresCase(folder) || diskSpelling.isRespelled(folder)),
    start: real(startOf(env) ?? root),
    search: env.PATH ?? '',
    scratch: env.TMPDIR ?? '',
  };
}

/** What a name of the root or of a folder below it calls the root, where that is not its real path. */
function aliasOf(name: string, root: string): string[] {
  if (!path.isAbsolute(name)) return [];
  const below = real(name).slice(root.length);
  const alias = path.resolve(name).slice(0, path.resolve(name).length - below.length);
  return alias !== root && alias !== '' && alias + below === path.resolve(name) && real(alias) === root ? [alias] : [];
}

/** Where the links in `.claude` lead that configuration is read through, and the real places of what is protected by name. */
function linkTargets(root: string, env: NodeJS.ProcessEnv): string[] {
  const claude = path.join(root, '.claude');
  const named = [claude, configFolderOf(env), dataFolderOf(env), ...managedFolders];
  const moved = movedFrom(named);
  // A link out of the project is not read.
  const within = linksBelow(claude).filter((target) => target.startsWith(`${root}/`));
  return [...new Set([...moved.map(([, target]) => target), ...within])].filter((target) => target !== root && target !== '/');
}

/** The folders that go by another name than their own, each with its own. */
function movedFrom(folders: readonly string[]): (readonly [named: string, target: string])[] {
  return folders.map((folder) => [folder, real(folder)] as const).filter(([folder, target]) => folder !== target);
}

/** Real targets of the links below a folder, a few levels deep. */
function linksBelow(folder: string, depth = 4): string[] {
  let entries: fs.Dirent[];
  try {
    entries = fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    // Absent or closed to us: then no configuration is read through it either.
    return [];
  }
  return entries.flatMap((entry) => {
    const name = path.join(folder, entry.name);
    if (notConfiguration.test(entry.name)) return [];
    if (entry.isSymbolicLink()) return [real(name)];
    return entry.isDirectory() && depth > 1 ? linksBelow(name, depth - 1) : [];
  });
}

/** Variables that say where start files are, and what of them lies there; '' for the place itself. */
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

/** Devices: `/dev/null` is how a program is told to read none. */
const device = /^\/dev\/(?:[^/]*|fd\/.*)$/;

function startFiles(env: NodeJS.ProcessEnv): string[] {
  const named = startVariables.flatMap(([variable, below]) => {
    const value = env[variable] ?? '';
    return path.isAbsolute(value) ? below.map((name) => path.join(value, name)) : [];
  });
  const files = named.flatMap((name) => [path.resolve(name), real(name)]);
  return [...new Set(files)].filter((file) => file !== '/' && !device.test(file));
}

/** A relative entry counts from the project's root; the root itself would guard every file and is none. */
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

/** True as well for a folder that does not exist yet where the user could make it. */
function writable(folder: string): boolean {
  // root may write everywhere; then only folders outside the system's own count as the user's.
  if (process.getuid?.() === 0 && /^\/(usr|bin|sbin|opt|snap)(\/|$)/.test(folder)) return false;
  try {
    fs.accessSync(folder, fs.constants.W_OK);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && folder !== '/' && writable(path.dirname(folder));
  }
}

/** The real path of a folder as the disk spells it; what does not exist yet goes by its name. */
export function real(folder: string): string {
  const found = attempt(() => fs.realpathSync.native(folder)) ?? path.resolve(folder);
  return diskSpelling.isRespelled(found) ? diskSpelling.settle(found) : found;
}
