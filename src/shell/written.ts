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
/** Subcommands of these programs, and the word for standard input. */
const subcommands = ['check', 'format', 'lint', 'fix', 'ci', '-'];
/**
 * Options whose value is a file that the program writes, with one dash or two. `$`: its last operand. `*`: its operands, if one of
 * the options contains the letter `i`. `@`: its operands after the first. Options for folders are not here: a build writes unknown
 * names there, and the class of the program covers that.
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
  eslint: 'o output-file cache-location',
  stylelint: 'o output-file',
  jest: 'outputFile',
  vitest: 'outputFile',
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
/** Options of these programs that take the next word. */
const takesWord =
  /^(?:-c|-f|-o|--(?:config|config-path|ext|format|output-file|max-warnings|rule|rulesdir|plugin|parser|parser-options|env|global|cache-location|cache-file|ignore-path|ignore-pattern|fix-type|resolve-plugins-relative-to|tsconfig|reporter|log-level|target-version|line-length|select|ignore|extend-select|exclude|edition|style|only|except|transform|extensions|profile))$/;

/** A command that starts another program names it among its first words: `uv run --frozen ruff`, `python -m black`. */
const FIRST_WORDS = 6;

/** Records that such a program writes its operands. For a program that is not understood. */
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
    // An unknown name could be any file. The class of the program already covers that.
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
  const write = (word: Arg) => call.write(word, name, { why: `${name} writes what this word names` });
  const operands = words.filter(
    ({ lead, value }, i) => value !== null && !/^-./.test(lead) && !/^-(?:\w|\w*e)$/.test(words[i - 1]?.lead ?? ''),
  );
  for (const form of outputs[name]!.split(' ')) {
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
