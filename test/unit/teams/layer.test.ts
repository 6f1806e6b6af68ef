// The organisation's bundle as a layer: downloaded over TLS, verified, kept, and worth less when it gets old.
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { pinsOf, readKept, readTrouble } from '../../../src/config/kept.ts';
import { layerFolders } from '../../../src/config/layers.ts';
import { WindowWarnings } from '../../../src/context/window.ts';
import { find } from '../../../src/findings/find.ts';
import { Teams } from '../../../src/teams/begin.ts';
import { BundleKeeper, type Turn } from '../../../src/teams/keeper.ts';
import { promptContext } from '../../../src/workflow/prompt.ts';
import { afterTest } from '../cleanup.ts';
import { decideBy, Layered, modesYaml, packageRoot, permissions } from '../workflow/layered.ts';
import {
  type Answer,
  archiveOf,
  bundleOf,
  certificate,
  type Files,
  keysOf,
  layerFiles,
  placeAt,
  signed,
  TestServer,
} from './ground.ts';

interface Site extends Layered {
  keeper: BundleKeeper;
}

const teamsYaml = (server: TestServer, more = '', rest = '') =>
  `bundle:\n  url: ${server.url}/bundles/modes.tar.gz\n  key: key.pem\n  algorithm: ES256\n  ca: ca.pem\n${more}${rest}`;

/** A project, an organisation that pins a bundle, and what a server of ours keeps for them. */
function site(server: TestServer, more = '', rest = ''): Site {
  const layered = new Layered()
    .put('project', 'modes.yaml', modesYaml())
    .put('managed', 'teams.yaml', teamsYaml(server, more, rest))
    .put('managed', 'key.pem', keysOf('ES256').public.toString())
    .put('managed', 'ca.pem', certificate().cert);
  // One compiler for all.
  const cache = path.join(packageRoot, '.cache/policies');
  fs.mkdirSync(cache, { recursive: true });
  fs.mkdirSync(layered.data, { recursive: true });
  fs.symlinkSync(cache, path.join(layered.data, 'cache'));
  return Object.assign(layered, { keeper: keeperOf(layered) });
}

function keeperOf(layered: Layered, now: () => number = Date.now): BundleKeeper {
  const place = placeAt(layered);
  const folders = layerFolders(place.root, place).filter(({ layer }) => layer === 'managed');
  return new BundleKeeper({ dataFolder: layered.data, folders, now });
}

const codeOf = ({ outcome, refused }: Turn): string => refused?.code ?? outcome;
const bash = async (layered: Layered, command: string) => (await layered.decide('Bash', { command })).decision;

const denying = layerFiles({ deny: ['Bash(curl:*)'], ask: ['Bash(git push:*)'], allow: ['Bash(npm test:*)'] });

test('a bundle denies, asks, allows and tells the model, by rules and by Rego, for every process from the kept files alone', async () => {
  const rego = `package modes.policy.house

deny contains "no docker here" if {
	some command in input.bash.commands
	command.name == "docker"
}

ask contains "releases are asked" if {
	some command in input.bash.commands
	command.argv[1] == "publish"
}

context contains "The house rules are on the wiki."
`;
  const files = { ...denying, 'layer/policies/house.rego': rego, 'layer/CLAUDE.one.md': 'Small steps.' };
  const bytes = await signed(files);
  const server = (await TestServer.start()).serve(() => bytes);
  const place = site(server);
  expect(await bash(place, 'ls')).toBe('pass');
  expect((await place.decide('Write', { file_path: `${place.root}/a`, content: '' })).reason).toMatch(/E_BUNDLE_MISSING/);
  expect(codeOf(await place.keeper.turn())).toBe('new');
  await server.stop();
  const calls = ['curl x.org', 'git push', 'npm test', 'docker ps', 'npm publish', 'ls'];
  const opened = await place.open();
  expect(calls.map((command) => decideBy(opened, 'Bash', { command }).decision)).toEqual([
    'deny',
    'ask',
    'allow',
    'deny',
    'ask',
    'pass',
  ]);
  const project = await place.open();
  const prompt = { given: null, session: 's', permissionMode: null, transcript: '' };
  expect((await promptContext(project, prompt, new WindowWarnings())).text).toMatch(
    /Small steps\.[\s\S]*house rules are on the wiki/,
  );
  const { rules } = await place.decide('Bash', { command: 'curl x.org' });
  expect(rules[0]?.source).toMatchObject({ file: 'bundle/settings.any.json', line: 1 });
});

// Without a parser, in every process that decides: whatever a parser would take for the key has to count.
test.each([
  ['bundle: {url: x}', true],
  ['\ufeffbundle:\n  url: x\n', true],
  ['{"modes": [idle], "bundle" : {url: x}}', true],
  ['? bundle\n: {url: x}', true],
  ['&pin bundle: {url: x}', true],
  ['!!str bundle: {url: x}', true],
  ['modes: [idle] # no bundle yet', true],
  ['modes: [idle]\n  # bundle: {url: x}\n', false],
  ['modes: [idle]', false],
])('%j may name a bundle: %s', (text, names) => {
  const file = { name: 'managed/teams.yaml', text };
  const pins = pinsOf([{ layer: 'managed', shown: 'managed/', files: [file] }]);
  expect(pins !== null).toBe(names);
});

describe('what a server may answer', () => {
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
    const before = readKept(place.data)?.archive;
    bytes = await make();
    expect(codeOf(await place.keeper.turn(true))).toBe(code);
    expect(readKept(place.data)?.archive).toBe(before);
    expect(await bash(place, 'curl x.org')).toBe('deny');
  });

  test.each<[string, Answer]>([
    ['404', { status: 404 }],
    ['500', { status: 500, body: 'oh' }],
    ['another address', { status: 302, headers: { location: 'https://example.org/x' } }],
    ['304 to a question without ETag', { status: 304 }],
  ])('%s is no bundle', async (_, answer) => {
    const server = await TestServer.start();
    server.answer = () => answer;
    expect(codeOf(await site(server).keeper.turn())).toBe('E_BUNDLE_FETCH');
  });

  test('a server of another authority is not believed', async () => {
    const bytes = await good();
    const server = (await TestServer.start()).serve(() => bytes);
    const place = site(server).put('managed', 'teams.yaml', teamsYaml(server).replace('  ca: ca.pem\n', ''));
    const turn = await keeperOf(place).turn();
    expect([codeOf(turn), turn.refused?.message]).toEqual(['E_BUNDLE_FETCH', expect.stringMatching(/SELF_SIGNED/)]);
    expect(server.requests).toEqual([]);
  });

  test('what is known is not sent again, and the token is', async () => {
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

  test('a server that holds its answer back is asked again at once', async () => {
    const bytes = await good();
    const server = (await TestServer.start()).serve(() => bytes);
    const { answer } = server;
    server.answer = async (request) => {
      const given = (await answer(request)) as { headers: object; status: number };
      return { ...given, headers: { ...given.headers, 'content-type': 'application/vnd.openpolicyagent.bundles' } };
    };
    const place = site(server, '  wait: 20s\n  every: 1h\n');
    expect((await place.keeper.turn()).next).toBeLessThan(1_000);
    expect(server.requests[0]?.headers.prefer).toBe('modes=snapshot;wait=20');
  });

  test('a proxy is gone through', async () => {
    const bytes = await good();
    const server = (await TestServer.start()).serve(() => bytes);
    const asked: string[] = [];
    const proxy = http.createServer().on('connect', (request, socket) => {
      asked.push(request.url ?? '');
      const [host, port] = (request.url ?? '').split(':');
      const through = net.connect(Number(port), host === 'localhost' ? '127.0.0.1' : host, () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        through.pipe(socket).pipe(through);
      });
      for (const one of [through, socket]) one.on('error', () => through.destroy());
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    afterTest(() => proxy.close());
    const place = site(server, `  proxy: http://127.0.0.1:${(proxy.address() as AddressInfo).port}\n`);
    expect(codeOf(await place.keeper.turn())).toBe('new');
    expect(asked).toEqual([new URL(server.url).host]);
  });
});

describe('a bundle whose server is not reached', () => {
  const hour = 3_600_000;
  const files: Files = {
    ...denying,
    'layer/policies/a.rego': 'package modes.policy.a\n\nallow contains "ok" if input.tool.name == "WebFetch"\n',
  };

  /** Kept by a server whose clock was so much back, ms. */
  async function aged(ms: number, more = '', project = {}): Promise<Site> {
    const bytes = await signed(files, { now: new Date(Date.now() - 30 * 24 * hour) });
    const server = (await TestServer.start()).serve(() => bytes);
    const place = site(server, `  good_for: 2h\n${more}`).put(
      'project',
      'settings.any.json',
      permissions({ default: 'deny', ...project }),
    );
    expect(codeOf(await keeperOf(place, () => Date.now() - ms).turn())).toBe('new');
    await server.stop();
    return place;
  }
  const verdicts = async (place: Site) => {
    const project = await place.open();
    return [
      ...['curl x.org', 'git push', 'npm test'].map((command) => decideBy(project, 'Bash', { command }).decision),
      decideBy(project, 'WebFetch', { url: 'https://a.org', prompt: 'x' }).decision,
    ];
  };

  test.each<[string, number, string, string[]]>([
    ['is good for as long as is said', hour, '', ['deny', 'deny', 'allow', 'allow']],
    ['then denies and asks as before, and opens nothing', 3 * hour, '', ['deny', 'deny', 'deny', 'deny']],
    ['goes on where the organisation says keep', 3 * hour, '  stale: keep\n', ['deny', 'deny', 'allow', 'allow']],
    ['closes all but reading where it says refuse', 3 * hour, '  stale: refuse\n', ['deny', 'deny', 'deny', 'deny']],
    ['is no younger by a clock that was set back', -hour, '', ['deny', 'deny', 'deny', 'deny']],
  ])('%s', async (_, ms, more, expected) => {
    // git push would be asked; where the default denies, an ask by rule stays an ask.
    const place = await aged(ms, more);
    const [curl, push, npm, web] = await verdicts(place);
    expect([curl, npm, web]).toEqual([expected[0], expected[2], expected[3]]);
    expect(push).toBe(more.includes('refuse') ? 'deny' : 'ask');
  });

  test('says in refuse which server it waits for', async () => {
    const place = await aged(3 * hour, '  stale: refuse\n');
    expect((await place.decide('Bash', { command: 'npm test' })).reason).toMatch(/E_BUNDLE_STALE/);
    expect((await place.decide('Read', { file_path: `${place.root}/a` })).decision).not.toBe('deny');
  });

  test('ends for a session that began while it was good', async () => {
    const place = await aged(2 * hour - 1_500, '  stale: refuse\n');
    const project = await place.open('s');
    const run = () => decideBy(project, 'Bash', { command: 'npm test' }, 's').decision;
    expect(run()).toBe('allow');
    await expect
      .poll(
        async () => {
          await project.ready('s');
          return run();
        },
        { timeout: 10_000 },
      )
      .toBe('deny');
  });

  test('is verified anew when other pins are written, and is nothing to pins that it does not satisfy', async () => {
    const place = await aged(hour);
    const text = fs.readFileSync(place.at('managed', 'teams.yaml'), 'utf8');
    place.put('managed', 'teams.yaml', `${text}  every: 5m\n`);
    expect((await place.decide('Bash', { command: 'npm test' })).reason).toMatch(/E_BUNDLE_MISSING/);
    expect(codeOf(await place.keeper.turn())).toBe('E_BUNDLE_FETCH');
    expect(await bash(place, 'npm test')).toBe('allow');
    place.put('managed', 'teams.yaml', `${text}  scope: other\n`);
    expect(codeOf(await place.keeper.turn())).toBe('E_BUNDLE_FETCH');
    expect(await bash(place, 'npm test')).toBe('deny');
  });
});

test('what is kept and changed by somebody else counts as none', async () => {
  const bytes = await signed(denying);
  const server = (await TestServer.start()).serve(() => bytes);
  const place = site(server);
  await place.keeper.turn();
  const folder = path.join(place.data, 'teams');
  const [name = ''] = fs.readdirSync(folder).filter((one) => /^bundle-.*\.json$/.test(one));
  const file = path.join(folder, name);
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('Bash(curl:*)', 'Bash(nothing)'));
  expect((await place.decide('Bash', { command: 'curl x.org' })).reason).toMatch(/E_BUNDLE_MISSING/);
  expect(codeOf(await place.keeper.turn(true))).toBe('new');
  expect(await bash(place, 'curl x.org')).toBe('deny');
});

test('a key that was exchanged vouches for the whole bundle again', async () => {
  const other = keysOf('ES256', 'another');
  let bytes = await signed(denying);
  const server = (await TestServer.start()).serve(() => bytes);
  const place = site(server);
  await place.keeper.turn();
  place.put('managed', 'key.pem', other.public.toString());
  expect(codeOf(await place.keeper.turn(true))).toBe('E_BUNDLE_SIGNATURE');
  bytes = await signed(denying, { key: other.private });
  expect(codeOf(await place.keeper.turn(true))).toBe('new');
  place.drop('managed', 'key.pem');
  expect(codeOf(await place.keeper.turn(true))).toBe('E_BUNDLE_KEY');
});

test('a server begins with its first bundle, tells of trouble, and takes over what is published while it runs', async () => {
  let bytes = await signed(denying);
  const server = (await TestServer.start()).serve(() => bytes);
  const place = site(server, '  every: 50ms\n');
  const notes: string[] = [];
  let changes = 0;
  const teams = new Teams({
    place: placeAt(place),
    changed: () => void changes++,
    note: (text) => notes.push(text),
  });
  afterTest(() => teams.stop());
  await teams.start();
  expect(await bash(place, 'curl x.org')).toBe('deny');
  bytes = await signed(denying, { key: keysOf('ES256', 'another').private });
  await expect.poll(() => notes.join()).toMatch(/E_BUNDLE_SIGNATURE/);
  await expect.poll(() => readTrouble(place.data)?.code).toBe('E_BUNDLE_SIGNATURE');
  expect(find({ place: placeAt(place), start: place.root }).map(({ code }) => code)).toContain('F_BUNDLE');
  bytes = await signed({
    ...denying,
    'layer/settings.one.json': permissions({ deny: ['Bash(wget:*)'] }),
    '.manifest': '{"revision":"2"}',
  });
  await expect.poll(() => bash(place, 'wget x.org'), { timeout: 10_000 }).toBe('deny');
  expect(readTrouble(place.data)).toBeNull();
  expect(changes).toBe(2);
});
