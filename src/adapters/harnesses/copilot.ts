// GitHub Copilot CLI. Names and answers are those of version 1.0.102. An event whose name begins with a capital letter has other names of
// fields and tools.

import {
  agent,
  byField,
  commandIn,
  edit,
  fetchUrl,
  globMany,
  message,
  nothing,
  patch,
  powerShell,
  question,
  read,
  result,
  searchMany,
  skill,
  somewhere,
  write,
} from './calls.ts';
import { decisionIn } from './printed.ts';
import type { EventFields, Harness, HarnessTool } from './types.ts';

/** Seconds. Copilot runs the hooks of parallel calls one after the other, and the wait counts. */
const timeoutSec = 300;

/** A named shell may keep the folder of an earlier command. Any other command starts in the folder of the session. */
const bash: HarnessTool = {
  fields: ['command', 'shellId', 'sessionId', 'description', 'timeout', 'async', 'mode', 'initial_wait', 'detach'],
  calls(input) {
    const command = commandIn(input, 'command');
    return [input.has('shellId') || input.has('sessionId') ? somewhere(command) : { tool: 'Bash', input: { command } }];
  },
};

/** The fields of an event whose name begins with a capital letter. Such an event names the agent nowhere. */
const snakeCase: EventFields = { session: 'session_id', tool: 'tool_name', input: 'tool_input', id: 'tool_use_id' };

const searchFields = ['pattern', 'output_mode', 'glob', 'type', '-i', '-A', '-B', '-C', '-n', 'head_limit', 'multiline'];
const search = searchMany('paths', ...searchFields);
const view = read('path', 'view_range', 'forceReadLargeFiles');
const create = write('path', 'file_text');
const replace = edit('path', 'old_str', 'new_str');
const applyPatch = patch('input');
const files = globMany('pattern', 'paths');
const fetch = fetchUrl('url', 'max_length', 'start_index', 'raw');
const task = agent('agent_type', 'prompt', 'description', 'name', 'model', 'mode', 'reasoning_effort', 'context_tier');
const editor = byField('command', {
  view: read('path', 'view_range'),
  create,
  str_replace: replace,
  insert: edit('path', 'insert_line', 'new_str'),
});

/** Three tools have this name in events whose name begins with a capital letter. The fields show which one it is. */
const anyEdit: HarnessTool = {
  fields: [...new Set([replace, applyPatch, editor].flatMap(({ fields }) => fields ?? []))],
  calls: (input, folder) => [
    ...(input.has('input') ? applyPatch.calls(input, folder) : []),
    ...(input.has('path') || !input.has('input') ? (input.has('command') ? editor : replace).calls(input, folder) : []),
  ],
};

export const copilot: Harness = {
  name: 'copilot',
  title: 'GitHub Copilot CLI',
  events: new Map([
    ['preToolUse', { kind: 'before', asks: 'terminal' }],
    ['permissionRequest', { kind: 'other' }],
    ['postToolUse', { kind: 'other' }],
    ['postToolUseFailure', { kind: 'other' }],
    ['sessionStart', { kind: 'start' }],
    ['sessionEnd', { kind: 'other' }],
    ['subagentStart', { kind: 'start' }],
    ['subagentStop', { kind: 'other' }],
    ['userPromptSubmitted', { kind: 'prompt' }],
    ['userPromptTransformed', { kind: 'other' }],
    ['agentStop', { kind: 'other' }],
    ['preCompact', { kind: 'other' }],
    ['notification', { kind: 'other' }],
    ['errorOccurred', { kind: 'other' }],
    ['PreToolUse', { kind: 'before', asks: 'terminal', fields: snakeCase }],
    ['SessionStart', { kind: 'start', fields: snakeCase }],
    ['SubagentStart', { kind: 'start', fields: snakeCase }],
    ['UserPromptSubmit', { kind: 'prompt', fields: snakeCase }],
  ]),
  fields: {
    session: 'sessionId',
    tool: 'toolName',
    input: 'toolArgs',
    id: 'toolCallId',
    agent: 'agentId',
    agentType: 'agentType',
  },
  start: 'event',
  folder: ({ cwd }) => cwd,
  tools: new Map([
    ['bash', bash],
    [
      'powershell',
      powerShell('command', 'description', 'timeout', 'shellId', 'async', 'sessionId', 'mode', 'initial_wait', 'detach'),
    ],
    ['view', view],
    ['create', create],
    ['edit', replace],
    ['str_replace_editor', editor],
    ['apply_patch', applyPatch],
    ['grep', search],
    ['rg', search],
    ['glob', files],
    ['web_fetch', fetch],
    ['task', task],
    ['write_agent', message('agent_id', 'message', 'agent_ids', 'scope')],
    // The names in events whose name begins with a capital letter.
    ['Bash', bash],
    ['Read', view],
    ['Write', create],
    ['Edit', anyEdit],
    ['Grep', search],
    ['Glob', files],
    ['WebFetch', fetch],
    ['Agent', task],
    ['read_agent', result],
    ['list_agents', result],
    ['fetch_copilot_cli_documentation', result],
    ['skill', skill('skill')],
    ['ask_user', question('question', 'choices', 'allow_freeform')],
    ['update_todo', nothing('todos')],
    ['report_intent', nothing('intent')],
    ['read_bash', nothing('shellId', 'sessionId', 'delay')],
    ['stop_bash', nothing('shellId', 'sessionId')],
    ['list_bash', nothing()],
    ['task_complete', nothing('summary')],
  ]),
  mcpName: () => null,
  answer({ effect, reason }) {
    if (effect === 'pass') return { out: '{}', err: '', code: 0 };
    if (effect === 'allow') return { out: JSON.stringify({ permissionDecision: 'allow' }), err: '', code: 0 };
    const out = JSON.stringify({ permissionDecision: effect, permissionDecisionReason: reason });
    // With an exit code other than 0, Copilot denies but drops the reason.
    return { out, err: effect === 'deny' ? reason : '', code: 0 };
  },
  context: (text) => JSON.stringify({ additionalContext: text }),
  setup: {
    kind: 'hooks',
    file: '.github/hooks/modes.json',
    syntax: 'json',
    head: { version: 1 },
    events: ['preToolUse', 'sessionStart', 'subagentStart', 'userPromptSubmitted'],
    entry: (bash) => ({ type: 'command', bash, timeoutSec }),
  },
  sample: {
    event: 'preToolUse',
    write: (cwd, file) => ({
      ...{ sessionId: 'modes-doctor', timestamp: Date.now(), cwd, toolName: 'create' },
      toolArgs: JSON.stringify({ path: `${cwd}/${file}`, file_text: 'x' }),
    }),
  },
  denies: ({ out, code }) => code !== 0 || decisionIn(out, 'permissionDecision') === 'deny',
  open: [
    'Copilot CLI runs project hooks only in a trusted folder.',
    'If a hook times out, Copilot CLI lets the call run. The launcher answers within 25 seconds.',
    'The user can disable all hooks in the settings of Copilot CLI.',
  ],
  afterSetup:
    'Start copilot in this folder and trust the folder. With -p it runs project hooks only in a trusted folder. It may also run the hooks of .claude/settings.json.',
  needsAgentsFile: false,
  program: /(^|\/)copilot$|@github\/copilot(\/|$)/,
  variables: ['COPILOT_CLI'],
};
