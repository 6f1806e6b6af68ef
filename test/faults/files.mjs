// An MCP server on stdio with one tool, which writes a file.
import fs from 'node:fs';
import readline from 'node:readline';

const text = { type: 'string' };
const tool = {
  name: 'write_file',
  description: 'writes a file',
  inputSchema: { type: 'object', properties: { path: text, content: text } },
};

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'files', version: '1' },
  }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': ({ arguments: { path, content } }) => {
    fs.writeFileSync(path, content);
    return { content: [{ type: 'text', text: 'written' }] };
  },
};

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const answer = answers[method];
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answer ? answer(params) : {} }));
}
