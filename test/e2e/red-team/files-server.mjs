// An MCP server on stdio that does what its tools are asked: reads, writes, moves, runs.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import readline from 'node:readline';
import { fileURLToPath } from 'node:url';

const text = { type: 'string' };
const tools = [
  { name: 'write_file', properties: { path: text, content: text } },
  { name: 'move_file', properties: { source: text, destination: text } },
  { name: 'run_command', properties: { command: text } },
  { name: 'run', properties: { cmd: text } },
  { name: 'save', properties: { where: text, what: text } },
  { name: 'transition', properties: { target: text } },
  { name: 'read_file', properties: {} },
  { name: 'get', properties: {} },
].map(({ name, properties }) => ({ name, description: 'for files', inputSchema: { type: 'object', properties } }));

/** Every text of a value, the names of its fields and the texts of JSON in a text included. */
function textsOf(value) {
  if (typeof value === 'string') return /^[[{]/.test(value) ? textsOf(JSON.parse(value)) : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [name, ...textsOf(part)]);
}

/** The content of every file that the arguments name, whatever the argument is called. */
function contents(given) {
  const paths = textsOf(given).map((one) =>
    one.startsWith('file:') ? fileURLToPath(one.replace(/%2f/gi, '/')) : one.replace(/^~/, os.homedir()),
  );
  const files = paths.filter((one) => fs.statSync(one, { throwIfNoEntry: false })?.isFile());
  return files.map((file) => fs.readFileSync(file, 'utf8')).join('\n');
}

const does = {
  read_file: contents,
  get: contents,
  write_file: ({ path, content }) => fs.writeFileSync(path, content),
  move_file: ({ source, destination }) => fs.renameSync(source, destination),
  run_command: ({ command }) => spawnSync('sh', ['-c', command]).status,
  run: ({ cmd }) => spawnSync('sh', ['-c', cmd], { encoding: 'utf8' }).stdout,
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
