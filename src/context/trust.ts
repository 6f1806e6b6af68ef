// What trusting a configuration would open, for a person to read before saying yes.
import type { Known } from '../decide/prepared.ts';

const shown = 12;

/** Hash, allow lines by mode, policies. */
export function trustText(configuration: Known): string {
  const lines = [configuration.hash];
  for (const [name, settings] of configuration.settings) {
    const allow = settings.rules.filter((rule) => rule.effect === 'allow').map((rule) => rule.text);
    if (allow.length > 0)
      lines.push(
        `${name} allows ${allow.slice(0, shown).join(', ')}${allow.length > shown ? ` and ${allow.length - shown} more` : ''}`,
      );
  }
  for (const policy of configuration.policies) lines.push(`policy ${policy}`);
  return lines.join('\n');
}
