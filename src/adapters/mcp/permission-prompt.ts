// The tool for `--permission-prompt-tool`: the client calls it where it would otherwise ask a person.

import * as z from 'zod/mini';
import { type Noted, notedOf } from '../../store/log/event.ts';
import type { Project } from '../../workflow/project.ts';
import { answerOf, type PermissionAnswer, refusal, refuseFault } from '../sdk/permission.ts';
import { callerOf, eventOf, type HostCall, ruleOn, textIn } from '../sdk/permission-decision.ts';
import type { CallHistory } from './calls.ts';
import type { ToolShape } from './plan-tools.ts';

export const permissionPromptTool = 'permission_prompt';

export const permissionPromptShape: ToolShape = {
  name: permissionPromptTool,
  title: 'Answer a request for permission',
  description: 'Only for the client (--permission-prompt-tool): decides whether the mode of the project allows a tool call.',
  input: z.strictObject({
    tool_name: z.string(),
    input: z.record(z.string(), z.unknown()),
    tool_use_id: z.optional(z.string()),
    blocked_path: z.optional(z.string()),
    permission_suggestions: z.optional(z.array(z.record(z.string(), z.unknown()))),
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  isAlwaysLoaded: () => false,
};

/** Facts about the call from its announcement on the private pipe, if it was announced. */
export interface Announcement extends Omit<HostCall, 'tool' | 'input' | 'toolUseId' | 'blockedPath'> {
  isAnnounced: boolean;
}

/** Facts from the PreToolUse event of the same call. Without one: the session that was started here. */
export function announcementOf(
  { tool_name: tool, tool_use_id: id }: Record<string, unknown>,
  callHistory: CallHistory,
  start: { session: string | null; cwd: string },
): Announcement {
  const call = callHistory.where(id);
  if (call === null || call.tool !== tool) return { ...start, isAnnounced: false };
  const { session, cwd, agentId, agentType, permissionMode, server, transcriptPath } = call;
  return {
    session,
    cwd: cwd ?? start.cwd,
    agentId,
    agentType,
    permissionMode,
    mcpServer: server,
    transcriptPath,
    isAnnounced: true,
  };
}

/**
 * Answers one request. Never throws. A call that is neither allowed nor denied is denied: a session with this tool has no person
 * to ask.
 */
export async function answerPrompt(
  given: Record<string, unknown>,
  project: Project | null,
  { isAnnounced, ...announced }: Announcement,
  log: (noted: Noted) => void,
): Promise<PermissionAnswer> {
  const { input, permission_suggestions: suggestions } = given;
  if (project === null || project.released) return { behavior: 'deny', message: notGoverned };
  try {
    const call: HostCall = {
      ...announced,
      tool: textIn(given, 'tool_name') ?? '',
      input,
      toolUseId: textIn(given, 'tool_use_id'),
      blockedPath: textIn(given, 'blocked_path'),
    };
    const decision = await project.fully(() => ruleOn(project, call));
    // The hooks allowed the call and the client asks anyway: its own rules require a person.
    const wantsPerson = isAnnounced && decision.decision.decision === 'allow';
    const question = { input: input as Record<string, unknown>, suggestions, wantsPerson };
    const answer = answerOf(decision, question) ?? refusal(decision, question);
    log({
      ...notedOf(eventOf(call), decision.decision, 'prompt', {}, project.for(callerOf(call)).hiding()),
      answered: answer.behavior,
    });
    return answer;
  } catch (error) {
    return refuseFault(error);
  }
}

const notGoverned = "This project has no modes, so Modes cannot allow the call. A rule of the client's own settings can.";
