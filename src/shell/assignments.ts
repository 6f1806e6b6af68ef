// Variables that can be set without a change to the effects of other commands.
import { type Arg, argOf, literalArg } from './arg.ts';
import { commandsInOptions, TOOLS, USUAL } from './command-options.ts';
import { listOf } from './outline.ts';
import { GAP } from './possible-names.ts';
import { anyItem, outlinesOf, type Value } from './state.ts';

/** The client removes these before it compares allow rules. */
export const CLIENT_SAFE =
  /^(?:LANG|LANGUAGE|LC_[A-Z]+|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|TERM|COLORTERM|COLUMNS|LINES|CHARSET|NODE_ENV|CI|RUST_BACKTRACE|RUST_LOG|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|TIME_STYLE|BLOCK_SIZE|BLOCKSIZE|LS_COLORS|GREP_COLORS?|GIT_TERMINAL_PROMPT|GIT_OPTIONAL_LOCKS|DEBIAN_FRONTEND)$/;

const SIZES = /^(?:COLUMNS|LINES)$/;

/** Variables that select how a program runs, with the values that select nothing else. */
const KINDS: readonly [name: RegExp, value: RegExp][] = [
  [/^(?:RAILS_ENV|RACK_ENV|MIX_ENV|APP_ENV|DJANGO_ENV)$/, /^(?:test|development|dev)$/],
  [/^(?:CGO_ENABLED|NX_DAEMON|CLAUDECODE|PYTHONUTF8|RUST_TEST_THREADS|GOMAXPROCS)$/, /^(?:\d+|true|false)$/],
  [
    /^(?:UV_(?:OFFLINE|NO_SYNC|FROZEN|LOCKED)|PYTHON(?:HASHSEED|FAULTHANDLER|DEVMODE)|CARGO_INCREMENTAL|TF_IN_AUTOMATION)$/,
    /^(?:\d+|true|false)$/,
  ],
  [/^(?:TMP|TEMP)$/, /^(?:\/(?:private\/)?(?:tmp|var\/folders)(?:\/(?!\.\.)[\w.-]+)*)?$/],
  [/^CARGO_TERM_COLOR$/, /^(?:auto|always|never)$/],
  [/^PYTHONWARNINGS$/, /^(?:default|error|always|module|once|ignore)$/],
  [
    /^NODE_OPTIONS$/,
    /^(?:(?:^|\s+)--(?:(?:max-old-space-size|max-semi-space-size|stack-trace-limit)=\d+|no-warnings|no-deprecation|trace-warnings|trace-deprecation|enable-source-maps|experimental-vm-modules|experimental-strip-types|unhandled-rejections=\w+|openssl-legacy-provider))*$/,
  ],
  [/^(?:GOOS|GOARCH)$/, /^(?:linux|darwin|windows|freebsd|android|ios|js|wasip1|amd64|arm64|386|arm|wasm)$/],
];
/** Variables that select code of the project with these values. */
const SELECTS: readonly [name: RegExp, value: RegExp][] = [
  [/^PYTHONPATH$/, /^(?!\/|.*\.\.|.*:\/)[\w./:-]+$/],
  [/^GOFLAGS$/, /^-(?:mod=(?:mod|vendor|readonly)|count=\d+|race|v|short)$/],
];
/** Test runners write what they expect if these are set. */
const EXPECTATIONS =
  /^(?:INSTA_(?:UPDATE|FORCE_UPDATE\w*)|(?:UPDATE|REGENERATE|RECORD|OVERWRITE)_\w*(?:EXPECT|GOLDEN|SNAP|FIXTURE|BASELINE)\w*|SNAPSHOT_UPDATE|TRYBUILD|BLESS)$/;

/** Variables with a program as their value. Only these harmless values are accepted. */
const PAGERS = /^(?:PAGER|GIT_PAGER|MANPAGER|BAT_PAGER|SYSTEMD_PAGER|GH_PAGER|AWS_PAGER|DELTA_PAGER)$/;
const HARMLESS_PAGER = /^(?:cat|less|more|)$/;

/** Variables that select one of the user's accounts, as options do, or color the output. */
const CHOICES = /^(?:AWS_PROFILE|AWS_REGION|AWS_DEFAULT_REGION|PGPASSWORD|SYSTEMD_COLORS)$/;

// Variables that the shell, the dynamic loader, or programs read to find programs or code. Lower-case names matter for zsh ties
// and for curl.
const SHELL_VARIABLES =
  /^(?:PATH|IFS|ENV|CDPATH|HOME|OLDPWD|PWD|SHELL|SHELLOPTS|BASHOPTS|BASH\w*|ZDOTDIR|FPATH|PS\d|PROMPT\w*|RPROMPT|RPS\d|GLOBIGNORE|FIGNORE|EXECIGNORE|HIST\w*|SAVEHIST|MAIL\w*|FUNCNEST|FCEDIT|INPUTRC|HOSTFILE|TIMEFMT|NULLCMD|READNULLCMD|OPTIND|OPTARG|COMP\w*|READLINE\w*|DIRSTACK\w*|REPORTTIME|REPORTMEMORY|STTY|UID|EUID|GID|EGID|RANDOM|SRANDOM|SECONDS|EPOCH\w*|LINENO|PPID|SHLVL|USERNAME|KEYTIMEOUT|BAUD|LISTMAX|LOGCHECK|PERIOD|ERRNO|TTYIDLE|TRY_BLOCK_\w+|TMOUT|TMPDIR|TMPPREFIX|TEXTDOMAIN|TEXTDOMAINDIR|REPLY|MAPFILE|COPROC|path|fpath|cdpath|manpath|mailpath|module_path|fignore|psvar|prompt|argv|status|pipestatus|options|aliases|galiases|saliases|functions|commands|builtins|dis_\w+|parameters|modules|history|historywords|nameddirs|userdirs|jobstates|jobtexts|jobdirs|precmd\w*|preexec\w*|chpwd\w*|zsh\w*|watch|signals|terminfo|termcap|keymaps|widgets|errnos|sysparams|mapfile|histchars|PS4)$/;
const PROGRAM_VARIABLES =
  /^(?:LD_\w+|DYLD_\w+|GLIBC\w*|MALLOC\w*|GCONV_PATH|LOCPATH|NLSPATH|RES_OPTIONS|HOSTALIASES|LOCALDOMAIN|GETCONF_DIR|TERMINFO\w*|TERMCAP|LESS\w*|PAGER|MORE|EDITOR|VISUAL|BROWSER|SUDO_\w+|SSLKEYLOGFILE|SSH_\w+|GPG\w*|GNUPGHOME|XDG_\w+|USERPROFILE|APPDATA|TEMP|TMP|ENV_\w+)$|^(?:GIT|NODE|NPM|YARN|PNPM|BUN|DENO|COREPACK|NVM|VOLTA|PYTHON|PIP|VIRTUAL|CONDA|UV|POETRY|PERL|RUBY|GEM|BUNDLE|RAILS|PHP|COMPOSER|LUA|R|JULIA|JAVA|JDK|_JAVA|MAVEN|GRADLE|KOTLIN|SCALA|GO|CGO|CARGO|RUST|RUSTC|RUSTUP|CC|CXX|CPP|LD|AR|AS|MAKE|CMAKE|GCC|CLANG|DOCKER|COMPOSE|BUILDKIT|KUBE|HELM|TF|AWS|AZURE|GOOGLE|CLOUDSDK|GH|GITHUB|GITLAB|ANTHROPIC|CLAUDE|CURL|WGET|SSL|OPENSSL|RSYNC|TAR|GZIP|BZIP|XZ|ZSTD|LZ4|UNZIP|ZIP|GREP|RIPGREP|FZF|FD|BAT|EXA|EZA|DELTA|JQ|YQ|AWK|GAWK|POSIXLY|SED|BC|DC|MAN|GROFF|TREE|VIM|NVIM|EMACS|TMUX|SCREEN|PG|MYSQL|SQLITE|REDIS|MONGO|ESLINT|PRETTIER|JEST|VITEST|TS|BABEL|WEBPACK|ELECTRON|SYSTEMD|DBUS|DISPLAY|WAYLAND|X)_\w+$|(?:PAGER|EDITOR|BROWSER|ASKPASS|SHELL|OPTIONS|OPTS?|FLAGS|PRELOAD|PATH|RC|CONFIG|PROXY|proxy|COMMAND|_CMD|_DIR|_HOME|HOOK)$|^(?:npm_\w+|_\w+)$|^RUBY(?:OPT|LIB)$|^PERL5\w+$|^PYTHON\w+$|^NODE\w+$|^GO[A-Z]+$|^(?:CC|CXX|LD|AR|MAKEFLAGS|MFLAGS|GZIP|PIGZ|BZIP|BZIP2|XZ_OPT|POSIXLY_CORRECT|ZIPOPT|UNZIP|JQ_COLORS)$/;

export interface AssignmentVerdict {
  /** May be removed before an allow rule is compared. */
  safe: boolean;
  /** The reason why the command is no longer understood, or null if it is. */
  taint: string | null;
  /** What the command is at least, in place of `unknown`: the value only selects code of the project. */
  class?: 'runs';
  /** Harmless with this value, but may not be removed. */
  known?: boolean;
}

/**
 * Classifies the assignment of a variable.
 * @param how plain: `X=1` alone; prefix: `X=1 cmd`; export: `export X=1`, `env X=1`
 */
export function checkAssignment(name: string, value: Value, how: 'plain' | 'prefix' | 'export'): AssignmentVerdict {
  // zsh evaluates the values of these as arithmetic.
  if (SIZES.test(name) && !value.int && !value.texts?.every((t) => /^\d*$/.test(t)))
    return { safe: false, taint: `${name} is evaluated as arithmetic by some shells` };
  if (CLIENT_SAFE.test(name)) return { safe: true, taint: null };
  if (CHOICES.test(name)) {
    // The value is sent to a server, possibly as a part of its host name.
    const fine = value.texts?.every((t) => /^[\w-]*$/.test(t)) ?? false;
    return { safe: false, known: fine, taint: fine ? null : `${name} may carry data away` };
  }
  if (EXPECTATIONS.test(name)) return { safe: false, taint: `${name} lets tests rewrite what they expect` };
  const kind = KINDS.find(([names]) => names.test(name));
  if (kind !== undefined && value.texts?.every((text) => kind[1].test(text))) return { safe: false, known: true, taint: null };
  if (PAGERS.test(name)) {
    const fine = value.texts?.every((t) => HARMLESS_PAGER.test(t)) ?? false;
    return { safe: false, known: fine, taint: fine ? null : `${name} names a program that other commands run` };
  }
  if (SHELL_VARIABLES.test(name)) {
    // `IFS=: read` and `IFS= read` are usual ways to read lines.
    if (name === 'IFS' && how !== 'export') return { safe: false, known: true, taint: null };
    return { safe: false, taint: `${name} changes how the shell reads or finds commands` };
  }
  if (PROGRAM_VARIABLES.test(name)) {
    const isSelected =
      how === 'prefix' && SELECTS.some(([names, form]) => names.test(name) && value.texts?.every((text) => form.test(text)));
    return { safe: false, taint: `${name} may change what programs run or write`, ...(isSelected && { class: 'runs' }) };
  }
  return { safe: false, taint: null };
}

/** The text inside double quotes, where Bash runs the substitutions in it. */
const expanded = (text: string): string[] => [`: "${text.replace(/"/g, '')}"`];
const asIs = (text: string): string[] => [text];

/** Variables whose value is run as a command, and how to get the command from the value. */
const COMMAND_VARIABLES: readonly [names: RegExp, commandsIn: (text: string) => string[]][] = [
  [/^(?:PROMPT_COMMAND|BASH_ALIASES)$/, asIs],
  [/^(?:PS[0-4]|ENV)$/, expanded],
  // Bash reads the file before the script.
  [/^BASH_ENV$/, (text) => [...expanded(text), ...expanded(text).map((one) => `.${one.slice(1)}`)]],
  // `|cmd %s` and `-cmd %s` are forms that less documents.
  [/^LESS(?:OPEN|CLOSE)$/, (text) => [text.replace(/^[|-]+/, '')]],
  // A list of commands. `\:` does not exist here, and a URL is never part of the value.
  [/^(?:\w+_)?BROWSER$/, (text) => text.split(':')],
  [/^GIT_CONFIG_VALUE_\d+$/, (text) => [text.replace(/^!/, '')]],
  [/^GIT_CONFIG_PARAMETERS$/, (text) => [...text.matchAll(/=\s*'?!?([^']+)/g)].map((match) => match[1] as string)],
  [/^(?:\w*PAGER|\w*EDITOR|VISUAL|FCEDIT|\w*ASKPASS)$/, asIs],
  [/^(?:GIT_(?:SSH|SSH_COMMAND|PROXY_COMMAND|EXTERNAL_DIFF)|\w+_RSH|RSYNC_CONNECT_PROG|SVN_SSH|HGSSH|FZF_\w*COMMAND)$/, asIs],
  [/^(?:SHELL|NULLCMD|READNULLCMD|PERL5SHELL|TERMINAL|OPENER|HGMERGE|KUBECTL_EXTERNAL_DIFF|GOPACKAGESDRIVER)$/, asIs],
  [/^npm_config_(?:script_shell|editor|call)$/i, asIs],
  // `git dir; netrc`: the commands are separated by semicolons.
  [/^GOAUTH$/, asIs],
  [/^(?:MAILPATH)$/, expanded],
  // `:!cmd`, separated by bars and line ends.
  [
    /^(?:VIMINIT|GVIMINIT|EXINIT)$/,
    (text) => [...text.matchAll(/(?:^|[|\n])[\s:]*(?:silent\s+)?!([^|\n]*)/g)].map(([, command]) => command!),
  ],
  // The text of an exported function.
  [/^BASH_FUNC_/, (text) => [`f ${text}\nf`]],
];

/** Variables that name a program for builds. An assignment that is not exported has no effect on programs. */
const TOOL_VARIABLES = new RegExp(
  `^(?:${TOOLS.replaceAll(' ', '|')}|CC_\\w+|CXX_\\w+|AR_\\w+|CARGO_(?:TARGET_\\w+_(?:RUNNER|LINKER)|BUILD_RUST\\w+)|CMAKE_\\w+_(?:LAUNCHER|COMPILER))$`,
);

/** Variables that hold options of a program, some of which take a command. */
const OPTION_VARIABLES: Readonly<Record<string, string>> = {
  GNUMAKEFLAGS: 'make',
  MAKEFLAGS: 'make',
  MFLAGS: 'make',
  MANOPT: 'man',
  TAR_OPTIONS: 'tar',
  GOFLAGS: 'go',
  ZIPOPT: 'zip',
  FZF_DEFAULT_OPTS: 'fzf',
  BAT_OPTS: 'bat',
  LESS: 'less',
  JAVA_TOOL_OPTIONS: 'java',
  JDK_JAVA_OPTIONS: 'java',
  JDK_JAVAC_OPTIONS: 'java',
  _JAVA_OPTIONS: 'java',
  JAVA_OPTS: 'java',
  MAVEN_OPTS: 'java',
  GRADLE_OPTS: 'java',
  SBT_OPTS: 'java',
  ANT_OPTS: 'java',
};

/** The commands that may run because a variable has this value. */
export interface LaterCommands {
  texts: string[];
  /** The value is not known, so it may be any command. */
  isOpen: boolean;
}

const NOTHING_LATER: LaterCommands = { texts: [], isOpen: false };

/** Command texts in the value of a variable that Bash or another program runs, for example as a prompt, a pager, or an editor. */
export function runsLater(name: string, value: Value, isExported = true): LaterCommands {
  if (Object.hasOwn(OPTION_VARIABLES, name)) return inOptions(OPTION_VARIABLES[name]!, value);
  const isTool = TOOL_VARIABLES.test(name);
  const commandsIn = isTool ? asIs : COMMAND_VARIABLES.find(([names]) => names.test(name))?.[1];
  if (commandsIn === undefined || value.int) return NOTHING_LATER;
  const { texts } = anyItem(value);
  // The known parts of an unknown value are separate texts.
  const known = texts ?? listOf(outlinesOf(value)).flat();
  return {
    texts: known.flatMap(commandsIn).filter((text) => !USUAL.test(text.trim())),
    isOpen: texts === null && (isExported || !isTool),
  };
}

const OPTION_WORD = /(?:[^\s"'\\]|\\[\s\S]|"(?:[^"\\]|\\[\s\S])*"|'[^']*')+/g;

/** Commands in the value of a variable with options. */
function inOptions(program: string, value: Value): LaterCommands {
  const texts = value.texts ?? listOf(outlinesOf(value)).map((outline) => outline.join(GAP));
  const found = texts.map((text) => commandsInOptions(program, optionWords(text)));
  return {
    texts: found.flatMap(({ texts }) => texts),
    isOpen: found.some(({ isOpen }) => isOpen) || texts.length === 0 || texts.some((text) => /(?:^|\s)\0/.test(text)),
  };
}

/** The words of the value, without quotes. */
function optionWords(text: string): Arg[] {
  const words = [...text.matchAll(OPTION_WORD)].map(([word]) =>
    word.replaceAll(
      /"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'|\\([\s\S])/g,
      (_, quoted, single, escaped) => quoted ?? single ?? escaped,
    ),
  );
  // Some programs split the value only at options, so a word may contain blanks without quotes.
  const all = [...words, ...words.slice(0, -1).map((_, i) => words.slice(i).join(' '))];
  return all.map((word) =>
    word.includes(GAP) ? argOf({ lead: word.slice(0, word.indexOf(GAP)), text: word, pos: 0, end: 0 }) : literalArg(word, 0, 0),
  );
}
