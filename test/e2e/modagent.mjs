// A server with the tools of modagent, on stdio. As there, a command is handed to a shell and files are read; in place of a model that is
// given both, the answer is what it would be given, and the role that it would have.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import readline from 'node:readline';

const text = { type: 'string' };
const junior = {
  required: ['prompt'],
  properties: {
    prompt: text,
    json_output: { type: 'boolean' },
    conversation: text,
    filepaths: { type: 'array', items: text },
    bash_cmd: text,
    role: text,
  },
};
const tools = Object.entries({
  'junior-r': junior,
  'junior-rwx': junior,
  logworm: { required: ['bash_cmd'], properties: { bash_cmd: text } },
}).map(([name, schema]) => ({ name, description: 'a delegate', inputSchema: { type: 'object', ...schema } }));

/** The name of a tool is its role, unless the call names another. */
function ask({ name, arguments: { prompt = '', bash_cmd: command, filepaths = [], role = name, conversation = randomUUID() } }) {
  const parts = [prompt];
  if (command !== undefined) {
    const { stdout, stderr } = spawnSync('/bin/bash', ['-c', command], { encoding: 'utf8', timeout: 20_000 });
    parts.push(`<bash>${stdout}${stderr}</bash>`);
  }
  for (const path of filepaths) parts.push(`<file path="${path}">${readFileSync(path, 'utf8')}</file>`);
  return { response: `${role} was given ${parts.join('\n')}`, conversation };
}

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'modagent', version: 'unstable' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': (params) => ({ content: [{ type: 'text', text: JSON.stringify(ask(params)) }] }),
};

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const answer = answers[method];
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answer ? answer(params) : {} }));
}
