// settings.<mode>.json: its schema, and its rules as text with their places.
import * as z from 'zod/mini';

import type { ConfigFile, Layer, ModeSettings, RuleText } from '../model/configuration.ts';
import type { Problem } from '../model/problem.ts';
import { checkSchema } from './check.ts';
import { parseJson } from './json.ts';
import { getEntry, getItems, getText } from './node.ts';
import { advise, FILLED, optional, record, TO_TEAMS } from './parts.ts';
import { openFindings } from './report.ts';
import { locate, openText, quote } from './text.ts';

const DEFAULTS = ['pass', 'ask', 'deny'] as const;
const UNCERTAIN = ['ask', 'verify', 'deny'] as const;
const EFFECTS = ['allow', 'ask', 'deny'] as const;
const RULES = z.array(FILLED);
const TO_CLIENT = 'This is a setting of the client: write it into .claude/settings.json.';

const PERMISSIONS = record(
  {
    allow: optional(RULES, 'calls that run without asking.'),
    ask: optional(RULES, 'calls that ask a person.'),
    deny: optional(RULES, 'calls that are denied.'),
    default: optional(z.enum(DEFAULTS), 'the effect where no rule matches; pass leaves the call to the client.'),
    uncertain: optional(
      z.enum(UNCERTAIN),
      'the effect for a program that may write files which the mode guards. verify: it runs, and these files are compared afterwards. The default is ask.',
    ),
    unknownReads: optional(
      z.enum(DEFAULTS),
      'the effect for a command that reads a path which is known only when it runs (`cat "$x"`); the default is pass.',
    ),
  },
  {
    ...advise(['additionalDirectories', 'disableBypassPermissionsMode', 'disableAutoMode'], TO_CLIENT),
    ...advise(['block', 'forbid'], 'Use "deny".'),
    defaultMode: `Use "default" for calls that no rule matches. The client's own "defaultMode" belongs in .claude/settings.json.`,
  },
);

/** settings.<mode>.json, settings.<mode>.local.json, settings.any.json */
export const SETTINGS = record(
  {
    $schema: optional(z.string(), 'the schema, for editors.'),
    permissions: optional(PERMISSIONS, 'the permissions of the agent in this mode.'),
  },
  {
    ...advise(['allow', 'ask', 'deny', 'default'], 'Write this under "permissions".'),
    ...advise(['evaluator', 'opa'], TO_TEAMS),
    ...advise(['hooks', 'env', 'model', 'sandbox', 'statusLine', 'enabledPlugins', 'disableAllHooks'], TO_CLIENT),
  },
);

export interface SettingsReading extends ModeSettings {
  /** Allow rules of a file with an error. They do not apply. */
  withheld: RuleText[];
  problems: Problem[];
}

/**
 * Reads a settings file. Never throws. If the file has an error, only its deny and ask rules are returned, since they can only
 * restrict.
 */
export function readSettings(file: ConfigFile, layer: Layer): SettingsReading {
  const source = openText(file.name, file.text);
  const { problems, report, isBroken } = openFindings(source);
  const node = parseJson(source, report);
  if (node === null) return { rules: [], defaults: [], withheld: [], problems };
  checkSchema(node, SETTINGS, report);
  const permissions = getEntry(node, 'permissions')?.value;
  const reading: SettingsReading = { rules: [], defaults: [], withheld: [], problems };
  for (const effect of EFFECTS) {
    const lines = new Map<string, number>();
    for (const item of getItems(permissions, effect)) {
      if (item.kind !== 'text' || item.value.trim() === '') continue;
      const text = item.value.trim();
      const at = locate(source, item.span.start);
      const before = lines.get(text);
      if (before === undefined) lines.set(text, at.line);
      else {
        const message = `The rule ${quote(text)} appears in "${effect}" for the second time; the first is on line ${before}.`;
        report('W_DUPLICATE_RULE', message, 'Remove one of them.', item.span);
        continue;
      }
      reading.rules.push({ text, effect, layer, source: at });
    }
  }
  const value = DEFAULTS.find((known) => known === getText(permissions, 'default'));
  const entry = getEntry(permissions, 'default');
  if (value !== undefined && entry !== null)
    reading.defaults.push({ layer, value, source: locate(source, entry.value.span.start) });
  const uncertain = UNCERTAIN.find((one) => one === getText(permissions, 'uncertain'));
  const uncertainAt = getEntry(permissions, 'uncertain');
  if (uncertain !== undefined && uncertainAt !== null)
    reading.uncertain = [{ layer, value: uncertain, source: locate(source, uncertainAt.value.span.start) }];
  const unknownReads = getText(permissions, 'unknownReads');
  const key = getEntry(permissions, 'unknownReads');
  if (key !== null && (unknownReads === 'ask' || unknownReads === 'deny')) {
    const at = locate(source, key.value.span.start);
    reading.rules.push({ text: `unknownReads: ${unknownReads}`, effect: unknownReads, layer, source: at, unknownReads: true });
  }
  if (!isBroken()) return reading;
  return {
    rules: reading.rules.filter((rule) => rule.effect !== 'allow'),
    defaults: reading.defaults.filter((given) => given.value !== 'pass'),
    uncertain: (reading.uncertain ?? []).filter((given) => given.value !== 'verify'),
    withheld: reading.rules.filter((rule) => rule.effect === 'allow'),
    problems,
  };
}
