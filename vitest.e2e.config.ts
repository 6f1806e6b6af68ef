// The plugin as it is shipped, in the real client and against faults. Every session has a home, a project and processes of its own.
import { defineConfig } from 'vitest/config';
import { longestFirst } from './test/order.ts';

/** Begun last they would run on alone. */
const longest = ['faults-server', 'faults-state', 'faults-files', 'dialogs', 'grants', 'faults-project', 'keys', 'plan'].map(
  (name) => `test/e2e/${name}.test.ts`,
);

export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts', 'test/faults/**/*.test.ts'],
    globalSetup: ['test/e2e/setup.ts'],
    setupFiles: ['test/e2e/worker.ts'],
    pool: 'forks',
    // A scenario is half waiting: four of them keep two processors busy.
    maxWorkers: 4,
    sequence: { sequencer: longestFirst(longest) },
    // One client plays many scenarios where the state between them allows it.
    testTimeout: 240_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    teardownTimeout: 20_000,
  },
});
