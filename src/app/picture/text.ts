// The machine in words: for a terminal, every mode with its transitions; for a README, the Mermaid language.
import { measureWidth, showUnseen } from '../../config/text.ts';
import { wrap } from './layout.ts';
import type { Condition, Machine } from './machine.ts';

const colours = { now: '\u001b[1;36m', met: '\u001b[32m', unmet: '\u001b[31m', soft: '\u001b[2m', end: '\u001b[0m' } as const;

/** `columns`: width of the terminal; if unknown, lines are not wrapped. */
export function toText({ states, ways: transitions }: Machine, colour: boolean, columns = Number.POSITIVE_INFINITY): string {
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
    const rest = `(${notes.join(', ')})`;
    const isLong = measureWidth(head) + 2 + measureWidth(rest) > columns;
    const below = isLong ? wrapped(rest, columns - 2).map((line) => `\n  ${paint('soft', line)}`) : [`  ${paint('soft', rest)}`];
    lines.push(`${present ? paint('now', head) : head}${below.join('')}`);
    const out = transitions.filter(({ from }) => from === name);
    out.forEach(({ to, conditions, automatic }, at) => {
      const isLast = at === out.length - 1;
      lines.push(`  ${isLast ? '└' : '├'}─► ${to}${automatic ? ' by itself' : ''}`);
      const margin = `  ${isLast ? ' ' : '│'}     `;
      for (const condition of conditions) {
        const [first, ...more] = wrapped(describeCondition(condition), columns - margin.length - 2);
        lines.push(`${margin}${signed(condition, first ?? '', paint)}`, ...more.map((line) => `${margin}  ${line}`));
      }
    });
  }
  return lines.join('\n');
}

/** A minimum of 20 columns, so that each line has text on a narrow terminal. */
const wrapped = (text: string, columns: number): string[] => wrap(text, Math.max(20, columns), Number.POSITIVE_INFINITY);

function describeCondition({ text, kind }: Condition): string {
  return kind === 'prose' ? `“${text}”` : text;
}

function signed({ kind, holds }: Condition, line: string, paint: (name: 'met' | 'unmet', text: string) => string): string {
  if (kind === 'prose') return line;
  if (holds === null) return `· ${line}`;
  return `${holds ? paint('met', '✓') : paint('unmet', '✗')} ${line}`;
}

const columns = 34;
const maxLines = 4;

export function toMermaid({ states, ways: transitions }: Machine): string {
  const ids = new Map(states.map(({ name }, at) => [name, `m${at}`]));
  const lines = ['stateDiagram-v2'];
  for (const { name, title, initial } of states) {
    lines.push(`  state "${safe(title === null ? name : `${name}: ${title}`)}" as ${ids.get(name)}`);
    if (initial) lines.push(`  [*] --> ${ids.get(name)}`);
  }
  for (const { from, to, conditions, automatic } of transitions) {
    const labelTexts = [...(automatic ? ['by itself'] : []), ...conditions.map(({ text }) => text)];
    const label = labelTexts
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
  return showUnseen(text).replace(/[^\p{L}\p{N} .,/*_()+=?!'|@-]/gu, (character) => `#${character.codePointAt(0)};`);
}
