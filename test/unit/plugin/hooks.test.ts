// hooks/hooks.json: who is told of which event, how, and what a failure of it does.
import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tools } from '../../../src/facts/table.ts';

interface Handler {
  type: 'command' | 'mcp_tool';
  command?: string;
  args?: string[];
  server?: string;
  tool?: string;
  timeout: number;
  onFailure: string;
  input?: Record<string, string>;
}
const { hooks } = JSON.parse(fs.readFileSync('hooks/hooks.json', 'utf8')) as {
  hooks: Record<string, { matcher?: string; hooks: Handler[] }[]>;
};

/** Variables that a shell goes by before the first line of the client can drop them. */
const taken = ['SHELLOPTS', 'BASHOPTS', 'BASH_COMPAT', 'BASH_ENV', 'BASH_XTRACEFD', 'ENV', 'EXECIGNORE', 'OPTIND'];

const table: Record<string, [Handler['type'], 'block' | 'continue'][]> = {
  PreToolUse: [
    ['command', 'block'],
    ['mcp_tool', 'continue'],
  ],
  PermissionRequest: [['mcp_tool', 'continue']],
  PostToolUse: [['mcp_tool', 'continue']],
  PostToolUseFailure: [['mcp_tool', 'continue']],
  UserPromptSubmit: [
    ['command', 'continue'],
    ['mcp_tool', 'continue'],
  ],
  UserPromptExpansion: [['mcp_tool', 'continue']],
  SessionStart: [['command', 'continue']],
  SubagentStart: [
    ['command', 'continue'],
    ['mcp_tool', 'continue'],
  ],
  SubagentStop: [['mcp_tool', 'continue']],
  Stop: [['mcp_tool', 'continue']],
  ConfigChange: [['mcp_tool', 'block']],
};

/** Tools that only read files: nothing that they return is evidence, and they change nothing. */
const readers = [...tools].filter(([, { group }]) => group === 'read').map(([name]) => name);
const afterHook = `^(?!(?:${readers.join('|')})$).*$`;
const matchers: Record<string, string> = {
  PreToolUse: '*',
  // A request for permission is the person's, but for one tool of ours.
  PermissionRequest: 'mcp__.*__permission_mode',
  PostToolUse: afterHook,
  PostToolUseFailure: afterHook,
};

test('after-hooks run for every tool but those that only read files', () => {
  const isMatched = (tool: string) => new RegExp(hooks.PostToolUse![0]!.matcher!).test(tool);
  expect(readers.filter(isMatched)).toEqual([]);
  expect([...tools.keys()].filter((name) => !readers.includes(name) && !isMatched(name))).toEqual([]);
  expect(['Reader', 'ReadFile', 'mcp__fs__Read', 'SomeNewTool'].filter((name) => !isMatched(name))).toEqual([]);
});

test('the events match the table exactly', () => {
  expect(Object.keys(hooks)).toEqual(Object.keys(table));
});

describe.each(Object.entries(table))('%s', (event, rows) => {
  const [group, ...more] = hooks[event]!;
  const handlers = group!.hooks;

  test('has its handlers, for all of its tools', () => {
    expect(more).toEqual([]);
    expect(group!.matcher).toBe(matchers[event]);
    expect(handlers.map(({ type, onFailure }) => [type, onFailure])).toEqual(rows);
  });

  test.each(handlers)('its $type handler is ours', (handler) => {
    if (handler.type === 'command')
      expect(handler).toMatchObject({
        command: '/usr/bin/env',
        args: [...taken.map((name) => `-u${name}`), '/bin/sh', '${CLAUDE_PLUGIN_ROOT}/hooks/client.sh', event],
      });
    else {
      expect(handler).toMatchObject({ server: 'plugin:modes:modes', tool: 'hook' });
      expect(handler.input).toMatchObject({ hook_event_name: '${hook_event_name}', session_id: '${session_id}', cwd: '${cwd}' });
      for (const [name, value] of Object.entries(handler.input!)) expect(value).toBe(`\${${name}}`);
    }
  });
});

test.each<[string, string[]]>([
  ['PreToolUse', ['tool_use_id', 'tool_name', 'tool_input', 'agent_id', 'permission_mode', 'mcp_server']],
  ['PostToolUse', ['tool_use_id', 'tool_name', 'tool_input', 'tool_response', 'agent_id']],
  ['PostToolUseFailure', ['tool_use_id', 'tool_name', 'tool_input', 'error', 'is_interrupt', 'agent_id']],
  ['SubagentStart', ['agent_id', 'agent_type']],
  ['SubagentStop', ['agent_id', 'agent_type', 'last_assistant_message', 'agent_transcript_path', 'stop_hook_active']],
  ['Stop', ['stop_hook_active', 'last_assistant_message']],
])('%s carries %j', (event, fields) => {
  const handler = hooks[event]!.flatMap((group) => group.hooks).find(({ type }) => type === 'mcp_tool');
  expect(Object.keys(handler!.input!)).toEqual(expect.arrayContaining(fields));
});
