// The compiler's bytes: kept compressed beside the program, raw in a cache folder, and never used without their checksum.
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

const MAX_RAW_BYTES = 256 * 1024 * 1024;

/**
 * The raw WASM. A cached file that is damaged is replaced; a folder that cannot be written costs time, nothing else.
 * @param {string} compressed path of opa.wasm.br
 * @param {string} checksum path of the file that holds the SHA-256 of the raw bytes in hex
 * @param {string | null} folder cache folder; null decompresses in memory each time
 * @param {(note: string) => void} note told what could not be cached
 * @returns {Uint8Array}
 * @throws {Error} when the compressed file is missing or not what the checksum says
 */
export function loadAsset(compressed, checksum, folder, note) {
  const expected = readFileSync(checksum, 'utf8').trim().slice(0, 64);
  if (!/^[0-9a-f]{64}$/.test(expected)) throw new Error(`${checksum} holds no SHA-256`);
  const cached = folder === null ? null : join(folder, `opa-${expected.slice(0, 16)}.wasm`);
  if (cached !== null) {
    const raw = readCached(cached, note);
    if (raw !== null && sha256(raw) === expected) return raw;
  }
  const raw = brotliDecompressSync(readFileSync(compressed), { maxOutputLength: MAX_RAW_BYTES });
  const actual = sha256(raw);
  if (actual !== expected) throw new Error(`${compressed} is damaged: SHA-256 ${actual}, expected ${expected}`);
  if (folder !== null && cached !== null) writeCached(folder, cached, raw, note);
  return raw;
}

/** @param {Uint8Array} bytes */
function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}

/** @param {string} file @param {(note: string) => void} note */
function readCached(file, note) {
  try {
    return readFileSync(file);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') note(`cannot read ${file}: ${error}`);
    return null;
  }
}

/** @param {string} folder @param {string} file @param {Uint8Array} raw @param {(note: string) => void} note */
function writeCached(folder, file, raw, note) {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(temporary, raw, { mode: 0o600, flag: 'wx' });
    chmodSync(temporary, 0o600);
    renameSync(temporary, file);
  } catch (error) {
    note(`cannot cache ${file}: ${error}`);
    if (existsSync(temporary)) rmSync(temporary);
  }
}
