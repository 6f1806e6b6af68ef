// What trusting a configuration would open, for a person to read before saying yes.
import type { Configuration } from '../config/types.ts';

const shown = 12;

/** Hash, allow lines by mode, policies. */
export function trustText(configuration: Configuration): string {
  const lines = [configuration.hash];
  for (const [name, settings] of configuration.settings) {
    const allow = settings.rules.filter((rule) => rule.effect === 'allow').map((rule) => rule.text);
    if (allow.length > 0) lines.push(`${name} allows ${allow.slice(0, shown).join(', ')}${allow.length > shown ? ` and ${allow.length - shown} more` : ''}`);
  }
  for (const policy of configuration.policies) lines.push(`policy ${policy.name}`);
  return lines.join('\n');
}
