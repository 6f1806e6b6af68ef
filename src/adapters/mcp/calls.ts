// Tool calls that the client announced on the private pipe, and those that have ended. Only open ones may change anything.

import { createHash } from 'node:crypto';
import { canonical } from '../../facts/protections/without-plugin.ts';
import { setNewest } from '../../platform/bounded-map.ts';

/** Maximum number of remembered announcements. A transition arrives within milliseconds of its own. */
const maxEntries = 1_000;

interface Announced {
  tool: string;
  /** The tool of Modes that it calls; null if the tool belongs to another server or to the client. */
  own: string | null;
  agentId: string;
  agentType: string;
  server: { name: string; source: string } | null;
  transcriptPath: string | null;
  session: string | null;
  cwd: string | null;
  permissionMode: string | null;
  /** Hash of the arguments of a call of our own tools; null for any other call. */
  input: unknown;
  /** Hash of the complete event. Two different events under one id void the call. */
  text: string;
  /** Hash of the result; null while the call has not ended. */
  result: string | null;
  /** The call has been used, or its announcements contradict each other. */
  void: boolean;
}

/**
 * `first`: announced for the first time. `again`: the same event again. `contradicted`: a different event under this id.
 * `unknown`: never announced.
 */
export type AnnouncementStatus = 'first' | 'again' | 'contradicted' | 'unknown';

/** Calls seen in PreToolUse events of the private pipe, by tool-use id. */
export class CallHistory {
  private readonly byId = new Map<string, Announced>();

  note(id: string, call: Omit<Announced, 'void' | 'result'>): AnnouncementStatus {
    const text = hashOf(call.text);
    const before = this.byId.get(id);
    if (before !== undefined) {
      // A call that was used or contradicted cannot be announced again.
      before.void ||= before.text !== text;
      return before.text === text ? 'again' : 'contradicted';
    }
    setNewest(this.byId, id, { ...call, input: hashOf(canonical(call.input)), text, result: null, void: false }, maxEntries);
    return 'first';
  }

  /** Records the result of a call, which closes it. `text` is the complete event. */
  end(id: string, tool: string, text: string): AnnouncementStatus {
    const call = this.byId.get(id);
    if (call === undefined) return 'unknown';
    const result = hashOf(text);
    const before = call.result;
    call.result ??= result;
    if (call.tool === tool && (before === null || before === result)) return before === null ? 'first' : 'again';
    call.void = true;
    return 'contradicted';
  }

  /** The origin of the announced call. */
  where(id: unknown): Omit<Announced, 'input' | 'text' | 'result' | 'void'> | null {
    const call = typeof id === 'string' ? this.byId.get(id) : undefined;
    return call ?? null;
  }

  /**
   * The reason why a call of our tools with this id and input may not change the mode; null if it may. An id can be used once.
   */
  refuse(id: unknown, own: string, input: unknown): string | null {
    if (typeof id !== 'string' || id === '') return 'the client sent no tool-use id with the call';
    const call = this.byId.get(id);
    if (call === undefined || call.void) return 'the client did not announce this call to its PreToolUse hooks';
    if (call.result !== null) return 'the client reported that this call has ended';
    if (call.own !== own) return 'the client announced another call under this id';
    if (call.agentId !== '') return 'a subagent may not change the mode';
    // Another hook may have replaced the arguments.
    if (call.input !== hashOf(canonical(input))) return 'the client announced this call with other arguments';
    call.void = true;
    return null;
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
