// Hooks of others that receive a tool's calls, or the permission request for one.
import { ofOthers } from './manual-setup.ts';
import { hooksOf, objectOf, readFrontMatters, readPlugins, readSettings, type SettingsSource } from './settings.ts';
import type { FindingContext } from './types.ts';

const events = ['PreToolUse', 'PermissionRequest', 'PostToolUse'];

/** The first file that has such a hook or is unreadable; null if there is none. Reads files and starts no process. */
export function hookOn(tool: string, around: FindingContext): string | null {
  const sources = [...ofOthers(readSettings(around), around.place), ...readPlugins(around), ...readFrontMatters(around)];
  return sources.find((source) => mayMatch(source, tool))?.file ?? null;
}

function mayMatch(source: SettingsSource, tool: string): boolean {
  if (!source.readable) return true;
  const hooks = objectOf(hooksOf(source));
  const groups = events.flatMap((event) => (Array.isArray(hooks[event]) ? (hooks[event] as unknown[]) : []));
  if (groups.some((group) => fits(objectOf(group).matcher, tool))) return true;
  // A file that is not plain JSON may contain more than was parsed.
  return !source.strict && events.some((event) => source.text.includes(event));
}

/** Reads matchers like the client, but broader: an invalid expression matches. */
function fits(matcher: unknown, tool: string): boolean {
  if (typeof matcher !== 'string' || matcher === '' || matcher === '*') return true;
  try {
    return new RegExp(matcher, 'i').test(tool);
  } catch (error) {
    if (error instanceof SyntaxError) return true;
    throw error;
  }
}
