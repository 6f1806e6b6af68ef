// The `policy:` check: a condition that a custom policy returns in its `gate` set.
import type { GateEngine, PolicyGate } from './engine.ts';
import type { By } from './proof.ts';
import type { Missing } from './words.ts';

/** Limit on the places in the evidence. */
const maxPlaces = 5;

interface Condition {
  name: string;
  met: boolean;
  missing: string;
}

/**
 * Returns the places of the conditions with this name, if there is at least one and all of them are satisfied. Otherwise returns
 * what is missing.
 */
export function checkPolicy(name: string, engine: GateEngine | null): Missing | By {
  if (engine === null) return { missing: 'no policy is loaded', how: 'Run modes validate.' };
  const gates = engine.gates();
  const broken = gates.find(({ value }) => readCondition(value) === null);
  if (broken !== undefined)
    return {
      missing: `a gate of the policy ${broken.policy} is not an object with name, met and missing (${placeOf(broken)})`,
      how: 'A person must fix the policy.',
    };
  const named = gates.flatMap((gate) => {
    const condition = readCondition(gate.value);
    return condition?.name === name ? [{ gate, condition }] : [];
  });
  if (named.length === 0) {
    const where = gates.map(placeOf)[0];
    return {
      missing: `no policy has a gate ${JSON.stringify(name)} in ${engine.asked.mode}${where === undefined ? '' : ` (gates are in ${where})`}`,
      how: 'Ask a person to check the name, and when the policy defines such a gate.',
    };
  }
  const unmet = named.find(({ condition }) => !condition.met);
  return unmet === undefined
    ? { policies: named.slice(0, maxPlaces).map(({ gate }) => placeOf(gate)) }
    : { missing: `${unmet.condition.missing} (${placeOf(unmet.gate)})`, how: 'Do what is missing, then try again.' };
}

function placeOf({ file, line }: PolicyGate): string {
  return `${file}:${line}`;
}

function readCondition(value: unknown): Condition | null {
  if (typeof value !== 'object' || value === null) return null;
  const { name, met, missing, ...more } = value as Partial<Condition>;
  if (typeof name !== 'string' || typeof met !== 'boolean' || Object.keys(more).length > 0) return null;
  if (missing === undefined ? !met : typeof missing !== 'string') return null;
  return { name, met, missing: missing ?? '' };
}
