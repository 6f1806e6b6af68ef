import { defineConfig } from 'vitest/config';
import { longestFirst } from './test/order.ts';

/** Files that replace a module of the project. Each needs its own modules. */
const replacing = ['shell/mutation', 'semantics/trust', 'facts/unseen'].map((name) => `test/unit/${name}.test.ts`);
/**
 * Folders with tests that start hundreds of processes. Before each start, Node's process is forked, which takes 70 ms per gigabyte. A
 * process that runs many files grows, so each of these files has its own.
 */
const starting = ['adapters', 'docs', 'doctor', 'hooks', 'plugin', 'replay', 'store/log', 'suggest'].map(
  (folder) => `test/unit/${folder}/**/*.test.ts`,
);

/** Files that measure their own process. */
const measuring = ['test/unit/engine/shapes.test.ts'];

/** The slowest files start first. Otherwise one of them would run alone at the end. */
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
    // Tests often wait for other processes and the disk, so four workers keep two cores busy.
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
    testTimeout: 180_000,
    // A poll usually succeeds at once. It takes longer on a busy machine.
    expect: { poll: { timeout: 30_000, interval: 20 } },
    hookTimeout: 120_000,
  },
});
