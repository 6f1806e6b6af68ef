// A server with the tools of modagent, on stdio: each answers what it was given.
import readline from 'node:readline';

const text = { type: 'string' };
const tools = [
  { name: 'junior-r', properties: { prompt: text, bash_cmd: text, filepaths: { type: 'array', items: text }, role: text } },
  { name: 'junior-rwx', properties: { prompt: text, bash_cmd: text, filepaths: { type: 'array', items: text } } },
  { name: 'logworm', properties: { bash_cmd: text } },
].map(({ name, properties }) => ({ name, description: 'a delegate', inputSchema: { type: 'object', properties } }));

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'modagent', version: '1' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, arguments: given }) => ({
    content: [{ type: 'text', text: `${name} was given ${JSON.stringify(given)}` }],
  }),
};

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const answer = answers[method];
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answer ? answer(params) : {} }));
}
