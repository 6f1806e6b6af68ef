// Other spellings of a command, which deny and ask rules are also compared with.

import type { BashCommand } from '../model/command.ts';
import type { Arg } from './arg.ts';

/** Adds these words as a spelling of the command. */
export function spell(entry: BashCommand, name: string, rest: readonly Arg[]): void {
  for (const words of [rest.map((a) => a.text), rest.map((a) => a.literal ?? a.text)]) {
    const text = [name, ...words].join(' ');
    if (text !== entry.text && !entry.spellings.includes(text)) entry.spellings.push(text);
  }
  const open = rest.findIndex((a) => a.literal === null);
  if (open !== -1) entry.open = [...(entry.open ?? []), [name, ...rest.slice(0, open).map((a) => a.literal)].join(' ')];
}

/**
 * A text without quotes and backslashes, and with one space for each run of blanks. Deny and ask rules are also compared with
 * this text.
 */
export function withoutQuotes(text: string): string {
  return text.replace(/['"\\]/g, '').replace(/[ \t]+/g, ' ');
}
