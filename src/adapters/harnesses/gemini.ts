// Google Gemini CLI. Names and answers are those of version 0.61.

import fs from 'node:fs';
import path from 'node:path';
import { MalformedInput } from '../../facts/input.ts';
import {
  agent,
  call,
  fetchPrompt,
  glob,
  list,
  nothing,
  question,
  readMany,
  result,
  shell,
  skill,
  webSearch,
  wideSearch,
} from './calls.ts';
import { decisionIn } from './printed.ts';
import type { ClientCall, Harness, HarnessTool } from './types.ts';

/** Milliseconds. The launcher answers earlier. */
const timeout = 60_000;

/**
 * The files that Gemini CLI may mean by a path. It removes NUL, removes an @ from a name that does not exist, and decodes percent signs.
 * Which of them it means depends on the disk, so all count.
 */
function filesOf(name: string): string[] {
  const clean = name.replaceAll('\0', '');
  return [...new Set([clean, withoutAt(clean)].flatMap((one) => [one, decoded(one)]))];
}

const withoutAt = (name: string): string => name.replace(/^@[\\/]*(?=.)/, '');

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    // Gemini CLI keeps such a name as it is.
    return name;
  }
}

const ofFile = (make: (file_path: string) => ClientCall, ...others: string[]): HarnessTool => ({
  fields: ['file_path', ...others],
  calls: (input) => filesOf(input.text('file_path')).map(make),
});

/** For a relative path without a file, Gemini CLI edits the only file of the workspace whose path ends like that. */
const replace: HarnessTool = {
  fields: ['file_path', 'instruction', 'old_string', 'new_string', 'allow_multiple'],
  calls(input, folder) {
    const name = input.text('file_path');
    const isThere = [name, withoutAt(name)].some((one) => !one.includes('\0') && fs.existsSync(path.resolve(folder, one)));
    if (!path.isAbsolute(name) && !isThere)
      throw new MalformedInput(
        `there is no file ${JSON.stringify(name.slice(0, 200))}, and Gemini CLI may edit another file whose path ends like that; name it with its absolute path`,
      );
    return filesOf(name).map((file_path) => call('Edit', { file_path, old_string: '', new_string: '' }));
  },
};

const tools: Readonly<Record<string, HarnessTool>> = {
  run_shell_command: shell('command', 'dir_path', 'description', 'is_background', 'delay_ms'),
  read_file: ofFile((file_path) => call('Read', { file_path }), 'start_line', 'end_line'),
  read_many_files: readMany('include', 'exclude', 'recursive', 'useDefaultExcludes', 'file_filtering_options'),
  write_file: ofFile((file_path) => call('Write', { file_path, content: '' }), 'content'),
  replace: replace,
  glob: glob('pattern', 'dir_path', 'case_sensitive', 'respect_git_ignore', 'respect_gemini_ignore'),
  grep_search: wideSearch(
    'dir_path',
    'no_ignore',
    'pattern',
    'include_pattern',
    'exclude_pattern',
    'names_only',
    'case_sensitive',
    'fixed_strings',
    'context',
    'after',
    'before',
    'max_matches_per_file',
    'total_max_matches',
  ),
  list_directory: list('dir_path', 'ignore', 'file_filtering_options'),
  web_fetch: fetchPrompt('prompt'),
  google_web_search: webSearch('query'),
  write_todos: nothing('todos'),
  ask_user: question('questions'),
  invoke_agent: agent('agent_name', 'prompt'),
  activate_skill: skill('name'),
  update_topic: nothing('title', 'summary', 'strategic_intent'),
  complete_task: result,
  get_internal_docs: nothing('path'),
  enter_plan_mode: nothing('reason'),
  exit_plan_mode: nothing('plan_filename'),
  list_background_processes: nothing(),
  read_background_output: nothing('pid', 'lines', 'delay_ms'),
};

export const gemini: Harness = {
  name: 'gemini',
  title: 'Gemini CLI',
  events: new Map([
    ['BeforeTool', { kind: 'before', asks: 'terminal' }],
    ['AfterTool', { kind: 'other' }],
    ['BeforeAgent', { kind: 'prompt' }],
    ['AfterAgent', { kind: 'other' }],
    ['BeforeModel', { kind: 'other' }],
    ['AfterModel', { kind: 'other' }],
    ['BeforeToolSelection', { kind: 'other' }],
    ['SessionStart', { kind: 'start' }],
    ['SessionEnd', { kind: 'other' }],
    ['Notification', { kind: 'other' }],
    ['PreCompress', { kind: 'other' }],
  ]),
  fields: { session: 'session_id', tool: 'tool_name', input: 'tool_input', id: 'tool_use_id' },
  start: 'event',
  folder: ({ cwd }) => cwd,
  // The model may add this field to any call, to run it after the others.
  tools: new Map(
    Object.entries(tools).map(([name, row]) => [name, { ...row, fields: row.fields && [...row.fields, 'wait_for_previous'] }]),
  ),
  mcpName(_, { mcp_context: context }) {
    const { server_name: server, tool_name: tool } = (context ?? {}) as { server_name?: unknown; tool_name?: unknown };
    return typeof server === 'string' && typeof tool === 'string' ? `mcp__${server}__${tool}` : null;
  },
  answer({ effect, reason }) {
    if (effect === 'pass') return { out: '{}', err: '', code: 0 };
    if (effect === 'allow') return { out: JSON.stringify({ decision: 'allow' }), err: '', code: 0 };
    const out = JSON.stringify({ decision: effect, reason, ...(effect === 'ask' && { systemMessage: reason }) });
    // The decision in the JSON counts with any exit code. With any code except 0, Gemini CLI also reports a failed hook.
    return { out, err: effect === 'deny' ? reason : '', code: 0 };
  },
  context: (additionalContext, hookEventName) => JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext } }),
  setup: {
    kind: 'hooks',
    file: '.gemini/settings.json',
    syntax: 'comments',
    head: {},
    events: ['BeforeTool', 'SessionStart', 'BeforeAgent'],
    entry: (command, event) => ({
      ...(event === 'BeforeTool' && { matcher: '.*' }),
      hooks: [{ type: 'command', name: 'modes', command, timeout }],
    }),
  },
  sample: {
    event: 'BeforeTool',
    write: (cwd, file_path) => ({
      ...{
        session_id: 'modes-doctor',
        transcript_path: '',
        cwd,
        hook_event_name: 'BeforeTool',
        timestamp: new Date().toISOString(),
      },
      ...{ tool_name: 'write_file', tool_input: { file_path, content: 'x' } },
    }),
  },
  denies: ({ out, err, code }) => (out.trim() === '' ? code >= 2 && err.trim() !== '' : decisionIn(out, 'decision') === 'deny'),
  open: [
    'Gemini CLI runs project hooks only in a trusted folder.',
    'If a hook times out or cannot start, Gemini CLI lets the call run. The launcher answers within 25 seconds.',
    'Without ripgrep and outside of a git repository, grep_search also reads files that git would ignore.',
    'If Modes asks, that overrides the policies of Gemini CLI, even a deny.',
  ],
  afterSetup: 'Start gemini in this folder and trust the folder. Gemini CLI runs project hooks only in a trusted folder.',
  needsAgentsFile: false,
  program: /(^|\/)gemini$|@google\/gemini-cli(\/|$)/,
  variables: ['GEMINI_CLI'],
};
