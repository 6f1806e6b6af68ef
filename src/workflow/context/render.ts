// The context for the model about the mode. Uses the section names of the source document, and states facts rather than commands.

import { limitRules, limitsOf } from '../../config/groups.ts';
import { targets } from '../../config/targets.ts';
import { describeRequirement } from '../../engine/requirement-text.ts';
import { pluginPrefix } from '../../facts/protections/without-plugin.ts';
import type { ConfigFile, Mode, ModeSettings, RuleText, Topology } from '../../model/configuration.ts';
import { describeGlobs, fewTexts } from '../../rules/glob-words.ts';

/** Longest context in characters. The client replaces anything over 10,000 with a preview. */
export const maxContext = 8_000;

export interface Situation {
  topology: Topology;
  mode: Mode;
  settings: ModeSettings | null;
  /** Each file with its text, in order. */
  instructions: readonly ConfigFile[];
  trusted: boolean;
  /** Notices for a person: problems, or a state file that was rewritten. */
  notices: string[];
  subagent: boolean;
  /** The present plan, in full and in one line; null if there is none. */
  plan: { whole: string; line: string } | null;
  /** Prefix of our tools' names. If absent, the plugin's prefix. */
  toolPrefix?: string;
}

/** Longest context besides the instructions, in characters, if shorter lists can achieve it. */
const maxBrief = 900;
/** Longest line of a later prompt, in characters, if shorter lists can achieve it. */
const maxLine = 130;
/** Number of texts in a list, from the longest form of the context to the shortest. */
const forms: readonly number[] = [8, 4, 2, 1, 0];
/** Shorter forms do not describe the other modes. */
const fullModes = 2;

/** Limits on the parts besides the instructions, in characters. They leave a quarter of the context for the instructions. */
const maxHead = 600;
const maxPart = 2_400;
const maxPlan = 1_200;
const maxModes = 1_200;
/** Maximum number of files that are named if instructions are cut. */
const maxNamed = 4;

/** The whole context of a mode. `extras` are sent with it, but do not count in comparisons. */
export function renderContext(situation: Situation, extras: readonly string[] = []): string {
  return layOut(situation, extras).text;
}

/** The same, with the number of characters of role and instructions that do not fit. */
export function layOut(situation: Situation, extras: readonly string[] = []): { text: string; left: number } {
  const head = cut(headOf(situation.mode), maxHead, '…');
  const brief = (most: number): string[] => briefParts(situation, most);
  const isShort = (form: number): boolean =>
    [head, ...brief(form), guidance(situation.subagent, form)].join('\n\n').length <= maxBrief;
  // If no form is short enough, a person wrote long texts, and shorter lists do not help.
  const most = forms.find(isShort) ?? fullModes;
  const rest = [
    ...brief(most),
    ...(situation.plan === null ? [] : [cut(`PLAN:\n${situation.plan.whole}`, maxPlan, '\n(plan_status shows all.)')]),
    guidance(situation.subagent, most),
    ...situation.notices.map((notice) => `NOTICE: ${notice}`),
    ...extras,
  ];
  const fixed = [head, ...rest].join('\n\n').length + 'INSTRUCTIONS:\n'.length + 4;
  const instructions = cutFiles([...roleOf(situation.mode), ...situation.instructions], maxContext - fixed);
  const { text, left } = instructions;
  const whole = [head, ...(text === '' ? [] : [`INSTRUCTIONS:\n${text}`]), ...rest].join('\n\n');
  return { text: cut(whole, maxContext, '\n(Cut here; the status tool shows all.)'), left };
}

/** Permissions, transitions and other modes. `most`: how many texts a list has. */
function briefParts({ mode, settings, topology, ...situation }: Situation, most: number): string[] {
  return [
    cut(
      permissions(settings, { mode, ...situation }, most),
      maxPart,
      '\n(More rules apply than fit here; the status tool shows all.)',
    ),
    situation.subagent ? 'Subagents work in this mode and cannot change it.' : transitions(mode, topology, situation.toolPrefix),
    ...otherModes(mode, topology, most),
  ];
}

function headOf({ name, title, description, permissionMode }: Mode): string {
  const goes =
    permissionMode === null
      ? ''
      : `\nThe client's own permission mode for it: ${permissionMode}; the permission_mode tool asks for a stricter one.`;
  return `MODE: ${name}${title ? ` (${title})` : ''}${description ? `\n${description}` : ''}${goes}`;
}

function roleOf({ role }: Mode): ConfigFile[] {
  return role === null ? [] : [{ name: 'modes.yaml', text: role }];
}

/** Roo's list of modes: the modes with a description, and the present one marked. Only if some mode has `whenToUse`. */
function otherModes(mode: Mode, { modes }: Topology, most: number): string[] {
  const describedModes = [...modes.values()].filter(({ whenToUse, description }) => whenToUse !== null || description !== null);
  if (!describedModes.some(({ whenToUse }) => whenToUse !== null)) return [];
  if (most < fullModes) return [];
  const lines = describedModes.map(({ name, title, whenToUse, description }) => {
    const text = (whenToUse ?? description ?? '').replace(/\s+/g, ' ');
    return `- ${name}${title ? ` (${title})` : ''}${name === mode.name ? ', now' : ''}: ${text}`;
  });
  return [cut(`MODES:\n${lines.join('\n')}`, maxModes, '\n(There are more modes; the status tool shows them.)')];
}

/** Joins the files and cuts the text at a paragraph. A note names every file that is not complete. */
function cutFiles(files: readonly ConfigFile[], limits: number): { text: string; left: number } {
  const whole = files.map(({ text }) => text).join('\n\n');
  if (whole.length <= limits) return { text: whole, left: 0 };
  const note = (from: number): string => {
    const names = [...new Set(files.slice(from).map(({ name }) => name))];
    const shown =
      names.length > maxNamed ? `${names.slice(0, maxNamed).join(', ')} and ${names.length - maxNamed} more` : names.join(', ');
    return `\n\n(The rest of the instructions is in ${shown}; Read shows it.)`;
  };
  const head = cut(whole, limits - note(0).length, '');
  let end = -2;
  const first = files.findIndex(({ text }) => {
    end += 2 + text.length;
    return end > head.length;
  });
  return { text: head + note(first), left: whole.length - head.length };
}

/**
 * One line for prompts after the first: the mode, its transitions and their unmet requirements.
 * @param unmet by target, the unmet checks; null if they were not checked
 */
export function renderLine(
  { mode, topology, notices, plan }: Situation,
  unmet: ReadonlyMap<string, readonly string[]> | null = null,
  extras: readonly string[] = [],
): string {
  const modeTransitions = targets(mode, topology).map(({ to, approve }) => ({
    to,
    open: unmet?.get(to) ?? (approve === 'human' ? ["a person's approval"] : []),
  }));
  const lines = lineForms.map((form) => {
    const out = cut(
      modeTransitions.map((one) => (one.open.length === 0 ? one.to : form(one.to, one.open, unmet !== null))).join(', '),
      maxPart,
      '…',
    );
    return `MODE: ${mode.name}. Transitions: ${out || 'none'}.`;
  });
  const line = lines.find(({ length }) => length <= maxLine) ?? (lines.at(-1) as string);
  return cut(
    [`${line}${plan === null ? '' : ` ${plan.line}`}`, ...notices.map((notice) => `NOTICE: ${notice}`), ...extras].join('\n'),
    maxContext,
    '\n(Cut here; the status tool shows all.)',
  );
}

/** The forms of a transition with an open gate in the line, from the longest to the shortest. */
const lineForms: readonly ((to: string, open: readonly string[], isChecked: boolean) => string)[] = [
  (to, open, isChecked) => `${to} (${isChecked ? 'not met: ' : ''}${open.join('; ')})`,
  (to, open, isChecked) => (isChecked ? `${to} (${open.length} not met)` : to),
  (to) => to,
];

function permissions(
  settings: ModeSettings | null,
  { trusted, mode }: Pick<Situation, 'trusted' | 'mode'>,
  most: number,
): string {
  if (settings === null || (settings.rules.length === 0 && settings.defaults.length === 0))
    return 'PERMISSIONS:\nNo rules in this mode.';
  const lines = ['PERMISSIONS:'];
  for (const [title, effect] of [
    ['Allowed', 'allow'],
    ['Asked', 'ask'],
    ['Denied', 'deny'],
  ] as const) {
    const rules = settings.rules.filter((rule) => rule.effect === effect);
    if (rules.length > 0)
      lines.push(
        `${title}${effect === 'allow' && !trusted ? ' (once a person trusts this configuration)' : ''}: ${ruleList(rules, most)}`,
      );
  }
  for (const { value } of settings.defaults)
    lines.push(`Everything else: ${{ pass: "the client's own rules", ask: 'asked', deny: 'denied' }[value]}`);
  if (trusted && mode.enforcement !== 'enforce') lines.push(enforcements[mode.enforcement]);
  return lines.join('\n');
}

const enforcements = {
  ask: 'Enforcement: ask. Where a rule of modes.yaml or the settings files beside it denies a call, a person is asked instead.',
  advise:
    'Enforcement: advise. Where a rule of modes.yaml or the settings files beside it denies or asks, the call goes on, with a note.',
};

function shownRule({ text, outside, note }: RuleText): string {
  return outside !== undefined && note !== undefined ? `${text} (${note})` : text;
}

/** The rules by tool: as written if they are few, else the kinds of files that they match, or the first ones. */
function ruleList(rules: readonly RuleText[], most: number): string {
  const byTool = new Map<string, RuleText[]>();
  for (const rule of rules) {
    const [, tool = ''] = rule.note === undefined ? (/^(\w+)\(/.exec(rule.text) ?? []) : [];
    byTool.set(tool, [...(byTool.get(tool) ?? []), rule]);
  }
  return [...byTool].map(([tool, own]) => toolRules(tool, own, most)).join(', ');
}

function toolRules(tool: string, rules: readonly RuleText[], most: number): string {
  if (rules.length <= 1 || rules.length <= most / 2) return fewTexts(rules.map(shownRule), rules.length).join(', ');
  if (pathTools.has(tool)) {
    const globs = rules.map(({ text }) => text.slice(tool.length + 1, -1));
    return `${tool} of ${describeGlobs(globs, ' and ')}`;
  }
  return fewTexts(rules.map(shownRule), Math.max(1, most)).join(', ');
}

/** Tools whose rules name files. */
const pathTools: ReadonlySet<string> = new Set(['Read', 'Write', 'Edit']);

function transitions(mode: Mode, topology: Topology, toolPrefix = pluginPrefix): string {
  const modeTransitions = targets(mode, topology);
  if (modeTransitions.length === 0) return 'AVAILABLE TRANSITIONS:\nNone.';
  // Transitions with the same gate share its text.
  const byGate = new Map<string, string[]>();
  for (const { to, constraint, require, approve } of modeTransitions) {
    const gate = [
      constraint === null ? '' : `\n  Constraint: ${constraint.replace(/\n/g, '\n  ')}`,
      ...require.map((one) => `\n  Checked: ${describeRequirement(one)}`),
      approve === 'human' ? "\n  Needs a person's approval." : '',
    ].join('');
    byGate.set(gate, [...(byGate.get(gate) ?? []), to]);
  }
  const lines = [...byGate].map(([gate, names]) => `→ ${names.join(', ')}${gate}`);
  const list = cut(lines.join('\n'), maxPart, '\n(More than fits here; the status tool shows all.)');
  return `AVAILABLE TRANSITIONS:\n${list}\n\n${toolPrefix}transition takes the target mode and why its constraint holds.`;
}

function guidance(subagent: boolean, most: number): string {
  return [
    'MODE GUIDANCE:',
    ...(most > 0
      ? ['Every tool call is checked, Bash commands by what they read and write. A denied call is also denied with another tool.']
      : []),
    subagent ? 'Report it to the main thread in your result.' : 'A person can change the mode with /modes:mode NAME.',
  ].join('\n');
}

/** Cuts a text that is too long at a paragraph, otherwise at a line, otherwise anywhere. Then adds the note. */
function cut(text: string, limits: number, note: string): string {
  if (text.length <= limits) return text;
  const head = text.slice(0, Math.max(0, limits - note.length));
  const paragraph = head.lastIndexOf('\n\n');
  const at = paragraph > 0 ? paragraph : head.lastIndexOf('\n');
  return (at > 0 ? head.slice(0, at) : head) + note;
}

/** Limit on the listed rules. */
const maxRules = 40;

/** '' if this mode has no restrictions for this type. */
export function renderAgent(
  topology: Topology,
  settings: ReadonlyMap<string, ModeSettings>,
  { mode, type }: { mode: string; type: string },
): string {
  const entries = limitsOf(type, topology.modes.get(mode)?.agents ?? []);
  if (entries.length === 0) return '';
  const modes = [...new Set(entries.flatMap((one) => one.mode ?? []))];
  const rules = [...limitRules(entries), ...modes.flatMap((name) => settings.get(name)?.rules ?? [])];
  const listed = (effect: RuleText['effect']): string[] => [
    ...new Set(rules.filter((rule) => rule.effect === effect).map(({ text }) => text)),
  ];
  return [
    `SUBAGENTS OF TYPE ${type}:`,
    ...(modes.length === 0 ? [] : [`The deny and ask rules of ${modes.join(' and ')} also apply here.`]),
    ...line('Asked', listed('ask')),
    ...line('Denied', listed('deny')),
  ].join('\n');
}

function line(title: string, rules: string[]): string[] {
  if (rules.length === 0) return [];
  const more = rules.length > maxRules ? `, and ${rules.length - maxRules} more` : '';
  return [`${title}: ${rules.slice(0, maxRules).join(', ')}${more}`];
}
