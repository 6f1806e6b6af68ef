// The thread that custom Rego is evaluated in: one question, one answer, and an end whenever it is wanted.
import { Worker } from 'node:worker_threads';
import type { Bundle } from './bundle.ts';
import { MAX_PAGES } from './evaluator.ts';
import { Exchange, READY, RESULT, STEADY } from './exchange.mjs';
import { EvaluationError } from './fault.ts';

/** The result set's JSON, or why there is none. */
export type Answer = { json: string } | { fault: string };

/** Threads that live at once. Of policies that were edited or modes that were left nothing is told: the one used longest ago ends. */
const MAX_THREADS = 6;
/** The one used last is the last. */
const living = new Set<Thread>();

/** INVARIANT: every question is waited for before the next is asked. The thread never keeps the program alive. */
export class Thread {
  readonly #exchange = new Exchange();
  readonly #worker: Worker;
  readonly #entrypoints: string[];
  /** The policy always answers the same to the same. */
  readonly isSteady: boolean = false;
  #alive = true;

  /**
   * Starts a thread with the policy loaded.
   * @throws {EvaluationError} `E_POLICY_LOAD`
   */
  constructor(script: string, module: WebAssembly.Module, { manifest, data }: Bundle, startLimitMs: number) {
    this.#entrypoints = manifest.wasm.map(({ entrypoint }) => entrypoint);
    this.#worker = new Worker(script, {
      workerData: { module, data, memory: this.#exchange.memory, entrypoints: this.#entrypoints, maxPages: MAX_PAGES },
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 4 },
    });
    // An error of the thread shows as an answer that does not come.
    this.#worker.on('error', () => this.end());
    this.#worker.unref();
    const first = this.#exchange.receive(startLimitMs);
    if (first?.kind === READY) {
      this.isSteady = first.bytes.toString() === STEADY;
      this.#use();
      return;
    }
    this.end();
    const why = first === null ? 'its thread does not start' : first.bytes.toString();
    throw new EvaluationError('E_POLICY_LOAD', `the policy cannot be loaded: ${why}`);
  }

  /** False once it was ended, or ended itself. */
  get alive(): boolean {
    return this.#alive;
  }

  /**
   * Begins to evaluate an entry point for an input.
   * @throws {EvaluationError} and then nothing was asked
   */
  ask(input: string, entrypoint: string): void {
    const kind = this.#entrypoints.indexOf(entrypoint);
    if (kind === -1) throw new EvaluationError('E_POLICY_ENTRYPOINT', `the policy has no entry point ${entrypoint}`);
    this.#use();
    try {
      this.#exchange.send(kind, input);
    } catch (error) {
      throw new EvaluationError('E_POLICY_INPUT', (error as Error).message);
    }
  }

  /** Waits for the answer, the program at rest; null when the limit was exceeded, and then the thread is over. */
  answer(limitMs: number): Answer | null {
    const answer = this.#exchange.receive(limitMs);
    if (answer === null) this.end();
    if (answer === null) return null;
    const text = answer.bytes.toString();
    return answer.kind === RESULT ? { json: text } : { fault: text };
  }

  #use(): void {
    living.delete(this);
    living.add(this);
    const [oldest] = living;
    if (living.size > MAX_THREADS) oldest?.end();
  }

  /** Nothing waits for its end, and nothing can be done when that does not come. */
  end(): void {
    this.#alive = false;
    living.delete(this);
    void this.#worker.terminate();
  }
}
