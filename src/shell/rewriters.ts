// Formatters and linters that rewrite the files which they are given. They run code or settings of the project, so they may write
// elsewhere, too; but these files are certain.
import type { Arg } from './arg.ts';
import type { CommandCall } from './call.ts';

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
/** Options of these programs that take the next word. */
const takesWord =
  /^(?:-c|-f|-o|--(?:config|config-path|ext|format|output-file|max-warnings|rule|rulesdir|plugin|parser|parser-options|env|global|cache-location|cache-file|ignore-path|ignore-pattern|fix-type|resolve-plugins-relative-to|tsconfig|reporter|log-level|target-version|line-length|select|ignore|extend-select|exclude|edition|style|only|except|transform|extensions|profile))$/;

/** A command that starts another program names it among its first words: `uv run --frozen ruff`, `python -m black`. */
const FIRST_WORDS = 6;

/** The files that such a program is given are written, whatever else it does. */
export function writeRewritten(call: CommandCall, args: readonly Arg[]): void {
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
