// Options of command lines that name files and folders that define the class of the command.

/** Options by the kind of their value. Each option is written as on the command line. */
export interface Naming {
  /** A file, or a folder that contains the usual files of the program. */
  files: ReadonlySet<string>;
  /** A folder in which the program works. */
  folders: ReadonlySet<string>;
  /** A file, or a folder whose whole content counts. */
  trees: ReadonlySet<string>;
  /** A Python module. */
  modules: ReadonlySet<string>;
  /** A command, or several options, in one word. */
  commands: ReadonlySet<string>;
}

/** Options of any program. These long names have the same meaning everywhere. */
const ofAll = {
  files:
    '--config --config-file --config-path --configuration --conf --project --tsconfig --require --import --preload --loader --file --makefile --manifest-path --init-script --build-file --settings-file --rcfile --env-file --env-file-if-exists --bootstrap --import-map --userconfig --globalconfig --justfile --taskfile --rakefile --noxfile --script-shell --bazelrc --stack-yaml --options',
  folders:
    '-C --prefix --cwd --dir --directory --rootdir --rootDir --root --project-dir --working-directory --package-path --workspace',
  trees: '--rulesdir --include-dir --rakelibdir --include-build',
};

const jest = {
  files:
    '-c --setupFiles --setupFilesAfterEnv --globalSetup --globalTeardown --runner --testRunner --resolver --testEnvironment --env --reporters --filter --snapshotSerializers --testSequencer --preset',
};
const node = {
  files:
    '-r --experimental-loader --experimental-config-file --test-reporter --test-global-setup --openssl-config --snapshot-blob',
};
const eslint = { files: '-c -f --format --parser --resolve-plugins-relative-to --ignore-path --plugin' };
const make = { files: '-f', trees: '-I' };
const gradle = { files: '-b -c -I', folders: '-p' };
const maven = { files: '-f -s -gs -t --settings --global-settings --toolchains' };
const configured = { files: '-c' };

/** Options by program. For other programs, only `ofAll` applies. */
const programs: Readonly<Record<string, Partial<Record<keyof Naming, string>>>> = {
  tsc: { files: '-p' },
  'vue-tsc': { files: '-p' },
  'ts-node': { ...node, files: `${node.files} -P` },
  tsx: node,
  node,
  bun: { files: '-c -r --tsconfig-override' },
  deno: { files: '-c --lock' },
  eslint,
  jest,
  vitest: { files: '-c --globalSetup --environment --reporter --runner', folders: '-r' },
  mocha: { files: '-r --opts --package --reporter -R --ui' },
  ava: {},
  nyc: { files: '--nycrc-path' },
  'env-cmd': { files: '-f -r --rc-file' },
  dotenv: { files: '-e' },
  dotenvx: { files: '-f' },
  c8: configured,
  playwright: configured,
  karma: configured,
  vite: configured,
  webpack: configured,
  rollup: configured,
  prettier: { files: '--plugin --ignore-path' },
  pytest: { files: '-c --cov-config --confcutdir', modules: '-p --ds' },
  'py.test': { files: '-c --cov-config --confcutdir', modules: '-p --ds' },
  python: { modules: '-m' },
  coverage: {},
  tox: configured,
  nox: { files: '-f' },
  mypy: {},
  pylint: { modules: '--load-plugins' },
  bandit: configured,
  pyright: { files: '-p' },
  go: { files: '-overlay -modfile -vettool', folders: '-C', commands: '-toolexec -exec' },
  cargo: {},
  make,
  gmake: make,
  ninja: { files: '-f' },
  cmake: { files: '-C -P', folders: '-S -B' },
  ctest: { files: '-S', folders: '--test-dir' },
  just: { files: '-f', folders: '-d' },
  task: { files: '-t', folders: '-d' },
  npm: { folders: '-w' },
  pnpm: { folders: '-w -F --filter' },
  gradle,
  gradlew: gradle,
  mvn: maven,
  mvnw: maven,
  ant: { files: '-f -buildfile' },
  phpunit: configured,
  php: configured,
  composer: { folders: '-d' },
  rspec: { files: '-O -r' },
  ruby: { files: '-r' },
  rake: { files: '-f', trees: '-R' },
  bazel: {},
  docker: { files: '-f' },
};

const kinds = ['files', 'folders', 'trees', 'modules', 'commands'] as const;
const made = new Map<string, Naming>();

/** Returns the options of a program. `python3.12` counts as `python`. */
export function namingOf(program: string): Naming {
  const name = Object.hasOwn(programs, program) ? program : program.replace(/[\d.]+$/, '');
  const known = made.get(name);
  if (known !== undefined) return known;
  const own = Object.hasOwn(programs, name) ? programs[name] : {};
  const of = (kind: keyof Naming): ReadonlySet<string> =>
    new Set(
      `${own?.[kind] ?? ''} ${kind in ofAll ? ofAll[kind as keyof typeof ofAll] : ''}`.split(' ').filter((one) => one !== ''),
    );
  const [files, folders, trees, modules, commands] = kinds.map(of) as [Naming['files'], ...Naming['files'][]];
  const naming = { files, folders, trees, modules, commands } as Naming;
  made.set(name, naming);
  return naming;
}

/** True if the options of this program are known. */
export function isKnown(program: string): boolean {
  return Object.hasOwn(programs, program) || Object.hasOwn(programs, program.replace(/[\d.]+$/, ''));
}
