// Check of modes init --no-plugin: the plugin must not be installed.
import { surroundingsOf } from './doctor.ts';
import { findPlugin } from './doctor-installation.ts';
import type { VerbFailure } from './refuse.ts';

/** The reason why the server is not registered manually, or null. */
export function pluginInTheWay(root: string): VerbFailure | null {
  const installed = findPlugin(surroundingsOf(root));
  if (installed === null || installed.isByHand) return null;
  return {
    code: 'E_IN_THE_WAY',
    message: `The plugin ${installed.id} is installed, and with it the server and the hooks: registered once more, both would check every call.`,
    remedy: `Leave --no-plugin out, or type /plugin uninstall ${installed.id} first.`,
  };
}
