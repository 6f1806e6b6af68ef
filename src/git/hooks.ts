// Determines the active hooks of a git repository from its files, without starting git.

import fs from 'node:fs';
import path from 'node:path';
import { readRegularText } from '../platform/read-file.ts';
import { statOf } from '../platform/stat.ts';
import { type Repository, repositoryOf } from './repository.ts';

/** Larger settings files are not read. In bytes. */
const maxBytes = 1_000_000;
const maxIncludes = 50;

/** The folders that git would search for hooks. `unclear` names a file with unknown settings, which counts as a hook. */
export interface HookFolders {
  folders: string[];
  unclear: string | null;
}

/** The file that git would run as one of these hooks in a folder, or the settings that cannot be interpreted, or null. */
export function activeHook(hooks: readonly string[], { folders, unclear }: HookFolders): string | null {
  if (unclear !== null) return unclear;
  for (const folder of folders) {
    const names = namesIn(folder);
    if (names === null) return folder;
    const found = hooks.find((hook) => names.has(hook) && isExecutable(path.join(folder, hook)));
    if (found !== undefined) return path.join(folder, found);
  }
  return null;
}

/**
 * The folders that git would search for hooks when it runs in `folder`.
 * @param home absolute
 * @param env the environment that names the user's own settings
 */
export function hookFolders(folder: string, home: string, env: NodeJS.ProcessEnv): HookFolders {
  const repository = repositoryOf(folder);
  const settings = settingsAt(repository, home, env);
  const named = settings.paths.map((one) => path.resolve(repository?.top ?? folder, one));
  const folders = settings.isSettled || repository === null ? named : [...named, path.join(repository.common, 'hooks')];
  return { folders, unclear: settings.unclear };
}

/** The possible expansions of a git alias. */
export interface GitAlias {
  /** Every value that may apply. `!cmd` is a shell command. */
  texts: string[];
  /** Settings that cannot be read may replace these values. */
  isUnclear: boolean;
}

/** The alias of this name that git would use in `folder`. `texts` is empty if the settings contain none. */
export function gitAlias(name: string, folder: string, home: string, env: NodeJS.ProcessEnv): GitAlias {
  const settings = settingsAt(repositoryOf(folder), home, env);
  const names = [`alias.${name}`, `alias.${name}.command`].map((one) => one.toLowerCase());
  const texts = settings.aliases.filter(([setting]) => names.includes(setting.toLowerCase())).map(([, value]) => value);
  const isSetElsewhere = Object.keys(env).some((one) => /^GIT_(?:CONFIG_(?:COUNT|PARAMETERS|SYSTEM)|DIR|COMMON_DIR)$/.test(one));
  return { texts: [...new Set(texts)], isUnclear: settings.unclearFile !== null || isSetElsewhere };
}

function settingsAt(repository: Repository | null, home: string, env: NodeJS.ProcessEnv): Settings {
  const settings = new Settings(home);
  settings.read('/etc/gitconfig', false);
  const xdg = env.XDG_CONFIG_HOME && path.isAbsolute(env.XDG_CONFIG_HOME) ? env.XDG_CONFIG_HOME : path.join(home, '.config');
  for (const file of env.GIT_CONFIG_GLOBAL
    ? [env.GIT_CONFIG_GLOBAL]
    : [path.join(xdg, 'git/config'), path.join(home, '.gitconfig')])
    settings.read(file, false);
  if (repository !== null) {
    settings.read(path.join(repository.common, 'config'), false);
    settings.read(path.join(repository.gitDir, 'config.worktree'), true);
  }
  return settings;
}

/** The settings about hooks. Collects every value that may apply, because the files alone do not determine which one does. */
class Settings {
  readonly paths: string[] = [];
  readonly aliases: Setting[] = [];
  unclear: string | null = null;
  /** The first file that could not be read. Settings for hooks in files that can be read do not count. */
  unclearFile: string | null = null;
  /** One of the values certainly applies, so the repository's own hooks folder is not used. */
  isSettled = false;
  private readonly visited = new Set<string>();

  constructor(private readonly home: string) {}

  /** @param isConditional whether the file applies depends on conditions that are not evaluated */
  read(file: string, isConditional: boolean): void {
    const key = `${file} ${isConditional}`;
    if (this.visited.has(key)) return;
    this.visited.add(key);
    for (const [name, value] of this.settingsOf(file)) {
      if (name === 'core.hookspath') {
        const folder = this.expand(value, file);
        if (folder === null) continue;
        this.paths.push(folder === '' ? '/' : folder);
        if (!isConditional) this.isSettled = true;
      } else if (name.startsWith('alias.')) this.aliases.push([name, value]);
      else if (name.startsWith('hook')) this.unclear ??= file;
      else {
        const included = this.expand(value, file);
        if (included !== null) this.read(path.resolve(path.dirname(file), included), isConditional || name !== 'include.path');
      }
    }
  }

  private settingsOf(file: string): readonly Setting[] {
    try {
      const stat = fs.statSync(file, { throwIfNoEntry: false });
      const isWithin = this.visited.size <= maxIncludes;
      if (stat === undefined && isWithin) return [];
      if (stat?.isFile() && isWithin && stat.size <= maxBytes) return readSettings(file, stat);
      this.doubt(file);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code !== 'ENOENT' && code !== 'ENOTDIR') this.doubt(file);
    }
    return [];
  }

  private doubt(file: string): void {
    this.unclear ??= file;
    this.unclearFile ??= file;
  }

  /** A path as git expands it; null if it is relative to an unknown folder. */
  private expand(value: string, file: string): string | null {
    if (value === '~' || value.startsWith('~/')) return this.home + value.slice(1);
    if (!value.startsWith('~') && !value.startsWith('%(') && !value.startsWith(':(')) return value;
    this.doubt(file);
    return null;
  }
}

/** Name (section and key lower case, subsection as written) and value. */
type Setting = readonly [name: string, value: string];

/** The settings that affect hooks. */
const tells = /^(?:core\.hookspath|hook\.(?:.*\.)?command|include(?:if\..*)?\.path|alias\..*)$/s;
/** Cache of parsed files, by path, with a stamp to detect changes. */
const known = new Map<string, { stamp: string; settings: readonly Setting[] }>();
const maxKnown = 64;
/** Milliseconds within which a file can change twice without a change of its times. */
const coarse = 50;

function readSettings(file: string, stat: fs.Stats): readonly Setting[] {
  const stamp = `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`;
  const cached = known.get(file);
  if (cached?.stamp === stamp) return cached.settings;
  const settings = [...settingsIn(readRegularText(file, maxBytes))].filter(([name]) => tells.test(name));
  if (known.size >= maxKnown) known.clear();
  if (Math.abs(Date.now() - stat.ctimeMs) > coarse) known.set(file, { stamp, settings });
  return settings;
}

/** Each setting, in order. */
function* settingsIn(text: string): Generator<Setting> {
  let section = '';
  for (const line of text
    .replace(/^\ufeff/, '')
    .replace(/\r\n/g, '\n')
    .replace(/\\\n/g, '')
    .split('\n')) {
    let rest = line.trim();
    const header = /^\[\s*([\w.-]+)\s*(?:"((?:\\.|[^"\\])*)"\s*)?\]/.exec(rest);
    if (header) {
      section = (header[1] as string).toLowerCase() + (header[2] === undefined ? '' : `.${header[2].replace(/\\(.)/g, '$1')}`);
      rest = rest.slice(header[0].length).trim();
    }
    const setting = /^([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/s.exec(rest);
    if (setting) yield [`${section}.${(setting[1] as string).toLowerCase()}`, valueIn(setting[2] ?? '')];
  }
}

/** A value without its quotes, escapes and comment. */
function valueIn(text: string): string {
  let out = '';
  let trimmedLength = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (char === '"') isQuoted = !isQuoted;
    else if (char === '\\') {
      const next = text[++at] ?? '';
      out += { n: '\n', t: '\t', b: '\b' }[next] ?? next;
    } else if (!isQuoted && (char === '#' || char === ';')) break;
    else out += char;
    if (isQuoted || !/\s/.test(char)) trimmedLength = out.length;
  }
  return out.slice(0, trimmedLength);
}

/** Lower-case names in a folder, because some disks ignore case. Empty if the folder is missing; null if it cannot be read. */
function namesIn(folder: string): Set<string> | null {
  try {
    if (fs.statSync(folder, { throwIfNoEntry: false }) === undefined) return new Set();
    return new Set(fs.readdirSync(folder).map((name) => name.toLowerCase()));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? new Set() : null;
  }
}

/** Checks as git does. A file that cannot be checked counts as executable. */
function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    // EACCES means either that the file is not executable, or that its folder may not be entered.
    return code !== 'EACCES' || statOf(file) === null;
  }
}
