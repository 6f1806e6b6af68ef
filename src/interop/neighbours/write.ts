// Files of the configuration as text: modes.yaml, settings with what is there already.
import { applyEdits, modify, parse } from 'jsonc-parser';
import { stringify } from 'yaml';
import { findUnseen } from '../../config/text.ts';
import type { Permissions } from './types.ts';

const SCHEMA = 'https://unpkg.com/claude-modes-mcp/schemas/settings.schema.json';
const formattingOptions = { insertSpaces: true, tabSize: 2 };
const effects = ['allow', 'ask', 'deny'] as const;

/** `note` stands above it, a line. */
export function modesYaml(value: object, note: string): string {
  return `# ${note}\n${stringify(seenIn(value), { lineWidth: 0, aliasDuplicateObjects: false })}`;
}

function seenIn(value: unknown): unknown {
  if (typeof value === 'string') return seenOnly(value);
  if (Array.isArray(value)) return value.map(seenIn);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, seenIn(one)]));
}

/** Characters that cannot be seen are refused in a configuration: joiners in a picture, marks of direction. */
export function seenOnly(text: string): string {
  let seen = text;
  for (let at = findUnseen(seen); at >= 0; at = findUnseen(seen))
    seen = seen.slice(0, at) + seen.slice(at + String.fromCodePoint(seen.codePointAt(at) as number).length);
  return seen;
}

/** A settings file with these rules; those of `present`, its comments and everything else in it stay. */
export function settingsWith(present: string | null, { default: fallback, ...lists }: Permissions): string {
  let text = present ?? `{\n  "$schema": "${SCHEMA}",\n  "permissions": {}\n}\n`;
  const there = (parse(text) as { permissions?: Record<string, unknown> } | undefined)?.permissions ?? {};
  if (fallback !== undefined && there.default === undefined)
    text = applyEdits(text, modify(text, ['permissions', 'default'], fallback, { formattingOptions }));
  for (const effect of effects) {
    const before = Array.isArray(there[effect]) ? (there[effect] as unknown[]) : [];
    const missing = (lists[effect] ?? []).filter((rule, at, all) => !before.includes(rule) && all.indexOf(rule) === at);
    for (const [at, rule] of missing.entries()) {
      const path = before.length + at === 0 ? ['permissions', effect] : ['permissions', effect, before.length + at];
      text = applyEdits(text, modify(text, path, before.length + at === 0 ? [rule] : rule, { formattingOptions }));
    }
  }
  return text;
}
