// Evaluates a policy in a thread that can be ended. Plain JavaScript: the same file runs from source and bundled. It uses the
// policy's ABI 1.2 directly, so that the thread starts quickly and the host functions behave as in topdown.
import { workerData } from 'node:worker_threads';
import { BUILTINS, FIND_ENTRYPOINT, UNSTEADY } from './builtins.mjs';
import { Exchange, FAULT, PLACE, READY, RESULT, STEADY } from './exchange.mjs';
import { OF_HOST } from './hosted.mjs';
import { readTerm, writeTerm } from './terms.mjs';

/** @typedef {{ module: WebAssembly.Module, memory: SharedArrayBuffer, entrypoints: string[], maxPages: number }} Start */
/** @typedef {{ memory: WebAssembly.Memory, exports: any, entrypoints: Record<string, number>, dataAt: number, heap: number, steady: boolean }} Policy */

/**
 * A mode's data and the policy with it; null after a fault.
 * @typedef {{ data: Uint8Array, policy: Policy | null }} Place
 */

const { module, memory: shared, entrypoints: asked, maxPages } = /** @type {Start} */ (workerData);
/** By their names in a compiled policy. */
const ALL = new Map([...Object.entries(BUILTINS), ...Object.entries(OF_HOST)]);
const PAGE = 65536;
const decoder = new TextDecoder();

/**
 * Enough for the 8 MB of texts that the policies of a project may contain, and for an evaluation. Untouched pages cost nothing.
 */
const INITIAL_PAGES = 160;

/** @param {WebAssembly.Memory} memory @param {number} at @returns {Uint8Array} the bytes before the next NUL */
function readBytes(memory, at) {
  const bytes = new Uint8Array(memory.buffer);
  return bytes.subarray(at, bytes.indexOf(0, at));
}

/** @param {WebAssembly.Memory} memory @param {number} at */
const readText = (memory, at) => decoder.decode(readBytes(memory, at));

/** @param {Uint8Array} data @returns {Policy} */
function load(data) {
  const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: maxPages });
  /** @type {Record<string, any>} */
  const env = { memory, opa_println: () => 0 };
  env.opa_abort = (/** @type {number} */ at) => {
    throw new Error(readText(memory, at));
  };
  /** @type {((args: import('./terms.mjs').Term[]) => import('./terms.mjs').Term | undefined)[]} */
  const functions = [];
  const call = (/** @type {number} */ id, /** @type {number} */ _context, /** @type {number[]} */ ...args) => {
    const value = functions[id]?.(args.map((at) => readTerm(readText(memory, exports.opa_value_dump(at)))));
    return value === undefined ? 0 : write(writeTerm(value));
  };
  for (let i = 0; i <= 4; i++) env[`opa_builtin${i}`] = call;
  const exports = /** @type {any} */ (new WebAssembly.Instance(module, { env }).exports);
  const write = (/** @type {string} */ text) => {
    const bytes = new TextEncoder().encode(text);
    const at = exports.opa_malloc(bytes.length);
    new Uint8Array(memory.buffer).set(bytes, at);
    return exports.opa_value_parse(at, bytes.length);
  };
  const wanted = JSON.parse(readText(memory, exports.opa_json_dump(exports.builtins())));
  for (const [name, id] of Object.entries(wanted)) {
    const builtin = ALL.get(name);
    if (builtin === undefined) throw new Error(`it uses an unknown builtin: ${name}`);
    functions[id] = (args) => builtin(args, host);
  }
  const entrypoints = JSON.parse(readText(memory, exports.opa_json_dump(exports.entrypoints())));
  const rawAt = exports.opa_malloc(data.length);
  new Uint8Array(memory.buffer).set(data, rawAt);
  const dataAt = exports.opa_json_parse(rawAt, data.length);
  if (dataAt === 0) throw new Error('the data is not JSON');
  const steady = !UNSTEADY.some((name) => Object.hasOwn(wanted, name));
  return { memory, exports, entrypoints, dataAt, heap: exports.opa_heap_ptr_get(), steady };
}

const NOTHING = new TextEncoder().encode('{}');

/** The start of the present evaluation, in nanoseconds since 1970. */
let now = 0n;
/** A second instance of the policy, since the first is busy while it calls the host. @type {Policy | null} */
let finder = null;

/** @type {import('./builtins.mjs').Host} */
const host = {
  now: () => now,
  find(pattern, text) {
    finder ??= load(NOTHING);
    const input = new TextEncoder().encode(JSON.stringify({ pattern, text }));
    const [found] = JSON.parse(decoder.decode(evaluate(finder, input, FIND_ENTRYPOINT)));
    return found?.result;
  },
};

/** @param {Policy} policy @param {Uint8Array} input @param {string} entrypoint @returns {Uint8Array} the result set's JSON */
function evaluate(policy, input, entrypoint) {
  const id = Object.hasOwn(policy.entrypoints, entrypoint) ? policy.entrypoints[entrypoint] : undefined;
  if (id === undefined) throw new Error(`the policy has no entry point ${entrypoint}`);
  const missing = policy.heap + input.length - policy.memory.buffer.byteLength;
  if (missing > 0) policy.memory.grow(Math.ceil(missing / PAGE));
  new Uint8Array(policy.memory.buffer).set(input, policy.heap);
  const { exports, dataAt, heap, memory } = policy;
  return readBytes(memory, exports.opa_eval(0, id, dataAt, heap, input.length, heap + input.length, 0));
}

const exchange = new Exchange(shared);
/** @type {Place[]} */
const places = [];

/** @param {() => void} work sends the answer */
function attempt(work) {
  try {
    work();
  } catch (error) {
    exchange.send(FAULT, error instanceof Error ? error.message : String(error));
  }
}

/** @param {Place} place @param {Uint8Array} input @param {string} entrypoint */
function answer(place, input, entrypoint) {
  const policy = place.policy ?? load(place.data);
  // The state of a stopped policy is unknown, so the next evaluation uses a new instance.
  place.policy = null;
  now = BigInt(Date.now()) * 1_000_000n;
  const said = evaluate(policy, input, entrypoint);
  place.policy = policy;
  return said;
}

// INVARIANT: never return to the event loop, where an answer would take three times as long.
for (;;) {
  const question = exchange.receive();
  if (question === null) continue;
  const { kind, bytes } = question;
  attempt(() => {
    if (kind === PLACE) {
      const data = Uint8Array.from(bytes);
      const policy = load(data);
      places.push({ data, policy });
      exchange.send(READY, policy.steady ? STEADY : '');
      return;
    }
    const place = /** @type {Place} */ (places[Math.floor(kind / asked.length)]);
    exchange.send(RESULT, answer(place, bytes, /** @type {string} */ (asked[kind % asked.length])));
  });
}
