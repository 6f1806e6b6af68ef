// The evaluator's result as a Verdict: every field looked at, since whatever is not understood must not become an allow.
import { EvaluationError } from './fault.ts';
import type { Hit, Verdict } from './types.ts';

const VERDICTS = new Set<unknown>(['deny', 'ask', 'allow', 'pass'] satisfies Verdict['verdict'][]);
const STEPS = new Set<unknown>(['rule', 'protection', 'uncertainty', 'default', 'open', 'policy'] satisfies Verdict['by'][]);
const POLICY_EFFECTS = new Set<unknown>(['deny', 'ask', 'allow']);
const PROTECTION_EFFECTS = new Set<unknown>(['deny', 'ask']);

/** From strict to loose: a pass leaves the call to the client's own rules, which an allow does not ask. */
const order: readonly Verdict['verdict'][] = ['deny', 'ask', 'pass', 'allow'];

/** True where the first leaves less to the agent. */
export function isStricter(one: Verdict['verdict'], other: Verdict['verdict']): boolean {
  return order.indexOf(one) < order.indexOf(other);
}

type Raw = Record<string, unknown>;

/**
 * Checks the value found at `modes/verdict` and brings its sets, which arrive in hash order, into a fixed order.
 * @throws {EvaluationError} `E_POLICY_VERDICT` when it is not a whole verdict
 */
export function readVerdict(value: unknown): Verdict {
  const raw = asObject(value, 'verdict');
  return {
    verdict: asOneOf(raw.verdict, VERDICTS, 'verdict.verdict') as Verdict['verdict'],
    by: asOneOf(raw.by, STEPS, 'verdict.by') as Verdict['by'],
    hits: asList(raw.hits, 'verdict.hits', readHit).sort(byText(hitKey)),
    unnamed: asList(raw.unnamed, 'verdict.unnamed', asIndex).sort((a, b) => a - b),
    protections: asList(raw.protections, 'verdict.protections', readProtection).sort(byText(protectionKey)),
    policies: asList(raw.policies, 'verdict.policies', readPolicy).sort(byText(policyKey)),
  };
}

function readHit(value: unknown, path: string): Hit {
  const raw = asObject(value, path);
  return {
    id: asString(raw.id, `${path}.id`),
    on: asString(raw.on, `${path}.on`),
    command: raw.command === null ? null : asIndex(raw.command, `${path}.command`),
    via: asString(raw.via, `${path}.via`),
  };
}

function readProtection(value: unknown, path: string): Verdict['protections'][number] {
  const raw = asObject(value, path);
  return {
    effect: asOneOf(raw.effect, PROTECTION_EFFECTS, `${path}.effect`) as 'deny' | 'ask',
    name: asString(raw.name, `${path}.name`),
    on: asString(raw.on, `${path}.on`),
    remedy: asString(raw.remedy, `${path}.remedy`),
  };
}

function readPolicy(value: unknown, path: string): Verdict['policies'][number] {
  const raw = asObject(value, path);
  return {
    name: asString(raw.name, `${path}.name`),
    effect: asOneOf(raw.effect, POLICY_EFFECTS, `${path}.effect`) as 'deny' | 'ask' | 'allow',
    reason: asString(raw.reason, `${path}.reason`),
    remedy: raw.remedy === null ? null : asString(raw.remedy, `${path}.remedy`),
    file: asString(raw.file, `${path}.file`),
    line: asIndex(raw.line, `${path}.line`),
  };
}

const hitKey = (hit: Hit) => `${hit.id}\0${hit.on}\0${hit.command ?? -1}\0${hit.via}`;
const protectionKey = (met: Verdict['protections'][number]) => `${met.effect}\0${met.name}\0${met.on}\0${met.remedy}`;
const policyKey = (decision: Verdict['policies'][number]) =>
  `${decision.name}\0${decision.effect}\0${decision.file}\0${decision.line}\0${decision.reason}\0${decision.remedy ?? ''}`;

/** Orders by code unit, not by locale: the same everywhere. */
function byText<T>(key: (item: T) => string): (a: T, b: T) => number {
  return (a, b) => {
    const [one, other] = [key(a), key(b)];
    return one < other ? -1 : one > other ? 1 : 0;
  };
}

function asObject(value: unknown, path: string): Raw {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed(path, 'an object');
  return value as Raw;
}

function asList<T>(value: unknown, path: string, read: (item: unknown, path: string) => T): T[] {
  if (!Array.isArray(value)) throw malformed(path, 'a list');
  return value.map((item, index) => read(item, `${path}[${index}]`));
}

function asString(value: unknown, path: string): string {
  if (typeof value !== 'string') throw malformed(path, 'a text');
  return value;
}

function asIndex(value: unknown, path: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw malformed(path, 'a whole number from 0');
  return value as number;
}

function asOneOf(value: unknown, allowed: Set<unknown>, path: string): string {
  if (!allowed.has(value)) throw malformed(path, `one of ${[...allowed].join(', ')}`);
  return value as string;
}

function malformed(path: string, expected: string): EvaluationError {
  return new EvaluationError('E_POLICY_VERDICT', `the policy's verdict is malformed: ${path} should be ${expected}`);
}
