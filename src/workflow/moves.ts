// Changes of mode: by a transition with a satisfied gate, by a person, or by the emergency stop.
import type { Topology } from '../model/configuration.ts';
import { targets } from './context/render.ts';
import { type Edges, type Position, positionOf, requirementsOf, type Sight } from './edges.ts';
import type { Hall, Running } from './engine.ts';
import type { Unmet } from './gates/words.ts';
import type { Actor, Change, Entry } from './journal.ts';
import type { WorkEvent } from './plan/events.ts';
import { Refusals } from './refusals.ts';
import type { RunLedger, Stay } from './runs.ts';
import type { State, StateStore } from './state.ts';
import { findWay, maxExplanation, type Refusal, refuseForce, refuseUnmet } from './transition.ts';

export interface Asker {
  session: string | null;
  permissionMode: string | null;
}

/** Who changes the mode, and which change of the plan is recorded in the same entry. */
export interface Deed extends Pick<Change, 'actor' | 'work'> {
  /** Final precondition, checked just before the change. False if the basis of the change is gone. */
  holds?(): boolean;
}

/** What a project knows about the caller. Each method returns the present value. */
export interface Seat extends Hall {
  store(): StateStore | null;
  /** The modes and transitions that apply; null if they are unusable. */
  topology(): Topology | null;
  scopeKey(): string | null;
  /** Why the mode is frozen; null if it is not. */
  broken(): string | null;
  /** Records that the calling session made the change itself, so that it gets no notification. */
  heard(): void;
}

export class Moves {
  private readonly refusals: Refusals;

  constructor(
    private readonly seat: Seat,
    private readonly edges: Edges,
  ) {
    this.refusals = new Refusals(seat.place.dataFolder, seat.root);
  }

  /** The source document's `transition`: follows a transition if its gate is satisfied. */
  async transition(
    target: unknown,
    explanation: unknown,
    asker: Asker,
    deed: Deed = { actor: 'model' },
    running: Running = {},
  ): Promise<{ success: true; new_state: string } | Refusal> {
    const state = this.seat.state();
    const broken = this.seat.broken();
    if (broken !== null) return { success: false, reason: `The mode is frozen: ${broken}` };
    const found = findWay(target, explanation, state, this.seat.topology());
    if (!found.success) return found;
    const position = this.position(state) as Position;
    const { permissionMode } = asker;
    const asking = { explanation: explanation as string, permissionMode, running };
    const { unmet, proofs } = await this.edges.judge(found.way, position, this.seat, asking);
    const refused = refuseUnmet(state.mode, found.way, unmet);
    if (refused !== null) {
      this.refusals.note({ from: position.mode, to: found.way.to, session: asker.session, unmet });
      return refused;
    }
    const isSame = this.position(this.seat.state())?.entry === position.entry && (deed.holds?.() ?? true);
    const proven = { ...deed, ...(proofs.length > 0 && { evidence: proofs }) };
    const entry = isSame ? this.change('transition', state, found.way.to, proven, explanation as string, asker) : null;
    if (entry === null)
      return { success: false, reason: 'Another session changed the mode at the same moment; ask for status and try again.' };
    this.edges.end(position, entry.to);
    return { success: true, new_state: entry.to };
  }

  /** What a person who is asked to approve sees; null if the mode is unknown. Throws TreeError. */
  seen(): Sight | null {
    const position = this.position(this.seat.state());
    return position && this.edges.see(position, requirementsOf(position.mode, this.seat.topology()));
  }

  /**
   * Records a person's approval of one transition. The next change along that transition consumes it. Any other change of mode
   * voids it.
   */
  approve(target: string, sight: Sight | null = this.seen()): Refusal | null {
    const state = this.seat.state();
    const found = findWay(target, 'asked by a person', state, this.seat.topology());
    if (!found.success) return found;
    const isApproved =
      sight !== null && this.edges.approve(this.position(state) as Position, target, sight, this.seat.caller.session);
    return isApproved
      ? null
      : { success: false, reason: 'Nothing is approved: the mode or the plan changed while you were asked.' };
  }

  /** Targets of approved transitions that were not made yet. */
  approved(): string[] {
    const position = this.position(this.seat.state());
    return position === null ? [] : this.edges.approved(position, [...(this.seat.topology()?.modes.keys() ?? [])]);
  }

  /** Revokes the approval of a transition. False if there was no approval. */
  disapprove(target: string): boolean {
    const position = this.position(this.seat.state());
    return position !== null && this.edges.end(position, target);
  }

  /** The unmet requirements of the gate to this mode; null if no transition leads there. */
  async unmetTo(target: string): Promise<Unmet[] | null> {
    const state = this.seat.state();
    const found = findWay(target, 'asked', state, this.seat.topology());
    if (!found.success || this.seat.broken() !== null) return null;
    const asking = { explanation: '', permissionMode: null, running: null };
    return this.edges.unmet(found.way, this.position(state) as Position, this.seat, asking);
  }

  /**
   * The unmet `policy:` and `review:` requirements for a plan of the client's plan mode. Checks each transition that requires an
   * approved plan, and returns the shortest list.
   */
  async unmetByPlan(plan: string, { permissionMode }: Asker, running: Running): Promise<Unmet[]> {
    const state = this.seat.state();
    const topology = this.seat.topology();
    const mode = state.mode === null ? undefined : topology?.modes.get(state.mode);
    if (mode === undefined || topology === null || this.seat.broken() !== null) return [];
    const position = this.position(state) as Position;
    const ways = targets(mode, topology).filter(({ require }) =>
      require.some((one) => one.check === 'plan' && one.state === 'approved'),
    );
    let least: Unmet[] | null = null;
    for (const way of ways) {
      const require = way.require.filter(({ check }) => check === 'policy' || check === 'review');
      const asking = { explanation: '', permissionMode, plan, running };
      const unmet = await this.edges.unmet({ ...way, require, approve: null }, position, this.seat, asking);
      if (least === null || unmet.length < least.length) least = unmet;
    }
    return least ?? [];
  }

  /**
   * A Bash call starts, or has ended (`command` is null). Records the state of a gate's files if a gate requires this command.
   */
  noteRun(id: string, command: string | null): void {
    const position = this.position(this.seat.state());
    if (command === null) this.edges.gates.ended(id);
    else if (position !== null)
      this.edges.gates.announced(id, command, requirementsOf(position.mode, this.seat.topology()), position);
  }

  /** A subagent ended. Records the state of the files if a gate requires a subagent of its type. */
  noteAgent(id: string, type: string): void {
    const position = this.position(this.seat.state());
    if (position !== null) this.edges.gates.agentEnded(id, type, requirementsOf(position.mode, this.seat.topology()), position);
  }

  /** Records the baseline of the files that the first mode's gates watch. Only the server calls this. */
  beginGates(runs: RunLedger): void {
    this.edges.gates.ledger = runs;
    const position = this.position(this.seat.state());
    if (position !== null) this.edges.gates.begin(position, requirementsOf(position.mode, this.seat.topology()));
  }

  /** The present visit to a mode; null if the mode is unknown. */
  stay(): Stay | null {
    const position = this.position(this.seat.state());
    return position && { mode: position.mode, scope: position.scope, entry: position.entry };
  }

  private position(state: State): Position | null {
    return positionOf(state, this.seat.scopeKey(), this.seat.ground());
  }

  /** Changes the mode without its gate. The caller must have checked that a person wants it. */
  force(target: unknown, explanation: string, asker: Asker): { success: true; new_mode: string } | Refusal {
    const state = this.seat.state();
    const refused = refuseForce(target, state, this.seat.topology());
    if (refused !== null) return refused;
    const entry = this.change('force', state, target as string, { actor: 'person' }, explanation, asker);
    if (entry === null) return { success: false, reason: 'Another session changed the mode at the same moment; try again.' };
    return { success: true, new_mode: entry.to };
  }

  /**
   * The emergency stop: only reading is permitted until a person names a mode. Anyone may call it. False if the project is
   * already stopped, or cannot be.
   */
  stop(why: string, asker: Asker): boolean {
    const state = this.seat.state();
    const topology = this.seat.topology();
    if (topology === null || state.trouble?.code === 'E_STOPPED') return false;
    const to = topology.stop?.to ?? state.mode ?? topology.default;
    this.edges.halt();
    if (this.change('stop', state, to, { actor: 'person' }, why, asker) !== null) return true;
    // Another session was first, or the journal turned out to be damaged. A stop applies in any mode, so try again.
    return this.seat.state().mode !== state.mode && this.stop(why, asker);
  }

  /** Records a change of a plan or of the task. The mode stays the same. */
  record(work: WorkEvent, actor: Actor, explanation: string, asker: Asker): Entry | null {
    const state = this.seat.state();
    return state.mode === null ? null : this.change('plan', state, state.mode, { actor, work }, explanation, asker);
  }

  private change(
    kind: Entry['kind'],
    state: State,
    to: string,
    { actor, work, evidence }: Pick<Change, 'actor' | 'work' | 'evidence'>,
    explanation: string,
    { session, permissionMode }: Asker,
  ): Entry | null {
    const topology = this.seat.topology();
    if (topology === null) return null;
    const text = explanation.length > maxExplanation ? `${explanation.slice(0, maxExplanation)}…` : explanation;
    const more = { ...(work && { work }), ...(evidence && { evidence }) };
    const change = { kind, from: state.mode, to, actor, session, permissionMode, explanation: text, ...more };
    const scope = this.seat.scopeKey() ?? '';
    const files =
      kind === 'plan' ? null : this.edges.gates.look({ scope, root: this.seat.ground() }, requirementsOf(to, topology));
    const entry = this.seat.store()?.change(change, topology, new Date()) ?? null;
    if (entry === null || kind === 'plan') return entry;
    this.seat.heard();
    this.edges.gates.entered({ scope, entry: entry.hash }, files);
    return entry;
  }
}
