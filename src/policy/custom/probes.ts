// Each set of a custom policy as an entry point of its own: when the policies take too long, they tell which one it is.
import type { CustomPolicy } from '../bundle.ts';

export const PROBES_FILE = 'generated:probes.rego';

/** The entry point that gives one set of one policy alone; policies are counted in the order of the manifest. */
export function probeEntrypoint(policy: number, rule: string): string {
  return `modes/probes/p${policy}_${rule}`;
}

/**
 * The module `modes.probes`: a copy of each set, to be an entry point. The sets themselves cannot be: OPA takes the rules of entry
 * points out of a bundle's modules, and what refers to them then no longer compiles.
 */
export function writeProbes(policies: CustomPolicy[]): string {
  const rules = policies.flatMap(({ name, rules }, at) =>
    Object.keys(rules).map((rule) => `p${at}_${rule} := data.modes.policy[${JSON.stringify(name)}].${rule}`),
  );
  return ['package modes.probes', ...rules].join('\n\n').concat('\n');
}
