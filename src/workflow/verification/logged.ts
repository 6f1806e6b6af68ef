// A violation as a decision of its own in the log.

import { randomUUID } from 'node:crypto';
import { passEvent } from '../../engine/decide.ts';
import type { Channel, Noted } from '../../store/log/event.ts';
import type { Caller } from '../scope.ts';
import type { Violation } from './record.ts';

/** A violation in the log: a write that the mode would have refused. */
export function violationEvent(
  { file, change, rule, command }: Violation,
  mode: string | null,
  { session, cwd }: Caller,
  hides: Noted['hides'],
  channel: Channel,
): Noted {
  const decision = {
    ...passEvent('Bash', randomUUID),
    decision: 'deny' as const,
    by: 'verified' as const,
    mode,
    reason: `${file} was ${change} after this run: ${rule} guards it.`,
    remedy: 'Put the content back, or ask a person to type /modes:accept or /modes:restore.',
  };
  const event = {
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command },
    ...(session !== null && { session_id: session }),
    ...(cwd !== null && { cwd }),
  };
  return { event, decision, channel, answered: 'deny', at: new Date(), hides };
}
