// modes status: the mode and what is known of it.
import { requireProject } from './open.ts';
import { exits, type Terminal } from './terminal.ts';

export async function status(options: { project?: string; json?: boolean }, terminal: Terminal): Promise<number> {
  const project = await requireProject(options.project);
  const value = project.status();
  if (options.json) terminal.out(JSON.stringify(value, null, 2));
  else terminal.out(project.context('whole'));
  return value.error === undefined ? exits.fine : exits.wrong;
}
