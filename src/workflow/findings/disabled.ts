// Settings that disable all hooks, or may do so.
import { installedFile, lineOf, objectOf, readJson, type SettingsSource, settingsFiles } from './settings.ts';
import type { FindingContext, FindingHit } from './types.ts';

/** Settings files that disable hooks now. `changed` is checked too, wherever it is. */
export function findDisabled(around: FindingContext, changed: string | null): string[] {
  const files = [...(changed === null ? [] : [changed]), ...settingsFiles(around).map(({ file }) => file)];
  return [...new Set(files)].filter((file) => readJson(file, 'project').some(disables));
}

export function disables({ value, text, strict, readable }: SettingsSource): boolean {
  if (!readable) return true;
  return (
    (value as { disableAllHooks?: unknown } | null)?.disableAllHooks === true ||
    (!strict && /"disableAllHooks"\s*:\s*true/.test(text))
  );
}

/** Our client in a hook of the organization. */
const ourClient = /\/hooks\/client\.sh\b/;

/** Keys in the organization's settings that keep our hooks from running. No other setting and no option overrides them. */
export function findManaged({ settings, place }: FindingContext & { settings: readonly SettingsSource[] }): FindingHit[] {
  const managed = settings.filter(({ origin }) => origin === 'managed');
  const hit = ({ file, text }: SettingsSource, key: string, what = key): FindingHit => ({
    file,
    line: lineOf(text, JSON.stringify(key)),
    what,
  });
  const off = managed.filter((source) => source.readable && disables(source)).map((source) => hit(source, 'disableAllHooks'));
  const ids = Object.keys(objectOf(objectOf(readJson(installedFile(place), 'plugin')[0]?.value).plugins));
  const ours = ids.filter((id) => id.split('@')[0] === 'modes');
  const isOn = managed.some(
    ({ value, text }) => ourClient.test(text) || ours.some((id) => objectOf(objectOf(value).enabledPlugins)[id] === true),
  );
  if (isOn) return off;
  const alone = managed.filter(({ value }) => objectOf(value).allowManagedHooksOnly === true);
  const missing = `${ours[0] ?? 'the plugin'} under enabledPlugins`;
  return [...off, ...alone.map((source) => hit(source, 'allowManagedHooksOnly', `allowManagedHooksOnly without ${missing}`))];
}
