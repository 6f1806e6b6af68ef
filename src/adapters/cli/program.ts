// The program: all verbs with their options. Each verb is in a separate file that is loaded when it is called. Help, completion,
// schemas and docs/cli.md are generated from it.
import { Command } from 'commander';
import { nearest } from '../../platform/nearest-name.ts';
import { addBundleVerbs } from './bundle.ts';
import { hiddenVerb } from './completion-scripts.ts';
import { addNeighbourVerbs } from './neighbours.ts';
import { addPolicyVerbs } from './policy.ts';
import { terminal, UsageError } from './terminal.ts';

declare const __MODES_VERSION__: string;

const REPLAY_HELP = `
  git worktree add ../next my-policy && modes replay --policy ../next --since 7d --fail-on widening

Exit code: 0, or 1 when there is a call of the class or the policy is broken, 64 wrong usage. docs/replay.md says more.`;
const SUGGEST_HELP = `
Each rule is for exactly one command or file, and is tried on all that the log holds first. Nothing is written:
  modes suggest --since 30d --patch | git apply && modes trust

Exit code: 0, or 1 when the configuration is broken, 64 wrong usage. docs/suggest.md says more.`;
const DOCTOR_HELP = `
The client runs against a model of its own on this machine, in a temporary home and project: no account, nothing of yours is written.
  modes doctor --client ~/.local/bin/claude

Exit code: 0, or 1 when there is a finding of severity error, 64 wrong usage. docs/doctor.md says more.`;

const PROGRAM_HELP = `
A project begins with modes init; modes check 'Write(src/a.ts)' then says what would be decided there, and why.

Exit code: 0 fine, 1 something was found wrong or the answer is no, 64 wrong usage or no project. docs/cli.md says more.`;
const CHECK_HELP = `
Nothing is run and nothing is logged:
  modes check 'Write(src/a.ts)'
  modes check --mode test-dev 'Bash(sed -i s/a/b/ src/a.ts)'
  modes check 'mcp__files__write({"path": "src/a.ts"})'

Exit code: 0 allow or pass, 2 deny, 3 ask, 1 the project cannot be read, 64 wrong usage or a call that cannot be read.`;
const COMPLETION_HELP = `
  bash  echo 'eval "$(modes completion bash)"' >> ~/.bashrc
  zsh   echo 'eval "$(modes completion zsh)"' >> ~/.zshrc    (below compinit)
  fish  modes completion fish > ~/.config/fish/completions/modes.fish

Exit code: 0, 64 wrong usage.`;

/** Minimum columns for a description that is wrapped beside its term. With fewer columns, its lines are not wrapped. */
const narrowest = 24;

const shared = (command: Command): Command =>
  command.option('--project <folder>', 'project folder (default: the working folder)').option('--json', 'print JSON');

/** Runs a verb and sets its exit code. */
const run = (verb: () => Promise<number>) => async (): Promise<void> => {
  process.exitCode = await verb();
};

/** The complete program. It throws `CommanderError` and does not exit. `quiet`: errors in the call are not printed. */
export function makeProgram({ quiet = false } = {}): Command {
  const program = new Command('modes')
    .description('Modal execution for Claude Code: every tool call is checked against the mode that the project is in.')
    .version(typeof __MODES_VERSION__ === 'string' ? __MODES_VERSION__ : '0.0.0')
    .helpCommand(false)
    .addHelpText('after', PROGRAM_HELP)
    .configureHelp({ minWidthToWrap: narrowest })
    .configureOutput({
      // Uses the same output function as all verbs, so that a closed pipe or a full disk ends help in the same way.
      writeOut: (text) => terminal.out(text.replace(/\n$/, '')),
      writeErr: (text) => quiet || terminal.err(text.replace(/\n$/, '')),
      outputError: (text, write) => write(text.replace(/^error: /, 'modes: ').replace(/\.?\n/, ' (E_USAGE)\n')),
    })
    .exitOverride();
  shared(program.command('init').description('start a project from a preset; without flags in a short dialogue'))
    .option('--preset <name>', 'write this preset, without asking: modes init --preset tdd-checked')
    .option('--list', 'compare the presets')
    .option('--no-statusline', 'leave the status line as it is')
    .option('--no-plugin', 'register the server and the hooks in this project, where the plugin is not installed')
    .option('--undo', 'take the last setup of the project back')
    .option('-y, --yes', 'ask nothing; without a preset it is tdd')
    .action((options) => run(async () => (await import('./init.ts')).init(options, terminal))());
  shared(program.command('validate').description('all errors of the configuration, each with file, line and remedy')).action(
    (options) => run(async () => (await import('./validate.ts')).validate(options, terminal))(),
  );
  shared(program.command('trust').description('approve exactly the present configuration'))
    .option('--expect <hash>', 'approve without asking if the content has this hash (for CI)')
    .option('--list', 'what was approved, the newest first')
    .option('--revoke [hash]', 'take one approval back (a hash or its first digits), or all')
    .action((options) => run(async () => (await import('./trust.ts')).trust(options, terminal))());
  shared(program.command('stop').description('emergency stop: only reading is open until a person names a mode')).action(
    (options) => run(async () => (await import('./stop.ts')).stop(options, terminal))(),
  );
  shared(program.command('check').description("dry run of a tool call, such as 'Bash(git push)'"))
    .argument('[call]', 'Tool(its main argument) or Tool({json})')
    .option('--mode <name>', 'in this mode instead of the present one')
    .option('--event <file>', 'a hook event as JSON; - is stdin')
    .addHelpText('after', CHECK_HELP)
    .action((call, options) => run(async () => (await import('./check.ts')).check(call, options, terminal))());
  shared(program.command('status').description('the mode, its ways out, its permissions')).action((options) =>
    run(async () => (await import('./status.ts')).status(options, terminal))(),
  );
  shared(
    program
      .command('doctor')
      .description(
        'what could go round the modes or speak for them, and a dry run in your client that proves that the hooks hold',
      ),
  )
    .option('--client <program>', 'the client to try (default: claude in PATH)')
    .option('--no-client', 'start no client')
    .addHelpText('after', DOCTOR_HELP)
    .action((options) => run(async () => (await import('./doctor.ts')).doctor(options, terminal))());
  shared(program.command('log').description('what was decided, newest last'))
    .option('--mode <name>', 'in this mode')
    .option('--tool <name>', 'of calls of this tool')
    .option('--decision <effect>', 'deny, ask, allow or pass')
    .option('--rule <rule>', 'by a rule as written, a policy or protection by name, or file:line of one')
    .option('--session <id>', 'in the session whose id begins so')
    .option('--since <time>', 'from then on: 10m, 7d, or a date and time (ISO 8601, UTC where it names no zone)')
    .option('--until <time>', 'before then')
    .option('--limit <number>', 'at most so many (default: 50)')
    .option('-f, --follow', 'go on with new ones until interrupted')
    .action((options) => run(async () => (await import('./log.ts')).log(options, terminal))());
  shared(program.command('replay').description('what a changed policy would have decided otherwise, of what the log holds'))
    .requiredOption('--policy <folder>', 'a .claude folder, or a project that holds one')
    .option('--since <time>', 'from then on: 10m, 7d, or a date and time (ISO 8601, UTC where it names no zone)')
    .option('--until <time>', 'before then')
    .option('--mode <name>', 'of decisions in this mode')
    .option('--tool <name>', 'of calls of this tool')
    .option('--session <id>', 'in the session whose id begins so')
    .option(
      '--fail-on <class...>',
      'exit 1 when a call changes so: any, widening, narrowing, allow-to-deny (any two of allow, pass, ask, deny), not-comparable',
    )
    .addHelpText('after', REPLAY_HELP)
    .action((options) => run(async () => (await import('./replay.ts')).replay(options, terminal))());
  shared(program.command('suggest').description('allow rules for calls that were asked about and approved each time'))
    .option('--min <number>', 'approvals that a rule needs (default: 3)')
    .option('--mode <name>', 'of asks in this mode')
    .option('--since <time>', 'from then on: 10m, 7d, or a date and time (ISO 8601, UTC where it names no zone)')
    .option('--patch', 'print the changes of the settings files as a patch')
    .addHelpText('after', SUGGEST_HELP)
    .action((options) => run(async () => (await import('./suggest.ts')).suggest(options, terminal))());
  shared(
    program.command('stats').description('what was done in each mode: time, decisions, denials, failed gates, forced changes'),
  )
    .option('--since <time>', 'from then on: 10m, 7d, or a date and time (ISO 8601, UTC where it names no zone)')
    .option('--session <id>', 'by the session whose id begins so')
    .action((options) => run(async () => (await import('./stats.ts')).stats(options, terminal))());
  shared(
    program
      .command('explain')
      .description('why a call was decided as it was: the last that was refused, one by its id, or a dry run'),
  )
    .argument('[what]', "the id that modes log shows, or a call such as 'Write(src/a.js)'")
    .option('--mode <name>', 'a call: in this mode instead of the present one')
    .action((what, options) => run(async () => (await import('./explain.ts')).explain(what, options, terminal))());
  shared(program.command('graph').description('the modes and the ways between them as a picture'))
    .option('--svg', 'as SVG')
    .option('--mermaid', 'in the language of Mermaid, for a README')
    .option('-o, --output <file>', 'into this file: .svg, .mmd, .json and .txt say what it is')
    .option('--theme <name>', 'of an SVG: light, dark, or auto by what the viewer prefers', 'light')
    .option('--down', 'an SVG from top to bottom')
    .option('--no-now', 'without the present mode and what holds of its gates')
    .action((options) => run(async () => (await import('./graph.ts')).graph(options, terminal))());
  shared(
    program
      .command('dashboard')
      .description('a page with the machine, decisions as they come, gates and rules; on this machine only'),
  )
    .option('--port <number>', 'this port (default: any that is free)')
    .option('--open', 'open it in the browser')
    .action((options) => run(async () => (await import('./dashboard.ts')).dashboard(options, terminal))());
  addPolicyVerbs(program, shared, run);
  addNeighbourVerbs(program, shared, run);
  addBundleVerbs(program, shared, run);
  program
    .command('bash')
    .description('what a Bash command would do in the working folder, part by part')
    .argument('[command]', 'as Bash would get it, in one word of your shell')
    .option(
      '--project <folder>',
      'count commands: of its modes.yaml, the milder ones once it is trusted (default: the project of the working folder)',
    )
    .option('--no-project', 'only what is built in')
    .option('--json', 'print JSON')
    .option('--jsonl', 'read {"command": …} lines from stdin, print an object a line')
    .action((command, options) => run(async () => (await import('./bash.ts')).bash(command, options, terminal))());
  program
    .command('mcp')
    .description('the server that the client starts (stdio)')
    .action(async () => {
      const [{ serve }, { ownRoot }] = await Promise.all([import('../mcp/server.ts'), import('../../app/own-package.ts')]);
      await serve(ownRoot());
    });
  program
    .command('hook')
    .description('decide one hook event from the files alone, as where no server answers: its JSON in, the answer out')
    .argument('<event>', 'PreToolUse, SessionStart or SubagentStart')
    .option('--project <folder>', 'where the client was started (default: what CLAUDE_PROJECT_DIR says, else the working folder)')
    .action((event, options) => run(async () => (await import('./one-shot.ts')).oneShot(event, options, terminal))());
  program
    .command('control')
    .description('answer the control requests of a client for a host in any language: a line in, a line out')
    .option('--project <folder>', 'where the client was started (default: the working folder)')
    .option('--session <id>', 'of this session (default: as events say, else CLAUDE_CODE_SESSION_ID)')
    .option('--hand-back', 'give back what is neither allowed nor denied as it came, instead of denying it')
    .action((options) => run(async () => (await import('./control.ts')).control(options, terminal))());
  program
    .command('completion')
    .description('a script that completes verbs, options and values in your shell')
    .argument('<shell>', 'bash, zsh or fish')
    .addHelpText('after', COMPLETION_HELP)
    .action((shell) => run(async () => (await import('./completion.ts')).completion(shell, terminal))());
  program
    .command('help')
    .description('how a verb is called: modes help policy test')
    .argument('[verb...]', 'none: which verbs there are')
    .action((verbs: string[]) => verbs.reduce(verbOf, program).outputHelp());
  program
    .command(hiddenVerb, { hidden: true })
    .argument('[words...]')
    .action((words) => run(async () => (await import('./completion.ts')).complete(words, program, terminal))());
  for (const command of allOf(program))
    command.showHelpAfterError(
      `(${typed(command)} --help shows ${command.commands.length > 0 ? 'the verbs' : 'how it is called'})`,
    );
  return program;
}

/** A command and all its subcommands. */
const allOf = (command: Command): Command[] => [command, ...command.commands.flatMap(allOf)];

/** The command as a person types it. */
const typed = (command: Command): string => (command.parent === null ? '' : `${typed(command.parent)} `) + command.name();

/** The subcommand with this name. Throws `UsageError` if there is none. */
function verbOf(above: Command, name: string): Command {
  const verbs = above.createHelp().visibleCommands(above);
  const found = verbs.find((verb) => verb.name() === name);
  if (found !== undefined) return found;
  const near = nearest(
    name,
    verbs.map((verb) => verb.name()),
  );
  const instead = near === null ? `${typed(above)} --help shows what there is` : `did you mean ${near}?`;
  throw new UsageError(`there is no verb ${JSON.stringify(name)}; ${instead}`);
}
