// Evaluates custom Rego in a thread with a time limit, and blocks the caller until the result.
import { join } from 'node:path';
import type { Facts } from '../../model/facts.ts';
import type { Verdict } from '../../model/verdict.ts';
import type { Bundle } from '../bundle.ts';
import { VERDICT_ENTRYPOINT } from '../evaluator.ts';
import { abortError, EvaluationError } from '../fault.ts';
import { inputText } from '../json.ts';
import { Memo } from '../memo.ts';
import { cutTo } from '../parts.ts';
import { readVerdict } from '../verdict.ts';
import { probeEntrypoint } from './probes.ts';
import { type ThreadSlot, threadFor, type WorkerAnswer } from './thread.ts';

export const DEFAULT_LIMIT_MS = 250;
const DEFAULT_START_LIMIT_MS = 5_000;

export interface GuardOptions {
  /** The worker's script, see `workerFile`. */
  worker: string;
  /** For one evaluation. */
  limitMs?: number;
  /** For the start of the thread. */
  startLimitMs?: number;
}

/** The worker's script below the package's root: bundled code finds it in dist/. */
export function workerFile(packageRoot: string): string {
  const fromSource = typeof import.meta.url === 'string' && import.meta.url.endsWith('/src/policy/custom/guard.ts');
  return join(packageRoot, fromSource ? 'src/policy/custom/worker.mjs' : 'dist/policy-worker.mjs');
}

/** An evaluator that never blocks its caller for longer than the limit. The thread does not keep the program alive. */
export class GuardedEvaluator {
  readonly #module: WebAssembly.Module;
  readonly #bundle: Bundle;
  readonly #worker: string;
  readonly #limitMs: number;
  readonly #startLimitMs: number;
  readonly #cut: (input: object) => object;
  #slot: ThreadSlot | null = null;
  /** Results of a steady policy, by entrypoint and input. */
  readonly #memo = new Memo<unknown>();

  /** @throws {EvaluationError} `E_POLICY_LOAD` */
  constructor(bundle: Bundle, options: GuardOptions) {
    try {
      this.#module = new WebAssembly.Module(bundle.wasm as BufferSource);
    } catch (error) {
      throw new EvaluationError('E_POLICY_LOAD', `the policy cannot be loaded: ${String(error)}`);
    }
    this.#bundle = bundle;
    const { parts } = bundle.manifest.metadata;
    this.#cut = parts === undefined ? (input) => input : cutTo(parts);
    this.#worker = options.worker;
    this.#limitMs = options.limitMs ?? DEFAULT_LIMIT_MS;
    this.#startLimitMs = options.startLimitMs ?? DEFAULT_START_LIMIT_MS;
  }

  /**
   * The value of an entrypoint for an input.
   * @throws {EvaluationError} if there is no value; `E_POLICY_TIME` if the limit was exceeded
   */
  evaluate(input: object, entrypoint: string = VERDICT_ENTRYPOINT): unknown {
    return this.evaluateBeside(input, entrypoint, () => null).value;
  }

  /** The same, and runs `work` at the same time. Its result is `beside`. */
  evaluateBeside<T>(input: object, entrypoint: string, work: () => T): { value: unknown; beside: T } {
    const text = inputText(input, this.#cut);
    const key = `${entrypoint} ${text}`;
    const known = this.#memo.get(key);
    if (known !== undefined) return { value: known, beside: work() };
    const { answer, beside } = this.#ask(text, entrypoint, work);
    if (answer === null) throw this.#overrun(text, entrypoint);
    if ('fault' in answer) throw this.#stopped(answer.fault, text, entrypoint);
    const results = JSON.parse(answer.json) as { result?: unknown }[];
    if (!Array.isArray(results) || results.length !== 1 || results[0]?.result === undefined) {
      throw new EvaluationError('E_POLICY_UNDEFINED', `the policy has no answer at ${entrypoint}`);
    }
    const value = results[0].result;
    return { value: this.#slot?.thread.isSteady ? this.#memo.set(key, value) : value, beside };
  }

  /**
   * The verdict on the facts of a tool call.
   * @throws {EvaluationError} the caller turns it into a deny
   */
  evaluateVerdict(facts: Facts): Verdict {
    return readVerdict(this.evaluate(facts));
  }

  /** Ends the thread, also for other evaluators that share it. The next evaluation starts a new one. */
  close(): void {
    this.#slot?.thread.end();
    this.#slot = null;
  }

  /** Sends one request to the thread and runs `work` meanwhile. The answer is null if the limit was exceeded. */
  #ask<T>(input: string, entrypoint: string, work: () => T): { answer: WorkerAnswer | null; beside: T } {
    if (!this.#slot?.thread.alive) this.#slot = threadFor(this.#worker, this.#module, this.#bundle, this.#startLimitMs);
    const { thread, place } = this.#slot;
    thread.ask(place, input, entrypoint);
    let beside: T;
    try {
      beside = work();
    } catch (error) {
      // Wait for the answer in spite of the error. Otherwise it would be taken for the answer to the next request.
      thread.answer(this.#limitMs);
      throw error;
    }
    return { answer: thread.answer(this.#limitMs), beside };
  }

  #overrun(input: string, entrypoint: string): EvaluationError {
    const one = this.#culprit(input, entrypoint, (answer) => answer === null);
    const who = one === null ? 'the policies take' : `policy ${one.name} takes`;
    const { file = null, line = null } = one ?? {};
    return new EvaluationError('E_POLICY_TIME', `${who} longer than ${this.#limitMs} ms`, file, line);
  }

  /** A conflict of rules names its place. For other faults, the policy is searched. */
  #stopped(fault: string, input: string, entrypoint: string): EvaluationError {
    const abort = abortError(fault);
    const one = abort.file === null ? this.#culprit(input, entrypoint, (answer) => answer === null || 'fault' in answer) : null;
    if (one === null) return abort;
    return new EvaluationError(abort.code, `policy ${one.name} stopped: ${fault}`, one.file, one.line);
  }

  /** Finds the policy with the fault by evaluating them one by one. */
  #culprit(
    input: string,
    entrypoint: string,
    isIt: (answer: WorkerAnswer | null) => boolean,
  ): { name: string; file: string; line: number } | null {
    for (const [index, { name, rules }] of this.#bundle.manifest.metadata.policies.entries()) {
      for (const [rule, at] of Object.entries(rules)) {
        const own = probeEntrypoint(index, rule);
        if (own !== entrypoint && isIt(this.#ask(input, own, () => null).answer)) return { name, ...at };
      }
    }
    return null;
  }
}
