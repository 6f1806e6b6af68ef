// The additional context of a subagent: the restrictions in `agents:` for its type.
import { limitRules, limitsOf } from '../../config/groups.ts';
import type { ModeSettings, RuleText, Topology } from '../../model/configuration.ts';

/** Limit on the listed rules. */
const maxRules = 40;

/** '' if this mode has no restrictions for this type. */
export function renderAgent(
  topology: Topology,
  settings: ReadonlyMap<string, ModeSettings>,
  { mode, type }: { mode: string; type: string },
): string {
  const entries = limitsOf(type, topology.modes.get(mode)?.agents ?? []);
  if (entries.length === 0) return '';
  const modes = [...new Set(entries.flatMap((one) => one.mode ?? []))];
  const rules = [...limitRules(entries), ...modes.flatMap((name) => settings.get(name)?.rules ?? [])];
  const listed = (effect: RuleText['effect']): string[] => [
    ...new Set(rules.filter((rule) => rule.effect === effect).map(({ text }) => text)),
  ];
  return [
    `SUBAGENTS OF TYPE ${type}:`,
    ...(modes.length === 0 ? [] : [`The deny and ask rules of ${modes.join(' and ')} also apply here.`]),
    ...line('Asked', listed('ask')),
    ...line('Denied', listed('deny')),
  ].join('\n');
}

function line(title: string, rules: string[]): string[] {
  if (rules.length === 0) return [];
  const more = rules.length > maxRules ? `, and ${rules.length - maxRules} more` : '';
  return [`${title}: ${rules.slice(0, maxRules).join(', ')}${more}`];
}
