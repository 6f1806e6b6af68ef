// Package managers of JavaScript. They list packages, fetch and run packages, or run scripts of the project.
import type { CommandCall } from '../call.ts';
import type { CommandEntry, Verb } from '../entry.ts';
import { has, type OptionTable } from '../options.ts';
import { asks, executes, executing, fetches, installs, installsUnless, looks, RUNS, runsByName } from './verbs.ts';

/** A name in the registry. */
const PACKAGE = /^(?:@[\w.-]+\/)?[\w][\w.-]*(?:@[\w.^~<>=*-]*)?$/;

/**
 * Accepts only names in the registry. For a URL, or a package.json entry that refers to one, npm runs the git program from
 * settings of the project.
 */
function npmView(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  const name = given.operands[0];
  if (!PACKAGE.test(name?.literal ?? '')) call.unknown('npm uses another registry', name);
}

/** Prints an address. npm takes a word after `--no-browser` for the program to start, so that option must come last. */
function npmPage(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  if (!has(given, 'no-browser') || call.rest.at(-1)?.literal !== '--no-browser') call.unknown(`${call.name} starts a browser`);
  for (const o of given.operands) if (!PACKAGE.test(o.literal ?? '')) call.unknown('npm uses another registry', o);
}

/** Without a name it lists the scripts. */
function npmRun(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  const name = given.operands[0];
  if (name) return call.is('runs', `${call.name} runs code of the project`, name);
  call.accept(given);
  if (has(given, 'prefix', 'C')) call.unknown('npm run lists the scripts of another folder');
}

const NPM_FLAGS = '--json --silent --no-color --color? --loglevel: -s -d --no-update-notifier --no-fund --no-audit';
const NPM_LIST = `${NPM_FLAGS} -a -l -p -g --all --depth: --long --parseable --global --omit: --include: --prod --production --dev --workspaces -w: --workspace: --package-lock-only --link --no-unicode --unicode`;

const MANIFEST_LOADS = '.volta/hooks.json .npmrc package.json#packageManager package.json#devEngines @corepack';
const PNPM_LOADS = `.pnpmfile.cjs .pnpmfile.mjs pnpm-workspace.yaml pnpm-workspace.yml package.json#pnpm package.json5 package.yaml ${MANIFEST_LOADS}`;
const YARN_LOADS = `.yarnrc .yarnrc.yml ~/.yarnrc.yml .yarn/plugins .pnp.cjs .pnp.js .pnp.loader.mjs ${MANIFEST_LOADS}`;

/** A command that exists only in some versions, such as Yarn 1. Other versions run a script or program with that name. */
function classic(name: string, options: string, operands: 'text' | 'none' = 'text'): Exclude<Verb, string> {
  return { options, operands, loads: `package.json#scripts.${name} node_modules/.bin/${name}` };
}

/** Without a name it lists the tasks. */
function denoTask(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  if (given.operands.length > 0) call.is('runs', 'deno task runs code of the project', given.operands[0]);
}

function denoFmt(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  if (!has(given, 'check')) call.is('runs', 'deno fmt rewrites files of the project');
  for (const o of given.operands) if (o.literal !== '-') call.read(o, call.name, { extent: 'within' });
}

export const javascript: CommandEntry[] = [
  {
    names: 'npm',
    loads: '.volta/hooks.json',
    help: 'install ci run run-script test start exec publish pack version view ls audit outdated update uninstall link init config cache prune dedupe rebuild search whoami login logout owner dist-tag access team token org profile fund doctor explain query pkg sbom docs repo bugs diff edit explore find-dupes hook root prefix set shrinkwrap star stars unpublish deprecate unstar undeprecate completion ping',
    options: `${NPM_FLAGS} --version -v --prefix:c -C:c -w: --workspace: --workspaces --if-present`,
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
      'repo|docs|home|bugs|issues': asks(`${NPM_FLAGS} --no-browser`, { handle: npmPage }),
      // With a name it opens the page in a browser.
      fund: looks(NPM_LIST, { operands: 'none' }),
      query: looks(NPM_LIST),
      audit: asks(`${NPM_FLAGS} --audit-level: --omit: --production --prod --package-lock-only`, { operands: 'none' }),
      version: { options: NPM_FLAGS, operands: 'none' },
      'owner ls': asks(NPM_FLAGS, { handle: npmView }),
      'dist-tag ls|access list|team ls|org ls|profile get|token list': asks(NPM_FLAGS),
      // The settings may name the program that displays the page.
      'help|help-search': looks('', { loads: '.npmrc' }),
      'run|run-script|rum|urn': { options: `${NPM_FLAGS} -w: --workspace: --workspaces`, handle: npmRun },
      'cache ls|completion|stars': looks(NPM_FLAGS),
      sbom: looks(`${NPM_FLAGS} --sbom-format: --sbom-type: --omit: --package-lock-only`, { operands: 'none' }),
      'test|t|tst|start|stop|restart': RUNS,
      'exec|x': executes,
      'init|create|innit': fetches,
      'install|i|in|ins|inst|add|ci|clean-install|ic|install-test|it|install-ci-test|cit|update|up|upgrade|udpate|uninstall|un|remove|rm|r|unlink|rebuild|rb|dedupe|ddp|prune|link|ln':
        installsUnless('--dry-run'),
      'build|publish|pack': RUNS,
    },
    examples: {
      'npm install --help': 'read-only',
      'npm run x --help': 'runs',
      'npm -w packages/a test': 'runs',
      'npm -w packages/a pkg set a=b': 'unknown',
      'npm exec x --help': 'runs',
      'npm ls --depth=0 --json': 'read-only',
      'npm pkg get name': 'read-only',
      'npm run': 'read-only',
      'npm run build': 'runs',
      'npm run $x': 'runs',
      'npm fund': 'read-only',
      'npm fund x': 'unknown',
      'npm view x version': 'read-only',
      'npm view': 'unknown',
      'npm owner ls x': 'read-only',
      'npm owner ls': 'unknown',
      'npm owner ls a/b': 'unknown',
      'npm dist-tag ls x': 'read-only',
      'npm repo --no-browser': 'read-only',
      'npm docs react --no-browser': 'read-only',
      'npm docs --no-browser react': 'unknown',
      'npm docs react': 'unknown',
      'npm docs a/b --no-browser': 'unknown',
      'npm docs --loglevel --no-browser': 'unknown',
      'npm docs -- --no-browser': 'unknown',
      'npm docs --no-browser --browser=x --no-browser': 'unknown',
      'npm shrinkwrap': 'unknown',
      'npm pkg set a=b': 'unknown',
      'npm audit fix': 'unknown',
      'npm config set a b': 'unknown',
    },
  },
  // pnpx may start another pnpm, which the project selects.
  { names: 'pnpx uvx', version: '--version=uvx', handle: (call) => executing(call, false) },
  { names: 'npx bunx', version: '--version', loads: '.volta/hooks.json', handle: (call) => executing(call, true) },
  {
    names: 'pipx',
    verbs: {
      'list|environment|help': looks('--json --short --include-injected --skip-maintenance -V: --value:'),
      'install|inject|upgrade|upgrade-all|uninstall|uninstall-all|reinstall|reinstall-all|ensurepath': installs,
      '*': fetches,
    },
    examples: { 'pipx list --short': 'read-only', 'pipx run x': 'runs', 'pipx install x': 'runs', 'pipx run x --help': 'runs' },
  },
  {
    names: 'pnpm pn',
    version: '--version -v',
    options:
      '--silent -s -w --workspace-root --filter: -F: -r --recursive --json --no-color --color? --parallel --stream --no-bail --bail --no-sort --if-present --reporter: --workspace-concurrency: -C:c --dir:c',
    loads: PNPM_LOADS,
    verbs: {
      'list|ls|la|ll': looks(
        '--depth: --long --parseable -g --global -P --prod -D --dev --no-optional --only-projects --lockfile-only --exclude-peers',
      ),
      'why|explain': looks('--depth: --long --parseable -P --prod -D --dev --no-optional --exclude-peers'),
      'licenses list|licenses ls': looks('--long -P --prod -D --dev --no-optional'),
      'view|info|show|v': asks('', { handle: npmView }),
      outdated: asks('--long --format: --compatible -P --prod -D --dev --no-optional --no-table --sort-by:'),
      audit: asks('--audit-level: -P --prod -D --dev --no-optional --ignore-registry-errors', { operands: 'none' }),
      'config get|config list|config ls|get|c get|c list': looks('-g --global --location:'),
      'root|bin|store path': looks('', { operands: 'none' }),
      help: looks(''),
      // Some versions do not have this command. They run a script with that name.
      'env list|env ls': { ...classic('env', '--remote'), network: true },
      'run|run-script|test|t|start|exec|restart': RUNS,
      'dlx|create|init': fetches,
      'install|i|add|update|up|upgrade|remove|rm|uninstall|un|rebuild|rb|import|prune|fetch|link|ln|unlink|ci|patch|patch-commit|deploy':
        installs,
      dedupe: installsUnless('--check'),
      '*': runsByName,
    },
    examples: {
      'pnpm --version': 'read-only',
      'pnpm list --depth 0': 'read-only',
      'pnpm -r ls --json': 'read-only',
      'pnpm why react': 'read-only',
      'pnpm view react version': 'read-only',
      'pnpm view ./x': 'unknown',
      'pnpm outdated': 'read-only',
      'pnpm audit --prod': 'read-only',
      'pnpm audit --fix': 'unknown',
      'pnpm config get registry': 'read-only',
      'pnpm licenses list': 'read-only',
      'pnpm root': 'read-only',
      'pnpm env list': 'read-only',
      'pnpm env use --global 20': 'runs',
      // Creates its folder if it is missing.
      'pnpm root -g': 'unknown',
      'pnpm store status': 'runs',
      'pnpm --dir x list': 'runs',
      'cd $x && pnpm list': 'runs',
      pnpm: 'read-only',
      'pnpm lint': 'runs',
    },
  },
  {
    names: 'yarn yarnpkg',
    version: '--version -v',
    options: '--silent -s --json --no-color --cwd!',
    class: 'runs',
    why: 'yarn installs packages and runs their scripts',
    network: true,
    loads: YARN_LOADS,
    verbs: {
      why: looks('-R --recursive --peers'),
      info: asks('-A -R -X: --all --recursive --extra: --name-only --virtuals --dependents', { handle: npmView }),
      bin: looks('--verbose -v --name'),
      help: looks(''),
      // Yarn 1 does not have this command. It runs a script or program with that name.
      'npm info|npm whoami|npm audit|npm tag list': {
        ...classic('npm', '-f: --fields: --json -A -R --all --recursive --severity: --environment: --no-deprecations'),
        network: 'read',
      },
      list: classic('list', '--depth: --pattern: --prod --production'),
      'licenses list|licenses ls': classic('licenses', '--prod --production'),
      outdated: { ...classic('outdated', ''), network: 'read' },
      audit: { ...classic('audit', '--level: --groups: --summary', 'none'), network: true },
      'cache dir': classic('cache', '', 'none'),
      'config get|config list': classic('config', ''),
      versions: classic('versions', '', 'none'),
      'global list|global bin|global dir': classic('global', '--depth: --pattern:', 'none'),
      'workspaces list|workspaces info': classic('workspaces', '--recursive -R --since? --verbose -v', 'none'),
      'dlx|create': fetches,
      dedupe: installsUnless('--check', '-c'),
      'install|add|remove|upgrade|up|import|autoclean|link|unlink|set|plugin|rebuild': installs,
      '*': runsByName,
    },
    examples: {
      'yarn --version': 'read-only',
      yarn: 'runs',
      'yarn list --depth=0': 'read-only',
      'yarn why react': 'read-only',
      'yarn info react version': 'read-only',
      'yarn info ../x': 'unknown',
      'yarn outdated': 'read-only',
      'yarn audit --level high': 'read-only',
      'yarn audit fix': 'unknown',
      'yarn cache dir': 'read-only',
      'yarn cache clean': 'runs',
      'yarn global list': 'read-only',
      'yarn global add x': 'runs',
      'yarn config get registry': 'read-only',
      'yarn config set a b': 'runs',
      'yarn npm info react': 'read-only',
      'yarn npm publish': 'runs',
      'yarn licenses list': 'read-only',
      'yarn workspaces info': 'read-only',
      'yarn workspaces run x': 'runs',
      // No version of Yarn has this command, so it is a script.
      'yarn ls': 'runs',
    },
  },
  {
    names: 'bun',
    version: '--version --revision -v',
    options: '--version --hot --watch --bun -b --smol --silent --no-clear-screen',
    class: 'runs',
    verbs: {
      'pm ls|pm bin|pm hash': looks('--all -g'),
      // With another word, the cache is cleared.
      'pm cache|pm untrusted|pm default-trusted|pm hash-string|pm hash-print|pm whoami': looks('', { operands: 'none' }),
      outdated: asks(''),
      x: executes,
      create: fetches,
      'install|i|add|a|remove|rm|update|link|unlink|patch': installs,
      '*': runsByName,
    },
  },
  {
    names: 'deno',
    version: '--version -V',
    class: 'unknown',
    why: 'deno runs its standard input',
    examples: {
      'deno --version': 'read-only',
      'deno run --help': 'read-only',
      deno: 'unknown',
      'deno task': 'read-only',
      'deno task build': 'runs',
      'deno fmt --check': 'read-only',
      'deno fmt': 'runs',
    },
    help: 'run test task bench eval compile serve install add fmt lint check cache doc remove uninstall outdated update publish upgrade repl types completions coverage jupyter init',
    verbs: {
      info: looks('--json', { operands: 'none' }),
      'types|completions|help': looks(''),
      task: { options: '-q --quiet', handle: denoTask },
      fmt: {
        options: '--check -q --quiet --ext: --ignore: --line-width: --indent-width: --use-tabs --single-quote --no-semicolons',
        handle: denoFmt,
      },
      'install|add|remove|uninstall|outdated|update|upgrade': installs,
      'run|test|bench|eval|compile|serve|lint|check|cache|doc': RUNS,
    },
  },
];
