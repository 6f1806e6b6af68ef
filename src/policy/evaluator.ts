// A compiled policy with its data. Every failure is thrown, and the caller turns it into a deny.
import * as sdk from '@open-policy-agent/opa-wasm';
import type { Facts } from '../model/facts.ts';
import type { Verdict } from '../model/verdict.ts';
import { type CanonicalRequest, leftOpen } from '../rules/question.ts';
import { abortError, EvaluationError, messageOf } from './fault.ts';
import { encodeDocument, inputText, toJsonBytes, wellFormed } from './json.ts';
import { Memo } from './memo.ts';
import { PolicyMemory } from './memory.ts';
import { readNumbered, readVerdict, spellOut } from './verdict.ts';

/** Entrypoint of the core: returns a Verdict. */
export const VERDICT_ENTRYPOINT = 'modes/verdict';
/** Only in a policy with custom modules: all conditions of their `gate` sets. */
export const GATE_ENTRYPOINT = 'modes/custom/gates';
/** The context that custom policies give to the model. */
export const CONTEXT_ENTRYPOINT = 'modes/custom/contexts';

/** Only in custom policies without the core: all decisions, in the form that the core expects in `input.custom`. */
export const DECISIONS_ENTRYPOINT = 'modes/custom/decisions';

/** Pages of 64 KB. The memory grows on demand; the limit keeps a runaway policy from using all memory of the machine. */
const INITIAL_PAGES = 5;
export const MAX_PAGES = 4096;

/** The part of the SDK that is used. Its `evaluate` is not: it copies the input three times and the result byte by byte. */
interface LoadedPolicy {
  entrypoints: Record<string, number>;
  minorVersion: number;
  mem: WebAssembly.Memory;
  wasmInstance: WebAssembly.Instance;
  /** The address of the base document, and of its end. */
  dataAddr: number;
  dataHeapPtr: number;
  setData(data: unknown): void;
}
type Eval = (reserved: 0, entrypoint: number, data: number, input: number, inputBytes: number, heap: number, asJson: 0) => number;

/** A policy that is ready for evaluation. */
interface Loaded {
  policy: LoadedPolicy;
  memory: PolicyMemory;
  entrypoints: ReadonlyMap<string, number>;
}
type LoadPolicySync = (wasm: WebAssembly.Module, memory: WebAssembly.MemoryDescriptor) => LoadedPolicy;
// The typed named export does not exist at run time, and the default export that does is not in the types.
const { loadPolicySync } = (sdk as unknown as { default: { loadPolicySync: LoadPolicySync } }).default;

/** Size of the memo for canonical requests. Few are needed, since many calls have the same canonical request. */
const maxKinds = 128;

/** One policy. Not shared between threads. */
export class Evaluator {
  readonly #module: WebAssembly.Module;
  #loaded: Loaded;
  #data: Uint8Array<ArrayBuffer> = toJsonBytes({});
  /** A policy without host functions depends only on its input and its data, so its results can be remembered. */
  #verdicts = new Memo<Verdict>();
  #numbered = new Memo<Verdict<string | number>>(maxKinds);
  /** Set after a throw, since the state of the instance is then unknown. */
  #spoilt = false;

  /**
   * @param wasm a policy from `opa build -t wasm`, ABI 1.2 or later, that needs no builtin of its host
   * @throws {EvaluationError} `E_POLICY_LOAD`
   */
  constructor(wasm: Uint8Array | WebAssembly.Module) {
    try {
      this.#module = wasm instanceof WebAssembly.Module ? wasm : new WebAssembly.Module(wasm as BufferSource);
      this.#loaded = load(this.#module);
    } catch (error) {
      if (error instanceof EvaluationError) throw error;
      throw new EvaluationError('E_POLICY_LOAD', `the policy cannot be loaded: ${messageOf(error)}`);
    }
  }

  /** Slash paths of all entrypoints. */
  get entrypoints(): string[] {
    return [...this.#loaded.entrypoints.keys()];
  }

  /** For more evaluators of the same policy. */
  get module(): WebAssembly.Module {
    return this.#module;
  }

  /**
   * Replaces the base document. Takes about 10 µs/KB.
   * @throws {EvaluationError} `E_POLICY_INPUT`
   */
  setData(data: Record<string, unknown>): void {
    this.setDataBytes(encodeDocument(data));
  }

  /**
   * Replaces the base document by JSON from `toJsonBytes`.
   * @throws {EvaluationError} `E_POLICY_ABORT` if it is not JSON
   */
  setDataBytes(data: Uint8Array<ArrayBuffer>): void {
    this.#data = data.byteLength === data.buffer.byteLength ? data : data.slice();
    this.#verdicts = new Memo();
    this.#numbered = new Memo(maxKinds);
    this.#renewIfSpoilt();
    this.#hand(() => this.#loaded.policy.setData(this.#data.buffer));
  }

  /**
   * The value of an entrypoint for an input.
   * @throws {EvaluationError} if there is no value
   */
  evaluate(input: object, entrypoint: string = VERDICT_ENTRYPOINT): unknown {
    return this.#answer(inputText(input), entrypoint);
  }

  /**
   * The verdict on the facts of a tool call.
   * @throws {EvaluationError} the caller turns it into a deny
   */
  evaluateVerdict(facts: Facts | Record<string, unknown>): Verdict {
    const input = inputText(facts);
    return this.#verdicts.known(input) ?? this.#verdicts.keep(input, readVerdict(this.#answer(input, VERDICT_ENTRYPOINT)));
  }

  /**
   * The verdict on a canonical request. Requests that differ only in texts that no rule inspects are evaluated once.
   * @throws {EvaluationError} the caller turns it into a deny
   */
  verdictOn(question: CanonicalRequest): Verdict {
    return spellOut(this.#saidOf(question), question.texts);
  }

  /**
   * Only the effect of that verdict.
   * @throws {EvaluationError}
   */
  effectOn(question: CanonicalRequest): Verdict['verdict'] {
    return this.#saidOf(question).verdict;
  }

  /**
   * The same with placeholders for the texts, and without the memo. The input is JSON as its writer made it; the core returns no
   * value if it is invalid.
   * @throws {EvaluationError}
   */
  ask({ input, texts }: CanonicalRequest): Verdict<string | number> {
    return readNumbered(this.#answer(wellFormed(numbered(input)), VERDICT_ENTRYPOINT), texts.length);
  }

  #saidOf(question: CanonicalRequest): Verdict<string | number> {
    return this.#numbered.known(question.input) ?? this.#numbered.keep(question.input, this.ask(question));
  }

  #answer(input: string, entrypoint: string): unknown {
    const id = this.#loaded.entrypoints.get(entrypoint);
    if (id === undefined) throw new EvaluationError('E_POLICY_ENTRYPOINT', `the policy has no entry point ${entrypoint}`);
    this.#renewIfSpoilt();
    const results = this.#hand(() => evaluate(this.#loaded, id, input)) as { result?: unknown }[];
    if (!Array.isArray(results) || results.length !== 1 || results[0]?.result === undefined) {
      throw new EvaluationError('E_POLICY_UNDEFINED', `the policy has no answer at ${entrypoint}`);
    }
    return results[0].result;
  }

  /** Runs a function of the policy. A throw makes the instance unusable, since its stack is not unwound. */
  #hand<T>(run: () => T): T {
    try {
      return run();
    } catch (error) {
      this.#spoilt = true;
      throw abortError(error);
    }
  }

  #renewIfSpoilt(): void {
    if (!this.#spoilt) return;
    try {
      this.#loaded = load(this.#module);
      this.#loaded.policy.setData(this.#data.buffer);
      this.#spoilt = false;
    } catch (error) {
      throw abortError(error);
    }
  }
}

/** Replaces each placeholder by its number. */
function numbered(input: string): string {
  return input.split(leftOpen).reduce((before, after, at) => `${before}${at - 1}${after}`);
}

/**
 * Evaluates once. The input is written after the base document, and the working memory of the evaluation follows it. The next
 * evaluation overwrites both.
 */
function evaluate({ policy, memory }: Loaded, entrypoint: number, input: string): unknown {
  const { dataAddr, dataHeapPtr: at } = policy;
  const bytes = memory.write(input, at);
  const answer = (policy.wasmInstance.exports.opa_eval as Eval)(0, entrypoint, dataAddr, at, bytes, at + bytes, 0);
  return JSON.parse(memory.readText(answer));
}

function load(module: WebAssembly.Module): Loaded {
  const given = new Set(WebAssembly.Module.exports(module).map(({ name }) => name));
  for (const name of ['opa_wasm_abi_version', 'opa_wasm_abi_minor_version', 'opa_eval', 'builtins', 'entrypoints']) {
    if (!given.has(name)) throw new Error(`it has no ${name}`);
  }
  const policy = loadPolicySync(module, { initial: INITIAL_PAGES, maximum: MAX_PAGES });
  if (policy.minorVersion < 2) throw new Error(`it has ABI 1.${policy.minorVersion}`);
  const wanted = hostBuiltins(policy);
  if (wanted.length > 0) throw new Error(`it uses unknown builtins: ${wanted.join(', ')}`);
  return { policy, memory: new PolicyMemory(policy.mem), entrypoints: new Map(Object.entries(policy.entrypoints)) };
}

/** Builtins that the policy needs from its host. The few in the SDK, which are JavaScript, behave differently from OPA's. */
function hostBuiltins(policy: LoadedPolicy): string[] {
  const { builtins, opa_json_dump } = policy.wasmInstance.exports as Record<string, (address?: number) => number>;
  const at = opa_json_dump!(builtins!());
  const bytes = new Uint8Array(policy.mem.buffer);
  return Object.keys(JSON.parse(new TextDecoder().decode(bytes.subarray(at, bytes.indexOf(0, at)))) as object);
}
