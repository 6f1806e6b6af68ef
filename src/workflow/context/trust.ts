// The text that a person reads before trusting a configuration: what it would allow, and what it changes.

import { legible } from '../../config/text.ts';
import type { LoadedRules } from '../../engine/prepared.ts';
import type { Source } from '../../model/problem.ts';
import type { Requirement } from '../../model/requirement.ts';
import { hexHash } from '../../platform/hash.ts';
import type { ConfigSnapshot } from '../../store/snapshots.ts';

/** A content and its parsed form. */
export interface TrustedContent {
  known: LoadedRules;
  content: ConfigSnapshot;
}

/** Limit on the lines of a difference that is shown without asking a person. */
const maxLines = 80;
/** Limit on a line there, in characters. */
const maxLine = 240;

/**
 * The hash that an approval covers, then the changes from `before`. Without `before`: what the project's own rules allow, by mode, and all keys besides
 * rules. Nothing is left out or cut, because this is what a person approves.
 */
export function trustText(after: TrustedContent, before: TrustedContent | null, approvalHash: string): string {
  return [approvalHash, ...(before === null ? opened(after) : changes(before, after))].join('\n');
}

function opened({ known: loadedRules, content: snapshot }: TrustedContent): string[] {
  const allowing = [...loadedRules.settings].flatMap(([name, { rules }]) => {
    const allow = rules.filter(({ effect, layer }) => effect === 'allow' && (layer === 'project' || layer === 'local'));
    return allow.length === 0 ? [] : [`${name} allows ${legible(allow.map(({ text }) => text).join(', '))}`];
  });
  return [
    ...allowing,
    ...joined([...new Set([...keyLines(loadedRules), ...policyLines({ known: loadedRules, content: snapshot })])]),
  ];
}

/** Ends the line of a tool that only reads. */
const reads = ' only reads';

/** The lines, with those about tools of one server that only read as one line. */
function joined(lines: readonly string[]): string[] {
  const byServer = new Map<string, string[]>();
  for (const line of lines) {
    const [, server, tool] = line.endsWith(reads) ? (/^arguments: (mcp__.+?)__(.+) only reads$/.exec(line) ?? []) : [];
    const key = server === undefined ? line : server;
    byServer.set(key, [...(byServer.get(key) ?? []), tool ?? '']);
  }
  return [...byServer].map(([key, tools]) =>
    tools[0] === '' ? key : `${key}: these tools only read and need no question: ${tools.join(', ')}`,
  );
}

/** Like `changes`, with limits. */
export function differences(before: TrustedContent, after: TrustedContent): string[] {
  const all = changes(before, after);
  const lines = all.slice(0, maxLines).map((line) => (line.length > maxLine ? `${line.slice(0, maxLine)}…` : line));
  return all.length > maxLines ? [...lines, `… and ${all.length - maxLines} more lines`] : lines;
}

/** Every rule, transition, key and policy that only one of the contents has: `- ` for removed, `+ ` for added. */
function changes(before: TrustedContent, after: TrustedContent): string[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const gone = [...old].filter((line) => !fresh.has(line)).map((line) => `- ${line}`);
  const come = [...fresh].filter((line) => !old.has(line)).map((line) => `+ ${line}`);
  // Group lines of the same file, removed before added.
  const all = [...gone, ...come].sort((one, other) => compare(fileOf(one), fileOf(other)));
  return all.length === 0 ? ['Only wording and comments differ.'] : all;
}

const fileOf = (line: string): string => line.slice(2).split(': ')[0] ?? '';
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** A content as unique lines `file: text`. */
function linesOf(config: TrustedContent): Set<string> {
  return new Set([...ruleLines(config.known), ...keyLines(config.known), ...policyLines(config)]);
}

const lineOf = (file: string, ...words: string[]): string => legible(`${file}: ${words.join(' ').trim()}`);

function ruleLines({ settings }: LoadedRules): string[] {
  return [...settings].flatMap(([mode, { rules, defaults, uncertain = [] }]) => [
    // The name of a settings file contains its mode, but modes.yaml is for all modes.
    ...rules.map(({ effect, text, source: { file } }) =>
      file.endsWith('.yaml') ? lineOf(file, mode, effect, text) : lineOf(file, effect, text),
    ),
    ...defaults.map(({ value, source }) => lineOf(source.file, 'default', value)),
    ...uncertain.map(({ value, source }) => lineOf(source.file, 'uncertain', value)),
  ]);
}

/**
 * The keys of modes.yaml besides rules and prose. Commands and arguments of every layer are included, even if another layer
 * defines the modes.
 */
function keyLines({ topology, commands, arguments: declared }: LoadedRules): string[] {
  if (topology === null) return [];
  const { modes, name: _, commands: _commands, arguments: _arguments, ...rest } = topology;
  const file = [...modes.values()][0]?.source.file ?? 'modes.yaml';
  const lines = keysOf(rest).map(([key, text]) => lineOf(file, key, text));
  for (const { trusted, ...command } of commands) lines.push(lineOf('commands', written(command)));
  for (const { tool, readsOnly, listedBy, roles = [] } of declared) {
    const named = Object.fromEntries(roles.map(({ argument, role }) => [argument, role]));
    if (listedBy !== undefined)
      lines.push(lineOf('servers', listedBy.server, listedBy.server === listedBy.kind ? '' : `has the kind ${listedBy.kind}`));
    else lines.push(lineOf('arguments', readsOnly ? `${tool}${reads}` : `${tool}: ${written(named)}`));
  }
  for (const mode of modes.values()) {
    lines.push(lineOf(file, 'mode', mode.name));
    for (const { to, source, ...gate } of mode.transitions)
      lines.push(lineOf(source.file, `${mode.name} → ${to}`, written({ ...gate, require: gate.require.map(requirementKeys) })));
    // Prose cannot weaken a rule, and groups are already among the rules.
    const { name, source, transitions, title, description, role, whenToUse, promptPrefix, groups, context, ...keys } = mode;
    for (const [key, text] of keysOf(keys)) if (text !== 'enforce') lines.push(lineOf(file, mode.name, key, text));
  }
  return lines;
}

function policyLines({ known: rules, content: snapshot }: TrustedContent): string[] {
  const policies = new Set(rules.policies);
  return snapshot
    .flatMap(({ files }) => files.filter(({ name }) => policies.has(name)))
    .map(({ name, text }) => lineOf(name, 'policy', hexHash(text)));
}

/** The keys with a value. */
function keysOf(keys: object): [key: string, text: string][] {
  return Object.entries(keys)
    .map(([key, value]): [string, string] => [key, written(value)])
    .filter(([, text]) => text !== '');
}

/** In the form of modes.yaml, on one line, without source positions and empty values. */
function written(value: unknown): string {
  if (value instanceof Map) return written(Object.fromEntries(value));
  if (Array.isArray(value)) return value.length === 0 ? '' : `[${value.map(written).join(', ')}]`;
  if (typeof value === 'string') return isPlain(value) ? value : JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return value === null || value === undefined ? '' : String(value);
  const keys = Object.entries(value).filter(([key, inner]) => !(key === 'source' && isSource(inner)));
  const texts = keys.map(([key, inner]) => [key, written(inner)]).filter(([, text]) => text !== '');
  return texts.length === 0 ? '' : `{${texts.map(([key, text]) => `${key}: ${text}`).join(', ')}}`;
}

/** A text that needs no quotes and cannot be mistaken for a number or another value. */
function isPlain(text: string): boolean {
  const isOther = /^(?:true|false|null|yes|no|on|off|[\d.eE+-]+)$/i.test(text);
  return !isOther && text.trim() === text && /^[\p{L}\p{N}_./@*$][^\p{C}"'{}[\],:#\\]*$/u.test(text);
}

/** A requirement under the keys that a person writes. */
function requirementKeys({ source: _, ...one }: Requirement): object {
  switch (one.check) {
    case 'passes':
    case 'fails':
    case 'run':
    case 'review': {
      const { check, command, ...more } = one;
      return { [check]: command, ...seconds(more) };
    }
    case 'tests': {
      const { check, demand, ...more } = one;
      return { tests: { ...seconds(more), demand } };
    }
    case 'changed':
    case 'unchanged':
      return { [one.check]: one.globs };
    case 'file':
      return { file: one.path, exists: one.exists ? null : false, contains: one.contains };
    case 'git':
      return one.clean ? { git: 'clean', branch: one.branch } : { branch: one.branch };
    case 'agent':
      return { agent: one.type };
    case 'policy':
      return { policy: one.name };
    case 'plan':
      return { plan: one.state };
    case 'after':
      return { after: `${one.time / 1000} s` };
  }
}

function seconds<T extends object>({ timeout, unsandboxed, ...more }: T & { timeout?: number; unsandboxed?: boolean }): object {
  return { ...more, ...(timeout !== undefined && { timeout: `${timeout / 1000} s` }), ...(unsandboxed && { unsandboxed }) };
}

function isSource(value: unknown): value is Source {
  return typeof value === 'object' && value !== null && 'line' in value && 'column' in value;
}
