// One governed project as it is now: configuration, trust, policies and state, and everything that is asked of it.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { DeclaredCommand } from '../bash/types.ts';
import { type Found, findProject } from '../config/find.ts';
import { type Fingerprint, fingerprint, isUnchanged } from '../config/fingerprint.ts';
import { governedMarker, makeFolder, projectFolder, writeWhole } from '../config/folders.ts';
import { hashConfiguration } from '../config/hash.ts';
import type { Problem } from '../config/problem.ts';
import { readSources } from '../config/sources.ts';
import { isTrusted } from '../config/trust.ts';
import { maxContext, renderContext, renderLine, type Situation, targets } from '../context/render.ts';
import { decide, denyEvent, type Ground } from '../decide/decide.ts';
import { joinInterests, Policies, type Policy } from '../decide/policies.ts';
import { type Known, type Prepare, preparedKey, readPrepared } from '../decide/prepared.ts';
import type { Decision } from '../decide/types.ts';
import { readCore } from '../policy/core.ts';
import type { Verdict } from '../policy/types.ts';
import { parseEvent, toolCall } from '../tools/call.ts';
import { type Place, placeOf } from '../tools/place.ts';
import { MalformedInput } from '../tools/table.ts';
import type { Facts, ToolCall } from '../tools/types.ts';
import type { Entry } from './journal.ts';
import { type State, StateStore } from './state.ts';
import { maxExplanation, type Refusal, refuseForce, refuseTransition } from './transition.ts';

/** Milliseconds between two looks at whether the configuration changed, where no watch told so. */
const lookEvery = 500;

/** Who asks: with a scope of session or worktree each has a mode of its own. */
export interface Where {
  session: string | null;
  /** Absolute. */
  cwd: string | null;
}

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
}

/** Finds the governed project of a start folder; null when there is none. */
export function openProject(open: Open): Project | null {
  const place = placeOf(open.start, open.env, open.packageRoot);
  const found = findProject(open.start, place);
  if (found === null) return null;
  return new Project(found, placeOf(found.root, open.env, open.packageRoot), open);
}

export class Project {
  readonly root: string;
  /** The folder with modes.yaml; the view and the socket are there. */
  readonly folder: string;
  private readonly stores = new Map<string, StateStore>();
  private where: Where = { session: null, cwd: null };
  private known!: Known;
  private policies!: Policies;
  private commands: DeclaredCommand[] = [];
  private trusted = false;
  private seen: Fingerprint | null = null;
  private seenAt = 0;
  private dirty = true;
  private loading: Promise<void> | null = null;
  private viewRewritten = false;
  /** Edges that a person approved, with the number of changes before. */
  private readonly approvals = new Set<string>();
  /** How many changes of mode this session knows of, by scope; absent before the first look. */
  private readonly told = new Map<string, number>();

  constructor(
    private readonly found: Found,
    readonly place: Place,
    private readonly open: Open,
  ) {
    this.root = found.root;
    this.folder = found.folder;
  }

  /** Says for whom the next questions are; every question is synchronous after it. */
  ask(where: Where): this {
    this.where = where;
    return this;
  }

  /** Call when something in the configuration may have changed; the next `ready` looks. */
  touch(): void {
    this.dirty = true;
  }

  /** Resolves when the present configuration is loaded and compiled. Everything else here is synchronous after it. */
  async ready(): Promise<void> {
    if (this.loading === null && this.isStale())
      this.loading = this.load().finally(() => {
        this.loading = null;
      });
    if (this.loading !== null) await this.loading;
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

  decide(call: ToolCall, mode: string | null = null): Decision {
    this.where = { session: call.sessionId, cwd: call.cwd };
    let ground: Ground;
    try {
      ground = this.ground(mode);
    } catch (error) {
      return denyEvent(`its project cannot be looked at: ${error instanceof Error ? error.message : String(error)}`, randomUUID);
    }
    return decide(call, ground, randomUUID);
  }

  /** State, configuration and what is wrong with them, for people and the status tool. */
  describe(): {
    mode: string | null;
    state: State;
    configuration: Known;
    trusted: boolean;
    problems: Problem[];
    layer: Found['layer'];
    viewRewritten: boolean;
  } {
    const state = this.state();
    return {
      mode: state.mode,
      state,
      configuration: this.known,
      trusted: this.trusted,
      problems: this.problems(),
      layer: this.found.layer,
      viewRewritten: this.viewRewritten,
    };
  }

  /** The policy of a mode; null when there is none. */
  policyOf(mode: string): Policy | null {
    return this.policies.of(mode);
  }

  problems(): Problem[] {
    return [...this.known.problems, ...this.policies.problems];
  }

  state(): State {
    return this.store()?.read(this.known.topology) ?? noSession;
  }

  /** Context of the present mode: whole, or one line. */
  context(form: 'whole' | 'line', subagent = false): string {
    const situation = this.situation(subagent);
    if (typeof situation === 'string') return situation;
    return form === 'whole' ? renderContext(situation) : renderLine(situation);
  }

  /** The source document's transition: along an edge whose gate holds. */
  transition(target: unknown, explanation: unknown, asker: Asker): { success: true; new_state: string } | Refusal {
    const state = this.state();
    const broken = this.brokenBy();
    if (broken !== null) return { success: false, reason: `The mode is frozen: ${broken}` };
    const approval = this.approvalOf(state, target);
    const refused = refuseTransition(target, explanation, state, this.known.topology, this.approvals.has(approval));
    if (refused !== null) return refused;
    this.approvals.delete(approval);
    const entry = this.change('transition', state, target as string, 'model', explanation as string, asker);
    if (entry === null)
      return { success: false, reason: 'Another session changed the mode at the same moment; ask for status and try again.' };
    return { success: true, new_state: entry.to };
  }

  /** A person's yes to one edge, taken by the next transition along it; any other change of mode makes it void. */
  approve(target: string): Refusal | null {
    const state = this.state();
    const refused = refuseTransition(target, 'asked by a person', state, this.known.topology, true);
    if (refused === null) this.approvals.add(this.approvalOf(state, target));
    return refused;
  }

  private approvalOf({ mode, entries }: State, target: unknown): string {
    return JSON.stringify([this.scopeKey(), entries.length, mode, target]);
  }

  /** A change of mode without its gate. The caller has made sure that a person wants it. */
  force(target: unknown, explanation: string, asker: Asker): { success: true; new_mode: string } | Refusal {
    const state = this.state();
    const refused = refuseForce(target, state, this.known.topology);
    if (refused !== null) return refused;
    const entry = this.change('force', state, target as string, 'person', explanation, asker);
    if (entry === null) return { success: false, reason: 'Another session changed the mode at the same moment; try again.' };
    return { success: true, new_mode: entry.to };
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

  /** True when the model itself could go there now by an edge without machine or human gate. */
  isOpenEdge(target: string): boolean {
    return refuseTransition(target, 'asked by a person', this.state(), this.known.topology) === null && this.brokenBy() === null;
  }

  /** The source document's status, with more. */
  status(): Record<string, unknown> {
    const { topology } = this.known;
    const state = this.state();
    const mode = state.mode === null ? undefined : topology?.modes.get(state.mode);
    return {
      current_mode: state.mode,
      available_transitions:
        mode && topology
          ? targets(mode, topology).map(({ to, constraint, approve }) => ({
              to,
              constraint: constraint ?? '',
              ...(approve ? { approve } : {}),
            }))
          : [],
      history: state.entries.slice(-10).map(({ from, to, timestamp, explanation, actor, kind }) => ({
        from,
        to,
        timestamp,
        explanation,
        actor,
        forced: kind === 'force',
      })),
      ...(state.trouble ? { error: state.trouble.message, remedy: personNames } : {}),
      project: this.root,
      trusted: this.trusted,
      permissions: this.permissionsOf(state.mode),
      problems: this.problems().map(({ code, severity, message, file, line, column, remedy }) => ({
        code,
        severity,
        message,
        file,
        line,
        column,
        remedy,
      })),
      bundle: state.mode === null ? null : (this.policies.of(state.mode)?.bundle ?? null),
      ...(this.viewRewritten ? { notice: 'mode-state.json differed from the journal and was rewritten' } : {}),
    };
  }

  /** Keeps the view equal to the journal and remembers that this folder is governed. Only the server calls it. */
  keepView(): void {
    const { topology } = this.known;
    if (topology !== null && this.store()?.refreshView(topology)) this.viewRewritten = true;
  }

  markGoverned(): void {
    if (this.found.layer !== 'project') return;
    const marker = governedMarker(this.place.dataFolder, this.root);
    makeFolder(path.dirname(marker));
    makeFolder(projectFolder(this.place.dataFolder, this.root));
    writeWhole(marker, '');
  }

  private change(
    kind: Entry['kind'],
    state: State,
    to: string,
    actor: Entry['actor'],
    explanation: string,
    asker: Asker,
  ): Entry | null {
    const topology = this.known.topology;
    if (topology === null) return null;
    const text = explanation.length > maxExplanation ? `${explanation.slice(0, maxExplanation)}…` : explanation;
    const entry =
      this.store()?.change(
        { kind, from: state.mode, to, actor, session: asker.session, permissionMode: asker.permissionMode, explanation: text },
        topology,
        new Date(),
      ) ?? null;
    if (entry !== null) this.told.set(this.scopeKey() ?? '', entry.number);
    return entry;
  }

  /** The state of whoever asks; null when each session has a mode of its own and the asker names none. */
  private store(): StateStore | null {
    const key = this.scopeKey();
    if (key === null) return null;
    let store = this.stores.get(key);
    if (store === undefined) {
      if (this.stores.size >= maxStores) this.stores.clear();
      store = new StateStore(this.root, this.folder, this.place.dataFolder, key);
      this.stores.set(key, store);
    }
    return store;
  }

  private scopeKey(): string | null {
    const { session, cwd } = this.where;
    switch (this.known.topology?.scope) {
      case 'session':
        return session === null ? null : `session ${session}`;
      case 'worktree': {
        const trees = `${this.root}/.claude/worktrees/`;
        return cwd?.startsWith(trees) ? `worktree ${cwd.slice(trees.length).split('/')[0]}` : '';
      }
      default:
        return '';
    }
  }

  private isStale(): boolean {
    const now = performance.now();
    if (this.seen === null || this.dirty) return true;
    if (now - this.seenAt < lookEvery) return false;
    this.seenAt = now;
    return !isUnchanged(this.seen, fingerprint(this.configurationRoot()));
  }

  private async load(): Promise<void> {
    this.dirty = false;
    const seen = fingerprint(this.configurationRoot());
    const sources = readSources(this.configurationRoot());
    const trusted =
      this.found.layer !== 'project' ||
      isTrusted(this.place.dataFolder, this.root, hashConfiguration(sources.files, sources.faults));
    const core = readCore(this.open.packageRoot);
    if (!core.ok) throw new Error(core.problems[0]?.message ?? 'the compiled core cannot be read');
    const build = {
      trusted,
      home: this.place.home,
      packageRoot: this.open.packageRoot,
      cacheFolder: path.join(this.place.dataFolder, 'cache'),
      core: core.core,
    };
    const prepared = readPrepared(preparedKey(sources, build), build) ?? (await this.open.prepare(sources, build));
    this.known = prepared.known;
    this.commands = (prepared.known.topology?.commands ?? []).map((command) => ({ ...command, trusted }));
    this.trusted = trusted;
    this.policies = new Policies(prepared, this.open.packageRoot);
    this.seen = seen;
    this.seenAt = performance.now();
  }

  /** Where `.claude` with the configuration is. */
  private configurationRoot(): string {
    return path.dirname(this.folder);
  }

  private ground(named: string | null): Ground {
    const state = this.state();
    const mode = named ?? state.mode;
    const policy = mode === null ? null : this.policies.of(mode);
    const trouble = this.troubleOf(named === null ? state : null, policy === null);
    const remaining = trouble === null ? [] : this.policies.all();
    return {
      mode,
      trouble,
      policy: policy ?? null,
      remaining,
      facts: {
        place: this.place,
        mode: mode ?? '',
        commands: this.commands,
        interest: trouble === null && policy !== null ? policy.interest : joinInterests(remaining),
        wantsInput: trouble === null ? (policy?.wantsInput ?? false) : remaining.some((one) => one.wantsInput),
        state: { since: state.since, enteredBy: state.enteredBy },
      },
      remedy: (verdict, facts) => this.remedy(mode, verdict, facts),
    };
  }

  private troubleOf(state: State | null, noPolicy: boolean): Ground['trouble'] {
    const broken = this.brokenBy();
    if (broken !== null) return { message: broken, remedy: 'A person mends it; modes validate names everything that is wrong.' };
    if (state?.trouble) return { message: state.trouble.message, remedy: personNames };
    return noPolicy ? { message: 'there is no policy for this mode', remedy: 'Run modes validate.' } : null;
  }

  /** The first thing that makes the configuration unusable, in words; null when it is whole. */
  private brokenBy(): string | null {
    const error = this.problems().find((problem) => problem.severity === 'error');
    if (error === undefined) return null;
    const where = error.file === undefined ? '' : `${error.file}:${error.line ?? 1}:${error.column ?? 1} `;
    return `${where}${error.message.replace(/\.$/, '')} (${error.code})`;
  }

  /** Which mode would let the same call pass or allow it, among those one edge away first. */
  private remedy(mode: string | null, verdict: Verdict, facts: Facts): string {
    const { topology } = this.known;
    if (topology === null || mode === null || verdict.verdict === 'allow') return '';
    const ways = targets(topology.modes.get(mode) ?? ({ transitions: [] } as never), topology);
    for (const way of ways) {
      const other = this.policies.of(way.to);
      if (!other) continue;
      if (!opens(other, { ...facts, mode: way.to })) continue;
      const gate = way.constraint ? ` once its gate holds: ${way.constraint.replace(/\s+/g, ' ')}` : '';
      return `It is open in ${way.to}${gate}${/[.!?]$/.test(gate) ? '' : '.'}`;
    }
    return 'A person can change the mode with /modes:mode NAME.';
  }

  private permissionsOf(mode: string | null): Record<string, unknown> | null {
    const settings = mode === null ? undefined : this.known.settings.get(mode);
    if (settings === undefined) return null;
    const of = (effect: string) => settings.rules.filter((rule) => rule.effect === effect).map((rule) => rule.text);
    return { allow: of('allow'), ask: of('ask'), deny: of('deny'), default: settings.defaults.map((one) => one.value) };
  }

  private situation(subagent: boolean): Situation | string {
    const { topology } = this.known;
    const state = this.state();
    const broken = this.brokenBy();
    const mode = state.mode === null ? undefined : topology?.modes.get(state.mode);
    if (broken !== null || topology === null || mode === undefined) {
      return `MODE: unknown\n\nOnly reading inside the project is open, because ${broken ?? state.trouble?.message ?? 'the mode is not known'}. ${personNames}`.slice(
        0,
        maxContext,
      );
    }
    const notices: string[] = [];
    if (this.found.foreign) notices.push('The .claude folder belongs to another user of this machine.');
    if (!this.trusted)
      notices.push(
        'This configuration is not trusted yet: its allow rules print nothing. A person approves it with /modes:trust.',
      );
    if (this.viewRewritten) notices.push('mode-state.json differed from the journal and was rewritten.');
    return {
      topology,
      mode,
      settings: this.known.settings.get(mode.name) ?? null,
      instructions: this.known.instructions.get(mode.name) ?? null,
      instructionsFile: `.claude/CLAUDE.${mode.name}.md`,
      trusted: this.trusted,
      notices,
      subagent,
    };
  }
}

/** Stores of sessions and worktrees that are kept open. */
const maxStores = 200;

const noSession: State = {
  mode: null,
  trouble: { code: 'E_NO_SESSION', message: 'every session has a mode of its own (scope: session) and this call names none' },
  since: null,
  enteredBy: null,
  entries: [],
};

/** A policy that fails opens nothing. */
function opens(policy: Policy, facts: Facts): boolean {
  try {
    const { verdict } = policy.evaluate(facts);
    return verdict === 'allow' || verdict === 'pass';
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}

const personNames = 'A person names the mode with /modes:mode NAME and confirms it.';
