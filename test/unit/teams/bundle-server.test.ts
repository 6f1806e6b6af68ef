// The server of a bundle: what it may answer, how it is asked, and what is refused of it.
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { layerFolders } from '../../../src/platform/layer-folders.ts';
import { readCachedBundle } from '../../../src/store/cached-bundle.ts';
import { BundleKeeper, refuseOlder } from '../../../src/teams/keeper.ts';
import { afterTest } from '../../support/cleanup.ts';
import { type Answer, archiveOf, bundleOf, keysOf, layerFiles, placeAt, signed, TestServer } from '../../support/team-server.ts';
import { bash, codeOf, denying, keeperOf, site, teamsYaml } from './site.ts';

describe('answers of a server', () => {
  const good = () => signed(denying);

  test.each<[string, () => Promise<Buffer>, string, string?]>([
    ['not signed', async () => archiveOf(bundleOf(denying)), 'E_BUNDLE_UNSIGNED'],
    ['signed by another key', () => signed(denying, { key: keysOf('ES256', 'another').private }), 'E_BUNDLE_SIGNATURE'],
    ['signed by another algorithm', () => signed(denying, { algorithm: 'EdDSA' }), 'E_BUNDLE_SIGNATURE'],
    [
      'signed with the public key as a secret',
      () =>
        signed(denying, {
          algorithm: 'HS256',
          key: Buffer.from(keysOf('ES256').public.toString().replaceAll('-----BEGIN ', '=')),
        }),
      'E_BUNDLE_SIGNATURE',
    ],
    ['for another scope', () => signed(denying, { scope: 'write' }), 'E_BUNDLE_SCOPE'],
    ['expired', () => signed(denying, { expires: new Date(Date.now() - 3_600_000) }), 'E_BUNDLE_EXPIRED'],
    ['of an earlier signature', () => signed(denying, { now: new Date(Date.now() - 3_600_000) }), 'E_BUNDLE_ROLLBACK'],
    [
      'of a lower revision',
      () => signed({ ...denying, '.manifest': '{"revision":"0"}' }, { now: new Date(Date.now() + 10_000) }),
      'E_BUNDLE_ROLLBACK',
    ],
    ['no bundle', async () => Buffer.from('<html>'), 'E_BUNDLE_ARCHIVE'],
    ['larger than a bundle may be', async () => Buffer.alloc(17 * 1024 * 1024), 'E_BUNDLE_FETCH'],
    [
      'with a layer larger than is kept',
      () => signed({ ...denying, '.manifest': '{"revision":"2"}', 'layer/CLAUDE.one.md': '\u0001'.repeat(3_000_000) }),
      'E_BUNDLE_CONTENT',
    ],
    ['without a layer', () => signed({ '.manifest': '{"revision":"2"}' }), 'E_BUNDLE_CONTENT'],
    ['with a file that is none of a layer', () => signed({ ...denying, 'layer/settings.json': '{}' }), 'E_BUNDLE_CONTENT'],
    [
      'with an error in a file',
      () => signed({ ...denying, 'layer/settings.a.json': '{"permissions": {"alow": []}}' }),
      'E_BUNDLE_CONTENT',
    ],
  ])('a bundle that is %s is refused and named, and the last good one is kept', async (_, make, code) => {
    let bytes = await good();
    const server = (await TestServer.start()).serve(() => bytes);
    const place = site(server);
    expect(codeOf(await place.keeper.turn())).toBe('new');
    const before = readCachedBundle(place.data)?.archive;
    bytes = await make();
    expect(codeOf(await place.keeper.turn(true))).toBe(code);
    expect(readCachedBundle(place.data)?.archive).toBe(before);
    expect(await bash(place, 'curl x.org')).toBe('deny');
  });

  test.each<[string, [string, number | null], [string, number | null], boolean]>([
    ['a higher number', ['10', 2], ['9', 1], false],
    ['the same number, signed later', ['9', 2], ['9', 1], false],
    ['a lower number, signed later', ['9', 2], ['10', 1], true],
    ['a higher number, signed before', ['10', 1], ['9', 2], true],
    ['one that does not say when, after one that did', ['10', null], ['9', 2], true],
    ['a word after a number, signed later', ['abc', 2], ['9', 1], false],
    ['a word after a number, where neither says when', ['abc', null], ['9', null], true],
    ['a number after a word', ['1', null], ['abc', null], false],
  ])('after a bundle, %s', (_, [revision, issuedAt], [before, at], isOlder) => {
    const pin = { url: 'https://a.org/b' };
    const check = () => refuseOlder({ revision, issuedAt }, { ...pin, revision: before, issuedAt: at }, pin);
    if (isOlder) expect(check).toThrow(/cannot replace the one in use/);
    else expect(check).not.toThrow();
    refuseOlder({ revision, issuedAt }, { url: 'https://b.org', revision: before, issuedAt: at }, pin);
  });

  test.each<[string, Answer]>([
    ['404', { status: 404 }],
    ['500', { status: 500, body: 'oh' }],
    ['another address', { status: 302, headers: { location: 'https://example.org/x' } }],
    ['304 to a question without ETag', { status: 304 }],
  ])('%s is not a bundle', async (_, answer) => {
    const server = await TestServer.start();
    server.answer = () => answer;
    expect(codeOf(await site(server).keeper.turn())).toBe('E_BUNDLE_FETCH');
  });

  test('a server of another authority is rejected', async () => {
    const bytes = await good();
    const server = (await TestServer.start()).serve(() => bytes);
    const place = site(server).put('managed', 'teams.yaml', teamsYaml(server).replace('  ca: ca.pem\n', ''));
    const turn = await keeperOf(place).turn();
    expect([codeOf(turn), turn.refused?.message]).toEqual(['E_BUNDLE_FETCH', expect.stringMatching(/SELF_SIGNED/)]);
    expect(server.requests).toEqual([]);
  });

  test('and so is it if the environment disables certificate checks', async () => {
    const bytes = await good();
    const server = (await TestServer.start()).serve(() => bytes);
    const place = site(server).put('managed', 'teams.yaml', teamsYaml(server).replace('  ca: ca.pem\n', ''));
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    afterTest(() => vi.unstubAllEnvs());
    expect(codeOf(await keeperOf(place).turn())).toBe('E_BUNDLE_FETCH');
    expect(server.requests).toEqual([]);
  });

  test('an ETag that could not be sent back is ignored', async () => {
    const bytes = await good();
    const server = await TestServer.start();
    server.answer = () => ({ status: 200, body: bytes, headers: { etag: `"${'x'.repeat(600)} \u00e9"` } });
    const { keeper } = site(server);
    expect([codeOf(await keeper.turn()), codeOf(await keeper.turn(true))]).toEqual(['new', 'same']);
    expect(server.requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined]);
  });

  test('an unchanged bundle is not sent again, but the token is', async () => {
    const bytes = await good();
    const server = (await TestServer.start()).serve(() => bytes);
    const place = site(server, '  token: token\n').put('managed', 'token', 'abc\n');
    expect([codeOf(await place.keeper.turn()), codeOf(await place.keeper.turn(true))]).toEqual(['new', 'same']);
    expect(codeOf(await place.keeper.turn())).toBe('elsewhere');
    expect(server.requests.map(({ headers }) => [headers.authorization, headers['if-none-match'] !== undefined])).toEqual([
      ['Bearer abc', false],
      ['Bearer abc', true],
    ]);
  });

  const polling = { 'content-type': 'application/vnd.openpolicyagent.bundles' };

  test('a server that holds its answer back gets the next request at once, and its next bundle comes when it is published', async () => {
    let bytes = await good();
    const server = (await TestServer.start()).serve(() => bytes);
    const { answer } = server;
    let publish = (): void => undefined;
    const published = new Promise<void>((resolve) => {
      publish = resolve;
    });
    server.answer = async (request) => {
      if (request.headers['if-none-match'] !== undefined) await published;
      const given = (await answer(request)) as Answer;
      return { ...given, headers: { ...given.headers, ...polling } };
    };
    const place = site(server, '  wait: 20s\n  every: 1h\n');
    expect((await place.keeper.turn()).next).toBeLessThan(1_000);
    const next = place.keeper.turn();
    await expect.poll(() => server.requests.length).toBe(2);
    bytes = await signed({ ...layerFiles({ deny: ['Bash(wget:*)'] }), '.manifest': '{"revision":"2"}' });
    publish();
    expect(codeOf(await next)).toBe('new');
    expect(await bash(place, 'wget x.org')).toBe('deny');
    expect(server.requests.map(({ headers }) => headers.prefer)).toEqual(Array(2).fill('modes=snapshot;wait=20'));
  });

  test.each(['and that nothing is new', 'and gives the same bundle'])(
    'a server that only claims to hold its answer back, %s, gets requests at the normal rate',
    async (what) => {
      const bytes = await good();
      const server = (await TestServer.start()).serve(() => bytes);
      const { answer } = server;
      server.answer = async (request) => {
        const given = (await answer(what.includes('same') ? { ...request, headers: {} } : request)) as Answer;
        return { ...given, headers: { ...given.headers, ...polling } };
      };
      const place = site(server, '  wait: 20s\n  every: 1h\n');
      await place.keeper.turn();
      const { outcome, next } = await place.keeper.turn();
      expect([outcome, next >= 2_700_000]).toEqual(['same', true]);
    },
  );

  test('a failing server gets fewer and fewer requests, at random times, and the normal rate when it recovers', async () => {
    const bytes = await good();
    const server = (await TestServer.start()).serve(() => bytes);
    const { answer } = server;
    server.answer = () => ({ status: 503 });
    const place = site(server, '  every: 10m\n');
    const folders = layerFolders(place.root, placeAt(place)).filter(({ layer }) => layer === 'managed');
    let random = 0.5;
    const keeper = new BundleKeeper({ dataFolder: place.data, folders, random: () => random });
    const pauses: number[] = [];
    for (let turns = 0; turns < 10; turns++) pauses.push((await keeper.turn()).next / 1_000);
    expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
    random = 0;
    expect((await keeper.turn()).next).toBe(225_000);
    random = 1;
    expect((await keeper.turn()).next).toBe(375_000);
    server.answer = answer;
    expect(await keeper.turn()).toEqual({ outcome: 'new', next: 750_000 });
    server.answer = () => ({ status: 503 });
    expect((await keeper.turn(true)).next).toBe(2_500);
  });

  test('a request to a server that never answers ends with its process', async () => {
    const server = await TestServer.start();
    server.answer = () => 'hang';
    const { keeper } = site(server);
    const turn = keeper.turn();
    await expect.poll(() => server.requests.length).toBe(1);
    keeper.stop();
    expect(codeOf(await turn)).toBe('E_BUNDLE_FETCH');
  });

  test.each<[string, string, (url: string) => { yaml: string; env: Record<string, string> }, string]>([
    ['that teams.yaml names', 'localhost', (url) => ({ yaml: `  proxy: ${url}\n`, env: {} }), 'new'],
    [
      'of the environment',
      'policies.example',
      (url) => ({ yaml: '', env: { HTTPS_PROXY: url, NO_PROXY: '' } }),
      'E_BUNDLE_FETCH',
    ],
    ['of the environment, not to this machine itself,', 'localhost', (url) => ({ yaml: '', env: { HTTPS_PROXY: url } }), 'new'],
  ])('a proxy %s is used', async (what, host, way, expected) => {
    const bytes = await good();
    const server = (await TestServer.start()).serve(() => bytes);
    const asked: string[] = [];
    const proxy = http.createServer().on('connect', (request, socket) => {
      asked.push(request.url ?? '');
      const [, port] = (request.url ?? '').split(':');
      // Whatever it is called there: the certificate is for localhost alone.
      const through = net.connect(Number(port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        through.pipe(socket).pipe(through);
      });
      for (const one of [through, socket]) one.on('error', () => through.destroy());
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    afterTest(() => proxy.close());
    const { yaml, env } = way(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    afterTest(() => vi.unstubAllEnvs());
    const place = site(server, yaml);
    place.put('managed', 'teams.yaml', teamsYaml(server, yaml).replace('localhost', host));
    const turn = await place.keeper.turn();
    expect(codeOf(turn)).toBe(expected);
    if (expected !== 'new') expect(turn.refused?.message).toMatch(/ERR_TLS_CERT_ALTNAME_INVALID/);
    expect(asked).toEqual(what.includes('not to') ? [] : [`${host}:${new URL(server.url).port}`]);
  });

  test('the message of a refusing proxy is reported', async () => {
    const bytes = await good();
    const server = (await TestServer.start()).serve(() => bytes);
    const proxy = http
      .createServer()
      .on('connect', (_, socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'));
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    afterTest(() => proxy.close());
    const { refused } = await site(server, `  proxy: http://127.0.0.1:${(proxy.address() as AddressInfo).port}\n`).keeper.turn();
    expect(refused?.message).toMatch(/407/);
  });
});
