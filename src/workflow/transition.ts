// Transitions of the state machine: what is asked, what is answered, each refusal its own reason.
import type { Topology } from '../config/types.ts';
import { targets } from '../context/render.ts';
import type { State } from './state.ts';

export interface Unmet {
  check: string;
  missing: string;
  how: string;
}

export type Refusal = { success: false; reason: string; unmet?: Unmet[] };

/** Longest explanation that is kept, characters. */
export const maxExplanation = 4_000;

/** Whether the model may take this edge now; null: it may. The reasons are the source document's. */
export function refuseTransition(
  target: unknown,
  explanation: unknown,
  state: State,
  topology: Topology | null,
  approved = false,
): Refusal | null {
  if (typeof target !== 'string' || target.trim() === '') return refusal('target_state is required');
  if (typeof explanation !== 'string' || explanation.trim() === '') return refusal('explanation is required');
  if (topology === null || state.mode === null)
    return refusal(
      `The mode is frozen: ${state.trouble?.message ?? 'modes.yaml cannot be used'}. A person names the mode with /modes:mode NAME.`,
    );
  if (!topology.modes.has(target)) return refusal(`Mode '${target}' does not exist`);
  if (target === state.mode) return refusal(`Already in mode '${target}'`);
  const mode = topology.modes.get(state.mode);
  const edge = mode && targets(mode, topology).find((way) => way.to === target);
  if (!edge) return refusal(`Transition from '${state.mode}' to '${target}' is not allowed`);
  if (edge.approve === 'human' && !approved) {
    const how = `A person types /modes:approve ${target} and confirms.`;
    return {
      success: false,
      reason: `The gate from '${state.mode}' to '${target}' needs a person's approval`,
      unmet: [{ check: 'approve: human', missing: 'a confirmed approval', how }],
    };
  }
  return null;
}

/** Whether a forced change names a mode that exists and is another; null: it does. */
export function refuseForce(target: unknown, state: State, topology: Topology | null): Refusal | null {
  if (typeof target !== 'string' || target.trim() === '') return refusal('target_state is required');
  if (topology === null) return refusal('modes.yaml cannot be used; modes validate names what is wrong');
  if (!topology.modes.has(target)) return refusal(`Mode '${target}' does not exist`);
  if (target === state.mode) return refusal(`Already in mode '${target}'`);
  return null;
}

function refusal(reason: string): Refusal {
  return { success: false, reason };
}
