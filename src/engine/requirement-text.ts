// A requirement of a gate in words.

import type { Requirement, TestDemand } from '../model/requirement.ts';
import { describeGlobs } from '../rules/glob-words.ts';

/** A demand in the words of the configuration. */
const demandWords: Readonly<Record<TestDemand, string>> = {
  'new failure': 'failing: new',
  'all pass': 'passing: all',
  same: 'same: true',
};

/** A requirement on one line, as a person wrote it. A long list of globs is summarized. */
export function describeRequirement(requirement: Requirement): string {
  switch (requirement.check) {
    case 'passes':
    case 'fails':
    case 'run':
    case 'review':
      return `${requirement.check}: ${requirement.command}${requirement.in === null ? '' : ` (in ${requirement.in})`}`;
    case 'tests':
      return `tests: ${requirement.command}, ${demandWords[requirement.demand]}${requirement.in === null ? '' : ` (in ${requirement.in})`}`;
    case 'changed':
    case 'unchanged':
      return `${requirement.check}: ${describeGlobs(requirement.globs)}`;
    case 'file':
      return `file: ${requirement.path}${requirement.exists ? '' : ' (must not exist)'}`;
    case 'git':
      return requirement.clean ? 'git: clean' : `branch: ${requirement.branch}`;
    case 'agent':
      return `agent: ${requirement.type}`;
    case 'policy':
      return `policy: ${requirement.name}`;
    case 'plan':
      return `plan: ${requirement.state}${requirement.state === 'complete' ? ' (according to the agent)' : ''}`;
    case 'after':
      return `after: ${Math.round(requirement.time / 1000)} s`;
  }
}
