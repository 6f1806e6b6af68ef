// The compiler's bytes: cached raw, verified always.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const module = resolve(import.meta.dirname, '../../../../src/policy/compiler/asset.mjs');
const raw = Buffer.from('\0asm and the rest of the compiler');
const hash = createHash('sha256').update(raw).digest('hex');
let folder: string;
let cache: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'modes-asset-'));
  cache = join(folder, 'data', 'opa');
  writeFileSync(join(folder, 'opa.br'), brotliCompressSync(raw));
  writeFileSync(join(folder, 'opa.sha256'), `${hash}\n`);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Loads in a process of its own, as the compiler does. */
function load(cacheFolder: string | null): { text: string | null; error: string | null; notes: string[] } {
  const code = `import { loadAsset } from ${JSON.stringify(module)};
    const notes = [];
    let text = null, error = null;
    try { text = Buffer.from(loadAsset('opa.br', 'opa.sha256', ${JSON.stringify(cacheFolder)}, (note) => notes.push(note))).toString(); }
    catch (thrown) { error = thrown.message; }
    console.log(JSON.stringify({ text, error, notes }));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { cwd: folder, encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

const cachedFile = () => join(cache, readdirSync(cache)[0]!);

describe('the compiler’s bytes', () => {
  test('are decompressed once and then read from the cache, which only its owner can read', () => {
    expect(load(cache)).toEqual({ text: raw.toString(), error: null, notes: [] });
    expect(readdirSync(cache)).toHaveLength(1);
    expect(statSync(cachedFile()).mode & 0o777).toBe(0o600);
    expect(statSync(cache).mode & 0o777).toBe(0o700);
    writeFileSync(join(folder, 'opa.br'), 'gone');
    expect(load(cache).text).toBe(raw.toString());
  });

  test('need no cache', () => {
    expect(load(null).text).toBe(raw.toString());
    expect(existsSync(cache)).toBe(false);
  });

  test.each([
    ['changed', () => writeFileSync(cachedFile(), Buffer.concat([raw.subarray(0, -1), Buffer.from('!')]))],
    ['cut short', () => writeFileSync(cachedFile(), raw.subarray(0, 5))],
    ['empty', () => writeFileSync(cachedFile(), '')],
  ])('are decompressed again when the cached file is %s', (_, damage) => {
    load(cache);
    damage();
    expect(load(cache).text).toBe(raw.toString());
    expect(readFileSync(cachedFile())).toEqual(raw);
  });

  test('are used even if something else is in place of the cached file', () => {
    load(cache);
    const file = cachedFile();
    rmSync(file);
    mkdirSync(file);
    const loaded = load(cache);
    expect(loaded.text).toBe(raw.toString());
    expect(loaded.notes).not.toEqual([]);
  });

  test('are used even if the folder cannot be created', () => {
    writeFileSync(join(folder, 'data'), 'a file');
    const loaded = load(cache);
    expect(loaded.text).toBe(raw.toString());
    expect(loaded.notes).not.toEqual([]);
  });

  test('leave no half-written file behind', () => {
    load(cache);
    rmSync(cachedFile());
    load(cache);
    expect(readdirSync(cache).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test.each([
    ['is damaged', () => writeFileSync(join(folder, 'opa.br'), brotliCompressSync(Buffer.from('other')))],
    ['is no brotli', () => writeFileSync(join(folder, 'opa.br'), 'other')],
    ['is missing', () => rmSync(join(folder, 'opa.br'))],
    ['has no checksum', () => writeFileSync(join(folder, 'opa.sha256'), 'none')],
    ['cannot be read', () => (process.getuid?.() === 0 ? rmSync(join(folder, 'opa.br')) : chmodSync(join(folder, 'opa.br'), 0))],
  ])('are refused when the compressed file %s', (_, damage) => {
    damage();
    expect(load(cache)).toMatchObject({ text: null, error: expect.stringMatching(/./) });
    expect(existsSync(cache)).toBe(false);
  });
});
