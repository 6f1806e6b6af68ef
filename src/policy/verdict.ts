// Reads the result of the evaluator as a Verdict. Every field is checked, so that an invalid result never becomes an allow.

import type { Hit, Verdict } from '../model/verdict.ts';
import { EvaluationError } from './fault.ts';

const VERDICTS = new Set<unknown>(['deny', 'ask', 'allow', 'pass'] satisfies Verdict['verdict'][]);
const STEPS = new Set<unknown>(['rule', 'protection', 'uncertainty', 'default', 'open', 'policy'] satisfies Verdict['by'][]);
const POLICY_EFFECTS = new Set<unknown>(['deny', 'ask', 'allow']);
const PROTECTION_EFFECTS = new Set<unknown>(['deny', 'ask']);

type Raw = Record<string, unknown>;

/**
 * Checks the value of `modes/verdict`, and sorts its sets, which arrive in hash order.
 * @throws {EvaluationError} `E_POLICY_VERDICT` if it is not a complete verdict
 */
export function readVerdict(value: unknown): Verdict {
  const raw = asObject(value, 'verdict');
  return {
    verdict: asOneOf(raw.verdict, VERDICTS, 'verdict.verdict') as Verdict['verdict'],
    by: asOneOf(raw.by, STEPS, 'verdict.by') as Verdict['by'],
    hits: asList(raw.hits, 'verdict.hits', readHit).sort(byHit),
    unnamed: asList(raw.unnamed, 'verdict.unnamed', asIndex).sort((a, b) => a - b),
    protections: asList(raw.protections, 'verdict.protections', readProtection).sort(byProtection),
    policies: asList(raw.policies, 'verdict.policies', readPolicy).sort(byPolicy),
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

const byHit = by<Hit>(
  (hit) => hit.id,
  (hit) => hit.on,
  (hit) => hit.command ?? -1,
  (hit) => hit.via,
);
const byProtection = by<Verdict['protections'][number]>(
  (protection) => protection.effect,
  (protection) => protection.name,
  (protection) => protection.on,
  (protection) => protection.remedy,
);
const byPolicy = by<Verdict['policies'][number]>(
  (decision) => decision.name,
  (decision) => decision.effect,
  (decision) => decision.file,
  (decision) => decision.line,
  (decision) => decision.reason,
  (decision) => decision.remedy ?? '',
);

/** Orders items by these parts. Texts are compared by code unit and not by locale, so the order is the same everywhere. */
function by<T>(...parts: ((item: T) => string | number)[]): (one: T, other: T) => number {
  return (one, other) => {
    for (const part of parts) {
      const [a, b] = [part(one), part(other)];
      if (a !== b) return `${a}` < `${b}` ? -1 : 1;
    }
    return 0;
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
