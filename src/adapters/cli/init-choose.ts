// The dialogue of modes init that chooses a preset.

import { type Preset, presetTable } from '../../app/setup/presets.ts';
import { nearest } from '../../platform/nearest-name.ts';
import type { Dialogue } from './terminal.ts';

/** The name that a person at the terminal chose. '' if the person leaves, null without an interactive terminal. */
export async function choosePreset(presets: readonly Preset[], terminal: Dialogue): Promise<string | null> {
  const names = presets.map(({ name }) => name);
  for (let shown = `${presetTable(presets, terminal.columns)}\n\n`; ; shown = '') {
    const answer = await terminal.line(`${shown}Which preset? (its name, or as much of it as no other has; Enter leaves) `);
    if (answer === null || answer === '') return answer;
    const chosen = namedBy(answer, names);
    if (chosen !== null) return chosen;
    const near = nearest(answer, names);
    terminal.err(`There is no preset ${JSON.stringify(answer)}.${near === null ? '' : ` Did you mean ${near}?`}`);
  }
}

/** By the complete name, else by a prefix that only one name has; null if no name or several match. */
function namedBy(answer: string, names: readonly string[]): string | null {
  const begun = names.filter((name) => name.startsWith(answer));
  return names.find((name) => name === answer) ?? (begun.length === 1 ? (begun[0] as string) : null);
}
