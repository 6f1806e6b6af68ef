// The names of the client's tools as rules may write them: built-in, of older clients, gone. All from the one table of tools.
import { aliases, tools } from '../facts/table.ts';
import type { ToolGroup } from '../model/facts.ts';

/** Built-in tools of the client. */
export const toolNames: ReadonlySet<string> = new Set(
  [...tools].filter(([, row]) => row.former === undefined).map(([name]) => name),
);

/** Names of older clients; the value is today's name. */
export const oldNames: ReadonlyMap<string, string> = new Map([
  ...aliases,
  ...[...tools].flatMap(([name, { former }]) => (former === undefined ? [] : [[name, former] as const])),
  ['SlashCommand', 'Skill'],
  ['NotebookRead', 'Read'],
  ['LS', 'Glob'],
]);

/** Gone without a successor: a rule about them meets nothing, and is told so. */
export const goneNames: ReadonlySet<string> = new Set(['TodoRead']);

/** Tools whose name alone, in deny and ask, means what they do by whatever tool. */
export const everyAccess: ReadonlyMap<string, 'read' | 'write' | 'command'> = new Map([
  ['Read', 'read'],
  ['Write', 'write'],
  ['Edit', 'write'],
  ['Bash', 'command'],
]);

/** Groups that rules may name. */
export const groupNames: readonly ToolGroup[] = ['read', 'edit', 'command', 'web', 'mcp', 'agent'];

/** Parameters of a tool whose specifier is otherwise a command, a path or a name: what tells `Agent(model:opus)` from an agent's name. */
export function isParam(tool: string, name: string): boolean {
  return tools.get(tool)?.params.includes(name) ?? false;
}

/** What a call is about, or the contents of a file: rules do not match it as text. */
export function isContent(tool: string, name: string): boolean {
  return contentParams.has(name) || (tools.get(tool)?.content?.includes(name) ?? false);
}

const contentParams: ReadonlySet<string> = new Set(['command', 'file_path', 'path', 'notebook_path', 'url']);
