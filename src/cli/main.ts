// The command line: one file a verb. Exit 0 fine, 1 found something wrong, 64 usage; check: 0 allow or pass, 2 deny, 3 ask.
import { Command, CommanderError } from 'commander';
import { addPolicyVerbs } from './policy.ts';
import { exits, terminal, UsageError } from './terminal.ts';

declare const __MODES_VERSION__: string;

const program = new Command('modes')
  .description('Modal execution for Claude Code: every tool call is checked against the mode that the project is in.')
  .version(typeof __MODES_VERSION__ === 'string' ? __MODES_VERSION__ : '0.0.0')
  .showHelpAfterError('(modes --help shows the verbs)')
  .exitOverride();

/** Runs a verb and leaves its exit code. */
const run = (verb: () => Promise<number>) => async (): Promise<void> => {
  process.exitCode = await verb();
};
const shared = (command: Command): Command =>
  command.option('--project <folder>', 'project folder (default: the working folder)').option('--json', 'print JSON');

shared(program.command('init').description('start a project from a preset'))
  .option('--preset <name>', 'which preset', 'tdd')
  .option('--list', 'list the presets')
  .option('--no-statusline', 'leave the status line as it is')
  .option('--undo', 'take the last setup of the project back')
  .option('-y, --yes', 'write without asking')
  .action((options) => run(async () => (await import('./init.ts')).init(options, terminal))());
shared(program.command('validate').description('all errors of the configuration, each with file, line and remedy')).action(
  (options) => run(async () => (await import('./validate.ts')).validate(options, terminal))(),
);
shared(program.command('trust').description('approve exactly the present configuration'))
  .option('--expect <hash>', 'approve without asking if the content has this hash (for CI)')
  .action((options) => run(async () => (await import('./trust.ts')).trust(options, terminal))());
shared(program.command('stop').description('emergency stop: only reading is open until a person names a mode')).action(
  (options) => run(async () => (await import('./stop.ts')).stop(options, terminal))(),
);
shared(program.command('check').description("dry run of a tool call, such as 'Bash(git push)'"))
  .argument('[call]', 'Tool(its main argument) or Tool({json})')
  .option('--mode <name>', 'in this mode instead of the present one')
  .option('--event <file>', 'a hook event as JSON; - is stdin')
  .action((call, options) => run(async () => (await import('./check.ts')).check(call, options, terminal))());
shared(program.command('status').description('the mode, its ways out, its permissions')).action((options) =>
  run(async () => (await import('./status.ts')).status(options, terminal))(),
);
shared(
  program.command('doctor').description('what could go round the modes or speak for them: hooks, servers, tasks, links'),
).action((options) => run(async () => (await import('./doctor.ts')).doctor(options, terminal))());
shared(program.command('log').description('what was decided, newest last'))
  .option('--mode <name>', 'in this mode')
  .option('--tool <name>', 'of calls of this tool')
  .option('--decision <effect>', 'deny, ask, allow or pass')
  .option('--rule <rule>', 'by a rule as written, a policy or protection by name, or file:line of one')
  .option('--session <id>', 'in the session whose id begins so')
  .option('--since <time>', 'from then on: 10m, 7d, or a date and time (ISO 8601)')
  .option('--until <time>', 'before then')
  .option('--limit <number>', 'at most so many (default: 50)')
  .option('-f, --follow', 'go on with new ones until interrupted')
  .action((options) => run(async () => (await import('./log.ts')).log(options, terminal))());
shared(program.command('stats').description('what was done in each mode: time, decisions, denials, failed gates, forced changes'))
  .option('--since <time>', 'from then on: 10m, 7d, or a date and time (ISO 8601)')
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
addPolicyVerbs(program, shared, run);
program
  .command('bash')
  .description('what a Bash command would do in the working folder, part by part')
  .argument('[command]')
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
    const [{ serve }, { ownRoot }] = await Promise.all([import('../mcp/server.ts'), import('./open.ts')]);
    await serve(ownRoot());
  });

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? exits.fine : exits.usage;
  else if (error instanceof UsageError) {
    terminal.err(`modes: ${error.message}`);
    process.exitCode = exits.usage;
  } else {
    terminal.err(`modes: ${(error as Error).message}`);
    process.exitCode = exits.wrong;
  }
}
