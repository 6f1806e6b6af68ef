// Evidence for a check. The journal stores it with the change of mode that it permitted.
import type { Unmet } from './unmet.ts';

/** Only observations of Modes itself or approvals of a person. Absent if the check needs no more. */
export interface By {
  /** ISO 8601, UTC: when the check was seen to hold, or the approval was given. */
  at?: string;
  /** Tool-use id of the Bash call. */
  toolUse?: string;
  exitCode?: number;
  /** Id of the subagent. */
  agent?: string;
  /** Some of the files that changed, and how many more did. */
  files?: string[];
  more?: number;
  branch?: string;
  /** The runner of tests, and titles of tests that decided. */
  runner?: string;
  tests?: string[];
  /** Hash of the plan. */
  plan?: string;
  /** `file:line` of the policies' gates. */
  policies?: string[];
  /** Session of the person who approved. */
  session?: string;
}

/** A satisfied check of a gate. */
export interface GateProof extends By {
  /** The check in the words of the gate. */
  check: string;
}

/** The result for a gate: each requirement is in one of the lists. */
export interface RequirementResult {
  unmet: Unmet[];
  proofs: GateProof[];
}

const maxNames = 20;

/** The first names of a list, and the number of the others. */
export function fewOf(names: readonly string[]): Pick<By, 'files' | 'more'> {
  const files = names.slice(0, maxNames);
  return names.length > files.length ? { files, more: names.length - files.length } : { files };
}

/** The evidence in one line. */
export function proofLine({ check, toolUse, agent, files, more, tests, plan, session }: GateProof): string {
  const by = [
    toolUse,
    agent && `subagent ${agent}`,
    files && `${files.join(', ')}${more === undefined ? '' : ` and ${more} more`}`,
    tests?.join(', '),
    plan?.slice(0, 12),
    session && `session ${session}`,
  ].filter((part) => part !== undefined && part !== '');
  return by.length === 0 ? check : `${check} (${by.join('; ')})`;
}

export function isUnmet(found: Unmet | GateProof): found is Unmet {
  return 'missing' in found;
}

export function requirementResultOf(found: readonly (Unmet | GateProof)[]): RequirementResult {
  return { unmet: found.filter(isUnmet), proofs: found.filter((one): one is GateProof => !isUnmet(one)) };
}
