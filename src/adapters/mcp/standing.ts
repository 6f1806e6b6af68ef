// Whether the private pipe and the dialogs still mean something in this session.
import type { Finding } from '../../workflow/findings/types.ts';

/** Once somebody else could have spoken on the pipe or answered a dialog, this session has no evidence and no authority any more. */
export class Standing {
  private found: Finding | null = null;

  constructor(
    /** Findings of that kind as things are now. */
    private readonly look: () => Finding[],
    /** Called once, when the first is found. */
    private readonly onEnd: (finding: Finding) => void,
  ) {}

  /** Looks anew; what was found once stays, though it may be gone by now. null: nothing was ever found. */
  ended(): Finding | null {
    if (this.found !== null) return this.found;
    [this.found = null] = this.look();
    if (this.found !== null) this.onEnd(this.found);
    return this.found;
  }
}
