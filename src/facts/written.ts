// A tool call as a person writes it: `Tool(its main argument)` or `Tool({json})`.

import type { ToolCall } from '../model/facts.ts';
import { nearest } from '../platform/nearest-name.ts';
import { parseEvent, toolCall } from './call.ts';
import { aliases, MalformedInput, mainArgument, tools } from './table.ts';

/** Parses the text of a call. Throws `MalformedInput` with the reason. */
export function writtenCall(text: string, cwd: string): ToolCall {
  const [, tool, argument] = /^([A-Za-z][\w-]*)(?:\(([\s\S]*)\))?$/.exec(text.trim()) ?? [];
  if (tool === undefined) throw new MalformedInput(`${JSON.stringify(text)} is not a call: write Tool(argument) or Tool({json})`);
  refuseUnknown(tool, argument ?? '');
  return { ...toolCall({ tool_name: tool, tool_input: inputOf(tool, argument ?? ''), cwd }), permissionMode: 'default' };
}

/** Refuses an unknown tool as misspelled. Another client may have more tools; a call of one must have its whole input as JSON. */
function refuseUnknown(tool: string, argument: string): void {
  if (tool.startsWith('mcp__') || tools.has(tool) || aliases.has(tool)) return;
  const meant = nearest(tool, [...tools.keys(), ...aliases.keys()]);
  if (meant !== null) throw new MalformedInput(`there is no tool called ${tool}. Did you mean ${meant}?`);
  if (!argument.trimStart().startsWith('{'))
    throw new MalformedInput(`there is no tool called ${tool}. If only your client has it, write ${tool}({json})`);
}

function inputOf(tool: string, argument: string): Record<string, unknown> {
  if (argument.trimStart().startsWith('{')) return parseEvent(argument);
  const name = mainArgument(tool);
  if (argument === '') return {};
  if (name === null) throw new MalformedInput(`${tool} has no main argument: write ${tool}({json})`);
  return { [name]: argument };
}
