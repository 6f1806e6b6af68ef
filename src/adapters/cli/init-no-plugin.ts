// modes init --no-plugin: not where the plugin is installed.
import { surroundingsOf } from './doctor.ts';
import { findPlugin } from './doctor-installation.ts';
import type { Failure } from './refuse.ts';

/** Why the server is not registered by hand; null: it may be. */
export function pluginInTheWay(root: string): Failure | null {
  const installed = findPlugin(surroundingsOf(root));
  if (installed === null || installed.isByHand) return null;
  return {
    code: 'E_IN_THE_WAY',
    message: `The plugin ${installed.id} is installed, and with it the server and the hooks: registered once more, both would check every call.`,
    remedy: `Leave --no-plugin out, or type /plugin uninstall ${installed.id} first.`,
  };
}
