// Whether the private pipe and the dialogs can still be trusted in this session.
import type { Finding } from '../../workflow/findings/types.ts';

/**
 * Once another process could have written to the pipe or answered a dialog, this session has no
 * evidence and no authority any more.
 */
export class ChannelIntegrity {
  private found: Finding | null = null;

  constructor(
    /** The current findings of that kind. */
    private readonly look: () => Finding[],
    /** Called once, with the first finding. */
    private readonly onEnd: (finding: Finding) => void,
  ) {}

  /** Checks again. A finding stays, even if its cause has disappeared. null: there never was one. */
  ended(): Finding | null {
    if (this.found !== null) return this.found;
    [this.found = null] = this.look();
    if (this.found !== null) this.onEnd(this.found);
    return this.found;
  }
}
