// One line of a permission list → a typed rule, or the problem with it. Nothing is ignored.
import type { Problem } from '../config/problem.ts';
import { nearest } from '../config/suggest.ts';
import type { RuleText } from '../config/types.ts';
import type { ToolGroup } from '../tools/types.ts';
import { parseCommandPattern } from './command.ts';
import { parseDomain } from './domain.ts';
import { parsePathPattern } from './pattern.ts';
import { contentParams, goneNames, groupNames, oldNames, paramNames, toolNames } from './toolnames.ts';
import type { ArgumentRole, CommandClass, Rule, RuleHead, TextGlob } from './types.ts';

export interface ParseContext {
  /** Absolute home folder, for `~/`. */
  home: string;
  /** `arguments:` of modes.yaml: tool → argument → what it is. */
  arguments?: ReadonlyMap<string, ReadonlyMap<string, ArgumentRole>>;
}

export type ParsedRule = { rule: Rule; warnings: Problem[] } | { problem: Problem };

class RuleError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly remedy: string,
    readonly at: number,
    readonly length: number,
  ) {
    super(message);
  }
}

/** A rule text cut at its parentheses; `at` are offsets in the text as written. */
interface Cut {
  name: string;
  /** Null when there are no parentheses. */
  inner: string | null;
  nameAt: number;
  innerAt: number;
}

interface Reading {
  head: RuleHead;
  cut: Cut;
  narrow: boolean;
  context: ParseContext;
  warn(code: string, message: string, remedy: string, at?: number): void;
}

/**
 * Reads one rule by the whole grammar (docs/reference/rules.md). Warnings go with a rule that is understood and perhaps not meant so.
 * The source's column is taken to point at the quote before the text.
 */
export function parseRule(text: RuleText, id: string, context: ParseContext): ParsedRule {
  const warnings: Problem[] = [];
  const problem = (severity: 'error' | 'warning', code: string, message: string, remedy: string, at: number, length: number): Problem => ({
    code,
    severity,
    message,
    remedy,
    file: text.source.file,
    line: text.source.line,
    column: text.source.column + 1 + at,
    length: Math.max(1, length),
  });
  try {
    const cut = cutText(text.text);
    const reading: Reading = {
      head: { id, text: text.text, effect: text.effect, layer: text.layer, source: text.source },
      cut,
      narrow: text.effect !== 'allow',
      context,
      warn: (code, message, remedy, at = cut.nameAt) => warnings.push(problem('warning', code, message, remedy, at, cut.name.length)),
    };
    return { rule: readRule(reading), warnings };
  } catch (error) {
    if (error instanceof RuleError) return { problem: problem('error', error.code, error.message, error.remedy, error.at, error.length) };
    throw error;
  }
}

/** All rules of a list, with ids in order; a rule with a problem takes an id too, so that ids do not move when it is mended. */
export function parseRules(texts: readonly RuleText[], context: ParseContext): { rules: Rule[]; problems: Problem[] } {
  const rules: Rule[] = [];
  const problems: Problem[] = [];
  texts.forEach((text, at) => {
    const parsed = parseRule(text, `r${at}`, context);
    if ('problem' in parsed) problems.push(parsed.problem);
    else {
      rules.push(parsed.rule);
      problems.push(...parsed.warnings);
    }
  });
  return { rules, problems };
}

function cutText(text: string): Cut {
  const trimmed = text.trim();
  const nameAt = text.length - text.trimStart().length;
  const broken = (message: string, remedy: string, at: number): never => {
    throw new RuleError('E_RULE_FORM', message, remedy, nameAt + at, trimmed.length - at);
  };
  if (trimmed === '') broken('the rule is empty', 'Write a tool, like Read, or a tool with what it may touch, like Write(src/**).', 0);
  const open = trimmed.indexOf('(');
  if (open === -1) {
    if (trimmed.includes(')')) broken('a ) without its (', 'Write Tool or Tool(what).', trimmed.indexOf(')'));
    return { name: trimmed, inner: null, nameAt, innerAt: 0 };
  }
  if (!trimmed.endsWith(')')) broken('the rule does not end with )', 'Write Tool(what), with nothing after the last parenthesis.', open);
  const name = trimmed.slice(0, open);
  if (name.trim() !== name || name === '') broken('there is no tool name right before the (', 'Write Tool(what), without a space.', 0);
  const inner = trimmed.slice(open + 1, -1);
  if (inner.trim() === '') broken('the parentheses are empty', `Write ${name} alone for every call, or say what is meant.`, open);
  return { name, inner, nameAt, innerAt: nameAt + open + 1 };
}

function readRule(reading: Reading): Rule {
  const { cut } = reading;
  if (cut.name.startsWith('!')) fail(reading, 'E_RULE_NEGATED', 'a rule cannot be negated', 'Write it into the list of the other effect: deny, ask or allow.');
  if (cut.name.startsWith('@')) return readGroup(reading);
  if (cut.name.startsWith('mcp__')) return readMcp(reading);
  if (cut.name.includes('*')) return readNameGlob(reading);
  const name = knownName(reading);
  const inner = cut.inner === '*' ? null : cut.inner;
  return inner === null ? readBare(reading, name) : readSpecified(reading, name, inner);
}

function fail(reading: Reading, code: string, message: string, remedy: string, at?: number, length?: number): never {
  const { cut } = reading;
  throw new RuleError(code, message, remedy, at ?? cut.nameAt, length ?? (at === undefined ? cut.name.length : 1));
}

function failInner(reading: Reading, code: string, message: string, remedy: string, offset = 0): never {
  const { innerAt, inner } = reading.cut;
  throw new RuleError(code, message, remedy, innerAt + offset, (inner ?? '').length - offset);
}

function knownName(reading: Reading): string {
  const { name } = reading.cut;
  if (toolNames.has(name)) return name;
  const today = oldNames.get(name);
  if (today !== undefined) {
    reading.warn('W_RULE_OLD_NAME', `${name} is called ${today} today`, `Write ${today}.`);
    return today;
  }
  if (goneNames.has(name)) {
    reading.warn('W_RULE_GONE_NAME', `the client has no ${name} any more, so the rule meets nothing`, 'Remove the rule.');
    return name;
  }
  if (name === 'Cd') fail(reading, 'E_RULE_UNKNOWN_TOOL', "Cd is about the client's own /cd, which no tool call stands for", "Write it into the client's settings.json.");
  const meant = nearest(name, [...toolNames, ...oldNames.keys()]);
  return fail(reading, 'E_RULE_UNKNOWN_TOOL', `there is no tool called ${name}`, meant === null ? 'Tools of MCP servers are written mcp__server__tool.' : `Did you mean ${meant}?`);
}

const everyAccess: ReadonlyMap<string, 'read' | 'write' | 'command'> = new Map([
  ['Read', 'read'],
  ['Write', 'write'],
  ['Edit', 'write'],
  ['Bash', 'command'],
]);

function readBare({ head, narrow }: Reading, name: string): Rule {
  const access = everyAccess.get(name);
  return narrow && access !== undefined ? { ...head, kind: 'every', access, tool: name, group: null } : { ...head, kind: 'tool', name };
}

const groupAccess: ReadonlyMap<string, 'read' | 'write' | 'command'> = new Map([
  ['read', 'read'],
  ['edit', 'write'],
  ['command', 'command'],
]);

function readGroup(reading: Reading): Rule {
  const { cut, head, narrow } = reading;
  const group = groupNames.find((known) => `@${known}` === cut.name);
  if (group === undefined) {
    const classes = Object.keys(commandClasses);
    if (classes.includes(cut.name)) fail(reading, 'E_RULE_UNKNOWN_GROUP', `${cut.name} is a class of commands`, `Write Bash(${cut.name}).`);
    const meant = nearest(cut.name, groupNames.map((known) => `@${known}`));
    fail(reading, 'E_RULE_UNKNOWN_GROUP', `there is no group ${cut.name}`, meant === null ? `Groups are @${groupNames.join(', @')}.` : `Did you mean ${meant}?`);
  }
  if (cut.inner !== null && cut.inner !== '*') {
    const instead = group === 'edit' ? 'Write' : group === 'read' ? 'Read' : group === 'command' ? 'Bash' : 'a tool';
    failInner(reading, 'E_RULE_GROUP_SPECIFIER', `${cut.name} takes nothing in parentheses`, `Write ${instead}(${cut.inner}).`);
  }
  const access = groupAccess.get(group);
  return narrow && access !== undefined ? { ...head, kind: 'every', access, tool: null, group } : { ...head, kind: 'group', group };
}

function readNameGlob(reading: Reading): Rule {
  const { cut, head, narrow } = reading;
  if (cut.inner !== null && cut.inner !== '*') failInner(reading, 'E_RULE_GLOB_SPECIFIER', 'a pattern of names takes nothing in parentheses', 'Write one rule for each tool.');
  if (!narrow) {
    fail(reading, 'E_RULE_ALLOW_GLOB', `${cut.name} would allow tools that nobody named`, 'In allow, a * may stand only after a whole server name: mcp__server__get_*.');
  }
  if (!/^[A-Za-z0-9_*-]+$/.test(cut.name)) fail(reading, 'E_RULE_FORM', `${cut.name} is no pattern of tool names`, 'Names have letters, digits, _ and -; * stands for any of them.');
  const glob = globOf(cut.name);
  const known = [...toolNames, ...oldNames.keys(), ...goneNames];
  // A pattern may be meant for MCP tools, which are not known here.
  if (!couldBeMcp(cut.name) && !known.some((name) => meetsGlob(glob, name))) {
    const meant = nearest(cut.name.replaceAll('*', ''), toolNames);
    fail(reading, 'E_RULE_UNKNOWN_TOOL', `${cut.name} meets no tool`, meant === null ? 'Write the name of a tool.' : `Did you mean ${meant}?`);
  }
  return { ...head, kind: 'tool-glob', glob };
}

function couldBeMcp(glob: string): boolean {
  const lead = glob.slice(0, glob.indexOf('*'));
  return lead.startsWith('mcp__') || 'mcp__'.startsWith(lead);
}

const mcpName = /^mcp__[A-Za-z0-9_.-]+$/;

function readMcp(reading: Reading): Rule {
  const { cut, head, narrow } = reading;
  const inner = cut.inner === '*' ? null : cut.inner;
  const server = /^(mcp__[A-Za-z0-9_.-]*?[A-Za-z0-9.-])__\*$/.exec(cut.name)?.[1] ?? null;
  if (cut.name.includes('*') && server === null) {
    if (inner !== null) failInner(reading, 'E_RULE_GLOB_SPECIFIER', 'a pattern of names takes nothing in parentheses', 'Write one rule for each tool.');
    if (narrow) return readNameGlob(reading);
    if (!/^mcp__[A-Za-z0-9_.-]*?[A-Za-z0-9.-]__[A-Za-z0-9_.*-]+$/.test(cut.name)) {
      fail(reading, 'E_RULE_ALLOW_GLOB', `${cut.name} would allow servers that nobody named`, 'In allow, a * may stand only after a whole server name: mcp__server__get_*.');
    }
    return { ...head, kind: 'tool-glob', glob: globOf(cut.name) };
  }
  if (server === null && !mcpName.test(cut.name)) fail(reading, 'E_RULE_FORM', `${cut.name} is no name of an MCP tool`, 'Write mcp__server or mcp__server__tool; names have letters, digits, _, - and a dot.');
  const key = server ?? cut.name;
  if (inner !== null) return readArgument(reading, key, inner);
  const wholeServer = server !== null || !cut.name.slice('mcp__'.length).includes('__');
  return wholeServer ? { ...head, kind: 'server', server: key } : { ...head, kind: 'tool', name: key };
}

/** `mcp__s__t(arg: …)`: by the declared role of the argument, else by its text (deny and ask). */
function readArgument(reading: Reading, key: string, inner: string): Rule {
  const parts = /^([A-Za-z0-9_.$-]+):\s*(.+)$/s.exec(inner);
  if (parts === null) failInner(reading, 'E_RULE_SPECIFIER', `${key} takes an argument and its value`, `Write ${key}(argument: value).`);
  const [, argument = '', value = ''] = parts;
  const role = reading.context.arguments?.get(key)?.get(argument);
  const offset = inner.length - value.length;
  if (role === 'command') return readCommand(reading, value, key, offset);
  if (role !== undefined) return readPath(reading, role, value, key, offset);
  if (!reading.narrow) {
    failInner(reading, 'E_RULE_PARAM_ALLOW', `the argument ${argument} is not declared, so it cannot be allowed by value`, 'Declare it under arguments: in modes.yaml as command, read or write.');
  }
  return { ...reading.head, kind: 'param', tool: key, param: argument, value: globOf(value) };
}

const pathTools: ReadonlyMap<string, 'read' | 'write'> = new Map([
  ['Read', 'read'],
  ['Write', 'write'],
  ['Edit', 'write'],
  ['NotebookEdit', 'write'],
  ['Grep', 'read'],
  ['Glob', 'read'],
  ['LSP', 'read'],
]);

/** Path tools whose path rules the client itself does not know: in allow they hold for that tool alone. */
const foreignPathTools: ReadonlySet<string> = new Set(['Grep', 'Glob', 'LSP']);

const commandClasses: Readonly<Record<string, CommandClass>> = {
  '@read-only': 'read-only',
  '@writes': 'writes',
  '@runs': 'runs',
  '@unknown': 'unknown',
  '@network': 'network',
};

function readSpecified(reading: Reading, name: string, inner: string): Rule {
  const { head, narrow } = reading;
  const param = readParam(reading, name, inner);
  if (param !== null) return param;
  const access = pathTools.get(name);
  if (access !== undefined) {
    if (foreignPathTools.has(name)) {
      reading.warn('W_RULE_READ_AS', `${name}(${inner}) is read as Read(${inner})${narrow ? '' : `, for ${name} alone`}`, `Write Read(${inner}).`);
    }
    return readPath(reading, access, inner, !narrow && foreignPathTools.has(name) ? name : null, 0);
  }
  switch (name) {
    case 'Bash':
    case 'Monitor':
      return readCommand(reading, inner, null, 0);
    case 'PowerShell':
      return failInner(reading, 'E_RULE_SPECIFIER', 'PowerShell commands are not analysed, so rules cannot tell them apart', 'Write PowerShell alone.');
    case 'WebFetch':
      return readDomain(reading, inner);
    case 'Agent':
      return { ...head, kind: 'agent', name: globOf(inner.trim()) };
    case 'Skill':
      return readSkill(reading, inner);
    default:
      return failInner(reading, 'E_RULE_SPECIFIER', `${name} takes only a parameter and its value in parentheses`, `Write ${name} alone, or ${name}(parameter:value) in deny or ask.`);
  }
}

/** `Tool(param:value)`, told from commands, paths and names by the tool's own parameters; null when it is none. */
function readParam(reading: Reading, name: string, inner: string): Rule | null {
  const parts = /^([A-Za-z_-][A-Za-z0-9_-]*):\s*(.*)$/s.exec(inner);
  if (parts === null) return null;
  const [, param = '', value = ''] = parts;
  if (name === 'WebFetch' && param === 'domain') return null;
  // `Bash(timeout:*)` is the command `timeout`.
  if ((name === 'Bash' || name === 'Monitor') && value === '*') return null;
  if (contentParams.has(param)) failInner(reading, 'E_RULE_PARAM_CONTENT', `${param} is what the call is about, so it is not matched as text`, 'Use Bash(…), Read(…), Write(…) or WebFetch(domain:…).');
  const known = paramNames.get(name);
  if (known !== undefined && !known.has(param)) return null;
  if (value === '') failInner(reading, 'E_RULE_PARAM_VALUE', `there is no value after ${param}:`, `Write ${name}(${param}:value); * stands for any value.`);
  if (!reading.narrow) failInner(reading, 'E_RULE_PARAM_ALLOW', 'a parameter cannot be allowed by value', `Write it into deny or ask, or allow ${name} as a whole.`);
  return { ...reading.head, kind: 'param', tool: name, param, value: globOf(value) };
}

function readPath(reading: Reading, kind: 'read' | 'write', text: string, only: string | null, offset: number): Rule {
  const parsed = parsePathPattern(text, { home: reading.context.home, narrow: reading.narrow });
  if ('problem' in parsed) return failInner(reading, 'E_RULE_PATH', `in the path: ${parsed.problem.message}`, parsed.problem.remedy, offset + parsed.problem.at);
  for (const doubt of parsed.doubts) reading.warn('W_RULE_PATH', doubt.message, doubt.remedy, reading.cut.innerAt + offset + doubt.at);
  return { ...reading.head, kind, paths: parsed.patterns, only };
}

function readCommand(reading: Reading, inner: string, only: string | null, offset: number): Rule {
  const { head } = reading;
  const text = inner.trim();
  if (text.startsWith('@')) {
    const found = Object.hasOwn(commandClasses, text) ? commandClasses[text] : undefined;
    if (found === undefined) {
      const meant = nearest(text, Object.keys(commandClasses));
      failInner(reading, 'E_RULE_UNKNOWN_CLASS', `there is no class of commands ${text}`, meant === null ? `Classes are ${Object.keys(commandClasses).join(', ')}.` : `Did you mean ${meant}?`, offset);
    }
    if (only !== null) failInner(reading, 'E_RULE_SPECIFIER', 'a class of commands is not told apart by tool', `Write Bash(${text}).`, offset);
    return { ...head, kind: 'bash-class', class: found };
  }
  const parsed = parseCommandPattern(inner);
  if ('problem' in parsed) failInner(reading, 'E_RULE_COMMAND', parsed.problem.message, parsed.problem.remedy, offset + parsed.problem.at);
  if (parsed.command === null) return only === null ? readBare(reading, 'Bash') : { ...head, kind: 'tool', name: only };
  for (const doubt of parsed.doubts) reading.warn('W_RULE_COMMAND', doubt.message, doubt.remedy, reading.cut.innerAt + offset + doubt.at);
  return { ...head, kind: 'bash', command: parsed.command, only };
}

function readDomain(reading: Reading, inner: string): Rule {
  const parts = /^domain:\s*(.*)$/s.exec(inner);
  if (parts === null) failInner(reading, 'E_RULE_SPECIFIER', 'WebFetch takes a domain', 'Write WebFetch(domain:example.org).');
  const parsed = parseDomain(parts[1] ?? '');
  if ('problem' in parsed) return failInner(reading, 'E_RULE_DOMAIN', parsed.problem.message, parsed.problem.remedy, 'domain:'.length);
  return { ...reading.head, kind: 'domain', form: parsed.form, host: parsed.host };
}

/** `Skill(name)`, `Skill(name *)`, `Skill(name:*)`: what follows the name is not told apart. */
function readSkill(reading: Reading, inner: string): Rule {
  const text = inner.trim().replace(/^\//, '');
  const name = text.replace(/(?: \*|:\*)$/, '').trim();
  if (name === '') failInner(reading, 'E_RULE_SPECIFIER', 'there is no name of a skill', 'Write Skill(name), or Skill alone.');
  if (/\s/.test(name)) failInner(reading, 'E_RULE_SPECIFIER', 'arguments of a skill are not told apart', `Write Skill(${name.split(/\s/)[0]}).`);
  return { ...reading.head, kind: 'skill', name: globOf(name) };
}

function globOf(text: string): TextGlob {
  return { pieces: text.split(/\*+/) };
}

function meetsGlob({ pieces }: TextGlob, text: string): boolean {
  return new RegExp(`^${pieces.map((piece) => piece.replace(/[-\\^$.*+?()[\]{}|]/g, '\\$&')).join('.*')}$`, 's').test(text);
}

/** Groups a rule may name, for help texts. */
export const ruleGroups: readonly ToolGroup[] = groupNames;
