// The gates on the transitions out of the present mode: unmet requirements, by machine and by a person.

import type { TransitionTarget } from '../config/targets.ts';
import type { Place } from '../facts/paths/place.ts';
import { anyScope, contents, differences, hashFiles, type Tree, type TreeScope } from '../git/file-tree.ts';
import { type Ignoring, ignoringNow, unignored, unignoredSince } from '../git/ignored.ts';
import type { Topology } from '../model/configuration.ts';
import type { Requirement } from '../model/requirement.ts';
import { setNewest } from '../platform/bounded-map.ts';
import { engineOf, type GateHost, type Started, type TransitionRequest } from './engine.ts';
import { filesOfGate } from './gates/checks.ts';
import type { GateEngine } from './gates/engine.ts';
import { Gates, type GateVisit } from './gates/gates.ts';
import type { GateProof, RequirementResult } from './gates/proof.ts';
import { clientRules, findSandbox } from './gates/sandbox.ts';
import type { Unmet } from './gates/unmet.ts';
import { isEngineCommand } from './gates/uses.ts';
import type { ModeState } from './state.ts';
import { unmetApproval } from './transition.ts';

/** The position of a project: its mode, its scope and the journal entry that started the visit. */
export interface ModePosition extends GateVisit {
  /** Number of earlier changes of mode. */
  changes: number;
}

/** null if the mode is unknown. */
export function positionOf(state: ModeState, scope: string | null, root: string): ModePosition | null {
  if (state.mode === null || scope === null) return null;
  const last = state.entries.at(-1);
  const { entries, work } = state;
  return {
    ...{ mode: state.mode, scope, entry: last?.hash ?? '', since: last?.timestamp ?? null, uptime: last?.uptime ?? null },
    ...{ root, changes: entries.length, work },
  };
}

/** All machine-checked requirements of the transitions out of a mode. */
export function requirementsOf(mode: string, topology: Topology | null): Requirement[] {
  return topology?.modes.get(mode)?.transitions.flatMap((transition) => transition.require) ?? [];
}

/** Whether a person approves a transition out of the mode. */
export function isApprovedFrom(mode: string, topology: Topology | null): boolean {
  return topology?.modes.get(mode)?.transitions.some(({ approve }) => approve !== null) ?? false;
}

/**
 * What is observed in a mode: its own requirements, and the named tests of all modes, since a run in one mode shows which tests
 * there are at the entry into another.
 */
export function observedIn(mode: string, topology: Topology | null): Requirement[] {
  const others = [...(topology?.modes.keys() ?? [])].filter((name) => name !== mode);
  return [
    ...requirementsOf(mode, topology),
    ...others.flatMap((name) => requirementsOf(name, topology).filter(({ check }) => check === 'tests')),
  ];
}

/** The state that a person who is asked to approve sees. */
export interface ApprovalSnapshot {
  /** Hashes of every file that git tracks or does not ignore, and of the files that the mode's gates watch. */
  files: Tree;
  /** The files that the mode's gates watch, ignored by git or not. */
  gates: TreeScope;
  /** The ignore rules that selected the files. */
  ignoring: Ignoring;
  /** The position of the project: the mode, its visit and the open plans. */
  at: string;
}

/** A person's approval of one transition. */
interface GateApproval {
  snapshot: ApprovalSnapshot;
  /** The evidence that is stored in the journal. */
  proof: GateProof;
}

/** Limit on the pending approvals. Each one holds the names of all files. */
const maxApprovals = 4;

export class GatedTransitions {
  readonly gates: Gates;
  /** By transition and position of the project. */
  private readonly approvals = new Map<string, GateApproval>();
  private running = new AbortController();

  private readonly home: string;

  constructor(
    { root, home, dataFolder }: Place,
    private readonly started: Started,
  ) {
    this.home = home;
    this.gates = new Gates(root, home, dataFolder);
  }

  /** All requirements of the gate that are unmet now. `host`: the project, for this caller. */
  async unmet(
    transition: TransitionTarget,
    position: ModePosition,
    host: GateHost,
    request: Omit<TransitionRequest, 'mode' | 'to'>,
  ): Promise<Unmet[]> {
    return (await this.evaluate(transition, position, host, request)).unmet;
  }

  /** Like `unmet`, plus the evidence for the requirements that hold. */
  async evaluate(
    transition: TransitionTarget,
    position: ModePosition,
    host: GateHost,
    request: Omit<TransitionRequest, 'mode' | 'to'>,
  ): Promise<RequirementResult> {
    const approval = this.unmetApproval(transition, position);
    const engine = this.engine(transition, position, host, request);
    const byMachine = await this.gates.evaluate(transition.require, position, new Date(), engine, approval.length > 0);
    // A command of the gate may have changed the files that were approved.
    const again =
      approval.length === 0 && transition.require.some(isEngineCommand) ? this.unmetApproval(transition, position) : approval;
    const given = transition.approve === null ? undefined : this.approvals.get(keyOf(position, transition.to));
    return {
      unmet: [...host.verified.unmet(), ...again, ...byMachine.unmet],
      proofs: [...(given !== undefined && again.length === 0 ? [given.proof] : []), ...byMachine.proofs],
    };
  }

  /** Makes the tests known that the gates of the next mode compare with. Returns why the gate may not hold any more. */
  async prepare(
    transition: TransitionTarget,
    position: ModePosition,
    host: GateHost & { topology(): Topology | null },
    request: Omit<TransitionRequest, 'mode' | 'to'>,
  ): Promise<Unmet[]> {
    return this.gates.prepare(
      requirementsOf(transition.to, host.topology()),
      position,
      this.engine(transition, position, host, request),
    );
  }

  private engine(
    transition: TransitionTarget,
    position: ModePosition,
    host: GateHost,
    request: Omit<TransitionRequest, 'mode' | 'to'>,
  ): GateEngine {
    const running = request.running && { ...request.running, signal: anyOf(this.running.signal, request.running.signal) };
    return engineOf(host, this.started, { ...request, running, mode: position.mode, to: transition.to });
  }

  /** A Bash call starts. See `Gates.announced`. */
  beginRun(
    id: string,
    command: string,
    requirements: readonly Requirement[],
    position: ModePosition,
    { place, caller }: GateHost,
    answered: 'allow' | 'pass' | null,
  ): string | null {
    const around = { place, start: this.started.start };
    return this.gates.announced(id, command, requirements, position, {
      cwd: caller.cwd,
      sandbox: () => findSandbox(around),
      mayReplace() {
        if (answered === null) return false;
        const { allowsAll, restricts } = clientRules(around, command);
        return !restricts && (answered === 'allow' || allowsAll);
      },
    });
  }

  /** Ends every command that runs for a gate. */
  halt(): void {
    this.running.abort();
    this.running = new AbortController();
  }

  private unmetApproval(transition: TransitionTarget, position: ModePosition): Unmet[] {
    return transition.approve === null ? [] : unmetApproval(transition, this.approvalOf(position, transition.to));
  }

  /**
   * The present state of everything that an approval covers. Throws TreeError.
   * @param requirements those of all transitions out of the mode
   */
  observe(position: ModePosition, requirements: readonly Requirement[]): ApprovalSnapshot {
    const { root } = position;
    const gates = filesOfGate(requirements, this.home);
    const files = contents(hashFiles(root, anyScope(unignored(root), gates)));
    return { files, gates, ignoring: ignoringNow(root), at: standOf(position) };
  }

  /**
   * Records a person's approval. The next change along this transition consumes it. Any other change of the mode, of a plan or of
   * a file voids it.
   * @param snapshot the state that the person was asked about
   * @param session the session of that person
   * @returns false if the mode or a plan has changed since
   */
  approve(position: ModePosition, to: string, snapshot: ApprovalSnapshot, session: string | null): boolean {
    if (snapshot.at !== standOf(position)) return false;
    const proof = { check: 'approve: human', at: new Date().toISOString(), ...(session !== null && { session }) };
    setNewest(this.approvals, keyOf(position, to), { snapshot, proof }, maxApprovals);
    return true;
  }

  /** Ends the approval of a transition after it was used or revoked. False if there was no approval. */
  end(position: ModePosition, to: string): boolean {
    return this.approvals.delete(keyOf(position, to));
  }

  /** The approved ones of these targets. */
  approved(position: ModePosition, targets: readonly string[]): string[] {
    return targets.filter((to) => this.approvals.has(keyOf(position, to)));
  }

  /** Files that changed since the approval. Files that git ignores only since then count too. null: there is no approval. */
  private approvalOf(position: ModePosition, to: string): string[] | null {
    const approval = this.approvals.get(keyOf(position, to));
    if (approval === undefined) return null;
    const { files, gates, ignoring } = approval.snapshot;
    return differences(files, contents(hashFiles(position.root, anyScope(unignoredSince(position.root, ignoring), gates))));
  }
}

function anyOf(one: AbortSignal, other: AbortSignal | undefined): AbortSignal {
  return other === undefined ? one : AbortSignal.any([one, other]);
}

function keyOf(position: ModePosition, to: string): string {
  return JSON.stringify([standOf(position), to]);
}

function standOf({ scope, changes, mode, work }: ModePosition): string {
  return JSON.stringify([scope, changes, mode, work.plans.map(({ hash }) => hash)]);
}
