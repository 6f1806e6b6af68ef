// Arguments of well-known MCP servers that are paths or commands, one row per server. A tool is found by its own name alone,
// because the user chooses the server's name. So a row only adds accesses, and the other effects of the tool remain unknown.

import type { ArgumentRole } from '../model/facts.ts';
import { serversIn } from './mcp-names.ts';

/** `names`: only the names of files are read. */
export type ShippedRole = ArgumentRole | 'names';

interface ServerRow {
  /** The package, and the place that documents its arguments. */
  server: string;
  source: string;
  tools: Readonly<Record<string, Readonly<Record<string, ShippedRole>>>>;
}

const rows: readonly ServerRow[] = [
  {
    server: '@modelcontextprotocol/server-filesystem 2026.8.31',
    source: 'dist/index.js, registerTool',
    tools: {
      read_file: { path: 'read' },
      read_text_file: { path: 'read' },
      read_media_file: { path: 'read' },
      read_multiple_files: { paths: 'read' },
      write_file: { path: 'write' },
      edit_file: { path: 'write' },
      create_directory: { path: 'write' },
      move_file: { source: 'write', destination: 'write' },
      list_directory: { path: 'names' },
      list_directory_with_sizes: { path: 'names' },
      directory_tree: { path: 'names' },
      search_files: { path: 'names' },
      get_file_info: { path: 'names' },
      list_allowed_directories: {},
    },
  },
  {
    server: '@wonderwhy-er/desktop-commander 0.2.52',
    source: 'dist/tools/schemas.js',
    tools: {
      start_process: { command: 'command' },
      interact_with_process: { input: 'command' },
      edit_block: { file_path: 'write' },
      write_pdf: { path: 'write', outputPath: 'write' },
      start_search: { path: 'read' },
    },
  },
  {
    server: 'mcp-server-commands 0.5.0',
    source: 'build/index.js, run_command',
    tools: { run_command: { command: 'command' } },
  },
  {
    server: 'mcp-shell-server, mcp-shell, cli servers of the same shape',
    source: 'their tool lists: one argument, the command line or its words',
    tools: {
      shell_execute: { command: 'command' },
      execute_command: { command: 'command' },
      execute_shell_command: { command: 'command' },
      run_shell_command: { command: 'command' },
      run_terminal_command: { command: 'command' },
      write_to_terminal: { command: 'command' },
    },
  },
  {
    server: 'mcp-server-git',
    source: 'its tool list: every tool takes repo_path. What it changes is git’s own or the whole tree, and stays unknown.',
    tools: Object.fromEntries(
      [
        'git_status',
        'git_diff_unstaged',
        'git_diff_staged',
        'git_diff',
        'git_commit',
        'git_add',
        'git_reset',
        'git_log',
        'git_create_branch',
        'git_checkout',
        'git_show',
        'git_branch',
      ].map((tool) => [tool, { repo_path: 'names' as const }]),
    ),
  },
];

/** Words in the name of a tool that runs commands on this machine. */
const runsCommands = /(?:^|_)(?:run|exec|execute|shell|bash|zsh|sh|terminal|console|commands?|cmd|process|scripts?|spawn)(?:_|$)/;
/** Part of the name of a tool that runs commands in a container or on another machine. */
export const runsElsewhere = /ssh|remote|docker|container|kube|pod/;

/** Usual names of the argument with the command line, or with the program if its words are in another argument. */
export const commandArguments = (
  'command commands cmd cmds commandLine command_line commandline shellCommand shell_command bashCommand bash_command script program ' +
  'executable argv'
).split(' ');
const ofShell: ReadonlyMap<string, ShippedRole> = new Map(commandArguments.map((name) => [name, 'command']));

/**
 * The roles of the arguments of `mcp__server__tool`, if the tool has the name of a well-known one, or a name by which it runs
 * commands.
 */
export function shippedRoles(name: string): ReadonlyMap<string, ShippedRole> | undefined {
  const tools = serversIn(name).map((server) => name.slice(`mcp__${server}__`.length));
  const rows = tools.flatMap((tool) => byTool.get(tool) ?? []);
  if (rows.length > 0) return rows.length === 1 ? rows[0] : new Map(rows.flatMap((row) => [...row]));
  return tools.map(snakeCase).some((tool) => runsCommands.test(tool) && !runsElsewhere.test(tool)) ? ofShell : undefined;
}

const snakeCase = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();

const byTool: ReadonlyMap<string, ReadonlyMap<string, ShippedRole>> = new Map(
  rows.flatMap(({ tools }) => Object.entries(tools).map(([tool, roles]) => [tool, new Map(Object.entries(roles))] as const)),
);
