// /modes:init: compares the presets, and sets the project up with one of them.

import { planSummary, presetTable, readPresets, refusePreset } from '../../../app/setup/presets.ts';
import { isDone, planSetup, type SetupPlan, setupText } from '../../../app/setup/setup.ts';
import type { Place } from '../../../facts/paths/place.ts';
import type { TypedRequest } from './asking.ts';

export interface Starting {
  root: string;
  place: Place;
  packageRoot: string;
  ask: TypedRequest['ask'];
  /** Carries out the plan; returns a line for each step. */
  write(plan: SetupPlan): Promise<string[]>;
}

/** With an empty `preset` it compares all presets and asks nothing. */
export async function init({ root, place, packageRoot, ask, write }: Starting, preset: string): Promise<string> {
  if (preset === '') return `${presetTable(readPresets(packageRoot))}\n\nTo set this project up with one: /modes:init NAME`;
  const plan = planSetup({ root, preset, packageRoot, configFolder: place.configFolder, home: place.home });
  if ('error' in plan) return plan.error;
  const refused = refusePreset(root, preset, packageRoot);
  if (refused !== null) return refused;
  if (isDone(plan)) return 'Everything is set up already.';
  const answer = await ask(
    `Set this project up with the preset ${preset}? It writes: ${planSummary(plan)}. /modes:init undo takes it back.`,
    'Yes, write these files',
    `Run modes init --preset ${preset} in a terminal.`,
  );
  if (!answer.confirmed) return `Nothing was written: ${answer.why}\nIt would be:\n${setupText(plan)}`;
  return [...(await write(plan)), '/modes:init undo takes it back.'].join('\n');
}
