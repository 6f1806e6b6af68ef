// The thread that talks to OPA servers, and a blocking wait for it: the caller has no await.
import { join } from 'node:path';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { Reply } from './opa-answer.ts';
import type { OpaRequest } from './opa-policy.ts';

/** Milliseconds for the thread to start. They do not count for the time limit of a request. */
const START_MS = 2_000;
/** Largest answer, in bytes. */
const MAX_ANSWER = 1024 * 1024;

export interface LineOptions {
  /** The worker's script, see `opaWorkerFile`. */
  script: string;
  /** Certificates, PEM; null for those that Node has. */
  ca: string | null;
  /** Trust only the certificates that Node itself contains, and none from the environment. */
  ownOnly: boolean;
  deadlineMs: number;
}

/** The script below the package's root: bundled code finds it in dist/. */
export function opaWorkerFile(packageRoot: string): string {
  const fromSource = typeof import.meta.url === 'string' && import.meta.url.endsWith('/src/policy/remote/opa-line.ts');
  return join(packageRoot, fromSource ? 'src/policy/remote/opa-worker.mjs' : 'dist/opa-worker.mjs');
}

type SentOpaRequest = OpaRequest & { token: string | null };

/**
 * The thread never keeps the program alive. Several requests can be open at once; the caller waits for an answer by the number of
 * its request.
 */
export class OpaLine {
  private readonly signal = new Int32Array(new SharedArrayBuffer(4));
  private readonly port: MessagePort;
  private readonly worker: Worker;
  private isReady = false;
  private isOver = false;
  private count = 0;
  /** Callbacks for answers that no caller waits for. */
  private readonly later = new Map<number, (reply: Reply) => void>();

  constructor({ script, ...options }: LineOptions) {
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    this.worker = new Worker(script, {
      workerData: { ...options, port: port2, signal: this.signal.buffer, maxBytes: MAX_ANSWER },
      transferList: [port2],
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    });
    // After a fault of the thread, its answers do not arrive.
    this.worker.on('error', () => this.end());
    this.worker.unref();
  }

  get over(): boolean {
    return this.isOver;
  }

  /** Sends a request. With `onReply`, the caller does not wait for the answer. */
  send(question: SentOpaRequest, onReply?: (reply: Reply) => void): number {
    const id = ++this.count;
    if (onReply !== undefined) this.later.set(id, onReply);
    this.worker.postMessage({ id, ...question });
    return id;
  }

  /** Blocks until the thread has started; false if it does not start. */
  start(): boolean {
    if (!this.isReady) this.isReady = this.wait(0, START_MS) !== null;
    if (!this.isReady) this.end();
    return this.isReady;
  }

  /** Blocks until an answer arrives; null if it does not arrive in time. */
  receive(id: number, limitMs: number): Reply | null {
    return this.wait(id, limitMs)?.reply ?? null;
  }

  /** Processes answers that have arrived, without waiting. */
  hear(): void {
    this.take(-1);
  }

  end(): void {
    this.isOver = true;
    this.port.close();
    void this.worker.terminate();
  }

  private wait(id: number, limitMs: number): WorkerMessage | null {
    const end = performance.now() + limitMs;
    for (;;) {
      const signalValue = Atomics.load(this.signal, 0);
      const message = this.take(id);
      const left = end - performance.now();
      if (message !== null || left <= 0 || this.isOver) return message;
      Atomics.wait(this.signal, 0, signalValue, left);
    }
  }

  /** The answer to this request. Other answers go to their callbacks or are dropped. */
  private take(id: number): WorkerMessage | null {
    for (let next = receiveMessageOnPort(this.port); next !== undefined; next = receiveMessageOnPort(this.port)) {
      const message = next.message as WorkerMessage;
      if (message.id === id) return message;
      if (message.id === 0) this.isReady = true;
      if (message.reply !== undefined) this.later.get(message.id)?.(message.reply);
      this.later.delete(message.id);
    }
    return null;
  }
}

interface WorkerMessage {
  id: number;
  reply?: Reply;
}
