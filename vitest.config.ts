import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/e2e/**', 'test/faults/**'],
    // Much of a test's time is other processes'.
    maxWorkers: '100%',
    testTimeout: 30_000,
  },
});
