// The built server on its real stdio pipe, with a test as its client.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterTest } from './cleanup.ts';
import { builtPlugin } from './plugin.ts';
import type { Project } from './project.ts';

interface Message {
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}
export type Dialog = (
  params: Record<string, unknown>,
) => { action: string; content?: Record<string, unknown> } | Promise<{ action: string; content?: Record<string, unknown> }>;

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

export interface SessionOptions {
  env?: NodeJS.ProcessEnv;
  /** Answers dialogs; null: a client without them. */
  dialog?: Dialog | null;
  cwd?: string;
}

/** The one text of a tool's result. */
function textOf(result: Message['result']): string {
  const [only] = (result?.content ?? []) as { text: string }[];
  return only?.text ?? '';
}

export class Session {
  private next = 1;
  private readonly waiting = new Map<number | string, (message: Message) => void>();
  private rest = '';
  readonly questions: Record<string, unknown>[] = [];
  err = '';
  /** Answers dialogs. */
  dialog: Dialog;

  private constructor(
    readonly child: ChildProcess,
    readonly project: Project,
    dialog: Dialog,
  ) {
    this.dialog = dialog;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => this.take(text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.err += text;
    });
  }

  static async start(
    project: Project,
    { env = {}, dialog = () => ({ action: 'cancel' }), cwd = project.root }: SessionOptions = {},
  ): Promise<Session> {
    const plugin = await builtPlugin();
    const child = spawn(process.execPath, [path.join(plugin, 'dist/server.mjs')], {
      cwd,
      env: project.env({ CLAUDE_PLUGIN_ROOT: plugin, CLAUDE_CODE_SESSION_ID: 'session-1', ...env }),
    });
    afterTest(() => endProcess(child));
    const session = new Session(child, project, dialog ?? (() => ({ action: 'cancel' })));
    await session.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: dialog === null ? {} : { elicitation: { form: {}, url: {} } },
      clientInfo: { name: 'client', version: '1' },
    });
    session.send({ method: 'notifications/initialized' });
    return session;
  }

  write(text: string): void {
    this.child.stdin?.write(text);
  }

  send(message: object): void {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  request(method: string, params: object = {}): Promise<Message> {
    const id = this.next++;
    const answer = new Promise<Message>((resolve) => this.waiting.set(id, resolve));
    this.send({ id, method, params });
    return answer;
  }

  /** Withdraws the request that was made last. */
  withdraw(): void {
    this.send({ method: 'notifications/cancelled', params: { requestId: this.next - 1, reason: 'AbortError' } });
  }

  /** A call of the model: `id` is the client's tool-use id. */
  async tool(
    name: string,
    args: Record<string, unknown> = {},
    id: string | null = null,
  ): Promise<{ value: Record<string, unknown>; failed: boolean; error?: string }> {
    const { result, error } = await this.request('tools/call', {
      name,
      arguments: args,
      ...(id === null ? {} : { _meta: { 'claudecode/toolUseId': id, progressToken: 1 } }),
    });
    if (error) return { value: {}, failed: true, error: error.message };
    return { value: JSON.parse(textOf(result)), failed: result?.isError === true };
  }

  /** A hook event, its fields as the client fills them in: everything a string. */
  async hook(fields: Record<string, unknown>): Promise<{ answer: Record<string, unknown> | null; error: string | null }> {
    const { result, error } = await this.request('tools/call', { name: 'hook', arguments: fields });
    if (error) return { answer: null, error: error.message };
    return { answer: JSON.parse(textOf(result)), error: null };
  }

  event(
    name: string,
    fields: Record<string, unknown> = {},
  ): Promise<{ answer: Record<string, unknown> | null; error: string | null }> {
    return this.hook({
      hook_event_name: name,
      session_id: 'session-1',
      cwd: this.project.root,
      permission_mode: 'default',
      transcript_path: '',
      agent_id: '',
      agent_type: '',
      ...fields,
    });
  }

  /** The decision about a tool call, as the hook's answer says it: deny, ask, allow or pass. */
  async decide(tool: string, input: unknown, fields: Record<string, unknown> = {}): Promise<string> {
    const { answer, error } = await this.event('PreToolUse', {
      tool_name: tool,
      tool_input: typeof input === 'string' ? input : JSON.stringify(input),
      tool_use_id: `toolu_${this.next}`,
      mcp_server: '',
      ...fields,
    });
    if (error !== null) return `error: ${error}`;
    return ((answer?.hookSpecificOutput as { permissionDecision?: string } | undefined)?.permissionDecision ?? 'pass') as string;
  }

  /** Announces a call of one of our tools and makes it. */
  async transition(
    target: string,
    explanation = 'because it is so',
    { id = `toolu_t${this.next}`, agent = '', name = 'transition', cwd = this.project.root, session = 'session-1' } = {},
  ): Promise<Record<string, unknown>> {
    await this.event('PreToolUse', {
      tool_name: `mcp__plugin_modes_modes__${name}`,
      tool_input: JSON.stringify({ target, explanation }),
      tool_use_id: id,
      session_id: session,
      cwd,
      agent_id: agent,
      mcp_server: '{"name":"plugin:modes:modes","source":"plugin"}',
    });
    return (await this.tool(name, { target, explanation }, id)).value;
  }

  /** What a person is told after typing a command; null: it went to the model. */
  async type(command: string, fields: Record<string, unknown> = {}): Promise<string | null> {
    const [name, ...args] = command.replace(/^\//, '').split(' ');
    const { answer, error } = await this.event('UserPromptExpansion', {
      expansion_type: 'slash_command',
      command_name: name,
      command_args: args.join(' '),
      command_source: 'plugin',
      ...fields,
    });
    if (error !== null) throw new Error(error);
    return answer?.decision === 'block' ? (answer.reason as string) : null;
  }

  async mode(): Promise<unknown> {
    return (await this.tool('status')).value.current_mode;
  }

  async end(): Promise<number | null> {
    this.child.stdin?.end();
    const [code] = (await once(this.child, 'close')) as [number | null];
    return code;
  }

  private take(text: string): void {
    this.rest += text;
    const lines = this.rest.split('\n');
    this.rest = lines.pop() as string;
    for (const line of lines) void this.handle(JSON.parse(line) as Message);
  }

  private async handle(message: Message): Promise<void> {
    if (message.method === 'elicitation/create') {
      this.questions.push(message.params ?? {});
      this.send({ id: message.id, result: await this.dialog(message.params ?? {}) });
    } else if (message.id !== undefined && message.method === undefined) {
      this.waiting.get(message.id)?.(message);
      this.waiting.delete(message.id);
    }
  }
}

export const tick: Dialog = () => ({ action: 'accept', content: { confirm: true } });

/** A PreToolUse event of the session, as the client gives it to a hook. */
export const preToolUse = (root: string, tool: string, input: unknown) => ({
  hook_event_name: 'PreToolUse',
  session_id: 'session-1',
  cwd: root,
  tool_name: tool,
  tool_input: input,
  tool_use_id: 't',
});
