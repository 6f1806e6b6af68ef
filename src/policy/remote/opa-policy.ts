// The policy of one mode with an OPA server: the request, the use of its answer, and the fallback.

import { isDeepStrictEqual } from 'node:util';
import type { Facts } from '../../model/facts.ts';
import type { OpaPin } from '../../model/opa-pin.ts';
import type { Evaluated, Verdict } from '../../model/verdict.ts';
import { EvaluationError } from '../fault.ts';
import { inputText } from '../json.ts';
import { Memo } from '../memo.ts';
import type { Breaker } from './breaker.ts';
import { type OpaReply, type Reply, readAnswer } from './opa-answer.ts';

/** In words, for a person. */
export function describeEvaluated({ by, server, note }: Evaluated): string {
  if (by === 'local') return `this machine, because of the OPA server ${server}: ${note}`;
  const who = by === 'opa' ? `the OPA server ${server}` : `the OPA server ${server} and this machine`;
  return note === undefined ? who : `${who}, and they differ: ${note}`;
}

/** The verdicts on one call, each with the evaluator that gave it. More than one only if they have to be combined. */
export interface Evaluation {
  verdicts: readonly [ByEvaluator, ...ByEvaluator[]];
  evaluator: Evaluated;
}

interface ByEvaluator {
  from: 'this machine' | 'OPA server';
  verdict: Verdict;
}

export interface OpaRequest {
  url: string;
  /** JSON. */
  body: string;
}

/** A step for the caller, which can reach the server. With `onReply`, the policy does not wait for the answer. */
export type Step = { kind: 'send'; question: OpaRequest; onReply?: (reply: Reply) => void } | { kind: 'receive' };

export interface OpaPolicyOptions {
  pin: Pick<OpaPin, 'url' | 'deadline' | 'fallback' | 'check'>;
  mode: string;
  /** The revision of the bundle that this machine would evaluate. */
  revision: string;
  /** True if the same request always has the same answer. */
  isSteady: boolean;
  /** The part of the facts that the policy needs. */
  input(facts: Facts): object;
  local(facts: Facts): Verdict;
  breaker: Breaker;
  /** Notifications: its answers are not usable; an answer was usable again; two verdicts differ. */
  observer: { failed(why: string): void; back(): void; differs(mode: string, what: string): void };
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
}

/**
 * INVARIANT: a verdict of the server counts without a check only if it comes from the same bundle. In doubt the fallback applies,
 * which never allows more.
 */
export class OpaPolicy {
  /** The address for this mode. */
  readonly url: string;
  readonly #options: OpaPolicyOptions;
  readonly #memo = new Memo<Evaluation>();
  readonly #now: () => number;

  constructor(options: OpaPolicyOptions) {
    this.#options = options;
    this.url = options.pin.url.replaceAll('{mode}', options.mode);
    this.#now = options.now ?? (() => performance.now());
  }

  /**
   * Evaluates in steps. The caller sends the requests and passes in the answers, or null for one that did not arrive in time.
   * @throws {EvaluationError} the caller turns it into a deny; it is `E_POLICY_SERVICE` if the fallback is deny
   */
  *evaluate(facts: Facts): Generator<Step, Evaluation, Reply | null> {
    const { pin, breaker, isSteady, local } = this.#options;
    const text = inputText(this.#options.input(facts));
    const known = this.#memo.get(text);
    if (known !== undefined) return known;
    const circuit = breaker.state(this.#now());
    if (circuit === 'open' || circuit === 'trying') return this.#without(facts, `requests to it are paused: ${breaker.why}`);
    const question = { url: this.url, body: `{"input":${text}}` };
    if (circuit === 'due') {
      breaker.try(this.#now());
      // If this machine may decide, the call does not wait for a server that just failed.
      if (pin.fallback === 'local') {
        const before = breaker.why;
        yield { kind: 'send', question, onReply: (reply) => this.#receive(reply) };
        return this.#without(facts, `a new request to it is pending: ${before}`);
      }
    }
    yield { kind: 'send', question };
    const own = pin.check ? attempt(() => local(facts)) : null;
    const answer = this.#receive((yield { kind: 'receive' }) ?? { fault: `it does not answer within ${pin.deadline} ms` });
    if (own !== null && 'error' in own) throw own.error;
    if ('why' in answer) return this.#without(facts, answer.why, own?.value);
    const evaluation = own === null ? this.#said('opa', answer.verdict) : this.#both(answer.verdict, own.value);
    return isSteady && evaluation.evaluator.note === undefined ? this.#memo.set(text, evaluation) : evaluation;
  }

  #receive(reply: Reply): OpaReply {
    const { breaker, pin, revision, observer } = this.#options;
    const answer = readAnswer(reply, revision);
    if ('verdict' in answer) {
      breaker.succeeded();
      observer.back();
    } else {
      // If only the server may decide, even a single failed call is reported.
      if (breaker.failed(this.#now(), answer.why) || pin.fallback === 'deny') observer.failed(answer.why);
    }
    return answer;
  }

  #without(facts: Facts, why: string, own?: Verdict): Evaluation {
    const { pin, local } = this.#options;
    if (pin.fallback === 'deny')
      throw new EvaluationError('E_POLICY_SERVICE', `the OPA server ${this.url} gives no valid verdict: ${why}`);
    return this.#said('local', own ?? local(facts), why);
  }

  #both(theirs: Verdict, own: Verdict): Evaluation {
    const both = this.#said('both', own);
    if (isDeepStrictEqual(theirs, own)) return both;
    const { mode, observer } = this.#options;
    const note = `the OPA server says ${theirs.verdict} by ${theirs.by}, this machine ${own.verdict} by ${own.by}`;
    observer.differs(mode, note);
    return {
      verdicts: [...both.verdicts, { from: 'OPA server', verdict: theirs }],
      evaluator: { ...both.evaluator, note },
    };
  }

  #said(by: Evaluated['by'], verdict: Verdict, note?: string): Evaluation {
    const from = by === 'opa' ? 'OPA server' : 'this machine';
    return { verdicts: [{ from, verdict }], evaluator: { by, server: this.url, ...(note !== undefined && { note }) } };
  }
}

function attempt<T>(make: () => T): { value: T } | { error: unknown } {
  try {
    return { value: make() };
  } catch (error) {
    return { error };
  }
}
