// One governed project and everything that is asked of it: decisions, mode, context, changes.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { readBegun } from '../config/begun.ts';
import { type Found, findProject, realOf } from '../config/find.ts';
import { governedMarker, makeFolder, markGoverned, projectFolder } from '../config/folders.ts';
import { dropAllPins } from '../config/pins.ts';
import type { Problem } from '../config/problem.ts';
import type { Approval } from '../config/trust.ts';
import { renderContext, renderLine, type Situation } from '../context/render.ts';
import { decide, denyEvent, passEvent } from '../decide/decide.ts';
import type { Policy } from '../decide/policies.ts';
import type { Known, Prepare } from '../decide/prepared.ts';
import { stricter } from '../decide/stricter.ts';
import type { Decision } from '../decide/types.ts';
import { parseEvent, toolCall } from '../tools/call.ts';
import { type Place, placeOf } from '../tools/place.ts';
import { MalformedInput } from '../tools/table.ts';
import type { ToolCall } from '../tools/types.ts';
import { Contents, type Counting } from './content.ts';
import { Edges, type Position, positionOf, requirementsOf } from './edges.ts';
import type { Entry } from './journal.ts';
import type { RunLedger } from './runs.ts';
import { noSession, Stores, type Where } from './scope.ts';
import { situationOf } from './situation.ts';
import type { State, StateStore } from './state.ts';
import { statusOf } from './status.ts';
import { findWay, maxExplanation, type Refusal, refuseForce, refuseUnmet, type Unmet } from './transition.ts';
import { brokenBy, groundOf, problemsOf, type View } from './view.ts';

export type { Where } from './scope.ts';

export interface Asker {
  session: string | null;
  permissionMode: string | null;
}

export interface Open {
  /** Where the client was started: CLAUDE_PROJECT_DIR. */
  start: string;
  env: NodeJS.ProcessEnv;
  /** The package's own folder: dist/, hooks/, examples/. */
  packageRoot: string;
  /** The slow way, for a configuration that is not kept ready. */
  prepare: Prepare;
  /** Who asks first; what the environment says when absent. */
  session?: string | null;
}

/** Finds the governed project of a start folder; null when there is none. */
export function openProject(open: Open): Project | null {
  const place = placeOf(open.start, open.env, open.packageRoot);
  const session = open.session ?? open.env.CLAUDE_CODE_SESSION_ID ?? null;
  const begun = session === null ? null : readBegun(place.dataFolder, session);
  // Whoever starts us names the project that is there now; the client's own word is where the session is.
  const named = realOf(open.env.CLAUDE_PROJECT_DIR ?? open.start);
  const isIn = begun !== null && (named === begun.root || named.startsWith(`${begun.root}/`));
  const found = findProject(isIn ? begun.root : open.start, place, begun);
  if (found === null) return null;
  return new Project(found, placeOf(found.root, open.env, open.packageRoot), open);
}

export class Project {
  readonly root: string;
  /** The folder with modes.yaml; the view and the socket are there. */
  readonly folder: string;
  private readonly stores: Stores;
  private where: Where = { session: null, cwd: null };
  private readonly contents: Contents;
  private viewRewritten = false;
  private readonly edges: Edges;
  /** How many changes of mode this session knows of, by scope; absent before the first look. */
  private readonly told = new Map<string, number>();

  constructor(
    private readonly found: Found,
    readonly place: Place,
    { packageRoot, prepare }: Open,
  ) {
    this.root = found.root;
    this.folder = found.folder;
    this.stores = new Stores(found.root, found.folder, place.dataFolder);
    this.edges = new Edges(found.root, place.home, place.dataFolder);
    this.contents = new Contents(found, place, packageRoot, prepare);
  }

  /** Says for whom the next questions are; every question is synchronous after it. */
  ask(where: Where): this {
    this.where = where;
    return this;
  }

  /** Call when something in the configuration may have changed; the next `ready` looks. */
  touch(): void {
    this.contents.touch();
  }

  /**
   * Resolves when the present configuration, and what the session began with, are loaded and compiled. Everything else here is
   * synchronous after it. A session that is not named is looked up when it is first asked about.
   */
  async ready(session: string | null = null): Promise<void> {
    await this.contents.ready(session);
  }

  /** Decides the JSON text of a PreToolUse event. null: the text is no JSON object. */
  decideText(text: string): Decision {
    try {
      return this.decideEvent(parseEvent(text));
    } catch (error) {
      if (error instanceof MalformedInput) return denyEvent(error.message, randomUUID);
      throw error;
    }
  }

  decideEvent(event: Record<string, unknown>): Decision {
    let call: ToolCall;
    try {
      call = toolCall(event);
    } catch (error) {
      if (error instanceof MalformedInput) return denyEvent(error.message, randomUUID);
      throw error;
    }
    return this.decide(call);
  }

  /** By the content that the session began with and by the present one: the stricter of both. `named`: as if in this mode. */
  decide(call: ToolCall, named: string | null = null): Decision {
    this.where = { session: call.sessionId, cwd: call.cwd };
    if (this.contents.released) return passEvent(call.tool, randomUUID);
    try {
      const { pinned, present } = this.counting();
      const state = this.state();
      const mode = named ?? state.mode;
      const asked = { mode, state, isNamed: named !== null, place: this.place };
      const first = decide(call, groundOf(pinned, { ...asked, others: [this.contents.present] }), randomUUID);
      // A present content without this mode has nothing to say of it.
      if (present === pinned || mode === null || present.policies.of(mode) === null) return first;
      return stricter(first, decide(call, groundOf(present, { ...asked, others: [] }), randomUUID));
    } catch (error) {
      return denyEvent(`its project cannot be looked at: ${error instanceof Error ? error.message : String(error)}`, randomUUID);
    }
  }

  /** State, configuration and what is wrong with them, for people and the status tool. */
  describe(): {
    mode: string | null;
    state: State;
    /** What the session that asks began with: its modes and edges hold. */
    configuration: Known;
    trusted: boolean;
    problems: Problem[];
    /** What is there now; `differs` where the session began with another. */
    present: { configuration: Known; trusted: boolean; problems: Problem[]; differs: boolean; view: View };
    pinned: View;
    layer: Found['layer'];
    foreign: boolean;
    viewRewritten: boolean;
  } {
    const state = this.state();
    const { pinned } = this.counting();
    const { present } = this.contents;
    return {
      mode: state.mode,
      state,
      configuration: pinned.known,
      trusted: pinned.trusted,
      problems: this.problems(),
      present: {
        configuration: present.known,
        trusted: present.trusted,
        problems: problemsOf(present),
        differs: present.id !== pinned.id,
        view: present,
      },
      pinned,
      layer: this.found.layer,
      foreign: this.found.foreign,
      viewRewritten: this.viewRewritten,
    };
  }

  /** The content that a person trusted last, loaded; null where there is none. */
  async lastTrusted(): Promise<View | null> {
    const content = this.contents.lastTrusted();
    return content === null ? null : this.contents.open(content);
  }

  /** What some running session began with, where that is not the present content. */
  otherThanPresent(): Promise<View | null> {
    return this.contents.otherThanPresent();
  }

  /** Records a person's yes to exactly the present content. Throws where the disk refuses. */
  trust(by: Approval['by']): void {
    this.contents.trust(by);
  }

  /**
   * Begins the session that asks anew with the present content, or every session of the project; not with one that cannot be used.
   * Only a person asks for it. Throws where the disk refuses.
   */
  adopt(who: 'session' | 'all'): void {
    if (who === 'all') this.contents.adopt('all');
    else if (this.where.session !== null) this.contents.adopt({ session: this.where.session });
  }

  /** A person ended that this folder is governed, here or elsewhere: nothing is decided any more. */
  get released(): boolean {
    return this.contents.released;
  }

  /** Ends that this folder is governed, with what its sessions began with. */
  release(): void {
    fs.rmSync(governedMarker(this.place.dataFolder, this.root), { force: true });
    dropAllPins(this.place.dataFolder, this.root);
    this.contents.touch();
  }

  /** The policy of a mode; null when there is none. */
  policyOf(mode: string): Policy | null {
    return this.counting().pinned.policies.of(mode);
  }

  /** Of the present content, and of what the session began with. */
  problems(): Problem[] {
    const { pinned } = this.counting();
    const { present } = this.contents;
    return pinned === present ? problemsOf(present) : [...new Set([...problemsOf(present), ...problemsOf(pinned)])];
  }

  state(): State {
    return this.store()?.read(this.topology()) ?? noSession;
  }

  /** Context of the present mode: whole, or one line. */
  context(form: 'whole' | 'line', subagent = false): string {
    const situation = this.situation(subagent);
    if (typeof situation === 'string') return situation;
    return form === 'whole' ? renderContext(situation) : renderLine(situation);
  }

  /** The source document's transition: along an edge whose gate holds. */
  async transition(target: unknown, explanation: unknown, asker: Asker): Promise<{ success: true; new_state: string } | Refusal> {
    const { where } = this;
    const state = this.state();
    const broken = brokenBy(this.counting().pinned);
    if (broken !== null) return { success: false, reason: `The mode is frozen: ${broken}` };
    const found = findWay(target, explanation, state, this.topology());
    if (!found.success) return found;
    const position = this.position(state) as Position;
    const unmet = await this.edges.unmet(found.way, position);
    // Other questions were answered meanwhile.
    this.ask(where);
    const refused = refuseUnmet(state.mode, found.way, unmet);
    if (refused !== null) return refused;
    const isSame = this.position(this.state())?.entry === position.entry;
    const entry = isSame ? this.change('transition', state, found.way.to, 'model', explanation as string, asker) : null;
    if (entry === null)
      return { success: false, reason: 'Another session changed the mode at the same moment; ask for status and try again.' };
    this.edges.taken(position, entry.to);
    return { success: true, new_state: entry.to };
  }

  /** A person's yes to one edge, taken by the next transition along it; any other change of mode makes it void. */
  approve(target: string): Refusal | null {
    const state = this.state();
    const found = findWay(target, 'asked by a person', state, this.topology());
    if (!found.success) return found;
    this.edges.approve(this.position(state) as Position, target);
    return null;
  }

  /** What of the gate to this mode does not hold; null where no edge leads there. */
  async unmetTo(target: string): Promise<Unmet[] | null> {
    const state = this.state();
    const found = findWay(target, 'asked', state, this.topology());
    if (!found.success || brokenBy(this.counting().pinned) !== null) return null;
    return this.edges.unmet(found.way, this.position(state) as Position);
  }

  /** A Bash call begins or has ended: marks the files that a gate asks for, where the command is one that it asks for. */
  noteRun(id: string, command: string | null): void {
    const { mode } = this.state();
    if (command === null) this.edges.gates.ended(id);
    else if (mode !== null) this.edges.gates.announced(id, command, requirementsOf(mode, this.topology()));
  }

  /** Remembers what the files of the first mode's gates are. Only the server calls it. */
  beginGates(runs: RunLedger): void {
    this.edges.gates.ledger = runs;
    const position = this.position(this.state());
    if (position !== null) this.edges.gates.begin(position, requirementsOf(position.mode, this.topology()));
  }

  private position(state: State): Position | null {
    return positionOf(state, this.scopeKey());
  }

  /** A change of mode without its gate. The caller has made sure that a person wants it. */
  force(target: unknown, explanation: string, asker: Asker): { success: true; new_mode: string } | Refusal {
    const state = this.state();
    const refused = refuseForce(target, state, this.topology());
    if (refused !== null) return refused;
    const entry = this.change('force', state, target as string, 'person', explanation, asker);
    if (entry === null) return { success: false, reason: 'Another session changed the mode at the same moment; try again.' };
    return { success: true, new_mode: entry.to };
  }

  /** The emergency stop: only reading is open until a person names a mode. Free for everyone; false where it is stopped already or cannot be. */
  stop(why: string, asker: Asker): boolean {
    const state = this.state();
    const topology = this.topology();
    if (topology === null || state.trouble?.code === 'E_STOPPED') return false;
    const to = topology.stop?.to ?? state.mode ?? topology.default;
    return this.change('stop', state, to, 'person', why, asker) !== null;
  }

  /** The context of the new mode when another session changed it since the last call; null when nothing is new. */
  newsFromOthers(): string | null {
    const { entries } = this.state();
    const scope = this.scopeKey() ?? '';
    const known = this.told.get(scope);
    this.told.set(scope, entries.length);
    const last = entries.at(-1);
    if (known === undefined || last === undefined || entries.length <= known) return null;
    return `Another session changed the mode from ${last.from ?? 'an unknown one'} to ${last.to}.\n\n${this.context('whole')}`;
  }

  /** The source document's status, with more. */
  status(): Record<string, unknown> {
    return statusOf({
      root: this.root,
      state: this.state(),
      counting: this.counting(),
      present: this.contents.present,
      problems: this.problems(),
      viewRewritten: this.viewRewritten,
    });
  }

  /** Keeps the view equal to the journal and remembers that this folder is governed. Only the server calls it. */
  keepView(): void {
    const topology = this.topology();
    if (topology !== null && this.store()?.refreshView(topology)) this.viewRewritten = true;
  }

  markGoverned(): void {
    if (this.found.layer !== 'project') return;
    markGoverned(this.place.dataFolder, this.root);
    makeFolder(projectFolder(this.place.dataFolder, this.root));
    this.contents.touch();
  }

  private change(
    kind: Entry['kind'],
    state: State,
    to: string,
    actor: Entry['actor'],
    explanation: string,
    asker: Asker,
  ): Entry | null {
    const topology = this.topology();
    if (topology === null) return null;
    const text = explanation.length > maxExplanation ? `${explanation.slice(0, maxExplanation)}…` : explanation;
    const scope = this.scopeKey() ?? '';
    const files = this.edges.gates.look(scope, requirementsOf(to, topology));
    const entry =
      this.store()?.change(
        { kind, from: state.mode, to, actor, session: asker.session, permissionMode: asker.permissionMode, explanation: text },
        topology,
        new Date(),
      ) ?? null;
    if (entry === null) return null;
    this.told.set(scope, entry.number);
    this.edges.gates.entered({ scope, entry: entry.hash }, files);
    return entry;
  }

  private store(): StateStore | null {
    return this.stores.of(this.where, this.topology());
  }

  private scopeKey(): string | null {
    return this.stores.key(this.where, this.topology());
  }

  private counting(): Counting {
    return this.contents.of(this.where.session);
  }

  /** Modes and edges that hold for whoever asks. */
  private topology(): Known['topology'] {
    return this.counting().pinned.known.topology;
  }

  private situation(subagent: boolean): Situation | string {
    const { contents, found, viewRewritten } = this;
    const counting = this.counting();
    return situationOf({ state: this.state(), counting, present: contents.present, found, viewRewritten, subagent });
  }
}
