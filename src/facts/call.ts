// A hook event, from any channel → a tool call, or the reason why it is malformed.

import type { ToolCall } from '../model/facts.ts';
import { checkName } from './limits.ts';
import { MalformedInput } from './table.ts';

/** Largest accepted event, in bytes. */
export const maxEventBytes = 33_554_432;
const maxDepth = 200;
/** Longest text field of the event, in characters. */
const maxField = 4_096;
/** Maximum number of fields in one input. */
const maxFields = 10_000;

/** Parses the JSON text of a hook event. Throws `MalformedInput` with the reason. */
export function parseEvent(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new MalformedInput(`the hook event is not JSON: ${(error as Error).message.slice(0, 200)}`);
  }
  if (!isObject(value)) throw new MalformedInput('the hook event is not a JSON object');
  return value;
}

/** The tool call of a PreToolUse event. Throws `MalformedInput`. */
export function toolCall(event: Record<string, unknown>): ToolCall {
  const name = text(event, 'hook_event_name');
  if (name !== null && name !== 'PreToolUse') throw new MalformedInput(`${name} is not an event that Modes decides`);
  const tool = text(event, 'tool_name');
  if (tool === null || tool === '') throw new MalformedInput('the hook event has no tool_name');
  checkName('tool_name', tool);
  const input = event.tool_input;
  if (!isObject(input)) throw new MalformedInput('the hook event has no object tool_input');
  if (Object.keys(input).length > maxFields) throw new MalformedInput(`tool_input has more than ${maxFields} fields`);
  if (depth(input) > maxDepth) throw new MalformedInput('tool_input is nested too deeply');
  const cwd = text(event, 'cwd');
  if (cwd === null || !cwd.startsWith('/')) throw new MalformedInput('the hook event has no absolute cwd');
  if (cwd.includes('\0')) throw new MalformedInput('the cwd contains a NUL character');
  const server = serverOf(event.mcp_server);
  if (server !== null) checkName('the name of the server', server.name + server.source);
  return {
    event: 'PreToolUse',
    tool,
    input,
    cwd,
    toolUseId: text(event, 'tool_use_id'),
    sessionId: text(event, 'session_id'),
    permissionMode: text(event, 'permission_mode'),
    agentId: text(event, 'agent_id'),
    agentType: text(event, 'agent_type'),
    transcriptPath: text(event, 'transcript_path'),
    mcpServer: server,
  };
}

/** The server that an event names; null if it names no valid server. */
export function serverOf(server: unknown): ToolCall['mcpServer'] {
  return isObject(server) && typeof server.name === 'string' && typeof server.source === 'string'
    ? { name: server.name, source: server.source }
    : null;
}

/** The string field; null if absent or empty. Throws if it is not a string or is too long. */
function text(event: Record<string, unknown>, name: string): string | null {
  const value = Object.hasOwn(event, name) ? event[name] : undefined;
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string') throw new MalformedInput(`${name} of the hook event is not a string`);
  if (value.length > maxField) throw new MalformedInput(`${name} of the hook event is longer than ${maxField} characters`);
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Nesting depth, without recursion. The result is at most one more than the maximum. */
function depth(value: object): number {
  let level = [value];
  let found = 0;
  while (level.length > 0 && found <= maxDepth) {
    found++;
    const next: object[] = [];
    for (const one of level)
      for (const inner of Object.values(one)) if (typeof inner === 'object' && inner !== null) next.push(inner as object);
    level = next;
  }
  return found;
}
