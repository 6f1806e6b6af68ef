// The program: all verbs with their options. Each verb is in a separate file that is loaded when it is called. Help, completion,
// schemas and docs/cli.md are generated from it.

import { Command, CommanderError, Option } from 'commander';
import { nearest } from '../../platform/nearest-name.ts';
import { UnreadableLog } from '../../store/log/files.ts';
import { LaterVersion } from '../../store/record.ts';
import { addBundleVerbs } from './bundle.ts';
import { hiddenVerb } from './completion-scripts.ts';
import { addPolicyVerbs } from './policy.ts';
import { refuse } from './refuse.ts';
import { exits, terminal, UsageError } from './terminal.ts';

declare const __MODES_VERSION__: string;

const REPLAY_HELP = `
  git worktree add ../next my-policy && modes replay --policy ../next --since 7d --fail-on widening

Exit code: 0, or 1 if a call changed in a way that --fail-on names or the policy is broken, 64 wrong usage. See docs/replay.md.`;
const SUGGEST_HELP = `
Each rule is for exactly one command or file, and is first tried on the whole log. Nothing is written:
  modes suggest --since 30d --patch | git apply && modes trust
  modes suggest --project    (what modes init finds here, and would write)

Exit code: 0, or 1 if the configuration is broken, 64 wrong usage. See docs/suggest.md.`;
const DOCTOR_HELP = `
The client runs against a local model in a temporary home and project. It needs no account and changes none of your files.
  modes doctor --client ~/.local/bin/claude

Exit code: 0, or 1 if there is a finding of severity error, 64 wrong usage. See docs/doctor.md.`;

const PROGRAM_HELP = `
Start a project with modes init. Then modes check 'Write(src/a.ts)' shows the decision on such a call, and why.

Exit code: 0 success, 1 a problem was found or the request was refused, 64 wrong usage or no project. See docs/cli.md.`;
const CHECK_HELP = `
Nothing is run or logged:
  modes check 'Write(src/a.ts)'
  modes check --mode test-dev 'Bash(sed -i s/a/b/ src/a.ts)'
  modes check 'mcp__files__write({"path": "src/a.ts"})'

Exit code: 0 allow or pass, 2 deny, 3 ask, 1 the project cannot be read, 64 wrong usage or a call that cannot be read.`;
const SERVERS_HELP = `
A tool of an MCP server may do anything, so modes ask about it. servers: in modes.yaml names the tools that only read:
  modes servers tickets    (starts the server as the client does, and prints the lines for modes.yaml)

Exit code: 0, 1 the server gave no list or nothing was started, 64 wrong usage or no project. See docs/modes.md.`;
const COMPLETION_HELP = `
  bash  echo 'eval "$(modes completion bash)"' >> ~/.bashrc
  zsh   echo 'eval "$(modes completion zsh)"' >> ~/.zshrc    (after compinit)
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
  shared(program.command('init').description('start a project from a preset; without flags, in a short dialog'))
    .option('--preset <name>', 'write this preset, without asking: modes init --preset tdd-checked')
    .option('--list', 'compare the presets')
    .option('--advise', 'let every call run at first, and show what the modes would stop in notes and in modes stats')
    .option('--no-statusline', 'keep the current status line')
    .option('--no-plugin', 'register the server and the hooks in this project, without the plugin')
    .option(
      '--harness <name>',
      'register the hooks with codex, gemini, cursor, opencode, copilot or generic in a project with modes',
    )
    .option('--undo', 'undo the last setup of the project; with --harness, the setup of that harness')
    .option('-y, --yes', 'do not ask; the default preset is tdd')
    .action((options) => run(async () => (await import('./init.ts')).init(options, terminal))());
  shared(program.command('validate').description('show all errors of the configuration, each with file, line and remedy'))
    .option('--verbose', 'also show hashes, layers and the sizes of contexts')
    .action((options) => run(async () => (await import('./validate.ts')).validate(options, terminal))());
  shared(program.command('trust').description('approve exactly the current configuration'))
    .option('--expect <hash>', 'approve without asking if the content has this hash (for CI)')
    .option('--list', 'list the approvals, newest first')
    .option('--revoke [hash]', 'revoke one approval (a hash or its first digits), or all')
    .action((options) => run(async () => (await import('./trust.ts')).trust(options, terminal))());
  shared(program.command('stop').description('emergency stop: only reading is allowed until a person sets a mode')).action(
    (options) => run(async () => (await import('./mode.ts')).stop(options, terminal))(),
  );
  shared(program.command('mode').description('change the mode, as a person in a terminal'))
    .argument('<name>', 'the mode, or reset for the default mode')
    .option('--session <id>', 'the session, if each session has its own mode')
    .action((name, options) => run(async () => (await import('./mode.ts')).mode(name, options, terminal))());
  shared(
    program
      .command('grant')
      .description('allow one call of another coding agent that the modes asked about, as a person in a terminal'),
  )
    .argument('[id]', 'id of the ask that modes log shows (default: the newest ask)')
    .option('--list', 'list the active grants of every session')
    .option('--revoke [grant]', 'take back one grant, or all')
    .action((id, options) => run(async () => (await import('./grant.ts')).grant(id, options, terminal))());
  for (const [name, what] of [
    ['accept', 'accept the files that a program changed although the mode guards them, as a person in a terminal'],
    [
      'restore',
      'put back the earlier content of files that a program changed although the mode guards them, as a person in a terminal',
    ],
  ] as const)
    shared(program.command(name).description(what))
      .option('--session <id>', 'the session, if each session has its own mode')
      .action((options) => run(async () => (await import('./changed-files.ts')).review(name, options, terminal))());
  shared(program.command('check').description("show the decision on a tool call, such as 'Bash(git push)', without running it"))
    .argument('[call]', 'Tool(its main argument) or Tool({json})')
    .option('--mode <name>', 'decide in this mode instead of the current one')
    .option('--event <file>', 'a hook event as JSON; - is stdin')
    .option('--verbose', 'also show the time it took, and what each rule matched')
    .addHelpText('after', CHECK_HELP)
    .action((call, options) => run(async () => (await import('./check.ts')).check(call, options, terminal))());
  shared(program.command('status').description('show the mode, its transitions and permissions')).action((options) =>
    run(async () => (await import('./status.ts')).status(options, terminal))(),
  );
  shared(
    program
      .command('doctor')
      .description('find ways around the modes, and prove with a dry run in your client that the hooks work'),
  )
    .option('--client <program>', 'the client to try (default: claude in PATH)')
    .option('--no-client', 'start no client')
    .option('--harness <name>', 'test the hooks of this coding agent instead of the client')
    .addHelpText('after', DOCTOR_HELP)
    .action((options) => run(async () => (await import('./doctor.ts')).doctor(options, terminal))());
  shared(program.command('log').description('list the decisions, newest last'))
    .option('--mode <name>', 'only decisions in this mode')
    .option('--tool <name>', 'only calls of this tool')
    .option('--decision <effect>', 'only decisions with this effect: deny, ask, allow or pass')
    .option('--rule <rule>', 'only decisions by this rule (its text), policy or protection (its name), or file:line')
    .option('--session <id>', 'only the session whose id starts with this')
    .option('--since <time>', 'only since this time: 10m or 7d ago, or a date and time (ISO 8601, UTC without a zone)')
    .option('--until <time>', 'only before this time')
    .option('--limit <number>', 'maximum number of decisions (default: 50)')
    .option('-f, --follow', 'also show new decisions, until interrupted')
    .action((options) => run(async () => (await import('./log.ts')).log(options, terminal))());
  shared(program.command('replay').description('list the logged calls that a changed policy would decide differently'))
    .requiredOption('--policy <folder>', 'a .claude folder, or a project that contains one')
    .option('--since <time>', 'only since this time: 10m or 7d ago, or a date and time (ISO 8601, UTC without a zone)')
    .option('--until <time>', 'only before this time')
    .option('--mode <name>', 'only decisions in this mode')
    .option('--tool <name>', 'only calls of this tool')
    .option('--session <id>', 'only the session whose id starts with this')
    .option(
      '--fail-on <class...>',
      'exit 1 if a call changes like this: any, widening, narrowing, allow-to-deny (any two of allow, pass, ask, deny), not-comparable',
    )
    .addHelpText('after', REPLAY_HELP)
    .action((options) => run(async () => (await import('./replay.ts')).replay(options, terminal))());
  program
    .command('suggest')
    .description('suggest allow rules for calls that were asked about and always approved, or settings for a project')
    .option('--project [folder]', 'project folder; without a folder, show what modes init finds here and would write')
    .option('--json', 'print JSON')
    .option('--preset <name>', 'with --project: the files of this preset')
    .option('--min <number>', 'minimum number of approvals for a rule (default: 3)')
    .option('--mode <name>', 'only asks in this mode')
    .option('--since <time>', 'only since this time: 10m or 7d ago, or a date and time (ISO 8601, UTC without a zone)')
    .option('--patch', 'print the changes of the settings files as a patch')
    .addHelpText('after', SUGGEST_HELP)
    .action((options) => run(async () => (await import('./suggest.ts')).suggest(options, terminal))());
  shared(program.command('stats').description('show statistics by mode: time, decisions, denials, failed gates, forced changes'))
    .option('--since <time>', 'only since this time: 10m or 7d ago, or a date and time (ISO 8601, UTC without a zone)')
    .option('--session <id>', 'only the session whose id starts with this')
    .action((options) => run(async () => (await import('./stats.ts')).stats(options, terminal))());
  shared(program.command('explain').description('explain a decision: the last refusal, one by its id, or a dry run'))
    .argument('[what]', "the id that modes log shows, or a call such as 'Write(src/a.js)'")
    .option('--mode <name>', 'for a call: decide in this mode instead of the current one')
    .action((what, options) => run(async () => (await import('./explain.ts')).explain(what, options, terminal))());
  shared(program.command('gates').description('show what each gate out of the current mode waits for')).action((options) =>
    run(async () => (await import('./status.ts')).gates(options, terminal))(),
  );
  shared(
    program
      .command('servers')
      .description('list the MCP servers of the project, or connect to one and show which of its tools only read'),
  )
    .argument('[name]', 'the server to connect to')
    .option('-y, --yes', 'connect without asking')
    .addHelpText('after', SERVERS_HELP)
    .action((name, options) => run(async () => (await import('./servers.ts')).servers(name, options, terminal))());
  shared(program.command('graph').description('draw the modes and transitions as a picture'))
    .option('--svg', 'as SVG')
    .option('--mermaid', 'as Mermaid, for a README')
    .option('-o, --output <file>', 'write to this file; .svg, .mmd, .json or .txt sets the format')
    .option('--theme <name>', "theme of an SVG: light, dark, or auto for the viewer's preference", 'light')
    .option('--down', 'draw an SVG from top to bottom')
    .option('--no-now', 'leave out the current mode and the state of its gates')
    .action((options) => run(async () => (await import('./graph.ts')).graph(options, terminal))());
  shared(program.command('dashboard').description('serve a local page with the modes, live decisions, gates and rules'))
    .option('--port <number>', 'use this port (default: any free port)')
    .option('--open', 'open the page in the browser')
    .action((options) => run(async () => (await import('./dashboard.ts')).dashboard(options, terminal))());
  addPolicyVerbs(program, shared, run);
  addNeighbourVerbs(program, shared, run);
  addBundleVerbs(program, shared, run);
  program
    .command('bash')
    .description('analyze a Bash command in the working folder, part by part')
    .argument('[command]', 'the command, quoted as one word')
    .option(
      '--project <folder>',
      'use commands: in the modes.yaml of this project; entries that weaken count only if it is trusted (default: the project of the working folder)',
    )
    .option('--no-project', 'use only built-in commands')
    .option('--json', 'print JSON')
    .option('--jsonl', 'read {"command": …} lines from stdin, and print one object per line')
    .action((command, options) => run(async () => (await import('./bash.ts')).bash(command, options, terminal))());
  program
    .command('mcp')
    .description('run the server that the client starts (stdio)')
    .action(async () => {
      const [{ serve }, { findPackageRoot: ownRoot }] = await Promise.all([
        import('../mcp/server.ts'),
        import('../../app/own-package.ts'),
      ]);
      await serve(ownRoot());
    });
  program
    .command('hook')
    .description('decide one hook event without a server, from the files alone: JSON in, decision out')
    .argument('<event>', 'PreToolUse, SessionStart, SubagentStart or UserPromptSubmit; with --harness, an event of that harness')
    .option('--harness <name>', 'read the events and print the answers of codex, gemini, cursor, opencode, copilot or generic')
    .option('--project <folder>', 'the start folder of the client (default: CLAUDE_PROJECT_DIR, else the working folder)')
    .addOption(new Option('--launcher').hideHelp())
    .action((event, options) => run(async () => (await import('./one-shot.ts')).oneShot(event, options, terminal))());
  program
    .command('control')
    .description('answer the control requests of a client for any host: one line in, one line out')
    .option('--project <folder>', 'the start folder of the client (default: the working folder)')
    .option('--session <id>', 'the session (default: from the events, else CLAUDE_CODE_SESSION_ID)')
    .option('--hand-back', 'return a request unchanged if it is neither allowed nor denied, instead of denying it')
    .action((options) => run(async () => (await import('./control.ts')).control(options, terminal))());
  program
    .command('completion')
    .description('print a script that completes verbs, options and values in your shell')
    .argument('<shell>', 'bash, zsh or fish')
    .addHelpText('after', COMPLETION_HELP)
    .action((shell) => run(async () => (await import('./completion.ts')).completion(shell, terminal))());
  program
    .command('help')
    .description('show the usage of a verb: modes help policy test')
    .argument('[verb...]', 'the verb; without one, list the verbs')
    .action((verbs: string[]) => verbs.reduce(verbOf, program).outputHelp());
  program
    .command(hiddenVerb, { hidden: true })
    .argument('[words...]')
    .action((words) => run(async () => (await import('./completion.ts')).complete(words, program, terminal))());
  for (const command of allOf(program))
    command.showHelpAfterError(`(${typed(command)} --help shows ${command.commands.length > 0 ? 'the verbs' : 'its usage'})`);
  return program;
}

/** A command and all its subcommands. */
const allOf = (command: Command): Command[] => [command, ...command.commands.flatMap(allOf)];

/** The command as a person types it. */
const typed = (command: Command): string => (command.parent === null ? '' : `${typed(command.parent)} `) + command.name();

/** The subcommand with this name. Throws `UsageError` if there is none. */
function verbOf(above: Command, name: string): Command {
  const verbs = above.createHelp().visibleCommands(above);
  const command = verbs.find((verb) => verb.name() === name);
  if (command !== undefined) return command;
  const near = nearest(
    name,
    verbs.map((verb) => verb.name()),
  );
  const instead = near === null ? `${typed(above)} --help lists the verbs` : `did you mean ${near}?`;
  throw new UsageError(`there is no verb ${JSON.stringify(name)}; ${instead}`);
}

const IMPORT_HELP = `
Anything that Modes cannot express is denied or needs approval, and is listed. Copies of changed files are kept, and modes init --undo restores them.

Without --write, nothing is written, and the last line says so.

Exit code: 0 if the changes were shown, or written with --write; 1 if a part could not be read or the result has errors; 64 wrong usage. See docs/import.md.`;
const EXPORT_HELP = `
A group is left out if Roo cannot express one of its denied calls. Every loss is listed.

Exit code: 0, or 1 if the configuration is broken, 64 wrong usage. See docs/import.md.`;

/** Adds `import` and `export`. */
function addNeighbourVerbs(
  program: Command,
  shared: (command: Command) => Command,
  run: (verb: () => Promise<number>) => () => Promise<void>,
): void {
  const verb = (command: Command): Command => shared(command).option('--write', 'write the changes instead of showing them');
  const from = program.command('import').description('import modes and permissions from another system');
  verb(from.command('roo').description("import Roo Code's modes, with rules, .rooignore and protected files"))
    .argument('[file]', 'a file other than .roomodes, such as one that Roo exported')
    .addHelpText('after', IMPORT_HELP)
    .action((file, options) => run(async () => (await import('./import.ts')).importFromRoo(file, options, terminal))());
  verb(
    from
      .command('cc-sessions')
      .description('import phrases, commands, tools and tasks of cc-sessions into the modes of the preset daic'),
  )
    .addHelpText('after', IMPORT_HELP)
    .action((options) => run(async () => (await import('./import.ts')).importFromCcSessions(options, terminal))());
  verb(from.command('claude-settings').description("import the permissions of the client's own settings into a mode"))
    .option(
      '--mode <name>',
      'import all of them into this mode (default: only allow lines, into the modes that ask about their calls)',
    )
    .option('--wide', 'also allow lines that permit more than one kind of call')
    .addHelpText('after', IMPORT_HELP)
    .action((options) => run(async () => (await import('./import.ts')).importFromSettings(options, terminal))());
  const to = program.command('export').description('export the modes of this project to another system');
  verb(to.command('roo').description('write .roomodes and rules folders for Roo Code'))
    .addHelpText('after', EXPORT_HELP)
    .action((options) => run(async () => (await import('./import.ts')).exportToRoo(options, terminal))());
}

/**
 * Runs the command line, prints errors, and sets `process.exitCode`: 0 fine, 1 found a problem, 64 usage; check: 0 allow or pass,
 * 2 deny, 3 ask.
 */
export async function runProgram(words: readonly string[]): Promise<void> {
  const json = words.slice(0, words.includes('--') ? words.indexOf('--') : words.length).some((word) => /^--jsonl?$/.test(word));
  try {
    await makeProgram({ quiet: json }).parseAsync(words, { from: 'user' });
  } catch (error) {
    process.exitCode = fail(error as Error, json);
  }
}

/** Errors of a disk that is full, read-only, failing, or that we may not write to. */
const disk = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EACCES', 'EPERM', 'ELOOP', 'EMFILE', 'ENFILE']);

const isOfDisk = (error: NodeJS.ErrnoException): boolean => error.syscall !== undefined && disk.has(error.code ?? '');

function fail(error: Error, json: boolean): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exits.fine;
    // For a group without a verb commander prints the help and no message.
    const usageText = error.code === 'commander.help' ? 'no verb was given' : error.message;
    const [message = '', remedy] = usageText.replace(/^error: /, '').split('\n');
    if (json) refuse({ code: 'E_USAGE', message, remedy: remedy?.replace(/^\((.*)\)$/, '$1') }, { json }, terminal);
    return exits.usage;
  }
  if (error instanceof UsageError) {
    if (json) refuse({ code: error.code, message: error.message }, { json }, terminal);
    else terminal.err(`modes: ${error.message} (${error.code})`);
    return exits.usage;
  }
  if (error instanceof LaterVersion) {
    const { code, short: message, remedy } = error;
    return refuse({ code, message: json ? message : `modes: ${message}`, remedy }, { json }, terminal);
  }
  const code = error instanceof UnreadableLog ? 'E_LOG_DAMAGED' : isOfDisk(error) ? 'E_DISK' : 'E_UNFORESEEN';
  const text = json ? error.message : `modes: ${error.message.replace(/\.$/, '')}.`;
  return refuse({ code, message: text }, { json }, terminal);
}
