// A person's approval of the present configuration, in a terminal of their own: its process is no descendant of what runs the suite.
import path from 'node:path';
import { pluginFolder, SYSTEM_PATH } from './client.ts';
import { openPane } from './pane.ts';
import type { Place } from './place.ts';

/** Runs `modes trust` and says yes. Returns what it showed before it asked. */
export async function approve(place: Place): Promise<string> {
  const pane = openPane({
    command: [path.join(pluginFolder(), 'bin/modes'), 'trust'],
    cwd: place.project,
    env: { HOME: place.home, PATH: SYSTEM_PATH, TERM: 'xterm' },
  });
  try {
    const shown = await pane.waitFor('Approve exactly this configuration');
    pane.type('y');
    pane.key('Enter');
    await pane.waitFor('Trusted: ');
    return shown;
  } finally {
    pane.close();
  }
}
