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
      (edges, other) => restrictTransitions(edges, other.modes.get(name)?.transitions ?? []),
      mode.transitions,
    );
    modes.set(name, { ...mode, transitions: transitions.filter((edge) => edge.to === '*' || chosen.modes.has(edge.to)) });
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
function restrictTransitions(edges: readonly Transition[], others: readonly Transition[]): Transition[] {
  const named = new Map(others.map((other) => [other.to, other]));
  const any = edges.find((edge) => edge.to === '*');
  const taken = new Set(edges.map((edge) => edge.to));
  const narrowed = edges.map((edge) => {
    const other = named.get(edge.to) ?? named.get('*');
    return other === undefined ? edge : restrictTransition(edge, other);
  });
  if (any === undefined) return narrowed;
  // A requirement of the other for a single mode must not be lost because this topology has `*`.
  const split = others
    .filter((other) => !taken.has(other.to))
    .map((other) => restrictTransition({ ...any, to: other.to }, other));
  return [...narrowed, ...split];
}

/** One transition with the requirements of both. */
function restrictTransition(edge: Transition, other: Transition): Transition {
  const constraints = [edge.constraint, other.constraint].filter((text) => text !== null);
  return {
    ...edge,
    constraint: constraints.length === 0 ? null : [...new Set(constraints)].join('\n'),
    approve: edge.approve ?? other.approve,
    require: [...edge.require, ...other.require],
  };
}

/** Permission modes that allow nothing without asking beyond the default mode of the client. */
const NARROW: ReadonlySet<string> = new Set(['plan', 'dontAsk', 'default']);

/** Removes permission modes that allow more. An unapproved or stale configuration may not set one. */
export function withoutWideModes(topology: Topology): Topology {
  const modes = [...topology.modes].map(([name, mode]): [string, Mode] => {
    const isWide = mode.permissionMode !== null && !NARROW.has(mode.permissionMode);
    return [name, isWide ? { ...mode, permissionMode: null } : mode];
  });
  return { ...topology, modes: new Map(modes) };
}
