// What `require:` names is read as rules are, so what cannot be read is told before a gate meets it.

import type { Problem } from '../config/problem.ts';
import { describeRequirement, type Requirement } from '../config/requirements.ts';
import { describeProblem } from '../config/text.ts';
import type { Topology } from '../config/types.ts';
import { parseCommandPattern } from '../rules/command.ts';
import { parsePathPattern } from '../rules/pattern.ts';

/** An error for every glob and command that means nothing. */
export function findUnreadableRequirements(topology: Topology | null, home: string): Problem[] {
  const transitions = [...(topology?.modes.values() ?? [])].flatMap((mode) => mode.transitions);
  return transitions.flatMap(({ require }) =>
    require.flatMap((one) =>
      unreadable(one, home).map(({ message, remedy }) => ({
        ...describeProblem('E_REQUIRE_FORM', `${describeRequirement(one)}: ${message}.`, remedy, one.source.file),
        line: one.source.line,
        column: one.source.column,
      })),
    ),
  );
}

interface Unreadable {
  message: string;
  remedy: string;
}

function unreadable(requirement: Requirement, home: string): Unreadable[] {
  const globs = globsOf(requirement).flatMap((glob) => {
    // What deny reads, allow reads too.
    const read = parsePathPattern(glob, { home, narrow: true });
    return 'problem' in read ? [read.problem] : [];
  });
  if (requirement.check !== 'passes' && requirement.check !== 'fails') return globs;
  const read = parseCommandPattern(requirement.command, false);
  if ('problem' in read) return [...globs, read.problem];
  const every = { message: 'this is every command', remedy: 'Name the command that is meant.' };
  return read.commands === null ? [...globs, every] : globs;
}

function globsOf(requirement: Requirement): string[] {
  switch (requirement.check) {
    case 'passes':
    case 'fails':
      return [...(requirement.watch ?? []), ...requirement.outputs];
    case 'changed':
    case 'unchanged':
      return requirement.globs;
    default:
      return [];
  }
}
