// modes mode: a person changes the mode in a terminal, along a transition with its gate, or without the gate.
// modes stop: the emergency stop, for everyone who can type it.

import { resumable, transitionTo } from '../../app/mode-change.ts';
import type { CallerProject } from '../../workflow/project.ts';
import { everybody } from '../../workflow/scope.ts';
import { forbidden } from '../../workflow/team.ts';
import { forTerminal } from '../harnesses/hook.ts';
import { insideClient } from './inside.ts';
import { requireMode, requireProject } from './open.ts';
import { toJson } from './outputs/json.ts';
import { refuse, refuseBroken, type VerbFailure } from './refuse.ts';
import { exits, type Terminal, UsageError } from './terminal.ts';

export interface ModeVerbOptions {
  project?: string;
  json?: boolean;
  session?: string;
}

const explanation = 'modes mode in a terminal';

export async function mode(name: string, options: ModeVerbOptions, terminal: Terminal): Promise<number> {
  const inside = insideClient(process.env);
  if (inside !== null) {
    const message = `Only a person may run modes mode, in their own terminal, but ${inside}.`;
    return refuse({ code: 'E_INSIDE_CLIENT', message, remedy: 'In Claude Code, type /modes:mode.' }, options, terminal);
  }
  const project = await projectOf(options);
  const { topology } = project.describe().configuration;
  if (topology === null) return refuseBroken(project.problems(), options, terminal);
  const target = name === 'reset' ? topology.default : name;
  requireMode(target, topology.modes);
  const { mode: before } = project.describe();
  if (before !== target) {
    const failure = await change(project, target, terminal);
    if (failure !== null) return refuse(failure, options, terminal);
  }
  const message = before === target ? `Already in mode ${target}.` : `Mode: ${target}`;
  terminal.out(
    options.json
      ? toJson<'mode'>({ ok: true, project: project.root, mode: target, changed: before !== target, message })
      : message,
  );
  return exits.fine;
}

/** The project as seen by the session whose mode is changed. Throws `UsageError` if the session is ambiguous. */
export async function projectOf({ project: named, session }: ModeVerbOptions): Promise<CallerProject> {
  const project = await requireProject(named);
  const { root, place, caller } = project;
  if (session === undefined) {
    if (project.describe().configuration.topology?.scope !== 'session') return project;
    const known = everybody(root, place.dataFolder, 'session').map((one) => one.session);
    throw new UsageError(`each session has its own mode; name one with --session: ${known.join(', ') || 'none has started'}`);
  }
  await project.ready(session);
  return project.for({ ...caller, session });
}

/** null: the mode was changed. */
async function change(project: CallerProject, target: string, terminal: Terminal): Promise<VerbFailure | null> {
  const asker = { session: project.caller.session, permissionMode: null };
  const { mode, state } = project.describe();
  const from = mode ?? (state.degraded?.code === 'E_STOPPED' ? 'the emergency stop' : 'an unknown mode');
  const transition = transitionTo(project, target);
  if (transition !== undefined) {
    if (transition.constraint !== null) terminal.err(`Constraint: ${transition.constraint.trim()}`);
    const declined = await confirm(`Change the mode from ${from} to ${target}?`, terminal);
    if (declined !== null) return declined;
    const approved = transition.approve === 'human' ? project.transitions.approve(target) : null;
    const changed = approved ?? (await project.transitions.transition(target, explanation, asker, { actor: 'person' }));
    if (changed.success) return null;
    terminal.err(forTerminal(changed.reason));
  }
  const why = resumable(project).includes(target) ? null : forbidden(project.place, 'force');
  if (why !== null) return { code: 'E_FORBIDDEN', message: `The mode stays ${from}: ${why}` };
  const declined = await confirm(`Change the mode from ${from} to ${target} without its gate?`, terminal);
  if (declined !== null) return declined;
  await project.ready(asker.session);
  const forced = project.transitions.force(target, explanation, asker, 'terminal');
  if (!forced.success) throw new Error(forTerminal(forced.reason));
  return null;
}

async function confirm(question: string, terminal: Terminal): Promise<VerbFailure | null> {
  const answer = await terminal.ask(question);
  if (answer === null) return { code: 'E_NOBODY', message: 'Not an interactive terminal.', remedy: 'Run it in a terminal.' };
  return answer ? null : { code: 'E_DECLINED', message: 'The mode was not changed.' };
}

export async function stop(options: { project?: string; json?: boolean }, terminal: Terminal): Promise<number> {
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
