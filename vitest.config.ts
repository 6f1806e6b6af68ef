import { readdirSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { longestFirst } from './test/order.ts';

/** Files that replace a module of the project. Each needs its own modules. */
const replacing = ['shell/mutation', 'semantics/trust', 'facts/unseen'];
/** Files that measure their own process. */
const measuring = ['engine/shapes'];
/**
 * The folders of `make test-programs`: their tests start the programs (command line, servers, hooks, compiler), hundreds of processes.
 * Before each start, Node's process is forked, which takes 70 ms per gigabyte. A process that runs many files grows, so each of these
 * files has its own.
 */
const starting = ['adapters', 'docs', 'doctor', 'fuzz', 'hooks', 'plugin', 'policy', 'replay', 'store/log', 'suggest', 'teams'];
/** Files of other folders that do. */
const startingFiles = ['channels', 'every-tool', 'processes'].map((name) => `workflow/${name}`);

/** Rules, facts and decisions: the folders of `make test-fast`. */
const deciding = ['app', 'config', 'engine', 'facts', 'rules', 'semantics', 'shell', 'workflow/context'];
/** Their files that start processes or run for many seconds. */
const slow = [
  ...['advise', 'fit'].map((name) => `app/setup/${name}`),
  ...['example', 'hostile', 'load', 'own', 'pins', 'regular'].map((name) => `config/${name}`),
  ...['answer', 'day', 'settle'].map((name) => `engine/${name}`),
  ...['checkouts', 'extents', 'git-view', 'hooks', 'link-targets', 'pathspec', 'skipped', 'worktrees'].map(
    (name) => `facts/${name}`,
  ),
  ...['adopt', 'trust-of-checkouts', 'unknown-property'].map((name) => `semantics/${name}`),
  ...['cost', 'differential', 'guarded', 'targets', 'words'].map((name) => `shell/${name}`),
];

/** The slowest files start first. Otherwise one of them would run alone at the end. */
const longest = [
  'adapters/cli/policy-verbs',
  'adapters/mcp/server',
  'adapters/mcp/grants',
  'hooks/client-socket',
  'adapters/cli/rego-guide',
  'adapters/cli/policy-coverage',
  'workflow/channels',
  'workflow/every-tool',
  'fuzz/fuzz',
  'adapters/cli/json',
  'doctor/doctor',
  'store/log/cli',
  'policy/absent',
  'policy/check',
  'policy/faults',
  'policy/lastgood',
  'policy/builtins',
  'engine/keys',
  'engine/surprises',
  'policy/compiler/compiler',
];

const folder = 'test/unit';
const suffix = '.test.ts';
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith(suffix))
  .map((name) => name.slice(0, -suffix.length));
const isIn = (name: string, folders: readonly string[]): boolean => folders.some((one) => name.startsWith(`${one}/`));

function projectOf(name: string): 'alone' | 'fast' | 'programs' | 'shared' {
  if (replacing.includes(name) || measuring.includes(name)) return 'alone';
  if (isIn(name, starting) || startingFiles.includes(name)) return 'programs';
  return isIn(name, deciding) && !slow.includes(name) ? 'fast' : 'shared';
}

const filesOf = (project: string): string[] =>
  names.filter((name) => projectOf(name) === project).map((name) => `${folder}/${name}${suffix}`);

export default defineConfig({
  test: {
    // Tests often wait for other processes and the disk, so four workers keep two cores busy.
    maxWorkers: 4,
    projects: [
      { extends: true, test: { name: 'shared', include: filesOf('shared'), isolate: false } },
      {
        extends: true,
        test: { name: 'fast', include: filesOf('fast'), isolate: false, setupFiles: ['test/support/no-processes.ts'] },
      },
      { extends: true, test: { name: 'alone', include: filesOf('alone') } },
      { extends: true, test: { name: 'programs', include: filesOf('programs') } },
    ],
    sequence: { sequencer: longestFirst(longest.map((name) => `${folder}/${name}${suffix}`)) },
    setupFiles: ['test/support/setup.ts'],
    testTimeout: 180_000,
    // A poll usually succeeds at once. It takes longer on a busy machine.
    expect: { poll: { timeout: 30_000, interval: 20 } },
    hookTimeout: 120_000,
  },
});
