// Parses the globs and commands of `require:` like rules. So an invalid one is reported at load, and not when a gate needs it.

import { describeProblem } from '../config/text.ts';
import type { Topology } from '../model/configuration.ts';
import type { Problem } from '../model/problem.ts';
import type { Requirement } from '../model/requirement.ts';
import { hasTooManyStars } from '../platform/glob-cost.ts';
import { parseCommandPattern } from '../rules/command.ts';
import { parsePathPattern } from '../rules/pattern.ts';
import { describeRequirement } from './requirement-text.ts';

/** Returns an error for every glob and command that is not valid. */
export function findUnreadableRequirements(topology: Topology | null, home: string): Problem[] {
  const transitions = [...(topology?.modes.values() ?? [])].flatMap((mode) => mode.transitions);
  const ofProtocols = [...(topology?.protocols.values() ?? [])].flatMap(({ name, items, source }) =>
    items
      .flatMap(({ files }) => unreadableGlobs(files, home))
      .map(({ message, remedy }) => ({
        ...describeProblem('E_REQUIRE_FORM', `A file of the protocol ${name}: ${message}.`, remedy, source.file),
        line: source.line,
        column: source.column,
      })),
  );
  const ofGates = transitions.flatMap(({ require }) =>
    require.flatMap((one) =>
      unreadable(one, home).map(({ message, remedy }) => ({
        ...describeProblem('E_REQUIRE_FORM', `${describeRequirement(one)}: ${message}.`, remedy, one.source.file),
        line: one.source.line,
        column: one.source.column,
      })),
    ),
  );
  return [...ofGates, ...ofProtocols];
}

const wild: Unreadable = { message: 'a glob has too many wildcards', remedy: 'Write it with at most four.' };

interface Unreadable {
  message: string;
  remedy: string;
}

function unreadableGlobs(globs: readonly string[], home: string): Unreadable[] {
  return globs.flatMap((glob) => {
    // The parser for deny patterns accepts everything that the one for allow patterns accepts.
    const read = parsePathPattern(glob, { home, restricts: true });
    if ('problem' in read) return [read.problem];
    return read.patterns.some(({ text }) => hasTooManyStars(text)) ? [wild] : [];
  });
}

function unreadable(requirement: Requirement, home: string): Unreadable[] {
  const globs = unreadableGlobs(globsOf(requirement), home);
  // `test/*.js` is a glob of the shell.
  if (requirement.check === 'tests' && /(?:^|[\s:])\*+(?:\s|$)/.test(requirement.command))
    return [...globs, { message: 'the engine may run this command, so it has no wildcard', remedy: 'Write the whole command.' }];
  if (requirement.check !== 'passes' && requirement.check !== 'fails' && requirement.check !== 'tests') return globs;
  const read = parseCommandPattern(requirement.command, false);
  if ('problem' in read) return [...globs, read.problem];
  const every = { message: 'this matches every command', remedy: 'Name one command.' };
  return read.commands === null ? [...globs, every] : globs;
}

function globsOf(requirement: Requirement): string[] {
  switch (requirement.check) {
    case 'passes':
    case 'fails':
      return [...(requirement.watch ?? []), ...requirement.outputs];
    case 'run':
    case 'review':
      return [...(requirement.watch ?? []), ...requirement.outputs, ...(requirement.uses ?? [])];
    case 'tests':
      return [...(requirement.watch ?? []), ...requirement.outputs, ...(requirement.uses ?? []), ...(requirement.report ?? [])];
    case 'changed':
    case 'unchanged':
      return requirement.globs;
    default:
      return [];
  }
}
