// Exports the rules of a mode as readable Rego. Together with the core, it gives the same verdicts as the mode.
import type { RulesData } from '../rules/index-data.ts';

/** A rule as written, with its place. */
export interface ExportedRule {
  id: string;
  effect: string;
  text: string;
  source: { file: string; line: number; column: number };
}

/** Tables that contain lists of rule ids by key. */
const TABLES = ['reads', 'writes', 'outside', 'commands', 'allowed', 'tools', 'agents', 'skills', 'domains', 'params'] as const;
/** Properties by rule id. */
const PROPERTIES = ['effect', 'layer', 'strength', 'naming', 'only', 'bases', 'loose', 'except'] as const;

const LEGEND = `# Prefixes of path keys: = the path itself, < everything below it, / a component with that name, > a folder with that name,
# * or . the end of a name. Prefixes of command keys: = the whole command, > its first words, @ its class, * any command.`;

/** The module \`rules\`, which replaces the base document data.rules. */
export function exportRules(data: RulesData, rules: readonly ExportedRule[], mode: string): string {
  const entries = new Map<string, string[]>();
  const add = (id: string, line: string) => entries.set(id, [...(entries.get(id) ?? []), line]);
  for (const property of PROPERTIES)
    for (const [id, value] of Object.entries(data[property] ?? {})) add(id, `${property}${step(id)} := ${JSON.stringify(value)}`);
  for (const table of TABLES) addTable(data[table], table, add);
  const known = new Map(rules.map((rule) => [rule.id, rule]));
  const blocks = [...entries].map(([id, lines]) => {
    const rule = known.get(id);
    const head =
      rule === undefined ? `# ${id}` : `# ${rule.effect} ${clean(rule.text)}\n# ${clean(rule.source.file)}:${rule.source.line}`;
    return `${head}\n${lines.join('\n\n')}`;
  });
  const top = [
    `# METADATA\n# title: The rules of ${mode}\n# description: >-\n#   Written by modes policy export. With the core in package modes, data.modes.verdict is the verdict of the mode.\npackage rules`,
    LEGEND,
    'version := 1',
    `trusted := ${data.trusted}`,
    ...(data.guards_writes === undefined ? [] : [`guards_writes := ${data.guards_writes}`]),
    ...Object.entries(data.lifts).map(([value, strength]) => `lifts.${value} := ${strength}`),
    ...Object.entries(data.policies ?? {}).map(([name, strength]) => `policies${step(name)} := ${strength}`),
  ];
  return `${[...top, ...blocks].join('\n\n')}\n`;
}

/** Visits all lists of rule ids and adds a line for each. */
function addTable(value: unknown, path: string, add: (id: string, line: string) => void): void {
  if (Array.isArray(value)) {
    for (const item of value as (string | { id: string })[])
      add(typeof item === 'string' ? item : item.id, `${path} contains ${JSON.stringify(item)}`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, below] of Object.entries(value)) addTable(below, `${path}${step(key)}`, add);
  }
}

const step = (key: string) => (/^[A-Za-z_]\w*$/.test(key) && !RESERVED.has(key) ? `.${key}` : `[${quote(key)}]`);
const RESERVED = new Set([
  'as',
  'default',
  'else',
  'every',
  'false',
  'import',
  'in',
  'not',
  'null',
  'package',
  'some',
  'true',
  'with',
  'if',
  'contains',
]);
const quote = (text: string) => JSON.stringify(text);

/** A text as one line of a comment. */
function clean(text: string): string {
  return text.replace(/[\r\n\u2028\u2029]+/g, ' ');
}
