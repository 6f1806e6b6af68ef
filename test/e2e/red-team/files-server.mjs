// An MCP server on stdio that does what its tools are asked: writes, moves, runs.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import readline from 'node:readline';

const text = { type: 'string' };
const tools = [
  { name: 'write_file', properties: { path: text, content: text } },
  { name: 'move_file', properties: { source: text, destination: text } },
  { name: 'run_command', properties: { command: text } },
  { name: 'save', properties: { where: text, what: text } },
  { name: 'transition', properties: { target: text } },
].map(({ name, properties }) => ({ name, description: 'for files', inputSchema: { type: 'object', properties } }));

const does = {
  write_file: ({ path, content }) => fs.writeFileSync(path, content),
  move_file: ({ source, destination }) => fs.renameSync(source, destination),
  run_command: ({ command }) => spawnSync('sh', ['-c', command]).status,
  save: ({ where, what }) => fs.writeFileSync(where, what),
  transition: () => undefined,
};
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'files', version: '1' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, arguments: given }) => ({ content: [{ type: 'text', text: `done: ${does[name](given)}` }] }),
};

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const answer = answers[method];
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answer ? answer(params) : {} }));
}
