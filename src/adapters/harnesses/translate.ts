// An event of a harness → the events of the client that have the same accesses. What is unknown may write anywhere.

import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { parseEvent } from '../../facts/call.ts';
import { Input, MalformedInput } from '../../facts/input.ts';
import { hexHash } from '../../platform/hash.ts';
import { isObject } from '../../platform/json-object.ts';
import { type HarnessCall, harnessCallField } from '../../store/log/harness-call.ts';
import type { ClientCall, Harness, HarnessEvent } from './types.ts';

/** Maximum number of calls of the client that one call of a harness may need. */
const maxCalls = 16;

/** Longest input that the event of the client contains a second time, in characters. The log has no longer lines. */
const maxLogged = 65_536;

/** The place and the caller of an event. */
export interface EventPlace {
  folder: string;
  session: string | null;
}

/** Parses an event. Throws `MalformedInput`. */
export function readEvent(text: string): Record<string, unknown> {
  return parseEvent(text.replace(/^\ufeff/, ''));
}

/** Throws `MalformedInput` if the event names no absolute folder, or an invalid session. */
export function placeOf(harness: Harness, event: Record<string, unknown>, fields = harness.fields): EventPlace {
  const folder = harness.folder(event);
  if (typeof folder !== 'string' || !path.isAbsolute(folder))
    throw new MalformedInput('the event does not name an absolute folder');
  const session = textIn(event, fields.session);
  // A session of another harness, or of the client, has another pin and other grants.
  return { folder, session: session === null ? null : `${harness.name}-${session}` };
}

/** The PreToolUse events of the client for one tool call. Throws `MalformedInput`. */
export function clientEvents(
  harness: Harness,
  { tool: ofEvent, prefix = '', fields = harness.fields }: HarnessEvent,
  event: Record<string, unknown>,
): Record<string, unknown>[] {
  const { folder, session } = placeOf(harness, event, fields);
  const name = ofEvent ?? textIn(event, fields.tool);
  if (name === null) throw new MalformedInput(`the event has no ${fields.tool}`);
  const tool = prefix + name;
  const input = ofEvent === undefined ? inputOf(event[fields.input]) : inputOfEvent(harness, ofEvent, event);
  const calls = clientCalls(harness, tool, input, event, folder);
  if (calls.length > maxCalls) throw new MalformedInput(`${tool} names more than ${maxCalls} places`);
  const isLong = JSON.stringify(input).length > maxLogged;
  const asked: HarnessCall = {
    call: callId(harness, folder, tool, input),
    attempt: randomUUID(),
    folder,
    tool,
    input: isLong ? null : input,
  };
  const agent = (field: string | undefined): string | null => (field === undefined ? null : textIn(event, field));
  return calls.map((call) => ({
    hook_event_name: 'PreToolUse',
    session_id: session,
    cwd: path.resolve(folder, call.folder ?? '.'),
    tool_name: call.tool,
    tool_input: call.input,
    tool_use_id: textIn(event, fields.id),
    agent_id: agent(fields.agent),
    agent_type: agent(fields.agentType),
    harness: harness.name,
    [harnessCallField]: asked,
  }));
}

/**
 * Equal for two calls that do the same: the same tool, input and folder, whatever the order of the fields. A model words the description
 * of a command differently each time.
 */
export function callId(harness: Harness, folder: string, tool: string, input: Record<string, unknown>): string {
  const isDescription = harness.tools.get(tool)?.fields?.includes('description') ?? false;
  const meant = Object.entries(input).filter(([field]) => !(isDescription && field === 'description'));
  return hexHash(JSON.stringify([harness.name, folder, tool, Object.fromEntries(meant)], sorted)).slice(0, 32);
}

/** For JSON.stringify: writes the keys of every object in the same order. */
function sorted(_: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The calls of the client with the accesses of a harness's call. Throws `MalformedInput` for an input that the tool rejects. */
export function clientCalls(
  harness: Harness,
  tool: string,
  input: Record<string, unknown>,
  event: Record<string, unknown>,
  folder: string,
): ClientCall[] {
  const mcp = harness.mcpName(tool, event);
  if (mcp !== null) return [{ tool: mcp, input }];
  const row = harness.tools.get(tool);
  // An unknown tool is decided as one of a server: it may write anywhere, and every argument may be a file that it reads.
  const unknown: ClientCall = { tool: `mcp__${harness.name}__${tool}`, input };
  if (row === undefined) return [unknown];
  const isKnown = row.fields === null || Object.keys(input).every((field) => row.fields?.includes(field));
  const calls = row.calls(new Input(tool, input), folder);
  return isKnown ? calls : [...calls, unknown];
}

/** The input of a call: an object, the JSON text of one, or a bare text, which is the whole input of some tools. */
function inputOf(value: unknown): Record<string, unknown> {
  if (typeof value === 'string') {
    const object = /^\s*\{/.test(value) ? parsed(value) : null;
    return object ?? { input: value };
  }
  if (!isObject(value)) throw new MalformedInput('the input of the event is not an object');
  return value;
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    return parseEvent(text);
  } catch (error) {
    if (error instanceof MalformedInput) return null;
    throw error;
  }
}

/** The fields of an event that is about one tool. Fields that every event has are not among them. */
function inputOfEvent(harness: Harness, tool: string, event: Record<string, unknown>): Record<string, unknown> {
  const known = harness.tools.get(tool)?.fields ?? [];
  return Object.fromEntries(known.filter((field) => Object.hasOwn(event, field)).map((field) => [field, event[field]]));
}

/** The text of a field; null if it is absent or empty. Throws if it is something else. */
function textIn(event: Record<string, unknown>, field: string): string | null {
  const value = Object.hasOwn(event, field) ? event[field] : undefined;
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string') throw new MalformedInput(`${field} of the event is not a string`);
  return value;
}
