// Changes of mode that a person makes: which need no gate.
import { targets } from '../config/targets.ts';
import type { CallerProject } from '../workflow/project.ts';

/**
 * Modes that work may resume in without a gate. After an emergency stop: the mode of the stop, and the default mode. If the mode
 * is unknown: the default mode.
 */
export function resumable(project: CallerProject): string[] {
  const { mode: present, configuration, state } = project.describe();
  if (present !== null || configuration.topology === null) return [];
  const stopped = state.degraded?.code === 'E_STOPPED' ? state.entries.at(-1)?.to : undefined;
  return [...new Set([stopped, configuration.topology.default])].filter((mode) => mode !== undefined);
}

/** True if a transition leads there, its gate needs nothing that is missing, and it has no constraint. */
export async function isOpenTransition(project: CallerProject, target: string): Promise<boolean> {
  const transition = transitionTo(project, target);
  return transition !== undefined && transition.constraint === null && (await project.transitions.unmetTo(target))?.length === 0;
}

/** The transition from the present mode; undefined if there is none. */
export function transitionTo(project: CallerProject, target: string): ReturnType<typeof targets>[number] | undefined {
  const { mode: present, configuration } = project.describe();
  const { topology } = configuration;
  const from = present === null ? undefined : topology?.modes.get(present);
  return from && topology ? targets(from, topology).find((transition) => transition.to === target) : undefined;
}
