// Options of programs whose value is a command that the program runs on this host, such as `rsync -e`.
import type { Arg } from './arg.ts';
import type { CommandCall } from './call.ts';
import { basename } from './targets.ts';

interface CommandOptions {
  /** Short options, each with a value. */
  short?: string;
  /** Long options. GNU programs accept abbreviations of them. */
  long?: string;
  /** Long options with one dash or two, such as `-toolexec`. */
  single?: string;
  /** Any word with this form: a pattern with the value as its only group. */
  word?: RegExp;
  /** The place of the command in the value: a pattern with the command as its only group. Values that do not match run nothing. */
  value?: RegExp;
  /** The commands in the value, if a pattern is not enough. */
  commandsIn?: (value: string) => readonly string[];
  /** The value is the name of a file with such texts. */
  isFile?: true;
  /** The value may also come on standard input. */
  stdin?: true;
  /** A known beginning of the value that leaves open whether it is a command. */
  open?: RegExp;
}

/** `ProxyCommand=cmd` or `ProxyCommand cmd`, in any case. */
const SSH_SETTING: CommandOptions = {
  short: 'o',
  value: /^\s*(?:proxycommand|localcommand|knownhostscommand|match\b.*?\bexec)\s*[=\s]\s*"?(?!none$)(.*?)"?$/is,
  open: /^\s*(?:\w*|(?:proxycommand|localcommand|knownhostscommand|match)\b.*)$/is,
};

const TAR: readonly CommandOptions[] = [
  { short: 'IF', long: 'to-command use-compress-program info-script new-volume-script rsh-command rmt-command' },
  { long: 'checkpoint-action', value: /^exec=(.*)$/s, open: /^(?:e|ex|exe|exec|exec=.*)?$/s },
];

/** Lines of a dialog in which some commands run a program, such as `\! cmd`: a pattern for each, with the command as its group. */
function escapes(...forms: readonly RegExp[]): (text: string) => string[] {
  return (text) => text.split('\n').flatMap((line) => forms.flatMap((form) => form.exec(line)?.[1] ?? []));
}

const SQLITE = escapes(
  /^\s*\.(?:shell|system)\s+(.*)$/s,
  /^\s*\.(?:o|once|output|r|read|import)\w*\s+(?:-\w+\s+)*["']?\|([^"']*)/s,
  /\bedit\s*\([^,]*,\s*'([^']*)'/is,
);
const PSQL = escapes(
  /\\!\s*(.*)$/s,
  /\\(?:g|gx|o|out|w|write|watch)\s+\|\s*(.*)$/s,
  /\\copy\b.*\bprogram\s+'([^']*)'/is,
  /\\\w+\b.*`([^`]*)`/s,
);
const MYSQL = escapes(/(?:^|;)\s*(?:\\!|system\b)\s*(.*)$/is, /(?:^|;)\s*(?:\\P|pager\b)\s*(.*)$/s);
const SQLITE_SHELL: readonly CommandOptions[] = [
  { word: /^(.*)$/s, stdin: true, commandsIn: SQLITE },
  { single: 'init', isFile: true, commandsIn: SQLITE },
];
const PSQL_SHELL: readonly CommandOptions[] = [
  { short: 'cv', long: 'command set variable', stdin: true, commandsIn: PSQL },
  { short: 'f', long: 'file', isFile: true, commandsIn: PSQL },
];
const MYSQL_SHELL: readonly CommandOptions[] = [
  { short: 'e', long: 'execute', stdin: true, commandsIn: MYSQL },
  { long: 'pager' },
];
const GDB = escapes(/^\s*(?:shell\b|!|make\b|platform shell\b)\s*(.*)$/s, /^\s*(?:pipe|\|)\b.*\|\s*(.*)$/s);

/** Recipes, the text of `$(shell …)`, and the value of `!=` in lines of a Makefile. */
export function recipesIn(makefile: string): string[] {
  return makefile.split(/\n|\\n/).flatMap((line) => {
    const shells = [...line.matchAll(/\$[({]shell\s+([^)}]*)[)}]/g)].map(([, text]) => text!);
    const assigned = /^\s*[\w.-]+\s*!=\s*(.*)$/s.exec(line)?.[1];
    const recipe = /^(?:\t| {2,})(.*)$/s.exec(line)?.[1] ?? /^[^=#\t]*:[^=;]*;(.*)$/s.exec(line)?.[1];
    const command = recipe?.replace(/^[\s@+-]+/, '').replaceAll('$$', '$');
    return [...shells, ...(assigned === undefined ? [] : [assigned]), ...(command === undefined ? [] : [command])];
  });
}

/** Variables that name a program for builds. */
export const TOOLS =
  'CC CXX CPP LD AR AS NM FC F77 LEX YACC RANLIB STRIP OBJCOPY OBJDUMP MAKE CMAKE RUSTC RUSTDOC RUSTFMT CARGO RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER CCACHE_PREFIX CCACHE_COMPILER';
const TOOL_WORD = new RegExp(`^(?:SHELL|${TOOLS.split(' ').join('|')})\\s*[:?+]{0,3}=(.*)$`, 's');

const MAKE: readonly CommandOptions[] = [
  { short: 'E', long: 'eval', commandsIn: recipesIn },
  { short: 'f', long: 'file makefile', isFile: true, commandsIn: recipesIn },
  { word: TOOL_WORD },
  { word: /^[\w.-]+!=(.*)$/s },
];
const JAVA: readonly CommandOptions[] = [{ word: /^(?:-J)?-XX:On(?:Error|OutOfMemoryError)=(.*)$/s }];
const FZF: readonly CommandOptions[] = [
  { long: 'preview' },
  {
    long: 'bind',
    value:
      /\b(?:execute(?:-silent|-multi)?|become|reload(?:-sync)?|preview|change-preview|transform[\w-]*)[([{<:~!@#$%^&*;/|](.*?)[)\]}>~!@#$%^&*;/|]?$/s,
  },
];
const HG: readonly CommandOptions[] = [{ long: 'config', value: /^[^=]*=!?(.*)$/s }];
const NODE_PACKAGES: readonly CommandOptions[] = [{ long: 'script-shell editor' }];
const COMPILER: readonly CommandOptions[] = [{ single: 'wrapper', commandsIn: (value) => [value.replaceAll(',', ' ')] }];
/** `!cmd` and `|mark cmd`, as typed in a pager. */
const PAGER: readonly CommandOptions[] = [{ word: /^\+{1,2}(?:!|\|.)(.*)$/s }];
const PAGED: readonly CommandOptions[] = [{ long: 'pager' }];
const CARGO_SETTING =
  /(?:^|[.{,\s])(?:runner|linker|rustc|rustdoc|rustc-wrapper|rustc-workspace-wrapper|credential-provider|global-credential-providers)\s*=\s*(.*)$/s;

const TABLE: Readonly<Record<string, readonly CommandOptions[]>> = {
  tar: TAR,
  gtar: TAR,
  bsdtar: TAR,
  cpio: [{ long: 'rsh-command' }],
  zip: [{ single: 'TT', long: 'unzip-command' }],
  rsync: [{ short: 'e', long: 'rsh' }],
  ssh: [SSH_SETTING],
  scp: [SSH_SETTING, { short: 'S' }],
  sftp: [SSH_SETTING, { short: 'SD' }],
  'ssh-copy-id': [SSH_SETTING],
  sshfs: [SSH_SETTING],
  autossh: [SSH_SETTING],
  wget: [{ long: 'use-askpass' }],
  man: [{ short: 'PH', long: 'pager html' }],
  less: PAGER,
  more: PAGER,
  most: PAGER,
  bat: PAGED,
  batcat: PAGED,
  delta: PAGED,
  ag: PAGED,
  ack: PAGED,
  rg: [{ long: 'pre hostname-bin' }],
  fzf: FZF,
  split: [{ long: 'filter' }],
  sort: [{ long: 'compress-program' }],
  diff3: [{ long: 'diff-program' }],
  sdiff: [{ long: 'diff-program' }],
  strace: [{ short: 'o', long: 'output', value: /^[|!](.*)$/s, open: /^(?:[|!].*)?$/s }],
  'git fetch': [{ long: 'upload-pack' }],
  'git pull': [{ long: 'upload-pack' }],
  'git clone': [
    { short: 'u', long: 'upload-pack' },
    { short: 'c', long: 'config', value: /^[^=]*=!?(.*)$/s },
  ],
  'git ls-remote': [{ long: 'upload-pack exec' }],
  'git push': [{ long: 'receive-pack exec' }],
  'git archive': [{ long: 'exec' }],
  'git rebase': [{ short: 'x', long: 'exec' }],
  'git filter-branch': [
    { single: 'setup tree-filter index-filter msg-filter env-filter parent-filter commit-filter tag-name-filter' },
  ],
  'git daemon': [{ long: 'access-hook' }],
  'git instaweb': [{ short: 'd', long: 'httpd' }],
  'git difftool': [{ short: 'x', long: 'extcmd' }],
  'git grep': [{ short: 'O', long: 'open-files-in-pager' }],
  'git send-email': [{ long: 'sendmail-cmd smtp-server to-cmd cc-cmd header-cmd' }],
  hg: HG,
  sl: HG,
  jj: [{ long: 'config config-toml', commandsIn: (value) => [value.replace(/^[^=]*=/, '').replaceAll(/["',[\]]/g, ' ')] }],
  gh: [{ word: /^!(.*)$/s }],
  glab: [{ word: /^!(.*)$/s }, { long: 'shell' }],
  helm: [{ long: 'post-renderer' }],
  svn: [{ long: 'editor-cmd diff-cmd diff3-cmd' }, { long: 'config-option', value: /^config:(?:tunnels|helpers):[^=]*=(.*)$/s }],
  go: [{ single: 'toolexec exec vettool' }],
  cargo: [{ long: 'config', commandsIn: (value) => [(CARGO_SETTING.exec(value)?.[1] ?? '').replaceAll(/["',[\]{}]/g, ' ')] }],
  make: MAKE,
  gmake: MAKE,
  bmake: MAKE,
  just: [{ short: 'f', long: 'justfile', isFile: true, commandsIn: recipesIn }],
  task: [{ short: 't', long: 'taskfile', isFile: true, commandsIn: recipesIn }],
  ninja: [{ short: 'f', isFile: true, commandsIn: recipesIn }],
  rake: [{ short: 'f', long: 'rakefile', isFile: true, commandsIn: recipesIn }],
  gcc: COMPILER,
  'g++': COMPILER,
  cc: COMPILER,
  'c++': COMPILER,
  java: JAVA,
  javac: JAVA,
  npm: NODE_PACKAGES,
  npx: NODE_PACKAGES,
  pnpm: NODE_PACKAGES,
  yarn: NODE_PACKAGES,
  sqlite3: SQLITE_SHELL,
  duckdb: SQLITE_SHELL,
  psql: PSQL_SHELL,
  pgcli: [{ word: /^(.*)$/s, stdin: true, commandsIn: PSQL }],
  mysql: MYSQL_SHELL,
  mariadb: MYSQL_SHELL,
  mycli: MYSQL_SHELL,
  gdb: [{ word: /^(.*)$/s, stdin: true, commandsIn: GDB }],
  lldb: [{ word: /^(.*)$/s, stdin: true, commandsIn: GDB }],
  dc: [{ word: /^(.*)$/s, stdin: true, commandsIn: escapes(/!(?![<>=])(.*)$/s) }],
  ed: [{ word: /^$/, stdin: true, commandsIn: escapes(/^[\d,.$;%]*\s*(?:[rwWe]\s*)?!(.*)$/s) }],
  ansible: [{ short: 'a', long: 'args' }],
};

/** Usual programs that need no rule of their own here: the option or the variable would be useless without them. */
export const USUAL =
  /^(?:ssh(?:\s+-(?:[46CqTx]+|p\s*\d+|l\s*\w+|i\s*[\w.~/-]+))*|gzip|pigz|bzip2|pbzip2|xz|zstd|lz4|cat|less|more|never|true|:|git-(?:upload|receive)-pack|(?:\/[\w./-]*\/)?(?:(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+)(?:-\d+)?|bash|dash|sh|zsh|fish)|)$/;

/** Shortest abbreviation of a long option that is accepted here. */
const SHORTEST = 3;

/** The values of an option among the words. A short option may be the last one of several letters. */
function valuesOf(words: readonly Arg[], { short = '', long = '', single = '', word: form }: CommandOptions): Arg[] {
  const names = long === '' ? [] : long.split(' ');
  const singles = single === '' ? [] : single.split(' ');
  return words.flatMap((word, at) => {
    const lead = word.value ?? word.lead;
    const next = words[at + 1] ?? [];
    if (form !== undefined) {
      // An unknown word may be such a word if its certain beginning is one.
      const value = form.exec(word.literal ?? lead)?.[1];
      if (value !== undefined) return word.after(lead.length - value.length);
    }
    const alone = /^--?([\w-]+)(=?)/.exec(lead);
    if (alone && singles.includes(alone[1]!)) return alone[2] === '' ? next : word.after(alone[0].length);
    const match = /^--([\w-]+)(=?)/.exec(lead);
    if (match) {
      const [all, name, equals] = match as unknown as [string, string, string];
      if (!names.some((one) => one === name || (name.length >= SHORTEST && one.startsWith(name)))) return [];
      return equals === '' ? next : word.after(all.length);
    }
    if (short === '' || !/^-[A-Za-z0-9]/.test(lead)) return [];
    const letter = [...lead].findIndex((one, index) => index > 0 && short.includes(one));
    if (letter === -1 || !/^-[A-Za-z0-9]*$/.test(lead.slice(0, letter))) return [];
    return word.value !== null && lead.length === letter + 1 ? next : word.after(letter + 1);
  });
}

/** The command texts in the known value of an option. */
function commandsIn(value: string, { value: form = /^(.*)$/s, commandsIn }: CommandOptions): string[] {
  const texts = commandsIn?.(value) ?? [form.exec(value)?.[1] ?? ''];
  return texts.map((text) => text.trim()).filter((text) => !USUAL.test(text));
}

/** Analyzes the commands in the values of options as commands of the call. */
export function classifyCommandOptions(call: CommandCall, args: readonly Arg[], isWrapper: boolean): void {
  const program = basename(args[0]?.literal ?? '');
  // The call of a wrapper has the name of the command inside, which is analyzed separately.
  const name = [isWrapper ? program : call.name, program].find((one) => Object.hasOwn(TABLE, one));
  if (name === undefined) return;
  const done = new Set<string>();
  // These work at the top of the repository.
  const cwds = /^git (?:rebase|filter-branch)$/.test(name) ? null : call.cwds;
  const { class: kind } = call.host.effects.commands[call.entry]!;
  const run = (texts: readonly string[], at: Arg) => {
    for (const text of texts) if (!done.has(text)) call.host.runText(text, at, call.state.fresh(cwds));
    for (const text of texts) done.add(text);
  };
  // A handler may have rewritten the words, as in `tar cf a.tar`, or removed those before the subcommand.
  const words = call.args === args || isWrapper ? args.slice(1) : [...args.slice(1), ...call.rest];
  for (const options of TABLE[name]!) {
    for (const value of valuesOf(words, options)) {
      const { open = /^/ } = options;
      // A list of targets or tables runs nothing.
      if (options.isFile && kind === 'read-only') continue;
      if (options.isFile)
        run(
          call.programFile(value, true).flatMap((text) => commandsIn(text, options)),
          value,
        );
      else if (value.literal !== null) run(commandsIn(value.literal, options), value);
      // For a statement that is not known, the handler of the program decides.
      else if ((options.commandsIn === undefined || options.commandsIn === recipesIn) && open.test(value.lead))
        call.runsUnknownText(`${call.name} runs an unknown command`, value);
    }
    if (options.stdin && 'text' in call.stdin && call.stdin.text !== undefined)
      run(commandsIn(call.stdin.text, options), args[0]!);
  }
}

/** Command texts in the words of a variable with options for a program, such as `TAR_OPTIONS`. */
export function commandsInOptions(program: string, words: readonly Arg[]): { texts: string[]; isOpen: boolean } {
  const rows = TABLE[program] ?? [];
  const values = rows.flatMap((options) => valuesOf(words, options).map((value) => ({ value, options })));
  return {
    texts: values.flatMap(({ value, options }) => (value.literal === null ? [] : commandsIn(value.literal, options))),
    isOpen: values.some(({ value }) => value.literal === null),
  };
}
