// Changes of mode: by a transition with a satisfied gate, by a person, or by the emergency stop.

import { targets } from '../config/targets.ts';
import type { Topology } from '../model/configuration.ts';
import type { GateHost, Running } from './engine.ts';
import {
  type ApprovalSnapshot,
  type GatedTransitions,
  isApprovedFrom,
  type ModePosition,
  observedIn,
  positionOf,
  requirementsOf,
} from './gated-transitions.ts';
import type { ModeVisit, RunLedger } from './gates/runs.ts';
import type { Unmet } from './gates/unmet.ts';
import type { Actor, Confirmed, JournalChange, JournalEntry } from './journal.ts';
import type { WorkEvent } from './plan/events.ts';
import type { Refusals } from './refusals.ts';
import type { ModeState, StateStore } from './state.ts';
import { findTransition, maxExplanation, type Refusal, refuseForce, refuseUnmet } from './transition.ts';

export interface Asker {
  session: string | null;
  permissionMode: string | null;
}

/** The author of a change of mode, and the change of the plan that is recorded in the same entry. */
export interface TransitionActor extends Pick<JournalChange, 'actor' | 'work'> {
  /** Final precondition, checked just before the change. False if the basis of the change is gone. */
  holds?(): boolean;
}

/** The state of a project for one caller. Each method returns the present value. */
export interface TransitionHost extends GateHost {
  store(): StateStore | null;
  /** The modes and transitions that apply; null if they are unusable. */
  topology(): Topology | null;
  scopeKey(): string | null;
  /** Why the mode is frozen; null if it is not. */
  broken(): string | null;
  /** Records that the calling session made the change itself, so that it gets no notification. */
  acknowledgeMode(): void;
}

export class ModeTransitions {
  constructor(
    private readonly host: TransitionHost,
    private readonly gated: GatedTransitions,
    private readonly refusals: Refusals,
  ) {}

  /** The source document's `transition`: follows a transition if its gate is satisfied. */
  async transition(
    target: unknown,
    explanation: unknown,
    asker: Asker,
    actor: TransitionActor = { actor: 'model' },
    running: Running = {},
  ): Promise<{ success: true; new_state: string; advice?: string } | Refusal> {
    const state = this.host.state();
    const broken = this.host.broken();
    if (broken !== null) return { success: false, reason: `The mode is frozen: ${broken}` };
    const result = findTransition(target, explanation, state, this.host.topology());
    if (!result.success) return result;
    const position = this.position(state) as ModePosition;
    const { permissionMode } = asker;
    const request = { explanation: explanation as string, permissionMode, running };
    const { unmet, proofs } = await this.gated.evaluate(result.transition, position, this.host, request);
    const refused = refuseUnmet(state.mode, result.transition, unmet);
    if (refused !== null) {
      this.refusals.note({ from: position.mode, to: result.transition.to, session: asker.session, unmet });
      return refused;
    }
    const prepared = await this.gated.prepare(result.transition, position, this.host, request);
    // A run in the background may have changed a file in the meantime.
    const disturbed = refuseUnmet(state.mode, result.transition, [...prepared, ...this.host.verified.unmet()]);
    if (disturbed !== null) return disturbed;
    const carryRuns = this.host.verified.leave();
    const isSame = this.position(this.host.state())?.entry === position.entry && (actor.holds?.() ?? true);
    const proven = { ...actor, ...(proofs.length > 0 && { evidence: proofs }) };
    const entry = isSame ? this.change('transition', state, result.transition.to, proven, explanation as string, asker) : null;
    if (entry === null)
      return { success: false, reason: 'Another session changed the mode at the same moment; call status and try again.' };
    carryRuns();
    this.gated.end(position, entry.to);
    const entered = { scope: position.scope, entry: entry.hash, root: position.root };
    const advice = this.gated.gates.adviceAtEntry(requirementsOf(entry.to, this.host.topology()), entered);
    return { success: true, new_state: entry.to, ...(advice !== null && { advice }) };
  }

  /** The snapshot for an approval dialog; null if the mode is unknown. Throws TreeError. */
  takeApprovalSnapshot(): ApprovalSnapshot | null {
    const position = this.position(this.host.state());
    return position && this.gated.observe(position, requirementsOf(position.mode, this.host.topology()));
  }

  /** Files that have changed since the present mode was entered; null: they were not recorded then. Throws TreeError. */
  changedFiles(): string[] | null {
    const position = this.position(this.host.state());
    return position && this.gated.gates.changedSince(position);
  }

  /**
   * Records a person's approval of one transition. The next change along that transition consumes it. Any other change of mode
   * voids it.
   */
  approve(target: string, snapshot: ApprovalSnapshot | null = this.takeApprovalSnapshot()): Refusal | null {
    const state = this.host.state();
    const result = findTransition(target, 'asked by a person', state, this.host.topology());
    if (!result.success) return result;
    const isApproved =
      snapshot !== null && this.gated.approve(this.position(state) as ModePosition, target, snapshot, this.host.caller.session);
    return isApproved
      ? null
      : { success: false, reason: 'Nothing was approved: the mode or the plan changed during the dialog.' };
  }

  /** Targets of approved transitions that were not made yet. */
  approved(): string[] {
    const position = this.position(this.host.state());
    return position === null ? [] : this.gated.approved(position, [...(this.host.topology()?.modes.keys() ?? [])]);
  }

  /** Revokes the approval of a transition. False if there was no approval. */
  disapprove(target: string): boolean {
    const position = this.position(this.host.state());
    return position !== null && this.gated.end(position, target);
  }

  /** The unmet requirements of the gate to this mode; null if no transition leads there. */
  async unmetTo(target: string): Promise<Unmet[] | null> {
    const state = this.host.state();
    const result = findTransition(target, 'asked', state, this.host.topology());
    if (!result.success || this.host.broken() !== null) return null;
    const request = { explanation: '', permissionMode: null, running: null };
    return this.gated.unmet(result.transition, this.position(state) as ModePosition, this.host, request);
  }

  /**
   * The unmet `policy:` and `review:` requirements for a plan of the client's plan mode. Checks each transition that requires an
   * approved plan, and returns the shortest list.
   */
  async unmetByPlan(plan: string, { permissionMode }: Asker, running: Running): Promise<Unmet[]> {
    const state = this.host.state();
    const topology = this.host.topology();
    const mode = state.mode === null ? undefined : topology?.modes.get(state.mode);
    if (mode === undefined || topology === null || this.host.broken() !== null) return [];
    const position = this.position(state) as ModePosition;
    const transitions = targets(mode, topology).filter(({ require }) =>
      require.some((one) => one.check === 'plan' && one.state === 'approved'),
    );
    let least: Unmet[] | null = null;
    for (const transition of transitions) {
      const require = transition.require.filter(({ check }) => check === 'policy' || check === 'review');
      const request = { explanation: '', permissionMode, plan, running };
      const unmet = await this.gated.unmet({ ...transition, require, approve: null }, position, this.host, request);
      if (least === null || unmet.length < least.length) least = unmet;
    }
    return least ?? [];
  }

  /**
   * A Bash call starts. Records the state of a gate's files if a gate requires this command. Returns the call that has to run in its
   * place, so that its test runner writes a report; null: none.
   * @param answered nobody is asked about the call, or the client's rules decide; null: it must run as it is
   */
  beginRun(id: string, command: string, answered: 'allow' | 'pass' | null): string | null {
    const position = this.position(this.host.state());
    if (position === null) return null;
    return this.gated.beginRun(id, command, observedIn(position.mode, this.host.topology()), position, this.host, answered);
  }

  /** @param ran the call that ran; null: it still runs */
  endRun(id: string, ran: string | null): void {
    this.gated.gates.ended(id, ran);
  }

  /** A subagent ended. Records the state of the files if a gate requires a subagent of its type. */
  noteAgent(id: string, type: string): void {
    const position = this.position(this.host.state());
    if (position !== null) this.gated.gates.agentEnded(id, type, requirementsOf(position.mode, this.host.topology()), position);
  }

  /** Records the baseline of the files that the first mode's gates watch. Only the server calls this. */
  beginGates(runs: RunLedger): void {
    this.gated.gates.ledger = runs;
    const position = this.position(this.host.state());
    const topology = this.host.topology();
    if (position === null) return;
    this.gated.gates.begin(position, observedIn(position.mode, topology), isApprovedFrom(position.mode, topology));
  }

  /** The present visit to a mode; null if the mode is unknown. */
  visit(): ModeVisit | null {
    const position = this.position(this.host.state());
    return position && { mode: position.mode, scope: position.scope, entry: position.entry };
  }

  private position(state: ModeState): ModePosition | null {
    return positionOf(state, this.host.scopeKey(), this.host.scopeRoot());
  }

  /**
   * Changes the mode without its gate. The caller must have checked that a person wants it. `confirmed`: where that person
   * confirmed it.
   */
  force(
    target: unknown,
    explanation: string,
    asker: Asker,
    confirmed?: Confirmed,
  ): { success: true; new_mode: string } | Refusal {
    const state = this.host.state();
    const refused = refuseForce(target, state, this.host.topology());
    if (refused !== null) return refused;
    const entry = this.change(
      'force',
      state,
      target as string,
      { actor: 'person', ...(confirmed && { confirmed }) },
      explanation,
      asker,
    );
    if (entry === null) return { success: false, reason: 'Another session changed the mode at the same moment; try again.' };
    return { success: true, new_mode: entry.to };
  }

  /**
   * The emergency stop: only reading is permitted until a person names a mode. Anyone may call it. False if the project is
   * already stopped, or cannot be.
   */
  stop(why: string, asker: Asker): boolean {
    const state = this.host.state();
    const topology = this.host.topology();
    if (topology === null || state.degraded?.code === 'E_STOPPED') return false;
    const to = topology.stop?.to ?? state.mode ?? topology.default;
    this.gated.halt();
    if (this.change('stop', state, to, { actor: 'person' }, why, asker) !== null) return true;
    // Another session was first, or the journal turned out to be damaged. A stop applies in any mode, so try again.
    return this.host.state().mode !== state.mode && this.stop(why, asker);
  }

  /** Records a change of a plan or of the task. The mode stays the same. */
  record(work: WorkEvent, actor: Actor, explanation: string, asker: Asker): JournalEntry | null {
    const state = this.host.state();
    return state.mode === null ? null : this.change('plan', state, state.mode, { actor, work }, explanation, asker);
  }

  private change(
    kind: JournalEntry['kind'],
    state: ModeState,
    to: string,
    { actor, work, evidence, confirmed }: Pick<JournalChange, 'actor' | 'work' | 'evidence' | 'confirmed'>,
    explanation: string,
    { session, permissionMode }: Asker,
  ): JournalEntry | null {
    const topology = this.host.topology();
    if (topology === null) return null;
    const text = explanation.length > maxExplanation ? `${explanation.slice(0, maxExplanation)}…` : explanation;
    const more = { ...(work && { work }), ...(evidence && { evidence }), ...(confirmed && { confirmed }) };
    const change = { kind, from: state.mode, to, actor, session, permissionMode, explanation: text, ...more };
    const scope = this.host.scopeKey() ?? '';
    const files =
      kind === 'plan'
        ? null
        : this.gated.gates.observe(
            { scope, root: this.host.scopeRoot() },
            observedIn(to, topology),
            this.position(state),
            isApprovedFrom(to, topology),
          );
    const entry = this.host.store()?.change(change, topology, new Date()) ?? null;
    if (entry === null || kind === 'plan') return entry;
    this.host.acknowledgeMode();
    this.gated.gates.entered({ scope, entry: entry.hash }, files);
    return entry;
  }
}
