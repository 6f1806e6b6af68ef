// The thread that custom Rego is evaluated in: one question, one answer, and an end whenever it is wanted.
import fs from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Bundle } from '../bundle.ts';
import { MAX_PAGES } from '../evaluator.ts';
import { EvaluationError } from '../fault.ts';
import { Exchange, PLACE, READY, RESULT, STEADY } from './exchange.mjs';

/** The result set's JSON, or why there is none. */
export type Answer = { json: string } | { fault: string };

/** Threads that live at once. Of policies that were edited or modes that were left nothing is told: the one used longest ago ends. */
const MAX_THREADS = 6;
/** Settings are edited while the policies stay as they are. */
const MAX_PLACES = 16;
/** The one used last is the last. */
const living = new Set<Thread>();

/** A policy with the data of one mode, in a thread that it may share with the same policy in other modes. */
export interface Seat {
  thread: Thread;
  place: number;
}

/**
 * Finds room for a policy, in a new thread where none has it.
 * @throws {EvaluationError} `E_POLICY_LOAD`
 */
export function seatFor(script: string, module: WebAssembly.Module, bundle: Bundle, startLimitMs: number): Seat {
  const { files } = bundle.manifest.metadata;
  const entrypoints = bundle.manifest.wasm.map(({ entrypoint }) => entrypoint);
  const key = JSON.stringify([script, files['policy.wasm'], entrypoints]);
  const known = [...living].find((one) => one.key === key && one.hasRoom);
  // A thread without its script is waited for until the limit.
  if (known === undefined && !fs.existsSync(script))
    throw new EvaluationError('E_POLICY_LOAD', `the policy cannot be loaded: ${script} is not there`);
  const thread = known ?? new Thread(script, module, entrypoints, key);
  return { thread, place: thread.take(bundle, startLimitMs) };
}

/** INVARIANT: every question is waited for before the next is asked. The thread never keeps the program alive. */
export class Thread {
  readonly #exchange = new Exchange();
  readonly #worker: Worker;
  readonly #entrypoints: string[];
  /** Hashes of the data, by place. */
  readonly #places: string[] = [];
  #steady = false;
  #alive = true;

  /** Starts a thread with the policy, which needs a place for its data before it is asked. */
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
    // An error of the thread shows as an answer that does not come.
    this.#worker.on('error', () => this.end());
    this.#worker.unref();
  }

  /** False once it was ended, or ended itself. */
  get alive(): boolean {
    return this.#alive;
  }

  /** The policy always answers the same to the same. */
  get isSteady(): boolean {
    return this.#steady;
  }

  get hasRoom(): boolean {
    return this.#alive && this.#places.length < MAX_PLACES;
  }

  /**
   * Loads the policy once more with a mode's data.
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
   * Begins to evaluate an entry point for an input.
   * @throws {EvaluationError} and then nothing was asked
   */
  ask(place: number, input: string, entrypoint: string): void {
    const kind = this.#entrypoints.indexOf(entrypoint);
    if (kind === -1) throw new EvaluationError('E_POLICY_ENTRYPOINT', `the policy has no entry point ${entrypoint}`);
    this.#use();
    this.#send(place * this.#entrypoints.length + kind, input);
  }

  /** Waits for the answer, the program at rest; null when the limit was exceeded, and then the thread is over. */
  answer(limitMs: number): Answer | null {
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

  /** Nothing waits for its end, and nothing can be done when that does not come. */
  end(): void {
    this.#alive = false;
    living.delete(this);
    void this.#worker.terminate();
  }
}
