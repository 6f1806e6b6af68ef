// The client's tools: one row a tool, with what a call of it touches. Names and inputs: the pinned client's own.
import type { ToolGroup } from './types.ts';

/** What a call touches, before paths are resolved. */
export type Touch =
  | { kind: 'read'; path: string; deep?: boolean; implied?: boolean; listing?: boolean }
  | { kind: 'write'; path: string; deep?: boolean }
  | { kind: 'command'; text: string }
  | { kind: 'url'; url: string }
  | { kind: 'agent'; name: string }
  | { kind: 'skill'; name: string }
  /** Text that the client will later take for a person's or a program's. */
  | { kind: 'prompt'; texts: string[] }
  | { kind: 'asks'; name: string; why: string }
  | { kind: 'anywhere'; why: string };

export interface ToolRow {
  group: ToolGroup;
  /** Every parameter the row knows; one outside turns an allow into a pass. */
  params: readonly string[];
  /** Parameters with free or path content: not for `Tool(param:value)`. */
  content?: readonly string[];
  /** Parameters that turn an allow into a pass, and with which values. */
  loosens?: ReadonlyMap<string, (value: unknown) => boolean>;
  touches(input: Input): Touch[];
}

/** Typed access to a tool's input; a field of the wrong type throws `MalformedInput`. */
export class Input {
  constructor(
    readonly tool: string,
    readonly fields: Record<string, unknown>,
  ) {}

  /** The string field; throws when it is missing or none. */
  text(name: string): string {
    const value = this.maybe(name);
    if (value === null) throw new MalformedInput(`${this.tool} needs the string field ${name}`);
    return value;
  }

  /** The string field, or null when it is absent. */
  maybe(name: string): string | null {
    const value = Object.hasOwn(this.fields, name) ? this.fields[name] : undefined;
    if (value === undefined || value === null) return null;
    if (typeof value !== 'string') throw new MalformedInput(`${this.tool}.${name} is not a string`);
    return value;
  }

  has(name: string): boolean {
    const value = Object.hasOwn(this.fields, name) ? this.fields[name] : undefined;
    return value !== undefined && value !== null && value !== false && value !== '';
  }
}

/** A tool call whose input is not what the tool takes. */
export class MalformedInput extends Error {}

const nothing = (): Touch[] => [];
const meta = (...params: string[]): ToolRow => ({ group: 'meta', params, touches: nothing });
const other = (...params: string[]): ToolRow => ({ group: 'other', params, touches: nothing });
const read = (path: string): Touch => ({ kind: 'read', path });
const reads = (...params: string[]): ToolRow => ({
  group: 'read',
  params: ['file_path', ...params],
  content: ['file_path'],
  touches: (input) => [read(input.text('file_path'))],
});
const remote = (why: string, ...params: string[]): ToolRow => ({
  group: 'other',
  params,
  touches: (input) => [{ kind: 'asks', name: input.tool, why }],
});

const unsandboxed: ToolRow['loosens'] = new Map([['dangerouslyDisableSandbox', Boolean]]);
const edits = (...params: string[]): ToolRow => ({
  group: 'edit',
  params: ['file_path', ...params],
  content: ['file_path', ...params],
  touches(input) {
    const path = input.text('file_path');
    return [
      { kind: 'write', path },
      { kind: 'read', path, implied: true },
    ];
  },
});

export const tools: ReadonlyMap<string, ToolRow> = new Map<string, ToolRow>([
  ['Read', reads('offset', 'limit', 'pages', 'allow_large')],
  [
    'LSP',
    {
      group: 'read',
      params: ['operation', 'filePath', 'file_path', 'line', 'character', 'query'],
      content: ['filePath', 'file_path', 'query'],
      touches: (input) =>
        [input.maybe('filePath') ?? input.maybe('file_path')].flatMap((path) => (path === null ? [] : [read(path)])),
    },
  ],
  [
    'Glob',
    {
      group: 'read',
      params: ['pattern', 'path'],
      content: ['pattern', 'path'],
      touches: (input) => [{ kind: 'read', path: folderOf(input.maybe('path') ?? '.', input.text('pattern')), listing: true }],
    },
  ],
  [
    'Grep',
    {
      group: 'read',
      params: [
        'pattern',
        'path',
        'glob',
        'type',
        'output_mode',
        '-A',
        '-B',
        '-C',
        '-n',
        '-i',
        '-o',
        'context',
        'head_limit',
        'offset',
        'multiline',
      ],
      content: ['pattern', 'path', 'glob'],
      touches: (input) => [{ kind: 'read', path: input.maybe('path') ?? '.', deep: true }],
    },
  ],
  ['Write', edits('content')],
  ['Edit', edits('old_string', 'new_string', 'replace_all')],
  ['MultiEdit', edits('edits')],
  [
    'NotebookEdit',
    {
      group: 'edit',
      params: ['notebook_path', 'cell_id', 'new_source', 'cell_type', 'edit_mode'],
      content: ['notebook_path', 'new_source'],
      touches(input) {
        const path = input.text('notebook_path');
        return [
          { kind: 'write', path },
          { kind: 'read', path, implied: true },
        ];
      },
    },
  ],
  [
    'Bash',
    {
      group: 'command',
      params: ['command', 'timeout', 'description', 'run_in_background', 'dangerouslyDisableSandbox'],
      content: ['command', 'description'],
      loosens: unsandboxed,
      touches: (input) => [{ kind: 'command', text: input.text('command') }],
    },
  ],
  [
    'Monitor',
    {
      group: 'command',
      params: ['description', 'timeout_ms', 'command', 'ws', 'persistent'],
      content: ['command', 'description'],
      touches(input) {
        const command = input.maybe('command');
        if (command !== null) return [{ kind: 'command', text: command }];
        const socket = input.fields.ws;
        const url = typeof socket === 'object' && socket !== null ? (socket as { url?: unknown }).url : undefined;
        if (typeof url !== 'string') throw new MalformedInput('Monitor needs command or ws.url');
        return [{ kind: 'url', url }];
      },
    },
  ],
  [
    'PowerShell',
    {
      group: 'command',
      params: ['command', 'timeout', 'description', 'run_in_background', 'dangerouslyDisableSandbox'],
      content: ['command', 'description'],
      loosens: unsandboxed,
      touches: () => [{ kind: 'anywhere', why: 'PowerShell is not analysed' }],
    },
  ],
  [
    'WebFetch',
    {
      group: 'web',
      params: ['url', 'prompt', 'offset'],
      content: ['url', 'prompt'],
      touches: (input) => [{ kind: 'url', url: input.text('url') }],
    },
  ],
  ['WebSearch', { group: 'web', params: ['query', 'allowed_domains', 'blocked_domains'], content: ['query'], touches: nothing }],
  [
    'Agent',
    {
      group: 'agent',
      params: [
        'description',
        'prompt',
        'subagent_type',
        'model',
        'effort',
        'run_in_background',
        'name',
        'isolation',
        'resume',
        'max_turns',
        'mode',
        'team_name',
      ],
      content: ['description', 'prompt'],
      loosens: new Map([['isolation', (value: unknown) => value === 'remote']]),
      touches(input) {
        const started: Touch[] = [{ kind: 'agent', name: input.maybe('subagent_type') ?? 'general-purpose' }];
        if (input.maybe('isolation') === 'remote')
          started.push({ kind: 'asks', name: 'Agent with remote isolation', why: 'a remote agent is not under these rules' });
        return started;
      },
    },
  ],
  [
    'Skill',
    {
      group: 'agent',
      params: ['skill', 'args', 'command', 'name'],
      content: ['args'],
      touches: (input) => [{ kind: 'skill', name: input.maybe('skill') ?? input.maybe('command') ?? input.text('name') }],
    },
  ],
  ['ListMcpResourcesTool', { group: 'mcp', params: ['server'], touches: nothing }],
  ['ReadMcpResourceTool', { group: 'mcp', params: ['server', 'uri'], touches: nothing }],
  ['ReadMcpResourceDirTool', { group: 'mcp', params: ['server', 'uri'], touches: nothing }],
  [
    'Artifact',
    {
      group: 'other',
      params: ['action', 'file_path', 'title', 'id', 'description'],
      content: ['file_path'],
      touches: (input) => {
        const path = input.maybe('file_path');
        return path === null ? [] : [read(path)];
      },
    },
  ],
  [
    'SendUserFile',
    {
      group: 'other',
      params: ['file_path', 'files', 'caption', 'status', 'title'],
      content: ['file_path', 'files', 'caption'],
      touches(input) {
        const files = Array.isArray(input.fields.files) ? input.fields.files : [];
        return [input.maybe('file_path'), ...files].flatMap((path) => (typeof path === 'string' ? [read(path)] : []));
      },
    },
  ],
  [
    'Workflow',
    {
      group: 'agent',
      params: ['script', 'name', 'scriptPath', 'args'],
      content: ['script', 'args'],
      touches: (input) => [
        { kind: 'prompt', texts: stringsOf(input.fields) },
        { kind: 'anywhere', why: 'a workflow runs agents and code of its own' },
      ],
    },
  ],
  [
    'CronCreate',
    {
      group: 'other',
      params: ['cron', 'prompt', 'recurring', 'durable'],
      content: ['prompt'],
      touches(input) {
        const made: Touch[] = [{ kind: 'prompt', texts: stringsOf(input.fields) }];
        if (input.has('durable')) made.push({ kind: 'asks', name: 'CronCreate with durable', why: 'it outlives this session' });
        return made;
      },
    },
  ],
  [
    'ScheduleWakeup',
    {
      group: 'other',
      params: ['delaySeconds', 'reason', 'prompt', 'delay_seconds'],
      content: ['prompt', 'reason'],
      touches: (input) => [{ kind: 'prompt', texts: stringsOf(input.fields) }],
    },
  ],
  [
    'SendMessage',
    {
      group: 'other',
      params: ['to', 'recipient', 'message', 'content', 'summary', 'type'],
      content: ['message', 'content', 'summary'],
      touches: (input) => [{ kind: 'prompt', texts: stringsOf(input.fields) }],
    },
  ],
  ['RemoteTrigger', remote('it starts work outside these rules', 'action', 'trigger_id', 'body')],
  ['CronDelete', other('id')],
  ['CronList', other()],
  ['EnterWorktree', other('name', 'path')],
  ['ExitWorktree', other('action', 'discard_changes')],
  ['ClaudeDesign', remote('it is not known what it changes')],
  ['OfferChromeSetup', other()],
  ['Projects', other('action', 'query', 'project_id')],
  ['propose_skills', other('skills')],
  ['PushNotification', other('message', 'title', 'status')],
  ['ReportFindings', other('findings', 'summary', 'level')],
  ['SendFeedback', other('message', 'feedback')],
  ['SetGoal', other('goal')],
  ['ShareOnboardingGuide', other()],
  ['ShowOnboardingRolePicker', other()],
  ['EndConversation', other('reason')],
  ['ToolSearch', meta('query', 'max_results')],
  ['AskUserQuestion', meta('questions', 'answers', 'annotations', 'metadata')],
  ['EnterPlanMode', meta()],
  ['ExitPlanMode', meta('plan', 'planFilePath', 'allowedPrompts')],
  ['TodoWrite', meta('todos')],
  ['TaskCreate', meta('subject', 'description', 'activeForm', 'metadata')],
  ['TaskGet', meta('taskId', 'task_id')],
  ['TaskList', meta()],
  [
    'TaskUpdate',
    meta('taskId', 'task_id', 'status', 'subject', 'description', 'activeForm', 'addBlocks', 'addBlockedBy', 'owner', 'metadata'),
  ],
  ['TaskStop', meta('task_id', 'shell_id')],
  ['SubagentHandback', meta('message', 'summary', 'result')],
  ['WaitForMcpServers', meta('servers', 'timeout_ms')],
  ['SendUserMessage', meta('message', 'attachments', 'status')],
  ['ReadNotifications', meta()],
  ['ListAgents', meta()],
]);

/** Names of older clients for tools that live on. */
export const aliases: ReadonlyMap<string, string> = new Map([
  ['Task', 'Agent'],
  ['KillShell', 'TaskStop'],
  ['KillBash', 'TaskStop'],
  ['ListPeers', 'ListAgents'],
  ['Brief', 'SendUserMessage'],
  ['ListMcpResources', 'ListMcpResourcesTool'],
  ['ReadMcpResource', 'ReadMcpResourceTool'],
  ['ReadMcpResourceDir', 'ReadMcpResourceDirTool'],
  ['ProposeGoal', 'SetGoal'],
]);

/** Every text in a value, however deep; `toolCall` bounds the depth. */
function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

/** The folder that a Glob looks into: `path` joined with what stands before the first wildcard. */
function folderOf(path: string, pattern: string): string {
  const parts = pattern.split('/');
  const wild = parts.findIndex((part) => /[*?[{]/.test(part));
  const literal = wild === -1 ? parts.slice(0, -1) : parts.slice(0, wild);
  if (pattern.startsWith('/')) return literal.join('/') || '/';
  return literal.length === 0 ? path : `${path}/${literal.join('/')}`;
}

const mainArguments: ReadonlyMap<string, string> = new Map([
  ['Bash', 'command'],
  ['Monitor', 'command'],
  ['PowerShell', 'command'],
  ['WebFetch', 'url'],
  ['WebSearch', 'query'],
  ['Agent', 'subagent_type'],
  ['Skill', 'skill'],
  ['Glob', 'pattern'],
  ['Grep', 'path'],
  ['NotebookEdit', 'notebook_path'],
  ['EnterWorktree', 'name'],
  ['CronCreate', 'prompt'],
  ['Artifact', 'file_path'],
  ['SendUserFile', 'file_path'],
]);

/** The parameter that `Tool(…)` stands for in a dry run: command, path, URL or name; null when the tool has none. */
export function mainArgument(tool: string): string | null {
  const name = aliases.get(tool) ?? tool;
  return mainArguments.get(name) ?? (tools.get(name)?.params.includes('file_path') ? 'file_path' : null);
}
