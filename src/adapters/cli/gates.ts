// modes gates: the gates out of the present mode, with their unmet requirements.

import { gateLines, listGates } from '../../app/gate-list.ts';
import { requireProject } from './open.ts';
import { toJson } from './outputs/json.ts';
import { exits, type Terminal } from './terminal.ts';

export async function gates(options: { project?: string; json?: boolean }, terminal: Terminal): Promise<number> {
  const project = await requireProject(options.project);
  const list = await listGates(project);
  if (options.json) {
    terminal.out(toJson<'gates'>(list, 2));
    return list.mode === null ? exits.wrong : exits.fine;
  }
  const { mode, at, gates: found } = list;
  if (mode === null) {
    terminal.err('modes: the mode is unknown. `modes status` shows why.');
    return exits.wrong;
  }
  const lines = found.length === 0 ? [`No transition out of ${mode} has a gate.`] : gateLines(list);
  const source =
    at === null ? 'No session is running here, so earlier commands do not count.' : `As a session recorded it at ${at}.`;
  terminal.out([...lines, ...(found.length === 0 ? [] : ['', source])].join('\n'));
  return exits.fine;
}
