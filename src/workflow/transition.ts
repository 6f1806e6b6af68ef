// Checks of a requested transition. Each refusal has its own reason.

import { type TransitionTarget, targets } from '../config/targets.ts';
import type { Topology } from '../model/configuration.ts';
import { list, type Unmet } from './gates/unmet.ts';
import type { ModeState } from './state.ts';

/** `remedy`: what to do instead, if `unmet` does not say it. */
export type Refusal = { success: false; reason: string; remedy?: string; unmet?: Unmet[] };

/** Limit on the characters of a stored explanation. */
export const maxExplanation = 4_000;

/** Finds the requested transition; its gate is checked later. The reasons of a refusal are the source document's. */
export function findTransition(
  target: unknown,
  explanation: unknown,
  state: ModeState,
  topology: Topology | null,
): { success: true; transition: TransitionTarget } | Refusal {
  if (typeof target !== 'string' || target.trim() === '') return withoutTarget(describeTransitions(state, topology));
  if (typeof explanation !== 'string' || explanation.trim() === '')
    return refusal('explanation is required', 'Explain why the constraint of the transition holds.');
  if (topology === null || state.mode === null)
    return refusal(
      `The mode is frozen: ${state.degraded?.message ?? 'modes.yaml cannot be used'}. A person can set the mode with /modes:mode NAME.`,
    );
  if (!topology.modes.has(target)) return refusal(`Mode '${target}' does not exist`, describeTransitions(state, topology));
  if (target === state.mode) return refusal(`Already in mode '${target}'`, 'Continue in it.');
  const mode = topology.modes.get(state.mode);
  const transition = mode && targets(mode, topology).find((one) => one.to === target);
  return transition === undefined
    ? refusal(`Transition from '${state.mode}' to '${target}' is not allowed`, describeTransitions(state, topology))
    : { success: true, transition };
}

/** The targets of the present mode, in a sentence. */
function describeTransitions({ mode: name }: ModeState, topology: Topology | null): string {
  const mode = name === null ? undefined : topology?.modes.get(name);
  if (mode === undefined || topology === null) return 'A person can set the mode with /modes:mode NAME.';
  const names = targets(mode, topology).map(({ to }) => to);
  return names.length === 0
    ? `${name} has no transitions. A person can change the mode with /modes:mode NAME.`
    : `Transitions from ${name}: ${names.join(', ')}.`;
}

/** The reason uses the source document's name of the parameter, and the remedy uses the tool's. */
const withoutTarget = (where: string): Refusal => refusal('The target is missing', `Set target to the name of a mode. ${where}`);

/** The approval that a gate needs from a person. `changed`: files that changed since the approval; null if there is none. */
export function unmetApproval({ to, approve }: TransitionTarget, changed: readonly string[] | null): Unmet[] {
  if (approve !== 'human' || changed?.length === 0) return [];
  return [
    {
      check: 'approve: human',
      missing: changed === null ? 'a confirmed approval' : `${list(changed)} changed since a person approved`,
      how: `A person must type /modes:approve ${to} and confirm it.`,
    },
  ];
}

/** The refusal for unmet requirements; null if there are none. */
export function refuseUnmet(from: string | null, { to }: TransitionTarget, unmet: Unmet[]): Refusal | null {
  if (unmet.length === 0) return null;
  const reason =
    unmet.length === 1 && unmet[0]?.check === 'approve: human'
      ? `The gate from '${from}' to '${to}' needs a person's approval`
      : `The gate from '${from}' to '${to}' does not hold: ${unmet.map(({ check, missing }) => `${check} (${missing})`).join('; ')}`;
  return { success: false, reason, unmet };
}

/** Refuses a forced change unless it names another existing mode; null if it is accepted. */
export function refuseForce(target: unknown, state: ModeState, topology: Topology | null): Refusal | null {
  if (topology === null) return refusal('modes.yaml cannot be used; run modes validate to see the errors');
  const where = `Modes: ${[...topology.modes.keys()].join(', ')}.`;
  if (typeof target !== 'string' || target.trim() === '') return withoutTarget(where);
  if (!topology.modes.has(target)) return refusal(`Mode '${target}' does not exist`, where);
  if (target === state.mode) return refusal(`Already in mode '${target}'`, 'Continue in it.');
  return null;
}

function refusal(reason: string, remedy?: string): Refusal {
  return { success: false, reason, ...(remedy !== undefined && { remedy }) };
}
