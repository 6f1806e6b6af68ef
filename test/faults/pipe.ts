// The client's end of the private pipe: starts the plugin's server and speaks to it as the client does.
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import readline from 'node:readline';
import { pluginFolder, SYSTEM_PATH } from '../e2e/client.ts';
import type { Place } from '../e2e/place.ts';

interface Message {
  id?: number | string;
  result?: { content?: { type: string; text: string }[]; isError?: boolean; tools?: { name: string }[] };
  error?: { code: number; message: string };
}

export interface Pipe {
  process: ChildProcess;
  stderr(): string;
  /** Sends a request and waits for its answer. */
  ask(method: string, params?: unknown): Promise<Message>;
  /** Writes bytes as they are. */
  raw(bytes: string | Buffer): void;
  /** A hook event over the pipe: the answer's JSON, or the error. */
  hook(event: Record<string, unknown>): Promise<unknown>;
  /** A model's call, announced by its PreToolUse as the client does. */
  call(tool: string, input: Record<string, unknown>, cwd: string): Promise<Message>;
  stop(): Promise<void>;
}

/** Fields reach the server as strings, objects as JSON text, as the client's placeholders make them. */
const asStrings = (event: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(event).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );

/** Starts the server for a project; this process counts as the client. */
export async function openPipe(place: Place, env: Record<string, string> = {}, plugin = pluginFolder()): Promise<Pipe> {
  const child = spawn(process.execPath, [path.join(plugin, 'dist/server.mjs')], {
    cwd: place.project,
    env: {
      HOME: place.home,
      PATH: SYSTEM_PATH,
      CLAUDE_PROJECT_DIR: place.project,
      CLAUDE_PLUGIN_ROOT: plugin,
      CLAUDE_CODE_ENTRYPOINT: 'cli',
      CLAUDE_CODE_SESSION_ID: '00000000-0000-4000-8000-000000000000',
      CLAUDECODE: '1',
      ...env,
    },
  });
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin!.on('error', () => undefined);
  const waiting = new Map<number | string, (message: Message) => void>();
  const ended = new Promise<void>((done) => child.on('close', () => done()));
  readline.createInterface({ input: child.stdout! }).on('line', (line) => {
    const message = JSON.parse(line) as Message;
    if (message.id === undefined) return;
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  let next = 1;
  const ask = (method: string, params: unknown = {}) =>
    new Promise<Message>((done, failed) => {
      const id = next++;
      waiting.set(id, done);
      void ended.then(() => failed(new Error(`the server ended: ${stderr}`)));
      child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  const hook = async (event: Record<string, unknown>) => {
    const answer = await ask('tools/call', { name: 'hook', arguments: asStrings(event) });
    const text = answer.result?.content?.[0]?.text;
    return answer.error ?? (answer.result?.isError ? { error: text } : JSON.parse(text ?? 'null'));
  };
  let calls = 0;
  await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } });
  child.stdin!.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  return {
    process: child,
    stderr: () => stderr,
    ask,
    raw: (bytes) => void child.stdin!.write(bytes),
    hook,
    call: async (tool, input, cwd) => {
      const id = `toolu_pipe_${calls++}`;
      await hook({
        hook_event_name: 'PreToolUse',
        session_id: '00000000-0000-4000-8000-000000000000',
        cwd,
        permission_mode: 'default',
        agent_id: '',
        tool_use_id: id,
        tool_name: `mcp__plugin_modes_modes__${tool}`,
        tool_input: input,
        mcp_server: { name: 'plugin:modes:modes', source: 'plugin' },
      });
      return ask('tools/call', { name: tool, arguments: input, _meta: { 'claudecode/toolUseId': id } });
    },
    stop: async () => {
      child.stdin!.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await ended;
      clearTimeout(timer);
    },
  };
}
