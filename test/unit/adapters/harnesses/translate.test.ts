// The tools of each harness as calls of the client with the same accesses. What is unknown may write anywhere.
import { describe, expect, test } from 'vitest';
import { harnesses } from '../../../../src/adapters/harnesses/table.ts';
import { clientEvents } from '../../../../src/adapters/harnesses/translate.ts';
import type { Harness } from '../../../../src/adapters/harnesses/types.ts';
import { MalformedInput } from '../../../../src/facts/input.ts';
import { tools } from '../../../../src/facts/table.ts';

const named = (name: string): Harness => harnesses.get(name) as Harness;

/** An event about one tool call, as each harness sends it. */
const eventOf: Readonly<Record<string, (tool: string, input: unknown) => Record<string, unknown>>> = {
  codex: (tool_name, tool_input) => ({ session_id: 's', turn_id: 't', cwd: '/w', tool_name, tool_input, tool_use_id: 'u' }),
  gemini: (tool_name, tool_input) => ({ session_id: 's', timestamp: 'x', cwd: '/w', tool_name, tool_input }),
  cursor: (tool_name, tool_input) => ({ conversation_id: 's', workspace_roots: ['/w'], tool_name, tool_input }),
  opencode: (tool, args) => ({ sessionID: 's', callID: 'u', directory: '/w', tool, args }),
  copilot: (toolName, toolArgs) => ({ sessionId: 's', timestamp: 1, cwd: '/w', toolName, toolArgs }),
  generic: (tool_name, tool_input) => ({ session_id: 's', cwd: '/w', tool_name, tool_input }),
};
const beforeTool: Readonly<Record<string, string>> = {
  codex: 'PreToolUse',
  gemini: 'BeforeTool',
  cursor: 'preToolUse',
  opencode: 'tool.execute.before',
  copilot: 'preToolUse',
  generic: 'before-tool',
};

const translated = (name: string, event: Record<string, unknown>, of = beforeTool[name] as string) => {
  const harness = named(name);
  const row = harness.events.get(of);
  if (row === undefined) throw new Error(`no event ${of}`);
  return clientEvents(harness, row, event);
};
const calls = (name: string, tool: string, input: unknown) =>
  translated(name, (eventOf[name] as (typeof eventOf)[string])(tool, input)).map(
    ({ tool_name, tool_input, cwd }) => [tool_name, tool_input, cwd] as const,
  );
const somewhere = (command: string) => ({ command: `cd "$UNKNOWN_FOLDER"\n${command}` });

describe('a tool of', () => {
  const rows: [harness: string, tool: string, input: unknown, expected: [string, unknown, string?][]][] = [
    ['codex', 'Bash', { command: 'ls' }, [['Bash', { command: 'ls' }]]],
    ['codex', 'PowerShell', { command: 'ls' }, [['PowerShell', { command: 'ls' }]]],
    ['codex', 'apply_patch', { command: '*** Begin Patch' }, [['ApplyPatch', { patch: '*** Begin Patch' }]]],
    ['codex', 'view_image', { path: 'a.png' }, [['Read', { file_path: 'a.png' }]]],
    ['codex', 'mcp__files__write', { path: 'a' }, [['mcp__files__write', { path: 'a' }]]],
    ['codex', 'Bash', { command: ['bash', '-lc', "echo 'x'"] }, [['Bash', { command: "bash -lc 'echo '\\''x'\\'''" }]]],
    [
      'codex',
      'collaborationspawn_agent',
      { message: 'p', task_name: 'a', fork_turns: 'none' },
      [['Agent', { description: '', prompt: 'p' }]],
    ],
    ['codex', 'collaborationsend_message', { target: 'a', message: 'p' }, [['SendMessage', { to: 'a', message: 'p' }]]],
    ['codex', 'clocksleep', { duration_ms: 1 }, [['TodoWrite', {}]]],
    [
      'codex',
      'read_mcp_resource',
      { server: 's', uri: 'file:///x' },
      [['ReadMcpResourceTool', { server: 's', uri: 'file:///x' }]],
    ],
    ['codex', 'list_mcp_resources', {}, [['ListMcpResourcesTool', {}]]],
    ['codex', 'write_stdin', { chars: 'x' }, [['mcp__codex__write_stdin', { chars: 'x' }]]],
    ['gemini', 'run_shell_command', { command: 'ls', dir_path: 'src' }, [['Bash', { command: 'ls' }, '/w/src']]],
    ['gemini', 'run_shell_command', { command: 'ls', dir_path: '/x' }, [['Bash', { command: 'ls' }, '/x']]],
    [
      'gemini',
      'run_shell_command',
      { command: 'ls', is_background: true, delay_ms: 9, wait_for_previous: true },
      [['Bash', { command: 'ls' }]],
    ],
    ['gemini', 'read_background_output', { pid: 1, wait_for_previous: true }, [['TodoWrite', {}]]],
    ['gemini', 'replace', { file_path: '/a' }, [['Edit', { file_path: '/a', old_string: '', new_string: '' }]]],
    [
      'gemini',
      'write_file',
      { file_path: '@s\0r%63/a%', content: 'x' },
      [
        ['Write', { file_path: '@sr%63/a%', content: '' }],
        ['Write', { file_path: 'sr%63/a%', content: '' }],
      ],
    ],
    [
      'gemini',
      'read_file',
      { file_path: '@/sr%63/a' },
      [
        ['Read', { file_path: '@/sr%63/a' }],
        ['Read', { file_path: '@/src/a' }],
        ['Read', { file_path: 'sr%63/a' }],
        ['Read', { file_path: 'src/a' }],
      ],
    ],
    ['gemini', 'write_file', { file_path: 'a', content: 'x' }, [['Write', { file_path: 'a', content: '' }]]],
    [
      'gemini',
      'read_many_files',
      { include: ['a', "src/it's/*.ts"] },
      [
        ['Read', { file_path: 'a' }],
        ['Bash', { command: `grep -r -e x -- './src/it'\\''s'` }],
      ],
    ],
    ['gemini', 'grep_search', { pattern: 'x', dir_path: 'src' }, [['Grep', { pattern: '', path: 'src' }]]],
    ['gemini', 'grep_search', { pattern: 'x', no_ignore: true }, [['Bash', { command: "grep -r -e x -- '.'" }]]],
    ['gemini', 'list_directory', { dir_path: 'src' }, [['Glob', { pattern: '*', path: 'src' }]]],
    [
      'gemini',
      'web_fetch',
      { prompt: 'compare https://a.example/x and (http://b.example)' },
      [
        ['WebFetch', { url: 'https://a.example/x', prompt: '' }],
        ['WebFetch', { url: 'http://b.example', prompt: '' }],
      ],
    ],
    [
      'gemini',
      'invoke_agent',
      { agent_name: 'x', prompt: 'p' },
      [['Agent', { description: '', prompt: 'p', subagent_type: 'x' }]],
    ],
    ['cursor', 'Shell', { command: 'ls', cwd: '/w/src' }, [['Bash', { command: 'ls' }, '/w/src']]],
    ['cursor', 'Shell', { command: 'ls' }, [['Bash', somewhere('ls')]]],
    ['cursor', 'Write', { file_path: 'a', content: 'x' }, [['Write', { file_path: 'a', content: '' }]]],
    ['cursor', 'Delete', { file_path: 'a' }, [['Write', { file_path: 'a', content: '' }]]],
    ['cursor', 'MCP:create', { path: 'a' }, [['mcp__cursor__create', { path: 'a' }]]],
    ['opencode', 'bash', { command: 'ls', workdir: 'src' }, [['Bash', { command: 'ls' }, '/w/src']]],
    ['opencode', 'bash', { command: 'ls' }, [['Bash', { command: 'ls' }]]],
    ['opencode', 'write', { filePath: 'a', content: 'x' }, [['Write', { file_path: 'a', content: '' }]]],
    ['opencode', 'apply_patch', { patchText: 'p' }, [['ApplyPatch', { patch: 'p' }]]],
    ['opencode', 'task', { prompt: 'p', subagent_type: 'x' }, [['Agent', { description: '', prompt: 'p', subagent_type: 'x' }]]],
    ['opencode', 'list_mcp_resources', { server: 's' }, [['ListMcpResourcesTool', { server: 's' }]]],
    ['opencode', 'files_write', { path: 'a' }, [['mcp__opencode__files_write', { path: 'a' }]]],
    ['copilot', 'bash', '{"command":"ls"}', [['Bash', { command: 'ls' }]]],
    ['copilot', 'bash', { command: 'ls', shellId: 'a' }, [['Bash', somewhere('ls')]]],
    ['copilot', 'glob', { pattern: '*.ts', paths: 'src' }, [['Glob', { pattern: '*.ts', path: 'src' }]]],
    ['copilot', 'create', { path: '/w/a', file_text: 'x' }, [['Write', { file_path: '/w/a', content: '' }]]],
    ['copilot', 'str_replace_editor', { command: 'view', path: '/w/a' }, [['Read', { file_path: '/w/a' }]]],
    [
      'copilot',
      'str_replace_editor',
      { command: 'insert', path: '/w/a', insert_line: 1, new_str: 'x' },
      [['Edit', { file_path: '/w/a', old_string: '', new_string: '' }]],
    ],
    ['copilot', 'apply_patch', '*** Begin Patch', [['ApplyPatch', { patch: '*** Begin Patch' }]]],
    [
      'copilot',
      'grep',
      { pattern: 'x', paths: ['a', 'b'] },
      [
        ['Grep', { pattern: '', path: 'a' }],
        ['Grep', { pattern: '', path: 'b' }],
      ],
    ],
    ['copilot', 'write_agent', { agent_id: 'a', message: 'p' }, [['SendMessage', { to: 'a', message: 'p' }]]],
    ['generic', 'Write', { file_path: 'a', content: 'x' }, [['Write', { file_path: 'a', content: 'x' }]]],
    ['generic', 'mcp__files__write', { path: 'a' }, [['mcp__files__write', { path: 'a' }]]],
  ];
  test.each(rows)('%s: %s %j', (name, tool, input, expected) => {
    expect(calls(name, tool, input)).toEqual(expected.map(([as, given, cwd = '/w']) => [as, given, cwd]));
  });

  test.each([...harnesses.keys()])(
    '%s that is unknown may write anywhere, even if the client has a tool of that name',
    (name) => {
      for (const tool of ['new_tool', '__proto__', 'constructor', 'toString'])
        expect(calls(name, tool, { file: 'a' })).toEqual([[`mcp__${name}__${tool}`, { file: 'a' }, '/w']]);
    },
  );

  test.each([...harnesses.values()].map((harness) => [harness.name, harness] as const))(
    '%s with an unknown field may write anywhere, in every row',
    (name, harness) => {
      const input = {
        ...{ command: 'view', path: 'a', file_path: '/a', filePath: 'a', patchText: 'x', input: 'x', include: ['a'], name: 'x' },
        ...{
          prompt: 'https://a.example',
          url: 'https://a.example',
          pattern: '*',
          dir_path: '.',
          paths: '.',
          skill: 'x',
          uri: 'x:',
        },
      };
      for (const [tool, { fields }] of harness.tools) {
        if (fields === null || name === 'generic') continue;
        const given = Object.fromEntries(Object.entries(input).filter(([field]) => fields.includes(field)));
        expect(
          calls(name, tool, given).map(([as]) => as),
          tool,
        ).not.toContain(`mcp__${name}__${tool}`);
        expect(
          calls(name, tool, { ...given, newField: 1 }).map(([as]) => as),
          tool,
        ).toContain(`mcp__${name}__${tool}`);
      }
    },
  );

  test.each([...harnesses.keys()])('%s is translated only to tools of the client', (name) => {
    for (const [tool, { fields }] of named(name).tools)
      for (const field of fields ?? [])
        try {
          for (const [as] of calls(name, tool, { [field]: 'view' }))
            expect(tools.has(as as string) || as === `mcp__${name}__${tool}`, `${tool} → ${as}`).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedInput);
        }
  });
});

// Events whose name begins with a capital letter have other names of fields and tools.
describe('PreToolUse of Copilot CLI', () => {
  const file = { path: '/w/a' };
  test.each<[tool: string, input: unknown, expected: [string, unknown][]]>([
    ['Bash', { command: 'ls', description: 'd' }, [['Bash', { command: 'ls' }]]],
    ['Read', file, [['Read', { file_path: '/w/a' }]]],
    ['Write', { ...file, file_text: 'x' }, [['Write', { file_path: '/w/a', content: '' }]]],
    ['Edit', { ...file, old_str: 'x', new_str: 'y' }, [['Edit', { file_path: '/w/a', old_string: '', new_string: '' }]]],
    ['Edit', { input: 'p' }, [['ApplyPatch', { patch: 'p' }]]],
    ['Edit', 'p', [['ApplyPatch', { patch: 'p' }]]],
    [
      'Edit',
      { ...file, input: 'p' },
      [
        ['ApplyPatch', { patch: 'p' }],
        ['Edit', { file_path: '/w/a', old_string: '', new_string: '' }],
      ],
    ],
    ['Edit', { ...file, command: 'view' }, [['Read', { file_path: '/w/a' }]]],
    ['Grep', { pattern: 'x' }, [['Grep', { pattern: '', path: '.' }]]],
    ['Glob', { pattern: '*' }, [['Glob', { pattern: '*', path: '.' }]]],
    ['WebFetch', { url: 'http://a' }, [['WebFetch', { url: 'http://a', prompt: '' }]]],
    ['Agent', { agent_type: 'x', prompt: 'p' }, [['Agent', { description: '', prompt: 'p', subagent_type: 'x' }]]],
    ['files-write', file, [['mcp__copilot__files-write', file]]],
  ])('%s %j', (tool_name, tool_input, expected) => {
    const event = { hook_event_name: 'PreToolUse', session_id: 's', timestamp: 'x', cwd: '/w', tool_name, tool_input };
    const found = translated('copilot', event, 'PreToolUse');
    expect(found.map((one) => [one.tool_name, one.tool_input])).toEqual(expected);
    expect(found.map((one) => one.session_id)).toEqual(expected.map(() => 'copilot-s'));
  });

  test('has no fields of the other form', () => {
    const event = { sessionId: 's', cwd: '/w', toolName: 'create', toolArgs: file };
    expect(() => translated('copilot', event, 'PreToolUse')).toThrow(MalformedInput);
    const snake = { session_id: 's', cwd: '/w', tool_name: 'Write', tool_input: file };
    expect(() => translated('copilot', snake)).toThrow(MalformedInput);
  });
});

test('a call of Copilot CLI names its subagent', () => {
  const event = { ...eventOf.copilot?.('bash', { command: 'ls' }), agentId: 'a', agentType: 'explore' };
  expect(translated('copilot', event)).toMatchObject([{ agent_id: 'a', agent_type: 'explore' }]);
});

test('a call names the session of its harness, its id and its subagent', () => {
  const event = { ...eventOf.codex?.('Bash', { command: 'ls' }), agent_id: 'a', agent_type: 'explorer' };
  expect(translated('codex', event)).toEqual([
    expect.objectContaining({ session_id: 'codex-s', tool_use_id: 'u', agent_id: 'a', agent_type: 'explorer', harness: 'codex' }),
  ]);
});

test('an MCP tool of Gemini CLI has the server that the event names', () => {
  const event = { ...eventOf.gemini?.('mcp_x_y_z', { path: 'a' }), mcp_context: { server_name: 'x_y', tool_name: 'z' } };
  expect(translated('gemini', event)[0]?.tool_name).toBe('mcp__x_y__z');
  expect(calls('gemini', 'mcp_x_y_z', {})[0]?.[0]).toBe('mcp__gemini__mcp_x_y_z');
});

describe('events of Cursor about one tool', () => {
  const common = { conversation_id: 's', generation_id: 'g', workspace_roots: ['/w'] };
  const rows: [string, Record<string, unknown>, unknown[]][] = [
    ['beforeShellExecution', { command: 'ls', cwd: '/w/src' }, ['Bash', { command: 'ls' }, '/w/src']],
    [
      'beforeMCPExecution',
      { tool_name: 'Read', tool_input: { file_path: 'a' } },
      ['mcp__cursor__Read', { file_path: 'a' }, '/w'],
    ],
    ['beforeShellExecution', { command: 'ls', cwd: '' }, ['Bash', somewhere('ls'), '/w']],
    ['beforeReadFile', { file_path: '/w/a', content: 'x', attachments: [] }, ['Read', { file_path: '/w/a' }, '/w']],
    [
      'beforeMCPExecution',
      { tool_name: 'create', tool_input: '{"path":"a"}', url: 'x' },
      ['mcp__cursor__create', { path: 'a' }, '/w'],
    ],
  ];
  test.each(rows)('%s', (name, fields, [tool_name, tool_input, cwd]) => {
    expect(translated('cursor', { ...common, ...fields }, name)).toEqual([
      expect.objectContaining({ tool_name, tool_input, cwd }),
    ]);
  });
});

describe('an event that cannot be translated', () => {
  const rows: [string, string, unknown][] = [
    ['gemini', 'write_file', {}],
    ['gemini', 'write_file', { file_path: 1 }],
    ['gemini', 'read_many_files', { include: [] }],
    ['gemini', 'read_many_files', { include: Array.from({ length: 40 }, (_, at) => `f${at}`) }],
    ['gemini', 'web_fetch', { prompt: 'no address' }],
    ['codex', 'Bash', []],
    ['codex', 'Bash', null],
    ['copilot', 'bash', '[]'],
    ['copilot', 'str_replace_editor', { command: 'undo_edit', path: 'a' }],
    ['opencode', '', {}],
  ];
  test.each(rows)('%s: %s %j', (name, tool, input) => {
    expect(() => calls(name, tool, input)).toThrow(MalformedInput);
  });

  test.each([...harnesses.keys()])('of %s has no absolute folder', (name) => {
    const event = eventOf[name]?.('x', {}) ?? {};
    for (const folder of [undefined, '', 'w', 1, null])
      expect(() => translated(name, { ...event, cwd: folder, directory: folder, workspace_roots: [folder] })).toThrow(
        MalformedInput,
      );
  });
});
