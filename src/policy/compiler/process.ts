// One compiler process. It gets one request at a time, and is killed if it takes too long.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import type { Problem } from '../../model/problem.ts';
import type { CompilerFiles } from './files.ts';
import { hostProblem } from './problems.ts';

const MAX_FRAME_BYTES = 64 * 1024 * 1024;
const MAX_COMPLAINT = 2000;
/** Using only Liftoff makes Go's start three times faster. Deeply nested policies need the stack. */
const NODE_FLAGS = ['--liftoff-only', '--stack-size=4000', '--no-warnings'];

export interface ChildOptions {
  files: CompilerFiles;
  /** Folder for the raw compiler; null decompresses it at every start. */
  cacheFolder: string | null;
  /** Path of the node binary. */
  node: string;
}

export type Exchange = { ok: true; answer: Record<string, unknown> } | { ok: false; problem: Problem };

/** Processes that would outlive this one. */
const living = new Set<Child>();
let isListening = false;

function endWithUs(child: Child): void {
  living.add(child);
  if (isListening) return;
  isListening = true;
  process.once('exit', () => {
    for (const one of living) one.kill();
  });
}

/** A running process. It is dead after any failure, and then a new one must be started. */
export class Child {
  readonly #process: ChildProcessByStdio<Writable, Readable, Readable>;
  #received: Buffer[] = [];
  #receivedBytes = 0;
  #complaint = '';
  #settle: ((exchange: Exchange) => void) | null = null;
  #alive = true;

  constructor(options: ChildOptions) {
    const { files } = options;
    this.#process = spawn(
      options.node,
      [...NODE_FLAGS, files.child, files.asset, files.checksum, options.cacheFolder ?? ''],
      // The environment is empty: the compiler needs nothing from the session, and NODE_OPTIONS would change how it runs.
      { stdio: ['pipe', 'pipe', 'pipe'], env: {}, cwd: tmpdir(), windowsHide: true },
    );
    this.#process.on('error', (error) =>
      this.#fail(hostProblem('E_COMPILER_START', `the compiler cannot be started: ${error.message}`)),
    );
    this.#process.on('close', (code, signal) => this.#fail(this.#ended(code, signal)));
    this.#process.stdin.on('error', (error) => this.#note(error.message));
    this.#process.stdout.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#process.stderr.on('data', (chunk: Buffer) => this.#note(chunk.toString()));
    endWithUs(this);
    this.#hold(false);
  }

  /** False after it failed or was killed. */
  get alive(): boolean {
    return this.#alive;
  }

  /** Sends one request and waits for its answer, at most `timeoutMs`. INVARIANT: one at a time. */
  ask(request: unknown, timeoutMs: number): Promise<Exchange> {
    if (!this.#alive || this.#settle !== null) throw new Error('the compiler is busy or has ended');
    const body = Buffer.from(JSON.stringify({ request, timeoutMs }));
    const head = Buffer.alloc(4);
    head.writeUInt32LE(body.length);
    return new Promise((resolve) => {
      const timer = setTimeout(
        () => this.#fail(hostProblem('E_COMPILER_TIMEOUT', `the compiler was stopped after ${timeoutMs} ms`)),
        timeoutMs,
      );
      this.#settle = (exchange) => {
        clearTimeout(timer);
        this.#settle = null;
        this.#hold(false);
        resolve(exchange);
      };
      this.#hold(true);
      this.#process.stdin.write(head);
      this.#process.stdin.write(body);
    });
  }

  /** Ends it at once. An open request fails. */
  kill(): void {
    this.#fail(hostProblem('E_COMPILER_CLOSED', 'the compiler was closed'));
  }

  #receive(chunk: Buffer): void {
    if (this.#settle === null) {
      this.#fail(hostProblem('E_COMPILER_ANSWER', 'the compiler sent an unexpected answer'));
      return;
    }
    this.#received.push(chunk);
    this.#receivedBytes += chunk.length;
    if (this.#receivedBytes < 4) return;
    const first = this.#received[0]!;
    const head = first.length >= 4 ? first : Buffer.concat(this.#received);
    const length = head.readUInt32LE(0);
    if (length > MAX_FRAME_BYTES || this.#receivedBytes > 4 + length) {
      this.#fail(hostProblem('E_COMPILER_ANSWER', 'the answer of the compiler is not a frame'));
      return;
    }
    if (this.#receivedBytes < 4 + length) return;
    const body = Buffer.concat(this.#received).subarray(4);
    this.#received = [];
    this.#receivedBytes = 0;
    this.#conclude(body);
  }

  #conclude(body: Buffer): void {
    const answer = parseObject(body.toString());
    if (answer === null) {
      this.#fail(hostProblem('E_COMPILER_ANSWER', 'the answer of the compiler is not a JSON object'));
      return;
    }
    if (typeof answer.fatal === 'string') {
      this.#fail(hostProblem('E_COMPILER_START', `the compiler cannot start: ${answer.fatal}`));
      return;
    }
    this.#settle?.({ ok: true, answer });
  }

  #ended(code: number | null, signal: NodeJS.Signals | null): Problem {
    const how = signal === null ? `with status ${code}` : `by ${signal}`;
    const lastLines = this.#complaint.trim().split('\n').slice(-3).join(' ');
    return hostProblem('E_COMPILER_CRASH', `the compiler ended ${how}${lastLines === '' ? '' : `: ${lastLines}`}`);
  }

  #note(text: string): void {
    this.#complaint = (this.#complaint + text).slice(-MAX_COMPLAINT);
  }

  #fail(problem: Problem): void {
    if (!this.#alive) return;
    this.#alive = false;
    living.delete(this);
    this.#process.kill('SIGKILL');
    this.#settle?.({ ok: false, problem });
  }

  /** Keeps this process alive only while a request is open. */
  #hold(hold: boolean): void {
    const word = hold ? 'ref' : 'unref';
    this.#process[word]();
    for (const stream of [this.#process.stdin, this.#process.stdout, this.#process.stderr]) {
      (stream as unknown as { ref?(): void; unref?(): void })[word]?.();
    }
  }
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
