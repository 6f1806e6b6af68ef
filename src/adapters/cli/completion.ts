// modes completion: prints a completion script for a shell. Also the hidden verb that the scripts call.
import type { Command } from 'commander';
import { scripts, shells } from './completion-scripts.ts';
import { valuesOf } from './completion-values.ts';
import { type Fitting, fitting } from './completion-words.ts';
import { exits, type Terminal, UsageError } from './terminal.ts';

export async function completion(shell: string, terminal: Terminal): Promise<number> {
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (script === undefined)
    throw new UsageError(`there is no script for ${JSON.stringify(shell)}; use one of ${shells.join(', ')}`);
  terminal.out(script.trimEnd());
  return exits.fine;
}

/**
 * Answers a script: the kind of completion, then one word per line with its description. Fails
 * silently, because a person is typing.
 */
export async function complete(typed: readonly string[], program: Command, terminal: Terminal): Promise<number> {
  try {
    terminal.out(describe(await fitting(program, typed, valuesOf)));
  } catch {
    // For example, a folder cannot be read: offer nothing. The verb itself reports the error.
    return exits.fine;
  }
  return exits.fine;
}

function describe(found: Fitting): string {
  if (found.kind !== 'words') return found.kind;
  return ['words', ...found.words.map(({ value, about }) => (about === '' ? value : `${value}\t${about}`))].join('\n');
}
