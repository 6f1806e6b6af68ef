// What trusting a configuration would open, and what it changes, for a person to read before saying yes.
import { createHash } from 'node:crypto';
import type { Content } from '../config/contents.ts';
import type { Source } from '../config/problem.ts';
import type { Known } from '../decide/prepared.ts';

/** A content and what is known of it. */
export interface Told {
  known: Known;
  content: Content;
}

/** Allow lines shown of one mode, and lines of a difference. */
const shown = 12;
const maxLines = 80;
/** Longest line, characters. */
const maxLine = 240;

/** Hash, then what changes against the content before it, or, where there is none, what it opens: allow lines by mode, policies. */
export function trustText({ known, content }: Told, before: Told | null): string {
  if (before !== null) return [known.hash, ...differences(before, { known, content })].join('\n');
  const lines = [known.hash];
  for (const [name, settings] of known.settings) {
    const allow = settings.rules.filter((rule) => rule.effect === 'allow').map((rule) => rule.text);
    if (allow.length > 0)
      lines.push(
        `${name} allows ${allow.slice(0, shown).join(', ')}${allow.length > shown ? ` and ${allow.length - shown} more` : ''}`,
      );
  }
  for (const { name, enforcement } of known.topology?.modes.values() ?? [])
    if (enforcement !== 'enforce') lines.push(`${name} weakens its rules: enforcement ${enforcement}`);
  for (const policy of known.policies) lines.push(`policy ${policy}`);
  return lines.join('\n');
}

/** Every rule, edge, key and policy that one of the two has alone: `- ` what goes, `+ ` what comes. Bounded. */
export function differences(before: Told, after: Told): string[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const gone = [...old].filter((line) => !fresh.has(line)).map((line) => `- ${line}`);
  const come = [...fresh].filter((line) => !old.has(line)).map((line) => `+ ${line}`);
  // Beside each other: what stands in one file, what goes before what comes.
  const all = [...gone, ...come].sort((one, other) => compare(fileOf(one), fileOf(other)));
  if (all.length === 0) return ['Only wording and comments differ.'];
  const lines = all.slice(0, maxLines).map((line) => (line.length > maxLine ? `${line.slice(0, maxLine)}…` : line));
  return all.length > maxLines ? [...lines, `… and ${all.length - maxLines} more lines`] : lines;
}

const fileOf = (line: string): string => line.slice(2).split(': ')[0] ?? '';
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** A content as lines `file: what`, each once. */
function linesOf({ known, content }: Told): Set<string> {
  const lines = new Set<string>();
  const add = (file: string, ...words: string[]): void =>
    void lines.add(`${file}: ${words.join(' ').replace(/\s+/g, ' ').trim()}`);
  for (const { rules, defaults } of known.settings.values()) {
    for (const { effect, text, source } of rules) add(source.file, effect, text);
    for (const { value, source } of defaults) add(source.file, 'default', value);
  }
  const { topology } = known;
  if (topology !== null) {
    const { modes, name: _, ...rest } = topology;
    const file = [...modes.values()][0]?.source.file ?? 'modes.yaml';
    for (const [key, value] of Object.entries(rest)) add(file, key, written(value));
    for (const mode of modes.values()) {
      add(file, 'mode', mode.name);
      for (const { to, source, ...gate } of mode.transitions) add(source.file, `${mode.name} → ${to}`, written(gate));
      // Prose widens nothing, and groups are among the rules.
      const { name, source, transitions, title, description, role, whenToUse, promptPrefix, groups, context, ...keys } = mode;
      for (const [key, value] of Object.entries(keys)) {
        const text = written(value);
        if (text !== '' && value !== 'enforce') add(file, mode.name, key, text);
      }
    }
  }
  const policies = new Set(known.policies);
  for (const { name, text } of content.flatMap(({ files }) => files))
    if (policies.has(name)) add(name, 'policy', createHash('sha256').update(text).digest('hex').slice(0, 12));
  return lines;
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
