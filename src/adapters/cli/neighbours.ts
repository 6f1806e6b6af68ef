// The verbs that import from other systems, and export to them.
import type { Command } from 'commander';
import { terminal } from './terminal.ts';

const IMPORT_HELP = `
What cannot be said here becomes the careful answer, and is listed. What is there is kept beside, and modes init --undo takes it back.

Exit code: 0, or 1 when a part could not be read or the result would not hold, 64 wrong usage. docs/import.md says more.`;
const EXPORT_HELP = `
A group with a denied call that Roo has no words for is left out. What is lost is listed.

Exit code: 0, or 1 when the configuration is broken, 64 wrong usage. docs/import.md says more.`;

/** Adds `import` and `export`. */
export function addNeighbourVerbs(
  program: Command,
  shared: (command: Command) => Command,
  run: (verb: () => Promise<number>) => () => Promise<void>,
): void {
  const verb = (command: Command): Command => shared(command).option('--write', 'write it instead of showing it');
  const from = program.command('import').description('take modes and permissions over from another system');
  verb(from.command('roo').description("Roo Code's modes, with rules, .rooignore and what it protects"))
    .argument('[file]', 'another file than .roomodes, such as one that Roo exported')
    .addHelpText('after', IMPORT_HELP)
    .action((file, options) => run(async () => (await import('./import.ts')).importFromRoo(file, options, terminal))());
  verb(
    from
      .command('cc-sessions')
      .description('phrases, commands, tools and tasks of cc-sessions, into the modes of the preset daic'),
  )
    .addHelpText('after', IMPORT_HELP)
    .action((options) => run(async () => (await import('./import.ts')).importFromCcSessions(options, terminal))());
  verb(from.command('claude-settings').description("the permissions of the client's own settings, into a mode"))
    .option('--mode <name>', 'the mode that gets them (default: the only one, or work)')
    .addHelpText('after', IMPORT_HELP)
    .action((options) => run(async () => (await import('./import.ts')).importFromSettings(options, terminal))());
  const to = program.command('export').description('hand the modes of this project over to another system');
  verb(to.command('roo').description('.roomodes and rules folders for Roo Code'))
    .addHelpText('after', EXPORT_HELP)
    .action((options) => run(async () => (await import('./export.ts')).exportToRoo(options, terminal))());
}
