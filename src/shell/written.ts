// Files that a program writes although the analysis does not understand the program: those that a formatter is given, and the
// values of output options. The program may write elsewhere too, but these files are certain.
import type { Arg } from './arg.ts';
import type { CommandCall } from './call.ts';
import { ELSEWHERE } from './program-texts.ts';

/** Programs of class `runs` that rewrite the files which they are given, if one of these words is among theirs. */
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
  yapf: ['--in-place', '-i'],
  rustfmt: [],
  rubocop: ['-a', '-A', '--autocorrect', '--autocorrect-all', '--auto-correct', '--auto-correct-all', '-x', '--fix-layout'],
  'php-cs-fixer': ['fix'],
  pint: [],
  ktlint: ['-F', '--format'],
  swiftlint: ['--fix', '--autocorrect', '--format'],
  scalafmt: [],
  'clang-format': ['-i'],
  'google-java-format': ['-i', '-r', '--replace'],
  shfmt: ['-w', '--write'],
  jscodeshift: [],
};
/** With one of these, the program only reports. */
const reports = '--check --diff --dry --dry-run --dryRun --test --print --version --help --stdout --list-files'.split(' ');
/** Subcommands of these programs, and the word that stands for standard input. */
const subcommands = ['check', 'format', 'lint', 'fix', 'ci', '-'];
/**
 * Options whose value the program writes, with one dash or two. `name/`: a folder. `$`: its last operand. `*`: its operands, if one of
 * the options contains the letter `i`. `@`: its operands after the first. `verb:`: the second operand after this word, a folder.
 */
const outputs: Readonly<Record<string, string>> = {
  go: 'o coverprofile cpuprofile memprofile trace outputdir/',
  cargo: 'target-dir/ out-dir/ artifact-dir/ root/',
  rustc: 'o out-dir/',
  npm: 'pack-destination/',
  pnpm: 'pack-destination/',
  pip: 't/ target/ d/ dest/ w/ wheel-dir/ src/ root/ prefix/ report log',
  pip3: 't/ target/ d/ dest/ w/ wheel-dir/ src/ root/ prefix/ report log',
  uv: 't/ target/ o output-file prefix/',
  cmake: 'B/ prefix/',
  tsc: 'outDir/ outFile declarationDir/ tsBuildInfoFile generateTrace/',
  esbuild: 'outfile outdir/ metafile',
  webpack: 'o/ output-path/',
  vite: 'outDir/',
  rollup: 'o file d/ dir/',
  parcel: 'd/ dist-dir/',
  swc: 'o out-file d/ out-dir/',
  babel: 'o out-file d/ out-dir/',
  tsup: 'd/ out-dir/',
  postcss: 'o output d/ dir/',
  eslint: 'o output-file cache-location',
  stylelint: 'o output-file',
  jest: 'outputFile coverageDirectory/',
  vitest: 'outputFile',
  pytest: 'junitxml junit-xml basetemp/',
  typedoc: 'out/ json',
  jsdoc: 'd/ destination/',
  mkdocs: 'd/ site-dir/',
  hugo: 'd/ destination/',
  javac: 'd/ s/ h/',
  javadoc: 'd/',
  kotlinc: 'd',
  scalac: 'd/',
  ghc: 'o outputdir/ odir/ hidir/',
  swiftc: 'o',
  dotnet: 'o/ output/',
  emcc: 'o',
  nasm: 'o l',
  ld: 'o',
  strip: 'o',
  bison: 'o output',
  flex: 'o outfile',
  ctags: 'f o',
  lcov: 'o output-file',
  genhtml: 'o/ output-directory/',
  dot: 'o',
  doxygen: 'g',
  msgfmt: 'o output-file',
  gs: 'o',
  inkscape: 'o export-filename',
  convert: '$',
  ffmpeg: '$',
  wkhtmltopdf: '$',
  'yt-dlp': 'o output P/ paths/',
  aria2c: 'o out d/ dir/',
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
  patch: 'd/ directory/ o output r reject-file',
  gh: 'D/ dir/ O output clone:',
  helm: 'd/ destination/ output-dir/',
  docker: 'o/ output/ iidfile metadata-file',
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
  hg: 'clone:',
  svn: 'checkout: co: export:',
};
/** Options of these programs that take the next word. */
const takesWord =
  /^(?:-c|-f|-o|--(?:config|config-path|ext|format|output-file|max-warnings|rule|rulesdir|plugin|parser|parser-options|env|global|cache-location|cache-file|ignore-path|ignore-pattern|fix-type|resolve-plugins-relative-to|tsconfig|reporter|log-level|target-version|line-length|select|ignore|extend-select|exclude|edition|style|only|except|transform|extensions|profile))$/;

/** A command that starts another program names it among its first words: `uv run --frozen ruff`, `python -m black`. */
const FIRST_WORDS = 6;

/** The files that such a program is given are written, whatever else it does. For a program that is not understood. */
export function writeGiven(call: CommandCall, args: readonly Arg[]): void {
  writeOutputs(call, args);
  const names = args.slice(0, FIRST_WORDS).map(({ literal }) => /[^/]*$/.exec(literal ?? '')![0]);
  const at = names.findIndex((name) => Object.hasOwn(rewriters, name));
  if (at === -1) return;
  const [name, words] = [names[at]!, args.slice(at + 1)];
  const writes = rewriters[name]!;
  const isAny = (texts: readonly string[]) => words.some(({ literal }) => texts.includes(literal ?? ''));
  if (isAny(reports) || (writes.length > 0 && !isAny(writes))) return;
  words.forEach((word, i) => {
    // A name that is not known could be any file, which the class says already.
    if (word.literal === null || word.literal.startsWith('-') || subcommands.includes(word.literal)) return;
    if (takesWord.test(words[i - 1]?.literal ?? '')) return;
    call.write(word, name, { extent: 'deep', old: 'kept', why: `${name} rewrites its files` });
  });
}

function writeOutputs(call: CommandCall, args: readonly Arg[]): void {
  const names = args.slice(0, FIRST_WORDS).map(({ literal }) => /[^/]*$/.exec(literal ?? '')![0]);
  const at = names.findIndex((name, i) => Object.hasOwn(outputs, name) && (i === 0 || !ELSEWHERE.test(names[0]!)));
  if (at === -1) return;
  const [name, words] = [names[at]!, args.slice(at + 1)];
  if (ELSEWHERE.test(name) && words.some(({ literal }) => literal === 'run' || literal === 'exec')) return;
  const write = (word: Arg, deep: boolean) =>
    call.write(word, name, {
      ...(deep && { extent: 'deep', old: 'untouched' }),
      why: `${name} writes what this word names`,
    });
  const operands = words.filter(
    ({ lead, value }, i) => value !== null && !/^-./.test(lead) && !/^-(?:\w|\w*e)$/.test(words[i - 1]?.lead ?? ''),
  );
  for (const form of outputs[name]!.split(' ')) {
    const verb = form.endsWith(':') ? operands.findIndex(({ literal }) => `${literal}:` === form) : -1;
    if (form.endsWith(':')) for (const word of verb === -1 ? [] : operands.slice(verb + 2, verb + 3)) write(word, true);
    else if (form === '@') for (const word of operands.slice(1)) write(word, false);
    else if (form === '$') for (const word of operands.slice(-1)) write(word, false);
    else if (form === '*') {
      if (words.some(({ lead }) => IN_PLACE.test(lead))) for (const word of operands) write(word, false);
    } else for (const word of valuesOf(words, form.replace('/', ''))) write(word, form.endsWith('/'));
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
