// OpenCode, version 1. Its hooks are functions of a plugin in its process, so the plugin that Modes writes starts the launcher.

import {
  agent,
  edit,
  fetchUrl,
  glob,
  list,
  nothing,
  patch,
  question,
  read,
  resources,
  search,
  shell,
  skill,
  webSearch,
  write,
} from './calls.ts';
import { decisionIn } from './printed.ts';
import type { Harness } from './types.ts';

/** Milliseconds. The launcher answers earlier. */
const timeout = 60_000;

const plugin = (
  launcher: string,
): string => `// Modes decides every tool call. Written by "modes init --harness opencode"; "--undo" removes it.
import { spawn } from 'node:child_process';

const launcher = ${JSON.stringify(launcher)};

/** The exit code and the output of the launcher; null if it did not run, or did not end in time. */
const ask = (event) =>
  new Promise((done) => {
    const child = spawn('/bin/sh', [launcher, 'opencode', 'tool.execute.before'], { stdio: ['pipe', 'pipe', 'pipe'] });
    const timer = setTimeout(() => { child.kill('SIGKILL'); done(null); }, ${timeout});
    let out = '';
    let err = '';
    child.stdout.on('data', (text) => { out += text; });
    child.stderr.on('data', (text) => { err += text; });
    child.stdin.on('error', () => undefined);
    child.on('error', () => { clearTimeout(timer); done(null); });
    child.on('close', (code) => { clearTimeout(timer); done({ code, out, err }); });
    child.stdin.end(JSON.stringify(event));
  });

export const Modes = async ({ directory }) => ({
  'tool.execute.before': async ({ tool, sessionID, callID }, { args }) => {
    const ended = await ask({ hook_event_name: 'tool.execute.before', tool, sessionID, callID, args: args ?? {}, directory });
    let answer = null;
    try { answer = JSON.parse(ended?.out ?? ''); } catch { /* No answer: the call is denied. */ }
    if (ended?.code === 0 && (answer?.decision === 'allow' || answer?.decision === 'pass')) return;
    throw new Error(answer?.reason || ended?.err || 'Modes gave no answer, so the call is denied. Run modes doctor --harness opencode in a terminal.');
  },
});
`;

export const opencode: Harness = {
  name: 'opencode',
  title: 'OpenCode',
  events: new Map([['tool.execute.before', { kind: 'before' }]]),
  fields: { session: 'sessionID', tool: 'tool', input: 'args', id: 'callID' },
  start: 'event',
  folder: ({ directory }) => directory,
  tools: new Map([
    ['bash', shell('command', 'workdir', 'timeout', 'description')],
    ['read', read('filePath', 'offset', 'limit')],
    ['write', write('filePath', 'content')],
    ['edit', edit('filePath', 'oldString', 'newString', 'replaceAll')],
    ['apply_patch', patch('patchText')],
    ['patch', patch('patchText')],
    ['glob', glob('pattern', 'path')],
    ['grep', search('path', 'pattern', 'include')],
    ['list', list('path', 'ignore')],
    ['lsp', read('filePath', 'operation', 'line', 'character', 'query')],
    ['webfetch', fetchUrl('url', 'format', 'timeout')],
    ['websearch', webSearch('query', 'numResults', 'livecrawl', 'type', 'contextMaxCharacters')],
    ['task', agent('subagent_type', 'prompt', 'description', 'command', 'task_id')],
    ['skill', skill('name')],
    ['list_mcp_resources', resources('server', null)],
    ['list_mcp_resource_templates', resources('server', null)],
    ['read_mcp_resource', resources('server', 'uri')],
    ['question', question('questions')],
    ['todowrite', nothing('todos')],
    ['todoread', nothing()],
    ['invalid', nothing('tool', 'error')],
  ]),
  // MCP tools are named SERVER_TOOL, which does not show where the name of the server ends.
  mcpName: () => null,
  answer: ({ effect, reason }) => ({
    out: JSON.stringify({ decision: effect, reason }),
    err: effect === 'deny' ? reason : '',
    code: effect === 'deny' ? 2 : 0,
  }),
  context: () => null,
  setup: { kind: 'plugin', file: '.opencode/plugin/modes.js', text: plugin },
  sample: {
    event: 'tool.execute.before',
    write: (directory, filePath) => ({
      ...{ hook_event_name: 'tool.execute.before', sessionID: 'modes-doctor', callID: '1', directory },
      ...{ tool: 'write', args: { filePath, content: 'x' } },
    }),
  },
  denies: ({ out, code }) => code !== 0 || !['allow', 'pass'].includes(decisionIn(out, 'decision') ?? ''),
  open: [
    'Another plugin in the same process can change the arguments of a call after Modes has decided it.',
    'The names of MCP tools do not contain their server, so rules must name mcp__opencode__SERVER_TOOL.',
  ],
  afterSetup: 'Start opencode in this folder again: it loads plugins when it starts.',
  needsAgentsFile: true,
  program: /(^|\/)opencode(?:\.exe)?$|opencode-ai(\/|$)/,
  variables: ['OPENCODE'],
};
