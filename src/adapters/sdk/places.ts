// Remembers where a call is made: a permission request does not contain that, but the PreToolUse event before it does.
import type { HostCall } from './permission-decision.ts';

export type CallPlace = Pick<HostCall, 'cwd' | 'session' | 'agentType' | 'permissionMode' | 'transcriptPath'>;

/** Maximum number of remembered calls. A request follows its announcement within moments. */
const kept = 1_000;

export class Places {
  readonly #byId = new Map<string, CallPlace>();

  constructor(
    /** Place of a call that was not announced. */
    private readonly otherwise: CallPlace,
  ) {}

  /** Records the place of a PreToolUse event. */
  note(event: Record<string, unknown>, toolUseId: unknown): void {
    const text = (name: string): string | null => (typeof event[name] === 'string' ? (event[name] as string) : null);
    const [id, cwd] = [typeof toolUseId === 'string' ? toolUseId : text('tool_use_id'), text('cwd')];
    if (id === null || cwd === null || event.hook_event_name !== 'PreToolUse') return;
    this.#byId.set(id, {
      cwd,
      session: text('session_id'),
      agentType: text('agent_type'),
      permissionMode: text('permission_mode'),
      transcriptPath: text('transcript_path'),
    });
    if (this.#byId.size > kept) this.#byId.delete(this.#byId.keys().next().value as string);
  }

  of(toolUseId: string | null): CallPlace {
    return this.#byId.get(toolUseId ?? '') ?? this.otherwise;
  }
}
