// Answers the hook events that a host passes to a callback.

import { showUnseen } from '../../config/text.ts';
import { hookAnswer } from '../../engine/answer.ts';
import { callerOf } from '../../facts/call.ts';
import type { HookAnswer } from '../../model/decision.ts';
import { notedOf } from '../../store/log/event.ts';
import type { DecisionLog } from '../../store/log/log.ts';
import type { Project } from '../../workflow/project.ts';

export interface EventHost {
  project: Project;
  log: DecisionLog | null;
  /** No person can be asked: an ask is answered as a deny. */
  headless: boolean;
  /** Sessions that have received the complete context. */
  informedSessions: Set<string>;
}

export type HookOutput =
  | HookAnswer
  | { hookSpecificOutput: { hookEventName: 'UserPromptSubmit' | 'SubagentStart'; additionalContext: string } };

/** Answers an event. An event that does not concern modes is answered with `{}`. An event that cannot be parsed is denied. */
export async function answerEvent(
  event: Record<string, unknown>,
  { project, log, headless, informedSessions }: EventHost,
): Promise<HookOutput> {
  const { session, cwd } = callerOf(event);
  await project.ready(session);
  const name = event.hook_event_name;
  // An event without a name may be about a call, so it is decided as a call, as the hooks do.
  if (name === 'PreToolUse' || typeof name !== 'string' || name === '') {
    const decision = await project.fully(() => project.decideEvent(event));
    const answer = hookAnswer(decision, headless);
    if (!project.released) log?.note(notedOf(event, decision, 'host', answer, project.for({ session, cwd }).hiding()));
    return answer;
  }
  if (name !== 'UserPromptSubmit' && name !== 'SubagentStart') return {};
  const isNew = name === 'SubagentStart' || !informedSessions.has(session ?? '');
  if (name === 'UserPromptSubmit') informedSessions.add(session ?? '');
  const text = project.for({ session, cwd }).context(isNew ? 'whole' : 'line', { subagent: name === 'SubagentStart' });
  return { hookSpecificOutput: { hookEventName: name, additionalContext: showUnseen(text) } };
}
