// Manual installation without the plugin: detects whether the registered server and hooks have changed.
import path from 'node:path';
import type { Place } from '../../facts/paths/place.ts';
import { registeredPackage, wasRegistered } from '../../facts/protections/registered.ts';
import {
  type HookGroup,
  holdsAll,
  manualHooks,
  manualPrefix,
  manualServer,
  sharedServers,
  withoutModesEntries,
} from '../../facts/protections/without-plugin.ts';
import { lineOf, objectOf, readJson, type SettingsSource, settingsFiles } from './settings.ts';
import type { FindingContext, FindingHit } from './types.ts';

/** Our server in the text of a hook, or our tools in a matcher. */
const asPlugin = /plugin[:_]modes[:_]modes/;
const asManual = new RegExp(`${asPlugin.source}|"server"\\s*:\\s*"${manualServer}"|${manualPrefix}`);

/** Matches a hook that can talk to our server. */
export function namesServer(place: Place): RegExp {
  return wasRegistered(place) ? asManual : asPlugin;
}

/** The hooks that `modes init --no-plugin` writes here; null if there is no manual installation. */
function manualModesHooks(place: Place): Record<string, HookGroup[]> | null {
  const packageRoot = wasRegistered(place) ? (registeredPackage(place) ?? place.pluginRoot) : null;
  return packageRoot === null ? null : manualHooks(packageRoot);
}

/** The settings without our own hooks. The remaining hooks belong to others. */
export function ofOthers(sources: SettingsSource[], place: Place): SettingsSource[] {
  const own = manualModesHooks(place);
  if (own === null) return sources;
  return sources.map((source) => {
    const { hooks } = objectOf(source.value);
    return source.strict && hooks !== undefined && !Array.isArray(hooks)
      ? { ...source, value: { ...objectOf(source.value), hooks: withoutModesEntries(objectOf(hooks), own) } }
      : source;
  });
}

/** Our registered hooks that no settings file contains completely any more. */
export function findUnhooked(around: FindingContext): FindingHit[] {
  const own = manualModesHooks(around.place);
  if (own === null) return [];
  const isComplete = settingsFiles(around)
    .flatMap(({ file, origin }) => readJson(file, origin))
    .some(({ value }) => holdsAll(objectOf(objectOf(value).hooks), own));
  const file = path.join(around.place.root, '.claude/settings.local.json');
  return isComplete ? [] : [{ file, what: 'hooks of Modes that were registered are missing' }];
}

/** Changes of a manual registration. */
export function findChanged(around: FindingContext): FindingHit[] {
  const { place } = around;
  if (!wasRegistered(place)) return [];
  const file = path.join(place.root, sharedServers);
  const [source] = readJson(file, 'project');
  const line = lineOf(source?.text ?? '', JSON.stringify(manualServer));
  return [
    ...(registeredPackage(place) === null
      ? [{ file, line, what: `the server ${manualServer} is missing or is not the registered one` }]
      : []),
    ...findUnhooked(around),
  ];
}
