// The verbs that import from other systems, and export to them.
import type { Command } from 'commander';
import { terminal } from './terminal.ts';

const IMPORT_HELP = `
Anything that Modes cannot express is denied or needs approval, and is listed. Copies of changed files are kept, and modes init --undo restores them.

Without --write, nothing is written, and the last line says so.

Exit code: 0 if the changes were shown, or written with --write; 1 if a part could not be read or the result has errors; 64 wrong usage. See docs/import.md.`;
const EXPORT_HELP = `
A group is left out if Roo cannot express one of its denied calls. Every loss is listed.

Exit code: 0, or 1 if the configuration is broken, 64 wrong usage. See docs/import.md.`;

/** Adds `import` and `export`. */
export function addNeighbourVerbs(
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
    .action((options) => run(async () => (await import('./export.ts')).exportToRoo(options, terminal))());
}
