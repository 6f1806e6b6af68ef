// modes status: the mode, and related facts.
// modes gates: the gates out of the present mode, with their unmet requirements.

import { gateLines, listGates } from '../../app/gate-list.ts';
import { everyProblem } from '../../app/problems.ts';
import { renderProblems } from '../../config/render.ts';
import { healthLine, healthOf } from '../../store/log/losses.ts';
import { laterTrust } from '../../store/trust.ts';
import { find } from '../../workflow/findings/find.ts';
import { findingLines } from '../../workflow/findings/types.ts';
import { configurationLines } from '../../workflow/situation.ts';
import { sizeLines } from '../../workflow/sizes.ts';
import { contextOf } from './doctor.ts';
import { activeGrants, grantLines, shownGrant } from './grant.ts';
import { requireProject, startFolder } from './open.ts';
import { toJson } from './outputs/json.ts';
import { exits, type Terminal } from './terminal.ts';

export async function status(options: { project?: string; json?: boolean }, terminal: Terminal): Promise<number> {
  const project = await requireProject(options.project);
  const { present, pinned, foreign } = project.describe();
  const sizes = sizeLines(pinned);
  const configuration = [
    'CONFIGURATION:',
    ...configurationLines(
      present.config,
      pinned,
      foreign,
      project.approvals.shown(),
      laterTrust(project.place.dataFolder, project.root),
    ),
    ...sizes,
  ];
  const findings = find(contextOf(startFolder(options.project)));
  const problems = await everyProblem(project);
  const value = project.status(problems);
  const grants = activeGrants(project).flatMap((one) => one.grants);
  const log = healthOf(project.place.dataFolder, project.root);
  if (options.json) {
    const { error: message, remedy, ...rest } = value;
    const error = message === undefined ? {} : { error: { message, remedy } };
    terminal.out(
      toJson<'status'>(
        {
          ...error,
          ...rest,
          ...(grants.length > 0 ? { grants: grants.map(shownGrant) } : {}),
          ...(findings.length > 0 ? { findings } : {}),
          log,
        },
        2,
      ),
    );
  } else
    terminal.out(
      [
        project.context('whole'),
        '',
        ...configuration,
        ...(grants.length > 0 ? ['GRANTS:', ...grantLines(grants)] : []),
        ...(problems.length > 0 ? ['PROBLEMS:', renderProblems(problems, { colour: terminal.colour }).trimEnd()] : []),
        ...(findings.length > 0 ? ['FINDINGS:', findingLines(findings)] : []),
        ...(healthLine(log) === '' ? [] : ['DECISION LOG:', healthLine(log)]),
      ].join('\n'),
    );
  return value.error === undefined ? exits.fine : exits.wrong;
}

export async function gates(options: { project?: string; json?: boolean }, terminal: Terminal): Promise<number> {
  const project = await requireProject(options.project);
  const list = await listGates(project);
  if (options.json) {
    terminal.out(toJson<'gates'>(list, 2));
    return list.mode === null ? exits.wrong : exits.fine;
  }
  const { mode, at, gates: found } = list;
  if (mode === null) {
    terminal.err('modes: the mode is unknown. `modes status` shows why.');
    return exits.wrong;
  }
  const lines = found.length === 0 ? [`No transition out of ${mode} has a gate.`] : gateLines(list);
  const source =
    at === null ? 'No session is running here, so earlier commands do not count.' : `As a session recorded it at ${at}.`;
  terminal.out([...lines, ...(found.length === 0 ? [] : ['', source])].join('\n'));
  return exits.fine;
}
