// Runs the test-driven example, call by call, through the interfaces that the client uses: the hook script, the socket and the
// server's own pipe. Exits with 1 if any decision differs from the expected one.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const packageRoot = dirname(dirname(fileURLToPath(import.meta.url)));
const session = '00000000-0000-4000-8000-000000000001';
const colour = process.stdout.isTTY && process.env.NO_COLOR === undefined;
const paint = (code, text) => (colour ? `\x1b[${code}m${text}\x1b[0m` : text);
const shades = { deny: 31, ask: 33, allow: 32, pass: 32 };

const base = mkdtempSync(join(realpathSync(tmpdir()), 'modes-demo-'));
const root = join(base, 'shop');
// No variable of the session that this may run in: the example is a separate session.
const env = {
  PATH: process.env.PATH,
  HOME: join(base, 'home'),
  CLAUDE_PROJECT_DIR: root,
  CLAUDE_CODE_SESSION_ID: session,
  CLAUDE_CODE_ENTRYPOINT: 'cli',
};

/** The hook script needs one of these to reach the socket, and works without them. */
const hasClient = ['perl', 'curl'].some((name) => spawnSync(name, ['--version']).status === 0);

let server = null;
let calls = 0;
let wrong = 0;

try {
  await play();
} finally {
  server?.kill();
  // The server writes the end of its log.
  await server?.ended;
  rmSync(base, { recursive: true, force: true });
}
console.log(
  `\n${calls} calls, ${wrong === 0 ? 'each decided as it should be' : paint(31, `${wrong} decided otherwise than they should be`)}.`,
);
if (wrong > 0) process.exitCode = 1;

async function play() {
  title('A project, the tdd preset, and a session of Claude Code');
  setUp();
  server = await startServer();

  title('idle: no work in progress, files can be read but not changed');
  await expect('pass allow', 'Read', { file_path: join(root, 'src/price.js') });
  await expect('deny', 'Edit', { file_path: join(root, 'src/price.js'), old_string: '100', new_string: '90' });
  await expect('deny', 'Bash', { command: "sed -i 's/100/90/' src/price.js" });
  await expectTransition(false, 'feature-dev', 'I know what to do');
  await expectTransition(true, 'test-dev', 'The user asked for a discount of ten per cent');

  title('test-dev: write a failing test; src cannot be changed');
  await expect('allow', 'Write', { file_path: join(root, 'test/price.test.js'), content: 'assert.equal(price(100), 90);' });
  await expect('allow', 'Bash', { command: 'npm test' });
  await expect('deny', 'Write', { file_path: join(root, 'src/price.js'), content: 'export const price = () => 90;' });
  for (const command of [
    "sed -i 's/100/90/' src/price.js",
    "npm test && sed -i 's/100/90/' src/price.js",
    'echo "export const price = () => 90;" > src/price.js',
    'cp test/price.test.js src/price.js',
    "sh -c 'cd src && rm -rf .'",
    'git checkout HEAD~1 -- .',
  ]) {
    await expect('deny', 'Bash', { command });
  }
  await expect('ask deny', 'Bash', { command: `python3 -c "open('src/price.js','w')"` });
  await expect('deny', 'Write', { file_path: join(root, '.claude/mode-state.json'), content: '{"currentMode":"feature-dev"}' });

  title('The server is killed, and another one sits on its socket and says yes to everything');
  server.kill('SIGKILL');
  await server.ended;
  server = null;
  const impostor = await startImpostor();
  await expect('deny', 'Bash', { command: "sed -i 's/100/90/' src/price.js" });
  await expect('allow', 'Write', { file_path: join(root, 'test/price.test.js'), content: '' });
  await new Promise((resolve) => impostor.close(resolve));
  rmSync(join(root, '.claude/mode.sock'), { force: true });

  title('The state file is rewritten by hand, from outside; the server starts again');
  writeFileSync(join(root, '.claude/mode-state.json'), '{"currentMode":"feature-dev","history":[]}');
  await expect('deny', 'Bash', { command: "sed -i 's/100/90/' src/price.js" });
  server = await startServer();
  await expect('deny', 'Bash', { command: "sed -i 's/100/90/' src/price.js" });

  title('The test fails: the transition to feature-dev is open');
  await expectTransition(true, 'feature-dev', 'test/price.test.js was run and fails');
  await expect('allow', 'Edit', { file_path: join(root, 'src/price.js'), old_string: '100', new_string: '90' });
  await expect('deny', 'Edit', { file_path: join(root, 'test/price.test.js'), old_string: '90', new_string: '100' });
  await expect('deny', 'Bash', { command: 'rm test/price.test.js' });
  await expectTransition(true, 'idle', 'npm test passes, no test was touched');
}

/** Creates a project from the preset and approves it as a person in a terminal would. */
function setUp() {
  mkdirSync(join(root, 'src'), { recursive: true });
  mkdirSync(join(root, 'test'));
  mkdirSync(env.HOME);
  writeFileSync(join(root, 'src/price.js'), 'export const price = (amount) => amount;\n');
  writeFileSync(join(root, 'package.json'), '{"scripts":{"test":"node --test"}}\n');
  const { status, stdout, stderr } = modes('init', '--preset', 'tdd', '--yes', '--project', root);
  if (status !== 0) throw new Error(`modes init: ${stdout}${stderr}`);
  console.log(stdout.trimEnd().replace(/^/gm, '  ').replaceAll(base, ''));
}

function modes(...args) {
  return spawnSync(process.execPath, [join(packageRoot, 'dist/modes.mjs'), ...args], { cwd: root, env, encoding: 'utf8' });
}

/** Runs a program to its end without blocking this process. */
function run(program, args, input) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, env });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
    child.on('close', (status) => resolve({ status, stdout, stderr }));
    child.stdin.end(input);
  });
}

/** One tool call: shows the hook script's answer and the rule, and whether pipe and command line agree. */
async function expect(wanted, tool, input) {
  calls += 1;
  const event = {
    session_id: session,
    cwd: root,
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: tool,
    tool_input: input,
    tool_use_id: `call_${calls}`,
  };
  const started = performance.now();
  const client = await run('/bin/sh', [join(packageRoot, 'hooks/client.sh'), 'PreToolUse'], JSON.stringify(event));
  const took = performance.now() - started;
  const answered = client.status === 0 ? (JSON.parse(client.stdout).hookSpecificOutput?.permissionDecision ?? 'pass') : 'deny';
  const file = join(base, 'event.json');
  writeFileSync(file, JSON.stringify(event));
  const decision = JSON.parse(modes('check', '--json', '--project', root, '--event', file).stdout);
  const piped = server === null ? answered : await askPipe(event);
  const right = wanted.split(' ').includes(answered) && decision.decision === answered && piped === answered;
  if (!right) wrong += 1;
  const by = `${server === null || !hasClient ? 'one-shot process' : 'socket'}, ${Math.round(took)} ms`;
  console.log(`\n  ${tool} ${shown(input.command ?? input.file_path ?? '')}  ${paint(2, by)}`);
  console.log(`  ${paint(shades[answered], answered.padEnd(5))} ${shown(decision.reason || client.stderr.trim())}`);
  if (answered !== 'allow' && decision.remedy) console.log(paint(2, `        ${shown(decision.remedy)}`));
  if (!right)
    console.log(paint(31, `        should be ${wanted}; the pipe says ${piped}, the command line ${decision.decision}`));
}

/** The same call on the server's private pipe, where fields arrive as strings. */
async function askPipe(event) {
  const fields = Object.fromEntries(
    Object.entries(event).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
  const answer = await server.call('hook', { ...fields, agent_id: '' });
  return answer.hookSpecificOutput?.permissionDecision ?? 'pass';
}

function shown(text) {
  return text.replaceAll(`${root}/`, '');
}

/** A transition as the client performs it: announced to the hook on the private pipe, then called with its id. */
async function expectTransition(wanted, target, explanation) {
  calls += 1;
  const id = `call_${calls}`;
  const input = { target, explanation };
  await askPipe({
    hook_event_name: 'PreToolUse',
    session_id: session,
    cwd: root,
    permission_mode: 'default',
    tool_use_id: id,
    tool_name: 'mcp__plugin_modes_modes__transition',
    tool_input: input,
    mcp_server: { name: 'plugin:modes:modes', source: 'plugin' },
  });
  const { success, reason } = await server.call('transition', input, { 'claudecode/toolUseId': id });
  if (success !== wanted) wrong += 1;
  console.log(`\n  transition to ${target}: "${explanation}"`);
  console.log(`  ${success ? paint(32, 'granted') : paint(31, 'refused')} ${reason ?? ''}`.trimEnd());
}

/** The MCP server, started as the client starts it; resolves when its socket answers. */
async function startServer() {
  const child = spawn(process.execPath, [join(packageRoot, 'dist/server.mjs')], {
    cwd: root,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const waiting = new Map();
  let requests = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result, error } = JSON.parse(line);
    waiting.get(id)?.(error ? { success: false, reason: error.message } : result);
    waiting.delete(id);
  });
  const request = (method, params) =>
    new Promise((resolve) => {
      requests += 1;
      const id = requests;
      waiting.set(id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'demo', version: '0' } });
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  await socketAnswers();
  return {
    ended,
    kill: (signal = 'SIGTERM') => child.kill(signal),
    async call(name, input, meta) {
      const { content, ...rest } = await request('tools/call', { name, arguments: input, ...(meta ? { _meta: meta } : {}) });
      return content === undefined ? rest : JSON.parse(content[0].text);
    },
  };
}

async function socketAnswers() {
  const ask = () =>
    new Promise((resolve) => {
      const request = get({ socketPath: join(root, '.claude/mode.sock'), path: '/health' }, (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      });
      request.on('error', () => resolve(false));
    });
  for (let i = 0; i < 1000; i += 1) {
    if (await ask()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('the server does not answer on its socket');
}

/** A fake server that an agent might put in the server's place. */
async function startImpostor() {
  rmSync(join(root, '.claude/mode.sock'), { force: true });
  const impostor = createServer((_request, response) => response.end('{}'));
  await new Promise((resolve) => impostor.listen(join(root, '.claude/mode.sock'), resolve));
  return impostor;
}

function title(text) {
  console.log(`\n${paint(1, text)}`);
}
