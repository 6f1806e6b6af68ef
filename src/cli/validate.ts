// modes validate: everything that is wrong with the configuration, at once.
import { listProblems, renderProblems } from '../config/render.ts';
import { differences } from '../context/trust.ts';
import { layersOf } from '../workflow/situation.ts';
import { requireProject } from './open.ts';
import { exits, type Terminal } from './terminal.ts';

export interface ValidateOptions {
  project?: string;
  json?: boolean;
}

export async function validate(options: ValidateOptions, terminal: Terminal): Promise<number> {
  const project = await requireProject(options.project);
  const { present, pinned, foreign } = project.describe();
  const { configuration, trusted, problems } = present;
  const layers = layersOf(present.view.content);
  const list = listProblems(problems);
  if (options.json) {
    const { hash } = configuration;
    const value = { project: project.root, hash, trusted, layers, differs: present.differs, ...list };
    terminal.out(JSON.stringify(value, null, 2));
  } else {
    if (problems.length > 0) terminal.out(renderProblems(problems, { colour: terminal.colour }));
    const modes = [...(configuration.topology?.modes.keys() ?? [])];
    const state = trusted ? 'trusted' : 'not trusted yet (modes trust)';
    if (list.ok) terminal.out(`${modes.length} modes: ${modes.join(', ')}; ${state}`);
    for (const { layer, folder, files } of layers) terminal.out(`${layer}: ${folder} (${files.length} files)`);
    if (foreign) terminal.out('The .claude folder belongs to another user of this machine.');
    if (present.differs) terminal.out(['Against what sessions begin with:', ...differences(pinned, present.view)].join('\n'));
  }
  return list.ok ? exits.fine : exits.wrong;
}
