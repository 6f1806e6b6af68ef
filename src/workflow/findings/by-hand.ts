// What was registered by hand, without the plugin: whether the server and the hooks still are what a person registered.
import path from 'node:path';
import type { Place } from '../../facts/paths/place.ts';
import { registeredPackage, wasRegistered } from '../../facts/protections/registered.ts';
import {
  type HookGroup,
  handPrefix,
  handServer,
  holdsAll,
  hooksByHand,
  sharedServers,
  withoutOwn,
} from '../../facts/protections/without-plugin.ts';
import { lineOf, objectOf, readJson, type Source, settingsFiles } from './settings.ts';
import type { Hit, Surroundings } from './types.ts';

/** Our server as hooks name it, or its tools as matchers do. */
const asPlugin = /plugin[:_]modes[:_]modes/;
const byHand = new RegExp(`${asPlugin.source}|"server"\\s*:\\s*"${handServer}"|${handPrefix}`);

/** What a hook has that speaks to our server. */
export function namesServer(place: Place): RegExp {
  return wasRegistered(place) ? byHand : asPlugin;
}

/** The hooks that `modes init --no-plugin` writes here; null where nothing was registered by hand. */
function ownHooks(place: Place): Record<string, HookGroup[]> | null {
  const packageRoot = wasRegistered(place) ? (registeredPackage(place) ?? place.pluginRoot) : null;
  return packageRoot === null ? null : hooksByHand(packageRoot);
}

/** Settings without the hooks that are ours: what is left is of others. */
export function ofOthers(sources: Source[], place: Place): Source[] {
  const own = ownHooks(place);
  if (own === null) return sources;
  return sources.map((source) => {
    const { hooks } = objectOf(source.value);
    return source.strict && hooks !== undefined && !Array.isArray(hooks)
      ? { ...source, value: { ...objectOf(source.value), hooks: withoutOwn(objectOf(hooks), own) } }
      : source;
  });
}

/** Hooks of ours that no settings hold any more. */
export function findUnhooked(around: Surroundings): Hit[] {
  const own = ownHooks(around.place);
  if (own === null) return [];
  const held = settingsFiles(around)
    .flatMap(({ file, origin }) => readJson(file, origin))
    .some(({ value }) => holdsAll(objectOf(objectOf(value).hooks), own));
  const file = path.join(around.place.root, '.claude/settings.local.json');
  return held ? [] : [{ file, what: 'not all hooks of Modes that were registered' }];
}

/** A registration that is not as it was any more. */
export function findChanged(around: Surroundings): Hit[] {
  const { place } = around;
  if (!wasRegistered(place)) return [];
  const file = path.join(place.root, sharedServers);
  const [source] = readJson(file, 'project');
  const line = lineOf(source?.text ?? '', JSON.stringify(handServer));
  return [
    ...(registeredPackage(place) === null
      ? [{ file, line, what: `another server called ${handServer} than the one that was registered, or none` }]
      : []),
    ...findUnhooked(around),
  ];
}
