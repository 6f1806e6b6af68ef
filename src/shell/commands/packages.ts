// Package managers other than those of JavaScript and Rust. They list packages, fetch and run packages, or run code of the
// project.
import type { CommandCall } from '../call.ts';
import type { CommandEntry } from '../entry.ts';
import { has, type OptionTable } from '../options.ts';
import { ASKS_AND_RUNS, asks, fetches, installs, installsUnless, looks, RUNS, rewrites, startsProgram } from './verbs.ts';

/** Formulas are Ruby code, so a file, a URL, or the name of another repository is not accepted. */
function brewNames(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  call.network();
  for (const o of given.operands)
    if (!/^[\w@+-][\w@+.-]*$/.test(o.literal ?? '') || o.literal!.endsWith('.rb')) call.unknown('brew may run the formula', o);
}

/** With these options it requests the available versions from the index. */
function pipList(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  call.roles(given);
  if (has(given, 'o', 'outdated', 'u', 'uptodate')) call.queries();
}

/** Another word selects another operation. */
function nixStore(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  if (!has(given, 'q', 'query')) call.unknown('nix-store without -q changes the store');
}

/** Settings of a project. Some of them are templates that run programs. */
const MISE_LOADS =
  'look: mise.toml .mise.toml mise.local.toml .mise.local.toml .mise mise .config/mise.toml .config/mise .tool-versions';

/** Folders of an environment, and files that select the interpreter. */
const UV_LOADS = 'look: .venv venv uv.toml .python-version .python-versions';

/** With a version it fetches the program. */
function goInstall(call: CommandCall) {
  call.is('runs', 'go install builds programs');
  if (call.rest.some(({ lead, literal }) => literal === null || lead.includes('@'))) call.network();
}

/** Subcommands of Bundler that fetch packages. */
const FETCHES_GEMS = /^(?:install|i|add|update|lock|cache|package|inject|remove)$/;

/** Options of `poetry run` and of similar programs. */
const POETRY = '-v -q -s -n --verbose --quiet --no-ansi --no-interaction --no-plugins -p: --project:';

export const packages: CommandEntry[] = [
  {
    names: 'pip pip3',
    help: 'install download uninstall freeze list show check config search cache wheel hash index inspect debug',
    options: '--version -V -q -v --quiet --verbose --no-color --disable-pip-version-check --no-input --isolated',
    verbs: {
      'list|freeze': {
        options:
          '-o -u -e -l --outdated --uptodate --editable --include-editable --exclude-editable --local --user --format: --not-required --exclude: --all --pre --path:l -i:h --index-url:h --extra-index-url:h',
        handle: pipList,
      },
      show: looks('-f --files'),
      'check|inspect|debug': looks('--local --user'),
      'config list|config get|config debug|cache dir|cache info|cache list': looks(''),
      'index versions|search': asks('--pre --json'),
      hash: { options: '-a: --algorithm:', operands: 'read' },
      help: looks(''),
      'install|download|wheel|uninstall': installs,
    },
    examples: {
      'pip install --help': 'read-only',
      'pip install x --help': 'runs',
      'pip list': 'read-only',
      'pip list --format=json': 'read-only',
      'pip install x': 'runs',
      'pip cache purge': 'unknown',
    },
  },
  {
    names: 'uv',
    help: 'run tool. pip. python. cache. self. export tree publish format auth.',
    options: '--version -V -q --quiet -v --verbose --no-color --color:',
    verbs: {
      // These start the interpreter of the project's environment, if it exists.
      'tree|export': ASKS_AND_RUNS,
      'pip list|pip show|pip freeze|pip tree|pip check|python list|python find': looks(
        '--format: --outdated --strict --system --depth: --invert --exclude: --editable -e --exclude-editable --files -f --only-installed --all-versions --no-cache --offline',
        { loads: UV_LOADS },
      ),
      'tool list|tool dir|cache dir|cache size|python dir|help|self version': looks(
        '--format: --outdated --strict --system --depth: --invert --only-installed',
      ),
      // With a number it sets the version of the project.
      version: looks('--short --output-format:', { operands: 'none' }),
      run: startsProgram(
        '-m -q -s -n -v --module --script --gui-script --no-project --isolated --active --no-sync --locked --frozen --all-extras --all-groups --dev --no-dev --only-dev --no-env-file --no-editable --exact --quiet --offline --all-packages -p: --python: --with: --with-requirements: --with-editable: -w: --extra: --no-extra: --group: --no-group: --only-group: --env-file: --package: --project: --directory: --index: --index-url: --extra-index-url: -P: -U --upgrade --no-default-groups --refresh --reinstall --resolution: --prerelease: --link-mode: --no-cache --color: --no-progress --managed-python --no-managed-python --no-python-downloads --no-config --config-file: --allow-insecure-host: --no-index -f: --find-links: --upgrade-package: --refresh-package: --reinstall-package: --no-build --no-build-package: --no-binary --no-binary-package: --inexact -i: --default-index: --keyring-provider: --no-sources --compile-bytecode --no-build-isolation',
      ),
      'tool run|x': fetches,
      'pip install|pip sync|pip uninstall|pip compile|add|remove|sync|venv|init|build|python install|tool install': installs,
      lock: installsUnless('--check', '--locked', '--dry-run'),
    },
    examples: {
      'uv version': 'read-only',
      'uv version 1.2': 'unknown',
      'uv tool list': 'read-only',
      'uv pip list': 'runs',
      'uv pip list --python ./x': 'unknown',
      'uv run --help': 'read-only',
      'uv tree': 'runs',
    },
  },
  {
    names: 'poetry',
    traits: ['loads-project-code'],
    version: '--version -V',
    class: 'runs',
    // Plugins of the project are installed there, and are loaded even for the version.
    loads: '.poetry',
    verbs: {
      run: startsProgram(POETRY),
      'add|remove|install|update|sync|publish|self|source add': installs,
      lock: installsUnless('--check'),
      '*': RUNS,
    },
    examples: { 'poetry --version': 'read-only', 'poetry run pytest': 'runs', poetry: 'runs', 'poetry install': 'runs' },
  },
  {
    names: 'pdm hatch pipenv rye',
    traits: ['loads-project-code'],
    // Plugins of the project are loaded even for help.
    class: 'runs',
    verbs: {
      run: startsProgram(POETRY),
      'add|remove|install|update|sync|upgrade|uninstall|publish|self|fetch': installs,
      lock: installsUnless('--check'),
      '*': RUNS,
    },
    examples: { 'pdm run -p sub rm x': 'runs', 'pdm --version': 'unknown' },
  },
  {
    names: 'conda mamba',
    version: '--version -V',
    options: '--no-ansi --no-interaction -n: -q -v',
    verbs: {
      'list|env list|info|env export': looks(
        '--json -e --envs -s --base --explicit --export --no-builds --from-history --full-name -c --name: -p:l --prefix:l',
      ),
      // Other options change a setting.
      'config --show|config --show-sources|config --list|config --get|config --describe': looks('--json'),
      search: asks('--json -c: --channel:'),
      '*': installs,
    },
    examples: { 'conda info --envs': 'read-only', 'conda search numpy': 'read-only', 'conda create -n x': 'runs' },
  },
  {
    names: 'go',
    help: 'test build run vet generate install fmt fix tool bug clean work.',
    verbs: {
      version: looks('-m -v', { operands: 'read-within' }),
      env: { options: '--json --changed', style: ['single-dash'], operands: 'text' },
      'doc|help': { options: '--all --c --cmd --short --src --u', style: ['single-dash'], operands: 'text' },
      list: {
        options: '--f: --json? --m --u --deps --test --e --find --versions --retracted',
        style: ['single-dash'],
        operands: 'text',
        network: 'read',
        // Checksums of the workspace are written next to it. For a Mercurial checkout it runs hg, and hg runs programs from the
        // settings there.
        loads: 'go.work .hg',
      },
      'mod graph|mod why|mod verify': { options: '--m --vendor', style: ['single-dash'], operands: 'text', network: 'read' },
      'test|build|run|vet|generate|fmt|fix|tool|bug|clean|work': RUNS,
      install: { class: 'runs', handle: goInstall },
      'mod edit -json|work edit -json|telemetry': looks('', { operands: 'none' }),
      'mod tidy': installsUnless('-diff'),
      'get|mod download|mod init|mod edit|mod vendor': installs,
    },
    examples: {
      'go version': 'read-only',
      'go work edit -json': 'read-only',
      'go telemetry': 'read-only',
      'go telemetry on': 'unknown',
      'go env GOPATH': 'read-only',
      'go env -w A=b': 'unknown',
      'go test ./...': 'runs',
      'go list -export ./...': 'unknown',
    },
  },
  {
    names: 'gofmt goimports gofumpt',
    options: '-l -d -e -s -w -r: --version',
    handle: rewrites('w'),
    examples: { 'gofmt -l .': 'read-only', 'gofmt -s -w a.go': 'writes', 'gofmt -w -cpuprofile f a.go': 'unknown' },
  },
  {
    names: 'bundle bundler',
    version: '--version -v version',
    traits: ['loads-project-code'],
    loads: 'Gemfile Gemfile.lock gems.rb gems.locked .bundle/config',
    handle(call) {
      const at = call.rest.findIndex((arg) => arg.literal === 'exec');
      if (at !== -1)
        call.starts(call.rest.slice(at + 1).filter((_, i, all) => !all.slice(0, i + 1).every((one) => one.lead.startsWith('-'))));
      if (call.rest[0]?.literal === 'outdated') call.queries();
      if (FETCHES_GEMS.test(call.rest.find((arg) => !arg.lead.startsWith('-'))?.literal ?? 'install')) call.network();
      call.is('runs', `${call.name} runs the Gemfile of the project`);
    },
    examples: { 'bundle --version': 'read-only', 'bundle list': 'runs' },
  },
  {
    names: 'gem',
    version: '--version -v',
    options: '--version -v',
    verbs: {
      'outdated|search|list|info|dependency|specification|query|stale': asks(
        '-l --local -a -r --remote --all -d --details -i --installed -I --no-installed -e --exact -b --both --versions --no-versions --prerelease -v: --version: --reverse-dependencies -R',
      ),
      sources: looks('-l --list', { operands: 'none' }),
      'which|show|env|environment|contents|help': looks('-l --local -a --all -d --details -s --show-install-dir'),
      'exec|install|update|add|remove|uninstall|build|push|init|lock|config|clean|check': installs,
    },
  },
  {
    names: 'composer',
    version: '--version -V',
    options: '-n --no-interaction -q',
    loads: 'composer.json',
    examples: { 'composer --version': 'read-only', 'composer show': 'runs', 'composer require x': 'runs' },
    verbs: {
      'require|install|i|update|u|upgrade|remove|rm|create-project|global|self-update|browse|bump|reinstall': installs,
      'outdated|search|audit': ASKS_AND_RUNS,
      // Plugins and scripts of the project are notified of every command.
      '*': RUNS,
    },
  },
  {
    names: 'brew',
    version: '--version -v --prefix --cellar --repository --cache --caskroom --env',
    help: 'install uninstall upgrade update tap untap services link unlink cleanup autoremove edit pin unpin bundle outdated home log fetch reinstall create audit',
    verbs: {
      tap: looks('', { operands: 'none' }),
      '--prefix|--cellar': asks('', { handle: brewNames }),
      // `brew outdated` is not listed, because it updates Homebrew first.
      'list|ls|info|search|deps|leaves|config|doctor|desc|uses|cat|commands|options|missing|formulae|casks|services list|services info':
        asks('--all -s --full-name --pinned --multiple --versions --formula --cask --json? --tree --installed -v -1', {
          handle: brewNames,
        }),
    },
    examples: {
      'brew info jq': 'read-only',
      'brew outdated': 'unknown',
      'brew --prefix': 'read-only',
      'brew --prefix openssl@3': 'read-only',
      'brew --prefix ./x.rb': 'unknown',
      'brew --prefix --unbrewed': 'unknown',
      'brew --prefix $x': 'unknown',
      'brew install --prefix': 'unknown',
    },
  },
  {
    // -f builds the paths first, and --add-root writes a link.
    names: 'nix-store',
    options:
      '-qRdu -b: --query --outputs --requisites --references --referrers --referrers-closure --deriver --graph --tree --binding: --hash --size --roots --use-output --include-outputs',
    handle: nixStore,
    examples: {
      'nix-store -q --references /nix/store/x': 'read-only',
      'nix-store --query --tree /nix/store/x': 'read-only',
      'nix-store -qR /nix/store/x': 'read-only',
      'nix-store --tree /nix/store/x': 'unknown',
      'nix-store -q -f /nix/store/x': 'unknown',
      'nix-store -q --force-realise /nix/store/x': 'unknown',
      'nix-store -q --add-root x /nix/store/x': 'unknown',
      'nix-store --gc': 'unknown',
      'nix-store --delete -q': 'unknown',
      'nix-store': 'unknown',
    },
  },
  {
    // A file of the project names a program that receives a report of each command, also of --version.
    names: 'volta',
    version: '--version -V -v',
    loads: '.volta/hooks.json package.json#volta.extends',
    verbs: { 'list|ls': looks('-c -d --current --default --format:') },
    examples: {
      'volta --version': 'read-only',
      'volta list --format plain': 'read-only',
      'volta ls node': 'read-only',
      'volta install node@20': 'unknown',
      'volta run node a.js': 'unknown',
      'volta pin node@20': 'unknown',
    },
  },
  {
    names: 'fnm',
    version: '-V',
    help: 'install use env alias unalias default uninstall completions',
    verbs: {
      'list|ls|current': looks('', { operands: 'none' }),
      'list-remote|ls-remote': asks('--lts? --latest --filter: --sort:', { operands: 'none' }),
    },
    examples: {
      'fnm list': 'read-only',
      'fnm current': 'read-only',
      'fnm ls-remote --lts': 'read-only',
      'fnm list-remote --node-dist-mirror=x': 'unknown',
      'fnm list --fnm-dir d': 'unknown',
      'fnm install 20': 'unknown',
      'fnm use 20': 'unknown',
      'fnm default': 'unknown',
      'fnm exec --using 20 x': 'unknown',
    },
  },
  {
    // Without a command it installs the version that a person selects. `auto` as a version runs npm.
    names: 'n',
    version: '-V -h',
    class: 'unknown',
    why: 'installs a version of Node.js',
    verbs: { 'ls|list': looks('', { operands: 'none' }), 'lsr|ls-remote': asks('--all', { operands: 'none' }) },
    examples: {
      'n ls': 'read-only',
      'n lsr --all': 'read-only',
      'n lsr auto': 'unknown',
      'n --version': 'read-only',
      n: 'unknown',
      'n 20': 'unknown',
      'n prune': 'unknown',
      'n run 20 a.js': 'unknown',
    },
  },
  {
    // --graph-output starts a program, and --python another interpreter.
    names: 'pipdeptree',
    version: '-v -h',
    options:
      '-rafjlu -p: -e: -d: -w: --reverse --packages: --exclude: --all --freeze --json --json-tree --mermaid --depth: --warn: --local-only --user-only --exclude-dependencies',
    operands: 'none',
    examples: {
      pipdeptree: 'read-only',
      'pipdeptree -r -p requests': 'read-only',
      'pipdeptree --graph-output svg': 'unknown',
      'pipdeptree --python ./x': 'unknown',
    },
  },
  {
    names: 'nix nix-env zypper emerge sdk scoop corepack pod',
    version: '--version -V -q=nix-env --query=nix-env --list-generations=nix-env',
    handle: (call) => call.unknown(`${call.name} is not understood`),
    examples: {
      'corepack --version': 'read-only',
      'corepack enable': 'unknown',
      'pod --version': 'read-only',
      'pod install': 'unknown',
    },
  },
  {
    // They print the installed versions, and the versions that files of the project request.
    names: 'asdf nvm rbenv pyenv',
    version: '--version -V -v',
    verbs: {
      'list|current|versions|version|which|root|where|ls|prefix|shims|info|plugin list|plugin-list|help|commands':
        looks('--bare --no-colors --no-alias'),
      'ls-remote|list all|list-all': asks('--lts?'),
      'install --list|install -l': asks('', { operands: 'none' }),
      // nvm changes the PATH of this shell, and asks npm for its prefix. With --save, it writes .nvmrc.
      use: {
        options: '--silent --lts?',
        operands: 'text',
        handle(call, t) {
          call.accept(call.parse(t));
          call.tag('checks');
          call.is('runs', 'nvm use runs npm of another version of Node.js');
        },
      },
    },
    examples: {
      'pyenv versions': 'read-only',
      'asdf list nodejs': 'read-only',
      'asdf install': 'unknown',
      'nvm ls': 'read-only',
      'nvm use 20': 'runs',
      'nvm use --silent --lts': 'runs',
      'nvm use --save 20': 'unknown',
      'nvm install --lts': 'unknown',
      'pyenv install -l': 'read-only',
      'pyenv install 3.12': 'unknown',
      'pyenv install -l 3.12': 'unknown',
      'rbenv global 3': 'unknown',
    },
  },
  {
    names: 'mise',
    version: '--version -V version',
    verbs: {
      'ls|list|current|config|settings|plugins ls|tasks ls|tasks|registry|bin-paths': looks(
        '-c -i -g -l -J --current --installed --global --local --json --missing --no-header',
        { operands: 'none', loads: MISE_LOADS },
      ),
      'ls-remote|latest|outdated|which|where': asks('--json', { loads: MISE_LOADS }),
    },
    examples: { 'mise --version': 'read-only', 'mise ls': 'runs', 'mise use node@20': 'unknown', 'mise settings x=y': 'unknown' },
  },
];
