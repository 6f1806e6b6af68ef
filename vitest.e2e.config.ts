// The plugin as it is shipped, in the real client and against faults. Every session has a home, a project and processes of its own.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts', 'test/faults/**/*.test.ts'],
    globalSetup: ['test/e2e/setup.ts'],
    setupFiles: ['test/e2e/worker.ts'],
    pool: 'forks',
    // Much of a scenario is waiting: some more of them than processors share a machine well.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
  },
});
