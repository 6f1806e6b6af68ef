// OpenAI Codex CLI. Names and answers are those of version 0.171, which contains the schemas of its hooks.

import { agent, message, nothing, patch, powerShell, question, read, resources, shell, webSearch } from './calls.ts';
import type { Harness, HarnessTool } from './types.ts';

/** Seconds. The launcher answers earlier. */
const timeout = 60;

/** Codex joins the namespace of a tool and its name: `collaborationspawn_agent`. Versions without namespaces send the name alone. */
const inNamespace = (namespace: string, rows: Readonly<Record<string, HarnessTool>>): [string, HarnessTool][] =>
  Object.entries(rows).flatMap(([name, row]): [string, HarnessTool][] => [
    [name, row],
    [namespace + name, row],
  ]);

export const codex: Harness = {
  name: 'codex',
  title: 'OpenAI Codex CLI',
  events: new Map([
    ['PreToolUse', { kind: 'before' }],
    ['PermissionRequest', { kind: 'other' }],
    ['PostToolUse', { kind: 'other' }],
    ['SessionStart', { kind: 'start' }],
    ['SubagentStart', { kind: 'start' }],
    ['UserPromptSubmit', { kind: 'prompt' }],
    ['SubagentStop', { kind: 'other' }],
    ['Stop', { kind: 'other' }],
    ['PreCompact', { kind: 'other' }],
    ['PostCompact', { kind: 'other' }],
  ]),
  fields: {
    session: 'session_id',
    tool: 'tool_name',
    input: 'tool_input',
    id: 'tool_use_id',
    agent: 'agent_id',
    agentType: 'agent_type',
  },
  // The event of a command has the folder of that command, which the model chooses.
  start: 'process',
  folder: ({ cwd }) => cwd,
  tools: new Map([
    ['Bash', shell('command', null)],
    ['PowerShell', powerShell('command')],
    ['apply_patch', patch('command')],
    ['view_image', read('path', 'detail')],
    ['web_search', webSearch('query')],
    ['update_plan', nothing('plan', 'explanation')],
    ['request_user_input', question('questions')],
    ['create_goal', nothing('objective', 'token_budget')],
    ['get_goal', nothing()],
    ['update_goal', nothing('status')],
    ['list_mcp_resources', resources('server', null, 'cursor')],
    ['list_mcp_resource_templates', resources('server', null, 'cursor')],
    ['read_mcp_resource', resources('server', 'uri')],
    ...inNamespace('clock', { curr_time: nothing(), sleep: nothing('duration_ms') }),
    ...inNamespace('collaboration', {
      spawn_agent: agent(
        ...(['agent_type', 'message', 'items', 'fork_context', 'fork_turns'] as const),
        ...['model', 'reasoning_effort', 'task_name'],
      ),
      send_message: message('target', 'message'),
      followup_task: message('target', 'message'),
      interrupt_agent: nothing('target'),
      wait_agent: nothing('ids', 'targets', 'timeout_ms'),
      close_agent: nothing('id', 'target'),
      list_agents: nothing('path_prefix'),
    }),
  ]),
  mcpName: (tool) => (/^mcp__.+__/.test(tool) ? tool : null),
  // Codex rejects an allow that changes nothing, and any field that it does not know.
  answer({ effect, reason }) {
    if (effect === 'pass' || effect === 'allow') return { out: '', err: '', code: 0 };
    const hookSpecificOutput = {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: reason,
    };
    return { out: JSON.stringify({ hookSpecificOutput }), err: reason, code: 2 };
  },
  context: (additionalContext, hookEventName) => JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext } }),
  setup: {
    kind: 'hooks',
    file: '.codex/hooks.json',
    syntax: 'json',
    head: {},
    events: ['PreToolUse', 'SessionStart', 'SubagentStart', 'UserPromptSubmit'],
    entry: (command, event) => ({
      ...(event === 'PreToolUse' && { matcher: '.*' }),
      hooks: [{ type: 'command', command, timeout }],
    }),
  },
  sample: {
    event: 'PreToolUse',
    write: (cwd, file) => ({
      ...{ session_id: 'modes-doctor', turn_id: '1', transcript_path: null, cwd, hook_event_name: 'PreToolUse', model: 'none' },
      ...{ permission_mode: 'default', tool_name: 'apply_patch', tool_use_id: '1' },
      tool_input: { command: `*** Begin Patch\n*** Add File: ${file}\n+x\n*** End Patch` },
    }),
  },
  denies: ({ err, code }) => code === 2 && err.trim() !== '',
  open: [
    'Codex skips a hook until a person trusts it with /hooks, and again after each change of its command.',
    'If a hook times out, Codex lets the call run. The launcher answers within 25 seconds.',
    'Codex runs no hook for input to a program that is already running (write_stdin).',
    'Codex before 0.171 may report the folder of the session instead of the folder of a command.',
    'A project can disable hooks in .codex/config.toml before the session starts.',
  ],
  afterSetup:
    'Start codex in this folder, trust the folder, type /hooks and trust the hooks of Modes. Codex skips a hook until a person trusts it, and again after each change of its command.',
  needsAgentsFile: false,
  program: /(^|\/)codex$|@openai\/codex(\/|$)/,
  variables: ['CODEX_THREAD_ID', 'CODEX_SANDBOX', 'CODEX_SANDBOX_NETWORK_DISABLED', 'CODEX_CI'],
};
