// The commands of a project: how its tests run, and lint, type check and build. They are read from its files; nothing is run.
import { quote } from 'shell-quote';
import type { RunnerName } from '../../workflow/gates/tests/result.ts';
import { runnerOf } from '../../workflow/gates/tests/runners.ts';
import type { ProjectFiles } from './files.ts';
import type { Ecosystem, FoundManager, ManagerName } from './managers.ts';
import { findSign, namesLike, type Sign } from './signs.ts';
import { jsonOf, type Workspace } from './workspaces.ts';

export const commandKinds = ['test', 'lint', 'types', 'build'] as const;
export type CommandKind = (typeof commandKinds)[number];

export interface ProjectCommand {
  kind: CommandKind;
  /** As it is typed in the root of the project. */
  text: string;
  /** The beginning that further arguments can follow, for a rule: `go test` of `go test ./...`. */
  base: string;
  /** The file that shows it. */
  from: string;
  /** The runner whose results a gate can read; null: none, or not a test command. */
  runner: RunnerName | null;
  /** Why there is no runner: a clause without a period; null: there is one, or it is not a test command. */
  why: string | null;
}

interface SurveyedProject {
  files: ProjectFiles;
  manager: FoundManager;
  workspaces: readonly Workspace[];
}

interface CommandRow {
  kind: CommandKind;
  ecosystem: Ecosystem;
  signs: readonly Sign[];
  /** Without the words of `Manager.run`. A list: the command and its base. */
  command: string | ((project: SurveyedProject) => string | readonly [text: string, base: string]);
  /** Not a program that the manager installs, so it is called directly. */
  isPlain?: boolean;
}

const sign = (file: string, holds?: RegExp): Sign => ({ file, ...(holds !== undefined && { holds }) });
/** A package in a list of dependencies of `package.json`. */
const dependency = (name: string): Sign => sign('package.json', new RegExp(`"${name}"\\s*:\\s*"[^"]*"`));
/** A requirement in any file that lists Python packages. */
const requirement = (name: string): Sign[] => [
  sign('pyproject.toml', new RegExp(`^\\[tool\\.${name}[.\\]]|["'\\s]${name}(?:\\[[^\\]]*\\])?\\s*[<>=~!;"']`, 'm')),
  ...['requirements*.txt', 'requirements/*.txt', 'Pipfile'].map((file) => sign(file, new RegExp(`^"?${name}\\b`, 'm'))),
];
const config = (...names: string[]): Sign[] => names.map((name) => sign(name));
/** The wrapper script if the project has one. */
const wrapped = (script: string, program: string, task: string) => (project: SurveyedProject) =>
  `${project.files.names.includes(script) ? `./${script}` : program} ${task}`;

/** Runners that name the tests of the agent's own run only with an option: the command and its base. */
const named = {
  pytest: ['pytest -v', 'pytest'],
  unittest: ['python -m unittest -v', 'python -m unittest'],
  django: ['python manage.py test -v 2', 'python manage.py test'],
} as const;

/** One command for each kind and ecosystem: the first row with a sign. */
const rows: readonly CommandRow[] = [
  {
    kind: 'test',
    ecosystem: 'node',
    signs: [...config('vitest.config.*', 'vitest.workspace.*'), dependency('vitest')],
    command: 'vitest run',
  },
  { kind: 'test', ecosystem: 'node', signs: [...config('jest.config.*'), dependency('jest')], command: 'jest' },
  { kind: 'test', ecosystem: 'node', signs: [...config('.mocharc.*'), dependency('mocha')], command: 'mocha' },
  { kind: 'test', ecosystem: 'node', signs: testsThatName('node:test'), command: 'node --test', isPlain: true },
  { kind: 'test', ecosystem: 'node', signs: testsThatName('bun:test'), command: 'bun test', isPlain: true },
  { kind: 'test', ecosystem: 'node', signs: config('playwright.config.*'), command: 'playwright test' },
  { kind: 'lint', ecosystem: 'node', signs: config('eslint.config.*', '.eslintrc*'), command: 'eslint .' },
  { kind: 'lint', ecosystem: 'node', signs: config('biome.json', 'biome.jsonc'), command: 'biome check' },
  { kind: 'lint', ecosystem: 'node', signs: config('.oxlintrc.json'), command: 'oxlint' },
  { kind: 'types', ecosystem: 'node', signs: [sign('tsconfig.json', /"references"/)], command: 'tsc --build' },
  { kind: 'types', ecosystem: 'node', signs: config('tsconfig.json'), command: 'tsc --noEmit' },

  { kind: 'test', ecosystem: 'deno', signs: config('deno.json*'), command: 'deno test' },
  { kind: 'lint', ecosystem: 'deno', signs: config('deno.json*'), command: 'deno lint' },
  { kind: 'types', ecosystem: 'deno', signs: config('deno.json*'), command: 'deno check .' },

  {
    kind: 'test',
    ecosystem: 'python',
    signs: [
      ...config('pytest.ini', '.pytest.ini', 'pytest.toml'),
      ...requirement('pytest'),
      sign('setup.cfg', /^\[tool:pytest\]/m),
      sign('tox.ini', /\bpytest\b/),
      ...config('conftest.py', 'tests/conftest.py'),
    ],
    command: () => named.pytest,
  },
  { kind: 'test', ecosystem: 'python', signs: config('manage.py'), command: () => named.django },
  {
    kind: 'test',
    ecosystem: 'python',
    signs: [sign('**/test_*.py', /\bunittest\b/), sign('**/test_*.py')],
    command: ({ files }) => (findSign(files, [sign('**/test_*.py', /\bunittest\b/)]) === null ? named.pytest : named.unittest),
  },
  {
    kind: 'lint',
    ecosystem: 'python',
    signs: [...config('ruff.toml', '.ruff.toml'), ...requirement('ruff')],
    command: 'ruff check .',
  },
  { kind: 'lint', ecosystem: 'python', signs: [...config('.flake8'), ...requirement('flake8')], command: 'flake8' },
  { kind: 'lint', ecosystem: 'python', signs: [...config('.pylintrc'), ...requirement('pylint')], command: 'pylint .' },
  {
    kind: 'types',
    ecosystem: 'python',
    signs: [...config('mypy.ini', '.mypy.ini'), sign('setup.cfg', /^\[mypy\]/m), ...requirement('mypy')],
    command: 'mypy .',
  },
  { kind: 'types', ecosystem: 'python', signs: [...config('pyrightconfig.json'), ...requirement('pyright')], command: 'pyright' },

  {
    kind: 'test',
    ecosystem: 'go',
    signs: config('go.mod', 'go.work'),
    command: (project) => [`go test -v ${goPackages(project)}`, 'go test'],
  },
  { kind: 'lint', ecosystem: 'go', signs: config('.golangci.*'), command: 'golangci-lint run' },
  {
    kind: 'types',
    ecosystem: 'go',
    signs: config('go.mod', 'go.work'),
    command: (project) => [`go vet ${goPackages(project)}`, 'go vet'],
  },
  {
    kind: 'build',
    ecosystem: 'go',
    signs: config('go.mod', 'go.work'),
    command: (project) => [`go build ${goPackages(project)}`, 'go build'],
  },

  { kind: 'test', ecosystem: 'rust', signs: config('.config/nextest.toml'), command: 'cargo nextest run' },
  {
    kind: 'test',
    ecosystem: 'rust',
    signs: [sign('Cargo.toml', /^\[workspace\][\s\S]*^\[package\]|^\[package\][\s\S]*^\[workspace\]/m)],
    command: () => ['cargo test --workspace', 'cargo test'],
  },
  { kind: 'test', ecosystem: 'rust', signs: config('Cargo.toml'), command: 'cargo test' },
  { kind: 'lint', ecosystem: 'rust', signs: config('Cargo.toml'), command: 'cargo clippy' },
  { kind: 'types', ecosystem: 'rust', signs: config('Cargo.toml'), command: 'cargo check' },
  { kind: 'build', ecosystem: 'rust', signs: config('Cargo.toml'), command: 'cargo build' },

  { kind: 'test', ecosystem: 'java', signs: config('pom.xml'), command: wrapped('mvnw', 'mvn', 'test') },
  { kind: 'build', ecosystem: 'java', signs: config('pom.xml'), command: wrapped('mvnw', 'mvn', 'package') },
  {
    kind: 'test',
    ecosystem: 'java',
    signs: config('build.gradle*', 'settings.gradle*'),
    // Gradle skips a project whose tests passed on the same files. Then no new report names them.
    command: wrapped('gradlew', 'gradle', 'cleanTest test'),
  },
  {
    kind: 'build',
    ecosystem: 'java',
    signs: config('build.gradle*', 'settings.gradle*'),
    command: wrapped('gradlew', 'gradle', 'assemble'),
  },

  { kind: 'test', ecosystem: 'dotnet', signs: config('*.sln', '*.slnx', '*.csproj', '*.fsproj'), command: 'dotnet test' },
  {
    kind: 'test',
    ecosystem: 'dotnet',
    signs: config('**/*Test*.csproj', '**/*Test*.fsproj'),
    command: ({ files }) => [`dotnet test ${quote(namesLike(files, '**/*Test*.*proj').slice(0, 1))}`, 'dotnet test'],
  },
  { kind: 'lint', ecosystem: 'dotnet', signs: config('.editorconfig'), command: 'dotnet format --verify-no-changes' },
  { kind: 'build', ecosystem: 'dotnet', signs: config('*.sln', '*.slnx', '*.csproj', '*.fsproj'), command: 'dotnet build' },

  {
    kind: 'test',
    ecosystem: 'ruby',
    signs: [...config('.rspec', 'spec/spec_helper.rb'), sign('Gemfile', /^[ \t]*gem ["']rspec/m)],
    command: 'rspec',
  },
  { kind: 'test', ecosystem: 'ruby', signs: config('bin/rails'), command: 'bin/rails test', isPlain: true },
  { kind: 'test', ecosystem: 'ruby', signs: [sign('Rakefile', /\bTestTask\b|Minitest/)], command: 'rake test' },
  {
    kind: 'lint',
    ecosystem: 'ruby',
    signs: [...config('.rubocop.yml'), sign('Gemfile', /^[ \t]*gem ["']rubocop/m)],
    command: 'rubocop',
  },
  { kind: 'lint', ecosystem: 'ruby', signs: config('.standard.yml'), command: 'standardrb' },
  { kind: 'types', ecosystem: 'ruby', signs: config('sorbet/config'), command: 'srb tc' },
  { kind: 'types', ecosystem: 'ruby', signs: config('Steepfile'), command: 'steep check' },

  { kind: 'test', ecosystem: 'php', signs: config('artisan'), command: 'php artisan test' },
  { kind: 'test', ecosystem: 'php', signs: [sign('composer.json', /"pestphp\/pest"/)], command: 'vendor/bin/pest' },
  {
    kind: 'test',
    ecosystem: 'php',
    signs: [...config('phpunit.xml*', 'phpunit.dist.xml'), sign('composer.json', /"phpunit\/phpunit"/)],
    command: 'vendor/bin/phpunit',
  },
  {
    kind: 'lint',
    ecosystem: 'php',
    signs: [...config('pint.json'), sign('composer.json', /"laravel\/pint"/)],
    command: 'vendor/bin/pint --test',
  },
  { kind: 'lint', ecosystem: 'php', signs: config('phpcs.xml*', '.phpcs.xml*'), command: 'vendor/bin/phpcs' },
  { kind: 'types', ecosystem: 'php', signs: config('phpstan.neon*', 'phpstan.dist.neon'), command: 'vendor/bin/phpstan analyse' },
  { kind: 'types', ecosystem: 'php', signs: config('psalm.xml*'), command: 'vendor/bin/psalm' },

  { kind: 'test', ecosystem: 'elixir', signs: config('mix.exs'), command: 'mix test' },
  { kind: 'lint', ecosystem: 'elixir', signs: config('.credo.exs'), command: 'mix credo' },
  { kind: 'build', ecosystem: 'elixir', signs: config('mix.exs'), command: 'mix compile' },
];

function testsThatName(module: string): Sign[] {
  return ['test/**/*', '**/*.test.*'].map((file) => sign(file, new RegExp(`["']${module}["']`)));
}

/** The packages of all modules: `./...` finds none at the root of a workspace. */
function goPackages({ files, workspaces }: SurveyedProject): string {
  if (files.names.includes('go.mod')) return './...';
  return workspaces.flatMap(({ folders }) => folders.map((one) => `./${one}/...`)).join(' ');
}

/** Names of scripts in `package.json` and of targets in a Makefile, a justfile or a Taskfile, the usual one first. */
const usualNames: { readonly [kind in CommandKind]: readonly string[] } = {
  test: ['test', 'tests', 'test:unit', 'unit'],
  lint: ['lint', 'lint:check', 'eslint', 'biome'],
  types: ['typecheck', 'type-check', 'types', 'check-types', 'check:types', 'types:check', 'tsc', 'check'],
  build: ['build', 'compile'],
};

/**
 * The command of each manager of Node that runs a script. `everywhere`: the script of that name in all packages of a workspace.
 */
const scripts: {
  readonly [name in ManagerName]?: { test: string; other(name: string): string; everywhere(name: string): string };
} = {
  npm: {
    test: 'npm test',
    other: (name) => `npm run ${name}`,
    everywhere: (name) => `npm run ${name} --workspaces --if-present`,
  },
  pnpm: { test: 'pnpm test', other: (name) => `pnpm run ${name}`, everywhere: (name) => `pnpm -r run ${name}` },
  yarn: {
    test: 'yarn test',
    other: (name) => `yarn run ${name}`,
    everywhere: (name) => `yarn workspaces foreach -A run ${name}`,
  },
  bun: { test: 'bun run test', other: (name) => `bun run ${name}`, everywhere: (name) => `bun run --workspaces ${name}` },
};

/** A script that npm writes into a new package. */
const placeholder = /no test specified/;
/** A script that changes files is not a check. */
const changing = /(?:^|\s)(?:--fix|--write|-w)\b/;

/** At most one command of each kind for each ecosystem; of test commands, those with a readable runner first. */
export function findCommands(
  files: ProjectFiles,
  managers: readonly FoundManager[],
  workspaces: readonly Workspace[],
): ProjectCommand[] {
  const own = managers.flatMap((manager) => commandsOf({ files, manager, workspaces }));
  const made = commandKinds.filter((kind) => own.every((one) => one.kind !== kind)).flatMap((kind) => targetOf(files, kind));
  const all = [...own, ...made];
  return commandKinds.flatMap((kind) => {
    const alike = all.filter((one) => one.kind === kind);
    return [...alike.filter(({ runner }) => runner !== null), ...alike.filter(({ runner }) => runner === null)];
  });
}

function commandsOf(project: SurveyedProject): ProjectCommand[] {
  return commandKinds.flatMap((kind) => {
    const script = scriptFor(project, kind);
    // A script that runs several packages hides the runner. A runner that is installed in the root can be called itself.
    if (script !== null && (kind !== 'test' || script.runner !== null)) return [script];
    const program = programFor(project, kind);
    if (program !== null && (script === null || program.runner !== null)) return [program];
    return script === null ? [] : [script];
  });
}

function programFor(project: SurveyedProject, kind: CommandKind): ProjectCommand | null {
  const { files, manager } = project;
  for (const { signs, command, isPlain = false, ...row } of rows) {
    if (row.kind !== kind || row.ecosystem !== manager.ecosystem) continue;
    const from = findSign(files, signs);
    if (from === null) continue;
    const written = typeof command === 'string' ? command : command(project);
    const [text, base] = typeof written === 'string' ? [written, written] : written;
    const prefix = isPlain || manager.run === '' ? '' : `${manager.run} `;
    return complete(project.files, { kind, text: prefix + text, base: prefix + base, from });
  }
  return null;
}

/** The script of the root, or of the packages if the root has none. */
function scriptFor({ files, manager, workspaces }: SurveyedProject, kind: CommandKind): ProjectCommand | null {
  const how = scripts[manager.name];
  if (how === undefined) return null;
  const nameIn = (file: string) => {
    const own = scriptsOf(files, file);
    return usualNames[kind].find((name) => name in own && isCheck(own[name] as string, kind));
  };
  const inRoot = nameIn('package.json');
  if (inRoot !== undefined) {
    const text = kind === 'test' && inRoot === 'test' ? testScript(files, manager.name, how.test) : how.other(inRoot);
    return complete(files, { kind, text, base: text, from: 'package.json' });
  }
  for (const folder of workspaces.flatMap(({ folders }) => folders)) {
    const name = nameIn(`${folder}/package.json`);
    if (name === undefined) continue;
    const text = how.everywhere(name);
    return complete(files, { kind, text, base: text, from: `${folder}/package.json` });
  }
  return null;
}

/** `bun test` is the runner itself. */
function testScript(files: ProjectFiles, manager: ManagerName, usual: string): string {
  return manager === 'bun' && /^bun test\b/.test(scriptsOf(files, 'package.json').test ?? '') ? 'bun test' : usual;
}

function isCheck(text: string, kind: CommandKind): boolean {
  return kind === 'test' ? !placeholder.test(text) : kind === 'build' || !changing.test(text);
}

function scriptsOf(files: ProjectFiles, file: string): { [name: string]: string } {
  const { scripts: found } = jsonOf(files.text(file) ?? '');
  const entries = Object.entries(typeof found === 'object' && found !== null ? found : {});
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** Files of targets, in the order in which their program searches for them. The first group of `targets` is a name. */
const targetFiles: readonly { program: string; names: readonly string[]; targets: RegExp }[] = [
  { program: 'make', names: ['GNUmakefile', 'makefile', 'Makefile'], targets: /^([\w./-]+)\s*:(?!=)/gm },
  // A parameter follows the name of a recipe: `test *args:`.
  { program: 'just', names: ['justfile', 'Justfile', '.justfile'], targets: /^@?([\w-]+)(?:[ \t][^:\n]*)?:(?!=)/gm },
  {
    program: 'task',
    names: ['Taskfile', 'taskfile'].flatMap((name) =>
      ['', '.dist'].flatMap((dist) => [`${name}${dist}.yml`, `${name}${dist}.yaml`]),
    ),
    targets: /^ {2}["']?([\w:-]+?)["']?:(?:\s|$)/gm,
  },
];

/** Test commands of languages whose runners no gate can read. */
const otherTests: readonly { signs: readonly Sign[]; command: string }[] = [
  { signs: config('Package.swift'), command: 'swift test' },
  { signs: [sign('pubspec.yaml', /^[ \t]*flutter\s*:/m)], command: 'flutter test' },
  { signs: config('pubspec.yaml'), command: 'dart test' },
  { signs: config('build.sbt'), command: 'sbt test' },
  { signs: config('project.clj'), command: 'lein test' },
  { signs: [sign('deps.edn', /:test\b/)], command: 'clojure -M:test' },
  { signs: config('stack.yaml'), command: 'stack test' },
  { signs: config('cabal.project', '*.cabal'), command: 'cabal test all' },
  { signs: [sign('CMakeLists.txt', /\b(?:enable_testing|add_test)\b/i)], command: 'ctest --test-dir build' },
  { signs: [sign('meson.build', /\btest\s*\(/)], command: 'meson test -C build' },
  { signs: config('build.zig'), command: 'zig build test' },
  { signs: config('t/*.t'), command: 'prove -l t' },
  { signs: [sign('pyproject.toml', /^\[tool\.hatch\./m)], command: 'hatch test' },
  { signs: [sign('DESCRIPTION', /\btestthat\b/)], command: "Rscript -e 'testthat::test_local()'" },
  { signs: config('tests/testthat/*.R'), command: 'Rscript -e \'testthat::test_dir("tests/testthat")\'' },
  { signs: [sign('tests/*.R', /\btestthat\b/)], command: 'Rscript -e \'testthat::test_dir("tests")\'' },
];

function targetOf(files: ProjectFiles, kind: CommandKind): ProjectCommand[] {
  for (const { program, names, targets } of targetFiles) {
    const file = names.find((name) => files.names.includes(name));
    if (file === undefined) continue;
    const found = new Set([...(files.text(file) ?? '').matchAll(targets)].map(([, name = '']) => name));
    const name = usualNames[kind].find((one) => found.has(one));
    if (name === undefined) continue;
    const text = `${program} ${name}`;
    return [complete(files, { kind, text, base: text, from: file })];
  }
  for (const { signs, command } of kind === 'test' ? otherTests : []) {
    const from = findSign(files, signs);
    if (from !== null) return [complete(files, { kind, text: command, base: command, from })];
  }
  return [];
}

function complete(files: ProjectFiles, command: Omit<ProjectCommand, 'runner' | 'why'>): ProjectCommand {
  if (command.kind !== 'test') return { ...command, runner: null, why: null };
  const read = (name: string, workspace: string | null) => {
    const own = scriptsOf(files, workspace === null ? 'package.json' : `${workspace}/package.json`);
    return own[name] ?? null;
  };
  const search = runnerOf(command.text, read);
  if (search.runner === null) return { ...command, runner: null, why: search.why };
  return { ...command, runner: search.runner, why: null };
}
