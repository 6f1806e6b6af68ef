import { defineConfig } from 'vitest/config';

const folders = ['app', 'config', 'engine', 'facts', 'rules', 'semantics', 'shell', 'workflow/context'];

/** Files that start processes, replace a module or measure. Only `make test` runs them. */
const slow = {
  config: 'example load own pins regular',
  engine: 'answer day settle shapes',
  facts: 'checkouts extents git-view hooks link-targets pathspec skipped unseen worktrees',
  semantics: 'adopt trust unknown-property',
  shell: 'cost differential mutation targets words',
};

/** `make test-fast`: the tests of rules, facts and decisions. They start no process but the compiler of policies. */
export default defineConfig({
  test: {
    include: folders.map((folder) => `test/unit/${folder}/**/*.test.ts`),
    exclude: Object.entries(slow).flatMap(([folder, names]) =>
      names.split(' ').map((name) => `test/unit/${folder}/${name}.test.ts`),
    ),
    isolate: false,
    maxWorkers: 2,
    setupFiles: ['test/support/setup.ts', 'test/support/no-processes.ts'],
    testTimeout: 60_000,
  },
});
