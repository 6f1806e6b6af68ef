// The plugin as it is shipped, in the real client and against faults. Every session has a home, a project and processes of its own.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts', 'test/faults/**/*.test.ts'],
    globalSetup: ['test/e2e/setup.ts'],
    setupFiles: ['test/e2e/worker.ts'],
    pool: 'forks',
    // A scenario is half waiting: four of them share two processors well.
    maxWorkers: 4,
    // One client plays many scenarios where the state between them allows it.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    teardownTimeout: 20_000,
  },
});
