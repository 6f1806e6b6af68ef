// Reads settings.<mode>.json into rules as text, with their places.

import type { ConfigFile, Layer, ModeSettings, RuleText } from '../model/configuration.ts';
import type { Problem } from '../model/problem.ts';
import { parseJson } from './json.ts';
import { getEntry, getItems, getText } from './node.ts';
import { openFindings } from './report.ts';
import { checkShape } from './shape.ts';
import { DEFAULTS, EFFECTS, SETTINGS_SHAPE } from './shapes.ts';
import { locate, openText, quote } from './text.ts';

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
  checkShape(node, SETTINGS_SHAPE, report);
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
    withheld: reading.rules.filter((rule) => rule.effect === 'allow'),
    problems,
  };
}
