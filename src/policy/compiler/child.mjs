// The compiler process: frames on standard input, answers on standard output, nothing else. Plain JavaScript, so that the
// same file runs from source and bundled. Started with: COMPRESSED CHECKSUM CACHE-FOLDER (empty for none).
//
// A frame is its length in four bytes, little-endian, and that much JSON: `{request, timeoutMs}` one way, the answer the other.
import { readSync, writeSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { loadAsset } from './asset.mjs';
import { createWasi } from './wasi.mjs';

const MAX_FRAME_BYTES = 64 * 1024 * 1024;
const parent = process.ppid;
/** Monotonic time in milliseconds when a request is given up. It also applies if no other process is left to kill this one. */
let deadline = Number.POSITIVE_INFINITY;

/** @param {string} text */
const note = (text) => void writeSync(2, `${text}\n`);

/** @typedef {{ memory: WebAssembly.Memory, _initialize: () => void, alloc: (size: number) => number, call: (at: number, size: number) => bigint }} Exports */

/** @returns {Exports} */
function start() {
  const [compressed = '', checksum = '', folder = ''] = process.argv.slice(2);
  const raw = loadAsset(compressed, checksum, folder === '' ? null : folder, note);
  // Few of the 40,000 functions run. The checksum makes a full validation unnecessary, and each function is still validated
  // before its first run.
  setFlagsFromString('--wasm-lazy-validation');
  const module = new WebAssembly.Module(/** @type {BufferSource} */ (raw));
  const wasi = createWasi(module, {
    write: (_descriptor, bytes) => void writeSync(2, bytes),
    tick() {
      if (performance.now() < deadline && process.ppid === parent) return;
      note('the request outlived its time limit');
      process.exit(3);
    },
  });
  const instance = new WebAssembly.Instance(module, wasi.imports);
  const exports = /** @type {Exports} */ (/** @type {unknown} */ (instance.exports));
  wasi.attach(exports.memory);
  exports._initialize();
  return exports;
}

/** @param {Exports} compiler @param {unknown} request @returns {Uint8Array} the answer's JSON */
function answer(compiler, request) {
  const text = Buffer.from(JSON.stringify(request));
  const at = compiler.alloc(text.length) >>> 0;
  new Uint8Array(compiler.memory.buffer).set(text, at);
  const packed = BigInt.asUintN(64, compiler.call(at, text.length));
  return new Uint8Array(compiler.memory.buffer, Number(packed >> 32n), Number(packed & 0xffffffffn));
}

/** @param {Uint8Array} body */
function send(body) {
  const head = Buffer.alloc(4);
  head.writeUInt32LE(body.length);
  for (const part of [head, body]) {
    for (let sent = 0; sent < part.length; ) sent += writeSome(part, sent);
  }
}

/** @param {Uint8Array} part @param {number} from @returns {number} */
function writeSome(part, from) {
  try {
    return writeSync(1, part, from);
  } catch (error) {
    // The pipe is full; the parent is reading.
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EAGAIN') return 0;
    throw error;
  }
}

/** @param {unknown} error @returns {never} */
function fail(error) {
  send(Buffer.from(JSON.stringify({ fatal: error instanceof Error ? error.message : String(error) })));
  process.exit(2);
}

/** @param {Exports} compiler @param {Buffer} frame */
function serve(compiler, frame) {
  const { request, timeoutMs } = JSON.parse(frame.toString());
  deadline = performance.now() + timeoutMs;
  send(answer(compiler, request));
  deadline = Number.POSITIVE_INFINITY;
}

/** @param {number} size @returns {Buffer | null} that many bytes of standard input; null at its end */
function receive(size) {
  const bytes = Buffer.allocUnsafe(size);
  for (let got = 0; got < size; ) {
    const count = readSome(bytes, got);
    if (count === 0) return null;
    got += count;
  }
  return bytes;
}

/** @param {Buffer} bytes @param {number} from @returns {number} */
function readSome(bytes, from) {
  for (;;) {
    try {
      return readSync(0, bytes, from, bytes.length - from, null);
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      if (code === 'EOF') return 0;
      // A pipe that does not block: the parent has not written yet.
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(idle, 0, 0, 2);
    }
  }
}

const idle = new Int32Array(new SharedArrayBuffer(4));

// Between two requests it blocks in `read`. Its start takes as long as a request, and streams would make the start longer.
try {
  const compiler = start();
  for (let head = receive(4); head !== null; head = receive(4)) {
    const length = head.readUInt32LE(0);
    if (length > MAX_FRAME_BYTES) throw new Error(`a request of ${length} bytes`);
    const frame = receive(length);
    if (frame === null) break;
    serve(compiler, frame);
  }
} catch (error) {
  fail(error);
}
process.exit(0);
