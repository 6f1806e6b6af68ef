import { defineConfig } from 'vitest/config';
import { longestFirst } from './test/order.ts';

/** Files that put something in the place of a module of ours: each has its modules to itself. */
const replacing = ['shell/mutation', 'semantics/trust', 'facts/unseen'].map((name) => `test/unit/${name}.test.ts`);
/**
 * Rooms whose tests start hundreds of processes. A process of Node is copied before each start, at 70 ms a gigabyte, and one that is
 * shared by many files grows: here each file has its own.
 */
const starting = ['adapters', 'docs', 'doctor', 'hooks', 'plugin', 'replay', 'store/log', 'suggest'].map(
  (room) => `test/unit/${room}/**/*.test.ts`,
);

/** Files that look at what the process itself does. */
const measuring = ['test/unit/engine/shapes.test.ts'];

/** Files that take longest, by their own processor time or by what they wait for: begun last they would run on alone. */
const longest = [
  'adapters/cli/policy-verbs',
  'adapters/mcp/server',
  'adapters/mcp/grants',
  'hooks/client-socket',
  'adapters/cli/rego-guide',
  'adapters/cli/policy-coverage',
  'workflow/channels',
  'adapters/cli/json',
  'doctor/doctor',
  'store/log/cli',
  'policy/faults',
  'policy/lastgood',
  'policy/builtins',
  'engine/keys',
  'engine/surprises',
  'policy/compiler/compiler',
].map((name) => `test/unit/${name}.test.ts`);

export default defineConfig({
  test: {
    // Much of a test's time is waiting for other processes and the disk: four keep two cores busy.
    maxWorkers: 4,
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/unit/**/*.test.ts'],
          exclude: [...replacing, ...starting, ...measuring],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'apart', include: [...replacing, ...starting, ...measuring] } },
    ],
    sequence: { sequencer: longestFirst(longest) },
    setupFiles: ['test/support/setup.ts'],
    testTimeout: 60_000,
    // What is waited for comes at once, except on a machine that has much else to do.
    expect: { poll: { timeout: 30_000, interval: 20 } },
    hookTimeout: 60_000,
  },
});
