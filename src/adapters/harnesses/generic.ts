// Any other harness, with the client's tool names: documented JSON in, JSON out (docs/harnesses.md).

import { tools } from '../../facts/table.ts';
import type { Harness, HarnessTool } from './types.ts';

export const generic: Harness = {
  name: 'generic',
  title: 'another harness',
  events: new Map([
    ['before-tool', { kind: 'before', asks: 'always' }],
    ['session-start', { kind: 'start' }],
    ['prompt', { kind: 'prompt' }],
    ['after-tool', { kind: 'other' }],
    ['stop', { kind: 'other' }],
  ]),
  fields: {
    session: 'session_id',
    tool: 'tool_name',
    input: 'tool_input',
    id: 'tool_use_id',
    agent: 'agent_id',
    agentType: 'agent_type',
  },
  start: 'event',
  folder: ({ cwd }) => cwd,
  tools: new Map(
    [...tools].map(([tool, { params }]): [string, HarnessTool] => [
      tool,
      { fields: params, calls: ({ fields }) => [{ tool, input: fields }] },
    ]),
  ),
  mcpName: (tool) => (/^mcp__.+__/.test(tool) ? tool : null),
  answer: ({ effect, reason }) => ({
    out: JSON.stringify({ decision: effect, reason }),
    err: effect === 'deny' || effect === 'ask' ? reason : '',
    // A host that reads only the exit code denies what a person should answer.
    code: effect === 'deny' || effect === 'ask' ? 2 : 0,
  }),
  context: (text) => JSON.stringify({ context: text }),
  setup: null,
  sample: {
    event: 'before-tool',
    write: (cwd, file_path) => ({
      ...{ session_id: 'modes-doctor', cwd, tool_name: 'Write', tool_input: { file_path, content: 'x' } },
    }),
  },
  denies: ({ code }) => code !== 0,
  open: ['The harness determines what happens if the hook does not run, times out or fails.'],
  afterSetup:
    'Let your harness run "modes hook before-tool --harness generic" before each tool call, as docs/harnesses.md describes.',
  needsAgentsFile: true,
  program: null,
  variables: [],
};
