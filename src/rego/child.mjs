// The compiler process: frames on standard input, answers on standard output, nothing else. Plain JavaScript, so that the
// same file runs from source and bundled. Started with: COMPRESSED CHECKSUM CACHE-FOLDER (empty for none).
//
// A frame is its length in four bytes, little-endian, and that much JSON: `{request, timeoutMs}` one way, the answer the other.
import { writeSync } from 'node:fs';
import { loadAsset } from './asset.mjs';
import { createWasi } from './wasi.mjs';

const MAX_FRAME_BYTES = 64 * 1024 * 1024;
const STDIN = process.stdin;
const parent = process.ppid;
/** Milliseconds of the monotonic clock after which a request is given up even when no one is left to kill this process. */
let deadline = Number.POSITIVE_INFINITY;

/** @param {string} text */
const note = (text) => process.stderr.write(`${text}\n`);

/** @typedef {{ memory: WebAssembly.Memory, _initialize: () => void, alloc: (size: number) => number, call: (at: number, size: number) => bigint }} Exports */

/** @returns {Exports} */
function start() {
  const [compressed = '', checksum = '', folder = ''] = process.argv.slice(2);
  const raw = loadAsset(compressed, checksum, folder === '' ? null : folder, note);
  const module = new WebAssembly.Module(/** @type {BufferSource} */ (raw));
  const wasi = createWasi(module, {
    write: (_descriptor, bytes) => process.stderr.write(bytes),
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
    // A full pipe; the parent is reading.
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EAGAIN') return 0;
    throw error;
  }
}

/** @param {unknown} error @returns {never} */
function fail(error) {
  send(Buffer.from(JSON.stringify({ fatal: error instanceof Error ? error.message : String(error) })));
  process.exit(2);
}

/** @type {Exports | null} */
let compiler = null;
/** @param {Buffer} frame */
function serve(frame) {
  try {
    const { request, timeoutMs } = JSON.parse(frame.toString());
    deadline = performance.now() + timeoutMs;
    compiler ??= start();
    send(answer(compiler, request));
    deadline = Number.POSITIVE_INFINITY;
  } catch (error) {
    fail(error);
  }
}

/** @type {Buffer<ArrayBufferLike>} */
let pending = Buffer.alloc(0);
STDIN.on('data', (/** @type {Buffer} */ chunk) => {
  pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
  while (pending.length >= 4) {
    const length = pending.readUInt32LE(0);
    if (length > MAX_FRAME_BYTES) fail(`a request of ${length} bytes`);
    if (pending.length < 4 + length) return;
    const frame = pending.subarray(4, 4 + length);
    pending = pending.subarray(4 + length);
    serve(frame);
  }
});
STDIN.on('end', () => process.exit(0));
