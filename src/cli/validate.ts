// modes validate: everything that is wrong with the configuration, at once.
import { renderProblem } from '../config/render.ts';
import { requireProject } from './open.ts';
import { exits, type Terminal } from './terminal.ts';

export interface ValidateOptions {
  project?: string;
  json?: boolean;
}

export async function validate(options: ValidateOptions, terminal: Terminal): Promise<number> {
  const project = await requireProject(options.project);
  const problems = project.problems();
  const errors = problems.filter((problem) => problem.severity === 'error').length;
  const { configuration, trusted } = project.describe();
  if (options.json) terminal.out(JSON.stringify({ project: project.root, hash: configuration.hash, trusted, errors, warnings: problems.length - errors, problems }, null, 2));
  else {
    for (const problem of problems) terminal.out(`${renderProblem(problem, { colour: terminal.colour })}\n`);
    const modes = configuration.topology?.modes.size ?? 0;
    terminal.out(`${errors} errors, ${problems.length - errors} warnings in ${modes} modes; ${trusted ? 'trusted' : 'not trusted yet (modes trust)'}`);
  }
  return errors > 0 ? exits.wrong : exits.fine;
}
