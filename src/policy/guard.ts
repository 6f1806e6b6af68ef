// Custom Rego is evaluated here: in a worker, with a time limit, and still at once for the caller.
import { join } from 'node:path';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { Facts } from '../tools/types.ts';
import type { Bundle } from './bundle.ts';
import { probeEntrypoint } from './custom.ts';
import { MAX_PAGES, VERDICT_ENTRYPOINT } from './evaluator.ts';
import { abortError, EvaluationError, messageOf } from './fault.ts';
import { encodeFacts, encodeInput } from './json.ts';
import type { Verdict } from './types.ts';
import { readVerdict } from './verdict.ts';

export const DEFAULT_LIMIT_MS = 250;
const DEFAULT_START_LIMIT_MS = 5_000;

export interface GuardOptions {
  /** The worker's script, see `workerFile`. */
  worker: string;
  /** For one evaluation. */
  limitMs?: number;
  /** For the thread to come up. */
  startLimitMs?: number;
}

/** The worker's script below the package's root: bundled code finds it in dist/. */
export function workerFile(packageRoot: string): string {
  const fromSource = typeof import.meta.url === 'string' && import.meta.url.endsWith('/src/policy/guard.ts');
  return join(packageRoot, fromSource ? 'src/policy/worker.mjs' : 'dist/policy-worker.mjs');
}

interface Thread {
  worker: Worker;
  port: MessagePort;
  signal: Int32Array;
  /** How many answers have been seen. */
  seen: number;
}

/** An evaluator whose policy cannot hold up its caller for longer than the limit. The thread never keeps the program alive. */
export class GuardedEvaluator {
  readonly #module: WebAssembly.Module;
  readonly #bundle: Bundle;
  readonly #worker: string;
  readonly #limitMs: number;
  readonly #startLimitMs: number;
  #thread: Thread | null = null;

  /** @throws {EvaluationError} `E_POLICY_LOAD` */
  constructor(bundle: Bundle, options: GuardOptions) {
    try {
      this.#module = new WebAssembly.Module(bundle.wasm as BufferSource);
    } catch (error) {
      throw new EvaluationError('E_POLICY_LOAD', `the policy cannot be loaded: ${String(error)}`);
    }
    this.#bundle = bundle;
    this.#worker = options.worker;
    this.#limitMs = options.limitMs ?? DEFAULT_LIMIT_MS;
    this.#startLimitMs = options.startLimitMs ?? DEFAULT_START_LIMIT_MS;
  }

  /**
   * The value of an entry point for an input.
   * @throws {EvaluationError} when there is none; `E_POLICY_TIME` when the limit was exceeded
   */
  evaluate(input: object, entrypoint: string = VERDICT_ENTRYPOINT): unknown {
    return this.#answer(encodeInput(input), entrypoint);
  }

  /**
   * The verdict on the facts of a tool call.
   * @throws {EvaluationError} which is a deny to whoever asks
   */
  evaluateVerdict(facts: Facts): Verdict {
    return readVerdict(this.#answer(encodeFacts(facts), VERDICT_ENTRYPOINT));
  }

  /** Ends the thread; asking again starts a new one. */
  close(): void {
    const thread = this.#thread;
    this.#thread = null;
    if (thread !== null) end(thread);
  }

  #answer(encoded: Uint8Array<ArrayBuffer>, entrypoint: string): unknown {
    const answer = this.#ask(encoded, entrypoint);
    if (answer === null) throw this.#overrun(encoded, entrypoint);
    if (typeof answer.json !== 'string') throw this.#stopped(answer, encoded, entrypoint);
    const results = JSON.parse(answer.json) as { result?: unknown }[];
    if (!Array.isArray(results) || results.length !== 1 || results[0]?.result === undefined) {
      throw new EvaluationError('E_POLICY_UNDEFINED', `the policy has no answer at ${entrypoint}`);
    }
    return results[0].result;
  }

  /** One question to the thread; null when the limit was exceeded, and then the thread is gone. */
  #ask(input: Uint8Array, entrypoint: string): Answer | null {
    this.#thread ??= this.#start();
    this.#thread.port.postMessage({ input, entrypoint });
    const answer = receive(this.#thread, this.#limitMs);
    if (answer === null) this.close();
    return answer;
  }

  #start(): Thread {
    const { port1, port2 } = new MessageChannel();
    const signal = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(this.#worker, {
      workerData: { module: this.#module, data: this.#bundle.data, port: port2, signal, maxPages: MAX_PAGES },
      transferList: [port2],
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 4 },
    });
    // An error of the thread shows as an answer that does not come.
    worker.on('error', () => this.#thread?.worker === worker && this.close());
    worker.unref();
    port1.unref();
    const thread = { worker, port: port1, signal, seen: 0 };
    const first = receive(thread, this.#startLimitMs);
    if (first?.ready === true) return thread;
    end(thread);
    const why = first === null ? 'its thread does not start' : messageOf(first.error);
    throw new EvaluationError('E_POLICY_LOAD', `the policy cannot be loaded: ${why}`);
  }

  #overrun(input: Uint8Array, entrypoint: string): EvaluationError {
    const one = this.#culprit(input, entrypoint, (answer) => answer === null);
    const who = one === null ? 'the policies take' : `policy ${one.name} takes`;
    const { file = null, line = null } = one ?? {};
    return new EvaluationError('E_POLICY_TIME', `${who} longer than ${this.#limitMs} ms`, file, line);
  }

  /** A conflict of rules says where it is; of anything else the policy is found. */
  #stopped({ error }: Answer, input: Uint8Array, entrypoint: string): EvaluationError {
    const abort = abortError(error ?? 'it gave no answer');
    const one = abort.file === null ? this.#culprit(input, entrypoint, (answer) => answer?.json === undefined) : null;
    if (one === null) return abort;
    return new EvaluationError(abort.code, `policy ${one.name} stopped: ${messageOf(error)}`, one.file, one.line);
  }

  /** Finds out which policy it was, by asking them one by one. */
  #culprit(
    input: Uint8Array,
    entrypoint: string,
    isIt: (answer: Answer | null) => boolean,
  ): { name: string; file: string; line: number } | null {
    for (const [index, { name, rules }] of this.#bundle.manifest.metadata.policies.entries()) {
      for (const [rule, at] of Object.entries(rules)) {
        const own = probeEntrypoint(index, rule);
        if (own !== entrypoint && isIt(this.#ask(input, own))) return { name, ...at };
      }
    }
    return null;
  }
}

interface Answer {
  ready?: boolean;
  json?: unknown;
  error?: unknown;
}

function end({ worker, port }: Thread): void {
  port.close();
  // Nothing waits for the end of a thread, and nothing can be done when it does not come.
  void worker.terminate();
}

/** Waits for the thread's next answer, this thread at rest. */
function receive(thread: Thread, limitMs: number): Answer | null {
  const waited = Atomics.wait(thread.signal, 0, thread.seen, limitMs);
  if (waited === 'timed-out') return null;
  thread.seen += 1;
  return (receiveMessageOnPort(thread.port)?.message as Answer | undefined) ?? null;
}
