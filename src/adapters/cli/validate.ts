// modes validate: lists all problems of the configuration at once.

import { findPackageRoot } from '../../app/own-package.ts';
import { everyProblem } from '../../app/problems.ts';
import { listProblems, renderProblems } from '../../config/render.ts';
import { trustState } from '../../engine/loaded-config.ts';
import { laterTrust } from '../../store/trust.ts';
import { configurationLines, foreignNotice, layersOf } from '../../workflow/situation.ts';
import { contextSizes, sizeLines } from '../../workflow/sizes.ts';
import { canImport, findStopped, importRemedy, type StoppedLine, stoppedText } from '../importers/existing-settings.ts';
import { requireProject } from './open.ts';
import { toJson } from './outputs/json.ts';
import { exits, type Terminal } from './terminal.ts';

export interface ValidateOptions {
  project?: string;
  json?: boolean;
  /** Also hashes, layers and the sizes of contexts. */
  verbose?: boolean;
}

export async function validate(options: ValidateOptions, terminal: Terminal): Promise<number> {
  const project = await requireProject(options.project);
  const { present, pinned, foreign } = project.describe();
  const { configuration, trusted, config } = present;
  const problems = await everyProblem(project);
  const contexts = contextSizes(config);
  const wanted = project.approvals.shown();
  const layers = layersOf(present.config.content);
  const { configFolder, home } = project.place;
  const at = { root: project.root, configFolder, home, env: process.env, packageRoot: findPackageRoot() };
  const stopped = await findStopped(present.config.content, at);
  const list = listProblems(problems);
  if (options.json) {
    const value = {
      project: project.root,
      hash: wanted.approvalHash,
      configuration: configuration.hash,
      trusted,
      layers,
      contexts,
      differs: present.differs,
      stopped: stopped.map(plain),
      ...list,
    };
    terminal.out(toJson<'validate'>(value, 2));
  } else {
    if (problems.length > 0) terminal.out(renderProblems(problems, { colour: terminal.colour }));
    const modes = [...(configuration.topology?.modes.keys() ?? [])];
    if (list.ok)
      terminal.out(`${modes.length === 1 ? '1 mode' : `${modes.length} modes`}: ${modes.join(', ')}; ${trustState(config)}`);
    const later = laterTrust(project.place.dataFolder, project.root);
    const isWanted = !trusted || wanted.changes.length > 0;
    const details =
      options.verbose || isWanted
        ? configurationLines(present.config, pinned, foreign, wanted, later)
        : [later ?? '', foreign ? foreignNotice : ''].filter((line) => line !== '');
    for (const line of [...details, ...sizeLines(config, options.verbose === true)]) terminal.out(line);
    for (const line of [...stoppedText(stopped), ...(canImport(stopped) ? [importRemedy] : [])]) terminal.out(line);
  }
  return list.ok ? exits.fine : exits.wrong;
}

const plain = ({ at, text, asked, denied, opens, wide, why }: StoppedLine) => ({
  file: at,
  text,
  asked,
  denied,
  opens,
  wide,
  why,
});
