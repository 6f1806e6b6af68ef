// An entrypoint for each set of a custom policy. If the policies take too long, these entrypoints show which one.
import type { CustomPolicy } from '../bundle.ts';

export const PROBES_FILE = 'generated:probes.rego';

/** The entrypoint of one set of one policy. Policies are counted in the order of the manifest. */
export function probeEntrypoint(policy: number, rule: string): string {
  return `modes/probes/p${policy}_${rule}`;
}

/**
 * The module `modes.probes`: a copy of each set as an entrypoint. The sets themselves cannot be entrypoints: OPA removes the
 * rules of entrypoints from a bundle's modules, and then references to them no longer compile.
 */
export function writeProbes(policies: CustomPolicy[]): string {
  const rules = policies.flatMap(({ name, rules }, at) =>
    Object.keys(rules).map((rule) => `p${at}_${rule} := data.modes.policy[${JSON.stringify(name)}].${rule}`),
  );
  return ['package modes.probes', ...rules].join('\n\n').concat('\n');
}
