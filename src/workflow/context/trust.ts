// What trusting a configuration would open, and what it changes, for a person to read before saying yes.
import { createHash } from 'node:crypto';
import { legible } from '../../config/text.ts';
import type { Known } from '../../engine/prepared.ts';
import type { Source } from '../../model/problem.ts';
import type { Content } from '../../store/snapshots.ts';

/** A content and what is known of it. */
export interface Told {
  known: Known;
  content: Content;
}

/** Lines shown of a difference where nobody is asked. */
const maxLines = 80;
/** Longest line there, characters. */
const maxLine = 240;

/**
 * Hash, then what changes against the content before it, or, where there is none, what it opens: what the project's own rules allow, by
 * mode, and all else that is said beside its rules. Nothing is left out or cut: it is what a person says yes to.
 */
export function trustText(told: Told, before: Told | null): string {
  return [told.known.hash, ...(before === null ? opened(told) : changes(before, told))].join('\n');
}

function opened({ known, content }: Told): string[] {
  const allowing = [...known.settings].flatMap(([name, { rules }]) => {
    const allow = rules.filter(({ effect, layer }) => effect === 'allow' && (layer === 'project' || layer === 'local'));
    return allow.length === 0 ? [] : [`${name} allows ${legible(allow.map(({ text }) => text).join(', '))}`];
  });
  return [...allowing, ...new Set([...keyLines(known), ...policyLines({ known, content })])];
}

/** The same as `changes`, bounded. */
export function differences(before: Told, after: Told): string[] {
  const all = changes(before, after);
  const lines = all.slice(0, maxLines).map((line) => (line.length > maxLine ? `${line.slice(0, maxLine)}…` : line));
  return all.length > maxLines ? [...lines, `… and ${all.length - maxLines} more lines`] : lines;
}

/** Every rule, edge, key and policy that one of the two has alone: `- ` what goes, `+ ` what comes. */
function changes(before: Told, after: Told): string[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const gone = [...old].filter((line) => !fresh.has(line)).map((line) => `- ${line}`);
  const come = [...fresh].filter((line) => !old.has(line)).map((line) => `+ ${line}`);
  // Beside each other: what stands in one file, what goes before what comes.
  const all = [...gone, ...come].sort((one, other) => compare(fileOf(one), fileOf(other)));
  return all.length === 0 ? ['Only wording and comments differ.'] : all;
}

const fileOf = (line: string): string => line.slice(2).split(': ')[0] ?? '';
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** A content as lines `file: what`, each once. */
function linesOf(told: Told): Set<string> {
  return new Set([...ruleLines(told.known), ...keyLines(told.known), ...policyLines(told)]);
}

const lineOf = (file: string, ...words: string[]): string => legible(`${file}: ${words.join(' ').trim()}`);

function ruleLines({ settings }: Known): string[] {
  return [...settings].flatMap(([mode, { rules, defaults }]) => [
    // The name of a settings file says which mode it is for; modes.yaml is for all of them.
    ...rules.map(({ effect, text, source: { file } }) =>
      file.endsWith('.yaml') ? lineOf(file, mode, effect, text) : lineOf(file, effect, text),
    ),
    ...defaults.map(({ value, source }) => lineOf(source.file, 'default', value)),
  ]);
}

/** What modes.yaml says beside rules and prose; commands and arguments of every layer, whosever modes these are. */
function keyLines({ topology, commands, arguments: declared }: Known): string[] {
  if (topology === null) return [];
  const { modes, name: _, commands: _commands, arguments: _arguments, ...rest } = topology;
  const file = [...modes.values()][0]?.source.file ?? 'modes.yaml';
  const lines = keysOf(rest).map(([key, text]) => lineOf(file, key, text));
  for (const { trusted, ...command } of commands) lines.push(lineOf('commands', written(command)));
  for (const { trusted, ...one } of declared) lines.push(lineOf('arguments', written(one)));
  for (const mode of modes.values()) {
    lines.push(lineOf(file, 'mode', mode.name));
    for (const { to, source, ...gate } of mode.transitions)
      lines.push(lineOf(source.file, `${mode.name} → ${to}`, written(gate)));
    // Prose widens nothing, and groups are among the rules.
    const { name, source, transitions, title, description, role, whenToUse, promptPrefix, groups, context, ...keys } = mode;
    for (const [key, text] of keysOf(keys)) if (text !== '"enforce"') lines.push(lineOf(file, mode.name, key, text));
  }
  return lines;
}

function policyLines({ known, content }: Told): string[] {
  const policies = new Set(known.policies);
  return content
    .flatMap(({ files }) => files.filter(({ name }) => policies.has(name)))
    .map(({ name, text }) => lineOf(name, 'policy', createHash('sha256').update(text).digest('hex')));
}

/** Those that say anything. */
function keysOf(keys: object): [key: string, text: string][] {
  return Object.entries(keys)
    .map(([key, value]): [string, string] => [key, written(value)])
    .filter(([, text]) => text !== '');
}

/** As JSON, without places in files and without what is not there. */
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
