// Checks the installation: Node, the client, the plugin, the policy core, and who may read and write their files.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { exists } from '../../app/setup/step.ts';
import { surveyConfiguration } from '../../config/survey.ts';
import type { Place } from '../../facts/paths/place.ts';
import { registeredPackage } from '../../facts/protections/registered.ts';
import { layerFolders } from '../../platform/layer-folders.ts';
import { readBuild } from '../../platform/package.ts';
import { readCore } from '../../policy/core.ts';
import { KEYS_FILE } from '../../store/trust-signature.ts';
import { lineOf, objectOf, readJson, readText, type SettingsSource } from '../../workflow/findings/settings.ts';
import { type Finding, type FindingContext, findingOf } from '../../workflow/findings/types.ts';
import { isAlive, socketName } from '../socket/socket.ts';

/** The plugin as the client has it installed. */
export interface Installed {
  /** `modes@MARKETPLACE`, or `by hand`. */
  id: string;
  folder: string;
  version: string;
  build: string;
  /** Not installed as a plugin: a person registered its server and hooks in this project. */
  isByHand: boolean;
}

export interface Versions {
  /** The Node that the hooks start; null if they find none. */
  node: string | null;
  client: string | null;
  /** Version of this command line. */
  modes: string;
  plugin: { id: string; version: string; build: string } | null;
  /** Hash of the policy core: `sha256:…`. */
  core: string | null;
}

export const minimum = { node: [20, 11, 0], client: [2, 1, 295] } as const;

/** The hooks search these folders for Node if its path is not recorded. */
const hookPath = '/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin';
/** Milliseconds that a program may take to print its version. */
const patience = 20_000;

/** The version that a program prints; null if it prints none. */
export function versionOf(program: string, env: NodeJS.ProcessEnv): string | null {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8', timeout: patience, env });
  return /\d+\.\d+\.\d+/.exec(stdout ?? '')?.[0] ?? null;
}

export function isOlder(version: string, than: readonly number[]): boolean {
  const parts = version.split('.').map(Number);
  const at = than.findIndex((part, index) => parts[index] !== part);
  return at !== -1 && (parts[at] ?? 0) < (than[at] as number);
}

/** The Node that the hooks start. */
export function hookNode(dataFolder: string): string | null {
  const recorded = readText(path.join(dataFolder, 'node'));
  const named = typeof recorded === 'string' ? [recorded.trim()] : [];
  const usual = hookPath.split(':').map((folder) => path.join(folder, 'node'));
  return [...named, ...usual].find(isExecutable) ?? null;
}

export function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    // Missing or unreadable: it cannot be started in either case.
    return false;
  }
}

/**
 * The newest plugin of Modes that is installed for the user or this project, else the manual registration in this project; null
 * if there is neither.
 */
export function findPlugin({ place }: FindingContext): Installed | null {
  const [record] = readJson(path.join(place.configFolder, 'plugins/installed_plugins.json'), 'plugin');
  const installations = Object.entries(objectOf(objectOf(record?.value).plugins)).flatMap(([id, installed]) =>
    id.split('@')[0] !== 'modes'
      ? []
      : (Array.isArray(installed) ? installed : [installed])
          .map(objectOf)
          .filter(({ projectPath }) => typeof projectPath !== 'string' || projectPath === place.root)
          .map(({ installPath }) => installPath)
          .map((folder) => readInPlace(place.configFolder, id) ?? folder)
          .filter((folder): folder is string => typeof folder === 'string' && fs.existsSync(folder))
          .map((folder) => installedIn(folder, id)),
  );
  const registered = registeredPackage(place);
  return installations.at(-1) ?? (registered === null ? null : { ...installedIn(registered, 'by hand'), isByHand: true });
}

function installedIn(folder: string, id: string): Installed {
  return { id, folder, version: manifestVersion(folder), build: buildOf(folder), isByHand: false };
}

/**
 * Folder of a plugin from a directory marketplace: the client loads it from there and not from the copy made on installation.
 * null for any other plugin.
 */
function readInPlace(configFolder: string, id: string): string | null {
  const [name, marketplace = ''] = id.split('@');
  const [known] = readJson(path.join(configFolder, 'plugins/known_marketplaces.json'), 'plugin');
  const { source, installLocation } = objectOf(objectOf(known?.value)[marketplace]);
  if (objectOf(source).source !== 'directory' || typeof installLocation !== 'string') return null;
  const [listed] = readJson(path.join(installLocation, '.claude-plugin/marketplace.json'), 'plugin');
  const { plugins } = objectOf(listed?.value);
  const entry = (Array.isArray(plugins) ? plugins : []).map(objectOf).find((one) => one.name === name);
  return typeof entry?.source === 'string' ? path.resolve(installLocation, entry.source) : null;
}

function buildOf(folder: string): string {
  return fs.existsSync(path.join(folder, 'dist/build')) ? readBuild(folder) : 'unknown';
}

export function manifestVersion(folder: string): string {
  const [manifest] = readJson(path.join(folder, '.claude-plugin/plugin.json'), 'plugin');
  const { version } = objectOf(manifest?.value);
  return typeof version === 'string' ? version : 'unknown';
}

/** Problems with Node and the plugin. */
export function checkInstallation(
  around: FindingContext,
  packageRoot: string,
  env: NodeJS.ProcessEnv,
): { findings: Finding[]; versions: Omit<Versions, 'client'>; installed: Installed | null } {
  const { place } = around;
  const installed = findPlugin(around);
  const node = hookNode(place.dataFolder);
  const version = node === null ? null : versionOf(node, { PATH: env.PATH });
  const findings: Finding[] = [];
  if (node === null) findings.push(findingOf('F_NODE', { file: hookPath, what: 'no node' }));
  else if (version === null || isOlder(version, minimum.node))
    findings.push(findingOf('F_NODE', { file: node, what: version === null ? 'a node that does not start' : `node ${version}` }));
  const file = path.join(place.configFolder, 'plugins/installed_plugins.json');
  if (installed === null) findings.push(findingOf('F_PLUGIN_ABSENT', { file, what: 'no plugin called modes' }));
  else findings.push(...checkPlugin(installed, packageRoot));
  const core = readCore(packageRoot);
  if (!core.ok) {
    const what = core.problems[0]?.message ?? 'a core that cannot be read';
    findings.push(findingOf('F_PLUGIN_DAMAGED', { file: path.join(packageRoot, 'dist/core.wasm'), what }));
  }
  const plugin = installed && { id: installed.id, version: installed.version, build: installed.build };
  const hash = core.ok ? core.core.wasm : null;
  return { findings, versions: { node: version, modes: manifestVersion(packageRoot), plugin, core: hash }, installed };
}

/** Files without which the hooks do not fire, or do not fail closed. */
const vital = [
  'hooks/hooks.json',
  'hooks/client.sh',
  'hooks/client.pl',
  'dist/hook.cjs',
  'dist/hook-main.cjs',
  'dist/bash.cjs',
  'dist/prepare.cjs',
  'dist/sandbox.cjs',
  'dist/compiler.mjs',
  'dist/policy-worker.mjs',
  'dist/server.mjs',
  'dist/core.wasm',
  '.claude-plugin/plugin.json',
];

function checkPlugin({ folder, build, id }: Installed, packageRoot: string): Finding[] {
  const own = readBuild(packageRoot);
  const isOther = build !== own;
  const damaged = vital.filter((name) => {
    const file = path.join(folder, name);
    if (!fs.existsSync(file)) return true;
    return !isOther && folder !== packageRoot && !fs.readFileSync(file).equals(fs.readFileSync(path.join(packageRoot, name)));
  });
  const what = `the build ${build} of ${id}; this command line has the build ${own}`;
  return [
    ...(isOther ? [findingOf('F_PLUGIN_OTHER', { file: path.join(folder, 'dist/build'), what })] : []),
    ...damaged.map((name) =>
      findingOf('F_PLUGIN_DAMAGED', { file: path.join(folder, name), what: 'a file of the plugin that is absent or changed' }),
    ),
  ];
}

/** A settings file that disables the plugin: the organization's if it mentions the plugin, else the nearest one that does. */
export function checkEnabled({ id }: Installed, settings: readonly SettingsSource[]): Finding[] {
  const relevantSettings = settings.filter(({ value }) => objectOf(objectOf(value).enabledPlugins)[id] !== undefined);
  const counts = relevantSettings.find(({ origin }) => origin === 'managed') ?? relevantSettings.at(-1);
  if (counts === undefined || objectOf(objectOf(counts.value).enabledPlugins)[id] === true) return [];
  return [
    findingOf(counts.origin === 'managed' ? 'F_HOOKS_MANAGED' : 'F_PLUGIN_OFF', {
      file: counts.file,
      line: lineOf(counts.text, JSON.stringify(id)),
      what: `${id} switched off`,
    }),
  ];
}

/**
 * The field of each kind of marketplace source that the client compares first. A source of another kind, such as a pattern, may
 * match any marketplace.
 */
const mainKeys: Readonly<Record<string, string>> = {
  github: 'repo',
  git: 'url',
  url: 'url',
  file: 'path',
  directory: 'path',
};

/**
 * The organization's list of marketplaces, if the plugin's marketplace is not on it: the client does not load the plugin then.
 */
export function checkMarketplace(
  { id, isByHand }: Installed,
  settings: readonly SettingsSource[],
  { configFolder }: Place,
): Finding[] {
  if (isByHand) return [];
  const [known] = readJson(path.join(configFolder, 'plugins/known_marketplaces.json'), 'plugin');
  const own = objectOf(objectOf(objectOf(known?.value)[id.split('@')[1] ?? '']).source);
  const isOwn = (listed: unknown): boolean => {
    const { source, ...more } = objectOf(listed);
    const key = mainKeys[String(source)];
    return key === undefined || (source === own.source && more[key] === own[key]);
  };
  const what = `strictKnownMarketplaces without the marketplace of ${id}`;
  return settings.flatMap(({ origin, value, file, text }) => {
    const listed = objectOf(value).strictKnownMarketplaces;
    if (origin !== 'managed' || !Array.isArray(listed) || listed.some(isOwn)) return [];
    return [findingOf('F_HOOKS_MANAGED', { file, line: lineOf(text, '"strictKnownMarketplaces"'), what })];
  });
}

/** Access that other users have to stored data and to the configuration. */
export function checkRights({ place }: FindingContext): Finding[] {
  const configured = layerFolders(place.root, place).flatMap((layer) => {
    const { files } = surveyConfiguration(layer);
    const named = files.map((name) => name.slice(layer.shown.length));
    const own = layer.layer === 'project' ? named : [...named, KEYS_FILE];
    return [layer.folder, ...own.map((name) => path.join(layer.folder, name))];
  });
  const open =
    (mask: number, what: string) =>
    (file: string): Finding[] => {
      const stat = fs.statSync(file, { throwIfNoEntry: false });
      return stat === undefined || (stat.mode & mask) === 0
        ? []
        : [findingOf('F_OPEN_TO_OTHERS', { file, what: `${what} (mode ${(stat.mode & 0o777).toString(8)})` })];
    };
  return [
    ...open(0o077, 'a folder of Modes that other users can open')(place.dataFolder),
    ...configured.flatMap(open(0o022, 'a part of the configuration that other users can change')),
  ];
}

/** The socket of the project: its owner, and whether a process listens on it. */
export async function checkSocket({ place }: FindingContext): Promise<Finding[]> {
  const folder = path.join(place.root, '.claude');
  const file = path.join(folder, socketName);
  if (!exists(file)) return [];
  const stat = fs.lstatSync(file);
  if (!stat.isSocket()) return [findingOf('F_SOCKET_FOREIGN', { file, what: 'something that is not a socket' })];
  const own = process.getuid?.();
  if (own !== undefined && stat.uid !== own)
    return [findingOf('F_SOCKET_FOREIGN', { file, what: `a socket that belongs to user ${stat.uid}` })];
  if ((stat.mode & 0o077) !== 0)
    return [
      findingOf('F_OPEN_TO_OTHERS', {
        file,
        what: `a socket that other users can use (mode ${(stat.mode & 0o777).toString(8)})`,
      }),
    ];
  return (await isAlive(folder, socketName))
    ? []
    : [findingOf('F_SOCKET_STALE', { file, what: 'a socket without a listening process' })];
}
