// Reads everything that can contain hooks of the client, as tolerantly as the client might: settings, plugins, skills and agents.

import fs from 'node:fs';
import path from 'node:path';
import { parse as parseTolerant } from 'jsonc-parser';
import { parseDocument } from 'yaml';
import type { Place } from '../../facts/paths/place.ts';
import { checkoutsOf } from '../../facts/paths/worktrees.ts';
import { type HookGroup, withoutModesEntries } from '../../facts/protections/without-plugin.ts';
import { isObject } from '../../platform/json-object.ts';
import { inside } from '../../platform/path-text.ts';
import { readRegularText } from '../../platform/read-file.ts';
import type { FindingContext } from './types.ts';

/** Marks a file that exists but that we cannot read. The client may be able to. */
export const unreadable = Symbol('unreadable');

export interface SettingsSource {
  file: string;
  /** The origin of the file. `project`: a repository can contain it. */
  origin: 'managed' | 'user' | 'project' | 'plugin';
  /** The parsed file. If it cannot be parsed, as much of it as possible. */
  value: unknown;
  text: string;
  /** True for JSON without comments and for a front matter without errors. Then `value` is complete. */
  strict: boolean;
  readable: boolean;
}

const maxBytes = 1_048_576;
const maxEntries = 500;

/** Folders with a `.claude` that the client reads as the project's: the start folder and the project's root. */
export function projectFolders({ place, start }: FindingContext): string[] {
  return [...new Set([place.root, path.resolve(start)])];
}

/** Those folders and their parents: the client also takes servers, skills, commands and agents from there. */
export function foldersAround(around: FindingContext): string[] {
  const own = projectFolders(around);
  return [...new Set([...own, ...own.flatMap(parentsOf)])].filter(
    (folder) => path.join(folder, '.claude') !== around.place.configFolder,
  );
}

function parentsOf(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [] : [parent, ...parentsOf(parent)];
}

/** Settings files of the client that apply here, most authoritative first. */
export function settingsFiles(around: FindingContext): { file: string; origin: SettingsSource['origin'] }[] {
  const { place } = around;
  const managed = place.managedFolders.flatMap((folder) => [
    path.join(folder, 'managed-settings.json'),
    ...namesIn(path.join(folder, 'managed-settings.d'))
      .filter((name) => name.endsWith('.json'))
      .map((name) => path.join(folder, 'managed-settings.d', name)),
  ]);
  const own = projectFolders(around).flatMap((folder) =>
    ['settings.json', 'settings.local.json'].map((name) => path.join(folder, '.claude', name)),
  );
  const ofCheckouts = projectFolders(around)
    .flatMap(checkoutsOf)
    .map((folder) => path.join(folder, '.claude/settings.local.json'));
  return [
    ...managed.map((file) => ({ file, origin: 'managed' as const })),
    { file: path.join(place.configFolder, 'settings.json'), origin: 'user' },
    ...[...new Set([...own, ...ofCheckouts])].map((file) => ({ file, origin: 'project' as const })),
  ];
}

export function readSettings(around: FindingContext): SettingsSource[] {
  return settingsFiles(around).flatMap(({ file, origin }) => readJson(file, origin));
}

/** The client's list of installed plugins. */
export function installedFile({ configFolder }: Place): string {
  return path.join(configFolder, 'plugins/installed_plugins.json');
}

/** Hooks of installed plugins other than this one: their hooks.json, and hooks in their manifest or named by it. */
export function readPlugins({ place }: FindingContext): SettingsSource[] {
  const [record] = readJson(installedFile(place), 'plugin');
  const plugins = objectOf(objectOf(record?.value).plugins);
  return Object.entries(plugins).flatMap(([id, installed]) => {
    const folders = (Array.isArray(installed) ? installed : [installed])
      .map((one) => objectOf(one).installPath)
      .filter((folder): folder is string => typeof folder === 'string' && !isOwn(folder, place));
    const sources = [...new Set(folders)].flatMap(readPlugin);
    // Anyone can use our plugin's name. If another plugin does, only hooks equal to ours are ignored.
    return id.split('@')[0] === 'modes' ? withoutHooksOf(place, sources) : sources;
  });
}

/** This plugin, or another version of it in the client's cache, which has one folder for each plugin of each marketplace. */
function isOwn(folder: string, { pluginRoot, configFolder }: Place): boolean {
  if (pluginRoot === null) return false;
  const cache = path.join(configFolder, 'plugins/cache');
  return folder === pluginRoot || (path.dirname(folder) === path.dirname(pluginRoot) && inside(folder, cache));
}

function withoutHooksOf({ pluginRoot }: Place, sources: SettingsSource[]): SettingsSource[] {
  const [ours] = pluginRoot === null ? [] : readJson(path.join(pluginRoot, 'hooks/hooks.json'), 'plugin');
  const own = objectOf(objectOf(ours?.value).hooks) as Record<string, HookGroup[]>;
  return sources.map((source) =>
    source.strict
      ? { ...source, value: { ...objectOf(source.value), hooks: withoutModesEntries(objectOf(hooksOf(source)), own) } }
      : source,
  );
}

function readPlugin(folder: string): SettingsSource[] {
  const manifest = readJson(path.join(folder, '.claude-plugin/plugin.json'), 'plugin');
  const named = manifest.flatMap(({ value }) => objectOf(value).hooks).flat();
  const files = named.filter((name): name is string => typeof name === 'string').map((name) => path.resolve(folder, name));
  return [
    ...manifest,
    ...[...new Set([path.join(folder, 'hooks/hooks.json'), ...files])].flatMap((file) => readJson(file, 'plugin')),
  ];
}

/** Skills, commands and agents, which may have hooks in their front matter. */
export function readFrontMatters(around: FindingContext): SettingsSource[] {
  const bases = [...new Set([...foldersAround(around), ...projectFolders(around).flatMap(checkoutsOf)])];
  const folders = [around.place.configFolder, ...bases.map((folder) => path.join(folder, '.claude'))];
  return folders.flatMap((folder, index) => {
    const origin = index === 0 ? 'user' : 'project';
    const files = [
      ...namesIn(path.join(folder, 'skills')).map((name) => path.join(folder, 'skills', name, 'SKILL.md')),
      ...['agents', 'commands'].flatMap((kind) =>
        namesIn(path.join(folder, kind))
          .filter((name) => name.endsWith('.md'))
          .map((name) => path.join(folder, kind, name)),
      ),
    ];
    return files.flatMap((file) => readFrontMatter(file, origin));
  });
}

function readFrontMatter(file: string, origin: SettingsSource['origin']): SettingsSource[] {
  const text = readText(file);
  // Most files have no hooks. Without that key, in any spelling, the file is not parsed.
  if (text === null || text === unreadable) return [];
  const [, head] = /^\ufeff?---\r?\n([\s\S]*?)\r?\n---/.exec(text) ?? [];
  if (head === undefined || !/hooks|\\/.test(head)) return [];
  const document = parseDocument(head, { logLevel: 'silent' });
  const strict = document.errors.length === 0;
  return [{ file, origin, value: strict ? document.toJS({ maxAliasCount: 100 }) : null, text: head, strict, readable: true }];
}

/** The hooks of a source, by event. A manifest may contain several lists, each with its own key `hooks`. */
export function hooksOf(source: SettingsSource): object {
  const lists = [objectOf(source.value).hooks].flat().map(objectOf);
  return Object.assign({}, ...lists, ...lists.map((list) => objectOf(list.hooks)));
}

export function readJson(file: string, origin: SettingsSource['origin']): SettingsSource[] {
  const text = readText(file);
  if (text === null) return [];
  if (text === unreadable) return [{ file, origin, value: null, text: '', strict: true, readable: false }];
  // The client accepts a byte order mark.
  return [{ file, origin, text, ...parse(text.replace(/^\ufeff/, '')), readable: true }];
}

/** The parsed text, and whether it is JSON without comments. Otherwise, as much of it as can be parsed. */
function parse(text: string): { value: unknown; strict: boolean } {
  try {
    return { value: JSON.parse(text), strict: true };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { value: parseTolerant(text, [], { allowTrailingComma: true }), strict: false };
  }
}

/** null if absent. */
export function readText(file: string): string | null | typeof unreadable {
  try {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return null;
    return stat.isFile() && stat.size <= maxBytes ? readRegularText(file, maxBytes) : unreadable;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOTDIR' || code === 'ENAMETOOLONG' ? null : unreadable;
  }
}

/** Names in a folder, sorted; empty if the folder cannot be listed. */
export function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder).sort().slice(0, maxEntries);
  } catch {
    return [];
  }
}

export function objectOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

/** The line of the first match; 1 if there is no literal match. */
export function lineOf(text: string, pattern: RegExp | string): number {
  const at = typeof pattern === 'string' ? text.indexOf(pattern) : text.search(pattern);
  return at <= 0 ? 1 : text.slice(0, at).split('\n').length;
}
