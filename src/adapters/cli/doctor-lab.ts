// A home and a project for one dry run: what of the user's own client decides about plugins and hooks is copied there, nothing else.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { hashConfiguration } from '../../config/hash.ts';
import { readSources } from '../../config/sources.ts';
import { serversFile } from '../../facts/protections/registered.ts';
import { handServer, hooksByHand, recordLine, serverEntry, sharedServers } from '../../facts/protections/without-plugin.ts';
import { makeFolder } from '../../platform/data-folder.ts';
import { recordTrust } from '../../store/trust.ts';
import { objectOf, readJson, readSettings, readText } from '../../workflow/findings/settings.ts';
import type { Surroundings } from '../../workflow/findings/types.ts';
import type { Installed } from './doctor-installation.ts';

/** Of settings: what decides whether a plugin's hooks run. No variables, helpers, permissions or hooks of others. */
const copiedKeys = ['disableAllHooks', 'allowManagedHooksOnly', 'strictPluginOnlyCustomization', 'enabledPlugins'];
/** Of the plugin: what the client reads of it. */
const copiedNames =
  '.claude-plugin .mcp.json agents bin commands dist hooks opa package.json policies settings.json skills'.split(' ');

/** Accepted by the client's form, and by no server. */
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
  /** The client finds the copy by itself, as the user's finds the plugin; else it has to be named to it. */
  isInstalled: boolean;
  remove(): Promise<void>;
}

/** Makes it in a folder of its own, 0700. `installed`: as the client has it; null: not at all, then what is in `instead`. */
export function makeLab(around: Surroundings, installed: Installed | null, instead: string): Lab {
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

/** Removes a folder in which what is about to end may still write: looks again until nothing comes any more, for five seconds. */
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
  const kept = Object.fromEntries(copiedKeys.flatMap((key) => (all[key] === undefined ? [] : [[key, all[key]]])));
  if (kept.enabledPlugins === undefined) return kept;
  // Other plugins would start servers and hooks of their own.
  const enabled = Object.entries(objectOf(kept.enabledPlugins)).filter(([id]) => id === installed?.id);
  return { ...kept, enabledPlugins: Object.fromEntries(enabled) };
}

/** The server in the project's own list and the hooks in its settings, as a person registers them without the plugin. */
function register(plugin: string, project: string, dataFolder: string, put: (file: string, value: unknown) => void): void {
  const entry = serverEntry(plugin, project, process.execPath);
  const file = path.join(project, '.claude/settings.local.json');
  const [before] = readJson(file, 'project');
  put(path.join(project, sharedServers), { mcpServers: { [handServer]: entry } });
  put(file, { ...objectOf(before?.value), hooks: hooksByHand(plugin), enabledMcpjsonServers: [handServer] });
  put(serversFile(dataFolder), `${recordLine(project, entry)}\n`);
}

/** As a plugin of a marketplace that is a folder, which the client reads in place. */
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
