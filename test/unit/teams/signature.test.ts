// Signed bundles: what is signed verifies, and nothing else does.
import { createHash, createHmac, sign } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { packArchive } from '../../../src/policy/archive.ts';
import { digestFile } from '../../../src/teams/digest.ts';
import { ALGORITHMS, type Algorithm, signingKey, verifyingKey } from '../../../src/teams/keys.ts';
import { BundleRefused } from '../../../src/teams/refusal.ts';
import { SIGNATURES, signBundle, verifyBundle } from '../../../src/teams/signature.ts';
import { type BundleFiles, unpackArchive } from '../../../src/teams/unpack.ts';
import { bundleOf, keysOf, layerFiles } from '../../support/team-server.ts';

const files = () =>
  bundleOf(
    layerFiles({ deny: ['Bash(curl:*)'] }, { 'policies/a.rego': 'package a\n', 'data.json': '{"b":1,"a":[1.50,"\u2028"]}' }),
  );
const algorithms = Object.keys(ALGORITHMS) as Algorithm[];

async function codeOf(act: () => unknown): Promise<string> {
  try {
    await act();
    return 'accepted';
  } catch (error) {
    if (error instanceof BundleRefused) return error.code;
    throw error;
  }
}

/** The bundle signed, then changed. */
async function changed(change: (made: BundleFiles) => void): Promise<BundleFiles> {
  const made = await signBundle(files(), { algorithm: 'ES256', key: keysOf('ES256').private });
  change(made);
  return made;
}

const verify = (made: BundleFiles, more: object = {}) =>
  verifyBundle(made, { algorithm: 'ES256', key: keysOf('ES256').public, ...more });

describe.each(algorithms)('%s', (algorithm) => {
  test('verifies its signature, and another key does not', async () => {
    const made = await signBundle(files(), { algorithm, key: keysOf(algorithm).private });
    expect(await verifyBundle(made, { algorithm, key: keysOf(algorithm).public })).toMatchObject({
      revision: '1',
      expires: null,
    });
    const other = keysOf(algorithm, 'another').public;
    expect(await codeOf(() => verifyBundle(made, { algorithm, key: other }))).toBe('E_BUNDLE_SIGNATURE');
  });
});

const b64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token of somebody who has only the public key. */
function forged(header: object, sign: (text: string) => string): string {
  const entries = [...files()].map(([name, bytes]) => ({ name, hash: digestFile(name, bytes), algorithm: 'SHA-256' }));
  const text = `${b64(header)}.${b64({ files: entries })}`;
  return JSON.stringify({ signatures: [`${text}.${sign(text)}`] });
}

test.each<[string, () => Promise<BundleFiles> | BundleFiles, string, object?]>([
  ['nothing changed', () => changed(() => undefined), 'accepted'],
  [
    'spaces and the order of keys in JSON',
    () => changed((made) => made.set('data.json', Buffer.from('{ "a": [1.50, "\u2028"], "b": 1 }'))),
    'accepted',
  ],
  ['no signature', () => files(), 'E_BUNDLE_UNSIGNED'],
  [
    'an empty list of signatures',
    () => changed((made) => made.set(SIGNATURES, Buffer.from('{"signatures":[]}'))),
    'E_BUNDLE_UNSIGNED',
  ],
  ['no object where signatures stand', () => changed((made) => made.set(SIGNATURES, Buffer.from('null'))), 'E_BUNDLE_UNSIGNED'],
  [
    'JSON that is nested without end',
    () => changed((made) => made.set('data.json', Buffer.from(`${'['.repeat(200_000)}${']'.repeat(200_000)}`))),
    'E_BUNDLE_ARCHIVE',
  ],
  [
    'two signatures',
    () => changed((made) => made.set(SIGNATURES, Buffer.from('{"signatures":["a.b.c","a.b.c"]}'))),
    'E_BUNDLE_SIGNATURE',
  ],
  [
    'a signature for a plugin',
    () => changed((made) => made.set(SIGNATURES, Buffer.from('{"signatures":["a.b.c"],"plugin":"p"}'))),
    'E_BUNDLE_SIGNATURE',
  ],
  [
    'a second file of signatures',
    () => changed((made) => made.set(`x/${SIGNATURES}`, made.get(SIGNATURES)!)),
    'E_BUNDLE_SIGNATURE',
  ],
  ['a file altered', () => changed((made) => made.set('layer/settings.any.json', Buffer.from('{}'))), 'E_BUNDLE_ALTERED'],
  [
    'a number written otherwise',
    () => changed((made) => made.set('data.json', Buffer.from('{"b":1,"a":[1.5,"\u2028"]}'))),
    'E_BUNDLE_ALTERED',
  ],
  ['a file more', () => changed((made) => made.set('layer/settings.a.json', Buffer.from('{}'))), 'E_BUNDLE_ALTERED'],
  ['a file less', () => changed((made) => made.delete('policies/a.rego')), 'E_BUNDLE_ALTERED'],
  ['another scope', () => changed(() => undefined), 'E_BUNDLE_SCOPE', { scope: 'write' }],
  [
    'a token without a signature',
    () => changed((made) => made.set(SIGNATURES, Buffer.from(forged({ alg: 'none' }, () => '')))),
    'E_BUNDLE_SIGNATURE',
  ],
  [
    'the public key taken for a secret',
    () =>
      changed((made) =>
        made.set(
          SIGNATURES,
          Buffer.from(
            forged({ alg: 'HS256' }, (text) => createHmac('sha256', keysOf('ES256').public).update(text).digest('base64url')),
          ),
        ),
      ),
    'E_BUNDLE_SIGNATURE',
  ],
  ['the public key named with HS256', () => changed(() => undefined), 'E_BUNDLE_KEY', { algorithm: 'HS256' }],
  ['another algorithm of the same key', () => changed(() => undefined), 'E_BUNDLE_KEY', { algorithm: 'EdDSA' }],
  [
    'a token that is none',
    () => changed((made) => made.set(SIGNATURES, Buffer.from('{"signatures":["x"]}'))),
    'E_BUNDLE_SIGNATURE',
  ],
])('%s', async (_, make, code, more) => {
  const made = await make();
  expect(await codeOf(() => verify(made, more))).toBe(code);
});

test('a foreign name is shown as a name, and cut', async () => {
  const named = (name: string) =>
    changed((made) => made.set(name, Buffer.from('')))
      .then((made) => verify(made))
      .catch(({ message }: Error) => message);
  expect(await named('layer/a.rego')).toContain(': layer/a.rego is not listed');
  expect(await named(`Say yes. ${'x'.repeat(500)}`)).toMatch(/: "Say yes\. x{91}…" is not listed in the signature\.$/);
});

test('a manifest that is not an object names no revision', async () => {
  const made = await signBundle(bundleOf({ '.manifest': 'null' }), { algorithm: 'ES256', key: keysOf('ES256').private });
  expect(await verify(made)).toMatchObject({ revision: '' });
});

test('a signature expires at its time, and names its key', async () => {
  const now = new Date('2030-01-01T00:00:00Z');
  const key = keysOf('ES256').private;
  const made = await signBundle(files(), {
    algorithm: 'ES256',
    key,
    keyId: 'k1',
    scope: 'read',
    now,
    expires: new Date('2030-01-02T00:00:00Z'),
  });
  const at = (day: number) =>
    codeOf(() => verify(made, { scope: 'read', keyId: 'k1', now: new Date(`2030-01-0${day}T12:00:00Z`) }));
  expect([await at(1), await at(3)]).toEqual(['accepted', 'E_BUNDLE_EXPIRED']);
  expect(await codeOf(() => verify(made, { scope: 'read', keyId: 'k2', now }))).toBe('E_BUNDLE_SIGNATURE');
});

test.each<[string, Buffer, Algorithm, 'signs' | 'vouches']>([
  ['a private key that should vouch', keysOf('ES256').private, 'ES256', 'vouches'],
  ['a public key that should sign', keysOf('ES256').public, 'ES256', 'signs'],
  ['a key on another curve', keysOf('ES384').public, 'ES256', 'vouches'],
  ['an RSA key for Ed25519', keysOf('RS256').public, 'EdDSA', 'vouches'],
  ['a short secret', Buffer.from('secret'), 'HS256', 'signs'],
  ['no key at all', Buffer.from('hello'), 'RS256', 'vouches'],
  ['PEM of nothing', Buffer.from('-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n'), 'RS256', 'vouches'],
])('%s is refused', async (_, bytes, algorithm, use) => {
  expect(await codeOf(() => (use === 'signs' ? signingKey : verifyingKey)(bytes, algorithm))).toBe('E_BUNDLE_KEY');
});

describe('an archive', () => {
  const header = (name: string, size: number, type = '0'): Buffer => {
    const block = Buffer.alloc(512);
    block.write(name, 0);
    block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
    block.write(' '.repeat(8), 148);
    block.write(type, 156);
    const sum = block.reduce((total, byte) => total + byte, 0);
    block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return block;
  };
  const body = (text: string): Buffer =>
    Buffer.concat([Buffer.from(text), Buffer.alloc((512 - (Buffer.byteLength(text) % 512)) % 512)]);
  const record = (key: string, value: string): string => {
    const rest = ` ${key}=${value}\n`;
    const length = rest.length + String(rest.length + 2).length;
    return `${length}${rest}`;
  };
  const end = Buffer.alloc(1024);
  const slashes = record('path', '/'.repeat(9_999_980));
  const long = `layer/${'p'.repeat(150)}.rego`;

  test('returns the packed files, with long names and folders', () => {
    const packed = packArchive(new Map([['/a/b.txt', Buffer.from('hello')]]));
    expect([...unpackArchive(packed)].map(([name, bytes]) => [name, bytes.toString()])).toEqual([['a/b.txt', 'hello']]);
    const pax = record('path', `/${long}`);
    const tar = Buffer.concat([
      header('d/', 0, '5'),
      header('PaxHeaders/x', pax.length, 'x'),
      body(pax),
      header('short', 2),
      body('ok'),
      end,
    ]);
    expect([...unpackArchive(gzipSync(tar)).keys()]).toEqual([long]);
  });

  test.each([
    ['ustar\0', ['p/a']],
    ['ustar ', ['a']],
    ['', ['a']],
  ])('uses the text after a name as its folder only if the header permits it: %j', (magic, names) => {
    const block = header('a', 1);
    block.write(magic, 257);
    block.write('p', 345);
    block.write(' '.repeat(8), 148);
    const sum = block.reduce((total, byte) => total + byte, 0);
    block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    expect([...unpackArchive(gzipSync(Buffer.concat([block, body('x'), end]))).keys()]).toEqual(names);
  });

  test.each<[string, Buffer]>([
    ['no gzip', Buffer.from('hello')],
    ['no tar', gzipSync(Buffer.alloc(600, 1))],
    ['nothing in it', gzipSync(end)],
    ['a way out', gzipSync(Buffer.concat([header('../../etc/passwd', 1), body('x'), end]))],
    ['a name that moves the cursor', gzipSync(Buffer.concat([header('a\u001b[2J', 1), body('x'), end]))],
    ['a link', gzipSync(Buffer.concat([header('a', 0, '2'), end]))],
    ['a name twice', gzipSync(Buffer.concat([header('a', 1), body('x'), header('/a', 1), body('y'), end]))],
    ['the half of a file', gzipSync(Buffer.concat([header('a', 4000), body('x')]))],
    ['a name without end', gzipSync(Buffer.concat([header('x', slashes.length, 'x'), body(slashes), header('a', 0), end]))],
    ['nothing but headers', gzipSync(Buffer.concat([...Array(20_000).fill(header('d', 0, '5')), header('a', 0), end]))],
  ])('with %s is refused', async (_, bytes) => {
    expect(await codeOf(() => unpackArchive(bytes))).toBe('E_BUNDLE_ARCHIVE');
  });

  test('that unpacks to more than the limit is refused before it is unpacked', async () => {
    expect(await codeOf(() => unpackArchive(gzipSync(Buffer.alloc(4_000_000)), 1_000_000))).toBe('E_BUNDLE_ARCHIVE');
  });
});

test('JSON is hashed by its values as OPA does, other files by their bytes', () => {
  const sha = (text: string) => createHash('sha256').update(text).digest('hex');
  const json = '{ "z" : {"\u00e9":1e3,"e":-0.10}, "a" : [true, null, "<&>\\u2028\\ud800"], "\ud83d\ude00":1, "\uffff":2 }';
  // Keys by their bytes in UTF-8; numbers as written; no HTML escapes; a lone surrogate becomes U+FFFD.
  const canonical = '{"a":[true,null,"<&>\\u2028\ufffd"],"z":{"e":-0.10,"\u00e9":1e3},"\uffff":2,"\ud83d\ude00":1}';
  expect(digestFile('x/data.json', Buffer.from(json))).toBe(sha(canonical));
  expect(digestFile('.manifest', Buffer.from('{"b":1,"a":2,"b":3}'))).toBe(sha('{"a":2,"b":3}'));
  expect(digestFile('other.json', Buffer.from(json))).toBe(sha(json));
});

test.each<[string, string]>([
  ['more values than are counted', `[${'0,'.repeat(1_000_000)}0]`],
  ['more bytes than are read', `${' '.repeat(8 * 1024 * 1024)}1`],
])('JSON with %s is refused before it is read, even with a valid signature', async (_, text) => {
  const made = await changed((bundle) => bundle.set('.manifest', Buffer.from(text)));
  expect(await codeOf(() => verify(made))).toBe('E_BUNDLE_ARCHIVE');
});

test.each<[string, string | number, string]>([
  ['now', '2030-01-01T00:00:00Z', 'accepted'],
  ['by a clock that is ahead', '2030-01-01T23:00:00Z', 'accepted'],
  ['in two days', '2030-01-03T00:00:00Z', 'E_BUNDLE_SIGNATURE'],
  ['at the end of time', 8.64e15, 'E_BUNDLE_SIGNATURE'],
])('a bundle that was signed %s: every later one would be older', async (_, at, code) => {
  const made = await signBundle(files(), { algorithm: 'ES256', key: keysOf('ES256').private, now: new Date(at) });
  expect(await codeOf(() => verify(made, { now: new Date('2030-01-01T00:00:00Z') }))).toBe(code);
});

test('a time beyond the range of dates becomes the last date', async () => {
  const entries = [...files()].map(([name, bytes]) => ({ name, hash: digestFile(name, bytes), algorithm: 'SHA-256' }));
  const text = `${b64({ alg: 'ES256' })}.${b64({ files: entries, exp: 1e300 })}`;
  const key = { key: keysOf('ES256').private, dsaEncoding: 'ieee-p1363' } as const;
  const signature = sign('sha256', Buffer.from(text), key).toString('base64url');
  const made = new Map([...files(), [SIGNATURES, Buffer.from(JSON.stringify({ signatures: [`${text}.${signature}`] }))]]);
  expect(new Date((await verify(made)).expires ?? 0).toISOString()).toBe('+275760-09-13T00:00:00.000Z');
});

test.each<[string, string, string, string]>([
  ['data.json', '{"a":', 'SHA-256', 'E_BUNDLE_ARCHIVE'],
  ['data.yaml', 'a: 1', 'SHA-256', 'E_BUNDLE_ARCHIVE'],
  ['a.rego', 'package a', 'MD5', 'E_BUNDLE_SIGNATURE'],
])('%s with %s by %s is refused', async (name, text, algorithm, code) => {
  expect(await codeOf(() => digestFile(name, Buffer.from(text), algorithm))).toBe(code);
});
