// A hook event, from any channel → a tool call, or the reason why it is malformed.

import * as z from 'zod/mini';
import type { ToolCall } from '../model/facts.ts';
import { isObject } from '../platform/json-object.ts';
import { checkName } from './limits.ts';
import { MalformedInput } from './table.ts';

/** Largest accepted event, in bytes. */
export const maxEventBytes = 33_554_432;
const maxDepth = 200;
/** Longest text field of the event, in characters. */
const maxField = 4_096;
/** Maximum number of fields in one input. */
const maxFields = 10_000;

/** A text field, or null for anything else. For fields that decide nothing by themselves. */
export const maybeText = z.catch(z._default(z.nullable(z.string()), null), null);

/** A text field of the event; null if it is absent or empty. */
const text = (name: string) => {
  const value = z.string(`${name} of the hook event is not a string`);
  const limit = z.maxLength(maxField, `${name} of the hook event is longer than ${maxField} characters`);
  return z.pipe(
    z.nullish(value.check(limit)),
    z.transform((found) => found || null),
  );
};

const mcpServer = z.catch(z._default(z.nullable(z.object({ name: z.string(), source: z.string() })), null), null);

/** A PreToolUse event. The input is not copied: it may be large, and may have any keys. */
const preToolUse = z.object({
  hook_event_name: text('hook_event_name').check(
    z.refine((name) => name === null || name === 'PreToolUse', {
      error: ({ input }) => `${input} is not an event that Modes decides`,
    }),
  ),
  tool_name: z.pipe(text('tool_name'), z.string('the hook event has no tool_name')),
  tool_input: z.custom<Record<string, unknown>>(isObject, 'the hook event has no object tool_input').check(
    z.refine((input) => Object.keys(input).length <= maxFields, {
      error: `tool_input has more than ${maxFields} fields`,
      abort: true,
    }),
    z.refine((input) => depth(input) <= maxDepth, 'tool_input is nested too deeply'),
  ),
  cwd: z.pipe(
    text('cwd'),
    z.string('the hook event has no absolute cwd').check(
      z.startsWith('/', 'the hook event has no absolute cwd'),
      z.refine((cwd) => !cwd.includes('\0'), 'the cwd contains a NUL character'),
    ),
  ),
  mcp_server: mcpServer,
  tool_use_id: text('tool_use_id'),
  session_id: text('session_id'),
  permission_mode: text('permission_mode'),
  agent_id: text('agent_id'),
  agent_type: text('agent_type'),
  transcript_path: text('transcript_path'),
});

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
  // The copy has only the event's own fields.
  const { success, data, error } = z.safeParse(preToolUse, { ...event });
  if (!success) throw new MalformedInput(error.issues[0]?.message);
  const { tool_name: tool, mcp_server: server } = data;
  checkName('tool_name', tool);
  if (server !== null) checkName('the name of the server', server.name + server.source);
  return {
    event: 'PreToolUse',
    tool,
    input: data.tool_input,
    cwd: data.cwd,
    toolUseId: data.tool_use_id,
    sessionId: data.session_id,
    permissionMode: data.permission_mode,
    agentId: data.agent_id,
    agentType: data.agent_type,
    transcriptPath: data.transcript_path,
    mcpServer: server,
  };
}

const caller = z.object({ session_id: maybeText, cwd: maybeText });

/** The session and the folder of any event, as far as it names them. */
export function callerOf(event: Record<string, unknown>): { session: string | null; cwd: string | null } {
  const { session_id: session, cwd } = z.parse(caller, event);
  return { session, cwd };
}

/** The server that an event names; null if it names no valid server. */
export function serverOf(server: unknown): ToolCall['mcpServer'] {
  return z.parse(mcpServer, server);
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
