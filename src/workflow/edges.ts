// The gates on the ways out of the present mode: what of them does not hold, by machine and by a person.

import type { Place } from '../facts/paths/place.ts';
import { anyScope, contents, differences, hashFiles, type Scope, type Tree } from '../git/file-tree.ts';
import { type Ignoring, ignoringNow, unignored, unignoredSince } from '../git/ignored.ts';
import type { Topology } from '../model/configuration.ts';
import type { Requirement } from '../model/requirement.ts';
import type { Way } from './context/render.ts';
import { type Asking, engineOf, type Hall, type Started } from './engine.ts';
import { filesOfGate } from './gates/checks.ts';
import { type Entered, Gates } from './gates/gates.ts';
import type { Judged, Proof } from './gates/proof.ts';
import { isOwnRun } from './gates/uses.ts';
import type { Unmet } from './gates/words.ts';
import type { State } from './state.ts';
import { unmetApproval } from './transition.ts';

/** Where a project stands: the mode, whose it is, and the entry of the journal that began it. */
export interface Position extends Entered {
  /** How many changes were before. */
  changes: number;
}

/** null where the mode is not known. */
export function positionOf(state: State, scope: string | null, root: string): Position | null {
  if (state.mode === null || scope === null) return null;
  const last = state.entries.at(-1);
  const { entries, work } = state;
  return {
    ...{ mode: state.mode, scope, entry: last?.hash ?? '', since: last?.timestamp ?? null, uptime: last?.uptime ?? null },
    ...{ root, changes: entries.length, work },
  };
}

/** What every way out of a mode requires of a machine. */
export function requirementsOf(mode: string, topology: Topology | null): Requirement[] {
  return topology?.modes.get(mode)?.transitions.flatMap((transition) => transition.require) ?? [];
}

/** What a person who is asked to approve sees. */
export interface Sight {
  /** By content: every file that git tracks or does not ignore, and those that the gates of the mode look at. */
  files: Tree;
  /** What the gates of the mode look at, ignored by git or not. */
  gates: Scope;
  /** What decided which files those are. */
  ignoring: Ignoring;
  /** Where the project stood: the mode, since when, and the open plans. */
  at: string;
}

/** A person's yes to one edge. */
interface Approval {
  sight: Sight;
  /** What is kept of it. */
  proof: Proof;
}

/** Approvals that wait; each holds the names of all files. */
const maxApprovals = 4;

export class Edges {
  readonly gates: Gates;
  /** By edge and where the project stood. */
  private readonly approvals = new Map<string, Approval>();
  private running = new AbortController();

  private readonly home: string;

  constructor(
    { root, home, dataFolder }: Place,
    private readonly started: Started,
  ) {
    this.home = home;
    this.gates = new Gates(root, home, dataFolder);
  }

  /** Everything of the gate that does not hold now. `hall`: the project, for whoever asks. */
  async unmet(way: Way, position: Position, hall: Hall, asking: Omit<Asking, 'mode' | 'to'>): Promise<Unmet[]> {
    return (await this.judge(way, position, hall, asking)).unmet;
  }

  /** The same, with what everything else holds by. */
  async judge(way: Way, position: Position, hall: Hall, asking: Omit<Asking, 'mode' | 'to'>): Promise<Judged> {
    const approval = this.unmetApproval(way, position);
    const running = asking.running && { ...asking.running, signal: anyOf(this.running.signal, asking.running.signal) };
    const engine = engineOf(hall, this.started, { ...asking, running, mode: position.mode, to: way.to });
    const byMachine = await this.gates.judge(way.require, position, new Date(), engine, approval.length > 0);
    // A command of the gate may have changed what was approved.
    const again = approval.length === 0 && way.require.some(isOwnRun) ? this.unmetApproval(way, position) : approval;
    const given = way.approve === null ? undefined : this.approvals.get(keyOf(position, way.to));
    return {
      unmet: [...again, ...byMachine.unmet],
      proofs: [...(given !== undefined && again.length === 0 ? [given.proof] : []), ...byMachine.proofs],
    };
  }

  /** Ends every command that runs for a gate. */
  halt(): void {
    this.running.abort();
    this.running = new AbortController();
  }

  private unmetApproval(way: Way, position: Position): Unmet[] {
    return way.approve === null ? [] : unmetApproval(way, this.approvalOf(position, way.to));
  }

  /**
   * What an approval binds, as it is now. Throws TreeError.
   * @param requirements those of every way out of the mode
   */
  see(position: Position, requirements: readonly Requirement[]): Sight {
    const { root } = position;
    const gates = filesOfGate(requirements, this.home);
    const files = contents(hashFiles(root, anyScope(unignored(root), gates)));
    return { files, gates, ignoring: ignoringNow(root), at: standOf(position) };
  }

  /**
   * A person's yes, taken by the next transition along this edge; any other change of mode or plan, and of a file, makes it void.
   * @param sight what the person was asked about
   * @param session whose person it was
   * @returns false where the mode or a plan is another than that
   */
  approve(position: Position, to: string, sight: Sight, session: string | null): boolean {
    if (sight.at !== standOf(position)) return false;
    const proof = { check: 'approve: human', at: new Date().toISOString(), ...(session !== null && { session }) };
    this.approvals.set(keyOf(position, to), { sight, proof });
    if (this.approvals.size > maxApprovals) this.approvals.delete(this.approvals.keys().next().value as string);
    return true;
  }

  /** Ends the approval of an edge: it was taken, or given back. False: there was none. */
  end(position: Position, to: string): boolean {
    return this.approvals.delete(keyOf(position, to));
  }

  /** Which of these targets are approved. */
  approved(position: Position, targets: readonly string[]): string[] {
    return targets.filter((to) => this.approvals.has(keyOf(position, to)));
  }

  /** Files that changed since the approval, and those that git would not have ignored then; null: there is none. */
  private approvalOf(position: Position, to: string): string[] | null {
    const approval = this.approvals.get(keyOf(position, to));
    if (approval === undefined) return null;
    const { files, gates, ignoring } = approval.sight;
    return differences(files, contents(hashFiles(position.root, anyScope(unignoredSince(position.root, ignoring), gates))));
  }
}

function anyOf(one: AbortSignal, other: AbortSignal | undefined): AbortSignal {
  return other === undefined ? one : AbortSignal.any([one, other]);
}

function keyOf(position: Position, to: string): string {
  return JSON.stringify([standOf(position), to]);
}

function standOf({ scope, changes, mode, work }: Position): string {
  return JSON.stringify([scope, changes, mode, work.plans.map(({ hash }) => hash)]);
}
