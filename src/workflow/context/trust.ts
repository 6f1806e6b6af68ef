// The text that a person reads before trusting a configuration: what it would allow, and what it changes.
import { createHash } from 'node:crypto';
import { legible } from '../../config/text.ts';
import type { LoadedRules } from '../../engine/prepared.ts';
import type { Source } from '../../model/problem.ts';
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
export function trustText(told: TrustedContent, before: TrustedContent | null, seal: string): string {
  return [seal, ...(before === null ? opened(told) : changes(before, told))].join('\n');
}

function opened({ known, content }: TrustedContent): string[] {
  const allowing = [...known.settings].flatMap(([name, { rules }]) => {
    const allow = rules.filter(({ effect, layer }) => effect === 'allow' && (layer === 'project' || layer === 'local'));
    return allow.length === 0 ? [] : [`${name} allows ${legible(allow.map(({ text }) => text).join(', '))}`];
  });
  return [...allowing, ...new Set([...keyLines(known), ...policyLines({ known, content })])];
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
function linesOf(told: TrustedContent): Set<string> {
  return new Set([...ruleLines(told.known), ...keyLines(told.known), ...policyLines(told)]);
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
  for (const { trusted, listedBy, ...one } of declared) {
    if (listedBy !== undefined) lines.push(lineOf('servers', listedBy.server, `is of kind ${listedBy.kind}`));
    else if (one.readsOnly) lines.push(lineOf('servers', one.tool, 'only reads'));
    else lines.push(lineOf('arguments', written(one)));
  }
  for (const mode of modes.values()) {
    lines.push(lineOf(file, 'mode', mode.name));
    for (const { to, source, ...gate } of mode.transitions)
      lines.push(lineOf(source.file, `${mode.name} → ${to}`, written(gate)));
    // Prose cannot weaken a rule, and groups are already among the rules.
    const { name, source, transitions, title, description, role, whenToUse, promptPrefix, groups, context, ...keys } = mode;
    for (const [key, text] of keysOf(keys)) if (text !== '"enforce"') lines.push(lineOf(file, mode.name, key, text));
  }
  return lines;
}

function policyLines({ known, content }: TrustedContent): string[] {
  const policies = new Set(known.policies);
  return content
    .flatMap(({ files }) => files.filter(({ name }) => policies.has(name)))
    .map(({ name, text }) => lineOf(name, 'policy', createHash('sha256').update(text).digest('hex')));
}

/** The keys with a value. */
function keysOf(keys: object): [key: string, text: string][] {
  return Object.entries(keys)
    .map(([key, value]): [string, string] => [key, written(value)])
    .filter(([, text]) => text !== '');
}

/** As JSON, without source positions and empty values. */
function written(value: unknown): string {
  const text = JSON.stringify(value, (key, inner: unknown) => {
    if (key === 'source' && isSource(inner)) return undefined;
    if (inner instanceof Map) return Object.fromEntries(inner);
    if (inner === null || (Array.isArray(inner) && inner.length === 0)) return undefined;
    return inner;
  });
  return text === undefined || text === '{}' ? '' : text;
}

function isSource(value: unknown): value is Source {
  return typeof value === 'object' && value !== null && 'line' in value && 'column' in value;
}
