// modes stop: the emergency stop, for everyone who can type it.
import type { CallerProject } from '../../workflow/project.ts';
import { everybody } from '../../workflow/scope.ts';
import { requireProject } from './open.ts';
import { toJson } from './outputs/json.ts';
import { refuse } from './refuse.ts';
import { exits, type Terminal } from './terminal.ts';

export interface StopOptions {
  project?: string;
  json?: boolean;
}

export async function stop(options: StopOptions, terminal: Terminal): Promise<number> {
  const project = await requireProject(options.project);
  const { topology } = project.describe().configuration;
  const callers = everybody(project.root, project.place.dataFolder, topology?.scope ?? 'project');
  const ends = [];
  for (const where of callers) ends.push(await stopOne(project.for(where)));
  if (ends.length === 0) ends.push({ changed: false, stopped: false, why: 'no session has started' });
  const failed = ends.find(({ stopped }) => !stopped);
  const whose = topology?.scope === 'session' ? `every session of ${project.root} that has started` : project.root;
  if (failed !== undefined)
    return refuse({ code: 'E_NOT_STOPPED', message: `${project.root} was not stopped: ${failed.why}.` }, options, terminal);
  const message = `${whose} is stopped: only reading is allowed until a person sets a mode with modes mode NAME in a terminal, or with /modes:mode NAME in the client.`;
  const changed = ends.some((end) => end.changed);
  terminal.out(options.json ? toJson<'stop'>({ ok: true, project: project.root, changed, message }) : message);
  return exits.fine;
}

async function stopOne(project: CallerProject): Promise<{ changed: boolean; stopped: boolean; why: string }> {
  const { session } = project.caller;
  await project.ready(session);
  const changed = project.transitions.stop('modes stop in a terminal', { session, permissionMode: null });
  const { degraded: fault } = project.state();
  return { changed, stopped: fault?.code === 'E_STOPPED', why: fault?.message ?? 'modes.yaml cannot be used' };
}
