// modes validate: everything that is wrong with the configuration, at once.
import { listProblems, renderProblems } from '../config/render.ts';
import { requireProject } from './open.ts';
import { exits, type Terminal } from './terminal.ts';

export interface ValidateOptions {
  project?: string;
  json?: boolean;
}

export async function validate(options: ValidateOptions, terminal: Terminal): Promise<number> {
  const project = await requireProject(options.project);
  const problems = project.problems();
  const { configuration, trusted } = project.describe();
  const list = listProblems(problems);
  if (options.json) terminal.out(JSON.stringify({ project: project.root, hash: configuration.hash, trusted, ...list }, null, 2));
  else {
    if (problems.length > 0) terminal.out(renderProblems(problems, { colour: terminal.colour }));
    const modes = [...(configuration.topology?.modes.keys() ?? [])];
    const state = trusted ? 'trusted' : 'not trusted yet (modes trust)';
    if (list.ok) terminal.out(`${modes.length} modes: ${modes.join(', ')}; ${state}`);
  }
  return list.ok ? exits.fine : exits.wrong;
}
