// Package managers: they list, they fetch and run, or they run scripts of the project.
import type { CommandEntry, Verb } from '../entry.ts';

const RUNS: Verb = 'runs';
const asks = (options: string, more: Partial<Exclude<Verb, string>> = {}): Verb => ({
  options,
  operands: 'text',
  network: true,
  ...more,
});
const looks = (options: string, more: Partial<Exclude<Verb, string>> = {}): Verb => ({ options, operands: 'text', ...more });
const installs: Verb = {
  class: 'runs',
  network: true,
  loose: true,
  operands: 'text',
  why: 'installs packages and runs their scripts',
  handle: (call) => installing(call),
};
const executes: Verb = { class: 'runs', network: true, handle: (call) => executing(call) };

function installing(call: import('../call.ts').Call) {
  call.network();
  call.is('runs', `${call.name} installs packages and runs their scripts`);
}

function executing(call: import('../call.ts').Call) {
  call.network();
  call.is('runs', `${call.name} runs a program of a package, which may be fetched first`);
}

/** Only names of the registry: for addresses npm runs the git that settings of the project name. */
function npmView(call: import('../call.ts').Call, t: import('../options.ts').OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  call.network();
  const name = given.operands[0];
  if (name && !/^(?:@[\w.-]+\/)?[\w][\w.-]*(?:@[\w.^~<>=*-]*)?$/.test(name.literal ?? ''))
    call.unknown('npm asks another place than the registry', name);
}

/** Formulas are Ruby: only names of the usual ones. */
function brewNames(call: import('../call.ts').Call, t: import('../options.ts').OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  call.network();
  for (const o of given.operands)
    if (!/^[\w@+-][\w@+.-]*$/.test(o.literal ?? '') || o.literal!.endsWith('.rb')) call.unknown('brew may run the formula', o);
}

const NPM_FLAGS = '--json --silent --no-color --color? --loglevel: -s -d --no-update-notifier --no-fund --no-audit';
const NPM_LIST = `${NPM_FLAGS} -a -l -p -g --all --depth: --long --parseable --global --omit: --include: --prod --production --dev --workspaces -w: --workspace: --package-lock-only --link --no-unicode --unicode`;

export const packages: CommandEntry[] = [
  {
    names: 'npm',
    options: `${NPM_FLAGS} --version -v`,
    verbs: {
      'ls|list|la|ll': looks(NPM_LIST),
      'view|info|show|v': asks(NPM_FLAGS, { handle: npmView }),
      outdated: asks(`${NPM_FLAGS} -a -g -l -p --all --global --long --parseable --depth: -w: --workspace:`),
      'pkg get': looks(`${NPM_FLAGS} -w: --workspace: --workspaces`),
      'explain|why': looks(`${NPM_FLAGS} -w: --workspace:`),
      'root|prefix|bin': looks(`${NPM_FLAGS} -g --global`),
      'config get|config list|config ls|c get|c list|get': looks(`${NPM_FLAGS} -l --long -g --global --location:`),
      'search|s|se|find': asks(`${NPM_FLAGS} -l --long --searchlimit:`),
      'ping|whoami': asks(NPM_FLAGS),
      'fund|query': looks(NPM_LIST),
      audit: {
        options: `${NPM_FLAGS} --audit-level: --omit: --production --prod --package-lock-only`,
        network: true,
        operands: 'none',
      },
      version: { options: NPM_FLAGS, operands: 'none' },
      'owner ls|dist-tag ls|access list|team ls|org ls|profile get|token list': asks(NPM_FLAGS),
      'help|help-search': looks(''),
      'test|t|tst|start|stop|restart|run|run-script|rum|urn': RUNS,
      'exec|x|init|create|innit': executes,
      'install|i|in|ins|inst|add|ci|clean-install|ic|install-test|it|install-ci-test|cit|update|up|upgrade|udpate|uninstall|un|remove|rm|r|unlink|rebuild|rb|dedupe|ddp|prune|link|ln':
        installs,
      'build|publish|pack': RUNS,
    },
    examples: {
      'npm ls --depth=0 --json': 'read-only',
      'npm pkg get name': 'read-only',
      'npm run build': 'runs',
      'npm shrinkwrap': 'unknown',
      'npm pkg set a=b': 'unknown',
      'npm audit fix': 'unknown',
      'npm config set a b': 'unknown',
    },
  },
  { names: 'npx pnpx bunx uvx pipx', version: '--version', handle: executing },
  {
    names: 'pnpm',
    options: '--version -v --silent -s -w --workspace-root --filter: -F: -r --recursive --json --no-color --color?',
    verbs: {
      // Whatever it is asked, it loads .pnpmfile.cjs of the project.
      'run|run-script|test|t|start|exec|restart': RUNS,
      'dlx|create|init': executes,
      'install|i|add|update|up|upgrade|remove|rm|uninstall|un|rebuild|rb|import|prune|fetch|dedupe|link|ln|unlink|ci|patch|patch-commit|deploy':
        installs,
      '*': RUNS,
    },
  },
  {
    names: 'yarn yarnpkg',
    options: '--version -v --silent -s --json --no-color --cwd!',
    class: 'runs',
    why: 'yarn installs packages and runs their scripts',
    verbs: {
      // Whatever it is asked, it hands over to the program that settings of the project name.
      'dlx|create': executes,
      'install|add|remove|upgrade|up|import|autoclean|dedupe|link|unlink|set|plugin|rebuild': installs,
      '*': RUNS,
    },
  },
  {
    names: 'bun',
    version: '--version --revision -v',
    options: '--version',
    class: 'runs',
    verbs: {
      'pm ls|pm bin|pm hash': looks('--all -g'),
      outdated: asks(''),
      'x|create': executes,
      'install|i|add|a|remove|rm|update|link|unlink|patch': installs,
      '*': RUNS,
    },
  },
  {
    names: 'deno',
    version: '--version -V',
    verbs: {
      'info|--version': looks('--json'),
      'run|test|task|bench|eval|compile|serve|install|add|fmt|lint|check|cache|doc': RUNS,
    },
  },
  {
    names: 'pip pip3',
    options: '--version -V -q -v --quiet --verbose --no-color --disable-pip-version-check --no-input --isolated',
    verbs: {
      'list|freeze': looks(
        '-o -u -e -i -l --outdated --uptodate --editable --include-editable --exclude-editable --local --user --format: --not-required --exclude: --all --pre --path:l',
      ),
      show: looks('-f --files'),
      'check|inspect|debug': looks('--local --user'),
      'config list|config get|config debug|cache dir|cache info|cache list': looks(''),
      'index versions|search': asks('--pre --json'),
      hash: { options: '-a: --algorithm:', operands: 'read' },
      help: looks(''),
      'install|download|wheel|uninstall': installs,
    },
    examples: {
      'pip list': 'read-only',
      'pip list --format=json': 'read-only',
      'pip install x': 'runs',
      'pip cache purge': 'unknown',
    },
  },
  {
    names: 'uv',
    options: '--version -V -q --quiet -v --verbose --no-color --color:',
    verbs: {
      // These ask the interpreter of the project's environment.
      'pip list|pip show|pip freeze|pip tree|pip check|python list': RUNS,
      'tool list|cache dir|version': looks('--format: --outdated --strict --system --depth: --invert --only-installed'),
      'run|tool run|x': RUNS,
      'pip install|pip sync|pip uninstall|pip compile|add|remove|sync|lock|venv|init|build|python install|tool install': installs,
    },
  },
  {
    names: 'poetry pdm hatch pipenv rye',
    verbs: { '*': RUNS },
  },
  {
    names: 'conda mamba',
    version: '--version -V',
    options: '--no-ansi --no-interaction -n -q -v',
    verbs: { 'list|env list|config --list': looks('--json'), '*': installs },
  },
  {
    names: 'cargo',
    // rustup runs the toolchain that rust-toolchain.toml names, which may lie in the project.
    class: 'runs',
    options: '--version -V -q --quiet -v --verbose --color: --offline --locked --frozen --list',
    verbs: {
      'search|info|version|help|locate-project': RUNS,
      'publish|login|logout|owner|yank': 'unknown',
      'install|uninstall|add|remove|rm|update|fetch|vendor|new|init|generate-lockfile': installs,
      // Project settings may name the compiler, so even these run what the project says.
      'build|b|check|c|clean|clippy|doc|d|fix|fmt|metadata|miri|nextest|package|pkgid|read-manifest|run|r|rustc|rustdoc|test|t|tree|bench|expand|audit|deny|outdated|watch|llvm-cov|tarpaulin|verify-project|xtask|make|insta|machete|udeps|hack|leptos|tauri':
        RUNS,
    },
  },
  {
    names: 'go',
    verbs: {
      version: looks('-m -v'),
      env: { options: '--json --changed', style: { single: true }, operands: 'text' },
      'doc|help': { options: '--all --c --cmd --short --src --u', style: { single: true }, operands: 'text' },
      list: {
        options: '--f: --json? --m --u --deps --test --e --find --versions --retracted',
        style: { single: true },
        operands: 'text',
        network: true,
      },
      'mod graph|mod why|mod verify': { options: '--m --vendor', style: { single: true }, operands: 'text', network: true },
      'test|build|run|vet|generate|install|fmt|fix|tool|bug|clean|work': RUNS,
      'get|mod tidy|mod download|mod init|mod edit|mod vendor': installs,
    },
    examples: {
      'go version': 'read-only',
      'go env GOPATH': 'read-only',
      'go env -w A=b': 'unknown',
      'go test ./...': 'runs',
      'go list -export ./...': 'unknown',
    },
  },
  { names: 'gofmt goimports gofumpt', options: '-l -d -e -s -r: --version', operands: 'read' },
  {
    names: 'bundle bundler',
    handle: (call) => call.is('runs', `${call.name} runs the Gemfile of the project`),
    examples: { 'bundle list': 'runs' },
  },
  {
    names: 'gem',
    version: '--version -v',
    options: '--version -v',
    verbs: {
      'list|outdated|search|which|info|show|env|environment|contents|dependency': looks('-l --local -a --all -d --details'),
      'exec|install|update|add|remove|uninstall|build|push|init|lock|config|clean|check': installs,
    },
  },
  {
    names: 'composer',
    options: '--version -V -n --no-interaction -q',
    verbs: {
      // Plugins and scripts of the project hear of every command.
      '*': installs,
    },
  },
  {
    names: 'brew',
    version: '--version -v',
    verbs: {
      'list|ls|info|search|outdated|deps|leaves|config|doctor|--prefix|--version|desc|uses': asks(
        '--versions --formula --cask --json? --tree --installed -v -1',
        { handle: brewNames },
      ),
    },
  },
  {
    names: 'apt apt-cache apt-get aptitude',
    version: '--version -v',
    options: '-q',
    verbs: {
      'list|show|search|policy|depends|rdepends|showpkg|madison|pkgnames|stats|dumpavail|showsrc': looks(
        '--installed --upgradable --all-versions -a -n --names-only -f --full --no-all-versions',
      ),
    },
  },
  {
    names: 'dpkg',
    version: '--version',
    options:
      '-l -L -s -S -p -c: -I: --list --listfiles --status --search --get-selections --print-architecture --print-avail --contents: --info: --print-foreign-architectures',
    operands: 'text',
    handle: dpkg,
  },
  {
    names: 'dpkg-query',
    options: '-W -l -s -L -S -f: -p --show --list --status --listfiles --search --showformat:',
    operands: 'text',
  },
  {
    names: 'rpm',
    options:
      '-q -a -i -l -f -c -d --query --all --info --list --file --version --qf: --queryformat: --requires --provides --changelog --scripts -p',
    handle: rpm,
  },
  {
    names:
      'apk pacman dnf yum snap flatpak nix nix-env zypper port emerge asdf mise nvm rbenv pyenv volta sdk choco winget scoop',
    version: '--version -V',
    handle: (call) => call.unknown(`${call.name} is not understood`),
  },
];

function dpkg(call: import('../call.ts').Call, t: import('../options.ts').OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  // Without one of its listing actions dpkg does nothing but complain.
}

function rpm(call: import('../call.ts').Call, t: import('../options.ts').OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  const query = given.options[0];
  if (query && query.name !== 'q' && query.name !== 'query' && query.name !== 'version' && query.name !== 'a')
    call.unknown('rpm without -q is not understood');
  if (!given.options.some((o) => o.name === 'q' || o.name === 'query' || o.name === 'version'))
    call.unknown('rpm without -q is not understood');
}
