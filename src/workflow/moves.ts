// Changes of mode: along an edge whose gate holds, by a person, by the emergency stop.
import type { Topology } from '../config/types.ts';
import { type Edges, type Position, positionOf, requirementsOf } from './edges.ts';
import type { Entry } from './journal.ts';
import type { RunLedger } from './runs.ts';
import type { Where } from './scope.ts';
import type { State, StateStore } from './state.ts';
import { findWay, maxExplanation, type Refusal, refuseForce, refuseUnmet, type Unmet } from './transition.ts';

export interface Asker {
  session: string | null;
  permissionMode: string | null;
}

/** What a project knows of whoever asks; each answer is of the moment. */
export interface Seat {
  where: Where;
  ask(where: Where): unknown;
  state(): State;
  store(): StateStore | null;
  /** Modes and edges that hold; null where they cannot be used. */
  topology(): Topology | null;
  scopeKey(): string | null;
  /** Why the mode is frozen; null: it is not. */
  broken(): string | null;
  /** The session that asks made this change itself: it is no news to it. */
  tell(scope: string, number: number): void;
}

export class Moves {
  constructor(
    private readonly seat: Seat,
    private readonly edges: Edges,
  ) {}

  /** The source document's transition: along an edge whose gate holds. */
  async transition(target: unknown, explanation: unknown, asker: Asker): Promise<{ success: true; new_state: string } | Refusal> {
    const { where } = this.seat;
    const state = this.seat.state();
    const broken = this.seat.broken();
    if (broken !== null) return { success: false, reason: `The mode is frozen: ${broken}` };
    const found = findWay(target, explanation, state, this.seat.topology());
    if (!found.success) return found;
    const position = this.position(state) as Position;
    const unmet = await this.edges.unmet(found.way, position);
    // Other questions were answered meanwhile.
    this.seat.ask(where);
    const refused = refuseUnmet(state.mode, found.way, unmet);
    if (refused !== null) return refused;
    const isSame = this.position(this.seat.state())?.entry === position.entry;
    const entry = isSame ? this.change('transition', state, found.way.to, 'model', explanation as string, asker) : null;
    if (entry === null)
      return { success: false, reason: 'Another session changed the mode at the same moment; ask for status and try again.' };
    this.edges.taken(position, entry.to);
    return { success: true, new_state: entry.to };
  }

  /** A person's yes to one edge, taken by the next transition along it; any other change of mode makes it void. */
  approve(target: string): Refusal | null {
    const state = this.seat.state();
    const found = findWay(target, 'asked by a person', state, this.seat.topology());
    if (!found.success) return found;
    this.edges.approve(this.position(state) as Position, target);
    return null;
  }

  /** What of the gate to this mode does not hold; null where no edge leads there. */
  async unmetTo(target: string): Promise<Unmet[] | null> {
    const state = this.seat.state();
    const found = findWay(target, 'asked', state, this.seat.topology());
    if (!found.success || this.seat.broken() !== null) return null;
    return this.edges.unmet(found.way, this.position(state) as Position);
  }

  /** A Bash call begins or has ended: marks the files that a gate asks for, where the command is one that it asks for. */
  noteRun(id: string, command: string | null): void {
    const { mode } = this.seat.state();
    if (command === null) this.edges.gates.ended(id);
    else if (mode !== null) this.edges.gates.announced(id, command, requirementsOf(mode, this.seat.topology()));
  }

  /** Remembers what the files of the first mode's gates are. Only the server calls it. */
  beginGates(runs: RunLedger): void {
    this.edges.gates.ledger = runs;
    const position = this.position(this.seat.state());
    if (position !== null) this.edges.gates.begin(position, requirementsOf(position.mode, this.seat.topology()));
  }

  private position(state: State): Position | null {
    return positionOf(state, this.seat.scopeKey());
  }

  /** A change of mode without its gate. The caller has made sure that a person wants it. */
  force(target: unknown, explanation: string, asker: Asker): { success: true; new_mode: string } | Refusal {
    const state = this.seat.state();
    const refused = refuseForce(target, state, this.seat.topology());
    if (refused !== null) return refused;
    const entry = this.change('force', state, target as string, 'person', explanation, asker);
    if (entry === null) return { success: false, reason: 'Another session changed the mode at the same moment; try again.' };
    return { success: true, new_mode: entry.to };
  }

  /** The emergency stop: only reading is open until a person names a mode. Free for everyone; false where it is stopped already or cannot be. */
  stop(why: string, asker: Asker): boolean {
    const state = this.seat.state();
    const topology = this.seat.topology();
    if (topology === null || state.trouble?.code === 'E_STOPPED') return false;
    const to = topology.stop?.to ?? state.mode ?? topology.default;
    return this.change('stop', state, to, 'person', why, asker) !== null;
  }

  private change(
    kind: Entry['kind'],
    state: State,
    to: string,
    actor: Entry['actor'],
    explanation: string,
    asker: Asker,
  ): Entry | null {
    const topology = this.seat.topology();
    if (topology === null) return null;
    const text = explanation.length > maxExplanation ? `${explanation.slice(0, maxExplanation)}…` : explanation;
    const scope = this.seat.scopeKey() ?? '';
    const files = this.edges.gates.look(scope, requirementsOf(to, topology));
    const entry =
      this.seat
        .store()
        ?.change(
          { kind, from: state.mode, to, actor, session: asker.session, permissionMode: asker.permissionMode, explanation: text },
          topology,
          new Date(),
        ) ?? null;
    if (entry === null) return null;
    this.seat.tell(scope, entry.number);
    this.edges.gates.entered({ scope, entry: entry.hash }, files);
    return entry;
  }
}
