// Files that a program writes although the analysis does not understand the program: the operands of a formatter, and the values
// of output options. The program may write elsewhere too, but these files are certain.
import type { Arg } from './arg.ts';
import type { CommandCall } from './call.ts';
import { ELSEWHERE } from './program-texts.ts';

/** Programs of class `runs` that rewrite their operands if one of these words is among their words. */
const rewriters: Readonly<Record<string, readonly string[]>> = {
  eslint: ['--fix'],
  oxlint: ['--fix', '--fix-suggestions', '--fix-dangerously'],
  stylelint: ['--fix'],
  standard: ['--fix'],
  xo: ['--fix'],
  tslint: ['--fix'],
  prettier: ['--write', '-w'],
  biome: ['--write', '--fix', '--apply', '--apply-unsafe'],
  rome: ['--apply', '--write'],
  ruff: ['--fix', '--fix-only', '--unsafe-fixes', 'format'],
  black: [],
  isort: [],
  autopep8: ['--in-place', '-i'],
  autoflake: ['--in-place', '-i'],
  docformatter: ['--in-place', '-i'],
  pyupgrade: [],
  yapf: ['--in-place', '-i'],
  rustfmt: [],
  rubocop: ['-a', '-A', '--autocorrect', '--autocorrect-all', '--auto-correct', '--auto-correct-all', '-x', '--fix-layout'],
  'php-cs-fixer': ['fix'],
  pint: [],
  deno: ['fmt', '--fix'],
  dart: ['format', '--apply'],
  mix: ['format'],
  swiftformat: [],
  'swift-format': ['-i', '--in-place', 'format'],
  'golangci-lint': ['--fix', 'fmt'],
  'clang-tidy': ['-fix', '--fix', '-fix-errors', '--fix-errors', '-fix-notes', '--fix-notes'],
  'ast-grep': ['-U', '--update-all', '-i', '--interactive'],
  sg: ['-U', '--update-all', '-i', '--interactive'],
  djlint: ['--reformat'],
  standardrb: ['--fix'],
  rector: ['process'],
  ktlint: ['-F', '--format'],
  swiftlint: ['--fix', '--autocorrect', '--format'],
  scalafmt: [],
  'clang-format': ['-i'],
  'google-java-format': ['-i', '-r', '--replace'],
  shfmt: ['-w', '--write'],
  jscodeshift: [],
};
/** With one of these, the program only reports. */
const reports =
  '--check --diff --dry --dry-run --dryRun --test --lint --print --version --help --stdout --list-files --check-formatted --check-only --output=none'.split(
    ' ',
  );
/** Subcommands of these programs, and the word for standard input. */
const subcommands = ['check', 'format', 'lint', 'fix', 'ci', 'fmt', 'run', 'process', 'scan', '-'];
/**
 * Options whose value is a file that the program writes, with one dash or two. `$`: its last operand. `*`: its operands, if one of
 * the options contains the letter `i`. `@`: its operands after the first.
 */
const outputs: Readonly<Record<string, string>> = {
  go: 'o coverprofile cpuprofile memprofile trace',
  rustc: 'o',
  pip: 'report log',
  pip3: 'report log',
  uv: 'o output-file',
  tsc: 'outFile tsBuildInfoFile',
  esbuild: 'outfile metafile',
  rollup: 'o file',
  swc: 'o out-file',
  babel: 'o out-file',
  postcss: 'o output',
  terser: 'o output',
  jupyter: 'output',
  'license-checker': 'out',
  eslint: 'o output-file cache-location',
  stylelint: 'o output-file',
  jest: 'outputFile',
  vitest: 'outputFile',
  node: 'test-reporter-destination snapshot-blob redirect-warnings report-filename tls-keylog trace-event-file-pattern',
  pytest: 'junitxml junit-xml',
  typedoc: 'json',
  kotlinc: 'd',
  ghc: 'o',
  swiftc: 'o',
  emcc: 'o',
  nasm: 'o l',
  ld: 'o',
  strip: 'o',
  bison: 'o output',
  flex: 'o outfile',
  ctags: 'f o',
  lcov: 'o output-file',
  dot: 'o',
  doxygen: 'g',
  msgfmt: 'o output-file',
  gs: 'o',
  inkscape: 'o export-filename',
  convert: '$',
  ffmpeg: '$',
  wkhtmltopdf: '$',
  'yt-dlp': 'o output',
  aria2c: 'o out',
  http: 'o output',
  https: 'o output',
  psql: 'o output L log-file',
  mysql: 'tee',
  gpg: 'o output',
  gpg2: 'o output',
  'ssh-keygen': 'f',
  valgrind: 'log-file xml-file',
  perf: 'o output',
  uudecode: 'o output-file',
  logrotate: 's state l log',
  patch: 'o output r reject-file',
  gh: 'O output',
  mockgen: 'destination',
  'terraform-docs': 'output-file',
  docker: 'iidfile metadata-file',
  sponge: '$',
  script: '$',
  perl: '*',
  ruby: '*',
  rename: '@',
  prename: '@',
  'file-rename': '@',
  setfacl: '$',
  xattr: '$',
  chattr: '$',
  chflags: '$',
};
/** Options whose value is a folder that a build writes files into. */
const outputFolders: Readonly<Record<string, string>> = {
  node: 'diagnostic-dir report-dir report-directory cpu-prof-dir heap-prof-dir',
  tsc: 'outDir declarationDir',
  vite: 'outDir',
  esbuild: 'outdir',
  rollup: 'd dir',
  webpack: 'output-path',
  babel: 'd out-dir',
  swc: 'd out-dir',
  tsup: 'd out-dir',
  bun: 'outdir',
  jscpd: 'o output',
  jupyter: 'output-dir',
};
/** Options of these programs that take the next word. */
const takesWord =
  /^(?:-c|-f|-o|-p|-r|--pattern|--rewrite|-l|--(?:config|config-path|ext|format|output-file|max-warnings|rule|rulesdir|plugin|parser|parser-options|env|global|cache-location|cache-file|ignore-path|ignore-pattern|fix-type|resolve-plugins-relative-to|tsconfig|reporter|log-level|target-version|line-length|select|ignore|extend-select|exclude|edition|style|only|except|transform|extensions|profile))$/;

/**
 * Subcommands and scripts that rewrite or create sources of the project without naming them, in the words after the program. A
 * place is a folder of the working folder, or one of its files after `./`.
 */
const sweeps: readonly { programs: string; words: RegExp; place: string }[] = [
  { programs: 'cargo', words: /^(?:\+\S+ )?(?:fmt(?!.* --check)|fix|clippy .*--fix)(?: |$)/, place: '.' },
  { programs: 'go', words: /^(?:fmt|fix|generate)(?: |$)|^(?:vet|run \S+) .*-fix(?: |$)/, place: '.' },
  { programs: 'dotnet', words: /^format(?!.* --verify-no-changes)(?: |$)/, place: '.' },
  {
    programs: 'nx',
    words: /^(?:format(?::write)?|g|generate|migrate)(?: |$)|^(?:lint|run|run-many|affected) .*--fix(?: |$)/,
    place: '.',
  },
  { programs: 'gradle gradlew', words: /(?:^| )\S*(?:Apply|Format|AutoCorrect|apiDump)(?: |$)/, place: '.' },
  { programs: 'gradle gradlew', words: /(?:^| )wrapper(?: |$)/, place: './gradle/wrapper/gradle-wrapper.properties' },
  { programs: 'mvn mvnw', words: /(?:^| )\S*:(?:apply|format|set|use-\S+|update-\S+)(?: |$)/, place: '.' },
  {
    programs: 'mvn mvnw',
    words: /(?:^| )(?:\S+:)?(?:archetype:generate|versions:(?:set|use|update)\S*)(?: |$)/,
    place: './pom.xml',
  },
  { programs: 'artisan console', words: /^make:(?!migration)/, place: '.' },
  { programs: 'rails', words: /^(?:(?:g|generate|d|destroy) (?!migration)|app:update)/, place: '.' },
  { programs: 'prisma', words: /^format(?!.* --check)(?: |$)/, place: '.' },
  { programs: 'sqlc buf swag', words: /^(?:generate|init|fmt|format .*-w)(?: |$)/, place: '.' },
  { programs: 'protoc', words: /(?:^| )--\w+_out=/, place: '.' },
  { programs: 'wire', words: /^(?!check|diff|show|help)/, place: '.' },
  { programs: 'hatch', words: /^fmt(?!.* --check)(?: |$)/, place: '.' },
  { programs: 'sbt', words: /(?:^| )scalafmt(?:All|Sbt)?(?: |$)/, place: '.' },
  { programs: 'go', words: /^work (?:init|use|edit)(?: |$)/, place: './go.work' },
  { programs: 'dotnet', words: /^sln (?:.* )?(?:add|remove)(?: |$)/, place: './any.sln' },
  { programs: 'poetry pdm hatch', words: /^version [^-]/, place: './pyproject.toml' },
  { programs: 'bun', words: /^(?:init|pm trust)(?: |$)/, place: './package.json' },
  { programs: 'vitest', words: /^init(?: |$)/, place: './vitest.config.ts' },
  { programs: 'eslint', words: /^(?:.* )?--init(?: |$)/, place: './eslint.config.js' },
  { programs: 'jest', words: /^(?:.* )?--init(?: |$)/, place: './jest.config.js' },
  { programs: 'npm pnpm yarn bun composer', words: /(?:^| )--(?:fix|write)(?: |$)/, place: '.' },
  { programs: 'mix', words: /^(?:phx|igniter)\.(?:gen|install)/, place: '.' },
  { programs: 'dart flutter', words: /^(?:pub )?run build_runner (?:build|watch)/, place: '.' },
  {
    programs: 'npm pnpm yarn bun make just task rake composer',
    words:
      /(?:^| )(?:format|fmt|fix|autofix|prettify|(?:lint|eslint|prettier|style|format|fmt|check)[:_-](?:fix|write|all))(?: |$)/,
    place: '.',
  },
  // The expectations of tests are written from what the code does now.
  {
    programs: 'vitest jest bun playwright npm pnpm yarn npx',
    words: /(?:^| )(?:-u|--update(?:=\S+)?|--updateSnapshot|--update-snapshots?(?:=\S+)?)(?: |$)/,
    place: '__snapshots__',
  },
  {
    programs: 'pytest',
    words: /(?:^| )(?:--snapshot-update|--inline-snapshot=\S+|--force-regen|--regen-all)(?: |$)/,
    place: '__snapshots__',
  },
  {
    programs: 'gradle gradlew',
    words: /(?:^|[ :])(?:record|update)[A-Z]\w*(?: |$)/,
    place: '__snapshots__',
  },
  { programs: 'flutter', words: /^test .*--update-goldens(?: |$)/, place: '__snapshots__' },
  { programs: 'go gotestsum', words: /^(?:test )?.*(?:^| )--?update(?:=true)?(?: |$)/, place: '__snapshots__' },
  { programs: 'cargo', words: /^insta (?:accept|review|test .*--accept)/, place: '__snapshots__' },
];
const sweepers: ReadonlySet<string> = new Set(sweeps.flatMap(({ programs }) => programs.split(' ')));

/** Stands for the files of a folder that no rule names. */
export const anyFile = '.any-file';

/** `--to script`: the words of these never name a program. */
const STARTS_NONE = /^jupyter$/;
/** A command that starts another program names it among its first words: `uv run --frozen ruff`, `python -m black`. */
const FIRST_WORDS = 6;

/** Records that such a program writes its operands. For a program that is not understood. */
export function writeGiven(call: CommandCall, args: readonly Arg[]): void {
  const names = args.slice(0, FIRST_WORDS).map(({ literal }) => /[^/]*$/.exec(literal ?? '')![0]);
  writeOutputs(call, args, names);
  writeSwept(call, args, names);
  const at = names.findIndex((name) => Object.hasOwn(rewriters, name));
  if (at === -1) return;
  const [name, words] = [names[at]!, args.slice(at + 1)];
  const writes = rewriters[name]!;
  const isAny = (texts: readonly string[]) => words.some(({ literal }) => texts.includes(literal ?? ''));
  if (isAny(reports) || (writes.length > 0 && !isAny(writes))) return;
  // An unknown name could be any file. The class of the program already covers that.
  const given = words.filter(
    ({ literal }, i) =>
      literal !== null &&
      !literal.startsWith('-') &&
      !subcommands.includes(literal) &&
      !takesWord.test(words[i - 1]?.literal ?? ''),
  );
  for (const word of given) call.write(word, name, { extent: 'deep', old: 'kept', why: `${name} rewrites its files` });
  const hasUnknown = words.some(({ literal }) => literal === null);
  if (given.length === 0 && !hasUnknown) writeBelow(call, args[at]!, name, '.');
}

function writeSwept(call: CommandCall, args: readonly Arg[], names: readonly string[]): void {
  if (!names.some((name) => sweepers.has(name))) return;
  for (const { programs, words, place } of sweeps) {
    const at = names.findIndex((name) => programs.split(' ').includes(name));
    if (at === -1) continue;
    const text = args
      .slice(at + 1)
      .map(({ literal }) => literal ?? '?')
      .join(' ');
    if (words.test(text)) writeBelow(call, args[at]!, names[at]!, place);
  }
}

/** Some file of the folder, because a program that is not understood may also leave it alone. */
function writeBelow(call: CommandCall, word: Arg, name: string, place: string): void {
  const file = place === '.' ? anyFile : place.startsWith('./') ? place.slice(2) : `${place}/${anyFile}`;
  call.write(word.as(file), name, { old: 'kept', why: `${name} rewrites files of the project` });
}

function writeOutputs(call: CommandCall, args: readonly Arg[], names: readonly string[]): void {
  const at = names.findIndex(
    (name, i) =>
      (Object.hasOwn(outputs, name) || Object.hasOwn(outputFolders, name)) &&
      (i === 0 || !(ELSEWHERE.test(names[0]!) || STARTS_NONE.test(names[0]!))),
  );
  if (at === -1) return;
  const [name, words] = [names[at]!, args.slice(at + 1)];
  if (ELSEWHERE.test(name) && words.some(({ literal }) => literal === 'run' || literal === 'exec')) return;
  const write = (word: Arg) => call.write(word, name, { why: `${name} writes what this word names` });
  const operands = words.filter(
    ({ lead, value }, i) => value !== null && !/^-./.test(lead) && !/^-(?:\w|\w*e)$/.test(words[i - 1]?.lead ?? ''),
  );
  for (const option of Object.hasOwn(outputFolders, name) ? outputFolders[name]!.split(' ') : [])
    for (const word of valuesOf(words, option))
      call.write(word, name, { extent: 'deep', why: `${name} writes below this folder` });
  for (const form of Object.hasOwn(outputs, name) ? outputs[name]!.split(' ') : []) {
    if (form === '@') for (const word of operands.slice(1)) write(word);
    else if (form === '$') for (const word of operands.slice(-1)) write(word);
    else if (form === '*') {
      if (words.some(({ lead }) => IN_PLACE.test(lead))) for (const word of operands) write(word);
    } else for (const word of valuesOf(words, form)) write(word);
  }
}

/** `-i`, alone or after switches of perl or ruby that take no value. */
const IN_PLACE = /^-[pnlaswWtTu0-9]*i/;

/** The values of an option with one dash or two. The value of a letter may be attached. */
function valuesOf(words: readonly Arg[], option: string): Arg[] {
  return words.flatMap((word, at) => {
    const { lead } = word;
    const next = words[at + 1] ?? [];
    if (lead === `-${option}` || lead === `--${option}`) return word.literal === null ? [] : next;
    const equals = /^--?[\w-]+=/.exec(lead)?.[0];
    if (equals === `-${option}=` || equals === `--${option}=`) return word.after(equals.length);
    return option.length === 1 && lead.startsWith(`-${option}`) && lead.length > 2 ? word.after(2) : [];
  });
}
