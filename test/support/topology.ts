// A topology and changes of mode. Other processes use it too, so it does not import the test runner.
import type { Mode, Topology, Transition } from '../../src/model/configuration.ts';
import type { JournalChange } from '../../src/workflow/journal.ts';

const source = { file: '.claude/modes.yaml', line: 1, column: 1 };

/** Modes with their ways out: `{ a: ['b'], b: [] }`; the first is the default. */
export function topologyOf(ways: Record<string, (string | Partial<Transition>)[]>, changes: Partial<Topology> = {}): Topology {
  const modes = Object.entries(ways).map(([name, out]) => {
    const transitions = out.map((way) => ({
      to: '',
      constraint: null,
      require: [],
      approve: null,
      triggers: [],
      source,
      ...(typeof way === 'string' ? { to: way } : way),
    }));
    const mode: Mode = {
      name,
      title: null,
      description: null,
      role: null,
      whenToUse: null,
      promptPrefix: null,
      extends: [],
      enforcement: 'enforce',
      groups: null,
      agents: [],
      permissionMode: null,
      exitWhen: null,
      context: { warn: [], window: null },
      transitions,
      source,
    };
    return [name, mode] as const;
  });
  return {
    name: 'test',
    default: Object.keys(ways)[0] as string,
    modes: new Map(modes),
    scope: 'project',
    ci: null,
    headless: null,
    stop: null,
    protocols: new Map(),
    protectedBranches: [],
    commands: [],
    arguments: [],
    ...changes,
  };
}

export const tdd = topologyOf({ idle: ['test-dev'], 'test-dev': ['feature-dev'], 'feature-dev': ['idle'] });

export const change = (from: string | null, to: string, changes: Partial<JournalChange> = {}): JournalChange => ({
  kind: 'transition',
  from,
  to,
  actor: 'model',
  session: 'session-1',
  permissionMode: 'default',
  explanation: `${from} to ${to}`,
  ...changes,
});
