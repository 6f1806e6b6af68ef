// Who may import whom. A rule's name is what a person reads when the check fails.

/** Rooms of src/, top floor first: a room imports from itself and from lower floors, never upwards. */
const floors = [
  ['cli'],
  ['mcp'],
  ['server', 'dashboard', 'interop'],
  ['workflow'],
  ['findings'],
  ['teams'],
  ['log', 'picture'],
  ['context'],
  ['decide'],
  ['policy'],
  ['rules'],
  ['tools'],
  ['bash'],
  ['config'],
];

const rooms = [...floors.flat(), 'rego'];
const anyOf = (names) => `^src/(${names.join('|')})/`;

/** Nor from a neighbour on its floor: so rooms make no circles. */
const noWayUp = floors.flatMap((floor, index) =>
  floor.map((room) => ({
    name: `${room}-imports-from-below`,
    comment: `${room} must work without the rooms above it and beside it`,
    severity: 'error',
    from: { path: anyOf([room]) },
    to: { path: anyOf([...floors.slice(0, index), floor].flat().filter((other) => other !== room)) },
  })),
);

module.exports = {
  forbidden: [
    ...noWayUp,
    {
      name: 'config-imports-nothing-of-ours',
      comment: 'the words of the configuration are the ground everything stands on',
      severity: 'error',
      from: { path: '^src/config/' },
      to: { path: '^src/', pathNot: '^src/config/' },
    },
    {
      name: 'rego-imports-only-problem',
      comment: 'the compiler host runs in a child process of its own and knows Rego, not modes',
      severity: 'error',
      from: { path: '^src/rego/' },
      to: { path: '^src/', pathNot: ['^src/rego/', '^src/config/problem\\.ts$'] },
    },
    {
      name: 'every-room-has-a-floor',
      comment: 'a new room of src/ needs a place in `floors` first',
      severity: 'error',
      from: { path: '^src/', pathNot: anyOf(rooms) },
      to: {},
    },
    {
      name: 'no-import-from-a-room-without-floor',
      severity: 'error',
      from: {},
      to: { path: '^src/', pathNot: anyOf(rooms) },
    },
    {
      name: 'no-circle-of-files',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'sources-import-sources-only',
      comment: 'what is shipped stands in src/; tests and scripts stay behind',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|scripts|examples|hooks|dist)/' },
    },
    {
      name: 'decide-and-rules-have-no-effects',
      comment: 'files, clocks, sockets and processes come in as arguments',
      severity: 'error',
      from: { path: anyOf(['decide', 'rules', 'bash']) },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(path|crypto|util|perf_hooks)$' },
    },
    {
      name: 'one-shot-stays-small',
      comment: 'the one-shot process starts for a single answer: nothing of the server or the command line belongs in it',
      severity: 'error',
      from: { path: '^src/cli/hook(-main)?\\.ts$' },
      to: {
        path: ['node_modules/(@modelcontextprotocol|commander|zod|undici|jose)/', '^src/(server|mcp|teams)/'],
        reachable: true,
      },
    },
    {
      name: 'imports-resolve',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'shipped-code-uses-dependencies',
      comment: 'what src/ imports stands under `dependencies`',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    // TypeScript 7 has no compiler interface for dependency-cruiser: without swc it reads no .ts file and reports success.
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
    combinedDependencies: false,
  },
};
