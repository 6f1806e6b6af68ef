// The state of a project that the page shows: the machine with the state of its gates, the plan, problems.

import { type Gate, listGates } from '../../app/gate-list.ts';
import { type Machine, machineOf } from '../../app/picture/machine.ts';
import { inWords, toSvg } from '../../app/picture/svg.ts';
import { everyProblem } from '../../app/problems.ts';
import { healthLine, healthOf } from '../../store/log/losses.ts';
import { topOf } from '../../workflow/plan/work.ts';
import type { CallerProject } from '../../workflow/project.ts';

export interface PageState {
  name: string;
  root: string;
  mode: string | null;
  /** The reason why the mode is unknown, or which part of it is not in effect. */
  trouble: string | null;
  trusted: boolean;
  /** The hash that a person approves. */
  hash: string;
  problems: { severity: string; code: string; message: string; place: string; remedy: string }[];
  svg: string | null;
  words: string;
  machine: Machine | null;
  /** Transitions of the current mode with requirements in their gates. */
  gates: Gate[];
  plan: { title: string; approved: boolean; items: { text: string; done: boolean }[] } | null;
  task: string | null;
  log: string;
}

export async function pageState(project: CallerProject): Promise<PageState> {
  await project.ready();
  const problems = await everyProblem(project);
  const { mode, configuration, state, trusted } = project.describe();
  const { topology, settings } = configuration;
  const { dataFolder } = project.place;
  // Only a session knows the commands that it ran. Without one, only files and the plan can be checked.
  const { gates } = await listGates(project);
  const unmet = new Map(
    gates.map(({ to, conditions }) => [to, conditions.flatMap(({ check, holds }) => (holds ? [] : [check]))]),
  );
  const machine = topology === null ? null : machineOf(topology, settings, { mode, unmet });
  const top = topOf(state.work);
  return {
    name: topology?.name ?? '',
    root: project.root,
    mode,
    trouble: state.degraded?.message ?? null,
    trusted,
    hash: project.approvals.shown().approvalHash,
    problems: problems.map(({ severity, code, message, file, line, remedy }) => ({
      severity,
      code,
      message,
      place: file === undefined ? '' : `${file}:${line ?? 1}`,
      remedy,
    })),
    svg: machine === null ? null : toSvg(machine, { theme: 'auto' }),
    words: machine === null ? '' : inWords(machine),
    machine,
    gates,
    plan:
      top === null
        ? null
        : {
            title: top.title ?? '',
            approved: top.approved,
            items: top.items.map(({ text }, at) => ({ text, done: top.done[at] === true })),
          },
    task: state.work.task?.name ?? null,
    log: healthLine(healthOf(dataFolder, project.root)),
  };
}
