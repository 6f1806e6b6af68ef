// Finds the modes that a mode takes rules and instructions from.
import type { Mode } from '../model/configuration.ts';

/**
 * Every mode that this one extends, directly or through others, each once. The order is that of `extends`, and each mode comes
 * after the modes that it extends. A name without a mode is left out. A mode that extends itself is in its own list.
 */
export function basesOf(name: string, modes: ReadonlyMap<string, Mode>): string[] {
  const bases: string[] = [];
  const visited = new Set<string>();
  const visit = (one: string): void => {
    for (const base of modes.get(one)?.extends ?? []) {
      if (visited.has(base) || !modes.has(base)) continue;
      visited.add(base);
      visit(base);
      bases.push(base);
    }
  };
  visit(name);
  return bases;
}
