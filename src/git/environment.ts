// The environment of a command that the engine runs: the user's own, without what is the client's and without what makes programs load code.
import path from 'node:path';

/** The client's own, its keys among them. */
const ofTheClient = /^(CLAUDE.*|ANTHROPIC_.*|AI_AGENT|NoDefaultCurrentDirectoryInExePath)$/i;

/** Variables that make a shell, a loader, an interpreter or a tool run something else than what was trusted. */
const steering = new RegExp(
  `^(${[
    'BASH_.*|ENV|ZDOTDIR|BASHOPTS|SHELLOPTS|PS4|PROMPT_COMMAND|IFS|CDPATH|LD_.*|DYLD_.*|GIT_.*',
    'NODE_(OPTIONS|PATH|COMPILE_CACHE|REPL_.*)|npm_.*|YARN_.*|COREPACK_.*|(TS_NODE|TSX|BABEL|VITEST|JEST|MOCHA|NYC|C8)_.*',
    'OPENSSL_(CONF|MODULES|ENGINES)',
    'PYTHON(PATH|STARTUP|HOME|INSPECT|BREAKPOINT|USERBASE|WARNINGS|PLATLIBDIR)|(PYTEST|TOX|NOX|COVERAGE)_.*',
    'RUBY(OPT|LIB)|RAKEOPT|BUNDLE_.*|PERL5?(OPT|LIB|DB)|PHPRC|PHP_INI_SCAN_DIR',
    'JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|(MAVEN|GRADLE|SBT|ANT)_(OPTS|ARGS)',
    'MAKE(FLAGS|FILES|OVERRIDES)|GO(FLAGS|ENV|WORK|TOOLDIR)',
    'RUSTC|RUSTDOC|RUSTC_(WRAPPER|WORKSPACE_WRAPPER)|RUST(DOC)?FLAGS|CARGO_(BUILD|TARGET|ALIAS)_.*|CARGO_ENCODED_RUST(DOC)?FLAGS',
  ].join('|')})$`,
  'i',
);

/** `env` as a command gets it. Of the search path stays what lies outside the project, where the agent can put no program; of a worktree's too. */
export function commandEnvironment(env: NodeJS.ProcessEnv, root: string): NodeJS.ProcessEnv {
  const [outer = root] = root.split('/.claude/worktrees/');
  const kept = Object.entries(env).filter(([name]) => !ofTheClient.test(name) && !steering.test(name));
  const folders = (env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder) && folder !== outer && !folder.startsWith(`${outer}/`));
  const search = folders.length === 0 ? '/usr/local/bin:/usr/bin:/bin' : folders.join(path.delimiter);
  return { ...Object.fromEntries(kept), PATH: search, TERM: 'dumb', PWD: undefined, OLDPWD: undefined };
}
