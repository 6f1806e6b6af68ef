// The machine for a terminal: every mode with its ways out.
import type { Condition, Machine } from './machine.ts';

const colours = { now: '\u001b[1;36m', met: '\u001b[32m', unmet: '\u001b[31m', soft: '\u001b[2m', end: '\u001b[0m' } as const;

export function toText({ states, ways }: Machine, colour: boolean): string {
  const paint = (name: Exclude<keyof typeof colours, 'end'>, text: string) =>
    colour ? `${colours[name]}${text}${colours.end}` : text;
  const lines: string[] = [];
  for (const { name, title, present, initial, rules, otherwise } of states) {
    const kinds = [
      ...(['allow', 'ask', 'deny'] as const).filter((effect) => rules[effect] > 0).map((effect) => `${effect} ${rules[effect]}`),
      ...(otherwise === null ? [] : [`else ${otherwise}`]),
    ];
    const notes = [...(present ? ['now'] : []), ...(initial ? ['default'] : []), ...(kinds.length === 0 ? ['no rules'] : kinds)];
    const head = `${present ? '●' : '○'} ${name}${title === null ? '' : ` — ${title}`}`;
    lines.push(`${present ? paint('now', head) : head}  ${paint('soft', `(${notes.join(', ')})`)}`);
    const out = ways.filter(({ from }) => from === name);
    out.forEach(({ to, conditions, automatic }, at) => {
      const isLast = at === out.length - 1;
      lines.push(`  ${isLast ? '└' : '├'}─► ${to}${automatic ? ' by itself' : ''}`);
      for (const condition of conditions) lines.push(`  ${isLast ? ' ' : '│'}     ${conditionOf(condition, paint)}`);
    });
  }
  return lines.join('\n');
}

function conditionOf({ text, kind, holds }: Condition, paint: (name: 'met' | 'unmet', text: string) => string): string {
  if (kind === 'prose') return `“${text}”`;
  if (holds === null) return `· ${text}`;
  return holds ? `${paint('met', '✓')} ${text}` : `${paint('unmet', '✗')} ${text}`;
}
