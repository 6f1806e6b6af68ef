// Bundles and their cache: the same parts give the same hash, and what is damaged counts as absent.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { sha256 } from '../../../src/platform/hash.ts';
import { type Bundle, type BundleParts, bundleFiles, makeBundle, openBundle } from '../../../src/policy/bundle.ts';
import {
  bundleKey,
  cacheFile,
  cacheKind,
  obtainBundle,
  readBundle,
  writeBundle,
  writeCacheFile,
} from '../../../src/policy/cache.ts';
import { fields } from '../../../src/store/record.ts';
import { compileRego, newCompiler } from '../../support/compiler.ts';

const compiler = newCompiler();
let wasm: Uint8Array;
let parts: BundleParts;
let bundle: Bundle;
let folder: string;
/** Comparable quickly: bytes as their hash. */
const inShort = (result: object) => {
  const { bundle: made, ...rest } = result as { bundle?: Bundle };
  return { ...rest, bundle: made && { ...made, wasm: sha256(made.wasm), data: sha256(made.data) } };
};
const key = bundleKey({ mode: 'test-dev', hash: 1 });

beforeAll(async () => {
  wasm = await compileRego(compiler, { 'a.rego': 'package modes\n\nverdict := data.rules\n' }, ['modes/verdict']);
  parts = { mode: 'test-dev', wasm, entrypoints: ['modes/verdict'], data: { rules: { a: ['ä', '\ud800'] } } };
  bundle = makeBundle(parts);
});
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'modes-cache-')), 'bundles');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

describe('bundles', () => {
  test('answer with their data in place', () => {
    expect(openBundle(bundle).evaluate({})).toEqual({ a: ['ä', '\ufffd'] });
  });

  test('have a hash that every part of them changes, and nothing else', () => {
    expect(bundle.hash).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(makeBundle(parts).hash).toBe(bundle.hash);
    const changes: Partial<BundleParts>[] = [
      { mode: 'other' },
      { wasm: new Uint8Array([...wasm, 0]) },
      { entrypoints: ['modes/verdict', 'modes/x'] },
      { data: { rules: {} } },
      { needsToolInput: true },
      { revision: 'r1' },
      { policies: [{ name: 'p', title: null, description: null, modes: null, remedy: null, rules: {}, files: [] }] },
    ];
    const hashes = changes.map((change) => makeBundle({ ...parts, ...change }).hash);
    expect(new Set([bundle.hash, ...hashes]).size).toBe(changes.length + 1);
  });

  test('have the files of an OPA bundle', () => {
    const files = bundleFiles(bundle);
    expect([...files.keys()]).toEqual(['/policy.wasm', '/data.json', '/.manifest']);
    const manifest = JSON.parse(Buffer.from(files.get('/.manifest')!).toString());
    expect(manifest).toMatchObject({
      roots: ['modes', 'rules'],
      rego_version: 1,
      wasm: [{ entrypoint: 'modes/verdict', module: '/policy.wasm' }],
    });
    expect(manifest.revision).toMatch(/^[0-9a-f]{16}$/);
    expect(manifest.metadata.files['data.json']).toBe(sha256(files.get('/data.json')!));
    expect(sha256(files.get('/.manifest')!)).toBe(bundle.hash);
  });
});

describe('keys', () => {
  test('are the same for the same content and safe as file names', () => {
    expect(bundleKey({ mode: 'test-dev', hash: 1 })).toBe(key);
    expect(bundleKey({ mode: '../../etc', hash: 1 })).toMatch(/^[0-9a-f]{64}$/);
    expect(bundleKey({ mode: 'test-dev', hash: 2 })).not.toBe(key);
  });
});

describe('the cache', () => {
  test('returns the stored value', () => {
    expect(readBundle(folder, key)).toEqual({ found: false, problem: null });
    expect(writeBundle(folder, key, bundle)).toBeNull();
    const cached = readBundle(folder, key);
    expect(inShort(cached)).toEqual(inShort({ found: true, bundle }));
    if (cached.found) expect(openBundle(cached.bundle).evaluate({})).toEqual({ a: ['ä', '\ufffd'] });
  });

  test('is readable only by its owner', () => {
    writeBundle(folder, key, bundle);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  test('stores one WASM for all bundles that share it, and none that is stored elsewhere', () => {
    writeBundle(folder, key, bundle);
    writeBundle(folder, bundleKey(2), makeBundle({ ...parts, data: { rules: {} } }));
    expect(readdirSync(folder).filter((name) => name.endsWith('.wasm'))).toHaveLength(1);
    const other = join(folder, '..', 'other');
    const core = { hash: sha256(wasm), bytes: wasm };
    writeBundle(other, key, bundle, core);
    expect(readdirSync(other).filter((name) => name.endsWith('.wasm'))).toEqual([]);
    expect(inShort(readBundle(other, key, core))).toEqual(inShort({ found: true, bundle }));
    expect(readBundle(other, key).found).toBe(false);
    expect(readBundle(other, key, { hash: sha256('newer'), bytes: wasm }).found).toBe(false);
  });

  const kinds = ['json', 'wasm', 'data'] as const;
  const fileOf = (kind: string) => join(folder, readdirSync(folder).find((name) => name.endsWith(`.${kind}`))!);
  const damages: [string, (file: string) => void][] = [
    [
      'changed in one byte',
      (file) => {
        const bytes = readFileSync(file);
        bytes[bytes.length >> 1]! ^= 1;
        writeFileSync(file, bytes);
      },
    ],
    ['cut short', (file) => writeFileSync(file, readFileSync(file).subarray(0, 20))],
    ['empty', (file) => writeFileSync(file, '')],
    [
      'a folder',
      (file) => {
        rmSync(file);
        mkdirSync(file);
      },
    ],
    [
      'a link to somewhere else',
      (file) => {
        writeFileSync(`${file}.moved`, readFileSync(file));
        rmSync(file);
        symlinkSync(`${file}.moved`, file);
      },
    ],
  ];
  test.each(kinds.flatMap((kind) => damages.map(([how, damage]) => ({ kind, how, damage }))))(
    'a $kind file that is $how causes a new build',
    async ({ kind, damage, how }) => {
      writeBundle(folder, key, bundle);
      damage(fileOf(kind));
      let built = 0;
      const build = async () => {
        built += 1;
        return { ok: true as const, bundle };
      };
      const obtained = await obtainBundle(folder, key, build);
      expect(inShort(obtained)).toMatchObject(inShort({ ok: true, bundle }));
      expect(built).toBe(1);
      if (how === 'a folder') return; // Stays in the way; the next one builds again.
      expect(inShort(await obtainBundle(folder, key, build))).toEqual(inShort({ ok: true, bundle, warnings: [] }));
      expect(built).toBe(1);
    },
  );

  test('a manifest that names other files is refused even when they are there', () => {
    writeBundle(folder, key, bundle);
    const other = makeBundle({ ...parts, data: { rules: 'other' } });
    writeBundle(folder, bundleKey('other'), other);
    const file = join(folder, `${key}.json`);
    writeFileSync(file, JSON.stringify({ key, manifest: other.manifest, hash: bundle.hash }));
    expect(readBundle(folder, key)).toMatchObject({ found: false, problem: { code: 'W_BUNDLE_CACHE', severity: 'warning' } });
  });

  test('an entry of another key is refused', () => {
    const elsewhere = bundleKey('other');
    writeBundle(folder, key, bundle);
    writeBundle(folder, elsewhere, makeBundle({ ...parts, data: { rules: 'other' } }));
    writeFileSync(join(folder, `${key}.json`), readFileSync(join(folder, `${elsewhere}.json`)));
    expect(readBundle(folder, key)).toMatchObject({ found: false, problem: { code: 'W_BUNDLE_CACHE', severity: 'warning' } });
    const kind = cacheKind(fields({ allow: z.array(z.string()) }));
    writeCacheFile(kind, folder, key, { allow: [] });
    writeCacheFile(kind, folder, elsewhere, { allow: ['Write'] });
    expect(kind.read(cacheFile(folder, key))).toEqual({ allow: [] });
    writeFileSync(join(folder, `${key}.kept`), readFileSync(join(folder, `${elsewhere}.kept`)));
    expect(kind.read(cacheFile(folder, key))).toBeNull();
  });

  test('a failed build is returned, and nothing is stored', async () => {
    const failure = {
      ok: false as const,
      problems: [{ code: 'E_REGO_PARSE', severity: 'error' as const, message: 'm', remedy: 'r' }],
    };
    expect(await obtainBundle(folder, key, async () => failure)).toEqual(failure);
    expect(existsSync(folder)).toBe(false);
  });

  test('a folder that is not writable is a warning, not a failure', async () => {
    writeFileSync(folder, 'a file');
    const obtained = await obtainBundle(folder, key, async () => ({ ok: true, bundle }));
    expect(inShort(obtained)).toMatchObject(
      inShort({ ok: true, bundle, warnings: [{ code: 'W_BUNDLE_CACHE', severity: 'warning' }] }),
    );
  });

  test('stores the bundles of all modes of a large configuration, and of many projects', () => {
    for (let i = 0; i < 400; i++) writeBundle(folder, bundleKey(i), makeBundle({ ...parts, data: { rules: i } }));
    for (let i = 0; i < 400; i++) expect(readBundle(folder, bundleKey(i)).found).toBe(true);
  });

  test('is limited, and keeps the used entries', () => {
    writeBundle(folder, key, bundle);
    const old = new Date(Date.now() - 3 * 24 * 60 * 60 * 1000);
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), old, old);
    let last = '';
    for (let i = 0; i < 1_025; i++) {
      last = bundleKey(i);
      writeBundle(folder, last, makeBundle({ ...parts, data: { rules: i } }));
    }
    expect(readdirSync(folder).filter((name) => name.endsWith('.json')).length).toBeLessThanOrEqual(1_024);
    expect(readBundle(folder, last).found).toBe(true);
    expect(readBundle(folder, key)).toEqual({ found: false, problem: null });
    expect(existsSync(join(folder, `${bundle.manifest.metadata.files['data.json'].slice(7)}.data`))).toBe(false);
  });
});
