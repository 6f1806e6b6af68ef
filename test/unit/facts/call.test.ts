// From a hook event to a tool call; whatever is not one is refused in words.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callerOf, parseEvent, toolCall } from '../../../src/facts/call.ts';
import { MalformedInput } from '../../../src/facts/table.ts';

const event = {
  hook_event_name: 'PreToolUse',
  tool_name: 'Write',
  tool_input: { file_path: 'a' },
  cwd: '/p',
  session_id: 's',
  tool_use_id: 't',
  permission_mode: 'default',
};
const nested = (depth: number) => {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = { a: value };
  return value;
};

describe('parseEvent', () => {
  test.each(['', ' ', 'null', '1', '"x"', '[]', '{', '{"a":1}}', "{'a':1}", '{"a":1,}', 'x{}', '{}\0'])(
    '%j is not an event',
    (text) => {
      expect(() => parseEvent(text)).toThrow(MalformedInput);
    },
  );
  test('an object is one', () => {
    expect(parseEvent(' {"a":1}\n')).toEqual({ a: 1 });
  });
  test('unlimited nesting causes no crash', () => {
    expect(() => parseEvent(`${'['.repeat(200_000)}`)).toThrow(MalformedInput);
  });
});

describe('toolCall', () => {
  test('accepts the client’s events', () => {
    expect(
      toolCall({
        ...event,
        agent_id: 'a',
        agent_type: 'Explore',
        transcript_path: '/t.jsonl',
        mcp_server: { name: 'n', source: 'plugin', more: 1 },
      }),
    ).toEqual({
      event: 'PreToolUse',
      tool: 'Write',
      input: { file_path: 'a' },
      cwd: '/p',
      toolUseId: 't',
      sessionId: 's',
      permissionMode: 'default',
      agentId: 'a',
      agentType: 'Explore',
      transcriptPath: '/t.jsonl',
      mcpServer: { name: 'n', source: 'plugin' },
    });
  });

  test('an empty text counts as absent', () => {
    expect(toolCall({ ...event, agent_id: '', session_id: '' })).toMatchObject({ agentId: null, sessionId: null });
  });

  test('an event without a name is a call, another event is not', () => {
    expect(toolCall({ ...event, hook_event_name: undefined }).event).toBe('PreToolUse');
    expect(() => toolCall({ ...event, hook_event_name: 'PostToolUse' })).toThrow('PostToolUse');
  });

  test.each<[string, unknown]>([
    ['tool_name', undefined],
    ['tool_name', ''],
    ['tool_name', 7],
    ['tool_name', ['Write']],
    ['tool_input', undefined],
    ['tool_input', null],
    ['tool_input', 'text'],
    ['tool_input', []],
    ['tool_input', { a: nested(300) }],
    ['cwd', undefined],
    ['cwd', ''],
    ['cwd', 'relative'],
    ['cwd', '/a\0b'],
    ['cwd', 1],
    ['session_id', 1],
    ['agent_id', {}],
    ['permission_mode', true],
    ['hook_event_name', 1],
  ])('%s %j is refused', (field, value) => {
    expect(() => toolCall({ ...event, [field]: value })).toThrow(MalformedInput);
  });

  test.each([null, 'plugin', {}, { name: 1, source: 'plugin' }, { name: 'n' }, ['n', 'plugin']])(
    'a server %j counts as absent',
    (server) => {
      expect(toolCall({ ...event, mcp_server: server }).mcpServer).toBeNull();
    },
  );

  test('fields are never taken from a prototype', () => {
    expect(() => toolCall(Object.create({ ...event }))).toThrow(MalformedInput);
    expect(() => toolCall(JSON.parse('{"__proto__":{"tool_name":"Read"},"tool_input":{},"cwd":"/p"}'))).toThrow(MalformedInput);
  });

  const long = (length: number) => 'x'.repeat(length);
  test.each<[string, string, unknown]>([
    ['Stop is not an event that Modes decides', 'hook_event_name', 'Stop'],
    ['the hook event has no tool_name', 'tool_name', ''],
    ['tool_name of the hook event is not a string', 'tool_name', 7],
    [`tool_name is longer than 512 characters: ${long(200)}`, 'tool_name', long(600)],
    ['the hook event has no object tool_input', 'tool_input', []],
    ['tool_input is nested too deeply', 'tool_input', { a: nested(300) }],
    ['tool_input has more than 10000 fields', 'tool_input', Object.fromEntries([...Array(10_001).keys()].map((at) => [at, 1]))],
    ['the hook event has no absolute cwd', 'cwd', null],
    ['the hook event has no absolute cwd', 'cwd', 'a'],
    ['the cwd contains a NUL character', 'cwd', '/a\0'],
    ['session_id of the hook event is not a string', 'session_id', 1],
    ['agent_id of the hook event is longer than 4096 characters', 'agent_id', long(5_000)],
    [`the name of the server is longer than 512 characters: ${long(200)}`, 'mcp_server', { name: long(600), source: 's' }],
  ])('is refused with its reason: %s', (reason, field, value) => {
    expect(() => toolCall({ ...event, [field]: value })).toThrow(new MalformedInput(reason));
  });

  test('accepts an input with any keys and of any size', () => {
    const input = JSON.parse(`{"__proto__":{"a":1},"content":"${'x'.repeat(1_000_000)}"}`) as Record<string, unknown>;
    const call = toolCall({ ...event, tool_input: input });
    expect(call.input).toBe(input);
    expect(Object.keys(call.input)).toEqual(['__proto__', 'content']);
  });

  test.each([
    [
      { session_id: 's', cwd: '/p', more: 1 },
      { session: 's', cwd: '/p' },
    ],
    [
      { session_id: 1, cwd: null },
      { session: null, cwd: null },
    ],
    [{}, { session: null, cwd: null }],
  ])('the caller of %j', (fields, expected) => {
    expect(callerOf(fields)).toEqual(expected);
  });

  test('a reasonable depth is accepted', () => {
    expect(toolCall({ ...event, tool_input: { a: nested(100) } }).tool).toBe('Write');
  });

  test('any JSON is a call or is refused with a reason', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...Object.keys(event), 'agent_id', 'mcp_server'), fc.jsonValue()), (fields) => {
        try {
          expect(toolCall(fields).tool).toBe(fields.tool_name);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedInput);
          expect((error as Error).message).not.toBe('');
        }
      }),
    );
  });
});
