// The thread that evaluates custom Rego. It answers one request at a time, and can be ended at any time.
import fs from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Bundle } from '../bundle.ts';
import { MAX_PAGES } from '../evaluator.ts';
import { EvaluationError } from '../fault.ts';
import { Exchange, PLACE, READY, RESULT, STEADY } from './exchange.mjs';

/** The JSON of the result set, or the reason why there is none. */
export type WorkerAnswer = { json: string } | { fault: string };

/**
 * Threads that live at once. There is no notification that a policy was edited or a mode left. So the thread with the oldest use
 * ends.
 */
const MAX_THREADS = 6;
/** Settings may change many times while the policies stay the same. */
const MAX_PLACES = 16;
/** In order of their last use. */
const living = new Set<Thread>();

/** A policy with the data of one mode. Its thread may be shared by modes with the same policy. */
export interface ThreadSlot {
  thread: Thread;
  place: number;
}

/**
 * Finds a thread with this policy and a free place, or starts one.
 * @throws {EvaluationError} `E_POLICY_LOAD`
 */
export function threadFor(script: string, module: WebAssembly.Module, bundle: Bundle, startLimitMs: number): ThreadSlot {
  const { files } = bundle.manifest.metadata;
  const entrypoints = bundle.manifest.wasm.map(({ entrypoint }) => entrypoint);
  const key = JSON.stringify([script, files['policy.wasm'], entrypoints]);
  const known = [...living].find((one) => one.key === key && one.hasFreePlace);
  // Without this check, a missing script would block until the time limit.
  if (known === undefined && !fs.existsSync(script))
    throw new EvaluationError('E_POLICY_LOAD', `the policy cannot be loaded: ${script} is missing`);
  const thread = known ?? new Thread(script, module, entrypoints, key);
  return { thread, place: thread.take(bundle, startLimitMs) };
}

/** INVARIANT: each request is awaited before the next one. The thread never keeps the program alive. */
export class Thread {
  readonly #exchange = new Exchange();
  readonly #worker: Worker;
  readonly #entrypoints: string[];
  /** Hashes of the data, by place. */
  readonly #places: string[] = [];
  #steady = false;
  #alive = true;

  /** Starts a thread with the policy. Before an evaluation, it needs a place with data. */
  constructor(
    script: string,
    module: WebAssembly.Module,
    entrypoints: string[],
    readonly key: string,
  ) {
    this.#entrypoints = entrypoints;
    this.#worker = new Worker(script, {
      workerData: { module, memory: this.#exchange.memory, entrypoints, maxPages: MAX_PAGES },
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 4 },
    });
    // After an error of the thread, its answers do not arrive.
    this.#worker.on('error', () => this.end());
    this.#worker.unref();
  }

  /** False after the thread was ended or ended itself. */
  get alive(): boolean {
    return this.#alive;
  }

  /** True if the policy always returns the same for the same input. */
  get isSteady(): boolean {
    return this.#steady;
  }

  get hasFreePlace(): boolean {
    return this.#alive && this.#places.length < MAX_PLACES;
  }

  /**
   * Loads another instance of the policy with a mode's data.
   * @throws {EvaluationError} `E_POLICY_LOAD`
   */
  take({ manifest, data }: Bundle, startLimitMs: number): number {
    const hash = manifest.metadata.files['data.json'];
    const known = this.#places.indexOf(hash);
    if (known !== -1) return known;
    this.#send(PLACE, data);
    const first = this.#exchange.receive(startLimitMs);
    if (first?.kind === READY) {
      this.#steady = first.bytes.toString() === STEADY;
      this.#use();
      return this.#places.push(hash) - 1;
    }
    this.end();
    const why = first === null ? 'its thread does not start' : first.bytes.toString();
    throw new EvaluationError('E_POLICY_LOAD', `the policy cannot be loaded: ${why}`);
  }

  /**
   * Starts an evaluation of an entrypoint for an input.
   * @throws {EvaluationError} if no request was sent
   */
  ask(place: number, input: string, entrypoint: string): void {
    const kind = this.#entrypoints.indexOf(entrypoint);
    if (kind === -1) throw new EvaluationError('E_POLICY_ENTRYPOINT', `the policy has no entry point ${entrypoint}`);
    this.#use();
    this.#send(place * this.#entrypoints.length + kind, input);
  }

  /** Blocks until the answer arrives. Null if the limit was exceeded; then the thread is ended. */
  answer(limitMs: number): WorkerAnswer | null {
    const answer = this.#exchange.receive(limitMs);
    if (answer === null) this.end();
    if (answer === null) return null;
    const text = answer.bytes.toString();
    return answer.kind === RESULT ? { json: text } : { fault: text };
  }

  #send(kind: number, content: string | Uint8Array): void {
    try {
      this.#exchange.send(kind, content);
    } catch (error) {
      throw new EvaluationError('E_POLICY_INPUT', (error as Error).message);
    }
  }

  #use(): void {
    living.delete(this);
    living.add(this);
    const [oldest] = living;
    if (living.size > MAX_THREADS) oldest?.end();
  }

  /** Does not wait for the end, since no failure of it could be handled. */
  end(): void {
    this.#alive = false;
    living.delete(this);
    void this.#worker.terminate();
  }
}
