// The last mode that each session and each of its subagents received. A change that they did not make themselves causes a
// notification.

import { showInLine } from '../config/text.ts';
import { setNewest } from '../platform/bounded-map.ts';
import type { ModeState } from './state.ts';

/** For the main thread, `agent` is empty. */
export interface Listener {
  session: string | null;
  agent: string;
}

interface ListenerState {
  scope: string;
  /** Hash of the newest change; '' before the first. */
  entry: string;
  mode: string | null;
}

const maxListeners = 200;

export class ModeNotices {
  private readonly known = new Map<string, ListenerState>();

  /** Records that the listener receives the present mode, or changed it. */
  acknowledgeMode({ session, agent }: Listener, scope: string, { entries, mode }: ModeState): void {
    const key = JSON.stringify([session, agent]);
    setNewest(this.known, key, { scope, entry: entries.at(-1)?.hash ?? '', mode }, maxListeners);
  }

  /** Describes the change since the listener's last notification, once; null if there is no change. */
  take(listener: Listener, scope: string, state: ModeState): string | null {
    // A damaged journal may end early, so its last readable entry does not show what happened.
    if (state.degraded?.code === 'E_JOURNAL_BROKEN') return null;
    const before = this.known.get(JSON.stringify([listener.session, listener.agent]));
    this.acknowledgeMode(listener, scope, state);
    const last = state.entries.at(-1);
    if (before === undefined) return null;
    if (before.scope !== scope)
      return before.mode === state.mode
        ? null
        : `The mode is different here: ${state.mode ?? 'unknown'}, not ${before.mode ?? 'unknown'}.`;
    if (last === undefined || last.hash === before.entry) return null;
    if (last.kind === 'stop') return `The work was stopped (${showInLine(last.explanation)}).`;
    const isOwn = listener.agent !== '' && last.session === listener.session;
    const who = isOwn ? 'The main thread' : 'Another session';
    return `${who} changed the mode from ${last.from ?? 'an unknown one'} to ${last.to}.`;
  }
}
