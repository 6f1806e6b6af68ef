import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/e2e/**', 'test/faults/**'],
    // Much of a test's time is waiting for other processes.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    testTimeout: 30_000,
  },
});
