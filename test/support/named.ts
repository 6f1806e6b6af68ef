// Checks that a denial names its rule, policy or protection, and the place of it.
import type { Decision } from '../../src/model/decision.ts';

/** Steps before and beside the rules: what they name is in the reason. */
const apart: ReadonlySet<Decision['by']> = new Set(['bound', 'trouble', 'call', 'fault']);

/** The decision itself. Throws where it is a denial that names nothing. */
export function named(decision: Decision): Decision {
  const { by, rules, policies, protections, reason } = decision;
  if (decision.decision !== 'deny') return decision;
  const isNamed =
    rules.some(({ source }) => source.file !== '' && source.line > 0) ||
    policies.some(({ file, line }) => file !== '' && line > 0) ||
    protections.some(({ name }) => name !== '');
  if (reason !== '' && (isNamed || apart.has(by))) return decision;
  throw new Error(`a denial names nothing: ${JSON.stringify({ ...decision, facts: null })}`);
}
