// Settings that switch all hooks off, or may do so.
import { readJson, type Source, settingsFiles } from './settings.ts';
import type { Surroundings } from './types.ts';

/** Files that do it now; `changed` is looked at too, wherever it is. */
export function findDisabled(around: Surroundings, changed: string | null): string[] {
  const files = [...(changed === null ? [] : [changed]), ...settingsFiles(around).map(({ file }) => file)];
  return [...new Set(files)].filter((file) => readJson(file, 'project').some(disables));
}

export function disables({ value, text, strict, readable }: Source): boolean {
  if (!readable) return true;
  return (
    (value as { disableAllHooks?: unknown } | null)?.disableAllHooks === true ||
    (!strict && /"disableAllHooks"\s*:\s*true/.test(text))
  );
}
