// Which tool calls the client announced on the private pipe, and which have ended: only open ones may change anything.
import { createHash } from 'node:crypto';
import { canonical } from '../../facts/protections/without-plugin.ts';

/** How many announcements are remembered; a transition follows its own within milliseconds. */
const kept = 1_000;

interface Announced {
  tool: string;
  /** Which of our own tools it calls; null: it is another server's, or the client's. */
  own: string | null;
  agentId: string;
  agentType: string;
  server: { name: string; source: string } | null;
  transcriptPath: string | null;
  session: string | null;
  cwd: string | null;
  permissionMode: string | null;
  /** What a call of our own tools is made with, kept as its hash; null for any other. */
  input: unknown;
  /** The whole event, kept as its hash: two that differ under one id count as none. */
  text: string;
  /** The result, kept the same way; null: the call has not ended. */
  result: string | null;
  /** It served, or what was told of it contradicts itself. */
  void: boolean;
}

/** `first`: told for the first time; `again`: the same once more; `contradicted`: something else under this id; `unknown`: never announced. */
export type Told = 'first' | 'again' | 'contradicted' | 'unknown';

/** Calls seen in PreToolUse of the private pipe, by tool-use id. */
export class SeenCalls {
  private readonly byId = new Map<string, Announced>();

  note(id: string, call: Omit<Announced, 'void' | 'result'>): Told {
    const text = hashOf(call.text);
    const before = this.byId.get(id);
    if (before !== undefined) {
      // What served or was contradicted once is not announced anew.
      before.void ||= before.text !== text;
      return before.text === text ? 'again' : 'contradicted';
    }
    this.byId.set(id, { ...call, input: hashOf(canonical(call.input)), text, result: null, void: false });
    if (this.byId.size > kept) this.byId.delete(this.byId.keys().next().value as string);
    return 'first';
  }

  /** The result of a call closes it. `text` is the whole event. */
  end(id: string, tool: string, text: string): Told {
    const seen = this.byId.get(id);
    if (seen === undefined) return 'unknown';
    const result = hashOf(text);
    const before = seen.result;
    seen.result ??= result;
    if (seen.tool === tool && (before === null || before === result)) return before === null ? 'first' : 'again';
    seen.void = true;
    return 'contradicted';
  }

  /** Where the announced call comes from. */
  where(id: unknown): Omit<Announced, 'input' | 'text' | 'result' | 'void'> | null {
    const seen = typeof id === 'string' ? this.byId.get(id) : undefined;
    return seen ?? null;
  }

  /** Why a call of one of our tools with this id and input may not change the mode; null: it may. An id serves once. */
  refuse(id: unknown, own: string, input: unknown): string | null {
    if (typeof id !== 'string' || id === '') return 'the call carries no tool-use id of the client';
    const seen = this.byId.get(id);
    if (seen === undefined || seen.void) return 'the client did not announce this call to its PreToolUse hooks';
    if (seen.result !== null) return 'the client told that this call has ended';
    if (seen.own !== own) return 'the client announced another call under this id';
    if (seen.agentId !== '') return 'a subagent does not change the mode';
    // Another hook may have put other arguments in their place.
    if (seen.input !== hashOf(canonical(input))) return 'the client announced this call with other arguments';
    seen.void = true;
    return null;
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
