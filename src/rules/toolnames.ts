// The names of the client's tools as rules may write them: built-in, of older clients, gone. Source: the pinned client's own list.
import type { ToolGroup } from '../tools/types.ts';

/** Built-in tools of the client. Their groups are in the table of tools; here only whether a name is one. */
export const toolNames: ReadonlySet<string> = new Set([
  'Agent',
  'Artifact',
  'AskUserQuestion',
  'Bash',
  'ClaudeDesign',
  'CronCreate',
  'CronDelete',
  'CronList',
  'Edit',
  'EndConversation',
  'EnterPlanMode',
  'EnterWorktree',
  'ExitPlanMode',
  'ExitWorktree',
  'Glob',
  'Grep',
  'ListAgents',
  'ListMcpResourcesTool',
  'LSP',
  'Monitor',
  'NotebookEdit',
  'OfferChromeSetup',
  'PowerShell',
  'Projects',
  'propose_skills',
  'PushNotification',
  'Read',
  'ReadMcpResourceDirTool',
  'ReadMcpResourceTool',
  'ReadNotifications',
  'RemoteTrigger',
  'ReportFindings',
  'ScheduleWakeup',
  'SendFeedback',
  'SendMessage',
  'SendUserFile',
  'SendUserMessage',
  'SetGoal',
  'ShareOnboardingGuide',
  'ShowOnboardingRolePicker',
  'Skill',
  'SubagentHandback',
  'TaskCreate',
  'TaskGet',
  'TaskList',
  'TaskStop',
  'TaskUpdate',
  'TodoWrite',
  'ToolSearch',
  'WaitForMcpServers',
  'WebFetch',
  'WebSearch',
  'Workflow',
  'Write',
]);

/** Names of older clients; the value is today's name. */
export const oldNames: ReadonlyMap<string, string> = new Map([
  ['Task', 'Agent'],
  ['KillShell', 'TaskStop'],
  ['KillBash', 'TaskStop'],
  ['ListPeers', 'ListAgents'],
  ['Brief', 'SendUserMessage'],
  ['ListMcpResources', 'ListMcpResourcesTool'],
  ['ReadMcpResource', 'ReadMcpResourceTool'],
  ['ReadMcpResourceDir', 'ReadMcpResourceDirTool'],
  ['ProposeGoal', 'SetGoal'],
  ['MultiEdit', 'Edit'],
  ['SlashCommand', 'Skill'],
  ['NotebookRead', 'Read'],
  ['LS', 'Glob'],
]);

/** Gone without a successor: a rule about them meets nothing, and is told so. */
export const goneNames: ReadonlySet<string> = new Set(['BashOutput', 'TaskOutput', 'AgentOutputTool', 'TodoRead']);

/** Groups that rules may name. */
export const groupNames: readonly ToolGroup[] = ['read', 'edit', 'command', 'web', 'mcp', 'agent'];

/** Parameters of tools whose specifier is otherwise a command, a path or a name: what tells `Agent(model:opus)` from an agent's name. */
export const paramNames: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['Bash', new Set(['timeout', 'description', 'run_in_background', 'dangerouslyDisableSandbox'])],
  ['Monitor', new Set(['description', 'timeout_ms', 'persistent'])],
  ['Read', new Set(['offset', 'limit', 'pages', 'allow_large'])],
  ['Write', new Set<string>()],
  ['Edit', new Set(['replace_all'])],
  ['NotebookEdit', new Set(['cell_id', 'cell_type', 'edit_mode'])],
  ['Glob', new Set<string>()],
  ['Grep', new Set(['type', 'output_mode', 'head_limit', 'multiline', '-A', '-B', '-C', '-i', '-n', '-o', 'context'])],
  [
    'Agent',
    new Set([
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
    ]),
  ],
  ['Skill', new Set(['skill', 'args', 'command', 'name'])],
]);

/** Main content of a call: other rules are about it, so `Tool(param:value)` is not. */
export const contentParams: ReadonlySet<string> = new Set(['command', 'file_path', 'path', 'notebook_path', 'url']);
