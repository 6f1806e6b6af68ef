// Joins the topologies of several layers. Modes and transitions come from one layer; the others only add requirements to its
// transitions.

import type { Mode, Topology, Transition } from '../model/configuration.ts';
import type { FolderLayer } from '../platform/layer-folders.ts';

/** If several layers have modes.yaml, the first of these layers provides the modes and transitions. */
export function topologyOrder(trusted: boolean): readonly FolderLayer[] {
  return trusted ? ['managed', 'project', 'user'] : ['managed', 'user', 'project'];
}

/**
 * The chosen topology, with every requirement that another one has for the same transition, and with all protected branches. No
 * transition and no mode is added.
 */
export function joinTopologies(chosen: Topology, others: readonly Topology[]): Topology {
  const modes = new Map<string, Mode>();
  for (const [name, mode] of chosen.modes) {
    const transitions = others.reduce<Transition[]>(
      (current, other) => restrictTransitions(current, other.modes.get(name)?.transitions ?? []),
      mode.transitions,
    );
    modes.set(name, {
      ...mode,
      transitions: transitions.filter((transition) => transition.to === '*' || chosen.modes.has(transition.to)),
    });
  }
  const protectedBranches = [...new Set([chosen, ...others].flatMap((one) => one.protectedBranches))];
  return { ...chosen, modes, protectedBranches };
}

/**
 * The chosen topology with the stop phrases of all. It alone chooses the mode after a stop, since that mode is entered without
 * its gate.
 */
export function joinStops(chosen: Topology, others: readonly Topology[]): Topology {
  const stops = [chosen, ...others].flatMap(({ stop }) => stop ?? []);
  if (stops.length === 0) return chosen;
  return { ...chosen, stop: { phrases: [...new Set(stops.flatMap(({ phrases }) => phrases))], to: chosen.stop?.to ?? null } };
}

/**
 * Adds to every transition the requirements of the other's transition to the same mode. A `*` on either side matches named
 * transitions.
 */
function restrictTransitions(transitions: readonly Transition[], others: readonly Transition[]): Transition[] {
  const named = new Map(others.map((other) => [other.to, other]));
  const any = transitions.find((transition) => transition.to === '*');
  const taken = new Set(transitions.map((transition) => transition.to));
  const restricted = transitions.map((transition) => {
    const other = named.get(transition.to) ?? named.get('*');
    return other === undefined ? transition : restrictTransition(transition, other);
  });
  if (any === undefined) return restricted;
  // A requirement of the other for a single mode must not be lost because this topology has `*`.
  const split = others
    .filter((other) => !taken.has(other.to))
    .map((other) => restrictTransition({ ...any, to: other.to }, other));
  return [...restricted, ...split];
}

/** One transition with the requirements of both. */
function restrictTransition(transition: Transition, other: Transition): Transition {
  const constraints = [transition.constraint, other.constraint].filter((text) => text !== null);
  return {
    ...transition,
    constraint: constraints.length === 0 ? null : [...new Set(constraints)].join('\n'),
    approve: transition.approve ?? other.approve,
    require: [...transition.require, ...other.require],
  };
}

/** Permission modes that allow nothing without asking beyond the default mode of the client. */
const RESTRICTIVE_MODES: ReadonlySet<string> = new Set(['plan', 'dontAsk', 'default']);

/** Removes permission modes that allow more. An unapproved or stale configuration may not set one. */
export function withoutWideModes(topology: Topology): Topology {
  const modes = [...topology.modes].map(([name, mode]): [string, Mode] => {
    const isWide = mode.permissionMode !== null && !RESTRICTIVE_MODES.has(mode.permissionMode);
    return [name, isWide ? { ...mode, permissionMode: null } : mode];
  });
  return { ...topology, modes: new Map(modes) };
}
