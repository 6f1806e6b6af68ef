// Other ways to write a command, which deny and ask are tried on as well.
import type { Arg } from './arg.ts';
import type { BashCommand } from './types.ts';

/** A command that counts as these words, too. */
export function spell(entry: BashCommand, name: string, rest: readonly Arg[]): void {
  for (const words of [rest.map((a) => a.text), rest.map((a) => a.literal ?? a.text)]) {
    const text = [name, ...words].join(' ');
    if (text !== entry.text && !entry.spellings.includes(text)) entry.spellings.push(text);
  }
  const open = rest.findIndex((a) => a.literal === null);
  if (open !== -1) entry.open = [...(entry.open ?? []), [name, ...rest.slice(0, open).map((a) => a.literal)].join(' ')];
}
