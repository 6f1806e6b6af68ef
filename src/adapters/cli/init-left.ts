// Steps that are left after a setup before the modes are in effect, for a person at the terminal.
import path from 'node:path';
import { findProject as findFolder } from '../../store/find-project.ts';
import { kinds } from '../../workflow/findings/types.ts';
import { forbidden } from '../../workflow/team.ts';
import { stillClosed } from '../../workflow/view.ts';
import { surroundingsOf } from './doctor.ts';
import { findPlugin } from './doctor-installation.ts';
import { findProject } from './open.ts';

/**
 * One line for each step. `isOwn`: the complete configuration was written just now, and the output already mentions its trust.
 */
export async function leftToDo(root: string, { isOwn }: { isOwn: boolean }): Promise<string[]> {
  const project = await findProject(root);
  const isTrusted = isOwn || project === null || project.describe().present.trusted;
  const isOurs = isTrusted || forbidden(project.place, 'trust') !== null;
  const outer = project === null ? null : findFolder(path.dirname(root), project.place);
  const { means, remedy } = kinds.F_PLUGIN_ABSENT;
  return [
    ...(project === null ? [] : stillClosed(project.state())),
    ...(outer?.layer !== 'project' || outer.vanished
      ? []
      : [`${outer.root} has modes too; a client that is started there has those, and not the ones of ${root}.`]),
    ...(isOurs ? [] : ['The configuration is not trusted yet, so it opens nothing: modes trust shows and approves it.']),
    ...(findPlugin(surroundingsOf(root)) === null ? [`The plugin is not installed. ${means} ${remedy} (F_PLUGIN_ABSENT)`] : []),
  ];
}
