// A host in another language, in small: it starts the client, and has `modes control` answer what the client asks.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import readline from 'node:readline';
import { clientEnvironment, installClient, pluginFolder } from './client.ts';
import { startModel, type Turn } from './model.ts';
import type { Place } from './place.ts';
import { endMarked } from './processes.ts';

export interface Message {
  type: string;
  subtype?: string;
  permissionMode?: string;
  request?: { subtype: string; tool_name?: string };
  response?: { request_id: string; response?: Record<string, unknown> };
  [more: string]: unknown;
}

export interface Played {
  /** What the client wrote, in order. */
  messages: Message[];
  /** What `modes control` answered, in order. */
  answers: Message[];
}

/** Plays the turns; `first` are requests that the host itself would like to make, before the first message of the user. */
export async function playHost(place: Place, turns: Turn[], first: object[]): Promise<Played> {
  const model = await startModel(turns, []);
  const mark = randomUUID();
  const env = clientEnvironment(place.home, model.url, mark);
  const options = { cwd: place.project, env, stdio: ['pipe', 'pipe', 'inherit'] as ['pipe', 'pipe', 'inherit'] };
  const control = spawn(process.execPath, [path.join(pluginFolder(), 'dist/modes.mjs'), 'control'], options);
  const words = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
  const client = spawn(installClient(), [...words, '--permission-prompt-tool', 'stdio', '--setting-sources', ''], options);
  const played: Played = { messages: [], answers: [] };
  const write = (to: ChildProcess, message: object): void => void to.stdin?.write(`${JSON.stringify(message)}\n`);
  const answers = readline.createInterface({ input: control.stdout });
  const next = (): Promise<Message> => new Promise((done) => answers.once('line', (line) => done(JSON.parse(line) as Message)));
  try {
    for (const request of first) {
      const granted = next();
      write(control, { type: 'control_request', request_id: randomUUID(), request });
      const answer = await granted;
      played.answers.push(answer);
      const { response } = answer.response ?? {};
      if (response !== undefined)
        write(client, { type: 'control_request', request_id: randomUUID(), request: { ...request, ...response } });
    }
    write(client, { type: 'user', message: { role: 'user', content: 'go' }, parent_tool_use_id: null, session_id: '' });
    for await (const line of readline.createInterface({ input: client.stdout })) {
      const message = JSON.parse(line) as Message;
      played.messages.push(message);
      if (message.type === 'control_request') {
        const given = next();
        write(control, message);
        const answer = await given;
        played.answers.push(answer);
        write(client, answer);
      }
      if (message.type === 'result') break;
    }
    if (model.errors.length > 0) throw model.errors[0];
    return played;
  } finally {
    for (const child of [control, client]) child.kill('SIGKILL');
    endMarked(mark);
    await model.close();
  }
}
