// Remembers where a call is made: a permission request does not contain that, but the PreToolUse event before it does.
import * as z from 'zod/mini';
import { maybeText } from '../../facts/call.ts';
import type { HostCall } from './permission-decision.ts';

export type CallPlace = Pick<HostCall, 'cwd' | 'session' | 'agentType' | 'permissionMode' | 'transcriptPath'>;

/** Maximum number of remembered calls. A request follows its announcement within moments. */
const maxEntries = 1_000;

const announcement = z.object({
  hook_event_name: z.literal('PreToolUse'),
  cwd: z.string(),
  tool_use_id: maybeText,
  session_id: maybeText,
  agent_type: maybeText,
  permission_mode: maybeText,
  transcript_path: maybeText,
});

export class Places {
  readonly #byId = new Map<string, CallPlace>();

  constructor(
    /** Place of a call that was not announced. */
    private readonly otherwise: CallPlace,
  ) {}

  /** Records the place of a PreToolUse event. */
  note(event: Record<string, unknown>, toolUseId: unknown): void {
    const { success, data } = z.safeParse(announcement, event);
    const id = typeof toolUseId === 'string' ? toolUseId : data?.tool_use_id;
    if (!success || typeof id !== 'string') return;
    this.#byId.set(id, {
      cwd: data.cwd,
      session: data.session_id,
      agentType: data.agent_type,
      permissionMode: data.permission_mode,
      transcriptPath: data.transcript_path,
    });
    if (this.#byId.size > maxEntries) this.#byId.delete(this.#byId.keys().next().value as string);
  }

  of(toolUseId: string | null): CallPlace {
    return this.#byId.get(toolUseId ?? '') ?? this.otherwise;
  }
}
