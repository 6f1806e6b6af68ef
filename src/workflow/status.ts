// What the status tool and `modes status` say of a project: the source document's keys, with more.
import type { Problem } from '../config/problem.ts';
import { describeRequirement } from '../config/requirements.ts';
import { targets } from '../context/render.ts';
import type { Counting } from './content.ts';
import { configurationStatus } from './situation.ts';
import type { State } from './state.ts';
import { permissionsOf, personNames, type View } from './view.ts';

/** Newest changes that are shown. */
const shownChanges = 10;

export interface Standing {
  root: string;
  state: State;
  counting: Counting;
  present: View;
  problems: Problem[];
  viewRewritten: boolean;
}

export function statusOf({ root, state, counting, present, problems, viewRewritten }: Standing): Record<string, unknown> {
  const { pinned } = counting;
  const { topology } = pinned.known;
  const mode = state.mode === null ? undefined : topology?.modes.get(state.mode);
  return {
    current_mode: state.mode,
    available_transitions:
      mode && topology
        ? targets(mode, topology).map(({ to, constraint, require, approve }) => ({
            to,
            constraint: constraint ?? '',
            ...(require.length > 0 ? { require: require.map(describeRequirement) } : {}),
            ...(approve ? { approve } : {}),
          }))
        : [],
    history: state.entries.slice(-shownChanges).map(({ from, to, timestamp, explanation, actor, kind }) => ({
      from,
      to,
      timestamp,
      explanation,
      actor,
      forced: kind === 'force',
    })),
    ...(state.trouble ? { error: state.trouble.message, remedy: personNames } : {}),
    project: root,
    trusted: pinned.trusted,
    configuration: configurationStatus(counting, present),
    permissions: permissionsOf(pinned, state.mode),
    problems: problems.map(({ code, severity, message, file, line, column, remedy }) => ({
      code,
      severity,
      message,
      file,
      line,
      column,
      remedy,
    })),
    bundle: state.mode === null ? null : (pinned.policies.of(state.mode)?.bundle ?? null),
    ...(viewRewritten ? { notice: 'mode-state.json differed from the journal and was rewritten' } : {}),
  };
}
