// The control protocol for hosts that are not written in JavaScript: one `control_request` line in, one `control_response` line
// with its id out.

import { randomUUID } from 'node:crypto';
import { hookAnswer } from '../../engine/answer.ts';
import { denyEvent } from '../../engine/decide.ts';
import { isObject } from '../../platform/json-object.ts';
import { notedOf } from '../../store/log/event.ts';
import { answerEvent, type EventHost } from './events.ts';
import { isGranted } from './grantable.ts';
import { answerOf, refusal, refuseFault, wantsPerson } from './permission.ts';
import { callerOf, eventOf, type HostCall, ruleOn, textIn } from './permission-decision.ts';
import type { Places } from './places.ts';

export interface ControlHost extends EventHost {
  /** The client's start folder, and the session for requests that no event announced. */
  cwd: string;
  session: string | null;
  /** A call that is neither allowed nor denied is returned unchanged: the host asks the user. */
  handsBack: boolean;
  places: Places;
}

interface ControlRequest {
  request_id: string;
  request: Record<string, unknown>;
}

export type ControlReply =
  /** A line for the client. */
  | { line: string }
  /** A message that needs no answer, such as the client's other lines. */
  | { ignored: true }
  /** The line cannot be answered, because it names no request. */
  | { fault: string };

/** Answers one line. Never throws: a request that fails is answered by a deny, or by an error if it is not about a call. */
export async function answerControl(line: string, host: ControlHost): Promise<ControlReply> {
  const read = readRequest(line);
  if ('ignored' in read || 'fault' in read) return read;
  const { request_id: id, request } = read;
  const handler = handlers.get(request.subtype);
  if (handler === undefined) return error(id, `modes control does not answer ${JSON.stringify(request.subtype)}`);
  try {
    const response = await handler(request, host);
    if (response === null) return { line: line.trim() };
    return 'error' in response ? error(id, String(response.error)) : success(id, response);
  } catch (fault) {
    if (request.subtype === 'can_use_tool') return success(id, refuseFault(fault));
    return error(id, fault instanceof Error ? fault.message : String(fault));
  }
}

type Handler = (request: Record<string, unknown>, host: ControlHost) => Promise<object | null>;

const handlers: ReadonlyMap<unknown, Handler> = new Map<string, Handler>([
  ['can_use_tool', canUseTool],
  ['hook_callback', hookCallback],
  ['set_permission_mode', setPermissionMode],
]);

async function canUseTool(request: Record<string, unknown>, host: ControlHost): Promise<object | null> {
  const { project } = host;
  const toolUseId = textIn(request, 'tool_use_id');
  const call: HostCall = {
    ...host.places.of(toolUseId),
    tool: textIn(request, 'tool_name') ?? '',
    input: request.input,
    toolUseId,
    agentId: textIn(request, 'agent_id'),
    mcpServer: request.mcp_server as HostCall['mcpServer'],
    blockedPath: textIn(request, 'blocked_path'),
  };
  await project.ready(call.session ?? null);
  const decision = await project.fully(() => ruleOn(project, call));
  const isPersonal = wantsPerson({
    matchedAskRule: request.matched_ask_rule,
    decisionReasonType: request.decision_reason_type,
    requiresUserInteraction: request.requires_user_interaction,
  });
  const question = {
    input: request.input as Record<string, unknown>,
    suggestions: request.permission_suggestions,
    wantsPerson: isPersonal,
  };
  const answer = answerOf(decision, question) ?? (host.handsBack ? null : refusal(decision, question));
  note(call, decision.decision, answer?.behavior ?? decision.decision.decision, host);
  return answer;
}

function note(
  call: HostCall,
  decision: Parameters<typeof hookAnswer>[0],
  answered: typeof decision.decision,
  { project, log }: ControlHost,
): void {
  if (project.released) return;
  log?.note({ ...notedOf(eventOf(call), decision, 'host', {}, project.for(callerOf(call)).hiding()), answered });
}

async function hookCallback(request: Record<string, unknown>, host: ControlHost): Promise<object> {
  const event = objectOf(request.input);
  if (event === null) return hookAnswer(denyEvent('the input of the hook callback is not an object', randomUUID), host.headless);
  host.places.note(event, request.tool_use_id);
  return answerEvent(event, host);
}

/**
 * For a host that wants to set the client's permission mode, even before the user's first message: permitted
 * as far as the mode allows.
 */
async function setPermissionMode(
  { mode: wanted }: Record<string, unknown>,
  { project, cwd, session }: ControlHost,
): Promise<object> {
  await project.ready(session);
  const { mode, configuration } = project.for({ session, cwd }).describe();
  const named = (mode === null ? undefined : configuration.topology?.modes.get(mode))?.permissionMode ?? null;
  if (mode !== null && isGranted(wanted, named)) return { mode: wanted };
  const most = named === null ? 'has no permissionMode, so at most default is possible' : `has permissionMode: ${named}`;
  return { error: `${JSON.stringify(wanted)} is not granted: the mode ${mode ?? '(unknown)'} ${most}` };
}

function readRequest(line: string): ControlRequest | Exclude<ControlReply, { line: string }> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (fault) {
    return { fault: `a line is not JSON: ${(fault as Error).message}` };
  }
  const message = objectOf(value);
  if (message === null) return { fault: 'a line is not a JSON object' };
  if (message.type !== 'control_request') return { ignored: true };
  const { request_id: id } = message;
  if (typeof id !== 'string' || id === '') return { fault: 'a control_request has no request_id' };
  return { request_id: id, request: objectOf(message.request) ?? {} };
}

function objectOf(value: unknown): Record<string, unknown> | null {
  return isObject(value) ? value : null;
}

function success(id: string, response: object): ControlReply {
  return { line: JSON.stringify({ type: 'control_response', response: { subtype: 'success', request_id: id, response } }) };
}

function error(id: string, message: string): ControlReply {
  return { line: JSON.stringify({ type: 'control_response', response: { subtype: 'error', request_id: id, error: message } }) };
}
