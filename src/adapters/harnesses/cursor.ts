// Cursor: the editor and cursor-agent. Its own reference was not available, so these names come from other projects' adapters.

import { commandIn, edit, nothing, read, search, somewhere, write } from './calls.ts';
import { decisionIn } from './printed.ts';
import type { Harness, HarnessTool } from './types.ts';

/** Seconds. The launcher answers earlier. */
const timeout = 60;

const shell: HarnessTool = {
  fields: ['command', 'cwd', 'working_directory', 'description', 'timeout', 'is_background', 'sandbox'],
  calls(input) {
    const folder = input.maybe('cwd') ?? input.maybe('working_directory');
    const command = commandIn(input, 'command');
    return [folder === null || folder === '' ? somewhere(command) : { tool: 'Bash', input: { command }, folder }];
  },
};

export const cursor: Harness = {
  name: 'cursor',
  title: 'Cursor',
  events: new Map([
    ['preToolUse', { kind: 'before' }],
    ['beforeShellExecution', { kind: 'before', tool: 'Shell', asks: 'always' }],
    ['beforeMCPExecution', { kind: 'before', prefix: 'MCP:', asks: 'always' }],
    ['beforeReadFile', { kind: 'before', tool: 'Read' }],
    ['beforeTabFileRead', { kind: 'before', tool: 'Read' }],
    ['subagentStart', { kind: 'other' }],
    ['beforeSubmitPrompt', { kind: 'other' }],
    ['afterShellExecution', { kind: 'other' }],
    ['afterMCPExecution', { kind: 'other' }],
    ['afterFileEdit', { kind: 'other' }],
    ['afterTabFileEdit', { kind: 'other' }],
    ['postToolUse', { kind: 'other' }],
    ['postToolUseFailure', { kind: 'other' }],
    ['afterAgentResponse', { kind: 'other' }],
    ['afterAgentThought', { kind: 'other' }],
    ['subagentStop', { kind: 'other' }],
    ['sessionStart', { kind: 'start' }],
    ['sessionEnd', { kind: 'other' }],
    ['preCompact', { kind: 'other' }],
    ['stop', { kind: 'other' }],
  ]),
  fields: { session: 'conversation_id', tool: 'tool_name', input: 'tool_input', id: 'tool_use_id' },
  start: 'event',
  // `cwd` is the folder of a command. Other events name only the folders of the window.
  folder: ({ workspace_roots: roots, cwd }) => (Array.isArray(roots) && roots.length > 0 ? roots[0] : cwd),
  tools: new Map([
    ['Shell', shell],
    ['Read', read('file_path', 'content', 'attachments', 'offset', 'limit')],
    ['Write', write('file_path', 'content', 'contents')],
    ['Edit', edit('file_path', 'old_string', 'new_string', 'replace_all')],
    ['Delete', write('file_path')],
    ['Grep', search('path', 'pattern', 'glob', 'type', 'output_mode', '-i', '-n', '-A', '-B', '-C', 'head_limit', 'multiline')],
    ['TodoWrite', nothing('todos', 'merge')],
  ]),
  // The event names no server.
  mcpName: (tool) => (tool.startsWith('MCP:') ? `mcp__cursor__${tool.slice(4)}` : null),
  answer({ effect, reason }) {
    if (effect === 'pass') return { out: '{}', err: '', code: 0 };
    if (effect === 'allow') return { out: JSON.stringify({ permission: 'allow' }), err: '', code: 0 };
    const out = JSON.stringify({ permission: effect, user_message: reason, agent_message: reason });
    return { out, err: reason, code: effect === 'ask' ? 0 : 2 };
  },
  context: (text) => JSON.stringify({ additional_context: text }),
  setup: {
    kind: 'hooks',
    file: '.cursor/hooks.json',
    syntax: 'json',
    head: { version: 1 },
    events: ['preToolUse', 'beforeShellExecution', 'beforeMCPExecution', 'beforeReadFile', 'sessionStart'],
    // Without failClosed, a hook that crashes or is late lets the call run.
    entry: (command, event) => ({ command, timeout, ...(event !== 'sessionStart' && { failClosed: true }) }),
  },
  sample: {
    event: 'preToolUse',
    write: (folder, file_path) => ({
      ...{ conversation_id: 'modes-doctor', generation_id: '1', workspace_roots: [folder], hook_event_name: 'preToolUse' },
      ...{ tool_name: 'Write', tool_input: { file_path, content: 'x' } },
    }),
  },
  // failClosed: any failure denies.
  denies: ({ out, code }) => code !== 0 || !['allow', 'ask', undefined].includes(decisionIn(out, 'permission')),
  open: [
    'Cursor versions without failClosed let the call run if the hook crashes or times out.',
    'Events do not name the server of an MCP tool, so rules must name mcp__cursor__TOOL.',
    'The names of events and tools were not verified with an installed Cursor.',
  ],
  afterSetup:
    'Open this folder in Cursor again. If Cursor also loads the hooks of Claude Code, turn that off in its settings. Otherwise each call is decided twice.',
  needsAgentsFile: true,
  program: /(^|\/)(?:cursor|cursor-agent|Cursor)$|\/cursor-agent\/versions\//,
  variables: ['CURSOR_AGENT'],
};
