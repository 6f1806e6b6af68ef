// One content, loaded: its rules, its policies and the questions that it can answer alone.

import { renderProblem } from '../config/render.ts';
import { describeRequirement } from '../config/requirements.ts';
import { narrowingOf } from '../engine/agents.ts';
import type { DecisionContext } from '../engine/decide.ts';
import type { Held } from '../engine/grants.ts';
import { joinInterests, Policies, type Policy, type PolicyRequest } from '../engine/policies.ts';
import type { LoadedRules, Prepared } from '../engine/prepared.ts';
import { collectFacts, type FactsContext } from '../facts/collect.ts';
import { maxBelow } from '../facts/limits.ts';
import { looksBelow } from '../facts/paths/access.ts';
import { listingOnce } from '../facts/paths/below.ts';
import type { Place } from '../facts/paths/place.ts';
import type { DeclaredCommand } from '../model/command.ts';
import type { Mode, Topology, Trust } from '../model/configuration.ts';
import type { Facts, PathAccess, ToolCall } from '../model/facts.ts';
import type { Problem, Source } from '../model/problem.ts';
import type { Verdict } from '../model/verdict.ts';
import type { Content } from '../store/snapshots.ts';
import { type TransitionTarget, targets } from './context/render.ts';
import { boundsOf, workFacts } from './plan/bounds.ts';
import type { Branches } from './plan/branches.ts';
import type { ModeState, Trouble } from './state.ts';

export interface LoadedConfig {
  /** Content hash. */
  id: string;
  content: Content;
  known: LoadedRules;
  /** A person approved the project's own layer. */
  trusted: boolean;
  policies: Policies;
  commands: readonly DeclaredCommand[];
}

export function openView(
  id: string,
  content: Content,
  trust: Trust,
  prepared: Prepared,
  packageRoot: string,
  asking: PolicyRequest | null = null,
): LoadedConfig {
  const { known } = prepared;
  const trusted = trust !== false && !isVain(known);
  return { id, content, known, trusted, policies: new Policies(prepared, packageRoot, asking), commands: known.commands };
}

/** A person approved it although the organization forbids approval. */
function isVain({ problems }: LoadedRules): boolean {
  return problems.some(({ code }) => code === 'W_TRUST_FORBIDDEN');
}

/** The trust state, in words. */
export function trustState({ trusted, known }: LoadedConfig): string {
  if (trusted) return 'trusted';
  return !known.approvable ? 'not trusted, because the organization does not allow it' : 'not trusted yet (modes trust)';
}

/** Placeholder for a content that cannot be loaded. It contains only the reason. */
export function lostView(id: string, problem: Problem, packageRoot: string): LoadedConfig {
  const known: LoadedRules = {
    topology: null,
    topologyLayer: null,
    commands: [],
    arguments: [],
    headlessPass: 'deny',
    approvable: true,
    opa: null,
    settings: new Map(),
    instructions: new Map(),
    policies: [],
    hash: '',
    problems: [problem],
  };
  return openView(id, [], false, { known, modes: new Map() }, packageRoot);
}

/** All problems of the content, as far as it was loaded. */
export function problemsOf({ known, policies }: LoadedConfig): Problem[] {
  return [...known.problems, ...policies.problems];
}

/** The first error that makes the content unusable, in words; null if it is usable. */
export function brokenBy(view: LoadedConfig): string | null {
  const error = errorOf(view);
  if (error === undefined) return null;
  const where = error.file === undefined ? '' : `${error.file}:${error.line ?? 1}:${error.column ?? 1} `;
  return `${where}${error.message.replace(/\.$/, '')} (${error.code})`;
}

/** The same with the source line, a caret below it and the remedy; null if the content is usable. */
export function brokenAt(view: LoadedConfig): string | null {
  const error = errorOf(view);
  return error === undefined ? null : renderProblem(error);
}

function errorOf({ known, policies }: LoadedConfig): Problem | undefined {
  const isError = ({ severity }: Problem): boolean => severity === 'error';
  return known.problems.find(isError) ?? policies.problems.find(isError);
}

/** The allow, ask and deny rules of a mode, as written. */
export function permissionsOf({ known }: LoadedConfig, mode: string | null) {
  const settings = mode === null ? undefined : known.settings.get(mode);
  if (settings === undefined) return null;
  const of = (effect: string) => settings.rules.filter((rule) => rule.effect === effect).map((rule) => rule.text);
  return { allow: of('allow'), ask: of('ask'), deny: of('deny'), default: settings.defaults.map((one) => one.value) };
}

export const personNames = 'A person must set the mode with /modes:mode NAME and confirm it.';
/** Remedies for states that naming a mode does not fix. */
const otherRemedies: Partial<Record<Trouble['code'], string>> = {
  E_NO_SESSION: 'Ask inside a session, or set CLAUDE_CODE_SESSION_ID.',
  E_NO_TOPOLOGY: 'Fix the errors that modes validate shows.',
};
export const wayOutOf = (trouble: Trouble): string => otherRemedies[trouble.code] ?? personNames;

/**
 * The remaining restriction in a project that was just set up, because its journal outlives its files. Empty if only a session is
 * missing.
 */
export function stillClosed({ trouble }: ModeState): string[] {
  if (trouble === null || trouble.code === 'E_NO_SESSION') return [];
  return [`Only reading inside the project is allowed, because ${trouble.message}. ${wayOutOf(trouble)} (${trouble.code})`];
}

export interface ContextRequest {
  /** null: unknown. */
  mode: string | null;
  state: ModeState;
  /** The caller named the mode, so trouble in the state does not matter. */
  isNamed: boolean;
  place: Place;
  /** The subagent that made the call; both are null for the main thread. */
  agent: { agentId: string | null; agentType: string | null };
  /** Active grants of a person. */
  held?: Held | null;
  /** The branches at the time of this call. If absent, neither plan nor task restricts the call. */
  branches?: Branches;
  /** All other readable contents. While this one is broken, a read that any of them denies stays denied. */
  others: readonly LoadedConfig[];
}

/** Builds the context of a decision by this content. */
export function decisionContextOf(
  view: LoadedConfig,
  { mode, state, isNamed, place, agent, held, branches, others }: ContextRequest,
): DecisionContext {
  const narrowing = mode === null ? null : narrowingOf(view.known.topology, mode, agent);
  const key = narrowing?.key ?? mode;
  const policy = key === null ? null : view.policies.of(key);
  const narrower = (narrowing?.also ?? []).map((one) => ({ mode: one.mode, policy: view.policies.of(one.key) }));
  const strict = key === null ? null : view.policies.strictOf(key);
  const trouble = troubleOf(view, isNamed ? null : state, policy === null);
  const remaining = trouble === null ? [] : [view, ...others].flatMap(({ policies }) => policies.all());
  // A call may reach into a worktree that is in any mode.
  const elsewhere = view.known.topology?.scope === 'worktree' ? view.policies.all() : [];
  const all = trouble === null ? [policy, strict, ...narrower.map((one) => one.policy), ...elsewhere] : remaining;
  const asked = all.filter((one) => one !== null);
  const facts: FactsContext = {
    place,
    mode: mode ?? '',
    commands: view.commands,
    arguments: view.known.arguments,
    interest: asked.length === 1 ? (asked[0] as Policy).interest : joinInterests(asked),
    wantsInput: asked.some((one) => one.wantsInput),
    state: { since: state.since, enteredBy: state.enteredBy, ...(branches && workFacts(state.work, branches)) },
  };
  return {
    mode,
    trouble,
    policy,
    narrower,
    strict,
    held: held ?? null,
    bounds: [
      ...(narrowing === null ? [] : [narrowing.bound]),
      ...(branches === undefined
        ? []
        : boundsOf(state.work, { home: place.home, branches, protectedBranches: view.known.topology?.protectedBranches ?? [] })),
    ],
    remaining,
    facts,
    remedy: (verdict, seen, call) =>
      narrowing === null
        ? remedyOf(view, mode, verdict, opener(facts, seen, call))
        : 'Only the main thread may do this: report in your result what remains to be done.',
  };
}

function troubleOf(view: LoadedConfig, state: ModeState | null, noPolicy: boolean): DecisionContext['trouble'] {
  const broken = brokenBy(view);
  if (broken !== null) return { message: broken, remedy: wayToMend(view) };
  if (state?.trouble) return { message: `${state.trouble.message} (${state.trouble.code})`, remedy: wayOutOf(state.trouble) };
  return noPolicy ? { message: 'there is no policy for this mode', remedy: 'Run modes validate.' } : null;
}

/** An error with a line is shown by `modes validate`. An error without one brings its own remedy. */
function wayToMend(view: LoadedConfig): string {
  const error = errorOf(view);
  return error === undefined || error.line !== undefined
    ? 'A person must fix it; modes validate shows every error.'
    : error.remedy;
}

/** Names the nearest mode that would allow the same call or let it pass, and the first gate on the path to it. */
function remedyOf(
  { known: { topology }, policies }: LoadedConfig,
  mode: string | null,
  verdict: Verdict,
  opens: (other: Policy, to: string) => boolean,
): string {
  if (topology === null || mode === null || verdict.verdict === 'allow') return '';
  const from = topology.modes.get(mode);
  const isOpen = (to: string): boolean => {
    const other = policies.of(to);
    return other !== null && opens(other, to);
  };
  for (const { to, remedy } of from === undefined ? [] : waysOut(from, topology)) if (isOpen(to)) return remedy;
  const everywhere = verdict.verdict === 'deny' && verdict.by === 'rule' ? ofEveryMode(verdict, policies.of(mode)) : null;
  if (everywhere !== null && ![...topology.modes.keys()].some(isOpen))
    return `No mode allows it: ${everywhere.file}:${everywhere.line} applies in every mode.`;
  return 'A person can change the mode with /modes:mode NAME.';
}

/** The source of a rule that denies the call in every mode; null if there is no such rule. */
function ofEveryMode({ hits }: Verdict, policy: Policy | null): Source | null {
  const rules = hits.flatMap(({ id }) => policy?.rule(id) ?? []);
  const found = rules.find((rule) => rule.effect === 'deny' && /(?:^|\/)settings\.any(?:\.local)?\.json$/.test(rule.source.file));
  return found?.source ?? null;
}

/** A mode reachable by one transition or more, with the remedy to print if that mode would permit the call. */
type WayOut = { to: string; remedy: string };
const waysKnown = new WeakMap<Mode, readonly WayOut[]>();

/** Cached: a loaded topology does not change. */
function waysOut(from: Mode, topology: Topology): readonly WayOut[] {
  const before = waysKnown.get(from);
  if (before !== undefined) return before;
  const found = new Map<string, { by: string[]; first: TransitionTarget }>();
  for (const first of targets(from, topology)) found.set(first.to, { by: [], first });
  for (const [name, { by, first }] of found)
    for (const { to } of targets(topology.modes.get(name) as Mode, topology))
      if (to !== from.name && !found.has(to)) found.set(to, { by: [...by, name], first });
  const ways = [...found].map(([to, { by, first }]) => ({ to, remedy: wayTo(to, by, first) }));
  waysKnown.set(from, ways);
  return ways;
}

/** `by`: the modes in between, in order. `first`: the first transition of the path. */
function wayTo(to: string, by: readonly string[], { constraint, require }: TransitionTarget): string {
  const gate = constraint ? constraint.replace(/\s+/g, ' ') : require.map(describeRequirement).join('; ');
  const through = by.length === 0 ? '' : `, by way of ${by.join(' and ')}`;
  const holds = by.length === 0 ? 'once its gate holds' : `once the gate to ${by[0]} holds`;
  const said = `It is allowed in ${to}${through}${gate === '' ? '' : `${through === '' ? '' : ','} ${holds}: ${gate}`}`;
  return /[.!?]$/.test(said) ? said : `${said}.`;
}

/**
 * Returns a function that checks whether another mode's policy would let the call through. Entries below folders are listed again
 * only if the call's own names do not decide. All modes share the limit of one call (`maxBelow`). Beyond it, a mode counts as
 * closed.
 */
function opener(facts: FactsContext, seen: Facts, call: ToolCall): (other: Policy, to: string) => boolean {
  const list = listingOnce();
  const below = { left: maxBelow };
  return (other, mode) => {
    const { interest, wantsInput } = other;
    const looks = looksBelow(seen, interest);
    if (!wantsInput && !opens(other, () => ({ ...(looks ? withoutBelow(seen) : seen), mode }))) return false;
    if (!wantsInput && !looks) return true;
    return opens(other, () => collectFacts(call, { ...facts, mode, interest, wantsInput, list, below }));
  };
}

function withoutBelow(facts: Facts): Facts {
  const bare = (accesses: readonly PathAccess[]) => accesses.map((access) => ({ ...access, below: [], unseen: false }));
  return { ...facts, reads: bare(facts.reads), writes: bare(facts.writes) };
}

/** A policy that fails permits nothing. */
function opens(policy: Policy, facts: () => Facts): boolean {
  try {
    const effect = policy.effect(facts());
    return effect === 'allow' || effect === 'pass';
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}
