// The test runners that a gate can read, one entry each, and the search for the runner of a command.

import path from 'node:path';
import { parse, quote } from 'shell-quote';
import { readCargo, readNextest } from './formats/cargo.ts';
import { readDeno } from './formats/deno.ts';
import { readGo } from './formats/go.ts';
import {
  mochaReporter,
  readBun,
  readJest,
  readMocha,
  readPlaywright,
  readVitest,
  withoutExpectedFailures,
} from './formats/javascript.ts';
import { readRspec } from './formats/json.ts';
import { readJunit, withoutNames } from './formats/junit.ts';
import { nodeReporter, readNode } from './formats/node.ts';
import { readPytest, readUnittest, withUnexpectedPasses } from './formats/pytest.ts';
import type { Reading, ResultParser } from './formats/reading.ts';
import { readTap } from './formats/tap.ts';
import { readExunit, readMinitest } from './formats/xunit.ts';
import type { RunnerName, TestResult } from './result.ts';

/**
 * A format of a report with named results. `xml` is JUnit XML or TRX. `node events` are the lines of the reporter that Modes gives to
 * node:test.
 */
export type ReportFormat = 'tap' | 'xml' | 'node events' | 'go events' | 'jest json' | 'mocha json' | 'rspec json';

/** The arguments and variables that make a runner write a report. */
export interface ReportRequest {
  /** Added to the environment of the command. */
  env: { readonly [name: string]: string };
  /** Appended to the arguments of the runner. */
  args: readonly string[];
  /** Files that the arguments name, by name, with their text. They are written into the folder of the report. */
  files?: { readonly [name: string]: string };
  /** null: the printed output, which the arguments change. */
  format: ReportFormat | null;
  /** The report is the output of the command, or every file of the named file's folder whose name begins as the named one. */
  from: 'file' | 'output';
}

export interface Runner {
  name: RunnerName;
  /** Matches a command: its words with one space between them, without wrappers such as `npx`, and programs without a folder. */
  command: RegExp;
  /** Matches the output. Used where the command does not show the runner. */
  output: RegExp;
  /**
   * How to ask for a report; null: the printed output or a report that the project configures has to do.
   * @param words the runner's own command, if it is known: `RunnerInvocation.words`
   */
  ask: ((file: string, words?: readonly string[]) => ReportRequest) | null;
  /** Reports in JUnit XML that the runner writes without being asked, as a glob. A gate without `report` takes them. */
  writes: string | null;
  /** Reads the output that the runner prints; null: no printed output names all tests. */
  printed: ResultParser | null;
  /** Completes the results of its report by the printed output, if the report leaves something out. */
  beside?: (tests: TestResult[], output: string, folder: string) => Reading;
  /** A sentence that explains how the results get names. */
  remedy: string;
  /** Globs of files that change the meaning of a run. */
  guarded: readonly string[];
  /** Names of Python modules that the runner loads, wherever they are or from the folder of the run. */
  modules?: { anywhere: ReadonlySet<string>; inFolder: ReadonlySet<string> };
  /** Files in the home folder that do the same. `*` matches any text in a name. */
  home?: readonly string[];
  /** Files that it also finds in the folders around the project. */
  above?: readonly string[];
  /** Matches the names of its packages in node_modules, or the scopes in their names. */
  packages?: RegExp;
  /** It takes a file whose time has not changed for the same file, and uses an earlier build of it. */
  trustsTimes?: true;
  /** `run`: the parsers were tested with output of the real runner. `recorded`: only with output that others published. */
  verified: 'run' | 'recorded';
}

const javascriptHome = ['.npmrc', '.yarnrc', '.yarnrc.yml', '.bunfig.toml', '.config/pnpm/rc', '.config/pnpm/config.yaml'];
/** Files that choose the version of a language. */
const versions = ['.{node,python,ruby,go,java}-version', '.nvmrc', '.tool-versions', '{,.}mise*.toml', '.sdkmanrc'];
const javascript = [
  ...['package.json', '.npmrc', '.yarnrc*', '.swcrc', '{ts,js}config*.json', '.babelrc*', 'babel.config.*'],
  ...['{turbo,nx,lerna,project,workspace}.json', 'turbo.jsonc', '.turbo/config.json', '.nxrc', '.nxignore'],
  ...['.env*', '.nycrc*', 'nyc.config.*', '.c8rc*', '.pnp.*', 'pnpm-workspace.yaml', '.pnpmfile.*'],
  ...versions,
].map(anywhere);
/** npm finds programs there too. Without a package.json in the project, the one of a folder around it counts. */
const javascriptAround = [
  'node_modules/.bin/*',
  'package.json',
  '.npmrc',
  '.yarnrc.yml',
  'pnpm-workspace.yaml',
  'tsconfig.json',
  '.swcrc',
];
const python = [
  'conftest.py',
  'pytest.ini',
  '.pytest.ini',
  'pytest.toml',
  '.pytest.toml',
  'setup.cfg',
  'tox.ini',
  'pyproject.toml',
  '{uv,poetry,hatch,tox}.toml',
  'noxfile.py',
  '.env*',
  ...versions,
].map(anywhere);
/** Files that Python itself loads, and plugins by entry points. */
const pythonStart = [
  ...['*.pth', 'pyvenv.cfg', '{*.egg-info,*.dist-info}/entry_points.txt', 'site-packages/{pytest,_pytest,pluggy}/**/*.py'],
  '{bin,Scripts}/{pytest,py.test,python,python3}{,.exe}',
].map(anywhere);
const pythonHome = ['sitecustomize.py', 'usercustomize.py', '*.pth'].flatMap((name) => [
  `.local/lib/python*/site-packages/${name}`,
  `Library/Python/*/lib/python/site-packages/${name}`,
]);
const pythonModules: Runner['modules'] = {
  anywhere: new Set(['sitecustomize', 'usercustomize', 'pytest', '_pytest', 'pluggy', 'unittest']),
  // `python -m` searches the folder of the run first. Modules that pytest or unittest import.
  inFolder: new Set(
    [
      '__future__ _pydecimal argparse array ast asyncio base64 bdb bisect bz2 calendar cmd code codeop collections',
      'colorama concurrent configparser contextlib contextvars copy csv ctypes dataclasses datetime decimal difflib dis',
      'doctest email enum exceptiongroup faulthandler fcntl fnmatch fractions functools gc getpass gettext glob gzip',
      'hashlib heapq html importlib iniconfig inspect io itertools json keyword linecache locale logging lzma math',
      'mimetypes msvcrt numbers opcode operator packaging pathlib pdb pkgutil platform plistlib pprint py pyexpat',
      'pygments quopri random re readline reprlib resource runpy select selectors shlex shutil signal socket ssl string',
      'stringprep struct subprocess sysconfig tempfile textwrap threading timeit token tokenize tomli tomllib traceback',
      'types typing typing_extensions unicodedata urllib uuid warnings weakref xml zipfile zipimport zlib',
    ].flatMap((line) => line.split(' ')),
  ),
};
const rust = ['Cargo.toml', 'build.rs', '.cargo/config.toml', '.cargo/config', '.config/nextest.toml', 'rust-toolchain*'].map(
  anywhere,
);
const rustOutside = ['.cargo/config.toml', '.cargo/config'];
const ruby = [
  ...['.rspec', '.rspec-local', 'spec_helper.rb', 'rails_helper.rb', 'test_helper.rb', '.simplecov', 'Rakefile', '*.rake'],
  ...['Gemfile', 'Gemfile.lock', 'config/environments/test.rb', ...versions],
].map(anywhere);
const java = [
  'pom.xml',
  '.mvn/**',
  '?*.gradle{,.kts}',
  ...versions,
  'gradle.properties',
  'gradle/**',
  'buildSrc/**',
  '{junit-platform,cucumber}.properties',
  'SpockConfig.groovy',
  'META-INF/services/org.{junit,testng,spockframework,mockito,apache.maven}.*',
  'mockito-extensions/**',
].map(anywhere);

const mavenHome = ['.m2/settings.xml', '.m2/toolchains.xml', '.m2/extensions.xml', '.mavenrc'];
const gradleHome = ['gradle.properties', 'init.gradle', 'init.gradle.kts', 'init.d/*'].map((name) => `.gradle/${name}`);

function anywhere(name: string): string {
  return `**/${name}`;
}

/** A report in a file, asked for by arguments. */
function byArguments(format: ReportFormat, args: (file: string) => readonly string[]) {
  return (file: string): ReportRequest => ({ env: {}, args: args(file), format, from: 'file' });
}

/** A report in a file, asked for by the environment. */
function byEnvironment(format: ReportFormat, env: (file: string) => ReportRequest['env']) {
  return (file: string): ReportRequest => ({ env: env(file), args: [], format, from: 'file' });
}

/** Makes Python compile the source again. Stored bytecode may belong to another source. */
function withoutBytecode(file: string): ReportRequest['env'] {
  return { PYTHONPYCACHEPREFIX: path.join(path.dirname(file), 'bytecode') };
}

export const runners: readonly Runner[] = [
  {
    name: 'node:test',
    command: /^(?:node|tsx) (?:.* )?--test(?: |$)/,
    output: /^(?:# suites \d+\n# pass \d+|ℹ suites \d+\nℹ pass \d+)$/m,
    ask: askNode,
    writes: null,
    printed: readNode,
    remedy: 'Run it with `node --test --test-reporter=tap`.',
    guarded: javascript,
    packages: /^tsx$/,
    home: javascriptHome,
    above: javascriptAround,
    verified: 'run',
  },
  {
    name: 'vitest',
    command: /^vitest(?: |$)/,
    output: /^ +Test Files {2}\S/m,
    ask: (file, words = []) => ({
      env: {},
      args: [
        ...(words.some((word) => /^--reporter(?:=|$)/.test(word)) ? [] : ['--reporter=default']),
        ...['--reporter=json', `--outputFile.json=${file}`],
      ],
      format: 'jest json',
      from: 'file',
    }),
    writes: null,
    printed: readVitest,
    beside: withoutExpectedFailures,
    remedy: 'Run it with `vitest run --reporter=verbose`.',
    guarded: [
      ...javascript,
      ...['vitest.config.*', 'vitest.workspace.*', 'vitest.projects.*', 'vitest.setup.*', 'vite.config.*', '__mocks__/**'].map(
        anywhere,
      ),
    ],
    packages: /^@?(?:vitest|vite)$/,
    home: javascriptHome,
    above: javascriptAround,
    verified: 'run',
  },
  {
    name: 'jest',
    command: /^(?:jest|react-scripts test)(?: |$)/,
    output: /^Test Suites: +\d/m,
    ask: byArguments('jest json', (file) => ['--json', `--outputFile=${file}`]),
    writes: null,
    printed: readJest,
    remedy: 'Run it with `jest --verbose --reporters=default`, because Jest 30 names only failing tests where an agent runs it.',
    guarded: [...javascript, ...['jest.config.*', 'jest.setup.*', 'setupTests.*', '__mocks__/**'].map(anywhere)],
    packages: /^(?:@jest|jest(?:-.+)?|babel-jest|ts-jest|expect|react-scripts)$/,
    home: javascriptHome,
    above: javascriptAround,
    verified: 'run',
  },
  {
    name: 'mocha',
    command: /^_?mocha(?: |$)/,
    output: /^ {2}\d+ passing \(\d+m?s\)$/m,
    ask: (file) => ({
      env: {},
      args: [`--reporter=${path.join(path.dirname(file), mochaReporter.name)}`, `--reporter-option=output=${file}`],
      files: { [mochaReporter.name]: mochaReporter.text },
      format: 'mocha json',
      from: 'file',
    }),
    writes: null,
    printed: readMocha,
    remedy: 'Run it with `mocha --reporter=spec`.',
    guarded: [...javascript, ...['.mocharc', '.mocharc.*', 'mocha.opts'].map(anywhere)],
    packages: /^mocha$/,
    home: javascriptHome,
    above: [
      ...javascriptAround,
      ...['', '.js', '.cjs', '.mjs', '.json', '.jsonc', '.yml', '.yaml'].map((end) => `.mocharc${end}`),
    ],
    verified: 'run',
  },
  {
    name: 'bun',
    command: /^bun (?:-\S+ )*test(?: |$)/,
    output: /^bun test v\d/m,
    ask: byArguments('xml', (file) => ['--reporter=junit', `--reporter-outfile=${file}`]),
    writes: null,
    printed: readBun,
    remedy: 'Run it with `CLAUDECODE=0 bun test`, because Bun leaves out the tests that pass where an agent runs it.',
    guarded: [...javascript, '**/bunfig.toml'],
    packages: /^(?:bun|@oven)$/,
    home: javascriptHome,
    above: javascriptAround,
    verified: 'run',
  },
  {
    name: 'deno',
    command: /^deno (?:-\S+ )*test(?: |$)/,
    output: /^running \d+ tests? from \S+$/m,
    ask: byArguments('xml', (file) => [`--junit-path=${file}`]),
    writes: null,
    printed: readDeno,
    remedy: 'Run it with `deno test --reporter=pretty`, without `--parallel`.',
    guarded: [...javascript, '**/deno.json', '**/deno.jsonc', '**/deno.lock'],
    packages: /^@?deno$/,
    above: ['deno.json', 'deno.jsonc'],
    verified: 'run',
  },
  {
    name: 'playwright',
    command: /^playwright test(?: |$)/,
    output: /^Running \d+ tests? using \d+ workers?/m,
    ask: (file) => ({
      env: { PLAYWRIGHT_JUNIT_OUTPUT_FILE: file },
      args: ['--reporter=list,junit'],
      format: 'xml',
      from: 'file',
    }),
    writes: null,
    printed: readPlaywright,
    remedy: 'Run it with `playwright test --reporter=list`.',
    guarded: [...javascript, '**/playwright.config.*'],
    packages: /^(?:@playwright|playwright(?:-.+)?)$/,
    home: javascriptHome,
    above: javascriptAround,
    verified: 'run',
  },
  {
    name: 'pytest',
    command: /^(?:pytest|py\.test)(?: |$)/,
    output: /^=+ test session starts =+$/m,
    ask: byEnvironment('xml', (file) => ({
      PYTEST_ADDOPTS: `"--junitxml=${file}" -o junit_family=xunit1 -ra`,
      ...withoutBytecode(file),
    })),
    writes: null,
    printed: readPytest,
    beside: withUnexpectedPasses,
    remedy: 'Run it with `pytest -v`, or with `-vv` if the configuration has `-q`.',
    guarded: [...python, ...pythonStart],
    modules: pythonModules,
    home: pythonHome,
    above: ['conftest.py', 'pytest.ini', '.pytest.ini', 'pytest.toml', '.pytest.toml', 'pyproject.toml', 'tox.ini', 'setup.cfg'],
    trustsTimes: true,
    verified: 'run',
  },
  {
    name: 'unittest',
    command: /^(?:unittest|manage\.py test)(?: |$)/,
    output: /^Ran \d+ tests? in [\d.]+s$/m,
    ask: (file, words = []) => ({
      env: withoutBytecode(file),
      // Django wants a value for -v.
      args: words.some((word) => programName(word) === 'manage.py') ? ['-v', '2'] : ['-v'],
      format: null,
      from: 'output',
    }),
    writes: null,
    printed: readUnittest,
    remedy: 'Run it with `python -m unittest -v`.',
    guarded: [...python, ...pythonStart],
    modules: pythonModules,
    home: pythonHome,
    trustsTimes: true,
    verified: 'run',
  },
  {
    name: 'go',
    command: /^(?:go test|gotestsum)(?: |$)/,
    output: /^(?:=== RUN {2}|\{"Time":"[^"]*","Action":"\w+","Package":|(?:ok|FAIL) *\t\S+\t)/m,
    ask: (file, words = []): ReportRequest =>
      words.some((word) => programName(word) === 'gotestsum')
        ? { env: { GOTESTSUM_JSONFILE: file }, args: [], format: 'go events', from: 'file' }
        : { env: { GOFLAGS: '-json' }, args: [], format: 'go events', from: 'output' },
    writes: null,
    printed: readGo,
    remedy: 'Run it with `go test -v ./...`, `go test -json ./...` or `gotestsum --format=standard-verbose`.',
    guarded: ['**/go.mod', '**/go.sum', '**/go.work', '**/go.work.sum', '**/vendor/**', ...versions.map(anywhere)],
    home: ['.config/go/env', 'Library/Application Support/go/env'],
    above: ['go.mod', 'go.work'],
    verified: 'run',
  },
  {
    name: 'cargo',
    command: /^cargo (?:\+\S+ )?(?:-\S+ )*(?:test|t)(?: |$)/,
    output: /^test result: (?:ok|FAILED)\. \d+ passed;/m,
    ask: null,
    writes: null,
    printed: readCargo,
    remedy: 'Run `cargo test` without `--quiet` and without `--nocapture`.',
    guarded: rust,
    home: rustOutside,
    above: [...rustOutside, 'Cargo.toml', 'rust-toolchain', 'rust-toolchain.toml'],
    trustsTimes: true,
    verified: 'run',
  },
  {
    name: 'nextest',
    command: /^cargo (?:\+\S+ )?nextest (?:run|r)(?: |$)/,
    output: /^ +Nextest run ID /m,
    // Its report in JUnit XML leaves out the output of tests that passed. See `readNextest`.
    ask: () => ({
      env: { NEXTEST_SUCCESS_OUTPUT: 'immediate', NEXTEST_FAILURE_OUTPUT: 'immediate', NEXTEST_STATUS_LEVEL: 'pass' },
      args: [],
      format: null,
      from: 'output',
    }),
    writes: null,
    printed: readNextest,
    remedy: 'Run it with `cargo nextest run --success-output=immediate`.',
    guarded: rust,
    home: rustOutside,
    above: [...rustOutside, 'Cargo.toml', 'rust-toolchain', 'rust-toolchain.toml'],
    trustsTimes: true,
    verified: 'run',
  },
  {
    name: 'maven',
    command: /^mvnw? (?:.* )?(?:test|verify|package|install)(?: |$)/,
    output: /^\[INFO\] +T E S T S$/m,
    ask: null,
    writes: '**/target/{surefire,failsafe}-reports/TEST-*.xml',
    // Without a test class beside the resources of the tests, Surefire prints nothing but its own heading.
    printed: withoutNames(
      /^\[INFO\] (?:No tests to run\.$|--- [^\n]*surefire[^\n]*:test [^\n]*---\n(?:\[INFO\] *\n)*\[INFO\] -{10})/m,
      /^\[INFO\] +T E S T S$/m,
    ),
    remedy:
      'A person can write `mvn test` as the command of the gate, or add `report: target/surefire-reports/TEST-*.xml` to it.',
    guarded: java,
    home: mavenHome,
    above: ['.mvn/extensions.xml', '.mvn/maven.config', '.mvn/jvm.config'],
    trustsTimes: true,
    verified: 'run',
  },
  {
    name: 'gradle',
    command: /^gradlew? (?:.* )?(?:\S*:)?(?:test|check|build)(?: |$)/,
    output: /^BUILD (?:SUCCESSFUL|FAILED) in \d/m,
    ask: null,
    writes: '**/build/test-results/**/TEST-*.xml',
    printed: withoutNames(/^(?:> Task )?:(?:\S+:)?test NO-SOURCE$/m, /^(?:> Task )?:(?:\S+:)?test(?!Classes\b| NO-SOURCE$)/m),
    remedy:
      'Gradle writes no report of tests that are up to date. A person can write `gradle cleanTest test` as the command of the gate, or add `report: build/test-results/test/TEST-*.xml` to it.',
    guarded: java,
    home: gradleHome,
    above: ['settings.gradle', 'settings.gradle.kts'],
    verified: 'run',
  },
  {
    name: 'dotnet',
    command: /^dotnet test(?: |$)/,
    output: /^(?:Passed|Failed)! +- Failed: +\d+, Passed: +\d+/m,
    // It writes a file for each project and target framework.
    ask: byArguments('xml', (file) => [
      ...['--logger', `trx;LogFilePrefix=${path.basename(file)}`],
      ...['--results-directory', path.dirname(file)],
    ]),
    writes: null,
    printed: null,
    remedy:
      'Call the transition tool: the engine then runs it with `--logger trx`. Or let a person add `report: "**/TestResults/*.trx"` to the gate.',
    guarded: [
      ...['*.{cs,fs,vb}proj', '*.sln', '*.slnx', '*.runsettings', 'Directory.Build.*', 'Directory.Packages.props', 'global.json'],
      ...['xunit.runner.json', 'testconfig.json', '{NuGet,nuget}.{Config,config}', '.config/dotnet-tools.json'],
    ].map(anywhere),
    above: ['Directory.Build.props', 'Directory.Build.targets', 'Directory.Packages.props', 'global.json'],
    trustsTimes: true,
    verified: 'recorded',
  },
  {
    name: 'rspec',
    command: /^rspec(?: |$)/,
    output: /^(?:\d+ examples?, \d+ failures?|\{"version":"[\d.]+","examples":)/m,
    ask: byEnvironment('rspec json', (file) => ({ SPEC_OPTS: `--format json --out ${quoteOption(file)} --format progress` })),
    writes: null,
    printed: readRspec,
    remedy: 'Run it with `rspec --format json`.',
    guarded: ruby,
    home: ['.rspec', '.bundle/config'],
    verified: 'run',
  },
  {
    name: 'minitest',
    command: /^(?:ruby .*\btest\b.*|rake test|rails test)(?: |$)/,
    output: /^\d+ (?:runs|tests), \d+ assertions, \d+ failures, \d+ errors, \d+ skips$/m,
    ask: () => ({ env: { TESTOPTS: '-v' }, args: ['-v'], format: null, from: 'output' }),
    writes: null,
    printed: readMinitest,
    remedy: 'Run it with `-v`, or with `rake test TESTOPTS=-v`.',
    guarded: ruby,
    home: ['.bundle/config'],
    verified: 'run',
  },
  {
    name: 'phpunit',
    command: /^(?:phpunit|pest|artisan test)(?: |$)/,
    output: /^PHPUnit \d/m,
    ask: byArguments('xml', (file) => [`--log-junit=${file}`]),
    writes: null,
    printed: null,
    remedy: 'Run it with `phpunit --log-junit=FILE`, and name the file as the report of the gate.',
    guarded: [
      ...['phpunit.xml*', 'phpunit.dist.xml', 'composer.json', 'composer.lock', 'bootstrap.php', 'Pest.php', 'php.ini'],
      ...['vendor/autoload.php', 'vendor/bin/**', 'vendor/composer/*.php'],
    ].map(anywhere),
    verified: 'run',
  },
  {
    name: 'exunit',
    command: /^mix test(?: |$)/,
    output: /^Finished in [\d.]+ seconds \([\d.]+s async/m,
    ask: () => ({ env: {}, args: ['--trace'], format: null, from: 'output' }),
    writes: null,
    printed: readExunit,
    remedy: 'Run it with `mix test --trace`.',
    guarded: ['mix.exs', 'mix.lock', 'test_helper.exs', 'config/**', ...versions].map(anywhere),
    trustsTimes: true,
    verified: 'run',
  },
  {
    name: 'junit',
    command: /^$/,
    output: /^\s*<\?xml [^>]*>\s*<testsuites?[ >]/,
    ask: null,
    writes: null,
    printed: readJunit,
    remedy: 'Let the command write its report as JUnit XML.',
    guarded: [],
    verified: 'run',
  },
  {
    name: 'tap',
    command: /^(?:tap|tape|prove -v)(?: |$)/,
    output: /^TAP version \d+\s*$/m,
    ask: null,
    writes: null,
    printed: readTap,
    remedy: 'Print the results in the format TAP.',
    guarded: [...javascript, '**/.taprc'],
    packages: /^(?:tap|@tapjs|tape)$/,
    home: javascriptHome,
    above: javascriptAround,
    verified: 'run',
  },
];

/** Each reporter needs a destination. Those of the environment come before those of the command. */
function askNode(file: string, words: readonly string[] = []): ReportRequest {
  const count = (option: string) => words.filter((word) => word === option || word.startsWith(`${option}=`)).length;
  const [reporters, destinations] = [count('--test-reporter'), count('--test-reporter-destination')];
  const options = [
    `--test-reporter=${nodeReporter} --test-reporter-destination=${quoteOption(file)}`,
    ...(reporters === 0 ? ['--test-reporter=spec'] : []),
    ...(reporters === 0 || destinations < reporters ? ['--test-reporter-destination=stdout'] : []),
  ];
  return { env: { NODE_OPTIONS: options.join(' ') }, args: [], format: 'node events', from: 'file' };
}

function quoteOption(file: string): string {
  return /[\s"\\]/.test(file) ? `"${file.replace(/["\\]/g, '\\$&')}"` : file;
}

export function runnerNamed(name: RunnerName): Runner | null {
  return runners.find((runner) => runner.name === name) ?? null;
}

/** The runner whose output this is; null: none or several. */
export function runnerOfOutput(output: string): Runner | null {
  const found = runners.filter((runner) => runner.output.test(output));
  // The summary of node:test is more specific than TAP.
  const [first, ...others] = found.length > 1 ? found.filter(({ name }) => name !== 'tap') : found;
  return first !== undefined && others.length === 0 ? first : null;
}

/**
 * The text of a script of `package.json`, or the recipe of `make TARGET`; null: unknown. `workspace`: a name or folder, as the command
 * gives it; null: the run's folder.
 */
export type ReadScript = (name: string, workspace: string | null) => string | null;

export interface RunnerInvocation {
  runner: RunnerName;
  /** Words before arguments that are appended to the command, such as `--`; null: appended words do not reach the runner. */
  before: readonly string[] | null;
  /** The command of the runner itself, as the script of a package has it. */
  words: readonly string[];
}

/** `why`: a clause without a period. `tool` runs several runners, one after the other or at once. */
export type RunnerSearch = RunnerInvocation | { runner: null; why: string; tool: ScriptTool };

/** How a tool shows the output of the scripts that it runs. */
export interface ScriptTool {
  name: 'npm' | 'pnpm' | 'yarn' | 'turbo' | 'nx';
  /** Matches the command, as in `Runner`. */
  command: RegExp;
  /** Matches a line of a script that has the script's name in front: the name, and the line. null: a heading precedes each output. */
  line: RegExp | null;
  /** A sentence that explains how the output gets complete; null: it is. */
  remedy: string | null;
}

const scriptTools: readonly ScriptTool[] = [
  {
    name: 'turbo',
    command: /^turbo (?:.* )?\S*test\S*(?: |$)/,
    line: /^((?:@[\w.-]+\/)?[\w.-]+:[\w:.-]+): ?(.*)$/s,
    remedy: null,
  },
  {
    name: 'nx',
    command: /^nx (?:.* )?\S*test\S*(?: |$)/,
    line: null,
    remedy:
      'Let a person write `nx run-many -t test --output-style=static` as the command of the gate, because Nx leaves out the output of tests that pass.',
  },
  {
    name: 'pnpm',
    command: /^pnpm (?:.* )?(?:-r|--recursive)(?: |$)/,
    line: /^((?:\.|\S+) [\w:.-]+): ?(.*)$/s,
    remedy:
      'Let a person write `pnpm -r --no-bail test` as the command of the gate, because pnpm ends the other packages as soon as one fails.',
  },
  { name: 'yarn', command: /^yarn workspaces foreach(?: |$)/, line: /^(?:➤ YN\d+: )?\[([^\]]+)\]: ?(.*)$/s, remedy: null },
];
/** npm prints a heading for each script. So do other tools, and a script that runs others. */
const npm: ScriptTool = { name: 'npm', command: /^npm(?: |$)/, line: null, remedy: null };

/** Most scripts that call each other. */
const maxScripts = 5;

/** Finds the runner of a command, also through the scripts of a package. */
export function runnerOf(command: string, readScript: ReadScript): RunnerSearch {
  return search(command, null, readScript, maxScripts);
}

/** The texts of the scripts of a package that a command runs, also through each other. */
export function scriptTexts(
  command: string,
  readScript: ReadScript,
  workspace: string | null = null,
  depth = maxScripts,
): string[] {
  let folder = workspace;
  return (partsOf(command) ?? []).flatMap(({ words }) => {
    if (words[0] === 'cd' && words.length === 2) folder = words[1] as string;
    if (depth === 0) return [];
    const script = scriptOf(words);
    const place = script === null || script === 'several' ? folder : (script.workspace ?? folder);
    const names = script === null ? scriptsAfter(words) : script === 'several' ? [] : [script.name];
    const own = names.flatMap((name) => ['pre', '', 'post'].flatMap((when) => readScript(`${when}${name}`, place) ?? []));
    return own.flatMap((text) => [text, ...scriptTexts(text, readScript, place, depth - 1)]);
  });
}

/** Scripts of a package that are named after a program such as `run-s`. */
function scriptsAfter(words: readonly string[]): string[] {
  const [program, ...rest] = withoutWrappers(words);
  const names = rest.filter((word) => !word.startsWith('-'));
  if (/^(?:run-s|run-p|npm-run-all2?)$/.test(program ?? '')) return names;
  return program === 'node' && rest[0] === '--run' ? names.slice(0, 1) : [];
}

/** The command with arguments for the runner; null: they cannot reach it. */
export function withArguments(command: string, { before }: RunnerInvocation, args: readonly string[]): string | null {
  if (args.length === 0) return command;
  return before === null ? null : `${command} ${quote([...before, ...args])}`;
}

function search(command: string, workspace: string | null, readScript: ReadScript, depth: number): RunnerSearch {
  const runnerInvocations: RunnerInvocation[] = [];
  let unknown: Extract<RunnerSearch, { runner: null }> | null = null;
  let folder = workspace;
  const parts = partsOf(command);
  if (parts === null) return unknownRunner('the command cannot be read');
  for (const [index, { words, end }] of parts.entries()) {
    if (words[0] === 'cd' && words.length === 2) {
      folder = words[1] as string;
      continue;
    }
    const one = runnerOfWords(words, folder, readScript, depth);
    if (one === null) continue;
    if (one.runner === null) unknown ??= one;
    else runnerInvocations.push(index === parts.length - 1 && end === '' ? one : { ...one, before: null });
  }
  const [first] = runnerInvocations;
  if (first === undefined) return unknown ?? unknownRunner(`\`${command}\` starts no test runner that is known`);
  return unknown ?? (runnerInvocations.length > 1 ? unknownRunner(`\`${command}\` starts several test runners`) : first);
}

function unknownRunner(why: string, tool: ScriptTool | undefined = undefined): Extract<RunnerSearch, { runner: null }> {
  return { runner: null, why, tool: tool ?? npm };
}

function runnerOfWords(
  words: readonly string[],
  folder: string | null,
  readScript: ReadScript,
  depth: number,
): RunnerSearch | null {
  const script = scriptOf(words);
  const forms = [withoutWrappers(words), withoutEnvironment(words)].map((form) => form.join(' '));
  const tool = scriptTools.find(({ command }) => forms.some((form) => command.test(form)));
  if (script === 'several' || tool !== undefined)
    return unknownRunner(`\`${words.join(' ')}\` runs the scripts of several packages`, tool);
  if (script !== null) {
    const text = readScript(script.name, script.workspace ?? folder);
    if (text !== null) {
      if (depth === 0) return unknownRunner(`the script \`${script.name}\` calls too many others`);
      const inner = search(text, script.workspace ?? folder, readScript, depth - 1);
      if (inner.runner === null || inner.before === null) return inner;
      // Options of the runner may also follow the name of the script.
      return { ...inner, before: [...script.before, ...inner.before], words: [...inner.words, ...words] };
    }
    if (!script.isMaybeProgram) return unknownRunner(`the script \`${script.name}\` is unknown`);
  }
  const recipe = /^(?:g?make|just)(?: |$)/.test(forms[0] as string) ? readScript(forms[0] as string, folder) : null;
  if (recipe !== null && depth > 0) {
    const inner = search(recipe, folder, readScript, depth - 1);
    return inner.runner === null ? inner : { ...inner, before: null };
  }
  const runner = runners.find(({ command }) => command.test(forms[0] as string));
  return runner === undefined ? null : { runner: runner.name, before: [], words };
}

interface PackageScript {
  name: string;
  workspace: string | null;
  before: readonly string[];
  /** If there is no such script, the word is the name of a program. */
  isMaybeProgram: boolean;
}

/**
 * The words that distinguish commands, without environment, wrappers and folders of programs: `script test` for `npm t` and `yarn
 * run test`, `pytest -q` for `python -m pytest -q`.
 */
export function plainCommand(words: readonly string[]): string[] {
  const plain = withoutWrappers(words);
  const script = [words, plain].map(scriptOf).find((one) => one !== null);
  return script === undefined || script === null || script === 'several' || script.isMaybeProgram
    ? plain
    : ['script', script.name];
}

const managers = new Set(['npm', 'pnpm', 'yarn', 'bun']);
const workspaceOptions = new Set(['-w', '--workspace', '--filter', '-F', '--prefix', '-C', '--dir', '--cwd']);
const severalOptions = new Set(['-ws', '--workspaces', '-r', '--recursive', '-A', '--all']);
/** Verbs of package managers that are not names of scripts. */
const verbs = new Set(['exec', 'x', 'dlx', 'install', 'i', 'ci', 'add', 'node', 'create', 'init', 'publish', 'build']);

/** The script that a package manager is asked for; null: the words ask for none. */
function scriptOf(words: readonly string[]): PackageScript | 'several' | null {
  const [manager, ...all] = withoutEnvironment(words);
  if (manager === undefined || !managers.has(manager)) return null;
  const separator = all.indexOf('--');
  const rest = separator === -1 ? all : all.slice(0, separator);
  let workspace: string | null = null;
  const plain: string[] = [];
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] as string;
    const [option, value] = /^(-[^=]+)=(.*)$/.exec(word)?.slice(1) ?? [word];
    if (severalOptions.has(word) && plain.length < 2) return 'several';
    if (workspaceOptions.has(option as string) && (manager === 'npm' || plain.length === 0))
      workspace = value ?? rest[++at] ?? null;
    else if (!word.startsWith('-')) plain.push(word);
  }
  if (manager === 'yarn' && plain[0] === 'workspace') workspace = plain.splice(0, 2)[1] ?? null;
  if (manager === 'yarn' && plain[0] === 'workspaces') return 'several';
  const before = manager === 'npm' && separator === -1 ? ['--'] : [];
  const [verb, name] = plain;
  if (verb === 'run' || verb === 'run-script')
    return name === undefined ? null : { name, workspace, before, isMaybeProgram: false };
  // `bun test` is the runner of Bun.
  if (verb === undefined || (manager === 'bun' && verb === 'test')) return null;
  if (verb === 'test' || verb === 't' || verb === 'tst') return { name: 'test', workspace, before, isMaybeProgram: false };
  if (manager === 'npm' || verbs.has(verb)) return null;
  return { name: verb, workspace, before, isMaybeProgram: true };
}

/** Without variables that are set for the command. */
function withoutEnvironment(words: readonly string[]): string[] {
  const start = words.findIndex((word) => !/^(?:[A-Za-z_]\w*=.*|env|cross-env|--)$/s.test(word));
  return start === -1 ? [] : words.slice(start);
}

/** Programs that run the program after them, with the options that have a value. */
const wrappers: { [name: string]: { words?: readonly string[]; values?: readonly string[]; operands?: number } } = {
  npx: { values: ['-p', '--package'] },
  bunx: {},
  npm: { words: ['exec', 'x'] },
  pnpm: { words: ['exec', 'dlx', ''] },
  yarn: { words: ['exec', 'dlx', 'run', ''] },
  bun: { words: ['x', 'run', ''] },
  uv: { words: ['run'], values: ['--with', '--group', '--extra', '-p', '--python', '--env-file', '--project', '--package'] },
  poetry: { words: ['run'] },
  pipenv: { words: ['run'] },
  pdm: { words: ['run'] },
  rye: { words: ['run'] },
  hatch: { words: ['run'] },
  bundle: { words: ['exec'] },
  php: {},
  dotenv: { values: ['-e', '-v', '-c', '-p'] },
  dotenvx: { words: ['run'], values: ['-f', '-e', '--env-file', '--env'] },
  'env-cmd': { values: ['-f', '--file', '-e', '--environments', '-r', '--rc-file'] },
  'xvfb-run': { values: ['-n', '-s', '-e', '-f', '-p', '-w'] },
  time: {},
  timeout: { values: ['-k', '-s'], operands: 1 },
  nice: { values: ['-n'] },
  c8: { values: ['-r', '--reporter', '-o'] },
  nyc: { values: ['-r', '--reporter'] },
  coverage: { words: ['run'], values: ['--source', '--omit', '--include', '--rcfile', '--data-file'] },
};

/** The words from the program of a runner on, with its file name only. */
function withoutWrappers(words: readonly string[]): string[] {
  let rest = [...words];
  for (let count = 0; count < 10; count++) {
    rest = withoutEnvironment(rest);
    const [first, second] = rest;
    if (first === undefined) return [];
    const name = programName(first);
    const wrapper = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
    const isVerb = wrapper?.words?.some((word) => word === second) === true;
    const isPlain = wrapper !== undefined && (wrapper.words === undefined || wrapper.words.includes(''));
    if (wrapper !== undefined && (isVerb || (isPlain && !(name === 'bun' && second === 'test')))) {
      rest = afterOptions(rest.slice(isVerb ? 2 : 1), wrapper.values ?? []).slice(wrapper.operands ?? 0);
    } else if (/^(?:python|pypy|py)[\d.]*$/.test(name)) {
      const module = rest.indexOf('-m');
      const file = afterOptions(rest.slice(1, module === -1 ? rest.length : module), ['-X', '-W']);
      rest = file.length > 0 || module === -1 ? afterOptions(rest.slice(1), ['-X', '-W']) : rest.slice(module + 1);
    } else if (name === 'node') {
      // `node --experimental-vm-modules node_modules/jest/bin/jest.js`
      const file = rest.findIndex((word) => /(?:^|\/)node_modules\//.test(word) && !word.startsWith('-'));
      if (file === -1 || rest.slice(0, file).includes('--test')) return [name, ...rest.slice(1)];
      const program = /node_modules\/(?:\.bin\/)?([^/]+)/.exec(rest[file] as string)?.[1] as string;
      return [program.replace(/\.[cm]?js$/, ''), ...rest.slice(file + 1)];
    } else return [name, ...rest.slice(1)];
  }
  return rest;
}

function afterOptions(words: readonly string[], values: readonly string[]): string[] {
  let at = 0;
  while (at < words.length && (words[at] as string).startsWith('-')) {
    const word = words[at] as string;
    at += values.includes(word) ? 2 : 1;
    if (word === '--') break;
  }
  return words.slice(at);
}

function programName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1).replace(/\.(?:cmd|exe|bat)$/i, '');
}

export interface CommandPart {
  words: string[];
  /** The operator after the part, without `&&`; '' at the end. */
  end: string;
}

/** The simple commands of a text; null: it cannot be split. */
export function partsOf(command: string): CommandPart[] | null {
  const parts: CommandPart[] = [];
  let words: string[] = [];
  let skipNext = false;
  try {
    for (const token of parse(command)) {
      if (typeof token === 'string') {
        if (!skipNext) words.push(token);
        skipNext = false;
      } else if ('comment' in token) break;
      else if (token.op === 'glob') words.push(token.pattern);
      else if (/^(?:[<>]|>>|>&|<&|>\|)$/.test(token.op)) {
        // A redirect. The parser splits the number off `2>&1`.
        if (/^\d$/.test(words.at(-1) ?? '')) words.pop();
        skipNext = true;
      } else if (['&&', '||', ';', '|', '&', '|&'].includes(token.op)) {
        parts.push({ words, end: token.op });
        words = [];
      } else return null;
    }
  } catch {
    return null;
  }
  if (words.length > 0) parts.push({ words, end: '' });
  return parts.filter((part) => part.words.length > 0);
}
