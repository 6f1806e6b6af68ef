// A compiled policy with its data, ready to be asked. Whatever goes wrong is thrown, and a throw is a deny to the caller.
import * as sdk from '@open-policy-agent/opa-wasm';
import type { Facts } from '../tools/types.ts';
import { abortError, EvaluationError, messageOf } from './fault.ts';
import { encodeDocument, encodeInput, toJsonBytes } from './json.ts';
import type { Verdict } from './types.ts';
import { readVerdict } from './verdict.ts';

/** Entry point of the core: gives a Verdict. */
export const VERDICT_ENTRYPOINT = 'modes/verdict';
/** Only of a policy with custom modules: every condition of their `gate` sets. */
export const GATE_ENTRYPOINT = 'modes/custom/gates';
/** What custom policies tell the model. */
export const CONTEXT_ENTRYPOINT = 'modes/custom/contexts';

/** Of custom policies alone: every decision, as the core takes them for `input.custom`. */
export const DECISIONS_ENTRYPOINT = 'modes/custom/decisions';

/** 64 KB each. The first grows on demand; the limit keeps a runaway policy from taking the machine. */
const INITIAL_PAGES = 5;
export const MAX_PAGES = 4096;

interface LoadedPolicy {
  entrypoints: Record<string, number>;
  minorVersion: number;
  mem: WebAssembly.Memory;
  wasmInstance: WebAssembly.Instance;
  evaluate(input: unknown, entrypoint: string): { result: unknown }[];
  setData(data: unknown): void;
}
type LoadPolicySync = (wasm: WebAssembly.Module, memory: WebAssembly.MemoryDescriptor) => LoadedPolicy;
// The typed named export does not exist at run time, and the default export that does is not in the types.
const { loadPolicySync } = (sdk as unknown as { default: { loadPolicySync: LoadPolicySync } }).default;

/** One policy. Not shared between threads. */
export class Evaluator {
  readonly #module: WebAssembly.Module;
  #policy: LoadedPolicy;
  #data: Uint8Array<ArrayBuffer> = toJsonBytes({});
  /** Set after a throw: what the instance holds is no longer known. */
  #spoilt = false;

  /**
   * @param wasm a policy as `opa build -t wasm` makes it, ABI 1.2 or later, that needs no builtin of its host
   * @throws {EvaluationError} `E_POLICY_LOAD`
   */
  constructor(wasm: Uint8Array | WebAssembly.Module) {
    try {
      this.#module = wasm instanceof WebAssembly.Module ? wasm : new WebAssembly.Module(wasm as BufferSource);
      this.#policy = load(this.#module);
    } catch (error) {
      if (error instanceof EvaluationError) throw error;
      throw new EvaluationError('E_POLICY_LOAD', `the policy cannot be loaded: ${messageOf(error)}`);
    }
  }

  /** Slash paths of everything that can be asked. */
  get entrypoints(): string[] {
    return Object.keys(this.#policy.entrypoints);
  }

  /** For further evaluators of the same policy. */
  get module(): WebAssembly.Module {
    return this.#module;
  }

  /**
   * Replaces the base document. About 10 µs/KB.
   * @throws {EvaluationError} `E_POLICY_INPUT`
   */
  setData(data: Record<string, unknown>): void {
    this.setDataBytes(encodeDocument(data));
  }

  /**
   * Replaces the base document by JSON that `toJsonBytes` made.
   * @throws {EvaluationError} `E_POLICY_ABORT` when it is no JSON
   */
  setDataBytes(data: Uint8Array<ArrayBuffer>): void {
    this.#data = data.byteLength === data.buffer.byteLength ? data : data.slice();
    this.#renewIfSpoilt();
    this.#hand(() => this.#policy.setData(this.#data.buffer));
  }

  /**
   * The value of an entry point for an input.
   * @throws {EvaluationError} when there is none, for whatever reason
   */
  evaluate(input: object, entrypoint: string = VERDICT_ENTRYPOINT): unknown {
    return this.#answer(encodeInput(input), entrypoint);
  }

  /**
   * The verdict on the facts of a tool call.
   * @throws {EvaluationError} which is a deny to whoever asks
   */
  evaluateVerdict(facts: Facts | Record<string, unknown>): Verdict {
    return readVerdict(this.evaluate(facts));
  }

  #answer(encoded: Uint8Array<ArrayBuffer>, entrypoint: string): unknown {
    if (!Object.hasOwn(this.#policy.entrypoints, entrypoint)) {
      throw new EvaluationError('E_POLICY_ENTRYPOINT', `the policy has no entry point ${entrypoint}`);
    }
    this.#renewIfSpoilt();
    const results = this.#hand(() => this.#policy.evaluate(encoded.buffer, entrypoint));
    if (!Array.isArray(results) || results.length !== 1 || results[0]?.result === undefined) {
      throw new EvaluationError('E_POLICY_UNDEFINED', `the policy has no answer at ${entrypoint}`);
    }
    return results[0].result;
  }

  /** Runs something inside the policy; whatever it throws spoils the instance, whose stack is not unwound. */
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
      this.#policy = load(this.#module);
      this.#policy.setData(this.#data.buffer);
      this.#spoilt = false;
    } catch (error) {
      throw abortError(error);
    }
  }
}

function load(module: WebAssembly.Module): LoadedPolicy {
  for (const name of ['opa_wasm_abi_version', 'opa_wasm_abi_minor_version', 'opa_eval', 'builtins', 'entrypoints']) {
    if (!WebAssembly.Module.exports(module).some((one) => one.name === name)) throw new Error(`it has no ${name}`);
  }
  const policy = loadPolicySync(module, { initial: INITIAL_PAGES, maximum: MAX_PAGES });
  if (policy.minorVersion < 2) throw new Error(`it has ABI 1.${policy.minorVersion}`);
  const wanted = hostBuiltins(policy);
  if (wanted.length > 0) throw new Error(`it uses builtins that are not there: ${wanted.join(', ')}`);
  return policy;
}

/** Builtins that the policy wants of its host. The few that the SDK has in JavaScript do not do what OPA's do. */
function hostBuiltins(policy: LoadedPolicy): string[] {
  const { builtins, opa_json_dump } = policy.wasmInstance.exports as Record<string, (address?: number) => number>;
  const at = opa_json_dump!(builtins!());
  const bytes = new Uint8Array(policy.mem.buffer);
  return Object.keys(JSON.parse(new TextDecoder().decode(bytes.subarray(at, bytes.indexOf(0, at)))) as object);
}
