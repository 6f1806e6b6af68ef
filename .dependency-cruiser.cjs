// Who may import whom. A rule's name is what a person reads when the check fails.

/**
 * Folders of src/, top first: a folder imports from itself and from those below it, never upwards. In `[a, b]` neither imports the other.
 * The file `ARCHITECTURE.md` says what each of them is for.
 */
const order = [
  ['adapters/cli'],
  ['adapters/mcp'],
  ['adapters/hook', 'adapters/socket', 'adapters/dashboard'],
  ['adapters/sdk', 'adapters/importers', 'adapters/harnesses'],
  ['app/log'],
  ['app'],
  ['workflow'],
  ['workflow/gates'],
  ['workflow/plan', 'workflow/findings', 'workflow/context'],
  ['teams'],
  ['engine/lint'],
  ['engine'],
  ['engine/limits'],
  ['policy/remote'],
  ['policy/custom'],
  ['policy'],
  ['policy/compiler'],
  ['rules'],
  ['facts'],
  ['store/log'],
  ['store'],
  ['config'],
  ['git'],
  ['shell'],
  ['model'],
  ['platform'],
];

const folders = order.flat();
/** The files of a folder, without those of folders in it that have a place of their own. */
const below = (folder) => {
  const apart = folders.filter((other) => other.startsWith(`${folder}/`)).map((other) => other.slice(folder.length + 1));
  return `^src/${folder}/${apart.length > 0 ? `(?!(${apart.join('|')})/)` : ''}`;
};

const neverUpwards = order.flatMap((level, index) =>
  level.flatMap((folder) => {
    const above = [...order.slice(0, index).flat(), ...level.filter((other) => other !== folder)];
    if (above.length === 0) return [];
    return {
      name: `${folder}-imports-from-below`,
      comment: `${folder} must work without the folders above it and beside it`,
      severity: 'error',
      from: { path: below(folder) },
      to: { path: above.map(below) },
    };
  }),
);

module.exports = {
  forbidden: [
    ...neverUpwards,
    {
      name: 'compiler-imports-only-problem',
      comment: 'the compiler host runs in a child process of its own and knows Rego, not modes',
      severity: 'error',
      from: { path: '^src/policy/compiler/' },
      to: { path: '^src/', pathNot: ['^src/policy/compiler/', '^src/model/problem\\.ts$'] },
    },
    {
      name: 'every-folder-has-a-place',
      comment: 'a new folder of src/ needs a place in `order` first',
      severity: 'error',
      from: { path: '^src/', pathNot: folders.map(below) },
      to: {},
    },
    {
      name: 'no-import-from-a-folder-without-place',
      severity: 'error',
      from: {},
      to: { path: '^src/', pathNot: folders.map(below) },
    },
    {
      name: 'no-circle-of-files',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'sources-import-sources-only',
      comment: 'what is shipped is in src/; tests and scripts are not shipped',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|scripts|examples|hooks|dist)/' },
    },
    {
      name: 'pure-folders-have-no-effects',
      comment: 'files, clocks, sockets and processes come in as arguments',
      severity: 'error',
      from: { path: ['engine', 'rules', 'shell', 'model'].map((folder) => `^src/${folder}/`) },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(path|crypto|util|perf_hooks)$' },
    },
    {
      name: 'one-shot-stays-small',
      comment:
        'the one-shot process starts for a single answer: nothing of the server or the command line belongs in it, and of zod only zod/mini',
      severity: 'error',
      from: { path: '^src/adapters/hook/(hook|main)\\.ts$' },
      to: {
        path: [
          'node_modules/(@modelcontextprotocol|commander|undici|jose)/',
          'node_modules/zod/(?!mini/)',
          '^src/(adapters/(socket|mcp)|teams)/',
        ],
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
      comment: 'what src/ imports is listed under `dependencies`',
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
