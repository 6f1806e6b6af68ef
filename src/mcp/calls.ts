// Which tool calls the client announced on the private pipe: only those may change anything.

/** How many announcements are remembered; a transition follows its own within milliseconds. */
const kept = 1_000;

interface Announced {
  tool: string;
  agentId: string;
  /** The whole event: two that differ under one id count as none. */
  text: string;
  void: boolean;
}

/** Calls seen in PreToolUse of the private pipe, by tool-use id. */
export class SeenCalls {
  private readonly byId = new Map<string, Announced>();

  note(id: string, tool: string, agentId: string, text: string): void {
    const before = this.byId.get(id);
    if (before !== undefined && before.text !== text) {
      before.void = true;
      return;
    }
    this.byId.set(id, { tool, agentId, text, void: false });
    if (this.byId.size > kept) this.byId.delete(this.byId.keys().next().value as string);
  }

  /** Why a call with this id may not change the mode; null: it may. An id serves once. */
  refuse(id: unknown, tool: string): string | null {
    if (typeof id !== 'string' || id === '') return 'the call carries no tool-use id of the client';
    const seen = this.byId.get(id);
    if (seen === undefined || seen.void) return 'the client did not announce this call to its PreToolUse hooks';
    if (seen.tool !== tool) return 'the client announced another call under this id';
    if (seen.agentId !== '') return 'a subagent does not change the mode';
    seen.void = true;
    return null;
  }
}
