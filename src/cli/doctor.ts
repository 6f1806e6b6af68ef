// modes doctor: what lies around a project that could go round the modes or speak for them.
import { findProject } from '../config/find.ts';
import { find } from '../findings/find.ts';
import { findingLines, type Surroundings } from '../findings/types.ts';
import { placeOf } from '../tools/place.ts';
import { ownRoot, startFolder } from './open.ts';
import { exits, type Terminal } from './terminal.ts';

export async function doctor(options: { project?: string; json?: boolean }, terminal: Terminal): Promise<number> {
  const start = startFolder(options.project);
  const findings = find(surroundingsOf(start));
  if (options.json) terminal.out(JSON.stringify({ findings }, null, 2));
  else terminal.out(findings.length === 0 ? 'Nothing was found.' : findingLines(findings));
  return findings.length === 0 ? exits.fine : exits.wrong;
}

/** The governed project of a folder, or the folder itself. */
export function surroundingsOf(start: string): Surroundings {
  const here = placeOf(start, process.env, ownRoot());
  const root = findProject(start, here)?.root ?? start;
  return { place: root === here.root ? here : placeOf(root, process.env, ownRoot()), start };
}
