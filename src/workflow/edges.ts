// The gates on the ways out of the present mode: what of them does not hold, by machine and by a person.
import type { Requirement } from '../config/requirements.ts';
import type { Topology } from '../config/types.ts';
import type { Way } from '../context/render.ts';
import { type Entered, Gates } from './gates/gates.ts';
import type { State } from './state.ts';
import { type Unmet, unmetApproval } from './transition.ts';

/** Where a project stands: the mode, whose it is, and the entry of the journal that began it. */
export interface Position extends Entered {
  /** How many changes were before. */
  changes: number;
}

/** null where the mode is not known. */
export function positionOf(state: State, scope: string | null): Position | null {
  if (state.mode === null || scope === null) return null;
  const last = state.entries.at(-1);
  return { mode: state.mode, scope, entry: last?.hash ?? '', since: last?.timestamp ?? null, changes: state.entries.length };
}

/** What every way out of a mode requires of a machine. */
export function requirementsOf(mode: string, topology: Topology | null): Requirement[] {
  return topology?.modes.get(mode)?.transitions.flatMap((transition) => transition.require) ?? [];
}

export class Edges {
  readonly gates: Gates;
  /** Edges that a person approved, with where the project stood. */
  private readonly approvals = new Set<string>();

  constructor(root: string, home: string, dataFolder: string) {
    this.gates = new Gates(root, home, dataFolder);
  }

  /** Everything of the gate that does not hold now. */
  async unmet(way: Way, position: Position): Promise<Unmet[]> {
    const byMachine = await this.gates.unmet(way.require, position, new Date());
    return [...unmetApproval(way, this.approvals.has(keyOf(position, way.to))), ...byMachine];
  }

  /** A person's yes, taken by the next transition along this edge; any other change of mode makes it void. */
  approve(position: Position, to: string): void {
    this.approvals.add(keyOf(position, to));
  }

  taken(position: Position, to: string): void {
    this.approvals.delete(keyOf(position, to));
  }
}

function keyOf({ scope, changes, mode }: Position, to: string): string {
  return JSON.stringify([scope, changes, mode, to]);
}
