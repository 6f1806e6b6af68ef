// The machine in the Mermaid language, for a README.

import { wrap } from './layout.ts';
import type { Machine } from './machine.ts';

const columns = 34;
const maxLines = 4;

export function toMermaid({ states, ways }: Machine): string {
  const ids = new Map(states.map(({ name }, at) => [name, `m${at}`]));
  const lines = ['stateDiagram-v2'];
  for (const { name, title, initial } of states) {
    lines.push(`  state "${safe(title === null ? name : `${name}: ${title}`)}" as ${ids.get(name)}`);
    if (initial) lines.push(`  [*] --> ${ids.get(name)}`);
  }
  for (const { from, to, conditions, automatic } of ways) {
    const said = [...(automatic ? ['by itself'] : []), ...conditions.map(({ text }) => text)];
    const label = said
      .flatMap((text) => wrap(text, columns, maxLines))
      .map(safe)
      .join('<br/>');
    lines.push(`  ${ids.get(from)} --> ${ids.get(to)}${label === '' ? '' : `: ${label}`}`);
  }
  const present = states.find((state) => state.present);
  if (present !== undefined)
    lines.push('  classDef now stroke-width:3px,font-weight:bold', `  class ${ids.get(present.name)} now`);
  return `${lines.join('\n')}\n`;
}

/** Mermaid's only escapes are character numbers, so every character that may have a special meaning is written as a number. */
function safe(text: string): string {
  return text.replace(/[^\p{L}\p{N} .,/*_()+=?!'|@-]/gu, (character) => `#${character.codePointAt(0)};`);
}
