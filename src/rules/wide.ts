// Command patterns that allow more than they seem to, because a wildcard can match other programs or their code.
import type { CommandPattern, Rule } from '../model/rule.ts';
import { isInterpreter } from '../shell/interpreters.ts';

const CODE = 'it runs any code that is in its words, or in a file that they name';
const PROGRAMS = 'it runs any program that is in its words';
const CHANGES = 'its subcommands and options include those that change, delete or run anything';

interface Wide {
  programs: string;
  why: string;
  /** Subcommands and options with the same effect, in addition to the program alone. */
  subcommands?: string;
  /** A program can follow in its words: `npx -y tsx`, `poetry run python`, `ssh host bash`. */
  startsOthers?: true;
  /** Number of operands before the words of the program that it starts, after the subcommand. */
  operands?: number;
}

const WIDE: readonly Wide[] = [
  {
    programs:
      'node ipython irb R scala jshell awk gawk mawk nawk sed ed ex vi vim nvim emacs elixir iex mix erl swift zig nim crystal ghc ghci runghc racket guile sbcl octave gnuplot dc xonsh nu elvish',
    why: CODE,
    subcommands: 'run eval exec x repl runner shell tinker -m -e -c -p -r -E --eval --print --command',
  },
  {
    programs: 'sh bash zsh dash ash ksh mksh fish tcsh csh pwsh powershell cmd busybox toybox',
    why: CODE,
    subcommands: '-c -Command /c',
    startsOthers: true,
  },
  {
    programs:
      'npx bunx pnpx uvx pipx env sudo doas su xargs find fd parallel watch setsid script strace ltrace gdb entr unshare nsenter tmux screen eval exec command builtin source . coproc git-shell systemd-run dbus-run-session xvfb-run direnv dotenv hyperfine nix nix-shell mise asdf rtx devbox watchexec nodemon concurrently cross-env env-cmd at batch crontab lerna nx turbo rush bazel tox nox op-run chronic retry unbuffer caffeinate',
    why: PROGRAMS,
    subcommands: '-c exec run x develop shell --command --run',
    startsOthers: true,
  },
  {
    programs: 'ssh rsh mosh chroot flock chrt taskset',
    why: PROGRAMS,
    subcommands: '-c',
    startsOthers: true,
    operands: 1,
  },
  {
    programs: 'npm pnpm yarn',
    why: PROGRAMS,
    subcommands: 'exec x dlx create init run run-script node explore set-script install i add ci update link publish config pkg',
    startsOthers: true,
  },
  {
    programs: 'uv poetry pipenv pdm hatch rye conda mamba micromamba pixi',
    why: PROGRAMS,
    subcommands: 'run tool exec shell x',
    startsOthers: true,
  },
  {
    programs:
      'pip pip3 gem bundle bundler composer cargo go rustup dotnet mvn gradle gradlew sbt lein make gmake just task rake ninja cmake cabal stack opam rails flask manage.py artisan',
    why: CODE,
    subcommands: 'run exec install x tool generate runner console dbconsole shell tinker',
    startsOthers: true,
  },
  {
    programs: 'docker podman nerdctl docker-compose lima colima kubectl oc helm vagrant multipass lxc crictl ctr',
    why: CHANGES,
    subcommands: 'run exec compose cp create build buildx container image apply delete patch edit attach debug shell ssh',
    startsOthers: true,
    operands: 1,
  },
  {
    programs: 'git hg svn jj bzr fossil gh glab',
    why: CHANGES,
    subcommands: '-c -C --config alias config submodule bisect filter-branch rebase api extension foreach run',
  },
  {
    programs: 'aws gcloud az terraform tofu pulumi ansible ansible-playbook vault op psql mysql sqlite3 mongosh redis-cli',
    why: CHANGES,
    subcommands: '-c -e',
  },
];

const BY_PROGRAM: ReadonlyMap<string, Wide & { words: ReadonlySet<string> }> = new Map(
  WIDE.flatMap((row) =>
    row.programs.split(' ').map((name) => [name, { ...row, words: new Set((row.subcommands ?? '').split(' ')) }] as const),
  ),
);

/** Modules of Python that run the code in their words, or the program that these name. */
const RUNNING_MODULES: ReadonlySet<string> = new Set(
  '* timeit pdb runpy trace cProfile profile code codeop IPython ipykernel debugpy coverage memory_profiler'.split(' '),
);

/** Bundled short options of interpreters and shells that take code: `bash -lc`, `perl -ne`, `php -r`. */
const TAKES_CODE = /^-[a-zA-Z]*[ceErp]$/;
/** Words that are followed by a subcommand. */
const GROUP = /^(?:compose|container|image|buildx)$/;
/** Options after which the next word is their value. */
const TAKES_VALUE =
  /^(?:-[nNuwpFgCHij]|--(?:user|workspace|filter|package|prefix|context|namespace|name|file|project|from|with|cwd|dir|directory))$/;

/** The reason why an allow rule with this pattern allows more than one kind of call; null if it does not. */
export function whyWide(pattern: CommandPattern): string | null {
  if (pattern.form === 'exact') return null;
  const head = pattern.form === 'prefix' ? pattern.text : (pattern.pieces[0] as string);
  // `* test` and `./*` begin with a star in place of the program.
  const isLast = pattern.form === 'glob' && pattern.pieces.length === 2 && pattern.pieces[1] === '';
  if (pattern.form === 'glob' && (head === '' || (isLast && /^[.~/\w-]*\/$/.test(head)))) return PROGRAMS;
  // `git*` also matches the program alone, and `npm ru*` the subcommand `run`.
  return whyWords(head.trimEnd().split(' '), pattern.form === 'glob' && !head.endsWith(' '));
}

function whyWords([program = '', ...rest]: readonly string[], isCut: boolean): string | null {
  const name = program.slice(program.lastIndexOf('/') + 1).replace(/(?<=^pip)[\d.]+$/, '');
  const wide = BY_PROGRAM.get(name) ?? (isInterpreter(name) ? BY_PROGRAM.get('node') : undefined);
  if (wide === undefined) return null;
  const word = rest[0] ?? '';
  const last = rest.at(-1) ?? '';
  const isModule = word === '-m' && rest.length > 1 && !RUNNING_MODULES.has(rest[1] as string);
  const isOption = last.startsWith('-') && last !== '--';
  // `pnpm exec vitest run`: the word belongs to the program that was started.
  const [starter = '', started = ''] = rest.filter((one) => one !== '--').slice(-3);
  const isOfStarted = wide.startsOthers === true && wide.words.has(starter) && /^\w/.test(started) && rest.length > 2;
  const isWideWord =
    !isModule &&
    !isOfStarted &&
    (wide.words.has(last) ? rest.length < 3 || isOption || wide.startsOthers : wide.words.has(word) && word.startsWith('-'));
  const takesCode = wide.why === CODE && TAKES_CODE.test(last);
  const couldBeWide = isCut && rest.length === 1 && [...wide.words].some((one) => one.startsWith(word));
  if (rest.length === 0 || isWideWord || takesCode || couldBeWide) return wide.why;
  return wide.startsOthers ? whyStarted(wide, rest, isCut) : null;
}

/** The words after the subcommand, the options and the operands of a program that starts others. */
function whyStarted(
  { why, words, operands = 0 }: Wide & { words: ReadonlySet<string> },
  rest: readonly string[],
  isCut: boolean,
): string | null {
  let at = 0;
  let hasSubcommand = false;
  let left = operands;
  for (; at < rest.length; at++) {
    const word = rest[at] as string;
    if (/^-./.test(word)) at += TAKES_VALUE.test(word) && at + 1 < rest.length ? 1 : 0;
    else if (/^[A-Za-z_]\w*=/.test(word)) continue;
    else if (GROUP.test(word) && words.has(word)) continue;
    else if (words.has(word) || (hasSubcommand && word === 'run')) hasSubcommand = true;
    else if (left > 0 && (hasSubcommand || why === PROGRAMS)) left--;
    else break;
  }
  const isOpen = why === PROGRAMS || hasSubcommand;
  if (at >= rest.length) return isOpen ? why : null;
  return isOpen ? whyWords(rest.slice(at), isCut) : null;
}

/** The same for an allow rule of any kind. A rule for every command is the widest. */
export function whyWideRule(rule: Rule): string | null {
  if (rule.kind === 'tool') return rule.name === 'Bash' ? EVERY : null;
  if (rule.kind !== 'bash') return null;
  return rule.commands.map((pattern) => (isEvery(pattern) ? EVERY : whyWide(pattern))).find((why) => why !== null) ?? null;
}

const EVERY = 'it is every command';

const isEvery = (pattern: CommandPattern): boolean => pattern.form === 'glob' && pattern.pieces.join('').trim() === '';
