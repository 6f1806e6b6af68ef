// An MCP server with one tool that answers with its input. It depends on no package, so that it starts and answers at once.
const tool = {
  name: 'echo',
  description: 'Answers with its text.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  annotations: { readOnlyHint: true },
  _meta: { 'anthropic/alwaysLoad': true },
};
const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'echo', version: '1' },
  }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': (params) => ({ content: [{ type: 'text', text: params.arguments.text }] }),
  ping: () => ({}),
};
require('node:readline')
  .createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const result = results[method]?.(params);
    const outcome = result === undefined ? { error: { code: -32601, message: `no method ${method}` } } : { result };
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`);
  });
