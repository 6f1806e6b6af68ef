import { defineConfig } from 'vitest/config';

/** Files that put something in the place of a module of ours: each has its modules to itself. */
const replacing = ['bash/mutation', 'semantics/trust', 'tools/unseen'].map((name) => `test/unit/${name}.test.ts`);
/**
 * Rooms whose tests start hundreds of processes. A process of Node is copied before each start, at 70 ms a gigabyte, and one that is
 * shared by many files grows: here each file has its own.
 */
const starting = [
  'cli',
  'dashboard',
  'docs',
  'doctor',
  'hooks',
  'log',
  'mcp',
  'plugin',
  'replay',
  'server',
  'suggest',
  'workflow',
].map((room) => `test/unit/${room}/**/*.test.ts`);

export default defineConfig({
  test: {
    // Much of a test's time is waiting for other processes: three keep two cores busy.
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: { name: 'shared', include: ['test/unit/**/*.test.ts'], exclude: [...replacing, ...starting], isolate: false },
      },
      { extends: true, test: { name: 'apart', include: [...replacing, ...starting] } },
    ],
    setupFiles: ['test/unit/setup.ts'],
    testTimeout: 60_000,
  },
});
