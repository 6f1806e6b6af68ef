// Exports our modes to Roo Code: groups, file expressions, texts, rules of a mode. A group on which Roo could not enforce our
// rules is omitted.

import { stringify } from 'yaml';
import type { Configuration, FileSet, Mode } from '../../model/configuration.ts';
import type { PathPattern, Rule } from '../../model/rule.ts';
import { parseRule } from '../../rules/parse.ts';
import { pathExpression } from '../../rules/regex.ts';
import { readText } from './disk.ts';
import { toJavaScript } from './expression.ts';
import { ROO_FILE } from './roo-import.ts';
import { ROO_OWN, type RooGroup } from './roo-modes.ts';
import type { Left, NewFile, NotImported, Transfer } from './types.ts';

export interface RooSource {
  root: string;
  home: string;
  configuration: Configuration;
}

interface ExportLimits {
  closed: Set<RooGroup>;
  /** Expressions for writes: the denied paths, and the only permitted ones. A path must match every expression of `only`. */
  denied: string[];
  only: string[];
  /** Lines of .rooignore. */
  hidden: Set<string>;
}

type RooEntry = RooGroup | [RooGroup, { fileRegex: string; description?: string }];

/** Instructions files that become customInstructions. All others are written to the mode's rules folder. */
const MAIN = /^\.claude\/CLAUDE\.(.+)\.md$/;

export function exportRoo(source: RooSource): Transfer | NotImported {
  const { configuration, root } = source;
  const { topology } = configuration;
  if (topology === null) return { error: 'The configuration has errors; modes validate shows them.' };
  const left: Left[] = [];
  const hidden = new Set<string>();
  const files: NewFile[] = [];
  const customModes: object[] = [];
  for (const mode of topology.modes.values()) {
    const groups = groupsOf(mode, source, hidden, left);
    listLost(mode, left);
    const own = (configuration.instructions.get(mode.name) ?? []).map(({ name, text }) => ({ name, text: `${text}\n` }));
    const main = own.filter(({ name }) => MAIN.test(name));
    const slug = mode.name.replaceAll('_', '-');
    if (slug !== mode.name) left.push({ at: mode.name, what: 'a slug in Roo cannot contain _', instead: `The slug is ${slug}.` });
    const value = {
      slug,
      name: mode.title ?? mode.name,
      roleDefinition: mode.role ?? mode.description ?? `You work in the mode ${mode.name}.`,
      ...(mode.whenToUse !== null && { whenToUse: mode.whenToUse }),
      ...(mode.description !== null && { description: mode.description }),
      groups,
      ...(main.length > 0 && { customInstructions: main.map(({ text }) => text).join('\n') }),
    };
    if (!isRooBuiltIn(value)) customModes.push(value);
    const taken = new Set<string>();
    for (const { name, text } of own.filter((file) => !main.includes(file))) {
      const base = name.slice(name.lastIndexOf('/') + 1);
      const target = `.roo/rules-${slug}/${taken.has(base) ? `${taken.size}-${base}` : base}`;
      taken.add(base);
      files.push({ name: target, text });
    }
  }
  for (const { name } of configuration.policies)
    left.push({ at: name, what: 'a policy in Rego', instead: 'Roo has no equivalent.' });
  listWhole(source, left);
  files.unshift({ name: ROO_FILE, text: stringify({ customModes }, { lineWidth: 0, aliasDuplicateObjects: false }) });
  if (hidden.size > 0) files.push(ignoreFile(root, hidden, left));
  return { sources: configuration.files.map(({ name }) => name), files, left, faults: [] };
}

/** True for a mode that every Roo project has anyway. */
function isRooBuiltIn(value: {
  slug: string;
  roleDefinition: string;
  name: string;
  groups: RooEntry[];
  customInstructions?: string;
}): boolean {
  const own = ROO_OWN.find(({ slug }) => slug === value.slug);
  if (own === undefined || value.customInstructions !== undefined) return false;
  const groups = own.groups.map(({ name, fileRegex, description }) =>
    fileRegex === null ? name : [name, { fileRegex, description }],
  );
  return (
    value.roleDefinition === own.roleDefinition &&
    value.name === own.name &&
    JSON.stringify(groups) === JSON.stringify(value.groups)
  );
}

const GROUPS: readonly RooGroup[] = ['read', 'edit', 'command', 'mcp', 'modes'];
/** Roo's name of each of our groups. Roo has no group for fetching and searching. */
const CALLED: Readonly<Record<string, RooGroup>> = { read: 'read', edit: 'edit', command: 'command', mcp: 'mcp', agent: 'modes' };

function groupsOf(mode: Mode, { configuration, home }: RooSource, hidden: Set<string>, left: Left[]): RooEntry[] {
  const limits: ExportLimits = { closed: new Set(), denied: [], only: [], hidden };
  const { rules = [], defaults = [] } = configuration.settings.get(mode.name) ?? {};
  const read = rules.flatMap((text, at) => {
    const parsed = parseRule(text, `r${at}`, { home });
    return 'rule' in parsed ? [{ rule: parsed.rule, outside: text.outside }] : [];
  });
  const close = (group: RooGroup, what: string): void => {
    if (!limits.closed.has(group)) left.push({ at: mode.name, what, instead: `The group ${group} is left out.` });
    limits.closed.add(group);
  };
  if (defaults.some(({ value }) => value === 'deny'))
    closeUnallowed(
      read.map(({ rule }) => rule),
      limits,
      close,
    );
  // A hidden path cannot be written either, so a deny of its writes adds nothing.
  const denied = read.filter(({ rule }) => rule.effect === 'deny');
  const isRead = ({ rule }: (typeof read)[number]): boolean => rule.kind === 'read';
  for (const { rule, outside } of [...denied.filter(isRead), ...denied.filter((one) => !isRead(one))])
    restrict(rule, outside ?? null, limits, close);
  if (read.some(({ rule }) => rule.effect === 'ask') || defaults.some(({ value }) => value === 'ask'))
    left.push({
      at: mode.name,
      what: 'calls that need approval',
      instead: 'Roo asks according to its auto-approval settings, which are the same for all modes.',
    });
  const listed = mode.groups;
  const isLimited = !isOpen('edit', limits, listed) || fileRegexOf(limits) !== null;
  const around = (['command', 'mcp'] as const).filter((name) => isLimited && isOpen(name, limits, listed));
  if (around.length > 0)
    left.push({
      at: mode.name,
      what: `limits on writes by ${around.map((name) => (name === 'mcp' ? 'MCP tools' : 'commands')).join(' and ')}`,
      instead: `Roo limits only its own edits. If that matters, remove ${around.join(' and ')} from groups.`,
    });
  return GROUPS.filter((name) => isOpen(name, limits, listed)).map((name): RooEntry => {
    const fileRegex = name === 'edit' ? fileRegexOf(limits) : null;
    if (fileRegex === null) return name;
    const description = listed?.edit?.description ?? null;
    return [name, { fileRegex, ...(description !== null && { description }) }];
  });
}

function isOpen(name: RooGroup, { closed }: ExportLimits, groups: Mode['groups']): boolean {
  return !closed.has(name) && (groups === null || groups.listed.some((one) => CALLED[one] === name));
}

type Close = (group: RooGroup, what: string) => void;

/** For `default: deny`: a group stays only if all of it is allowed. The edit group stays for the allowed files. */
function closeUnallowed(rules: readonly Rule[], limits: ExportLimits, close: Close): void {
  const allowed = rules.filter(({ effect }) => effect === 'allow');
  const isWhole = (group: RooGroup, tools: readonly string[], text: RegExp): void => {
    const isAllowed = allowed.some((rule) => (rule.kind === 'group' && CALLED[rule.group] === group) || text.test(rule.text));
    if (!isAllowed) close(group, `default: deny without an allow of ${tools.join(' or ')}`);
  };
  isWhole('read', ['@read', 'Read(**)'], /^Read(\(\*\*?\))?$/);
  isWhole('command', ['@command', 'Bash'], /^Bash(\(\*\))?$/);
  isWhole('mcp', ['@mcp'], /^$/);
  isWhole('modes', ['@agent', 'Agent'], /^Agent(\(\*\))?$/);
  const paths = allowed.flatMap((rule) => (rule.kind === 'write' ? rule.paths : []));
  const isAll = allowed.some((rule) => (rule.kind === 'group' && rule.group === 'edit') || /^(Write|Edit)$/.test(rule.text));
  if (isAll) return;
  const expressions = paths.flatMap((one) => expressionOf(one) ?? []);
  if (expressions.length === 0) close('edit', 'default: deny without an allow of files that Roo can express');
  else limits.only.push(`(?:${expressions.join('|')})`);
}

/** Applies one deny. If Roo cannot enforce it, the group is closed. */
function restrict(rule: Rule, outside: FileSet | null, limits: ExportLimits, close: Close): void {
  switch (rule.kind) {
    case 'outside':
      if (outside !== null) limitTo(outside, rule.paths, limits, close);
      break;
    case 'group':
    case 'every': {
      const group = CALLED[rule.kind === 'group' ? rule.group : rule.access === 'write' ? 'edit' : rule.access];
      // The group is omitted, so nothing of this rule is lost.
      if (group !== undefined) limits.closed.add(group);
      break;
    }
    case 'write':
      for (const path of rule.paths.filter(({ text }) => !limits.hidden.has(text))) {
        const expression = expressionOf(path);
        if (expression === null) close('edit', `deny ${rule.text}`);
        else limits.denied.push(expression);
      }
      break;
    case 'read':
      if (rule.paths.every(({ base }) => base === 'root') && !/[{}]/.test(rule.text))
        for (const path of rule.paths) limits.hidden.add(path.text);
      else close('read', `deny ${rule.text}`);
      break;
    case 'bash':
    case 'bash-class':
      close('command', `deny ${rule.text}`);
      break;
    case 'server':
      close('mcp', `deny ${rule.text}`);
      break;
    case 'agent':
    case 'skill':
      close('modes', `deny ${rule.text}`);
      break;
    case 'domain':
      // Roo has no tool that fetches, but a command may fetch.
      close('command', `deny ${rule.text}`);
      break;
    case 'scratch':
      // Only allowed, never denied.
      break;
    case 'unknown-read':
      close('command', rule.text);
      break;
    case 'tool':
    case 'tool-glob':
    case 'param':
      closeTool(rule, close);
      break;
    default:
      throw new Error(`unknown rule ${JSON.stringify(rule satisfies never)}`);
  }
}

/** Groups by tool name. Roo has no web tools. */
const OF_TOOLS: readonly (readonly [name: RegExp, groups: readonly RooGroup[]])[] = [
  [/^mcp__/, ['mcp']],
  [/^Web/, []],
  [/^(Agent|Task|Skill|Workflow)\b/, ['modes']],
  [/^(Read|Grep|Glob|LSP)\b/, ['read']],
  [/^(Write|Edit|MultiEdit|NotebookEdit)\b/, ['edit']],
  [/^(Bash|Monitor|PowerShell)\b/, ['command']],
];

function closeTool(rule: Rule, close: Close): void {
  const groups = OF_TOOLS.find(([name]) => name.test(rule.text))?.[1] ?? GROUPS;
  for (const group of groups) close(group, `deny ${rule.text}`);
}

function limitTo(files: FileSet, paths: readonly PathPattern[], limits: ExportLimits, close: Close): void {
  const read = files.expressions.map(({ text }) => toJavaScript(text));
  const wrong = read.flatMap((one) => ('wrong' in one ? [one.wrong] : []));
  const expressions = [
    ...read.flatMap((one) => ('text' in one ? [one.text] : [])),
    ...paths.flatMap((one) => expressionOf(one) ?? []),
  ];
  if (wrong.length > 0 || expressions.length === 0)
    close('edit', `its files: ${wrong[0] ?? 'Roo supports only paths in the project'}`);
  else limits.only.push(expressions.length === 1 ? (expressions[0] as string) : `(?:${expressions.join('|')})`);
}

/** null: every file. A single expression stays as it was written if no other restriction exists. */
function fileRegexOf({ denied, only }: ExportLimits): string | null {
  if (denied.length === 0 && only.length <= 1) return only[0] ?? null;
  const all = only.map((one) => `(?=[\\s\\S]*?(?:${one}))`);
  return `^${[...[...new Set(denied)].map((one) => `(?!${one})`), ...all].join('')}`;
}

/**
 * Expression for a path in the project, anchored at both ends. null: a JavaScript expression without flags cannot express it, or
 * the path is outside the project.
 */
function expressionOf(pattern: PathPattern): string | null {
  const hasSet = pattern.segments.some((segment) => segment.kind === 'glob' && segment.pieces.some(({ kind }) => kind === 'set'));
  if (pattern.base === 'absolute' || hasSet) return null;
  return pathExpression(pattern)
    .replace(/^\(\?s\)/, '')
    .replace(/(?<!\\)\.(?=[*+])/g, '[\\s\\S]');
}

function listLost(mode: Mode, left: Left[]): void {
  const lost = (is: boolean, what: string): void => {
    if (is) left.push({ at: mode.name, what, instead: 'Roo has no equivalent.' });
  };
  const { transitions } = mode;
  lost(
    transitions.some(({ require }) => require.length > 0),
    'requirements of gates',
  );
  lost(
    transitions.some(({ to }) => to !== '*'),
    'allowed transitions: in Roo, one click changes from any mode to any other',
  );
  lost(mode.agents.length > 0, 'limits of subagents');
  lost(mode.exitWhen !== null, 'exit_when');
  lost(mode.promptPrefix !== null, 'promptPrefix');
  lost(mode.permissionMode !== null, 'permissionMode');
  lost(mode.context.warn.length > 0, 'context');
  lost(mode.groups?.listed.includes('web') ?? false, 'the group web');
}

function listWhole({ configuration: { topology } }: RooSource, left: Left[]): void {
  const at = '.claude/modes.yaml';
  const instead = 'Roo has no equivalent.';
  if (topology?.stop) left.push({ at, what: 'stop', instead });
  if ((topology?.protocols.size ?? 0) > 0) left.push({ at, what: 'protocols', instead });
  if ((topology?.protectedBranches.length ?? 0) > 0) left.push({ at, what: 'tasks', instead });
}

function ignoreFile(root: string, hidden: ReadonlySet<string>, left: Left[]): NewFile {
  const name = '.rooignore';
  const read = readText(root, name);
  const before = read !== null && 'text' in read ? read.text : '';
  const lines = new Set(before.split(/\r?\n/));
  const added = [...hidden].filter((line) => line !== name && !lines.has(line));
  left.push({
    at: name,
    what: 'files that a mode may not read',
    instead: 'In Roo they are hidden in every mode.',
  });
  return {
    name,
    text: `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${added.map((line) => `${line}\n`).join('')}`,
  };
}
