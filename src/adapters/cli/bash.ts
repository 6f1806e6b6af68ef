// modes bash: explains what a command would do, part by part.
import os from 'node:os';
import { explain } from '../../app/explain-command.ts';
import { loadFinder } from '../../facts/loads.ts';
import type { BashFacts, BashTarget, DeclaredCommand } from '../../model/command.ts';
import { analyse } from '../../shell/analyse.ts';
import { resolveLoads } from '../../shell/loads.ts';
import { linesOf, maxLine } from './lines.ts';
import { toJson } from './outputs/json.ts';
import { exits, type Terminal, UsageError } from './terminal.ts';

export interface BashOptions {
  json?: boolean;
  jsonl?: boolean;
  /** Folder of the project that declares commands; false: ignore declarations. */
  project?: string | false;
}

const unread = 'not a JSON object with a string "command"';

type Analyse = (command: string) => BashFacts;

/**
 * Explains a command. With --jsonl, reads `{"command": …}` lines and prints one object per line; an invalid line does not stop
 * the rest.
 */
export async function bash(command: string | undefined, options: BashOptions, terminal: Terminal): Promise<number> {
  if (options.jsonl && command !== undefined) throw new UsageError('--jsonl reads lines from stdin and accepts no command');
  if (!options.jsonl && command === undefined)
    throw new UsageError("give a command such as 'sed -i s/a/b/ src/a.ts', or --jsonl");
  const analysed = analyser(await declaredCommands(options.project));
  if (command === undefined) return explainLines(analysed, terminal);
  const facts = analysed(command);
  terminal.out(options.json ? toJson<'bash'>(shape(command, facts), 2) : explain(command, facts, { colour: terminal.colour }));
  return exits.fine;
}

/** As for the agent, declarations that make a command's class less strict count only from a trusted configuration. */
async function declaredCommands(named: string | false | undefined): Promise<readonly DeclaredCommand[]> {
  if (named === false) return [];
  const { findProject } = await import('./open.ts');
  const project = await findProject(named);
  return project?.describe().configuration.commands ?? [];
}

function analyser(commands: readonly DeclaredCommand[]): Analyse {
  const context = { cwd: process.cwd(), home: os.homedir(), temp: process.env.TMPDIR, commands, looks: true };
  const find = loadFinder(context.home, process.env.PATH ?? '');
  return (command) => resolveLoads(analyse(command, context), find);
}

async function explainLines(analysed: Analyse, terminal: Terminal): Promise<number> {
  let line = 0;
  let wrong = 0;
  const ready: string[] = [];
  const flush = (): void => {
    if (ready.length > 0) terminal.out(ready.splice(0).join('\n'));
  };
  for await (const text of linesOf(process.stdin)) {
    line++;
    if (text?.trim() === '') continue;
    const command = text === null ? null : commandOf(text);
    if (command === null) wrong++;
    const message = text === null ? `longer than ${maxLine} characters` : unread;
    ready.push(toJson<'bash'>(command === null ? { error: { message }, line } : shape(command, analysed(command))));
    if (ready.length >= 500) flush();
  }
  flush();
  return wrong > 0 ? exits.wrong : exits.fine;
}

function commandOf(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return null;
    const { command } = value as { command?: unknown };
    return typeof command === 'string' ? command : null;
  } catch {
    // Not JSON: the caller reports the line number.
    return null;
  }
}

/** The object of a line: stable names, absolute paths. */
function shape(command: string, facts: BashFacts) {
  const targets = (list: readonly BashTarget[]) =>
    list.map((target) => ({
      path: target.path,
      extent: target.extent === 'within' ? 'one' : target.extent,
      via: target.via,
      command: target.command,
      ...('what' in target && target.what === 'names' && { listing: true }),
    }));
  return {
    command,
    class: facts.class,
    network: facts.network,
    hosts: facts.hosts,
    writes: targets(facts.writes),
    reads: targets(facts.reads),
    commands: facts.commands.map((one) => ({
      name: one.name,
      argv: one.argv,
      text: one.text,
      class: one.class,
      network: one.network,
      ...(one.tags && { tags: one.tags }),
      why: one.why,
      ...(one.loads && { loads: one.loads }),
    })),
    why: facts.why,
  };
}
