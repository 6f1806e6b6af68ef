// Asks that only a person can have answered, tracked until the call runs.

import type { HookAnswer } from '../../model/decision.ts';
import { setNewest } from '../../platform/bounded-map.ts';
import { LoggedApprovals } from '../../store/log/approvals.ts';
import { hasMods } from '../../workflow/findings/find.ts';
import { hookOn } from '../../workflow/findings/matching.ts';
import type { FindingContext } from '../../workflow/findings/types.ts';
import type { CallerProject } from '../../workflow/project.ts';
import type { MessageFields } from './results.ts';

/** In these modes the client shows every ask to the person. */
const shownIn: ReadonlySet<string> = new Set(['default', 'acceptEdits', 'plan', 'auto']);
/** Maximum number of asks that are remembered until their call ends. */
const maxEntries = 200;

export class PendingCalls {
  /** Inputs of calls with an open ask, by tool-use id. */
  private readonly open = new Map<string, string>();

  /** Called when an answer is sent. If anything but the user could approve, the ask is not tracked. */
  answered(fields: MessageFields, answer: HookAnswer, context: () => FindingContext): void {
    const { tool_use_id: id = '', tool_name: tool = '', tool_input: input = '' } = fields;
    const isAsk = 'hookSpecificOutput' in answer && answer.hookSpecificOutput.permissionDecision === 'ask';
    if (!isAsk || id === '' || fields.agent_id || !shownIn.has(fields.permission_mode ?? '')) return;
    if (hookOn(tool, context()) !== null || hasMods(context())) return;
    setNewest(this.open, id, input, maxEntries);
  }

  /** Called when a call has run. */
  ran({ tool_use_id: id = '', tool_input: input = '', session_id: session = '' }: MessageFields, project: CallerProject): void {
    const announcedInput = this.open.get(id);
    this.open.delete(id);
    // Another hook, or the person, may have replaced the input.
    if (announcedInput === undefined || announcedInput !== input || session === '') return;
    new LoggedApprovals(project.place.dataFolder, project.root).note(session, id);
  }

  /** Two different events were announced for one call. */
  forget(id: string): void {
    this.open.delete(id);
  }
}
