// modes stop: the emergency stop, for everyone who can type it.
import { requireProject } from './open.ts';
import { exits, type Terminal } from './terminal.ts';

export interface StopOptions {
  project?: string;
  json?: boolean;
}

export async function stop(options: StopOptions, terminal: Terminal): Promise<number> {
  const project = await requireProject(options.project);
  const done = project.moves.stop('modes stop in a terminal', { session: null, permissionMode: null });
  const { trouble } = project.state();
  const stopped = trouble?.code === 'E_STOPPED';
  const text = stopped
    ? `${project.root} is stopped: only reading is open until a person names a mode with /modes:mode NAME in the client.`
    : `${project.root} was not stopped: ${trouble?.message ?? 'modes.yaml cannot be used'}.`;
  if (options.json) terminal.out(JSON.stringify({ ok: stopped, project: project.root, changed: done, message: text }));
  else if (stopped) terminal.out(text);
  else terminal.err(text);
  return stopped ? exits.fine : exits.wrong;
}
