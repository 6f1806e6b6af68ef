// The part of WASI preview 1 that a Go reactor needs. Node's own shim prints a warning and gives more access than needed: here
// there is no file, no network and no environment.
import { randomFillSync } from 'node:crypto';

const SUCCESS = 0;
const BAD_DESCRIPTOR = 8;
const NOT_SUPPORTED = 52;
const CLOCK_REALTIME = 0;
const CHARACTER_DEVICE = 2;
const SUBSCRIPTION_BYTES = 48;
const EVENT_BYTES = 32;
const PROGRAM = new TextEncoder().encode('modes\0');

/**
 * @typedef {object} Host
 * @property {(descriptor: number, bytes: Uint8Array) => void} write called with the program's output
 * @property {() => void} tick called whenever the program reads the time; may throw to end it
 */

/**
 * Imports for the module, and `attach`, which must be called with the instance's memory before its first function runs.
 * @param {WebAssembly.Module} module
 * @param {Host} host
 * @returns {{ imports: WebAssembly.Imports, attach: (memory: WebAssembly.Memory) => void }}
 */
export function createWasi(module, host) {
  /** @type {WebAssembly.Memory | null} */
  let memory = null;
  const buffer = () => {
    if (memory === null) throw new Error('WASI was called before its memory was attached');
    return memory.buffer;
  };
  const view = () => new DataView(buffer());
  /** @param {number} at @param {number} length */
  const bytes = (at, length) => new Uint8Array(buffer(), at, length);

  /** @type {Record<string, (...args: any[]) => number>} */
  const functions = {
    args_sizes_get(count, size) {
      view().setUint32(count, 1, true);
      view().setUint32(size, PROGRAM.length, true);
      return SUCCESS;
    },
    args_get(pointers, texts) {
      view().setUint32(pointers, texts, true);
      bytes(texts, PROGRAM.length).set(PROGRAM);
      return SUCCESS;
    },
    environ_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return SUCCESS;
    },
    environ_get: () => SUCCESS,
    clock_res_get(_clock, result) {
      view().setBigUint64(result, 1000n, true);
      return SUCCESS;
    },
    clock_time_get(clock, _precision, result) {
      host.tick();
      const now = clock === CLOCK_REALTIME ? BigInt(Date.now()) * 1_000_000n : process.hrtime.bigint();
      view().setBigUint64(result, now, true);
      return SUCCESS;
    },
    random_get(at, length) {
      randomFillSync(bytes(at, length));
      return SUCCESS;
    },
    fd_write(descriptor, vectors, count, result) {
      let written = 0;
      for (let i = 0; i < count; i++) {
        const at = view().getUint32(vectors + 8 * i, true);
        const length = view().getUint32(vectors + 8 * i + 4, true);
        host.write(descriptor, bytes(at, length).slice());
        written += length;
      }
      view().setUint32(result, written, true);
      return SUCCESS;
    },
    fd_fdstat_get(_descriptor, result) {
      bytes(result, 24).fill(0);
      view().setUint8(result, CHARACTER_DEVICE);
      return SUCCESS;
    },
    fd_fdstat_set_flags: () => SUCCESS,
    fd_prestat_get: () => BAD_DESCRIPTOR,
    fd_close: () => SUCCESS,
    sched_yield: () => SUCCESS,
    proc_exit(status) {
      throw new Error(`the compiler ended with status ${status}`);
    },
    // Go waits here for timers. Every subscription is answered at once, so waiting is a loop over the clock.
    poll_oneoff(subscriptions, events, count, result) {
      host.tick();
      for (let i = 0; i < count; i++) {
        const event = events + EVENT_BYTES * i;
        bytes(event, EVENT_BYTES).fill(0);
        view().setBigUint64(event, view().getBigUint64(subscriptions + SUBSCRIPTION_BYTES * i, true), true);
        view().setUint8(event + 10, view().getUint8(subscriptions + SUBSCRIPTION_BYTES * i + 8));
      }
      view().setUint32(result, count, true);
      return SUCCESS;
    },
  };

  /** @type {Record<string, Record<string, Function>>} */
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] = functions[name] ?? (() => NOT_SUPPORTED);
  }
  return {
    imports: /** @type {WebAssembly.Imports} */ (imports),
    attach(/** @type {WebAssembly.Memory} */ attached) {
      memory = attached;
    },
  };
}
