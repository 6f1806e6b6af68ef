// Imports the permissions of the client's own settings as the rules of one mode. The client's file is not changed.

import path from 'node:path';
import { stringify } from 'yaml';
import { objectOf } from '../../app/setup/step.ts';
import { EXCEPTION } from '../../config/rule-quota.ts';
import { findUnseen } from '../../config/text.ts';
import type { Effect } from '../../model/configuration.ts';
import { isObject } from '../../platform/json-object.ts';
import { insteadOf } from '../../platform/nearest-name.ts';
import { realOr } from '../../platform/stat.ts';
import { type ParsedRule, parseRule } from '../../rules/parse.ts';
import { whyWideRule } from '../../rules/wide.ts';
import { readText } from './disk.ts';
import type { Fault, Left, NewFile, NotImported, Permissions, Transfer } from './types.ts';
import { settingsFile } from './write.ts';

const FILES = [
  ['.claude/settings.json', ''],
  ['.claude/settings.local.json', '.local'],
] as const;
const effects = ['allow', 'ask', 'deny'] as const satisfies Effect[];

/** Forms of allow rules that allow the same here as in the client. All other forms mean something else here. */
const SAME: readonly RegExp[] = [
  /^[A-Z][A-Za-z]*$/,
  /^[A-Z][A-Za-z]*\(\*\)$/,
  /^(Bash|Monitor)\((?!@)[\s\S]+\)$/,
  /^(Read|Edit)\([^{}]+\)$/,
  /^WebFetch\(domain:[^)]+\)$/,
  /^(Agent|Task|Skill)\([^)]+\)$/,
  /^mcp__[\w.-]+(__\*)?$/,
];
const BRACES = /^(Read|Edit)\(.*(?<!\\)[{}]/;
const WHY: readonly (readonly [form: RegExp, why: string])[] = [
  [
    /^(Write|MultiEdit|NotebookEdit|Glob|Grep)\(/,
    'the client ignores a path in a rule for this tool; it matches paths only in Edit(…) and Read(…)',
  ],
  [/^@|\(@/, 'in the client @… is literal text, but here it is a group'],
  [BRACES, 'in the client braces are literal characters, but here they are alternatives'],
];

/** The client's permission modes that one of our modes can set, and the default that is equivalent to one of them. */
const MODES: Readonly<Record<string, { permissionMode?: string; default?: 'deny' }>> = {
  default: {},
  plan: { permissionMode: 'plan' },
  dontAsk: { default: 'deny' },
};

export interface ImportRequest {
  root: string;
  mode: string;
  home: string;
  /** The modes of the project; null if it has no modes.yaml. */
  modes: readonly string[] | null;
  /** Also imports allow lines that permit more than one kind of call. */
  isWideToo: boolean;
}

/** Reads both settings files of the project. Rules of settings.local.json go to the mode's local file. */
export function importClaudeSettings({ root, mode, home, modes, isWideToo }: ImportRequest): Transfer | NotImported {
  if (modes !== null && !modes.includes(mode))
    return { error: `There is no mode ${JSON.stringify(mode)}. ${insteadOf(mode, modes, 'Modes')}` };
  const left: Left[] = [];
  const faults: Fault[] = [];
  const sources: string[] = [];
  const files: NewFile[] = [];
  let permissionMode: string | null = null;
  for (const [name, local] of FILES) {
    const read = readText(root, name);
    if (read === null) continue;
    const value = 'text' in read ? objectOf(read.text) : null;
    if (value === null) {
      faults.push({ at: name, what: 'wrong' in read ? read.wrong : 'it is not a JSON object' });
      continue;
    }
    sources.push(name);
    const { found, goesWith } = readPermissions(value.permissions, { at: name, home, left, isWideToo });
    permissionMode ??= goesWith;
    if (Object.keys(found).length > 0) files.push(settingsFile(root, `.claude/settings.${mode}${local}.json`, found));
  }
  if (sources.length === 0)
    return {
      error:
        faults[0] === undefined
          ? `There is no ${FILES[0][0]} in ${root}. Go to the folder of a project that has it.`
          : `${faults[0].at}: ${faults[0].what}. Fix it first.`,
    };
  if (files.length === 0)
    return { error: `${sources.join(' and ')}: no permissions that a mode could have, so there is nothing to import.` };
  for (const at of sources)
    left.push({
      at,
      what: 'it is unchanged, and the client still applies it in every mode',
      instead: `If only ${mode} should have its permissions, remove them there.`,
    });
  if (modes === null) files.push(topologyOf(mode, permissionMode));
  else if (permissionMode !== null)
    left.push({
      at: mode,
      what: `defaultMode ${permissionMode}`,
      instead: `Write permissionMode: ${permissionMode} under ${mode} in modes.yaml.`,
    });
  return { sources, files, left, faults };
}

function topologyOf(mode: string, permissionMode: string | null): NewFile {
  const body = permissionMode === null ? null : { permissionMode };
  const text = stringify({ name: 'project', default: mode, modes: { [mode]: body } }, { nullStr: '' });
  return { name: '.claude/modes.yaml', text: `# One mode, with the permissions of the client's own settings.\n${text}` };
}

interface SettingsContext {
  at: string;
  home: string;
  left: Left[];
  isWideToo: boolean;
}

function readPermissions(value: unknown, reading: SettingsContext): { found: Permissions; goesWith: string | null } {
  const { at, left } = reading;
  const permissions: Permissions = {};
  let goesWith: string | null = null;
  const fields = isObject(value) ? value : {};
  for (const [key, one] of Object.entries(fields)) {
    const effect = effects.find((each) => each === key);
    if (effect !== undefined) {
      const rules = (Array.isArray(one) ? one : [one]).flatMap((rule) => ruleOf(rule, effect, reading));
      if (rules.length > 0) permissions[effect] = rules;
    } else if (key === 'defaultMode' && typeof one === 'string' && Object.hasOwn(MODES, one)) {
      const known = MODES[one];
      if (known?.default !== undefined) permissions.default = known.default;
      goesWith = known?.permissionMode ?? null;
    } else
      left.push({
        at,
        what: `${key}: ${JSON.stringify(one)}`,
        instead:
          key === 'additionalDirectories'
            ? 'Writes outside the project need approval. To allow writes to a folder, add Edit(//folder/**) to allow.'
            : 'It still applies in the client, and allows nothing here.',
      });
  }
  return { found: permissions, goesWith };
}

/** The rule as written, a broader deny if it cannot be parsed, or no rule. */
function ruleOf(rule: unknown, effect: Effect, { at, home, left, isWideToo }: SettingsContext): string[] {
  const leave = (what: string, instead: string): string[] => {
    left.push({ at, what: `${effect} ${typeof rule === 'string' ? rule : JSON.stringify(rule)}: ${what}`, instead });
    return [];
  };
  if (typeof rule !== 'string') return leave('it is not a string', 'It was left out.');
  const text = rule.trim();
  // Our own tools need no rule: they are allowed as far as they may be.
  if (/^mcp__plugin_modes_modes__(status|transition)$/.test(text) && effect === 'allow') return [];
  const wrong = problemOf(effect === 'allow' ? rule : text, effect, home);
  if (effect === 'allow') {
    const why = WHY.find(([form]) => form.test(text))?.[1];
    if (why !== undefined) return leave(why, 'It allows nothing here.');
    if (wrong === null && SAME.some((form) => form.test(text))) {
      const wide = isWideToo ? null : wideOf(text, home);
      return wide === null ? [text] : leave(`it allows far more than one kind of call: ${wide}`, 'Add --wide to import it.');
    }
    return leave(wrong ?? 'it does not allow the same calls here as in the client', 'It allows nothing here.');
  }
  if (wrong === null) return [withoutExceptions(text, effect, home)];
  const [tool] = /^[A-Za-z][\w-]*/.exec(text) ?? [];
  if (tool === undefined || problemOf(tool, effect, home) !== null) return leave(wrong, 'It still applies in the client.');
  leave(wrong, `It was replaced with ${effect} ${tool}, which covers the whole tool.`);
  return [tool];
}

/** In the client, ` !` is part of a name. */
function withoutExceptions(text: string, effect: Effect, home: string): string {
  const read = parsed(text, effect, home);
  return 'rule' in read && 'except' in read.rule ? text.split(EXCEPTION).join(' \\!') : text;
}

/** null: it can be read. */
function problemOf(text: string, effect: Effect, home: string): string | null {
  if (findUnseen(text) >= 0) return 'it contains invisible characters';
  const read = parsed(text, effect, home);
  return 'problem' in read ? read.problem.message.replace(/\.$/, '') : null;
}

const parsed = (text: string, effect: Effect, home: string): ParsedRule =>
  parseRule({ text, effect, layer: 'project', source: { file: '', line: 1, column: 1 } }, 'r0', { home });

/** Why an allow rule permits more than one kind of call, or null. */
function wideOf(text: string, home: string): string | null {
  const read = parsed(text, 'allow', home);
  return 'rule' in read ? whyWideRule(read.rule) : null;
}

/** An allow line of the client's settings. */
export interface AllowLine {
  /** Its file, as shown to a person. */
  at: string;
  text: string;
  /** Part of the name of the mode's file that gets it. */
  suffix: '' | '.local';
  /** The rule that allows the same in a mode; null: there is none, and `why` gives the reason. */
  rule: string | null;
  why: string | null;
  /** Why it permits more than one kind of call, or null. */
  wide: string | null;
}

interface AllowLines {
  lines: AllowLine[];
  sources: string[];
  faults: Fault[];
}

/** Reads the allow lines of the project's settings files and of the person's own. The latter must not get into shared files. */
export function readAllowLines({ root, configFolder, home }: { root: string; configFolder: string; home: string }): AllowLines {
  const own = path.join(configFolder, 'settings.json');
  const files = [
    ...FILES.map(([name, suffix]) => ({ at: name, file: name, suffix, isOwn: false })),
    { at: own.startsWith(`${home}/`) ? own.replace(home, '~') : own, file: realOr(own), suffix: '.local' as const, isOwn: true },
  ];
  const all: AllowLines = { lines: [], sources: [], faults: [] };
  for (const { at, file, suffix, isOwn } of files) {
    const read = readText(root, file);
    if (read === null) continue;
    const value = 'text' in read ? objectOf(read.text) : null;
    if (value === null) {
      all.faults.push({ at, what: 'wrong' in read ? read.wrong : 'it is not a JSON object' });
      continue;
    }
    all.sources.push(at);
    const { permissions } = value;
    const allow = isObject(permissions) && Array.isArray(permissions.allow) ? permissions.allow : [];
    all.lines.push(...allow.flatMap((line) => (typeof line === 'string' ? lineOf(line, { at, suffix, isOwn, home }) : [])));
  }
  return all;
}

function lineOf(line: string, from: { at: string; suffix: '' | '.local'; isOwn: boolean; home: string }): AllowLine[] {
  const { at, suffix, isOwn, home } = from;
  const text = line.trim();
  const left: Left[] = [];
  const [rule = null] = ruleOf(line, 'allow', { at, home, left, isWideToo: true });
  if (rule === null && left.length === 0) return [];
  const why = isOwn && /^(Read|Edit)\(\/(?!\/)/.test(text) ? 'the client resolves its path from the folder of that file' : null;
  const unlike = why ?? left[0]?.what.replace(`allow ${text}: `, '') ?? null;
  return [
    { at, text, suffix, rule: unlike === null ? rule : null, why: unlike, wide: rule === null ? null : wideOf(rule, home) },
  ];
}
