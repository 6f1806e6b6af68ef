// What a check holds by: kept in the journal with the change of mode that it opened.
import type { Unmet } from './words.ts';

/** Only what the engine saw itself, or a person gave; absent where the check says it all. */
export interface By {
  /** ISO 8601, UTC: when it was seen to hold, or given. */
  at?: string;
  /** Tool-use id of the Bash call. */
  toolUse?: string;
  exitCode?: number;
  /** Id of the subagent. */
  agent?: string;
  /** A few of the files that changed, and how many more did. */
  files?: string[];
  more?: number;
  branch?: string;
  /** Hash of the plan. */
  plan?: string;
  /** `file:line` of the policies' gates. */
  policies?: string[];
  /** Session of the person who gave it. */
  session?: string;
}

/** A check of a gate that held. */
export interface Proof extends By {
  /** As the gate says it. */
  check: string;
}

/** A gate, looked at: everything of it is in one of both. */
export interface Judged {
  unmet: Unmet[];
  proofs: Proof[];
}

const maxNames = 20;

/** The first names of a list, and how many are left. */
export function fewOf(names: readonly string[]): Pick<By, 'files' | 'more'> {
  const files = names.slice(0, maxNames);
  return names.length > files.length ? { files, more: names.length - files.length } : { files };
}

/** A proof in a line. */
export function proofLine({ check, toolUse, agent, files, more, plan, session }: Proof): string {
  const by = [
    toolUse,
    agent && `subagent ${agent}`,
    files && `${files.join(', ')}${more === undefined ? '' : ` and ${more} more`}`,
    plan?.slice(0, 12),
    session && `session ${session}`,
  ].filter((part) => part !== undefined && part !== '');
  return by.length === 0 ? check : `${check} (${by.join('; ')})`;
}

export function isUnmet(found: Unmet | Proof): found is Unmet {
  return 'missing' in found;
}

export function judgedOf(found: readonly (Unmet | Proof)[]): Judged {
  return { unmet: found.filter(isUnmet), proofs: found.filter((one): one is Proof => !isUnmet(one)) };
}
