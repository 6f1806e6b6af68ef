// modes policy: the verbs of custom policies, each in a file of its own that is loaded when it is called.
import type { Command } from 'commander';
import { terminal } from './terminal.ts';

type Run = (verb: () => Promise<number>) => () => Promise<void>;
type Shared = (command: Command) => Command;

/** Adds `policy` and what is below it. */
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
}

const OVERVIEW = `
A policy is a Rego file in .claude/policies, in package modes.policy.NAME, with sets deny, ask, allow, context and gate.
Tests stand beside it: NAME_test.rego in Rego, NAME.cases.yaml for whoever writes none.
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
