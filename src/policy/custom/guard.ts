// Custom Rego is evaluated here: in a thread, with a time limit, and still at once for the caller.
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
import { type Answer, type Seat, seatFor } from './thread.ts';

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
  const fromSource = typeof import.meta.url === 'string' && import.meta.url.endsWith('/src/policy/custom/guard.ts');
  return join(packageRoot, fromSource ? 'src/policy/custom/worker.mjs' : 'dist/policy-worker.mjs');
}

/** An evaluator whose policy cannot hold up its caller for longer than the limit. The thread never keeps the program alive. */
export class GuardedEvaluator {
  readonly #module: WebAssembly.Module;
  readonly #bundle: Bundle;
  readonly #worker: string;
  readonly #limitMs: number;
  readonly #startLimitMs: number;
  readonly #cut: (input: object) => object;
  #seat: Seat | null = null;
  /** Of a steady policy, by entry point and input. */
  readonly #known = new Memo<unknown>();

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
   * The value of an entry point for an input.
   * @throws {EvaluationError} when there is none; `E_POLICY_TIME` when the limit was exceeded
   */
  evaluate(input: object, entrypoint: string = VERDICT_ENTRYPOINT): unknown {
    return this.evaluateBeside(input, entrypoint, () => null).value;
  }

  /** The same while `work` is done, whose result is `beside`. */
  evaluateBeside<T>(input: object, entrypoint: string, work: () => T): { value: unknown; beside: T } {
    const text = inputText(input, this.#cut);
    const question = `${entrypoint} ${text}`;
    const known = this.#known.known(question);
    if (known !== undefined) return { value: known, beside: work() };
    const { answer, beside } = this.#ask(text, entrypoint, work);
    if (answer === null) throw this.#overrun(text, entrypoint);
    if ('fault' in answer) throw this.#stopped(answer.fault, text, entrypoint);
    const results = JSON.parse(answer.json) as { result?: unknown }[];
    if (!Array.isArray(results) || results.length !== 1 || results[0]?.result === undefined) {
      throw new EvaluationError('E_POLICY_UNDEFINED', `the policy has no answer at ${entrypoint}`);
    }
    const value = results[0].result;
    return { value: this.#seat?.thread.isSteady ? this.#known.keep(question, value) : value, beside };
  }

  /**
   * The verdict on the facts of a tool call.
   * @throws {EvaluationError} which is a deny to whoever asks
   */
  evaluateVerdict(facts: Facts): Verdict {
    return readVerdict(this.evaluate(facts));
  }

  /** Ends the thread, for whoever shares it too; asking again starts a new one. */
  close(): void {
    this.#seat?.thread.end();
    this.#seat = null;
  }

  /** One question to the thread, and something to do meanwhile; the answer is null when the limit was exceeded. */
  #ask<T>(input: string, entrypoint: string, work: () => T): { answer: Answer | null; beside: T } {
    if (!this.#seat?.thread.alive) this.#seat = seatFor(this.#worker, this.#module, this.#bundle, this.#startLimitMs);
    const { thread, place } = this.#seat;
    thread.ask(place, input, entrypoint);
    let beside: T;
    try {
      beside = work();
    } catch (error) {
      // What was asked is waited for all the same, or the next answer would be this one.
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

  /** A conflict of rules says where it is; of anything else the policy is found. */
  #stopped(fault: string, input: string, entrypoint: string): EvaluationError {
    const abort = abortError(fault);
    const one = abort.file === null ? this.#culprit(input, entrypoint, (answer) => answer === null || 'fault' in answer) : null;
    if (one === null) return abort;
    return new EvaluationError(abort.code, `policy ${one.name} stopped: ${fault}`, one.file, one.line);
  }

  /** Finds out which policy it was, by asking them one by one. */
  #culprit(
    input: string,
    entrypoint: string,
    isIt: (answer: Answer | null) => boolean,
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
