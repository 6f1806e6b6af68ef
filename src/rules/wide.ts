// Command patterns that allow more than they seem to, because a wildcard can match other programs or their code.
import type { CommandPattern, Rule } from '../model/rule.ts';

const CODE = 'it runs any code that is in its words, or in a file that they name';
const PROGRAMS = 'it runs any program that is in its words';
const CHANGES = 'its subcommands and options include those that change, delete or run anything';

interface Wide {
  programs: string;
  why: string;
  /** Subcommands and options with the same effect, in addition to the program alone. */
  subcommands?: string;
}

const WIDE: readonly Wide[] = [
  {
    programs:
      'node nodejs deno bun tsx ts-node python python2 python3 pypy pypy3 ruby perl php lua luajit Rscript R julia groovy scala java jshell osascript tclsh expect awk gawk mawk nawk sed ed ex vi vim nvim emacs',
    why: CODE,
    subcommands: 'run eval exec x repl -m -e -c -p --eval --print --command',
  },
  { programs: 'sh bash zsh dash ash ksh mksh fish tcsh csh pwsh powershell cmd busybox toybox', why: CODE, subcommands: '-c' },
  {
    programs:
      'npx bunx pnpx uvx pipx env sudo doas su xargs find fd parallel watch setsid script strace ltrace gdb entr chroot unshare nsenter ssh rsh mosh tmux screen eval exec command builtin source . coproc git-shell flock chrt taskset systemd-run dbus-run-session xvfb-run direnv dotenv hyperfine',
    why: PROGRAMS,
    subcommands: '-c exec run',
  },
  {
    programs: 'npm pnpm yarn',
    why: PROGRAMS,
    subcommands: 'exec x dlx create init run run-script node explore set-script install i add ci update link publish config pkg',
  },
  { programs: 'uv poetry pipenv pdm hatch rye conda mamba micromamba', why: PROGRAMS, subcommands: 'run tool exec shell x' },
  {
    programs: 'pip pip3 gem bundle bundler composer cargo go rustup dotnet mvn gradle make just task rake',
    why: CODE,
    subcommands: 'run exec install x tool generate',
  },
  {
    programs: 'docker podman nerdctl docker-compose lima colima kubectl oc helm vagrant multipass lxc crictl ctr',
    why: CHANGES,
    subcommands: 'run exec compose cp create build buildx container image apply delete patch edit attach debug shell',
  },
  {
    programs: 'git hg svn jj bzr fossil gh glab',
    why: CHANGES,
    subcommands: '-c -C --config alias config submodule bisect filter-branch rebase api extension',
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

/** The reason why an allow rule with this pattern allows more than one kind of call; null if it does not. */
export function whyWide(pattern: CommandPattern): string | null {
  if (pattern.form === 'exact') return null;
  const head = pattern.form === 'prefix' ? pattern.text : (pattern.pieces[0] as string);
  const [program = '', ...rest] = head.trimEnd().split(' ');
  const wide = BY_PROGRAM.get(
    program.slice(program.lastIndexOf('/') + 1).replace(/(?<=^(?:python|pip|node|ruby|perl|php|lua))[\d.]+$/, ''),
  );
  if (wide === undefined) return null;
  // `git*` also matches the program alone, and `npm ru*` the subcommand `run`.
  const isCut = pattern.form === 'glob' && !head.endsWith(' ');
  const isProgramAlone = rest.length === 0;
  const word = rest[0] ?? '';
  const isModule = word === '-m' && rest.length > 1 && !RUNNING_MODULES.has(rest[1] as string);
  const isWideWord = wide.words.has(word) && !isModule && (rest.length === 1 || word.startsWith('-'));
  const couldBeWide = isCut && rest.length === 1 && [...wide.words].some((one) => one.startsWith(word));
  return isProgramAlone || isWideWord || couldBeWide ? wide.why : null;
}

/** The same for an allow rule of any kind. A rule for every command is the widest. */
export function whyWideRule(rule: Rule): string | null {
  if (rule.kind === 'tool') return rule.name === 'Bash' ? EVERY : null;
  if (rule.kind !== 'bash') return null;
  return rule.commands.map((pattern) => (isEvery(pattern) ? EVERY : whyWide(pattern))).find((why) => why !== null) ?? null;
}

const EVERY = 'it is every command';

const isEvery = (pattern: CommandPattern): boolean => pattern.form === 'glob' && pattern.pieces.join('').trim() === '';
