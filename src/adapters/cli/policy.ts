// modes policy: the verbs of custom policies. Each is in a separate file that is loaded when it is called.
import type { Command } from 'commander';
import { terminal } from './terminal.ts';

type Run = (verb: () => Promise<number>) => () => Promise<void>;
type Shared = (command: Command) => Command;

/** Adds `policy` and its verbs. */
export function addPolicyVerbs(program: Command, shared: Shared, run: Run): void {
  const policy = program
    .command('policy')
    .description('test, check, format and build custom policies (.claude/policies)')
    .addHelpText('after', OVERVIEW);
  const verb = (name: string, description: string) => shared(policy.command(name).description(description));
  verb('test', 'run NAME_test.rego and NAME.cases.yaml through the WASM that decides in earnest')
    .argument('[paths...]', 'projects, folders of policies, or single files of tests or cases (default: the project)')
    .option('-r, --run <regex>', 'only tests named package.test_name, and cases named file:line call, that match')
    .option('-v, --verbose', 'list what passes too')
    .option('--fail-on-empty', 'exit 1 when nothing was run')
    .option('--junit <file>', 'write JUnit XML too')
    .option('--layers', "count the user's and the organisation's configuration too")
    .addHelpText('after', TEST_HELP)
    .action((paths, options) => run(async () => (await import('./policy-test.ts')).policyTest(paths, options, terminal))());
  verb('check', 'find what is wrong without running anything: strict, and typed by the schemas of input and data.rules')
    .argument('[paths...]', 'projects or folders of policies (default: the project)')
    .option('--layers', "count the user's and the organisation's configuration too")
    .addHelpText('after', CHECK_HELP)
    .action((paths, options) => run(async () => (await import('./policy-check.ts')).policyCheck(paths, options, terminal))());
  verb('coverage', 'tell which settings rules and Rego rules no test and no case decides anything by')
    .argument('[paths...]', 'projects or folders of policies (default: the project)')
    .option('--format <kind>', 'table, json, lcov or html (default: table)')
    .option('-o, --output <file>', 'write it there instead of printing it')
    .option('--threshold <percent>', 'exit 1 when fewer of the rules decided something')
    .option('--layers', "count the user's and the organisation's configuration too")
    .addHelpText('after', COVERAGE_HELP)
    .action((paths, options) =>
      run(async () => (await import('./policy-coverage.ts')).policyCoverage(paths, options, terminal))(),
    );
  verb('fmt', 'lay Rego out as opa fmt does')
    .argument('[paths...]', 'files or folders (default: .claude/policies)')
    .option('--check', 'change nothing; exit 1 when something would change')
    .option('--diff', 'show what would change, and change nothing')
    .addHelpText('after', '\nWithout an option files are rewritten and named. Exit code: 0, or 1 when a file is no Rego.')
    .action((paths, options) => run(async () => (await import('./policy-fmt.ts')).policyFormat(paths, options, terminal))());
  verb('build', 'write one mode as a bundle that a stock OPA loads')
    .option('--mode <name>', 'which mode (default: the default mode)')
    .option('-o, --output <file>', 'where to (default: MODE.tar.gz)')
    .option('--target <kind>', 'opa: Rego, data and WASM; wasm: for an OPA with an engine for WASM', 'opa')
    .option('--untrusted', "as before a person approved the project: its allows don't count")
    .option('--layers', "count the user's and the organisation's configuration too")
    .addHelpText('after', BUILD_HELP)
    .action((options) => run(async () => (await import('./policy-build.ts')).policyBuild(options, terminal))());
  verb('export', 'print the settings of one mode as Rego, equal in verdict')
    .option('--mode <name>', 'which mode (default: the default mode)')
    .option('-o, --output <folder>', 'write it there with the core and the custom policies, for opa eval and opa test')
    .option('--untrusted', "as before a person approved the project: its allows don't count")
    .option('--layers', "count the user's and the organisation's configuration too")
    .addHelpText('after', EXPORT_HELP)
    .action((options) => run(async () => (await import('./policy-build.ts')).policyExport(options, terminal))());
  verb('diff', 'tell which calls of the cases and the logs of both two configurations decide differently')
    .argument('<before>', 'a project or its .claude folder')
    .argument('<after>', 'another')
    .option('--layers', "count the user's and the organisation's configuration too")
    .addHelpText('after', DIFF_HELP)
    .action((before, after, options) =>
      run(async () => (await import('./policy-diff.ts')).policyDiff([before, after], options, terminal))(),
    );
}

const OVERVIEW = `
A policy is a Rego file in .claude/policies, in package modes.policy.NAME, with sets deny, ask, allow, context and gate.
Tests stand beside it: NAME_test.rego in Rego, NAME.cases.yaml for whoever writes none.
Inside the client nothing is written by an option: fmt needs --check or --diff there, and what is printed can be redirected.
Exit code: 0 all well, 1 something is wrong, 64 wrong usage.`;

const TEST_HELP = `
A case is a call and what it should be answered:
  - call: Bash(git push --force)
    mode: feature-dev        # default: the default mode
    expect: deny             # allow, ask, deny or pass
    rule: no_force_push      # a rule's text or a policy's name that must have decided
    reason: published        # must stand in the reason
    agent: reviewer          # type of the agent that calls
    trusted: false           # as before a person approved the project; default true

Exit code: 0 all pass, 1 a test or the configuration fails, 64 wrong usage. A rule todo_test_NAME is skipped.`;

const CHECK_HELP = `
Found among others: fields that the input does not have (input.tol.name), functions that the evaluator does not have, unused
variables and imports, modes, tools and classes that do not exist, keys of METADATA that nobody reads, broken cases.
The schemas are published as schemas/facts.schema.json and schemas/rules.schema.json, for editors and for opa check --schema.

Exit code: 0 nothing is wrong, 1 there are errors, 64 wrong usage.`;

const COVERAGE_HELP = `
A settings rule counts when it decided a case; a Rego rule when its head was true in a test or a case.

Exit code: 0, or 1 when a test fails or the threshold is not reached, 64 wrong usage.`;

const BUILD_HELP = `
The bundle answers at data.modes.verdict what the mode answers, given the facts of a call as input (schemas/facts.schema.json):
  modes policy build --mode feature-dev -o feature-dev.tar.gz
  opa run --server -b feature-dev.tar.gz
  opa eval -b feature-dev.tar.gz -i facts.json data.modes.verdict
modes check --json prints the facts of a call.`;

const EXPORT_HELP = `
Every rule stands there with its text, its file and its line, and with the keys that it is found by.
  modes policy export --mode feature-dev -o exported
  opa eval -d exported -i facts.json data.modes.verdict`;

const DIFF_HELP = `
The calls are those of NAME.cases.yaml of both, and those of the decision log of AFTER. To compare with what is committed:
  git worktree add ../before HEAD && modes policy diff ../before .

Exit code: 0 all are decided alike, 1 some are not or a configuration is broken, 64 wrong usage.`;
