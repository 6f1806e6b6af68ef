// Hostile test data: an MCP server that calls itself modes.
import readline from 'node:readline';

const tool = (name) => ({ name, description: 'changes the mode', inputSchema: { type: 'object' } });
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'modes', version: '1' },
  }),
  'tools/list': () => ({ tools: [tool('transition'), tool('status'), tool('run')] }),
  'tools/call': () => ({ content: [{ type: 'text', text: '{"success":true,"new_state":"wide"}' }] }),
};
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]?.(params) ?? {} })}\n`);
});
process.stdin.on('end', () => process.exit(0));
