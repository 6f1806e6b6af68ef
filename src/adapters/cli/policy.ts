// modes policy: the verbs of custom policies. Each is in a separate file that is loaded when it is called.
import type { Command } from 'commander';
import { terminal } from './terminal.ts';

type RunVerb = (verb: () => Promise<number>) => () => Promise<void>;
type Shared = (command: Command) => Command;

/** Adds `policy` and its verbs. */
export function addPolicyVerbs(program: Command, shared: Shared, run: RunVerb): void {
  const policy = program
    .command('policy')
    .description('test, check, format and build custom policies (.claude/policies)')
    .addHelpText('after', OVERVIEW);
  const verb = (name: string, description: string) => shared(policy.command(name).description(description));
  verb('test', 'run NAME_test.rego and NAME.cases.yaml through the same WASM that decides calls')
    .argument('[paths...]', 'projects, folders of policies, or single files of tests or cases (default: the project)')
    .option('-r, --run <regex>', 'only tests (package.test_name) and cases (file:line call) whose name matches')
    .option('-v, --verbose', 'also list passing tests')
    .option('--fail-on-empty', 'exit 1 if nothing was run')
    .option('--junit <file>', 'also write JUnit XML')
    .option('--layers', 'include the configuration of the user and the organization')
    .addHelpText('after', TEST_HELP)
    .action((paths, options) => run(async () => (await import('./policy-test.ts')).policyTest(paths, options, terminal))());
  verb('check', 'find problems without running anything, with strict checks and the schemas of input and data.rules')
    .argument('[paths...]', 'projects or folders of policies (default: the project)')
    .option('--layers', 'include the configuration of the user and the organization')
    .addHelpText('after', CHECK_HELP)
    .action((paths, options) => run(async () => (await import('./policy-check.ts')).policyCheck(paths, options, terminal))());
  verb('coverage', 'list the settings rules and Rego rules that decide no test or case')
    .argument('[paths...]', 'projects or folders of policies (default: the project)')
    .option('--format <kind>', 'table, json, lcov or html (default: table)')
    .option('-o, --output <file>', 'write the output to this file instead of printing it')
    .option('--threshold <percent>', 'exit 1 if less than this percentage of the rules decided something')
    .option('--layers', 'include the configuration of the user and the organization')
    .addHelpText('after', COVERAGE_HELP)
    .action((paths, options) =>
      run(async () => (await import('./policy-coverage.ts')).policyCoverage(paths, options, terminal))(),
    );
  verb('fmt', 'format Rego like opa fmt')
    .argument('[paths...]', 'files or folders (default: .claude/policies)')
    .option('--check', 'change nothing; exit 1 if something would change')
    .option('--diff', 'show the changes, and change nothing')
    .addHelpText(
      'after',
      '\nWithout an option, files are rewritten and listed. Exit code: 0, or 1 if a file is not Rego or, with --check or --diff, something would change, 64 wrong usage.',
    )
    .action((paths, options) => run(async () => (await import('./policy-fmt.ts')).policyFormat(paths, options, terminal))());
  verb('build', 'write one mode as a bundle that a stock OPA loads')
    .option('--mode <name>', 'the mode (default: the default mode)')
    .option('-o, --output <file>', 'the file to write (default: MODE.tar.gz)')
    .option('--target <kind>', 'opa: Rego, data and WASM; wasm: for an OPA that can run WASM', 'opa')
    .option('--untrusted', 'as an untrusted project: its allow rules have no effect')
    .option('--layers', 'include the configuration of the user and the organization')
    .addHelpText('after', BUILD_HELP)
    .action((options) => run(async () => (await import('./policy-build.ts')).policyBuild(options, terminal))());
  verb('export', 'print the settings of one mode as Rego that gives the same verdicts')
    .option('--mode <name>', 'the mode (default: the default mode)')
    .option(
      '-o, --output <folder>',
      'write the Rego to this folder, with the core and the custom policies, for opa eval and opa test',
    )
    .option('--untrusted', 'as an untrusted project: its allow rules have no effect')
    .option('--layers', 'include the configuration of the user and the organization')
    .addHelpText('after', EXPORT_HELP)
    .action((options) => run(async () => (await import('./policy-build.ts')).policyExport(options, terminal))());
  verb('diff', 'list the calls, from the cases and the log, that two configurations decide differently')
    .argument('<before>', 'a project or its .claude folder')
    .argument('<after>', 'another project or its .claude folder')
    .option('--layers', 'include the configuration of the user and the organization')
    .addHelpText('after', DIFF_HELP)
    .action((before, after, options) =>
      run(async () => (await import('./policy-diff.ts')).policyDiff([before, after], options, terminal))(),
    );
}

const OVERVIEW = `
A policy is a Rego file in .claude/policies, in package modes.policy.NAME, with sets deny, ask, allow, context and gate.
Tests are beside it: NAME_test.rego in Rego, or NAME.cases.yaml without Rego.
Inside the client, no option writes a file: fmt needs --check or --diff there, and printed text can be redirected.
Exit code: 0 success, 1 failure, 64 wrong usage.`;

const TEST_HELP = `
A case is a call and the expected decision:
  - call: Bash(git push --force)
    mode: feature-dev        # default: the default mode
    expect: deny             # allow, ask, deny or pass
    rule: no_force_push      # the rule (its text) or policy (its name) that must decide
    reason: published        # text that the reason must contain
    agent: reviewer          # type of the agent that makes the call
    trusted: false           # false: as if the project was not trusted; default: true

Exit code: 0 all pass, 1 a test or the configuration fails, 64 wrong usage. A rule todo_test_NAME is skipped.`;

const CHECK_HELP = `
Examples of problems: unknown fields of the input (input.tol.name), unknown functions, unused
variables and imports, unknown modes, tools and classes, unknown keys of METADATA, broken cases.
The schemas are published as schemas/facts.schema.json and schemas/rules.schema.json, for editors and for opa check --schema.

Exit code: 0 no errors, 1 errors, 64 wrong usage.`;

const COVERAGE_HELP = `
A settings rule counts if it decided a case. A Rego rule counts if its head was true in a test or a case.

Exit code: 0, or 1 if a test fails or the threshold is not reached, 64 wrong usage.`;

const BUILD_HELP = `
The bundle gives the verdict of the mode at data.modes.verdict, with the facts of a call as input (schemas/facts.schema.json):
  modes policy build --mode feature-dev -o feature-dev.tar.gz
  opa run --server -b feature-dev.tar.gz
  opa eval -b feature-dev.tar.gz -i facts.json data.modes.verdict
modes check --json prints the facts of a call.`;

const EXPORT_HELP = `
The output has every rule with its text, file, line and lookup keys.
  modes policy export --mode feature-dev -o exported
  opa eval -d exported -i facts.json data.modes.verdict`;

const DIFF_HELP = `
The calls come from the NAME.cases.yaml files of both and from the decision log of AFTER. To compare with the last commit:
  git worktree add ../before HEAD && modes policy diff ../before .

Exit code: 0 no differences, 1 differences or a broken configuration, 64 wrong usage.`;
