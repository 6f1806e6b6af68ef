// Several layers' topologies → the one that holds: whole from one layer, with requirements of the others added to its edges.

import type { Mode, Topology, Transition } from '../model/configuration.ts';
import type { FolderLayer } from '../platform/layer-folders.ts';

/** Whose modes and edges hold where several layers have modes.yaml: what stands first. */
export function topologyOrder(trusted: boolean): readonly FolderLayer[] {
  return trusted ? ['managed', 'project', 'user'] : ['managed', 'user', 'project'];
}

/**
 * The chosen topology with every requirement that another one has for the same edge, and with the branches that any of them protects.
 * No edge and no mode is added.
 */
export function joinTopologies(chosen: Topology, others: readonly Topology[]): Topology {
  const modes = new Map<string, Mode>();
  for (const [name, mode] of chosen.modes) {
    const transitions = others.reduce<Transition[]>(
      (edges, other) => narrowEdges(edges, other.modes.get(name)?.transitions ?? []),
      mode.transitions,
    );
    modes.set(name, { ...mode, transitions: transitions.filter((edge) => edge.to === '*' || chosen.modes.has(edge.to)) });
  }
  const protectedBranches = [...new Set([chosen, ...others].flatMap((one) => one.protectedBranches))];
  return { ...chosen, modes, protectedBranches };
}

/** The chosen topology, stopped by the phrases of others as well. Where a stop leads is its own affair: a mode is named there without its gate. */
export function joinStops(chosen: Topology, others: readonly Topology[]): Topology {
  const stops = [chosen, ...others].flatMap(({ stop }) => stop ?? []);
  if (stops.length === 0) return chosen;
  return { ...chosen, stop: { phrases: [...new Set(stops.flatMap(({ phrases }) => phrases))], to: chosen.stop?.to ?? null } };
}

/** Every edge is narrowed by the other's edge to the same mode; a `*` meets named edges on either side. */
function narrowEdges(edges: readonly Transition[], others: readonly Transition[]): Transition[] {
  const named = new Map(others.map((other) => [other.to, other]));
  const any = edges.find((edge) => edge.to === '*');
  const taken = new Set(edges.map((edge) => edge.to));
  const narrowed = edges.map((edge) => {
    const other = named.get(edge.to) ?? named.get('*');
    return other === undefined ? edge : narrowEdge(edge, other);
  });
  if (any === undefined) return narrowed;
  // What the other says of one mode must not be lost behind this one's `*`.
  const split = others.filter((other) => !taken.has(other.to)).map((other) => narrowEdge({ ...any, to: other.to }, other));
  return [...narrowed, ...split];
}

/** One edge with what both require. */
function narrowEdge(edge: Transition, other: Transition): Transition {
  const constraints = [edge.constraint, other.constraint].filter((text) => text !== null);
  return {
    ...edge,
    constraint: constraints.length === 0 ? null : [...new Set(constraints)].join('\n'),
    approve: edge.approve ?? other.approve,
    require: [...edge.require, ...other.require],
  };
}

/** Permission modes in which the client lets no more happen unasked than in its usual one. */
const NARROW: ReadonlySet<string> = new Set(['plan', 'dontAsk', 'default']);

/** Without permission modes that widen: what nobody approved, or what is out of date, names none to a host. */
export function withoutWideModes(topology: Topology): Topology {
  const modes = [...topology.modes].map(([name, mode]): [string, Mode] => {
    const isWide = mode.permissionMode !== null && !NARROW.has(mode.permissionMode);
    return [name, isWide ? { ...mode, permissionMode: null } : mode];
  });
  return { ...topology, modes: new Map(modes) };
}
