// A home and a project for one dry run. It copies only those settings of the user's own client that affect plugins and hooks.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { hashConfiguration } from '../../config/hash.ts';
import { readSources } from '../../config/sources.ts';
import { serversFile } from '../../facts/protections/registered.ts';
import { manualHooks, manualServer, recordLine, serverEntry, sharedServers } from '../../facts/protections/without-plugin.ts';
import { makeFolder } from '../../platform/data-folder.ts';
import { recordTrust } from '../../store/trust.ts';
import { objectOf, readJson, readSettings, readText } from '../../workflow/findings/settings.ts';
import type { FindingContext } from '../../workflow/findings/types.ts';
import type { Installed } from './doctor-installation.ts';

/**
 * Keys of settings that determine whether a plugin's hooks run. Variables, helpers, permissions and other hooks are not copied.
 */
const copiedKeys = ['disableAllHooks', 'allowManagedHooksOnly', 'strictPluginOnlyCustomization', 'enabledPlugins'];
/** Files of the plugin that the client reads. */
const copiedNames =
  '.claude-plugin .mcp.json agents bin commands dist hooks opa package.json policies settings.json skills'.split(' ');

/** An API key in the format that the client accepts. No server accepts it. */
export const noKey = 'sk-ant-modes-doctor-is-no-key';

const modes = 'name: doctor\ndefault: checked\nmodes:\n  checked: {transitions: []}\n';
export const openFile = 'open.txt';
export const closedRule = 'Write(closed-*.txt)';
const settings = { permissions: { allow: [`Write(${openFile})`], deny: [closedRule] } };

export interface Lab {
  top: string;
  home: string;
  project: string;
  dataFolder: string;
  /** A copy of the plugin. */
  plugin: string;
  /**
   * The client finds the copy itself, in the same way as the user's client finds the plugin. Otherwise
   * the copy is passed by name.
   */
  isInstalled: boolean;
  remove(): Promise<void>;
}

/**
 * Makes the lab in a new folder, 0700. `installed`: the plugin as the client has it. If it is null, the
 * lab uses the package in `instead`.
 */
export function makeLab(around: FindingContext, installed: Installed | null, instead: string): Lab {
  const { place } = around;
  const top = fs.realpathSync.native(fs.mkdtempSync(path.join(os.tmpdir(), 'modes-doctor-')));
  const home = path.join(top, 'home');
  const config = path.join(home, '.claude');
  const project = path.join(top, 'project');
  const dataFolder = path.join(config, 'modes-data');
  for (const folder of [dataFolder, path.join(project, '.claude'), path.join(top, 'tmp')]) makeFolder(folder);
  const put = (file: string, value: unknown): void => {
    makeFolder(path.dirname(file));
    fs.writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  };
  put(path.join(home, '.claude.json'), {
    hasCompletedOnboarding: true,
    customApiKeyResponses: { approved: [noKey, noKey.slice(-20)], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true } },
  });
  for (const { file, value, origin } of readSettings(around)) {
    if (origin === 'managed' || origin === 'plugin') continue;
    const folder = origin === 'user' ? config : path.join(project, '.claude');
    put(path.join(folder, path.basename(file)), copied(value, installed));
  }
  const node = readText(path.join(place.dataFolder, 'node'));
  if (typeof node === 'string') put(path.join(dataFolder, 'node'), node);
  put(path.join(project, '.claude/modes.yaml'), modes);
  put(path.join(project, '.claude/settings.checked.json'), settings);
  const { files, faults } = readSources(project);
  recordTrust(dataFolder, project, hashConfiguration(files, faults), 'terminal', new Date());
  const plugin = path.join(config, 'plugins/marketplaces/modes');
  for (const name of copiedNames) {
    const from = path.join(installed?.folder ?? instead, name);
    if (fs.existsSync(from)) fs.cpSync(from, path.join(plugin, name), { recursive: true, verbatimSymlinks: true });
  }
  if (installed?.isByHand) register(plugin, project, dataFolder, put);
  else if (installed !== null) install(installed, plugin, config, put);
  return { top, home, project, dataFolder, plugin, isInstalled: installed !== null, remove: () => removeWhole(top) };
}

/** Removes a folder into which ending processes may still write: retries for five seconds, until nothing new appears. */
async function removeWhole(folder: string): Promise<void> {
  for (let looks = 50; ; looks -= 1) {
    try {
      return fs.rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY' || looks === 0) throw error;
    }
    await new Promise((next) => setTimeout(next, 100));
  }
}

function copied(value: unknown, installed: Installed | null): Record<string, unknown> {
  const all = objectOf(value);
  const copiedSettings = Object.fromEntries(copiedKeys.flatMap((key) => (all[key] === undefined ? [] : [[key, all[key]]])));
  if (copiedSettings.enabledPlugins === undefined) return copiedSettings;
  // Other plugins would start their own servers and hooks.
  const enabled = Object.entries(objectOf(copiedSettings.enabledPlugins)).filter(([id]) => id === installed?.id);
  return { ...copiedSettings, enabledPlugins: Object.fromEntries(enabled) };
}

/** The server in the project's own list and the hooks in its settings, as a person registers them without the plugin. */
function register(plugin: string, project: string, dataFolder: string, put: (file: string, value: unknown) => void): void {
  const entry = serverEntry(plugin, project, process.execPath);
  const file = path.join(project, '.claude/settings.local.json');
  const [before] = readJson(file, 'project');
  put(path.join(project, sharedServers), { mcpServers: { [manualServer]: entry } });
  put(file, { ...objectOf(before?.value), hooks: manualHooks(plugin), enabledMcpjsonServers: [manualServer] });
  put(serversFile(dataFolder), `${recordLine(project, entry)}\n`);
}

/** Installs the copy as a plugin of a directory marketplace, which the client reads in place. */
function install({ id, version }: Installed, plugin: string, config: string, put: (file: string, value: unknown) => void): void {
  const [name = 'modes', marketplace = 'modes'] = id.split('@');
  const owner = { name: 'modes doctor' };
  put(path.join(plugin, '.claude-plugin/marketplace.json'), { name: marketplace, owner, plugins: [{ name, source: './' }] });
  const at = new Date().toISOString();
  const source = { source: 'directory', path: plugin };
  const known = { [marketplace]: { source, installLocation: plugin, lastUpdated: at } };
  put(path.join(config, 'plugins/known_marketplaces.json'), known);
  const record = { scope: 'user', installPath: plugin, version, installedAt: at, lastUpdated: at };
  put(path.join(config, 'plugins/installed_plugins.json'), { version: 2, plugins: { [id]: [record] } });
}
