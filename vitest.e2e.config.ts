// The plugin as it is shipped, in the real client and against faults. Every session has a home, a project and processes of its own.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts', 'test/faults/**/*.test.ts'],
    globalSetup: ['test/e2e/setup.ts'],
    setupFiles: ['test/e2e/worker.ts'],
    pool: 'forks',
    // Most of a scenario is waiting: two of them share a small machine well.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
  },
});
