// One line of a permission list → a typed rule, or its problem. Nothing is ignored.

import { clientName } from '../config/tool-names.ts';
import { readOnlyKey, serverKey } from '../facts/mcp-names.ts';
import type { FileSet, RuleText } from '../model/configuration.ts';
import type { Problem } from '../model/problem.ts';
import type { OutsideRule, Rule, RuleHead } from '../model/rule.ts';
import { nearest } from '../platform/nearest-name.ts';
import { parsePathPattern } from './pattern.ts';
import {
  cutText,
  fail,
  failInner,
  type ParseContext,
  type ParsedRule,
  RuleError,
  type RuleReading,
  readGlob,
} from './reading.ts';
import { matchesText } from './regex.ts';
import { commandClasses, readArgument, readBare, readSpecified } from './specifier.ts';
import { everyAccess, goneNames, groupNames, oldNames, toolNames } from './toolnames.ts';

export type { ParseContext, ParsedRule } from './reading.ts';

/**
 * Parses one rule by the complete grammar. Warnings accompany a valid rule that is probably not intended.
 * The source's column must point at the quote before the text.
 */
export function parseRule(text: RuleText, id: string, context: ParseContext): ParsedRule {
  const warnings: Problem[] = [];
  const problem = (
    severity: 'error' | 'warning',
    code: string,
    message: string,
    remedy: string,
    at: number,
    length: number,
  ): Problem => ({
    code,
    severity,
    message,
    remedy,
    file: text.source.file,
    line: text.source.line,
    column: text.source.column + 1 + at,
    length: Math.max(1, length),
  });
  const head: RuleHead = {
    id,
    text: text.text,
    effect: text.effect,
    layer: text.layer,
    source: text.source,
    ...(text.note !== undefined && { note: text.note }),
  };
  if (text.outside !== undefined) return readOutside(head, text.outside, context.home);
  if (text.unknownReads) return { rule: { ...head, kind: 'unknown-read' }, warnings };
  try {
    const cut = cutText(text.text);
    // For Claude Code the blanks are part of the name, so there the rule allows nothing.
    if (text.effect === 'allow' && text.text !== text.text.trim())
      throw new RuleError('E_RULE_FORM', 'there are blanks around the rule', 'Remove them.', 0, text.text.length);
    const reading: RuleReading = {
      head,
      cut,
      restricts: text.effect !== 'allow',
      context,
      warn: (code, message, remedy, at = cut.nameAt) =>
        warnings.push(problem('warning', code, message, remedy, at, cut.name.length)),
    };
    return { rule: readRule(reading), warnings };
  } catch (error) {
    if (error instanceof RuleError)
      return { problem: problem('error', error.code, error.message, error.remedy, error.at, error.length) };
    throw error;
  }
}

/** All rules of a list, with ids in order. A rule with a problem also takes an id, so that ids stay the same when it is fixed. */
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

function readRule(reading: RuleReading): Rule {
  const { cut } = reading;
  if (cut.name.startsWith('!'))
    fail(
      reading,
      'E_RULE_NEGATED',
      'a rule cannot be negated',
      'Write it into the list of the other effect: deny, ask or allow.',
    );
  if (cut.name.startsWith('@')) return readGroup(reading);
  if (cut.name.startsWith('mcp__')) return readMcp(reading);
  if (cut.name.includes('*')) return readNameGlob(reading);
  const name = checkedName(reading);
  const inner = cut.inner === '*' ? null : cut.inner;
  return inner === null ? readBare(reading, name) : readSpecified(reading, name, inner);
}

function checkedName(reading: RuleReading): string {
  const { name } = reading.cut;
  if (toolNames.has(name)) return name;
  const today = oldNames.get(name);
  if (today !== undefined) {
    reading.warn('W_RULE_OLD_NAME', `${name} is now called ${today}`, `Write ${today}.`);
    return today;
  }
  if (goneNames.has(name)) {
    reading.warn('W_RULE_GONE_NAME', `the client no longer has ${name}, so the rule matches nothing`, 'Remove the rule.');
    return name;
  }
  if (name === 'Cd')
    fail(
      reading,
      'E_RULE_UNKNOWN_TOOL',
      "Cd is the client's own /cd command, which makes no tool call",
      "Write it into the client's settings.json.",
    );
  const meant = nearest(name, [...toolNames, ...oldNames.keys()]);
  return fail(
    reading,
    'E_RULE_UNKNOWN_TOOL',
    `there is no tool called ${name}`,
    meant === null ? 'Tools of MCP servers are written mcp__server__tool.' : `Did you mean ${meant}?`,
  );
}

const groupAccess: ReadonlyMap<string, 'read' | 'write' | 'command'> = new Map([
  ['read', 'read'],
  ['edit', 'write'],
  ['command', 'command'],
]);

function readGroup(reading: RuleReading): Rule {
  const { cut, head, restricts } = reading;
  const group = groupNames.find((known) => `@${known}` === cut.name);
  if (group === undefined) {
    const classes = Object.keys(commandClasses);
    if (classes.includes(cut.name))
      fail(reading, 'E_RULE_UNKNOWN_GROUP', `${cut.name} is a class of commands`, `Write Bash(${cut.name}).`);
    const meant = nearest(
      cut.name,
      groupNames.map((known) => `@${known}`),
    );
    fail(
      reading,
      'E_RULE_UNKNOWN_GROUP',
      `there is no group ${cut.name}`,
      meant === null ? `Groups are @${groupNames.join(', @')}.` : `Did you mean ${meant}?`,
    );
  }
  if (cut.inner !== null && cut.inner !== '*') {
    const instead = group === 'edit' ? 'Write' : group === 'read' ? 'Read' : group === 'command' ? 'Bash' : 'a tool';
    failInner(reading, 'E_RULE_GROUP_SPECIFIER', `${cut.name} takes nothing in parentheses`, `Write ${instead}(${cut.inner}).`);
  }
  const access = groupAccess.get(group);
  return restricts && access !== undefined
    ? { ...head, kind: 'every', access, tool: null, group }
    : { ...head, kind: 'group', group };
}

function readNameGlob(reading: RuleReading): Rule {
  const { cut, head, restricts } = reading;
  if (cut.inner !== null && cut.inner !== '*')
    failInner(
      reading,
      'E_RULE_GLOB_SPECIFIER',
      'a pattern of names takes nothing in parentheses',
      'Write one rule for each tool.',
    );
  if (!restricts) {
    fail(
      reading,
      'E_RULE_ALLOW_GLOB',
      `${cut.name} would allow tools that are not named`,
      'In allow, write a * only after a whole server name: mcp__server__get_*.',
    );
  }
  if (!/^[A-Za-z0-9_*-]+$/.test(cut.name))
    fail(
      reading,
      'E_RULE_FORM',
      `${cut.name} is not a pattern of tool names`,
      'Names have letters, digits, _ and -; * stands for any of them.',
    );
  const glob = readGlob(reading, cut.name);
  const known = [...toolNames, ...oldNames.keys(), ...goneNames];
  // The pattern may be meant for MCP tools, and the names of these are not known here.
  if (!couldBeMcp(cut.name) && !known.some((name) => matchesText(glob, name))) {
    const meant = nearest(cut.name.replaceAll('*', ''), toolNames);
    fail(
      reading,
      'E_RULE_UNKNOWN_TOOL',
      `${cut.name} matches no tool`,
      meant === null ? 'Write the name of a tool.' : `Did you mean ${meant}?`,
    );
  }
  return { ...head, kind: 'tool-glob', glob, bare: [...everyAccess].filter(([name]) => matchesText(glob, name)) };
}

function couldBeMcp(glob: string): boolean {
  const lead = glob.slice(0, glob.indexOf('*'));
  return lead.startsWith('mcp__') || 'mcp__'.startsWith(lead);
}

const mcpName = /^mcp__[A-Za-z0-9_.-]+$/;
const isServer = (name: string): boolean => mcpName.test(name) && !name.slice('mcp__'.length).includes('__');

function readMcp(reading: RuleReading): Rule {
  const { cut, head, restricts } = reading;
  const inner = cut.inner === '*' ? null : cut.inner;
  if (cut.inner === '@read-only' && (cut.name === 'mcp__*' || isServer(cut.name)))
    return {
      ...head,
      kind: 'tool',
      name: readOnlyKey(cut.name === 'mcp__*' ? null : clientName(cut.name.slice('mcp__'.length))),
    };
  const server = /^(mcp__[A-Za-z0-9_.-]*?[A-Za-z0-9.-])__\*$/.exec(cut.name)?.[1] ?? null;
  if (cut.name.includes('*') && server === null) {
    if (inner !== null)
      failInner(
        reading,
        'E_RULE_GLOB_SPECIFIER',
        'a pattern of names takes nothing in parentheses',
        'Write one rule for each tool.',
      );
    if (restricts) return readNameGlob(reading);
    if (!/^mcp__(?=[A-Za-z0-9_.*-]+$)[A-Za-z0-9_.-]*?[A-Za-z0-9.-]__.+$/.test(cut.name)) {
      fail(
        reading,
        'E_RULE_ALLOW_GLOB',
        `${cut.name} would allow servers that are not named`,
        'In allow, write a * only after a whole server name: mcp__server__get_*.',
      );
    }
    return { ...head, kind: 'tool-glob', glob: readGlob(reading, cut.name), bare: [] };
  }
  if (server === null && !mcpName.test(cut.name))
    fail(
      reading,
      'E_RULE_FORM',
      `${cut.name} is not the name of an MCP tool`,
      'Write mcp__server or mcp__server__tool; names have letters, digits, _, - and a dot.',
    );
  const key = clientName(server ?? cut.name);
  if (cut.name.includes('.')) {
    const written = clientName(cut.name.replace(/__\*$/, ''));
    reading.warn('W_RULE_READ_AS', `the client writes _ for a dot in names of MCP tools`, `Write ${written}.`);
  }
  if (inner !== null) return readArgument(reading, server === null ? key : serverKey(key.slice('mcp__'.length)), inner);
  const wholeServer = server !== null || !cut.name.slice('mcp__'.length).includes('__');
  return wholeServer ? { ...head, kind: 'server', server: key } : { ...head, kind: 'tool', name: key };
}

/** Globs are parsed as in allow, where a doubtful pattern matches less. The evaluator that runs the expressions checks them. */
function readOutside(head: RuleHead, { globs, expressions }: FileSet, home: string): ParsedRule {
  const rule: OutsideRule = { ...head, kind: 'outside', paths: [], expressions: expressions.map(({ text }) => text) };
  const warnings: Problem[] = [];
  for (const { text, source } of globs) {
    const problem = (severity: Problem['severity'], code: string, message: string, remedy: string, at: number): Problem => ({
      code,
      severity,
      message,
      remedy,
      file: source.file,
      line: source.line,
      column: source.column + 1 + at,
      length: Math.max(1, text.length - at),
    });
    const read = parsePathPattern(text, { home, restricts: false });
    if ('problem' in read) {
      const { message, remedy, at } = read.problem;
      return { problem: problem('error', 'E_RULE_PATH', message, remedy, at) };
    }
    rule.paths.push(...read.patterns);
    for (const { message, remedy, at } of read.warnings) warnings.push(problem('warning', 'W_RULE_PATH', message, remedy, at));
  }
  return { rule, warnings };
}
