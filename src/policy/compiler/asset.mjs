// The bytes of the compiler. They are stored compressed in the package and raw in a cache folder, and used only after a check of
// their checksum.
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

const MAX_RAW_BYTES = 256 * 1024 * 1024;

/**
 * Returns the raw WASM. A damaged cached file is replaced. If the folder cannot be written, this only costs time.
 * @param {string} compressed path of opa.wasm.br
 * @param {string} checksum path of the file with the SHA-256 of the raw bytes in hex
 * @param {string | null} folder cache folder; null decompresses in memory each time
 * @param {(note: string) => void} note called with the reason why a file could not be cached
 * @returns {Uint8Array}
 * @throws {Error} if the compressed file is missing or does not have the checksum
 */
export function loadAsset(compressed, checksum, folder, note) {
  const expected = readFileSync(checksum, 'utf8').trim().slice(0, 64);
  if (!/^[0-9a-f]{64}$/.test(expected)) throw new Error(`${checksum} contains no SHA-256`);
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
