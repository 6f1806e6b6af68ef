// Writes configuration files as text: modes.yaml, and settings merged with existing ones.
import { applyEdits, modify } from 'jsonc-parser';
import { stringify } from 'yaml';
import { objectOf } from '../../app/setup/step.ts';
import { findUnseen } from '../../config/text.ts';
import type { ConfigSnapshot } from '../../store/snapshots.ts';
import { readText } from './disk.ts';
import type { NewFile, Permissions } from './types.ts';

const SCHEMA = 'https://unpkg.com/claude-modes-mcp/schemas/settings.schema.json';
const formattingOptions = { insertSpaces: true, tabSize: 2 };
const effects = ['allow', 'ask', 'deny'] as const;

/** `note` is one line that is written above the content. */
export function modesYaml(value: object, note: string): string {
  return `# ${note}\n${stringify(presentIn(value), { lineWidth: 0, aliasDuplicateObjects: false })}`;
}

function presentIn(value: unknown): unknown {
  if (typeof value === 'string') return presentOnly(value);
  if (Array.isArray(value)) return value.map(presentIn);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, presentIn(one)]));
}

/** Removes invisible characters, which a configuration refuses, such as joiners in an emoji and direction marks. */
export function presentOnly(text: string): string {
  let visible = text;
  for (let at = findUnseen(visible); at >= 0; at = findUnseen(visible))
    visible = visible.slice(0, at) + visible.slice(at + String.fromCodePoint(visible.codePointAt(at) as number).length);
  return visible;
}

/** A settings file of the project with these rules added. Its own rules, its comments and everything else are kept. */
export function settingsFile(root: string, name: string, rules: Permissions): NewFile {
  const present = readText(root, name);
  return { name, text: settingsWith(present !== null && 'text' in present ? present.text : null, rules) };
}

/** Returns a text unchanged if these rules cannot be added to it: a person must fix it first. */
export function settingsWith(present: string | null, { default: fallback, ...lists }: Permissions): string {
  let text = present === null || present.trim() === '' ? `{\n  "$schema": "${SCHEMA}",\n  "permissions": {}\n}\n` : present;
  const there = permissionsIn(text);
  if (there === null) return text;
  if (fallback !== undefined && isStricter(fallback, there.default))
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

/** null: not the content of a settings file. */
function permissionsIn(text: string): Record<string, unknown> | null {
  const { permissions = {} } = objectOf(text) ?? { permissions: null };
  if (typeof permissions !== 'object' || permissions === null || Array.isArray(permissions)) return null;
  const there = permissions as Record<string, unknown>;
  return effects.every((effect) => there[effect] === undefined || Array.isArray(there[effect])) ? there : null;
}

const defaults: readonly unknown[] = ['pass', 'ask', 'deny'];
/** An existing default is changed only if the new one is more restrictive. */
const isStricter = (fallback: string, present: unknown): boolean =>
  present === undefined || (defaults.includes(present) && defaults.indexOf(fallback) > defaults.indexOf(present));

/** The current content with these files of the project added. */
export function withFiles(present: ConfigSnapshot, files: readonly NewFile[]): ConfigSnapshot {
  return present.map((sources) => {
    if (sources.layer !== 'project') return sources;
    const byName = new Map([...sources.files, ...files].map((file) => [file.name, file]));
    return { ...sources, files: [...byName.values()], vanished: false, signature: '' };
  });
}
