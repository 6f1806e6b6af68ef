// The environment for a command that Modes runs: the user's own, without the client's variables and without those that make
// programs load code.
import path from 'node:path';

/** The client's own variables, including its keys. */
const ofTheClient = /^(CLAUDE.*|ANTHROPIC_.*|AI_AGENT|NoDefaultCurrentDirectoryInExePath)$/i;

/** Variables that make a shell, a loader, an interpreter or a tool run code other than the trusted code. */
const steering = new RegExp(
  `^(${[
    'BASH_.*|ENV|ZDOTDIR|BASHOPTS|SHELLOPTS|PS4|PROMPT_COMMAND|IFS|CDPATH|LD_.*|DYLD_.*|GIT_.*',
    'NODE_(OPTIONS|PATH|COMPILE_CACHE|REPL_.*)|npm_.*|YARN_.*|COREPACK_.*|(TS_NODE|TSX|BABEL|VITEST|JEST|MOCHA|NYC|C8)_.*',
    'OPENSSL_(CONF|MODULES|ENGINES)',
    'PYTHON(PATH|STARTUP|HOME|INSPECT|BREAKPOINT|USERBASE|WARNINGS|PLATLIBDIR)|(PYTEST|TOX|NOX|COVERAGE)_.*',
    'RUBY(OPT|LIB)|RAKEOPT|BUNDLE_.*|PERL5?(OPT|LIB|DB)|PHPRC|PHP_INI_SCAN_DIR',
    'JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|(MAVEN|GRADLE|SBT|ANT)_(OPTS|ARGS)',
    'DOTNET_(STARTUP_HOOKS|ADDITIONAL_DEPS|SHARED_STORE)|CORECLR_.*|(ELIXIR_ERL|ERL)_\\w*|BUN_(OPTIONS|INSPECT.*)|SPEC_OPTS|TESTOPTS|NEXTEST_.*',
    'MAKE(FLAGS|FILES|OVERRIDES)|GO(FLAGS|ENV|WORK|TOOLDIR)',
    'RUSTC|RUSTDOC|RUSTC_(WRAPPER|WORKSPACE_WRAPPER)|RUST(DOC)?FLAGS|CARGO_(BUILD|TARGET|ALIAS)_.*|CARGO_ENCODED_RUST(DOC)?FLAGS',
  ].join('|')})$`,
  'i',
);

/**
 * `env` for a command. From PATH, only folders outside the project are kept, because the agent can put programs inside it. For a
 * worktree, the project around it is removed as well.
 */
export function commandEnvironment(env: NodeJS.ProcessEnv, root: string): NodeJS.ProcessEnv {
  const [outer = root] = root.split('/.claude/worktrees/');
  const remaining = Object.entries(env).filter(([name]) => !ofTheClient.test(name) && !steering.test(name));
  const folders = (env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder) && folder !== outer && !folder.startsWith(`${outer}/`));
  const search = folders.length === 0 ? '/usr/local/bin:/usr/bin:/bin' : folders.join(path.delimiter);
  return { ...Object.fromEntries(remaining), PATH: search, TERM: 'dumb', PWD: undefined, OLDPWD: undefined };
}
