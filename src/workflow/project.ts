// A governed project and the operations one caller can request: decisions, mode, context, transitions.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { combineConfigurations, combineProjects, isRestriction } from '../engine/combine.ts';
import { type ContextRequest, contextOf, type ReachedMode } from '../engine/context.ts';
import { decideExamined, denyEvent, type ExaminedCall, examine, passEvent } from '../engine/decide.ts';
import { brokenBy, type LoadedConfig, problemsOf } from '../engine/loaded-config.ts';
import type { Policy } from '../engine/policies.ts';
import { adoptRemedy, type LoadedRules, type Prepare } from '../engine/prepared.ts';
import { parseEvent, toolCall } from '../facts/call.ts';
import { type Place, placeOf, real } from '../facts/paths/place.ts';
import { checkoutsOf } from '../facts/paths/worktrees.ts';
import { toolPrefix } from '../facts/protections/registered.ts';
import { MalformedInput } from '../facts/table.ts';
import { Branches } from '../git/branches.ts';
import type { Topology } from '../model/configuration.ts';
import type { Decision } from '../model/decision.ts';
import type { PathName, ToolCall } from '../model/facts.ts';
import type { Problem } from '../model/problem.ts';
import { readBuild } from '../platform/package.ts';
import { readRegularText } from '../platform/read-file.ts';
import { findProject, type ProjectLocation } from '../store/find-project.ts';
import { isStillIn, readSessionOrigin } from '../store/session-origin.ts';
import { Approvals } from './approvals.ts';
import { renderContext, renderLine, type Situation } from './context/render.ts';
import { GatedTransitions } from './gated-transitions.ts';
import { UsedFiles } from './gates/uses.ts';
import { Granting } from './granting.ts';
import { activeGrantsFor, type GrantCaller } from './grants.ts';
import { type Counting, LoadedConfigs } from './loaded-configs.ts';
import { ModeNotices } from './mode-notices.ts';
import { ModeTransitions, type TransitionHost } from './mode-transitions.ts';
import { OtherProjects } from './other-projects.ts';
import { limitsOf, workFacts } from './plan/work.ts';
import { Plans } from './plans.ts';
import { Refusals } from './refusals.ts';
import { type Caller, noSession, Stores } from './scope.ts';
import { brokenNotice, situationOf } from './situation.ts';
import { degradedIn, type ModeState, type StateStore } from './state.ts';
import { type Status, statusOf } from './status.ts';
import { CallVerification } from './verification/calls.ts';
import type { Violation } from './verification/record.ts';
import { type GuardedScope, Verification } from './verification/verification.ts';

export { type Caller, nobody } from './scope.ts';

export interface ProjectOptions {
  /** The folder where the client was started: CLAUDE_PROJECT_DIR. */
  start: string;
  env: NodeJS.ProcessEnv;
  /** The package's root folder, which contains dist/, hooks/ and examples/. */
  packageRoot: string;
  /** The slow path, for a configuration that has no cached bundle. */
  prepare: Prepare;
  /** The session that the project is opened for. If absent or null, CLAUDE_CODE_SESSION_ID is used. */
  session?: string | null;
  /** Whether the session's own server is running. That server counts the calls of a grant. If absent, it counts as running. */
  isServed?: (session: string) => boolean;
  /** The process decides one call and exits. */
  isOnce?: boolean;
  /** The process answers first from journal summaries and verifies the journals afterwards. See `check`. */
  isServer?: boolean;
}

/** Finds the governed project of a start folder; null if there is no such project. */
export function openProject(open: ProjectOptions): Project | null {
  const place = placeOf(open.start, open.env, open.packageRoot);
  const session = open.session ?? open.env.CLAUDE_CODE_SESSION_ID ?? null;
  const origin = session === null ? null : readSessionOrigin(place.dataFolder, session);
  // The process that starts us may name another project. Only the client's CLAUDE_PROJECT_DIR identifies the project of the
  // session.
  const named = real(open.env.CLAUDE_PROJECT_DIR ?? open.start);
  const isIn = origin !== null && isStillIn(origin, named);
  const location = findProject(isIn ? origin.root : place.root, place, origin);
  if (location === null) return null;
  return makeProject(location, location.root === place.root ? place : placeOf(location.root, open.env, open.packageRoot), open);
}

/** Opens another project, which a call of a session elsewhere touches. */
export function otherProject(
  location: ProjectLocation,
  { start, env, packageRoot, prepare, isOnce }: Omit<ProjectOptions, 'session'>,
): Project {
  const place = placeOf(location.root, env, packageRoot);
  return makeProject(location, place, {
    start,
    env,
    packageRoot,
    prepare,
    session: null,
    ...(isOnce !== undefined && { isOnce }),
  });
}

/** A governed project. Anything that depends on the caller is answered by `for(caller)`. */
export class Project {
  readonly root: string;
  /** The folder that contains modes.yaml, the state file and the socket. */
  readonly folder: string;
  readonly place: Place;

  constructor(protected readonly shared: Shared) {
    this.root = shared.found.root;
    this.folder = shared.found.folder;
    this.place = shared.place;
  }

  /** The project as one caller sees it. */
  for({ session, cwd }: Caller): CallerProject {
    return new CallerProject(this.shared, { session, cwd });
  }

  /** Call this when the configuration may have changed. The next `ready` checks. */
  touch(): void {
    this.shared.contents.touch();
  }

  /**
   * Resolves when the present configuration and the session's pinned configuration are loaded and compiled. All other methods are
   * synchronous after that. A session that is not named here is looked up on its first request.
   */
  async ready(session: string | null = null): Promise<void> {
    await this.shared.contents.ready(session);
    // Loads projects that caused a deny because its host did not wait for them.
    await this.shared.others.load();
  }

  /** Loads the other projects below this one, for a host that decides without waiting. */
  async readyBelow(): Promise<void> {
    await this.shared.others.loadBelow();
  }

  /** Decides the JSON text of a PreToolUse event. */
  decideText(text: string): Decision {
    try {
      return this.decideEvent(parseEvent(text));
    } catch (error) {
      if (error instanceof MalformedInput) return denyEvent(error.message, randomUUID);
      throw error;
    }
  }

  decideEvent(event: Record<string, unknown>): Decision {
    const call = callOrDenial(event);
    return 'decision' in call ? call : this.decide(call);
  }

  /** Decides a call that runs as soon as it is answered. The decision changes if the call is a verified run. */
  async decideAndBegin(event: Record<string, unknown>): Promise<Decision> {
    const call = callOrDenial(event);
    if ('decision' in call) return call;
    const caller = this.for(callerOf(call));
    const decision = await this.fully(() => caller.decideAsCaller(call, null));
    return this.released ? decision : caller.verified.begin(call, decision);
  }

  /** The same in a process that decides one call. Returns the violations that were not known before, too. */
  beginOnce(event: Record<string, unknown>, decision: Decision): { decision: Decision; found: Violation[] } {
    if (decision.facts === null || this.released) return { decision, found: [] };
    const call = toolCall(event);
    return this.for(callerOf(call)).verified.beginOnce(call, decision);
  }

  /** Decides a call for the caller that it names. `mode`: decide as if the project were in this mode. */
  decide(call: ToolCall, mode: string | null = null): Decision {
    return this.for(callerOf(call)).decideAsCaller(call, mode);
  }

  /** Decides. If the call touches other projects that had to be loaded first, decides a second time. */
  async fully<T>(decide: () => T): Promise<T> {
    const first = decide();
    return (await this.shared.others.load()) ? decide() : first;
  }

  /** Decides the part of an outside call that touches this project, by the present mode. Grants of a session do not apply. */
  decideFromOutside(call: ToolCall): Decision {
    return this.for(callerOf(call)).decidePart(call);
  }

  /** The content that some running session is pinned to, if it is not the present content; otherwise null. */
  otherThanPresent(): Promise<LoadedConfig | null> {
    return this.shared.contents.otherThanPresent();
  }

  /** A person ended the governance of this folder, in this process or another one. Nothing is decided any more. */
  get released(): boolean {
    return this.shared.contents.released;
  }

  /** Ends the governance of this folder and drops the pins of its sessions. */
  release(): void {
    this.shared.contents.release();
  }

  /** Stores a journal summary for the next process. A process that decides a single call does this after its answer. */
  summarise(): void {
    this.shared.stores.summarise();
  }

  /** Verifies the journals that the first answers took from summaries, and every journal that is opened later. */
  check(): Promise<void> {
    return this.shared.stores.check();
  }

  markGoverned(): void {
    this.shared.contents.markGoverned();
  }
}

/** State that all callers of one project share. */
interface Shared {
  found: ProjectLocation;
  place: Place;
  /** Whether the session's own server is running. */
  isServed: (session: string) => boolean;
  stores: Stores;
  contents: LoadedConfigs;
  gated: GatedTransitions;
  refusals: Refusals;
  used: UsedFiles;
  others: OtherProjects<Project>;
  modeNotices: ModeNotices;
  verification: Verification;
  /** By session: the id of the broken content that the session was last notified about. */
  isBrokenReported: Map<string, string>;
  viewRewritten: boolean;
}

/** Maximum size of a settings file that is searched for CI. */
const maxSettingsBytes = 1_048_576;

/**
 * True if CI runs the client, in which case the user and the organization decide what applies. Reads the variable CI, which every CI service sets; `false`, `0`, `no` and `off` mean no. Settings of a project can set any
 * variable of the client's environment. If one of them names CI, the variable proves nothing and counts as no.
 */
export function isCi(env: NodeJS.ProcessEnv, folders: readonly string[]): boolean {
  if (/^(|0|false|no|off)$/i.test((env.CI ?? '').trim())) return false;
  const own = folders.flatMap((folder) =>
    ['settings.json', 'settings.local.json'].map((name) => path.join(folder, '.claude', name)),
  );
  const ofCheckouts = folders.flatMap(checkoutsOf).map((folder) => path.join(folder, '.claude/settings.local.json'));
  return ![...new Set([...own, ...ofCheckouts])].some(mayNameCi);
}

/** True if the settings file sets CI. An unreadable file may set it, so it counts as setting it. */
function mayNameCi(file: string): boolean {
  try {
    const { env } = JSON.parse(readRegularText(file, maxSettingsBytes)) as { env?: unknown };
    return typeof env === 'object' && env !== null && Object.keys(env).some((name) => name.toUpperCase() === 'CI');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

export function makeProject(location: ProjectLocation, place: Place, open: ProjectOptions): Project {
  const { start, env, packageRoot, prepare, isServed = () => true, isOnce = false, isServer = false } = open;
  return new Project({
    found: location,
    place,
    isServed,
    stores: new Stores(location.root, location.folder, place, isOnce || isServer ? readBuild(packageRoot) : null),
    contents: new LoadedConfigs(location, place, packageRoot, prepare, isCi(env, [location.root, start]), isOnce),
    gated: new GatedTransitions(place, { start, env }),
    refusals: new Refusals(place.dataFolder, location.root),
    used: new UsedFiles(location.root, place.home, place.dataFolder),
    others: new OtherProjects(place, location.root, (other) => otherProject(other, open)),
    modeNotices: new ModeNotices(),
    verification: new Verification(),
    isBrokenReported: new Map(),
    viewRewritten: false,
  });
}

/** The caller and the mode. `isNamed`: the mode is not that of the state. */
type DecisionScope = Required<Pick<ContextRequest, 'mode' | 'agent' | 'grantState' | 'within'>> & {
  state: ModeState;
  isNamed: boolean;
};
type DecidedCall = Pick<ExaminedCall, 'workedIn'> & { decision: Decision };

/** The call of an event, or the denial of a malformed event. */
function callOrDenial(event: Record<string, unknown>): ToolCall | Decision {
  try {
    return toolCall(event);
  } catch (error) {
    if (error instanceof MalformedInput) return denyEvent(error.message, randomUUID);
    throw error;
  }
}

export function callerOf({ sessionId: session, cwd }: ToolCall): Caller {
  return { session, cwd };
}

/**
 * A project as one caller sees it. The caller never changes, so an answer does not depend on other callers' requests in between.
 */
export class CallerProject extends Project implements TransitionHost {
  /** All changes of mode. */
  readonly transitions: ModeTransitions;
  readonly plans: Plans;
  readonly granting: Granting;
  readonly approvals: Approvals;
  /** Verified runs. */
  readonly verified: CallVerification;

  constructor(
    shared: Shared,
    readonly caller: Caller,
  ) {
    super(shared);
    this.granting = new Granting(this);
    this.transitions = new ModeTransitions(this, shared.gated, shared.refusals);
    this.plans = new Plans(this, this.transitions, this.place.home);
    this.verified = new CallVerification(shared.verification, () => this.guarded());
    this.approvals = new Approvals(shared.contents, shared.used, this.granting, () => this.counting().pinned);
  }

  /**
   * Decides by the session's pinned content, by the present content and by the present modes of other projects that the call
   * touches. The most restrictive decision wins. `named`: decide as if in this mode. If another project has to be loaded first,
   * see `fully`.
   */
  decideAsCaller(call: ToolCall, named: string | null): Decision {
    if (this.shared.contents.released) return passEvent(call.tool, randomUUID);
    try {
      const counting = this.counting();
      const state = this.state();
      const mode = named ?? state.mode;
      const callGrants = named === null ? activeGrantsFor(state.authority, this.grantCallerOf(call)) : null;
      const { decision: own, workedIn } = this.decideBy(call, counting, {
        mode,
        state,
        isNamed: named !== null,
        agent: call,
        grantState: callGrants,
        within: false,
      });
      const decision = this.withOthers(call, own, workedIn);
      return this.shared.others.isWaiting ? decision : this.withBrokenNotice(decision);
    } catch (error) {
      return denyEvent(`its project cannot be read: ${error instanceof Error ? error.message : String(error)}`, randomUUID);
    }
  }

  /** Decides the part of an outside call that touches this project, by the present mode. Grants of a session do not apply. */
  decidePart(call: ToolCall): Decision {
    if (!this.shared.contents.isLoaded) return denyEvent(`the modes of ${this.root} are not loaded yet`, randomUUID);
    try {
      const counting = this.shared.contents.of(null);
      const topology = counting.pinned.known.topology;
      const state = this.shared.stores.of(this.caller, topology)?.read(topology) ?? noSession;
      const agent = { agentId: null, agentType: null };
      return this.decideBy(call, counting, { mode: state.mode, state, isNamed: false, agent, grantState: null, within: true })
        .decision;
    } catch (error) {
      return denyEvent(`${this.root} cannot be read: ${error instanceof Error ? error.message : String(error)}`, randomUUID);
    }
  }

  /** The files that the present mode guards; null if the mode is unknown. */
  private guarded(): GuardedScope | null {
    const counting = this.counting();
    const { pinned, present } = counting;
    const state = this.state();
    const scope = this.scopeKey();
    const { mode } = state;
    if (mode === null || scope === null || state.degraded !== null) return null;
    const root = this.scopeRoot();
    const agent = { agentId: null, agentType: null };
    const policies = [pinned, present].flatMap((one) => one.policies.of(mode) ?? []);
    return {
      ...{ root, scope, mode, dataFolder: this.place.dataFolder, entry: state.entries.at(-1)?.hash ?? '' },
      rules: `${pinned.id} ${present.id}`,
      filters: policies.map(({ pathFilter }) => pathFilter),
      isOpenEnded: policies.some((one) => one.limitsAnyWrite) || limitsOf(state.work, []).some(({ kind }) => kind === 'files'),
      verifiesRuns: policies.some(({ uncertain }) => uncertain === 'verify'),
      guardOf: (name) => {
        const call = writeOf(`${root}/${name}`, this.caller.cwd ?? root, this.caller.session);
        const callContext = { mode, state, isNamed: false, agent, grantState: null, within: false };
        const { decision } = this.decideBy(call, counting, callContext);
        if (!isRestriction(decision.decision)) return null;
        const [rule] = decision.rules;
        if (rule !== undefined) return `${rule.text} (${rule.source.file}:${rule.source.line})`;
        return decision.protections[0]?.name ?? decision.reason;
      },
    };
  }

  /** Decides by the session's pinned configuration and by the present one. */
  private decideBy(
    call: ToolCall,
    { pinned, present }: Counting,
    { mode, state, isNamed, agent, grantState: held, within }: DecisionScope,
  ): DecidedCall {
    const branches = new Branches(this.root, call.cwd);
    const by = (config: LoadedConfig, others: readonly LoadedConfig[]): DecidedCall => {
      const context = contextOf(config, {
        mode,
        place: this.place,
        agent,
        grantState: held,
        within,
        state: { since: state.since, enteredBy: state.enteredBy, ...workFacts(state.work, branches) },
        degraded: isNamed ? null : degradedIn(state),
        limits: limitsOf(state.work, config.known.topology?.protectedBranches ?? []),
        others,
      });
      const examined = examine(call, context.facts);
      const reached = context.degraded === null ? this.reachedBy(config, pinned.known.topology, examined) : [];
      const decision = decideExamined(examined, reached.length === 0 ? context : { ...context, reached }, randomUUID);
      return { decision, workedIn: examined.workedIn };
    };
    const first = by(pinned, [this.shared.contents.present]);
    // If the present content does not have this mode, it has no policy to apply.
    if (present === pinned || mode === null || present.policies.of(mode) === null) return first;
    const second = by(present, []);
    const adopt = adoptRemedy(this.shared.contents.present.known);
    const decision = combineConfigurations(first.decision, second.decision, brokenBy(pinned) === null, adopt);
    return { decision, workedIn: first.workedIn };
  }

  private withOthers(call: ToolCall, own: Decision, workedIn: readonly (readonly string[])[]): Decision {
    // Nothing is more restrictive, and looking for other projects costs more than most decisions.
    if (own.decision === 'deny') return own;
    const { others } = this.shared;
    return combineProjects(own, others.decide(call, others.touchedBy({ facts: own.facts, workedIn, call }))).decision;
  }

  /**
   * The modes of other worktrees apply to what a call does in them. Otherwise the caller could choose the mode by choosing where
   * to call from.
   */
  private reachedBy({ policies }: LoadedConfig, topology: Topology | null, { facts }: ExaminedCall): ReachedMode[] {
    if (facts === null) return [];
    return this.shared.stores.reached(this.caller, topology, facts).map((one) => {
      const { mode, degraded: fault } = this.shared.stores.of(one, topology)?.read(topology) ?? noSession;
      const policy = mode === null ? null : policies.of(mode);
      return { mode, policy, degraded: fault && `${fault.message} (${fault.code})` };
    });
  }

  /** Notifies each session once, with its next decision, of a configuration change that is broken. */
  private withBrokenNotice(decision: Decision): Decision {
    const { present } = this.shared.contents;
    const { session } = this.caller;
    const notice = this.counting().pinned.id === present.id ? null : brokenNotice(present);
    if (notice === null || session === null || this.shared.isBrokenReported.get(session) === present.id) return decision;
    this.shared.isBrokenReported.set(session, present.id);
    if (isRestriction(decision.decision))
      return { ...decision, remedy: [decision.remedy, notice].filter((part) => part !== '').join('\n\n') };
    return { ...decision, advice: [decision.advice, notice].filter((part) => part !== undefined).join('\n\n') };
  }

  /** Whether a rule of any mode denies this caller a read of the path. */
  hiding(): (name: PathName) => boolean {
    const { session } = this.caller;
    let counting: Counting | null = null;
    return (name) => {
      counting ??= this.shared.contents.of(session);
      const { pinned, present } = counting;
      return pinned.policies.hides(name) || (present !== pinned && present.policies.hides(name));
    };
  }

  /** State, configuration and their problems, for people and the status tool. */
  describe(): {
    mode: string | null;
    state: ModeState;
    /** The configuration that the caller's session is pinned to. Its modes and transitions apply. */
    configuration: LoadedRules;
    trusted: boolean;
    problems: Problem[];
    /** The present configuration. `differs`: the session is pinned to another one. */
    present: { configuration: LoadedRules; trusted: boolean; problems: Problem[]; differs: boolean; config: LoadedConfig };
    pinned: LoadedConfig;
    layer: ProjectLocation['layer'];
    foreign: boolean;
    viewRewritten: boolean;
  } {
    const state = this.state();
    const { pinned } = this.counting();
    const { present } = this.shared.contents;
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
        config: present,
      },
      pinned,
      layer: this.shared.found.layer,
      foreign: this.shared.found.foreign,
      viewRewritten: this.shared.viewRewritten,
    };
  }

  /**
   * Pins the caller's session, or every session of the project, to the present content. Does nothing if that content is broken.
   * Call this only at a person's request. Throws if the disk refuses.
   */
  adopt(who: 'session' | 'all'): void {
    if (who === 'all') this.shared.contents.adopt('all');
    else if (this.caller.session !== null) this.shared.contents.adopt({ session: this.caller.session });
  }

  /** The policy of a mode; null if there is no such policy. */
  policyOf(mode: string): Policy | null {
    return this.counting().pinned.policies.of(mode);
  }

  /** Problems of the present content and of the session's pinned content. */
  problems(): Problem[] {
    const { pinned } = this.counting();
    const { present } = this.shared.contents;
    return pinned === present ? problemsOf(present) : [...new Set([...problemsOf(present), ...problemsOf(pinned)])];
  }

  state(): ModeState {
    return this.store()?.read(this.topology()) ?? noSession;
  }

  /** The context of the present mode, whole or as one line. `unmet`: unmet requirements of gates, by target. */
  context(
    form: 'whole' | 'line',
    {
      subagent = false,
      extras = [],
      unmet = null,
    }: { subagent?: boolean; extras?: string[]; unmet?: Map<string, string[]> | null } = {},
  ): string {
    const situation = this.situation(subagent);
    if (typeof situation === 'string') return situation;
    return form === 'whole' ? renderContext(situation, extras) : renderLine(situation, unmet, extras);
  }

  /**
   * A notification with the whole context, if the mode has changed since this agent last received it; otherwise null. `agent`: ''
   * for the main thread.
   */
  takeModeNotice(agent: string): string | null {
    const notice = this.shared.modeNotices.take({ session: this.caller.session, agent }, this.scopeKey() ?? '', this.state());
    return notice === null ? null : `${notice}\n\n${this.context('whole', { subagent: agent !== '' })}`;
  }

  /** Records that this agent receives the present mode, or changed it, so that it gets no notification. */
  acknowledgeMode(agent = ''): void {
    this.shared.modeNotices.acknowledgeMode({ session: this.caller.session, agent }, this.scopeKey() ?? '', this.state());
  }

  /** The fields of the source document's status, plus our own. */
  status(problems: Problem[] = this.problems()): Status {
    return statusOf({
      approvalHash: this.approvals.shown().approvalHash,
      root: this.root,
      state: this.state(),
      counting: this.counting(),
      present: this.shared.contents.present,
      problems,
      viewRewritten: this.shared.viewRewritten,
      dataFolder: this.place.dataFolder,
    });
  }

  /** Keeps the state file equal to the journal and records a difference. Only the server calls this. */
  keepView(): void {
    const topology = this.topology();
    if (topology !== null && this.store()?.refreshView(topology)) this.shared.viewRewritten = true;
  }

  private grantCallerOf({ sessionId: session, toolUseId: toolUse }: ToolCall): GrantCaller {
    return { session, toolUse, isCounted: () => session !== null && this.shared.isServed(session) };
  }

  store(): StateStore | null {
    return this.shared.stores.of(this.caller, this.topology());
  }

  scopeKey(): string | null {
    return this.shared.stores.key(this.caller, this.topology());
  }

  scopeRoot(): string {
    return this.shared.stores.scopeRoot(this.caller, this.topology());
  }

  private counting(): Counting {
    return this.shared.contents.of(this.caller.session);
  }

  topology(): Topology | null {
    return this.counting().pinned.known.topology;
  }

  broken(): string | null {
    return brokenBy(this.counting().pinned);
  }

  private situation(subagent: boolean): Situation | string {
    const { contents: configs, found, viewRewritten } = this.shared;
    const counting = this.counting();
    const input = { state: this.state(), counting, present: configs.present, found, viewRewritten, subagent };
    return situationOf({ ...input, toolPrefix: toolPrefix(this.place) });
  }
}

/** The call that writes one file. */
function writeOf(file: string, cwd: string, session: string | null): ToolCall {
  return toolCall({
    hook_event_name: 'PreToolUse',
    tool_name: 'Write',
    tool_input: { file_path: file, content: '' },
    cwd,
    ...(session !== null && { session_id: session }),
  });
}
