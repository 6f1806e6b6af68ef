// Hooks of others that see a tool's calls, or the question to a person about one.
import { ofOthers } from './by-hand.ts';
import { hooksOf, objectOf, readFrontMatters, readPlugins, readSettings, type Source } from './settings.ts';
import type { Surroundings } from './types.ts';

const events = ['PreToolUse', 'PermissionRequest', 'PostToolUse'];

/** The first file with such a hook, or that cannot be read; null: there is none. Reads files; starts nothing. */
export function hookOn(tool: string, around: Surroundings): string | null {
  const sources = [...ofOthers(readSettings(around), around.place), ...readPlugins(around), ...readFrontMatters(around)];
  return sources.find((source) => mayMatch(source, tool))?.file ?? null;
}

function mayMatch(source: Source, tool: string): boolean {
  if (!source.readable) return true;
  const hooks = objectOf(hooksOf(source));
  const groups = events.flatMap((event) => (Array.isArray(hooks[event]) ? (hooks[event] as unknown[]) : []));
  if (groups.some((group) => fits(objectOf(group).matcher, tool))) return true;
  // Of a file that is no plain JSON not all is known.
  return !source.strict && events.some((event) => source.text.includes(event));
}

/** As the client reads matchers, and more: what cannot be read as an expression matches. */
function fits(matcher: unknown, tool: string): boolean {
  if (typeof matcher !== 'string' || matcher === '' || matcher === '*') return true;
  try {
    return new RegExp(matcher, 'i').test(tool);
  } catch (error) {
    if (error instanceof SyntaxError) return true;
    throw error;
  }
}
