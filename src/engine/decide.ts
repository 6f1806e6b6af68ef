// Turns facts and a verdict into a decision. It has no effects except reading the clock, and no await.

import { collectFacts, type FactsContext, type WorkedIn } from '../facts/collect.ts';
import { MalformedInput } from '../facts/table.ts';
import type { DecidingRule, Decision } from '../model/decision.ts';
import type { CommandFacts, Facts, ToolCall } from '../model/facts.ts';
import type { Evaluated, Verdict } from '../model/verdict.ts';
import { EvaluationError } from '../policy/fault.ts';
import { isAboutReads } from '../rules/naming.ts';
import { hasOnlyFileGlobs, isCheck } from '../shell/checks.ts';
import { isLoopback } from '../shell/hosts.ts';
import { combine, combineVerdicts, isEffect, isRestriction, isStricter, joinGrants, type Outcome } from './combine.ts';
import type { DecisionContext, ReachedMode } from './context.ts';
import { explain } from './explain.ts';
import { evaluateWithGrants, withGrants } from './grants.ts';
import { restrictionsBy } from './limits/limits.ts';
import type { Restriction } from './limits/restriction.ts';
import { Accesses, spelledOn } from './matched-accesses.ts';
import { lackingAllow, liftedBy } from './override.ts';
import type { ModePolicy } from './policies.ts';
import { remedyOf } from './remedy.ts';
import { withoutSweeps } from './swept.ts';

type Decided = Pick<Decision, 'decision' | 'by' | 'reason' | 'remedy'> & Partial<Decision>;

/** A call with its facts. If they could not be collected, `facts` is null and `fault` is the reason. */
export interface ExaminedCall {
  call: ToolCall;
  facts: Facts | null;
  fault: string;
  workedIn: WorkedIn;
  /** Milliseconds of this process. */
  startedAt: number;
}

/**
 * The first step of a decision: what the call touches. It determines which other modes and projects the context of the decision
 * needs. Never throws.
 */
export function examine(call: ToolCall, context: FactsContext): ExaminedCall {
  const startedAt = performance.now();
  const workedIn: WorkedIn = [];
  try {
    return { call, facts: collectFacts(call, context, workedIn), fault: '', workedIn, startedAt };
  } catch (error) {
    const fault =
      error instanceof MalformedInput
        ? `The call is malformed: ${error.message} (E_CALL).`
        : `The call could not be analyzed: ${errorText(error)} (E_CALL).`;
    return { call, facts: null, fault, workedIn, startedAt };
  }
}

/** Decides one call. Never throws: any failure becomes a deny that gives the reason. */
export function decide(call: ToolCall, context: DecisionContext, id: () => string): Decision {
  return decideExamined(examine(call, context.facts), context, id);
}

/** Decides a call whose facts were collected in this context. */
export function decideExamined(examined: ExaminedCall, context: DecisionContext, id: () => string): Decision {
  const { call, facts, startedAt: start } = examined;
  const done = (decided: Decided): Decision => ({
    decision_id: id(),
    decision: decided.decision,
    mode: context.mode,
    tool: call.tool,
    by: decided.by,
    rules: decided.rules ?? [],
    also: decided.also ?? [],
    policies: decided.policies ?? [],
    protections: decided.protections ?? [],
    reason: decided.reason,
    remedy: decided.remedy,
    ...(decided.advice !== undefined && { advice: decided.advice }),
    ...(decided.verifiable !== undefined && { verifiable: decided.verifiable }),
    ...(decided.grants !== undefined && { grants: decided.grants }),
    ...(decided.evaluator !== undefined && { evaluator: decided.evaluator }),
    facts: decided.facts ?? null,
    bundle: context.policy?.bundle ?? null,
    took_us: Math.round((performance.now() - start) * 1_000),
  });
  if (facts === null)
    return done({ decision: 'deny', by: 'call', reason: examined.fault, remedy: 'Simplify or correct the call.' });
  const ofTool = modesToolVerdict(facts);
  if (ofTool !== null) return done({ ...ofTool, facts });
  if (context.degraded !== null || context.policy === null) {
    const { message, remedy } = context.degraded ?? { message: 'no policy is loaded', remedy: 'Run modes validate.' };
    if (!readsOnly(facts))
      return done({
        decision: 'deny',
        by: 'trouble',
        reason: `Only reading inside the project is allowed, because ${message}.`,
        remedy,
        facts,
      });
    const hidden = readDeny(facts, context);
    if (hidden === null) return done({ decision: 'pass', by: 'trouble', reason: '', remedy: '', facts });
    const helps = `Reads that some mode denies stay denied while ${message}. ${remedy}`;
    return done({ decision: 'deny', ...hidden, remedy: hidden.remedy === '' ? helps : hidden.remedy, facts });
  }
  const own = decideByPolicy('mode', { mode: context.mode, policy: context.policy }, facts, context, call);
  const others = [
    ...(context.forSubagent ?? []).map((one) => decideByPolicy('subagent', one, facts, context, call)),
    ...(context.reached ?? []).flatMap((one) => decideInWorktree(one, facts, context, call) ?? []),
  ];
  const first = combine(own, ...others);
  const grants = joinGrants(...[own, ...others].map((one) => one.grants));
  const effectiveFacts = first.granted === undefined ? facts : { ...facts, granted: first.granted };
  const { limits = [], grantState: activeGrants = null } = context;
  const { place } = context.facts;
  const restrictions =
    limits.length === 0
      ? []
      : restrictionsBy(limits, first, { facts: withGrants(effectiveFacts, activeGrants, place), place, call });
  const limited = combine(first, ...restrictions.map((one) => limitedBy(one, first)));
  const advice = limited === first ? adviceOf(first.decision, facts, context, call) : null;
  return done(Object.assign({}, limited, advice, grants === undefined ? null : { grants }, { facts: effectiveFacts }));
}

type PolicyDecision = Outcome &
  Omit<Decision, 'decision_id' | 'mode' | 'tool' | 'facts' | 'bundle' | 'took_us'> &
  Pick<Facts, 'granted'>;

/** A limit decides without rules. Earlier matches are still shown. */
function limitedBy(restriction: Restriction, first: PolicyDecision): PolicyDecision {
  const { verifiable: _, ...rest } = first;
  return { ...rest, ...restriction, from: 'limit', by: 'bound', rules: [], policies: [], protections: [] };
}

/** The outcome by the mode of another worktree; null if it adds nothing. If that mode is unknown, only reading is allowed there. */
function decideInWorktree(
  { mode, policy, degraded: fault }: ReachedMode,
  facts: Facts,
  context: DecisionContext,
  call: ToolCall,
): PolicyDecision | null {
  if (fault === null) {
    if (mode === context.mode) return null;
    const there = decideByPolicy('worktree', { mode, policy }, facts, context, call);
    return { ...there, reason: `${there.reason} The call touches a worktree in that mode.` };
  }
  if (readsOnly(facts)) return null;
  const reason = `The call touches another worktree, where only reading is allowed, because ${fault}.`;
  const remedy = 'Work in this worktree, or let a person set the mode of the other one.';
  return {
    from: 'worktree',
    decision: 'deny',
    by: 'trouble',
    rules: [],
    also: [],
    protections: [],
    policies: [],
    reason,
    remedy,
  };
}

/** Evaluates one policy for a call. A policy that fails or is missing denies. */
function decideByPolicy(
  from: Outcome['from'],
  { mode, policy }: { mode: string | null; policy: ModePolicy | null },
  facts: Facts,
  context: DecisionContext,
  call: ToolCall,
): PolicyDecision {
  try {
    if (policy === null) throw new Error('it is missing');
    const its = factsFor(mode, policy, facts, context);
    let evaluator: Evaluated | undefined;
    const evaluate = (facts: Facts): Verdict => {
      if (policy.evaluateWithServer === undefined) return policy.evaluate(facts);
      const evaluation = policy.evaluateWithServer(facts);
      evaluator = evaluation.evaluator;
      return combineVerdicts(evaluation.verdicts);
    };
    const evaluated = context.grantState
      ? evaluateWithGrants(context.grantState, its, context.facts.place, evaluate)
      : { verdict: evaluate(its), facts: its, used: [] };
    const { used } = evaluated;
    if (!isEffect(evaluated.verdict.verdict)) throw new Error(`${JSON.stringify(evaluated.verdict.verdict)} is not a verdict`);
    const isUncertain = evaluated.verdict.verdict === 'ask' && evaluated.verdict.by === 'uncertainty';
    const verdict: Verdict =
      isUncertain && policy.uncertain === 'deny' ? { ...evaluated.verdict, verdict: 'deny' } : evaluated.verdict;
    const verifiable = isUncertain && policy.uncertain === 'verify' ? verifiableAs(evaluated.facts, evaluate) : null;
    const { rules, also } = matchedRules(verdict, policy, its);
    const { reason, remedy } = withGrant(
      explain(verdict, rules, its, {
        mode: mode as string,
        remedy: () =>
          typeof context.remedy === 'string'
            ? context.remedy
            : remedyOf(context.remedy, { mode: context.mode, verdict, call, facts: its, context: context.facts }),
        lacking: () => lackingAllow(evaluated.facts, { place: context.facts.place, policy }),
      }),
      liftedBy(verdict, evaluated.facts, { place: context.facts.place, policy }),
    );
    return {
      from,
      decision: verdict.verdict,
      by: verdict.by,
      rules,
      also,
      protections: decidingProtections(verdict).map(({ name, on }) => ({ name, on })),
      policies: verdict.policies.map(({ name, effect, file, line, reason }) => ({ name, effect, file, line, reason })),
      reason,
      remedy,
      ...(verifiable !== null && { verifiable }),
      ...(evaluator !== undefined && { evaluator }),
      ...(used.length > 0 && { grants: used.map(({ id, counted }) => ({ id, counted })) }),
      ...(evaluated.facts.granted !== undefined && { granted: evaluated.facts.granted }),
    };
  } catch (error) {
    return {
      from,
      decision: 'deny',
      by: 'fault',
      rules: [],
      also: [],
      protections: [],
      policies: [],
      ...failure(`The policy of ${mode}`, error),
    };
  }
}

function factsFor(mode: string | null, { uncertain }: ModePolicy, facts: Facts, context: DecisionContext): Facts {
  const its = mode === null || mode === facts.mode ? facts : { ...facts, mode };
  return uncertain === 'verify' ? withoutSweeps(its, context.facts) : its;
}

/** Returns the advice for a call that goes on although rules that only advise are against it. */
function adviceOf(
  decided: Decision['decision'],
  facts: Facts,
  context: DecisionContext,
  call: ToolCall,
): Pick<Decision, 'advice'> {
  if (!context.strict || isRestriction(decided)) return {};
  const { decision, reason } = decideByPolicy('mode', { mode: context.mode, policy: context.strict }, facts, context, call);
  return isStricter(decision, decided) && reason !== '' ? { advice: `${context.mode} advises against this call: ${reason}` } : {};
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Why a policy gave no verdict, with its code and place if it has them. */
function failure(what: string, error: unknown): Pick<Decision, 'reason' | 'remedy'> {
  if (!(error instanceof EvaluationError))
    return { reason: `${what} failed: ${errorText(error)}.`, remedy: 'Run modes validate.' };
  const { code, message, file, line, remedy } = error;
  const where = file === null || message.includes(file) ? '' : ` (${file}:${line ?? 1})`;
  return { reason: `${what} failed: ${message}${where} (${code}).`, remedy };
}

/** The decision for an event that could not be read. */
export function denyEvent(message: string, id: () => string): Decision {
  return {
    decision_id: id(),
    decision: 'deny',
    mode: null,
    tool: '',
    by: 'call',
    rules: [],
    also: [],
    policies: [],
    protections: [],
    reason: `The hook event cannot be decided: ${message} (E_CALL).`,
    remedy: 'Simplify the call. If the client made it by itself, report it with the output of modes status.',
    facts: null,
    bundle: null,
    took_us: 0,
  };
}

/** The decision in a folder that Modes does not govern. */
export function passEvent(tool: string, id: () => string): Decision {
  return { ...denyEvent('', id), decision: 'pass', tool, reason: '', remedy: '' };
}

/**
 * Modes' own tools are decided by a table, not by rules. Only a deny by full name applies to them, which is a protection in the
 * facts.
 */
function modesToolVerdict(facts: Facts): Pick<Decision, 'decision' | 'by' | 'reason' | 'remedy' | 'protections'> | null {
  if (facts.tool.group !== 'own') return null;
  const deny = facts.protections.find((one) => one.effect === 'deny');
  if (deny === undefined) return null;
  const protections = [{ name: deny.name, on: facts.tool.name }];
  return { decision: 'deny', by: 'protection', reason: `${deny.name}: ${deny.reason}.`, remedy: deny.remedy, protections };
}

/** True for a call that only reads, inside the project or the temporary folder, and is fully understood. */
export function readsOnly(facts: Facts): boolean {
  if (facts.tool.group === 'own' || facts.tool.group === 'meta') return true;
  if (
    !facts.tool.known ||
    facts.may_write_anywhere !== null ||
    facts.writes.length > 0 ||
    facts.domains.length > 0 ||
    facts.agents.length > 0
  )
    return false;
  if (facts.tool.group !== 'read' && facts.tool.group !== 'command') return false;
  if (facts.tool.group === 'command' && (facts.bash === null || facts.bash.class !== 'read-only' || facts.bash.network))
    return false;
  return facts.protections.length === 0 && facts.reads.every((read) => read.own !== null || read.root !== 'outside');
}

/** Returns the deny of a remaining policy for a call that only reads; null if none denies it. */
function readDeny(
  facts: Facts,
  context: DecisionContext,
): Pick<Decision, 'by' | 'reason' | 'remedy' | 'rules' | 'policies'> | null {
  for (const policy of context.remaining) {
    try {
      const verdict = policy.evaluate(facts);
      if (verdict.verdict !== 'deny') continue;
      const denied = verdict.policies.find((one) => one.effect === 'deny');
      if (verdict.by === 'policy' && denied) {
        const { name, effect, file, line, reason } = denied;
        const policies = [{ name, effect, file, line, reason }];
        return { by: 'policy', reason: `${reason} (${file}:${line})`, remedy: denied.remedy ?? '', rules: [], policies };
      }
      const { rules } = matchedRules(verdict, policy, facts);
      if (verdict.by === 'rule' && rules[0]) {
        const reason = `${rules[0].text} (${rules[0].source.file}:${rules[0].source.line}) is denied.`;
        return { by: 'rule', reason, remedy: '', rules, policies: [] };
      }
    } catch (error) {
      return { by: 'fault', ...failure('A policy', error), rules: [], policies: [] };
    }
  }
  return null;
}

/** The protections with the decided effect. If a default turned an ask into a deny, the protections that ask. */
function decidingProtections({ verdict, by, protections }: Verdict): Verdict['protections'] {
  const deciding = protections.filter(({ effect }) => effect === verdict);
  return deciding.length === 0 && by === 'protection' ? protections : deciding;
}

/** The rules that matched, each once, those about writes first. `rules` decided; `also` did not. */
function matchedRules(verdict: Verdict, policy: ModePolicy, facts: Facts): Pick<Decision, 'rules' | 'also'> {
  const found: { id: string; rule: Omit<DecidingRule, 'matched'>; on: string; writes: boolean }[] = [];
  const written = new Accesses(facts.writes);
  const read = new Accesses(facts.reads);
  // If a rule has several hits, one of a command comes first. So the result does not depend on the order in which an evaluator
  // lists them.
  for (const hit of [...verdict.hits].sort((one, other) => Number(one.command === null) - Number(other.command === null))) {
    const rule = policy.rule(hit.id);
    if (rule === null) continue;
    const write = isAboutReads(rule.text) ? undefined : written.first(hit);
    const writes = write !== undefined;
    const before = found.find(({ id }) => id === hit.id);
    if (before !== undefined && (before.writes || !writes)) continue;
    const on = spelledOn(hit, write ?? read.first(hit));
    if (before === undefined) found.push({ id: hit.id, rule, on, writes });
    else Object.assign(before, { on, writes });
  }
  const matched: DecidingRule[] = [];
  for (const one of found) if (one.writes) matched.push(Object.assign({}, one.rule, { matched: one.on }));
  for (const one of found) if (!one.writes) matched.push(Object.assign({}, one.rule, { matched: one.on }));
  const { verdict: effect, by } = verdict;
  if (by === 'default' || by === 'uncertainty') {
    const on =
      by === 'default' ? facts.tool.name : (facts.may_write_anywhere?.[verdict.unnamed[0] ?? 0]?.name ?? facts.tool.name);
    const stepRules = effect === 'pass' ? [] : (policy.explainStep?.(by, effect) ?? []);
    return { rules: stepRules.map((rule) => ({ ...rule, matched: on })), also: matched };
  }
  const decided = (rule: DecidingRule): boolean =>
    by === 'open' ? rule.effect !== 'allow' : by === 'rule' && (effect === 'pass' || rule.effect === effect);
  return { rules: matched.filter(decided), also: matched.filter((rule) => !decided(rule)) };
}

/** Puts the command that a person can type at the end of the remedy. */
function withGrant({ reason, remedy }: { reason: string; remedy: string }, lifted: string): { reason: string; remedy: string } {
  // The text of a policy may end without a full stop.
  const ended = lifted === '' || /(?:^|[.!?…])$/.test(remedy) ? remedy : `${remedy}.`;
  return { reason, remedy: [ended, lifted].filter((part) => part !== '').join(' ') };
}

/**
 * The decision if the guarded files are compared after the run, because the only problem is a program that may write what the
 * mode guards; null if the call must not run on that condition. Its effects elsewhere cannot be seen afterwards, so a call with
 * more effects still asks.
 * @param evaluate the policy, to see what remains without the uncertainty
 */
function verifiableAs(facts: Facts, evaluate: (facts: Facts) => Verdict): Decision['verifiable'] | null {
  const { bash, may_write_anywhere: parts } = facts;
  if (bash === null || parts === null || facts.tool.extra.length > 0 || facts.domains.some(({ host }) => !isLoopback(host)))
    return null;
  if (parts.some((part) => part.kind !== 'command' || part.class !== 'runs' || part.anything)) return null;
  if (bash.commands.some((command) => isRemote(command) || (command.network && !isQuery(command)))) return null;
  if (facts.writes.some(({ root, own }) => own === null && (root === 'outside' || root === 'worktree'))) return null;
  const { verdict } = evaluate({ ...facts, may_write_anywhere: null });
  if (verdict !== 'allow' && verdict !== 'pass') return null;
  const programs = new Set(parts.map(({ command }) => command));
  const isOnlyPrograms = bash.commands.every((command, at) => programs.has(at) || command.class === 'read-only');
  const isInside = facts.reads.every(({ root, own }) => own !== null || root !== 'outside');
  return verdict === 'allow' || (isOnlyPrograms && isInside) ? 'allow' : 'pass';
}

/** A query of a service that changes nothing there, or of this machine. */
function isQuery({ tags = [] }: CommandFacts): boolean {
  return tags.includes('network-read');
}

/** A word that is not known until the run could name anything, unless the command only reads with every word. */
function isRemote({ argv, text, tags = [], class: given }: CommandFacts): boolean {
  const first = argv.indexOf(null);
  const known = argv.slice(0, Math.max(first, 0)) as string[];
  // `kill` of class `runs` has only numbers of jobs that the call started.
  const isOpen = given !== 'read-only' && first !== -1 && argv[0] !== 'kill' && !hasOnlyFileGlobs(text);
  return (isOpen && !isCheck(known, known.join(' '))) || tags.includes('database') || tags.includes('deploy');
}
