// The dialogue of modes init: which preset.

import { type Preset, presetTable } from '../../app/setup/presets.ts';
import { nearest } from '../../platform/nearest-name.ts';
import type { Dialogue } from './terminal.ts';

/** The name that a person at the terminal chose; '' when they chose none, null where nobody can be asked. */
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

/** By its whole name, else by the beginning that only one has; null: none, or several. */
function namedBy(answer: string, names: readonly string[]): string | null {
  const begun = names.filter((name) => name.startsWith(answer));
  return names.find((name) => name === answer) ?? (begun.length === 1 ? (begun[0] as string) : null);
}
