// Reports changes of guarded files, each once: to the model, to the person and in the decision log.

import { randomUUID } from 'node:crypto';
import { passEvent } from '../../engine/decide.ts';
import type { PathName } from '../../model/facts.ts';
import type { Noted } from '../../store/log/event.ts';
import type { Caller } from '../../workflow/project.ts';
import type { Violation } from '../../workflow/verification/record.ts';

/** Violations that were reported are remembered up to this number. */
const most = 10_000;

export class ReportedViolations {
  private readonly reported = new Set<string>();

  /** Those that were not reported yet. They count as reported from now on. */
  fresh(root: string, violations: readonly Violation[]): Violation[] {
    if (this.reported.size > most) this.reported.clear();
    return violations.filter(({ file, at }) => {
      const key = JSON.stringify([root, file, at]);
      const isFresh = !this.reported.has(key);
      this.reported.add(key);
      return isFresh;
    });
  }
}

/** A violation in the log: a write that the mode would have refused. */
export function violationEvent(
  { file, change, rule, command }: Violation,
  mode: string | null,
  { session, cwd }: Caller,
  hides: (name: PathName) => boolean,
): Noted {
  const decision = {
    ...passEvent('Bash', randomUUID),
    decision: 'deny' as const,
    by: 'verified' as const,
    mode,
    reason: `${file} was ${change} after this run: ${rule} guards it.`,
    remedy: 'Put the content back, or let a person type /modes:accept or /modes:restore.',
  };
  const event = {
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command },
    ...(session !== null && { session_id: session }),
    ...(cwd !== null && { cwd }),
  };
  return { event, decision, channel: 'pipe', answered: 'deny', at: new Date(), hides };
}
