// What was understood of a command, as text for a person: part by part, with the place in the command.
import type { BashClass, BashFacts, BashTarget } from './types.ts';

export interface ExplainOptions {
  colour: boolean;
}

const tones: Record<BashClass, number> = { 'read-only': 32, writes: 33, runs: 35, unknown: 31 };
const extents: Record<BashTarget['extent'], string> = { one: '', deep: ' and everything below', glob: ' (a pattern)' };

/** The whole command's class, then a line for each simple command with its reasons, then what is written and read. */
export function explain(command: string, facts: BashFacts, { colour }: ExplainOptions): string {
  const paint = (code: number, text: string) => (colour ? `\x1b[${code}m${text}\x1b[0m` : text);
  const lines = [
    `${paint(tones[facts.class], facts.class)}${facts.network ? `, network${facts.hosts.length > 0 ? ` (${facts.hosts.join(', ')})` : ''}` : ''}`,
  ];
  for (const part of facts.commands) {
    lines.push(`  ${paint(1, part.text)}  ${paint(tones[part.class], part.class)}`);
    for (const why of part.why) lines.push(`    ${why.text}${place(command, why.pos, why.end)}`);
  }
  const told = new Set(facts.commands.flatMap((part) => part.why.map((why) => why.text)));
  for (const why of facts.why) if (!told.has(why.text)) lines.push(`  ${why.text}${place(command, why.pos, why.end)}`);
  for (const target of facts.writes) lines.push(`  writes ${target.path}${extents[target.extent]}  (${target.via})`);
  for (const target of facts.reads) lines.push(`  reads ${target.path}${extents[target.extent]}  (${target.via})`);
  return lines.join('\n');
}

/** `at 4: -i` for the part of the text that a reason is about. */
function place(command: string, pos: number, end: number): string {
  const text = command.slice(pos, end).replace(/\s+/g, ' ');
  return text === '' ? '' : `  [${pos}: ${text.length > 40 ? `${text.slice(0, 40)}…` : text}]`;
}
