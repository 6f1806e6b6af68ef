// The length of a mode's context, for the people who write it.

import type { LoadedConfig } from '../engine/loaded-config.ts';
import { layOut, maxContext } from './context/render.ts';

export interface ContextSize {
  characters: number;
  limit: number;
  /** Characters of the instructions that do not fit. */
  left: number;
}

/** The size of a mode's context without any notice or plan; null if the mode cannot be used. */
export function contextSize({ known: rules, trusted }: LoadedConfig, name: string): ContextSize | null {
  const { topology, settings, instructions } = rules;
  const mode = topology?.modes.get(name);
  if (!topology || mode === undefined) return null;
  const { text, left } = layOut({
    topology,
    mode,
    settings: settings.get(name) ?? null,
    instructions: instructions.get(name) ?? [],
    trusted,
    notices: [],
    subagent: false,
    plan: null,
  });
  return { characters: text.length, limit: maxContext, left };
}

/** By mode. */
export function contextSizes(config: LoadedConfig): Record<string, ContextSize> {
  const sizes = [...(config.known.topology?.modes.keys() ?? [])].flatMap((name) => {
    const size = contextSize(config, name);
    return size === null ? [] : [[name, size] as const];
  });
  return Object.fromEntries(sizes);
}

/** One line for each mode, or only for modes whose instructions do not fit. */
export function sizeLines(config: LoadedConfig, all = true): string[] {
  const sizes = Object.entries(contextSizes(config)).filter(([, { left }]) => all || left > 0);
  return sizes.map(([name, { characters, limit, left }]) => {
    const rest = left === 0 ? '' : `; ${left} characters of its instructions do not fit; the agent reads them from the file`;
    return `context of ${name}: ${characters} of ${limit} characters${rest}`;
  });
}
