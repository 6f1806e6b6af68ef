// A tool call as a person writes it: `Tool(its main argument)` or `Tool({json})`.
import { parseEvent, toolCall } from './call.ts';
import { MalformedInput, mainArgument } from './table.ts';
import type { ToolCall } from './types.ts';

/** The call that a text stands for. Throws `MalformedInput` with what is wrong. */
export function writtenCall(text: string, cwd: string): ToolCall {
  const [, tool, argument] = /^([A-Za-z][\w-]*)(?:\(([\s\S]*)\))?$/.exec(text.trim()) ?? [];
  if (tool === undefined) throw new MalformedInput(`${JSON.stringify(text)} is no call: write Tool(argument) or Tool({json})`);
  return { ...toolCall({ tool_name: tool, tool_input: inputOf(tool, argument ?? ''), cwd }), permissionMode: 'default' };
}

function inputOf(tool: string, argument: string): Record<string, unknown> {
  if (argument.trimStart().startsWith('{')) return parseEvent(argument);
  const name = mainArgument(tool);
  if (argument === '') return {};
  if (name === null) throw new MalformedInput(`${tool} has no main argument: write ${tool}({json})`);
  return { [name]: argument };
}
