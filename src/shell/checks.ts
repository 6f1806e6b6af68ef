// Commands with the purpose of testing, checking or describing the project. They run its code, which may write files, so this says
// nothing about their effects.
import { basename } from './targets.ts';

/** Scripts and targets that test or check: `npm run test:unit`, `make lint`. */
const SCRIPT =
  '(?:tests?|t|tst|specs?|unit|e2e|integration|lint(?:er)?|type-?check|types|tsc|checks?|verify|validate|coverage|cov|ci|(?:format|fmt|prettier|style)[:._-]check)(?:[:._-][\\w:.-]+)?';
/** Verbs that print what package managers know. */
const LISTS = 'list|ls|la|ll|why|explain|outdated|licenses (?:list|ls)|audit|view|info|root|bin|config (?:get|list)|help';
/** One word of this form, or several. */
const each = (word: string) => new RegExp(`^(?:${word})(?: (?:${word}))*$`);
const first = (words: string) => new RegExp(`^(?:${words})(?: |$)`);
const anything = /^/;

interface Check {
  /** The operands of the program, joined with spaces. */
  words: RegExp;
  /** Options that take the next word, separated by spaces. */
  valued?: string;
  /** At least one of these words must be there, separated by spaces. */
  only?: string;
}

const gradle: Check = {
  words: each(
    ':?(?:[\\w-]+:)*(?:test\\w*|cleanTest|allTests|(?!update|record|publish|generate)\\w*Test|check|lint\\w*|(?!update|record|publish|generate)\\w*Check|detekt\\w*|checkstyle\\w*|pmd\\w*|compile\\w*|jacoco\\w*|tasks|dependencies|dependencyInsight|buildEnvironment|outgoingVariants|projects|properties|help)',
  ),
  valued: '--tests -p --project-dir --configuration --dependency --task --console -x --exclude-task',
};
const maven: Check = {
  words: each(
    'clean|validate|test|test-compile|compile|verify|[\\w.-]+:(?:check|tree|list|analyze|effective-pom|effective-settings|describe|help|evaluate|active-profiles|integration-test|report|display-\\w+(?:-updates)?)|surefire:test',
  ),
  valued: '-pl --projects -f --file -P -T --threads -rf --resume-from',
};
const node: Check = { words: anything, only: '--test' };
const formats: Check = {
  words: anything,
  only: '--check -c --check-only --diff --dry-run --list-different -l --lint --verify-no-changes --test -n',
};
const django: Check = {
  words: first('test|check|showmigrations|sqlmigrate|diffsettings|inspectdb|show_urls|findstatic|version'),
};

/** Programs by name, with the operands of a check. */
const checks: Readonly<Record<string, Check>> = {
  // Test runners, linters and type checkers, with any operands.
  ...Object.fromEntries(
    `vitest jest mocha ava tap tape jasmine karma wdio pytest py.test unittest nose2 behave tox nox rspec minitest cucumber phpunit
     pest paratest prove bats ginkgo gotestsum ctest codecept eslint oxlint stylelint tslint xo standard knip depcheck madge depcruise
     dependency-cruiser svelte-check publint attw cspell markdownlint markdownlint-cli2 mypy dmypy pyright basedpyright pyre pylint
     flake8 bandit ty staticcheck phpstan psalm phan detekt ktlint swiftlint rubocop standardrb brakeman erblint reek clang-tidy
     cppcheck xcbeautify xcpretty tflint actionlint hadolint vale
     nyc errcheck revive hlint clj-kondo doctest parallel_rspec busted luacheck`
      .split(/\s+/)
      .map((name) => [name, { words: anything }]),
  ),
  npm: {
    words: first(`test|t|tst|(?:run|run-script|rum|urn) ${SCRIPT}|exec \\w+`),
    valued: '-w --workspace --prefix -C',
  },
  pnpm: {
    words: first(`(?:run |run-script )?${SCRIPT}|${LISTS}|store path|recursive (?:${SCRIPT}|list|ls)|run$`),
    valued: '--filter -F -C --dir',
  },
  yarn: {
    words: first(
      `(?:workspace \\S+ |workspaces (?:foreach|run) )?(?:run )?${SCRIPT}|${LISTS}|npm (?:info|audit|whoami|tag list)|workspaces (?:list|info)|versions|node|run$|config$`,
    ),
    valued: '--cwd',
  },
  bun: { words: first(`test|run ${SCRIPT}|pm (?:ls|bin|hash|view)|why|outdated|info`), valued: '--cwd --filter' },
  deno: { words: first(`test|bench|lint|check|info|doc|task ${SCRIPT}`) },
  node,
  tsx: node,
  cypress: { words: first('run|verify|info') },
  playwright: { words: first('test|merge-reports') },
  detox: { words: first('test') },
  tsc: { words: anything, only: '--noEmit --noemit --showConfig --listFilesOnly' },
  'vue-tsc': { words: anything, only: '--noEmit' },
  biome: { words: first('check|lint|ci|format') },
  prettier: { words: anything, only: '--check -c --list-different -l' },
  nx: {
    words: first(
      `(?:test|lint|e2e|type-?check)|run [\\w@/.-]+:${SCRIPT}|(?:run-many|affected)(?: -t (?:${SCRIPT}))+|show (?:projects?|target)|report|graph|format:check`,
    ),
    valued: '--base --head --parallel -p --projects --exclude',
  },
  turbo: { words: each(`run|ls|${SCRIPT}`), valued: '--filter -F --concurrency' },
  changeset: { words: first('status') },
  coverage: { words: first('run (?:pytest|unittest|nose2|manage\\.py test)|report|html|xml|json|lcov') },
  c8: { words: first('report') },
  terraform: { words: first('validate|graph') },
  tofu: { words: first('validate|graph') },
  pydoc: { words: anything },
  site: { words: /^$/ },
  ruff: { words: first('check|rule|linter|config|version') },
  black: formats,
  isort: formats,
  yapf: formats,
  poetry: {
    words: first('show|check|about|version$|env (?:info|list)|config$|source show'),
    valued: '-C --directory -P --project',
  },
  pdm: { words: first(`test|lint|run ${SCRIPT}|list|info|show|outdated|lock --check`) },
  hatch: { words: first(`test|run (?:[\\w.-]+:)?${SCRIPT}|version$|env show|dep show|status`) },
  rye: { words: first('test|lint|list|show') },
  pipenv: { words: first('check|graph|verify') },
  uv: { words: first('tree|export|pip (?:list|show|tree|check|freeze)|python (?:list|find)|version$') },
  pip: { words: first('list|show|check|freeze') },
  'manage.py': django,
  'django-admin': django,
  go: { words: first('test|vet|list|doc|version|env$|mod (?:verify|why|graph)|tool (?:cover|pprof|nm|objdump|dist)') },
  govulncheck: { words: anything },
  jupyter: { words: first('nbconvert'), only: '--stdout' },
  dvc: {
    words: first(
      'status|diff|dag|list|ls|root|doctor|data status|(?:metrics|params|plots) (?:show|diff)|remote list|stage list|exp (?:show|list|diff)',
    ),
  },
  'golangci-lint': { words: first('run|linters|version') },
  cargo: {
    words: first(
      'test|t|miri test|nextest (?:run|list)|check|c|clippy|bench|tree|metadata|llvm-cov|tarpaulin|deny|audit|machete|outdated|hack (?:test|check)|expand|pkgid|locate-project|verify-project|search|info|help',
    ),
  },
  mvn: maven,
  mvnw: maven,
  gradle,
  gradlew: gradle,
  dotnet: { words: first('test|watch test|vstest|help|list|ef migrations list|ef dbcontext (?:info|list)|sln (?:\\S+ )?list') },
  make: { words: each(`${SCRIPT}|help`), valued: '-C -f' },
  cmake: { words: /^\S+ tests?$/, only: '--target' },
  rustup: { words: first('show|check|which|toolchain list|component list|target list') },
  rustc: { words: anything, only: '--print --explain' },
  which: { words: anything },
  sbt: { words: each('(?:\\w+/)?(?:test\\w*|compile|scalafmtCheck\\w*|dependencyTree|projects)(?: .*)?') },
  lein: { words: first('test|check|deps :tree|kibit|eastwood') },
  stack: { words: first('test|ls') },
  cabal: { words: first('test|check|outdated') },
  lerna: { words: first(`run ${SCRIPT}|list|ls|ll|changed|diff|graph`), valued: '--scope --since' },
  clojure: { words: anything, only: '-M:test -X:test -Stree -Spath' },
  clj: { words: anything, only: '-M:test -X:test -Stree -Spath' },
  ng: { words: first('test|lint|e2e|version$') },
  dune: { words: first('test|runtest') },
  zig: { words: first('test|build test|version$|env$') },
  R: { words: first('CMD check') },
  just: { words: first(SCRIPT) },
  task: { words: each(SCRIPT) },
  rake: { words: each(`${SCRIPT}|routes|stats|about`) },
  rails: { words: first('test(?::\\w+)?|routes|stats|about|notes|middleware|zeitwerk:check|db:migrate:status|db:version') },
  bundle: { words: first('list|show|info|check|outdated|platform|config (?:list|get)|exec rake -T') },
  console: { words: first('lint:\\w+|debug:\\w+|about|list') },
  artisan: { words: first('test|about|list|(?:route|event|schedule):list|migrate:status|config:show|model:show') },
  composer: { words: first(`(?:run-script |run )?${SCRIPT}|show|info|outdated|why|why-not|depends|licenses|diagnose`) },
  pint: { words: anything, only: '--test' },
  'php-cs-fixer': { words: first('check|list-files') },
  mix: {
    words: first(
      'test|cmd (?:\\w+ )?mix test|credo|dialyzer|xref|deps$|deps.tree|help|phx.routes|ecto.migrations|hex.outdated|coveralls',
    ),
  },
  swift: { words: first('test|package (?:describe|show-dependencies)') },
  xcodebuild: {
    words: each('test|test-without-building'),
    valued: '-scheme -destination -project -workspace -configuration -sdk -testPlan -derivedDataPath',
  },
  flutter: { words: first('test|analyze|doctor|devices|pub (?:deps|outdated)') },
  dart: { words: first('test|analyze|pub (?:deps|outdated)') },
};

/** Programs that start the program that follows, and how many words belong to them. */
const starters: Readonly<Record<string, RegExp>> = {
  npx: /^/,
  bunx: /^/,
  npm: /^exec /,
  pnpm: /^exec /,
  yarn: /^(?:exec|run -T|workspace \S+(?: run)?) /,
  bun: /^(?:x|run) /,
  poetry: /^run /,
  uv: /^run /,
  pipenv: /^run /,
  rye: /^run /,
  pdm: /^run /,
  hatch: /^run /,
  bundle: /^exec /,
  c8: /^/,
  nyc: /^/,
  coverage: /^run /,
  valgrind: /^/,
  xcrun: /^/,
};
/** Options of these that take the next word. */
const startersValued = /^--(?:filter|group|extra|with|python|directory|workspace|prefix)$|^-[FCw]$/;

/** `--fix`, `--update-snapshots`, `--generate-baseline`: the command is meant to change files. */
const changes =
  /^(?:-u|--?(?:(?:update|fix|write|apply|accept|record|auto-?correct|auto-?fix|in-?place|overwrite|snapshot-update|inline-snapshot)\b.*|[\w-]*baseline(?:=.*)?))$/i;
/** Letters that mean the same for these programs. */
const changesShort: Readonly<Record<string, RegExp>> = {
  rubocop: /^-[aA]$/,
  standardrb: /^-[aA]$/,
  ktlint: /^-F$/,
  biome: /^--write$/,
  playwright: /^-u/,
  phpstan: /^-b$/,
};
/** A script with a name that means a change of files: `npm run lint:fix`. */
const changesWord = /(?:^|[:._-])(?:fix|write|update|apply|accept|snapshots?|record|generate|format|upgrade)$/i;
/** A test binary or script: `build/tests/cart_test`, `scripts/run-tests.sh`. */
const testBinary = /(?:^|[_-])tests?(?:\.(?:sh|bash))?$/;

/** `-v` alone prints the version of these programs. */
const onlyVersion = /^(?:mvnw?|gradlew?)$/;

/** Number of words among which a command that starts another program names it. */
const mostStarters = 3;

/**
 * Whether the unknown words of a command can only be names of files in a folder that it names: `src/*.ts`. Such a word is no
 * option and no subcommand.
 * @param text the command as rules see it, with unknown words as they are written
 */
export function hasOnlyFileGlobs(text: string): boolean {
  const words = text.split(' ');
  return (
    !/[$`~{(<>"'\\]/.test(text) &&
    words.every(
      (word) =>
        !/[*?[]/.test(word) || /^--filter=[\w@./{}^]*\[[\w/.^-]+\]$/.test(word) || /^[\w.@][\w.@/-]*\/[^/]*[*?[]/.test(word),
    )
  );
}

/** Whether the words of a command of the class `runs` say that it tests, checks or describes the project. */
export function isCheck(argv: readonly (string | null)[], text: string): boolean {
  if (argv.includes(null) && !hasOnlyFileGlobs(text)) return false;
  const written = text.split(' ');
  let words: readonly string[] = argv.map((word, at) => word ?? (written[at]?.startsWith('--filter=') ? '--filter=*' : '*'));
  if (words.some((word) => (word.startsWith('-') ? changes : changesWord).test(word))) return false;
  for (let depth = 0; depth <= mostStarters; depth++) {
    const name = basename(words[0] ?? '');
    if (isCheckOf(name, words)) return true;
    const inner = startedBy(name, words);
    if (inner === null) return false;
    // `npx eslint@9`
    words = [inner[0]!.replace(/(?<=\w)@[\w.]+$/, ''), ...inner.slice(1)];
  }
  return false;
}

function isCheckOf(name: string, words: readonly string[]): boolean {
  if (testBinary.test(name) && words[0]!.includes('/')) return true;
  if (words.length === 2 && (/^--?version$/.test(words[1]!) || (words[1] === '-v' && onlyVersion.test(name)))) return true;
  if (runsTestFile(name, words)) return true;
  if (!Object.hasOwn(checks, name)) return false;
  if (words.length === 2 && /^--(?:help|list)$/.test(words[1]!)) return true;
  if (Object.hasOwn(shows, name) && words.some((word) => shows[name]!.test(word))) return true;
  const { words: form, valued = '', only } = checks[name]!;
  const rest = words.slice(1);
  if (only !== undefined && !rest.some((word) => only.split(' ').includes(word))) return false;
  if (Object.hasOwn(changesShort, name) && rest.some((word) => changesShort[name]!.test(word))) return false;
  return form.test(operandsOf(rest, valued.split(' ')).join(' '));
}

/** Options with which these programs only print what they would do, or could. */
const shows: Readonly<Record<string, RegExp>> = {
  make: /^-[a-z]*n[a-z]*$|^--(?:dry-run|just-print|recon)$/,
  rake: /^(?:-T|--tasks|-P)$/,
  rails: /^(?:-T|--tasks)$/,
  turbo: /^--dry(?:-run)?(?:=\w+)?$/,
  just: /^--(?:evaluate|dry-run|variables)$/,
};

/** A file of tests: `ruby -Itest test/cart_test.rb`. */
const testFile =
  /^(?!\/|.*\.\.\/)(?:(?:.*\/)?(?:tests?|specs?|__tests__)\/[\w./-]+|(?:[\w./-]*[/._-])?(?:test|spec)\.\w+|(?:[\w./-]*\/)?test_[\w.-]+)$/;
const isTestScript = (word: string) => /\.(?:sh|bash)$/.test(word) && (testFile.test(word) || testBinary.test(basename(word)));
const testFileOption = /^(?:-I\S+|-W\S*|-[wBu]|--test|--no-warnings|--enable-source-maps)$/;

function runsTestFile(name: string, words: readonly string[]): boolean {
  if (/^(?:ba|z)?sh$/.test(name)) return words.length > 1 && isTestScript(words[1]!);
  if (isTestScript(words[0]!) && words[0]!.includes('/')) return true;
  if (!/^(?:ruby|python[\d.]*|node|tsx|ts-node|php|Rscript)$/.test(name)) return false;
  const at = words.findIndex((word, i) => i > 0 && !testFileOption.test(word));
  return at > 0 && testFile.test(words[at]!);
}

/** The targets of Nx are values of an option, so this option stays. */
function operandsOf(words: readonly string[], valued: readonly string[]): string[] {
  return words.filter((word, at) => (/^[^-]/.test(word) || word === '-t') && !(at > 0 && valued.includes(words[at - 1]!)));
}

/** The words of the program that a command starts; null: none is known. */
function startedBy(name: string, words: readonly string[]): readonly string[] | null {
  if (/^python[\d.]*$/.test(name)) {
    const at = words.findIndex((word, i) => i > 0 && !/^-[XW]$/.test(words[i - 1]!) && (!word.startsWith('-') || word === '-m'));
    if (at > 0 && words[at] === '-m') return words.slice(at + 1);
    return at > 0 ? words.slice(at) : null;
  }
  if (name === 'php') return words.slice(1);
  if (!Object.hasOwn(starters, name)) return null;
  const own = starters[name]!.exec(`${words.slice(1).join(' ')} `);
  if (own === null) return packageProgram(name, words);
  let at = 1 + own[0].split(' ').length - 1;
  while (at < words.length && words[at]!.startsWith('-')) at += startersValued.test(words[at]!) ? 2 : 1;
  return at < words.length ? words.slice(at) : null;
}

/** pnpm and yarn start a program of the project by its name alone: `pnpm vitest`, `yarn --silent jest`. */
function packageProgram(name: string, words: readonly string[]): readonly string[] | null {
  if (name !== 'pnpm' && name !== 'yarn') return null;
  let at = 1;
  while (at < words.length && words[at]!.startsWith('-')) at += startersValued.test(words[at]!) ? 2 : 1;
  if (words[at] === 'exec') at++;
  return at < words.length ? words.slice(at) : null;
}
