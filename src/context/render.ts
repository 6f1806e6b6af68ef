// What the model is told of the mode: the section names of the source document, facts rather than commands.
import { describeRequirement } from '../config/requirements.ts';
import type { Mode, ModeSettings, Topology, Transition } from '../config/types.ts';

/** Longest context, characters; the client replaces anything over 10,000 by a preview. */
export const maxContext = 8_000;

export interface Situation {
  topology: Topology;
  mode: Mode;
  settings: ModeSettings | null;
  instructions: string | null;
  /** Where the instructions stand, for Read when they are cut. */
  instructionsFile: string;
  trusted: boolean;
  /** Things a person should know: problems, a view that was rewritten. */
  notices: string[];
  subagent: boolean;
}

/** Longest parts besides the instructions, characters; together they leave the instructions a quarter. */
const maxHead = 600;
const maxPart = 2_400;

/** The whole context of a mode. */
export function renderContext(situation: Situation): string {
  const { mode, settings, topology } = situation;
  const title = `MODE: ${mode.name}${mode.title ? ` (${mode.title})` : ''}${mode.description ? `\n${mode.description}` : ''}`;
  const head = cut(title, maxHead, '…');
  const rest = [
    cut(permissions(settings, situation.trusted), maxPart, '\n(More rules hold than fit here; the status tool shows all.)'),
    situation.subagent ? 'Subagents work in this mode and do not change it.' : transitions(mode, topology),
    guidance(situation.subagent),
    ...situation.notices.map((notice) => `NOTICE: ${notice}`),
  ];
  const fixed = [head, ...rest].join('\n\n').length + 'INSTRUCTIONS:\n'.length + 4;
  const instructions = cut(
    situation.instructions ?? '',
    maxContext - fixed,
    `\n\n(The rest of the instructions is in ${situation.instructionsFile}; Read shows it.)`,
  );
  const whole = [head, ...(instructions === '' ? [] : [`INSTRUCTIONS:\n${instructions}`]), ...rest].join('\n\n');
  return cut(whole, maxContext, '\n(Cut here; the status tool shows all.)');
}

/** One line for prompts after the first: mode, ways out and what of their gates is not met. */
export function renderLine({ mode, topology, notices }: Situation): string {
  const ways = targets(mode, topology).map((way) => (way.approve === 'human' ? `${way.to} (a person approves it)` : way.to));
  const line = `MODE: ${mode.name}. Ways out: ${ways.length === 0 ? 'none' : ways.join(', ')}.`;
  return cut(
    [line, ...notices.map((notice) => `NOTICE: ${notice}`)].join('\n'),
    maxContext,
    '\n(Cut here; the status tool shows all.)',
  );
}

/** A way out of a mode, to one other mode. */
export type Way = Omit<Transition, 'source'>;

/** Ways out with `*` written out. */
export function targets(mode: Mode, topology: Topology): Way[] {
  const named = new Set(mode.transitions.map((one) => one.to));
  return mode.transitions.flatMap(({ source: _, ...way }) => {
    if (way.to !== '*') return [way];
    return [...topology.modes.keys()]
      .filter((name) => name !== mode.name && !named.has(name))
      .map((name) => ({ ...way, to: name }));
  });
}

function permissions(settings: ModeSettings | null, trusted: boolean): string {
  if (settings === null || (settings.rules.length === 0 && settings.defaults.length === 0))
    return 'PERMISSIONS:\nNo rules in this mode.';
  const lines = ['PERMISSIONS:'];
  for (const [title, effect] of [
    ['Allowed', 'allow'],
    ['Asked', 'ask'],
    ['Denied', 'deny'],
  ] as const) {
    const rules = settings.rules.filter((rule) => rule.effect === effect).map((rule) => rule.text);
    if (rules.length > 0)
      lines.push(`${title}${effect === 'allow' && !trusted ? ' (once a person trusts this configuration)' : ''}: ${list(rules)}`);
  }
  for (const { value } of settings.defaults)
    lines.push(`Everything else: ${{ pass: "the client's own rules", ask: 'asked', deny: 'denied' }[value]}`);
  return lines.join('\n');
}

function list(rules: string[]): string {
  const shown = rules.slice(0, 40).join(', ');
  return rules.length > 40 ? `${shown}, and ${rules.length - 40} more` : shown;
}

function transitions(mode: Mode, topology: Topology): string {
  const ways = targets(mode, topology);
  if (ways.length === 0) return 'AVAILABLE TRANSITIONS:\nNone.';
  const lines = ways.map(({ to, constraint, require, approve }) => {
    const gate = [
      constraint === null ? '' : `  Constraint: ${constraint.replace(/\n/g, '\n  ')}`,
      ...require.map((one) => `  Checked: ${describeRequirement(one)}`),
      approve === 'human' ? '  A person approves it.' : '',
    ];
    return [`→ ${to}`, ...gate.filter((line) => line !== '')].join('\n');
  });
  const list = cut(lines.join('\n'), maxPart, '\n(More than fits here; the status tool shows all.)');
  return `AVAILABLE TRANSITIONS:\n${list}\n\nThe transition tool (mcp__plugin_modes_modes__transition) takes the target mode and an explanation of why its constraint holds.`;
}

function guidance(subagent: boolean): string {
  return [
    'MODE GUIDANCE:',
    'Every tool call is checked against this mode, Bash commands by what they would read and write.',
    subagent
      ? 'A denied call stays denied by another tool; the main thread hears of it in your result.'
      : 'A denied call stays denied by another tool. A person changes the mode with /modes:mode NAME.',
  ].join('\n');
}

/** Cuts at a paragraph, else at a line, else where it must, and says so by the note; never silently. */
function cut(text: string, room: number, note: string): string {
  if (text.length <= room) return text;
  const kept = text.slice(0, Math.max(0, room - note.length));
  const paragraph = kept.lastIndexOf('\n\n');
  const at = paragraph > 0 ? paragraph : kept.lastIndexOf('\n');
  return (at > 0 ? kept.slice(0, at) : kept) + note;
}
