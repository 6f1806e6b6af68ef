// The modes that can be entered from a mode.

import type { Mode, Topology, Transition } from '../model/configuration.ts';

/** A transition from a mode to one other mode. */
export type TransitionTarget = Omit<Transition, 'source'>;

/** The transitions of a mode, with `*` expanded. */
export function targets(mode: Mode, topology: Topology): TransitionTarget[] {
  const named = new Set(mode.transitions.map((one) => one.to));
  return mode.transitions.flatMap(({ source: _, ...transition }) => {
    if (transition.to !== '*') return [transition];
    return [...topology.modes.keys()]
      .filter((name) => name !== mode.name && !named.has(name))
      .map((name) => ({ ...transition, to: name }));
  });
}
