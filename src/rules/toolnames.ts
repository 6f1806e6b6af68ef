// The names of the client's tools that rules may use: built-in, of older clients, and removed. All from the table of tools.
import { aliases, tools } from '../facts/table.ts';
import type { ToolGroup } from '../model/facts.ts';

/** Built-in tools of the client. */
export const toolNames: ReadonlySet<string> = new Set(
  [...tools].filter(([, row]) => row.former === undefined).map(([name]) => name),
);

/** Names that older clients use; the value is the present name. */
export const oldNames: ReadonlyMap<string, string> = new Map([
  ...aliases,
  ...[...tools].flatMap(([name, { former }]) => (former === undefined ? [] : [[name, former] as const])),
  ['SlashCommand', 'Skill'],
  ['NotebookRead', 'Read'],
  ['LS', 'Glob'],
]);

/** Removed without a successor. A rule about such a tool matches nothing and gets a warning. */
export const goneNames: ReadonlySet<string> = new Set(['TodoRead']);

/** Tools whose bare name, in deny and ask, means the same access by any tool. */
export const everyAccess: ReadonlyMap<string, 'read' | 'write' | 'command'> = new Map([
  ['Read', 'read'],
  ['Write', 'write'],
  ['Edit', 'write'],
  ['Bash', 'command'],
]);

/** Groups that rules may name. */
export const groupNames: readonly ToolGroup[] = ['read', 'edit', 'command', 'web', 'mcp', 'agent'];

/** True for a parameter of the tool. This distinguishes `Agent(model:opus)` from the name of an agent. */
export function isParam(tool: string, name: string): boolean {
  return tools.get(tool)?.params.includes(name) ?? false;
}

/** True for the subject of a call or the contents of a file. Rules do not match these as text. */
export function isContent(tool: string, name: string): boolean {
  return contentParams.has(name) || (tools.get(tool)?.content?.includes(name) ?? false);
}

const contentParams: ReadonlySet<string> = new Set(['command', 'file_path', 'path', 'notebook_path', 'url']);
