// modes completion: prints a script for a shell; and the hidden verb that the scripts ask.
import type { Command } from 'commander';
import { scripts, shells } from './completion-scripts.ts';
import { valuesOf } from './completion-values.ts';
import { type Fitting, fitting } from './completion-words.ts';
import { exits, type Terminal, UsageError } from './terminal.ts';

export async function completion(shell: string, terminal: Terminal): Promise<number> {
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (script === undefined) throw new UsageError(`there is no script for ${JSON.stringify(shell)}: ${shells.join(', ')}`);
  terminal.out(script.trimEnd());
  return exits.fine;
}

/** Answers a script: what kind of thing fits, then a word a line with what is said of it. Fails silently: a person is typing. */
export async function complete(typed: readonly string[], program: Command, terminal: Terminal): Promise<number> {
  try {
    terminal.out(describe(await fitting(program, typed, valuesOf)));
  } catch {
    // A folder that cannot be looked at, say: nothing is offered, and the verb itself says why.
    return exits.fine;
  }
  return exits.fine;
}

function describe(found: Fitting): string {
  if (found.kind !== 'words') return found.kind;
  return ['words', ...found.words.map(({ value, about }) => (about === '' ? value : `${value}\t${about}`))].join('\n');
}
