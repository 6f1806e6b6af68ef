// The TDD example, call by call, through the real hook script, the real socket and the real server; no account and no model.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const colour = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code, text) => (colour ? `\x1b[${code}m${text}\x1b[0m` : text);
const tones = { allow: 32, pass: 36, ask: 33, deny: 31 };

const home = realpathSync(mkdtempSync(join(tmpdir(), 'modes-demo-')));
const project = join(home, 'project');
cpSync(join(root, 'examples/tdd'), project, { recursive: true });
const session = 'demo-session';
const env = {
  HOME: home,
  PATH: process.env.PATH,
  CLAUDE_PROJECT_DIR: project,
  CLAUDE_CODE_SESSION_ID: session,
  CLAUDE_PID: String(process.pid),
  CLAUDE_CODE_ENTRYPOINT: 'cli',
};
const failures = [];

/** Runs a program with text on stdin; gives its output. */
function run(command, args, input, extra = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: project, env: { ...env, ...extra }, stdio: ['pipe', 'pipe', 'pipe'] });
    let out = '';
    let err = '';
    child.stdout.on('data', (data) => { out += data; });
    child.stderr.on('data', (data) => { err += data; });
    child.stdin.on('error', (error) => { if (error.code !== 'EPIPE') reject(error); });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out: out.trim(), err: err.trim() }));
    child.stdin.end(input);
  });
}

let count = 0;
const event = (tool, input) => ({
  hook_event_name: 'PreToolUse', session_id: session, transcript_path: '', cwd: project, permission_mode: 'default',
  tool_name: tool, tool_input: input, tool_use_id: `toolu_${++count}`,
});

/** Asks the hook script about a call and prints what came of it. `expected` keeps the demo honest. */
async function ask(tool, input, expected) {
  const { code, out, err } = await run('/bin/sh', [join(root, 'hooks/client.sh'), 'PreToolUse'], JSON.stringify(event(tool, input)));
  const answer = out.startsWith('{') ? JSON.parse(out) : null;
  const said = answer?.hookSpecificOutput ?? {};
  const decision = code === 2 ? 'deny' : (said.permissionDecision ?? 'pass');
  show(tool === 'Bash' ? `Bash  ${input.command}` : `${tool}  ${(input.file_path ?? '').replace(`${project}/`, '')}`, decision, code === 2 ? err : said.permissionDecisionReason);
  if (decision !== expected) failures.push(`${tool} ${JSON.stringify(input)}: ${decision}, expected ${expected}`);
}

function show(asked, decision, why) {
  console.log(`  ${paint(1, asked)}`);
  console.log(`    ${paint(tones[decision] ?? 37, decision)}${why ? `  ${why}` : ''}`);
}

const title = (text) => console.log(`\n${paint('1;36', text)}`);
const file = (name) => join(project, name);

let answerDialog = 'accept';
async function startServer() {
  const transport = new StdioClientTransport({ command: process.execPath, args: [join(root, 'dist/server.mjs')], env, stderr: 'pipe' });
  const client = new Client({ name: 'demo', version: '1' }, { capabilities: { elicitation: { form: {} } } });
  const { ElicitRequestSchema } = await import('@modelcontextprotocol/sdk/types.js');
  client.setRequestHandler(ElicitRequestSchema, async (request) => {
    console.log(`    ${paint(35, 'dialog')}  ${request.params.message}  → ${answerDialog}`);
    return answerDialog === 'accept' ? { action: 'accept', content: { confirm: true } } : { action: 'decline' };
  });
  await client.connect(transport);
  const hook = (fields) => client.callTool({ name: 'hook', arguments: fields });
  for (let i = 0; i < 100 && !existsSync(file('.claude/mode.sock')); i++) {
    await hook({ hook_event_name: 'UserPromptSubmit', session_id: session, cwd: project, prompt: 'hello' });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { client, hook, pid: transport.pid };
}

/** What the client does for a model's call of one of our tools: the private PreToolUse first, then the call with its id. */
async function transition(server, target, explanation, expected) {
  const id = `toolu_${++count}`;
  await server.hook({
    hook_event_name: 'PreToolUse', session_id: session, cwd: project, permission_mode: 'default', agent_id: '', tool_use_id: id,
    tool_name: 'mcp__plugin_modes_modes__transition', tool_input: JSON.stringify({ target, explanation }), mcp_server: '{"name":"plugin:modes:modes","source":"plugin"}',
  });
  const result = await server.client.callTool({ name: 'transition', arguments: { target, explanation }, _meta: { 'claudecode/toolUseId': id } });
  const value = JSON.parse(result.content[0].text);
  show(`transition → ${target}  “${explanation}”`, value.success ? 'allow' : 'deny', value.success ? `new_state: ${value.new_state}` : value.reason);
  if (value.success !== expected) failures.push(`transition to ${target}: ${JSON.stringify(value)}`);
}

async function typed(server, args) {
  const result = await server.hook({ hook_event_name: 'UserPromptExpansion', session_id: session, cwd: project, expansion_type: 'slash_command', command_name: 'modes:mode', command_args: args, command_source: 'plugin' });
  const { reason } = JSON.parse(result.content[0].text);
  console.log(`  ${paint(1, `/modes:mode ${args}`)}\n    ${reason.split('\n')[0]}`);
}

try {
  const trust = await run(process.execPath, [join(root, 'dist/modes.mjs'), 'validate', '--json'], '');
  const { hash } = JSON.parse(trust.out);
  title('A person trusts this configuration (modes trust --expect …)');
  const trusted = await run(process.execPath, [join(root, 'dist/modes.mjs'), 'trust', '--expect', hash], '');
  console.log(`  ${trusted.out || trusted.err}`);

  title('The server starts with the client; mode: idle');
  let server = await startServer();
  await ask('Read', { file_path: file('src/split.js') }, 'allow');
  await ask('Write', { file_path: file('src/split.js'), content: '' }, 'deny');
  await ask('Bash', { command: "sed -i s/a/b/ src/split.js" }, 'deny');
  await transition(server, 'feature-dev', 'I want to write code', false);
  await transition(server, 'test-dev', 'The user described a bug', true);

  title('Mode: test-dev');
  await ask('Write', { file_path: file('test/new.test.js'), content: '' }, 'allow');
  await ask('Write', { file_path: file('src/split.js'), content: '' }, 'deny');
  await ask('Bash', { command: 'npm test' }, 'allow');
  await ask('Bash', { command: "sed -i s/a/b/ src/split.js" }, 'deny');
  await ask('Bash', { command: 'npm test && rm -rf src' }, 'deny');
  await ask('Bash', { command: 'git log --oneline | head -3' }, 'pass');
  await ask('Write', { file_path: file('.claude/mode-state.json'), content: '{"currentMode":"feature-dev"}' }, 'deny');

  title('The server is killed in the middle (SIGKILL); a process of its own decides from the same files');
  process.kill(server.pid, 'SIGKILL');
  await new Promise((resolve) => setTimeout(resolve, 200));
  await ask('Bash', { command: "sed -i s/a/b/ src/split.js" }, 'deny');
  await ask('Write', { file_path: file('test/new.test.js'), content: '' }, 'allow');

  title('The client starts it again; the journal still says test-dev');
  server = await startServer();
  await transition(server, 'feature-dev', 'test/new.test.js fails: expected 401, got 200', true);

  title('Mode: feature-dev');
  await ask('Write', { file_path: file('src/split.js'), content: '' }, 'allow');
  await ask('Write', { file_path: file('test/new.test.js'), content: '' }, 'deny');
  await ask('Bash', { command: 'echo "" > test/new.test.js' }, 'deny');

  title('What a person types needs a yes in a dialog');
  answerDialog = 'decline';
  await typed(server, 'idle');
  answerDialog = 'accept';
  await typed(server, 'idle');
  console.log(`\nmode-state.json:\n${readFileSync(file('.claude/mode-state.json'), 'utf8').trim()}`);
  await server.client.close();
} finally {
  rmSync(home, { recursive: true, force: true });
}
if (failures.length > 0) {
  console.error(`\nThe demo did not go as it should:\n${failures.join('\n')}`);
  process.exit(1);
}
console.log('\nEvery decision was what it should be.');
