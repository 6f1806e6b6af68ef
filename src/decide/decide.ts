// facts + verdict → decision. No effects but a clock; no await.

import type { Verdict } from '../policy/types.ts';
import { collectFacts, type FactsContext } from '../tools/facts.ts';
import { MalformedInput } from '../tools/table.ts';
import type { Facts, PathAccess, ToolCall } from '../tools/types.ts';
import { exclusion } from './exclude.ts';
import { settledBy } from './settle.ts';
import type { DecidingRule, Decision } from './types.ts';

/** The policy of one mode, ready to be asked. */
export interface ModePolicy {
  /** `sha256:…` of the bundle. */
  bundle: string;
  evaluate(facts: Facts): Verdict;
  /** The rule behind an id of the verdict. */
  rule(id: string): Omit<DecidingRule, 'matched'> | null;
}

/** What a decision is made with. */
export interface Ground {
  /** null: the mode is not known, or the configuration is broken. */
  mode: string | null;
  /** Why, and what a person can do; set whenever policy is null. */
  trouble: { message: string; remedy: string } | null;
  policy: ModePolicy | null;
  /** Where there is trouble: every policy that could still be made; what one of them denies to read stays denied. */
  remaining: ModePolicy[];
  facts: FactsContext;
  /** For a mode and a denied access: where it would be right, in words; '' when nothing is known. */
  remedy(verdict: Verdict, facts: Facts): string;
}

/** Decides one call. Never throws: whatever goes wrong is a deny that says so. */
export function decide(call: ToolCall, ground: Ground, id: () => string): Decision {
  const start = performance.now();
  const base = {
    decision_id: id(),
    mode: ground.mode,
    tool: call.tool,
    rules: [],
    policies: [],
    bundle: ground.policy?.bundle ?? null,
  };
  const done = (rest: Pick<Decision, 'decision' | 'reason' | 'remedy'> & Partial<Decision>): Decision => ({
    ...base,
    facts: null,
    ...rest,
    took_us: Math.round((performance.now() - start) * 1_000),
  });
  let facts: Facts;
  try {
    facts = collectFacts(call, ground.facts);
  } catch (error) {
    const reason =
      error instanceof MalformedInput
        ? `The call is malformed: ${error.message}.`
        : `The call could not be looked at: ${errorText(error)}.`;
    return done({ decision: 'deny', reason, remedy: 'Correct the call.' });
  }
  const own = ownToolVerdict(facts);
  if (own !== null) return done({ ...own, facts });
  if (ground.trouble !== null || ground.policy === null) {
    const { message, remedy } = ground.trouble ?? { message: 'no policy is loaded', remedy: 'Run modes validate.' };
    if (!readsOnly(facts))
      return done({ decision: 'deny', reason: `Only reading inside the project is open, because ${message}.`, remedy, facts });
    const hidden = readDeny(facts, ground);
    if (hidden === null) return done({ decision: 'pass', reason: '', remedy: '', facts });
    return done({ decision: 'deny', ...hidden, facts });
  }
  try {
    const verdict = ground.policy.evaluate(facts);
    if (!verdicts.has(verdict.verdict)) throw new Error(`${JSON.stringify(verdict.verdict)} is no verdict`);
    const rules = decidingRules(verdict, ground.policy, facts);
    const { reason, remedy } = explain(verdict, rules, facts, ground);
    return done({
      decision: verdict.verdict,
      rules,
      policies: verdict.policies.map(({ name, file, line, reason }) => ({ name, file, line, reason })),
      reason,
      remedy,
      facts,
    });
  } catch (error) {
    return done({
      decision: 'deny',
      reason: `The policy of ${ground.mode} failed: ${errorText(error)}.`,
      remedy: 'Run modes validate.',
      facts,
    });
  }
}

const verdicts: ReadonlySet<unknown> = new Set<Verdict['verdict']>(['deny', 'ask', 'allow', 'pass']);

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A decision for an event that could not even be read. */
export function denyEvent(message: string, id: () => string): Decision {
  return {
    decision_id: id(),
    decision: 'deny',
    mode: null,
    tool: '',
    rules: [],
    policies: [],
    reason: `The hook event cannot be decided: ${message}.`,
    remedy: 'Report it with the output of modes status.',
    facts: null,
    bundle: null,
    took_us: 0,
  };
}

/** A decision where nothing is governed. */
export function passEvent(tool: string, id: () => string): Decision {
  return { ...denyEvent('', id), decision: 'pass', tool, reason: '', remedy: '' };
}

/** Our own tools are decided by a table, not by rules: only a deny by full name reaches them, and then the policy says so. */
function ownToolVerdict(facts: Facts): Pick<Decision, 'decision' | 'reason' | 'remedy'> | null {
  if (facts.tool.group !== 'own') return null;
  const deny = facts.protections.find((one) => one.effect === 'deny');
  return deny ? { decision: 'deny', reason: `${deny.name}: ${deny.reason}.`, remedy: deny.remedy } : null;
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

/** What a policy that is still there denies of a call that only reads; null: nothing. */
function readDeny(facts: Facts, ground: Ground): Pick<Decision, 'reason' | 'remedy' | 'rules'> | null {
  for (const policy of ground.remaining) {
    try {
      const verdict = policy.evaluate(facts);
      if (verdict.verdict !== 'deny') continue;
      const denied = verdict.policies.find((one) => one.effect === 'deny');
      if (verdict.by === 'policy' && denied)
        return { reason: `${denied.reason} (${denied.file}:${denied.line})`, remedy: denied.remedy ?? '', rules: [] };
      const rules = decidingRules(verdict, policy, facts).filter((rule) => rule.effect === 'deny');
      if (verdict.by === 'rule' && rules[0])
        return { reason: `${rules[0].text} (${rules[0].source.file}:${rules[0].source.line}) is denied.`, remedy: '', rules };
    } catch (error) {
      return { reason: `A policy failed: ${errorText(error)}.`, remedy: 'Run modes validate.', rules: [] };
    }
  }
  return null;
}

/** The rules of the deciding effect that matched, once each, those about writes first. */
function decidingRules(verdict: Verdict, policy: ModePolicy, facts: Facts): DecidingRule[] {
  const rules = new Map<string, DecidingRule & { writes: boolean }>();
  for (const hit of verdict.hits) {
    const rule = policy.rule(hit.id);
    if (rule === null) continue;
    if (verdict.verdict !== 'pass' && verdict.by === 'rule' && rule.effect !== verdict.verdict) continue;
    const writes = !/^(Read\b|@read)/.test(rule.text) && facts.writes.some((access) => meets(access, hit));
    if (!rules.has(hit.id) || (writes && !rules.get(hit.id)?.writes)) rules.set(hit.id, { ...rule, matched: hit.on, writes });
  }
  const found = [...rules.values()].sort((one, other) => Number(other.writes) - Number(one.writes));
  return found.map(({ writes: _, ...rule }) => rule);
}

function meets(access: PathAccess, hit: Verdict['hits'][number]): boolean {
  return (
    access.via === hit.via &&
    access.command === hit.command &&
    access.names.concat(access.below).some((name) => name.path === hit.on)
  );
}

function explain(verdict: Verdict, rules: DecidingRule[], facts: Facts, ground: Ground): { reason: string; remedy: string } {
  if (verdict.verdict === 'pass') return { reason: '', remedy: '' };
  const mode = ground.mode as string;
  const first = rules[0];
  const said = { deny: 'is denied', ask: "needs a person's yes", allow: 'is allowed' }[verdict.verdict];
  const remedy = ground.remedy(verdict, facts);
  switch (verdict.by) {
    case 'rule':
    case 'open': {
      if (first === undefined) return { reason: `The call ${said} in ${mode}.`, remedy };
      const { file, line } = first.source;
      const hit = verdict.hits.find((one) => one.id === first.id && one.on === first.matched);
      const open =
        hit?.via === 'an unknown word'
          ? 'a word whose value is not known could complete it'
          : `${hit?.via} writes names that are not known before`;
      const how = verdict.by === 'open' ? open : doing(hit, facts);
      const read = hit && verdict.by === 'rule' ? facts.reads.find((access) => meets(access, hit)) : undefined;
      const without = hit ? exclusion(first.text, hit.on, read, facts) : '';
      const settles = verdict.verdict === 'ask' ? `No allow lifts an ask: the line ${file}:${line} is what asks.` : remedy;
      return {
        reason: `${first.text} (${file}:${line}) ${said} in ${mode}: ${how}.`,
        remedy: [without, settles].filter((part) => part !== '').join(' '),
      };
    }
    case 'policy': {
      const policy = verdict.policies.find((one) => one.effect === verdict.verdict) ?? verdict.policies[0];
      return policy
        ? { reason: `${policy.reason} (${policy.file}:${policy.line})`, remedy: policy.remedy ?? remedy }
        : { reason: `A policy decided: the call ${said} in ${mode}.`, remedy };
    }
    case 'protection': {
      const met = verdict.protections.find((one) => one.effect === verdict.verdict) ?? verdict.protections[0];
      if (met === undefined) return { reason: `A built-in protection: the call ${said}.`, remedy };
      const guard = facts.protections.find((one) => one.name === met.name && one.effect === met.effect);
      if (guard !== undefined) return { reason: `${guard.name} ${said} in every mode: ${guard.reason}.`, remedy: met.remedy };
      return {
        reason: `${met.on === '.' ? "The project's root" : met.on} is protected in every mode (${met.name}): the call ${said}.`,
        remedy: met.remedy,
      };
    }
    case 'uncertainty': {
      const part = facts.may_write_anywhere?.[verdict.unnamed[0] ?? 0];
      const name = part ? (part.name === '' ? 'the command' : part.name) : 'the call';
      const naming = part?.kind === 'tool' ? part.name : `Bash(${part?.name || 'NAME'}:*)`;
      return {
        reason: `${name} may write files that ${mode} guards (${part?.why ?? 'it is not understood'}): the call ${said}.`,
        remedy: `${remedy === '' ? '' : `${remedy} `}An allow rule that names it settles it: ${naming}.`,
      };
    }
    default:
      return {
        reason: `No rule of ${mode} allows this call and its default is ${verdict.verdict}.`,
        remedy: verdict.verdict === 'ask' ? [remedy, settledBy(facts, mode)].filter((part) => part !== '').join(' ') : remedy,
      };
  }
}

function doing(hit: Verdict['hits'][number] | undefined, facts: Facts): string {
  if (hit === undefined) return 'the call meets it';
  const write = facts.writes.find((access) => meets(access, hit));
  if (write !== undefined) return `${hit.via} would change ${display(hit.on, write)}`;
  const read = facts.reads.find((access) => meets(access, hit));
  if (read !== undefined) return `${hit.via} would read ${display(hit.on, read)}`;
  return `the call is ${hit.on}`;
}

/** The name that a person knows: relative where there is one. */
function display(name: string, access: PathAccess): string {
  if (name === '') return "the project's root";
  if (!name.startsWith('/')) return name;
  const own = access.names.some((one) => one.path === name);
  if (own) return access.path === '.' ? "the project's root" : access.path;
  const below = access.below.find((one) => !one.path.startsWith('/') && name.endsWith(`/${one.path}`));
  return below?.path ?? name;
}
