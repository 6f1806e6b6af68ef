// A compiled policy with its data. Every failure is thrown, and the caller turns it into a deny.
import * as sdk from '@open-policy-agent/opa-wasm';
import type { Facts } from '../model/facts.ts';
import type { Verdict } from '../model/verdict.ts';
import { abortError, EvaluationError, messageOf } from './fault.ts';
import { encodeDocument, encodeText, inputText, toJsonBytes } from './json.ts';
import { Memo } from './memo.ts';
import { readVerdict } from './verdict.ts';

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

/** The part of the SDK that is used. */
interface LoadedPolicy {
  entrypoints: Record<string, number>;
  minorVersion: number;
  mem: WebAssembly.Memory;
  wasmInstance: WebAssembly.Instance;
  /** Only an ArrayBuffer is passed on as it is. It must contain JSON: anything else would be a missing input, not an error. */
  evaluate(json: ArrayBuffer, entrypoint: number): unknown;
  setData(json: ArrayBuffer): void;
}
type LoadPolicySync = (wasm: WebAssembly.Module, memory: WebAssembly.MemoryDescriptor) => LoadedPolicy;
// The typed named export does not exist at run time, and the default export that does is not in the types.
const { loadPolicySync } = (sdk as unknown as { default: { loadPolicySync: LoadPolicySync } }).default;

/** One policy. Not shared between threads. */
export class Evaluator {
  readonly #module: WebAssembly.Module;
  #loaded: LoadedPolicy;
  #data: Uint8Array<ArrayBuffer> = toJsonBytes({});
  /** A policy without host functions depends only on its input and its data. */
  #verdicts = new Memo<Verdict>();
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
    return Object.keys(this.#loaded.entrypoints);
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
    this.#renewIfSpoilt();
    this.#hand(() => this.#loaded.setData(this.#data.buffer));
  }

  /**
   * The value of an entrypoint for an input.
   * @throws {EvaluationError} if there is no value
   */
  evaluate(input: object, entrypoint: string = VERDICT_ENTRYPOINT): unknown {
    return this.#answer(inputText(input), entrypoint);
  }

  /**
   * The verdict on the facts of a tool call, or on the part of them that the policy reads.
   * @throws {EvaluationError} the caller turns it into a deny
   */
  evaluateVerdict(facts: Facts | Record<string, unknown>): Verdict {
    const input = inputText(facts);
    return this.#verdicts.get(input) ?? this.#verdicts.set(input, readVerdict(this.#answer(input, VERDICT_ENTRYPOINT)));
  }

  #answer(input: string, entrypoint: string): unknown {
    const { entrypoints } = this.#loaded;
    const id = Object.hasOwn(entrypoints, entrypoint) ? entrypoints[entrypoint] : undefined;
    if (id === undefined) throw new EvaluationError('E_POLICY_ENTRYPOINT', `the policy has no entry point ${entrypoint}`);
    this.#renewIfSpoilt();
    const results = this.#hand(() => this.#loaded.evaluate(encodeText(input).buffer, id)) as { result?: unknown }[];
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
      this.#loaded.setData(this.#data.buffer);
      this.#spoilt = false;
    } catch (error) {
      throw abortError(error);
    }
  }
}

function load(module: WebAssembly.Module): LoadedPolicy {
  const given = new Set(WebAssembly.Module.exports(module).map(({ name }) => name));
  for (const name of ['opa_wasm_abi_version', 'opa_wasm_abi_minor_version', 'opa_eval', 'builtins', 'entrypoints']) {
    if (!given.has(name)) throw new Error(`it has no ${name}`);
  }
  const policy = loadPolicySync(module, { initial: INITIAL_PAGES, maximum: MAX_PAGES });
  if (policy.minorVersion < 2) throw new Error(`it has ABI 1.${policy.minorVersion}`);
  const wanted = hostBuiltins(policy);
  if (wanted.length > 0) throw new Error(`it uses unknown builtins: ${wanted.join(', ')}`);
  return policy;
}

/** Builtins that the policy needs from its host. The few in the SDK, which are JavaScript, behave differently from OPA's. */
function hostBuiltins(policy: LoadedPolicy): string[] {
  const { builtins, opa_json_dump } = policy.wasmInstance.exports as Record<string, (address?: number) => number>;
  const at = opa_json_dump!(builtins!());
  const bytes = new Uint8Array(policy.mem.buffer);
  return Object.keys(JSON.parse(new TextDecoder().decode(bytes.subarray(at, bytes.indexOf(0, at)))) as object);
}
