// Signed bundles: a stock OPA verifies the bundles that we sign, and we verify those that it signs. Each side refuses a signature
// by another key.
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cacheFolder, loadSource, root } from './load-source.mjs';

/** Every algorithm of OPA's configuration that we support, and Ed25519, which OPA's command line supports. */
const KEYS = {
  EdDSA: () => pair('ed25519'),
  ES256: () => pair('ec', { namedCurve: 'prime256v1' }),
  ES384: () => pair('ec', { namedCurve: 'secp384r1' }),
  RS256: () => pair('rsa', { modulusLength: 2048 }),
  RS512: () => pair('rsa', { modulusLength: 2048 }),
  PS256: () => pair('rsa', { modulusLength: 2048 }),
  HS256: () => {
    const secret = randomBytes(48).toString('base64');
    return { privateKey: secret, publicKey: secret };
  },
};

function pair(type, options = {}) {
  return generateKeyPairSync(type, {
    ...options,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
}

/**
 * Contents with hashes that two implementations easily compute differently: numbers, order, characters that some encoders escape,
 * names of folders.
 */
const FILES = {
  'data.json':
    '{"rules": {"n": [1.50, 1e3, -0.10, 12345678901234567890, 0], "é": {"\\uffff": 1, "😀": 2, "a": "<&>\\u2028\\u2029\\u0007\\b\\f"}}}',
  'x/data.json': '[{"b": null, "a": true}]',
  'policies/a.rego': 'package modes\n\nverdict := {"verdict": "pass"}\n',
  'layer/settings.any.json': '{"permissions": {"deny": ["Bash(curl:*)"]}}\n',
  'layer/CLAUDE.work.md': 'Write small.\n',
};
const MANIFEST = { revision: '7', roots: ['modes', 'rules', 'x'], rego_version: 1, metadata: { é: [1, 2.5], a: { b: 'c' } } };

function runOpa(opa, args, cwd) {
  const { status, stdout, stderr } = spawnSync(opa, args, {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: tmpdir() },
  });
  return { ok: status === 0, said: `${stdout}${stderr}`.slice(0, 2000) };
}

/** A bundle that our command line builds and signs, with its layer, served by a stock OPA that verifies it. */
async function checkWhole(opa, check, { key, publicKey, folder }) {
  const modes = (...args) => {
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'dist/modes.mjs'), 'bundle', ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: join(cacheFolder, 'home') },
    });
    return status === 0 ? '' : stderr;
  };
  const file = join(folder, 'whole.tar.gz');
  const project = join(root, 'examples/tdd-checked');
  const said = [
    modes('build', '--project', project, '-o', file, '--revision', '12'),
    modes('sign', file, '--key', key, '--alg', 'EdDSA'),
  ].join('');
  check('modes bundle builds and signs an example', said === '', said);
  const out = join(folder, 'merged.tar.gz');
  const args = ['build', '-b', file, '-o', out, '--verification-key', publicKey, '--signing-alg', 'EdDSA'];
  const verified = runOpa(opa, [...args, '--verification-key-id', 'default']);
  check('opa verifies and loads it, layer and all', verified.ok, verified.said);
  const input = join(folder, 'input.json');
  writeFileSync(input, '{"tool": {"name": "Read", "group": "read", "keys": ["Read"]}}');
  const answered = runOpa(opa, ['eval', '-b', out, '-i', input, '-f', 'raw', 'is_string(data.modes.verdict.verdict)']);
  check('opa answers from it', answered.ok && answered.said.trim() === 'true', answered.said);
}

/** `check(name, holds, detail)` reports. */
export async function compareSigning(opa, check) {
  const { signBundle, verifyBundle } = await loadSource('src/teams/signature.ts');
  const { unpackArchive } = await loadSource('src/teams/unpack.ts');
  const { packArchive } = await loadSource('src/policy/archive.ts');
  const folder = mkdtempSync(join(tmpdir(), 'modes-signing-'));
  const archive = (files) => packArchive(new Map([...files].map(([name, bytes]) => [`/${name}`, bytes])));
  const verifies = (file, algorithm, key, scope = '') =>
    runOpa(opa, [
      ...['build', '-b', file, '-o', join(folder, 'out.tar.gz'), '--verification-key', key, '--signing-alg', algorithm],
      ...['--verification-key-id', 'default', ...(scope === '' ? [] : ['--scope', scope])],
    ]);
  const accepts = (files, options) =>
    verifyBundle(files, options).then(
      () => 'accepted',
      (error) => error.code ?? String(error),
    );
  try {
    const tree = join(folder, 'tree');
    const source = { ...FILES, '.manifest': JSON.stringify(MANIFEST, null, 2) };
    for (const [name, text] of Object.entries(source)) {
      mkdirSync(dirname(join(tree, name)), { recursive: true });
      writeFileSync(join(tree, name), text);
    }
    for (const [algorithm, make] of Object.entries(KEYS)) {
      const [own, other] = [make(), make()];
      const [key, publicKey, otherKey] = ['private', 'public', 'other'].map((name) => join(folder, `${algorithm}-${name}.pem`));
      writeFileSync(key, own.privateKey);
      writeFileSync(publicKey, own.publicKey);
      writeFileSync(otherKey, other.publicKey);
      const files = new Map(Object.entries(source).map(([name, text]) => [name, Buffer.from(text)]));
      const signed = await signBundle(files, { algorithm, key: Buffer.from(own.privateKey), scope: 'write' });
      const ours = join(folder, `${algorithm}.tar.gz`);
      writeFileSync(ours, archive(signed));
      const good = verifies(ours, algorithm, publicKey, 'write');
      check(`opa verifies a bundle that we signed with ${algorithm}`, good.ok, good.said);
      check(`opa refuses it with another key of ${algorithm}`, !verifies(ours, algorithm, otherKey, 'write').ok);
      signed.set('layer/settings.any.json', Buffer.from('{}'));
      writeFileSync(ours, archive(signed));
      check(`opa refuses it altered (${algorithm})`, !verifies(ours, algorithm, publicKey, 'write').ok);

      if (algorithm === 'EdDSA') await checkWhole(opa, check, { key, publicKey, folder });
      const theirs = join(folder, `${algorithm}-theirs.tar.gz`);
      const built = runOpa(opa, ['build', '-b', tree, '-o', theirs, '--signing-key', key, '--signing-alg', algorithm]);
      const pin = { algorithm, key: readFileSync(publicKey) };
      const read = built.ok ? unpackArchive(readFileSync(theirs)) : new Map();
      const verdict = await accepts(read, pin);
      check(`we verify a bundle that opa signed with ${algorithm}`, verdict === 'accepted', `${verdict} ${built.said}`);
      const wrong = await accepts(read, { ...pin, key: Buffer.from(other.publicKey) });
      check(`we refuse it with another key of ${algorithm}`, wrong === 'E_BUNDLE_SIGNATURE', wrong);
      const policy = [...read.keys()].find((name) => name.endsWith('.rego'));
      read.set(policy, Buffer.from('package modes\n'));
      const altered = await accepts(read, pin);
      check(`we refuse it altered (${algorithm})`, altered === 'E_BUNDLE_ALTERED', altered);

      const told = runOpa(opa, ['sign', '--signing-key', key, '--signing-alg', algorithm, '-b', '.', '-o', folder], tree);
      const beside = new Map([
        ...files,
        ['.signatures.json', told.ok ? readFileSync(join(folder, '.signatures.json')) : Buffer.from('')],
      ]);
      const plain = await accepts(beside, pin);
      check(`we verify files that opa sign vouches for with ${algorithm}`, plain === 'accepted', `${plain} ${told.said}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
