// The restrictions that a limit puts on a call.

import type { Branches } from '../../git/branches.ts';
import type { Facts, UncertainPart } from '../../model/facts.ts';

export interface Restriction {
  decision: 'deny' | 'ask';
  reason: string;
  remedy: string;
}

/** A call that the rules decided, for the limits. */
export interface Limited {
  facts: Facts;
  home: string;
  branches: Branches;
  /** Whether an allow rule names the part, so that its writes are intended. */
  isNamed(part: UncertainPart): boolean;
}

/** Writes that no grant names by their path, except to the temporary folder and to Modes' own files. */
export function limitedWrites({ writes, granted }: Facts): Facts['writes'] {
  return writes.filter((access, at) => access.own === null && access.root !== 'temp' && !granted?.writes.includes(at));
}
