// The client's built-in tools: one row per tool, with the accesses of a call. Names and parameters are those of the pinned
// client.

import { defaultAgent } from '../config/agent-names.ts';
import type { Skips } from '../model/command.ts';
import { quote } from '../shell/arg.ts';
import { filesOf, folderOf, type Input, MalformedInput, stringsOf, type ToolRow, type Touch, textsOf } from './input.ts';
import { checkGlobs } from './limits.ts';
import { patchedFiles } from './patch.ts';
import { skillNames } from './skills.ts';

export { MalformedInput } from './input.ts';

const nothing = (): Touch[] => [];
const meta = (...params: string[]): ToolRow => ({ group: 'meta', params, touches: nothing });
const other = (...params: string[]): ToolRow => ({ group: 'other', params, touches: nothing });
const read = (path: string): Touch & { kind: 'read' } => ({ kind: 'read', path });
const reads = (...params: string[]): ToolRow => ({
  group: 'read',
  params: ['file_path', ...params],
  content: ['file_path'],
  touches: (input) => [read(input.text('file_path'))],
});
const remote = (why: string, ...params: string[]): ToolRow => ({
  group: 'other',
  params,
  touches: (input) => [
    { kind: 'asks', name: input.tool, why },
    { kind: 'prompt', texts: stringsOf(input.fields) },
  ],
});

/** A tool that runs code which no analyser reads. The code may call other tools or start agents. */
const runsCode = (...params: string[]): ToolRow => ({
  group: 'command',
  params,
  content: ['code'],
  main: 'code',
  touches: (input) => [
    { kind: 'prompt', texts: stringsOf(input.fields) },
    { kind: 'command', text: `node -e ${quote(input.maybe('code') ?? '')}`, isForeign: true },
    { kind: 'anywhere', why: `the code of ${input.tool} is not analyzed` },
  ],
});

/**
 * The commands of a PowerShell text, as far as they are written as in Bash: the text itself, with its own forms of paths, of quotes
 * and of no output, and the commands in its words.
 */
function commandsOfPowerShell(text: string): Touch[] {
  const plain = text
    .replace(/`(.)/gs, (_, escaped: string) => (/\s/.test(escaped) ? ' ' : escaped))
    .replaceAll('\\', '/')
    .replace(/@\(([^()]*)\)/g, ' $1 ')
    .replace(/(^|[\n;|&{(=])([^\S\n]*)[&.](?=\s+["'\w$/~])/g, '$1$2')
    .replace(/\$null\b/gi, '/dev/null')
    .replace(/(^|[\n;{(])([^\S\n]*)\$(\w+)\s*=\s*/g, '$1$2$3=');
  return [plain, `pwsh -Command ${quote(plain)}`].map((one) => ({ kind: 'command', text: one, isForeign: true }));
}

const versionControl = ['.git', '.svn', '.hg', '.bzr', '.jj', '.sl'].map((text) => ({ text, skip: true, of: 'any' as const }));

/** The patterns of the client's search. The client splits them at blanks and, if there are no braces, at commas. */
const patternsOf = (glob: string): string[] =>
  glob
    .split(/\s+/)
    .flatMap((text) => (text.includes('{') && text.includes('}') ? [text] : text.split(',')))
    .filter((text) => text !== '');

/** The files that the client's search skips: it runs ripgrep with hidden files. */
function skipsOfGrep(input: Input): Skips {
  const glob = input.fields.glob;
  const type = input.fields.type;
  const globs = (typeof glob === 'string' ? checkGlobs(glob, patternsOf) : []).map((text) => ({
    text: text.replace(/^!/, ''),
    skip: text.startsWith('!'),
    of: 'any' as const,
  }));
  return {
    style: 'rg',
    hidden: false,
    ignored: true,
    globs: [...versionControl, ...globs],
    types: typeof type === 'string' ? [type] : [],
    base: null,
  };
}

/** A tool that queries an MCP server. A resource may be a local file. */
const ofServer = (...params: string[]): ToolRow => ({
  group: 'mcp',
  params: ['server', ...params],
  touches(input) {
    const server = input.maybe('server');
    const serverTouches: Touch[] = server === null ? [] : [{ kind: 'server', name: server }];
    const uri = input.maybe('uri');
    if (uri === null) return serverTouches;
    // A text without a scheme is not a URI, but the server may treat it as a path.
    const isPath = uri !== '' && !/^\s*[a-z][a-z0-9+.-]*:/i.test(uri);
    return [...serverTouches, ...filesOf(uri).map(read), ...(isPath ? [{ ...read(uri), implied: true }] : [])];
  },
});
const pathsOf = (input: Input, ...names: string[]): string[] =>
  names.flatMap((name) => {
    if (Array.isArray(input.fields[name])) return input.texts(name);
    const text = input.maybe(name);
    return text === null ? [] : textsOf(text);
  });
/** If the path is a folder, the tool sends it with its contents. */
const sent = (path: string): Touch & { kind: 'read' } => ({ kind: 'read', path, extent: 'as it is' });

const unsandboxed: ToolRow['weakens'] = new Map([['dangerouslyDisableSandbox', Boolean]]);
const edits = (content: string[], ...params: string[]): ToolRow => ({
  group: 'edit',
  params: ['file_path', ...content, ...params],
  content: ['file_path', ...content],
  touches(input) {
    return [{ kind: 'write', path: input.text('file_path'), readModifyWrite: true }];
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
      main: 'filePath',
      touches: (input) => pathsOf(input, 'filePath', 'file_path').map(read),
    },
  ],
  [
    'Glob',
    {
      group: 'read',
      params: ['pattern', 'path'],
      content: ['pattern', 'path'],
      main: 'pattern',
      touches: (input) => [{ kind: 'read', path: folderOf(input.maybe('path') ?? '.', input.text('pattern')), extent: 'names' }],
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
      main: 'path',
      touches: (input) => [{ kind: 'read', path: input.maybe('path') ?? '.', extent: 'deep', skips: skipsOfGrep(input) }],
    },
  ],
  ['Write', edits(['content'])],
  ['Edit', edits(['old_string', 'new_string'], 'replace_all')],
  ['MultiEdit', { ...edits(['edits']), former: 'Edit' }],
  [
    // Other harnesses change files with patches. The client has no such tool.
    'ApplyPatch',
    {
      group: 'edit',
      params: ['patch'],
      content: ['patch'],
      main: 'patch',
      touches(input) {
        const files = patchedFiles(input.text('patch'));
        if (files === null) return [{ kind: 'anywhere', why: 'the patch cannot be read' }];
        return files.map((path) => ({ kind: 'write', path, readModifyWrite: true }));
      },
    },
  ],
  [
    'NotebookEdit',
    {
      group: 'edit',
      params: ['notebook_path', 'cell_id', 'new_source', 'cell_type', 'edit_mode'],
      content: ['notebook_path', 'new_source'],
      main: 'notebook_path',
      touches(input) {
        return [{ kind: 'write', path: input.text('notebook_path'), readModifyWrite: true }];
      },
    },
  ],
  [
    'Bash',
    {
      group: 'command',
      params: ['command', 'timeout', 'description', 'run_in_background', 'dangerouslyDisableSandbox'],
      content: ['command'],
      main: 'command',
      weakens: unsandboxed,
      touches: (input) => [{ kind: 'command', text: input.text('command') }],
    },
  ],
  [
    'Monitor',
    {
      group: 'command',
      params: ['description', 'timeout_ms', 'command', 'ws', 'persistent'],
      content: ['command', 'ws'],
      main: 'command',
      touches(input) {
        const command = input.maybe('command');
        const socket = input.fields.ws ?? null;
        if (command !== null && socket !== null) throw new MalformedInput('Monitor takes command or ws, not both');
        if (command !== null) return [{ kind: 'command', text: command }];
        const url = typeof socket === 'object' ? (socket as { url?: unknown } | null)?.url : undefined;
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
      content: ['command'],
      main: 'command',
      weakens: unsandboxed,
      touches: (input) => [
        ...commandsOfPowerShell(input.maybe('command') ?? ''),
        { kind: 'anywhere', why: 'PowerShell is not analyzed' },
      ],
    },
  ],
  [
    'WebFetch',
    {
      group: 'web',
      params: ['url', 'prompt', 'offset'],
      content: ['url'],
      main: 'url',
      touches: (input) => [{ kind: 'url', url: input.text('url') }],
    },
  ],
  ['WebSearch', { group: 'web', params: ['query', 'allowed_domains', 'blocked_domains'], main: 'query', touches: nothing }],
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
      main: 'subagent_type',
      weakens: new Map<string, (value: unknown) => boolean>([
        ['isolation', (value) => value === 'remote'],
        ['mode', (value) => value !== 'default' && value !== 'plan'],
      ]),
      touches(input) {
        const started: Touch[] = [{ kind: 'agent', name: input.maybe('subagent_type') ?? defaultAgent }];
        if (input.maybe('isolation') === 'remote')
          started.push({ kind: 'asks', name: 'Agent with remote isolation', why: 'these rules do not apply to a remote agent' });
        return started;
      },
    },
  ],
  [
    'Skill',
    {
      group: 'agent',
      params: ['skill', 'args', 'command', 'name'],
      main: 'skill',
      touches: (input) => skillNames(input).map((name) => ({ kind: 'skill', name })),
    },
  ],
  ['ListMcpResourcesTool', ofServer()],
  ['ReadMcpResourceTool', ofServer('uri')],
  ['ReadMcpResourceDirTool', ofServer('uri')],
  ['RefreshMcpTools', ofServer()],
  [
    'Artifact',
    {
      group: 'other',
      params: [
        'action',
        'file_path',
        'file_paths',
        'out_dir',
        'title',
        'id',
        'asset_id',
        'description',
        'label',
        'icon',
        'favicon',
        'url',
        'prompt',
        'force',
        'pin',
        'limit',
        'page_token',
        'scope',
        'after',
        'capabilities',
        'contract',
      ],
      content: ['file_path', 'file_paths', 'out_dir'],
      touches: (input) => [
        ...pathsOf(input, 'file_path', 'file_paths').map(sent),
        // It saves a file there with a name that the service chooses.
        ...pathsOf(input, 'out_dir').map((path): Touch => ({ kind: 'write', path, extent: 'deep' })),
      ],
    },
  ],
  [
    'SendUserFile',
    {
      group: 'other',
      params: ['file_path', 'files', 'caption', 'status', 'title'],
      content: ['file_path', 'files'],
      touches: (input) => pathsOf(input, 'file_path', 'files').map(sent),
    },
  ],
  [
    'SendFile',
    {
      group: 'other',
      params: ['to', 'files', 'message'],
      content: ['files'],
      touches: (input) => [...pathsOf(input, 'files').map(sent), { kind: 'prompt', texts: stringsOf(input.fields) }],
    },
  ],
  [
    'Projects',
    {
      group: 'other',
      params: ['method', 'path', 'content', 'local_path', 'present_to_user', 'query', 'n', 'action', 'project_id'],
      content: ['content', 'local_path'],
      touches: (input) => pathsOf(input, 'local_path').map(sent),
    },
  ],
  [
    'Workflow',
    {
      group: 'agent',
      params: ['script', 'name', 'scriptPath', 'args', 'description', 'title', 'resumeFromRunId'],
      content: ['script', 'args'],
      main: 'name',
      touches: (input) => [
        { kind: 'prompt', texts: stringsOf(input.fields) },
        { kind: 'anywhere', why: 'a workflow runs its own agents and code' },
      ],
    },
  ],
  [
    'CronCreate',
    {
      group: 'other',
      params: ['cron', 'prompt', 'recurring', 'durable'],
      main: 'prompt',
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
      params: ['delaySeconds', 'reason', 'prompt', 'stop', 'noop', 'delay_seconds'],
      touches: (input) => [{ kind: 'prompt', texts: stringsOf(input.fields) }],
    },
  ],
  [
    'SendMessage',
    {
      group: 'other',
      params: ['to', 'recipient', 'message', 'content', 'summary', 'type', 'notify_when_idle'],
      touches: (input) => [{ kind: 'prompt', texts: stringsOf(input.fields) }],
    },
  ],
  ['RemoteTrigger', remote('it starts work outside these rules', 'action', 'trigger_id', 'session_id', 'cursor', 'body')],
  ['CronDelete', other('id')],
  ['CronList', other()],
  ['EnterWorktree', { ...other('name', 'path'), main: 'name' }],
  ['ExitWorktree', other('action', 'discard_changes')],
  ['ClaudeDesign', remote('its changes are unknown', 'operation', 'arguments')],
  ['OfferChromeSetup', other('reason')],
  ['propose_skills', other('proposals')],
  ['PushNotification', other('message', 'title', 'status')],
  ['ReportFindings', other('findings', 'summary', 'level')],
  ['SendFeedback', other('type', 'title', 'details', 'area', 'failure_mode', 'task_category')],
  ['SetGoal', other('condition', 'ask_user')],
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
  [
    'SendUserMessage',
    {
      ...meta('message', 'attachments', 'status'),
      // An attachment that is not a text was uploaded before.
      touches: ({ fields: { attachments } }) =>
        [attachments].flat().flatMap((one): Touch[] => (typeof one === 'string' ? [{ ...sent(one), implied: true }] : [])),
    },
  ],
  ['ReadNotifications', meta()],
  ['ListAgents', meta('channel', 'q', 'cursor')],
  ['BashOutput', meta('bash_id', 'shell_id', 'task_id', 'filter', 'block', 'timeout', 'wait_up_to')],
  // It keeps the list of deferred tools alive. A call has no effect.
  ['DeferredToolPlaceholder', meta()],
  ['FetchInboxMessage', meta('file_id')],
  ['GetGoal', meta()],
  ['GetTask', meta('taskId')],
  ['ListConnectors', meta('keywords')],
  ['ListPlugins', meta('keywords')],
  ['ListSkills', meta('keywords')],
  ['McpTaskCheck', meta('task_id')],
  ['Poll', meta()],
  ['ReadWidgetContext', meta('widget_id')],
  ['SendToProjectContext', meta()],
  ['WrapUp', meta('recap', 'ask', 'blocked', 'actions')],
  ['Yield', meta('timeout_seconds')],
  // The result of a run, in the form that its caller requests. The caller defines its parameters.
  ['StructuredOutput', meta()],
  ['McpTaskResumePolling', other('task_id')],
  ['McpTaskShowQuestion', other('task_id')],
  ['PauseGoal', other('reason')],
  ['SearchMcpRegistry', other('keywords')],
  ['SearchPlugins', other('keywords')],
  ['SearchSkills', other('keywords')],
  ['SuggestConnectors', other('uuids')],
  ['SuggestPluginInstall', other('contextLabel', 'plugins', 'trigger')],
  ['SuggestSkills', other('keywords', 'contextLabel', 'trigger')],
  ['ObserverReport', { ...other('report'), touches: (input) => [{ kind: 'prompt', texts: stringsOf(input.fields) }] }],
  ['SendToProject', remote('it sends work outside these rules', 'project_name', 'project_id', 'attach_git_remote', 'proposal')],
  [
    'PublishPlugin',
    {
      group: 'other',
      params: ['path', 'destination', 'description', 'replace', 'shown'],
      content: ['path'],
      touches: (input) => [
        { kind: 'asks', name: input.tool, why: 'it publishes a folder of this machine' },
        ...pathsOf(input, 'path').map(sent),
        // It writes a manifest if the folder has none.
        ...pathsOf(input, 'path').map((path): Touch => ({ kind: 'write', path, extent: 'deep' })),
      ],
    },
  ],
  ['memory_list', meta('store', 'path_prefix', 'cursor')],
  ['memory_read', meta('store', 'path')],
  // The service has the store, so no local file is written.
  ['memory_write', other('store', 'path', 'content', 'if_version')],
  ['ArtifactCheck', remote('the files that it opens are unknown')],
  ['ArtifactComments', remote('the data that it sends is unknown')],
  ['ArtifactData', remote('its changes are unknown')],
  [
    'DesignSync',
    remote('it sends and changes files of a design project', 'method', 'projectId', 'path', 'writes', 'deletes', 'planId'),
  ],
  ['request_computer', remote('it starts work outside these rules')],
  ...['claude-in-chrome', 'remote-devices__Claude_Browser', 'remote-devices__computer'].map((name): [string, ToolRow] => [
    `enable__mcp__${name}`,
    remote('it connects tools that act outside these rules'),
  ]),
  ...['get_pool', 'list_runners', 'list_secrets', 'list_sessions', 'read_health', 'read_metrics', 'tail_log'].map(
    (name): [string, ToolRow] => [`self_hosted_runner_${name}`, other()],
  ),
  ...['requeue_session', 'spawn_local'].map((name): [string, ToolRow] => [
    `self_hosted_runner_${name}`,
    remote('it starts work outside these rules'),
  ]),
  ['AppifactRepl', runsCode('skill', 'artifact', 'code')],
  ['REPL', runsCode('code', 'description', 'timeout')],
]);

/** Names that older clients use for tools that still exist. */
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
  ['Eval', 'REPL'],
  ['RunWorkflow', 'Workflow'],
  ['BashOutputTool', 'BashOutput'],
  ['AgentOutput', 'BashOutput'],
  ['AgentOutputTool', 'BashOutput'],
  ['TaskOutput', 'BashOutput'],
]);

/** The parameter that `Tool(…)` sets in a dry run: command, path, URL or name; null if the tool has none. */
export function mainArgument(tool: string): string | null {
  const row = tools.get(aliases.get(tool) ?? tool);
  return row?.main ?? (row?.params.includes('file_path') ? 'file_path' : null);
}
