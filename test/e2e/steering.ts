// A session that is steered while it runs: its prompt and requests to the client go in as stream-json, answers come out among its lines.
import type { Readable, Writable } from 'node:stream';

interface ControlLine {
  type: string;
  request_id?: string;
  request?: { subtype: string; tool_use_id?: string; decision_reason_type?: string };
  response?: { subtype: string; request_id: string; error?: string };
}

/** What a host of the client can ask of it during a session. Given to `session`, used by its turns. */
export class Steering {
  /** Arguments of the client that take the place of a prompt on its command line. */
  readonly args: readonly string[];
  /** What the client asked the person about, refused each time: the reason that it gave, by the id of the tool call. */
  readonly refused = new Map<string, string>();
  #input: Writable | undefined;
  #asked = 0;
  readonly #waiting = new Map<string, { done(): void; failed(error: Error): void }>();

  readonly #prompts: string[];

  /**
   * @param person there is one, who refuses whatever the client asks.
   * @param prompts more prompts, each sent after the answer to the one before.
   */
  constructor({ person = false, prompts = [] as string[] } = {}) {
    this.#prompts = [...prompts];
    this.args = ['-p', '--input-format', 'stream-json', ...(person ? ['--permission-prompt-tool', 'stdio'] : [])];
  }

  /** Gives the client its prompts; its input ends with the answer to the last one. */
  attach(input: Writable, output: Readable, prompt: string): void {
    this.#input = input;
    // A client that is ended takes no more.
    input.on('error', (error) => this.#end(error));
    let rest = '';
    output.on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() as string;
      for (const line of lines)
        if (/"type":"(?:control_request|control_response|result)"/.test(line)) this.#take(JSON.parse(line) as ControlLine);
    });
    output.on('end', () => this.#end(new Error('the client ended')));
    this.#prompt(prompt);
  }

  #prompt(content: string): void {
    this.#write({ type: 'user', message: { role: 'user', content } });
  }

  /** Sets the client's own permission mode. @throws when the client refuses, or ends before it answers. */
  async setPermissionMode(mode: string): Promise<void> {
    const id = `steering-${++this.#asked}`;
    const answered = new Promise<void>((done, failed) => this.#waiting.set(id, { done, failed }));
    this.#write({ type: 'control_request', request_id: id, request: { subtype: 'set_permission_mode', mode } });
    await answered;
  }

  #write(line: object): void {
    this.#input?.write(`${JSON.stringify(line)}\n`);
  }

  #take({ type, response, request, request_id }: ControlLine): void {
    if (type === 'result') {
      const next = this.#prompts.shift();
      if (next === undefined) this.#input?.end();
      else this.#prompt(next);
    }
    if (type === 'control_request' && request?.subtype === 'can_use_tool') {
      this.refused.set(request.tool_use_id ?? '', request.decision_reason_type ?? '');
      const answer = { subtype: 'success', request_id, response: { behavior: 'deny', message: 'no' } };
      this.#write({ type: 'control_response', response: answer });
    }
    const asked = this.#waiting.get(response?.request_id ?? '');
    if (response === undefined || asked === undefined) return;
    this.#waiting.delete(response.request_id);
    if (response.subtype === 'success') asked.done();
    else asked.failed(new Error(`the client refuses: ${response.error}`));
  }

  #end(error: Error): void {
    for (const { failed } of this.#waiting.values()) failed(error);
    this.#waiting.clear();
  }
}
