// The socket: what it answers, whom it lets in its place, and what it never does.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAlive, SocketKeeper, socketName } from '../../../../src/adapters/socket/socket.ts';
import { maxEventBytes } from '../../../../src/facts/call.ts';
import { afterTest, answers, ask, keep, makeFolder, raw, within } from '../../../support/server.ts';

const here = path.dirname(fileURLToPath(import.meta.url));

describe('a request', () => {
  const rows: [method: string, url: string, code: number, text: string][] = [
    ['GET', '/health', 200, '{"health":"first"}'],
    ['GET', '/status', 200, '{"status":true}'],
    ['GET', '/context', 200, '{"context":"UserPromptSubmit"}'],
    ['GET', '/context?event=SessionStart', 200, '{"context":"SessionStart"}'],
    ['GET', '/context?event=SubagentStart', 200, '{"context":"SubagentStart"}'],
    ['GET', '/context?event=Nope', 400, '{"error":"Unknown event"}'],
    ['GET', '/context?event=constructor', 400, '{"error":"Unknown event"}'],
    ['GET', '/', 404, '{"error":"Not found"}'],
    ['GET', '/nope', 404, '{"error":"Not found"}'],
    ['GET', '/constructor', 404, '{"error":"Not found"}'],
    ['GET', '/health/', 404, '{"error":"Not found"}'],
    ['GET', '/check-tool', 405, '{"error":"Method not allowed"}'],
    ['POST', '/health', 405, '{"error":"Method not allowed"}'],
    ['POST', '/status', 405, '{"error":"Method not allowed"}'],
    ['PUT', '/check-tool', 405, '{"error":"Method not allowed"}'],
    ['DELETE', '/status', 405, '{"error":"Method not allowed"}'],
    ['OPTIONS', '*', 404, '{"error":"Not found"}'],
    ['POST', '/transition', 404, '{"error":"Not found"}'],
    ['POST', '/mode', 404, '{"error":"Not found"}'],
  ];
  test.each(rows)('%s %s: %d %s', async (method, url, code, text) => {
    const folder = makeFolder();
    await keep(folder);
    const got = await ask(folder, method, url);
    expect(got).toMatchObject({ code, text });
    expect(got.headers['content-type']).toBe('application/json');
    if (code === 405) expect(got.headers.allow).toMatch(/^(GET|POST)$/);
  });

  test.each<[string, { session: string | null; cwd: string | null }]>([
    ['', { session: null, cwd: null }],
    ['session=&cwd=', { session: null, cwd: null }],
    ['session=s-1&cwd=%2Fa%20b%0Ac%C3%BC%26', { session: 's-1', cwd: '/a b\ncü&' }],
  ])('names its caller in the query: %s', async (query, asker) => {
    const folder = makeFolder();
    const askers: unknown[] = [];
    const note = (one: unknown) => {
      askers.push(one);
      return '{}';
    };
    await keep(folder, answers('first', { context: (_, one) => note(one), status: note }));
    await ask(folder, 'GET', `/status?${query}`);
    await ask(folder, 'GET', `/context?${query}`);
    expect(askers).toEqual([asker, asker]);
  });

  test('with an invalid URL is refused as JSON', async () => {
    const folder = makeFolder();
    await keep(folder);
    expect(await raw(folder, 'GET //[ HTTP/1.1\r\nHost: modes\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*\{"error":"Invalid URL"\}$/,
    );
    expect(await ask(folder, 'GET', '/health')).toMatchObject({ code: 200 });
  });

  test.each(['garbage\r\n\r\n', 'GET\r\n\r\n', '\0\0\0\0\r\n\r\n', `GET /${'x'.repeat(100_000)} HTTP/1.1\r\n\r\n`])(
    'that is not HTTP (%j) is dropped, and the next is answered',
    async (text) => {
      const folder = makeFolder();
      await keep(folder);
      await raw(folder, text);
      expect(await ask(folder, 'GET', '/health')).toMatchObject({ code: 200 });
    },
  );
});

describe('an event', () => {
  test('is decided with its text, the asking client’s entry point, and explained when asked [s:headless.sender]', async () => {
    const folder = makeFolder();
    const given = answers();
    await keep(folder, given);
    expect(
      await ask(folder, 'POST', '/check-tool', { body: '{"a":"ü"}', headers: { 'x-modes-entrypoint': 'sdk-cli' } }),
    ).toMatchObject({ code: 200, text: '{"by":"first"}' });
    await ask(folder, 'POST', '/check-tool?explain=1', { body: '{}' });
    await ask(folder, 'POST', '/check-tool?explain=0', { body: '{}' });
    expect(given.asked).toEqual([
      { event: '{"a":"ü"}', explain: false, entrypoint: 'sdk-cli' },
      { event: '{}', explain: true, entrypoint: null },
      { event: '{}', explain: false, entrypoint: null },
    ]);
  });

  test.each(['', 'no', '{', '{"a":}'])('that is not JSON (%j) is a 400', async (body) => {
    const folder = makeFolder();
    await keep(folder);
    expect(await ask(folder, 'POST', '/check-tool', { body })).toMatchObject({ code: 400, text: '{"error":"Invalid JSON"}' });
  });

  test('waits until the present configuration is loaded', async () => {
    const folder = makeFolder();
    let loaded = false;
    await keep(
      folder,
      answers('first', {
        async ready() {
          await new Promise((done) => setImmediate(done));
          loaded = true;
        },
        checkTool: () => `{"loaded":${loaded}}`,
      }),
    );
    expect(await ask(folder, 'POST', '/check-tool', { body: '{}' })).toMatchObject({ text: '{"loaded":true}' });
  });

  test.each<[string, Partial<ReturnType<typeof answers>>]>([
    [
      'the decision',
      {
        checkTool: () => {
          throw new Error('x');
        },
      },
    ],
    ['loading', { ready: () => Promise.reject(new Error('x')) }],
  ])('for which %s fails gets a 500, and the next is answered', async (_, changes) => {
    const folder = makeFolder();
    await keep(folder, answers('first', changes));
    expect(await ask(folder, 'POST', '/check-tool', { body: '{}' })).toMatchObject({
      code: 500,
      text: '{"error":"Internal error"}',
    });
    expect(await ask(folder, 'GET', '/health')).toMatchObject({ code: 200 });
  });

  test('of up to 32 MB is accepted, a larger one is denied, with or without a length', async () => {
    const folder = makeFolder();
    const given = answers();
    await keep(folder, given);
    const largest = `"${'x'.repeat(maxEventBytes - 2)}"`;
    expect(await ask(folder, 'POST', '/check-tool', { body: largest })).toMatchObject({ text: '{"by":"first"}' });
    expect(given.asked[0]?.event.length).toBe(maxEventBytes);
    const chunked = { 'transfer-encoding': 'chunked' };
    expect(await ask(folder, 'POST', '/check-tool', { body: `${largest} `, headers: chunked })).toMatchObject({
      code: 200,
      text: '{"too":"large"}',
    });
    expect(
      await ask(folder, 'POST', '/check-tool', { headers: { 'content-length': maxEventBytes + 1, expect: '100-continue' } }),
    ).toMatchObject({ code: 200, text: '{"too":"large"}', continued: false });
    expect(given.asked).toHaveLength(1);
  });

  test('whose sender disconnects early does no harm', async () => {
    const folder = makeFolder();
    const given = answers();
    await keep(folder, given);
    await new Promise<void>((closed) => {
      const socket = within(folder, () => net.connect(socketName));
      socket.on('close', () => closed());
      socket.write('POST /check-tool HTTP/1.1\r\nHost: modes\r\nContent-Length: 100\r\n\r\n{"half', () => socket.destroy());
    });
    expect(await ask(folder, 'GET', '/health')).toMatchObject({ code: 200 });
    expect(given.asked).toEqual([]);
  });
});

describe('before it accepts the event, the server refuses', () => {
  test.each<[string, string, http.OutgoingHttpHeaders, number]>([
    ['a client of another build', '/check-tool', { 'x-modes-build': 'build-2' }, 409],
    ['a request for nothing', '/nope', {}, 404],
    ['a request with the wrong verb', '/status', {}, 405],
  ])('%s', async (_, url, headers, code) => {
    const folder = makeFolder();
    const given = answers();
    await keep(folder, given);
    const got = await ask(folder, 'POST', url, { headers: { ...headers, expect: '100-continue' }, body: '{}' });
    expect(got).toMatchObject({ code, continued: false });
    expect(JSON.parse(got.text)).toHaveProperty('error');
    expect(given.asked).toEqual([]);
  });

  test('and accepts that of a client of the same build', async () => {
    const folder = makeFolder();
    await keep(folder);
    expect(
      await ask(folder, 'POST', '/check-tool', { headers: { 'x-modes-build': 'build-1', expect: '100-continue' }, body: '{}' }),
    ).toMatchObject({ code: 200, continued: true });
    expect(await ask(folder, 'GET', '/context', { headers: { 'x-modes-build': 'build-2' } })).toMatchObject({ code: 409 });
  });
});

test('many requests on one connection and on several are all answered', async () => {
  const folder = makeFolder();
  await keep(folder);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
  afterTest(() => agent.destroy());
  const got = await Promise.all(Array.from({ length: 200 }, () => ask(folder, 'POST', '/check-tool', { body: '{}', agent })));
  expect(new Set(got.map(({ text }) => text))).toEqual(new Set(['{"by":"first"}']));
});

describe('the name of the socket', () => {
  test('is open to its owner only, and gone after stopping', async () => {
    const folder = makeFolder();
    const { keeper } = await keep(folder);
    expect(keeper.holds).toBe(true);
    const stat = fs.lstatSync(path.join(folder, socketName));
    expect(stat.isSocket()).toBe(true);
    expect(stat.mode & 0o777).toBe(0o600);
    expect(fs.readdirSync(folder)).toEqual([socketName]);
    keeper.stop();
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  test.each(["it's", 'a "b"', 'new\nline', 'with space', '$HOME `id`', 'ü', `${'long/'.repeat(20)}${'x'.repeat(150)}`])(
    'works in a folder called %j',
    async (name) => {
      const folder = makeFolder(`${name}/.claude`);
      const { troubles } = await keep(folder);
      expect(troubles).toEqual([]);
      expect(await ask(folder, 'GET', '/health')).toMatchObject({ code: 200 });
      expect(process.cwd()).not.toBe(folder);
    },
  );

  test('is separate for two folders with the same first hundreds of bytes', async () => {
    const long = `${'deep/'.repeat(25)}${'x'.repeat(120)}`;
    const [one, other] = [makeFolder(`${long}/a/.claude`), makeFolder(`${long}/b/.claude`)];
    expect(one.length).toBeGreaterThan(250);
    await keep(one, answers('one'));
    await keep(other, answers('other'));
    expect(await ask(one, 'GET', '/health')).toMatchObject({ text: '{"health":"one"}' });
    expect(await ask(other, 'GET', '/health')).toMatchObject({ text: '{"health":"other"}' });
  });

  test('leaves umask and working folder unchanged', async () => {
    const folder = makeFolder();
    const before = [process.cwd(), process.umask()];
    await keep(folder);
    expect([process.cwd(), process.umask()]).toEqual(before);
  });
});

describe('another file in its place', () => {
  const kinds: [string, (file: string) => void][] = [
    ['a file', (file) => fs.writeFileSync(file, 'mine')],
    ['a folder', (file) => fs.mkdirSync(file)],
    ['a full folder', (file) => fs.mkdirSync(`${file}/x`, { recursive: true })],
    ['a link to nothing', (file) => fs.symlinkSync('gone', file)],
    ['a link to a file', (file) => fs.writeFileSync(`${file}.x`, '') ?? fs.symlinkSync(`${file}.x`, file)],
  ];
  test.each(kinds)('%s stays, and is reported once', async (_, make) => {
    const folder = makeFolder();
    make(path.join(folder, socketName));
    const before = fs.lstatSync(path.join(folder, socketName)).ino;
    const { keeper, troubles } = await keep(folder);
    expect(keeper.holds).toBe(false);
    await expect.poll(() => troubles).toEqual([expect.stringContaining('is not a socket')]);
    expect(fs.lstatSync(path.join(folder, socketName)).ino).toBe(before);
  });

  test('makes room when it is removed', async () => {
    const folder = makeFolder();
    fs.mkdirSync(path.join(folder, socketName));
    const { keeper } = await keep(folder);
    fs.rmdirSync(path.join(folder, socketName));
    await expect.poll(() => keeper.holds).toBe(true);
  });

  const foreign: [string, (socket: net.Socket) => void][] = [
    ['answers {}', (socket) => void socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'))],
    ['says nothing', () => undefined],
    ['closes at once', (socket) => socket.destroy()],
  ];
  test.each(foreign)('a live socket of another process that %s is not touched', async (_, act) => {
    const folder = makeFolder();
    const server = net.createServer((socket) => {
      socket.on('error', () => socket.destroy());
      act(socket);
    });
    within(folder, () => server.listen(socketName));
    await once(server, 'listening');
    afterTest(() => server.close());
    const before = fs.lstatSync(path.join(folder, socketName)).ino;
    const { keeper } = await keep(folder);
    await new Promise((looked) => setTimeout(looked, 1_500));
    expect(keeper.holds).toBe(false);
    expect(fs.lstatSync(path.join(folder, socketName)).ino).toBe(before);
    expect(fs.readdirSync(folder)).toEqual([socketName]);
  });

  test('a missing folder is reported, and stopping works', async () => {
    const folder = makeFolder();
    fs.rmSync(folder, { recursive: true });
    const { keeper, troubles } = await keep(folder);
    expect(troubles).toEqual([expect.stringContaining('cannot be bound')]);
    keeper.stop();
  });

  test('when the folder vanishes under a bound socket, it is bound again in the next', async () => {
    const folder = makeFolder();
    const { keeper } = await keep(folder);
    fs.rmSync(folder, { recursive: true });
    fs.mkdirSync(folder);
    await expect.poll(() => keeper.holds && fs.existsSync(path.join(folder, socketName))).toBe(true);
    expect(await ask(folder, 'GET', '/health')).toMatchObject({ code: 200 });
  });
});

test('a keeper that is stopped during a check binds nothing afterwards', async () => {
  const folder = makeFolder();
  const keeper = new SocketKeeper(folder, answers(), () => undefined);
  const started = keeper.start();
  keeper.stop();
  await started;
  expect(keeper.holds).toBe(false);
  expect(fs.readdirSync(folder)).toEqual([]);
});

describe('several servers', () => {
  test('the first has the socket, another waits and takes over when it stops', async () => {
    const folder = makeFolder();
    const first = await keep(folder, answers('first'));
    const second = await keep(folder, answers('second'));
    expect([first.keeper.holds, second.keeper.holds]).toEqual([true, false]);
    expect(await ask(folder, 'GET', '/health')).toMatchObject({ text: '{"health":"first"}' });
    first.keeper.stop();
    await expect.poll(() => second.keeper.holds).toBe(true);
    expect(await ask(folder, 'GET', '/health')).toMatchObject({ text: '{"health":"second"}' });
    first.keeper.stop();
    expect(fs.existsSync(path.join(folder, socketName))).toBe(true);
  });

  test('one that lost its name to another stops using it', async () => {
    const folder = makeFolder();
    const first = await keep(folder, answers('first'));
    fs.rmSync(path.join(folder, socketName));
    const second = new SocketKeeper(folder, answers('second'), () => undefined);
    afterTest(() => second.stop());
    await second.start();
    expect(second.holds).toBe(true);
    await expect.poll(() => first.keeper.holds).toBe(false);
    expect(await ask(folder, 'GET', '/health')).toMatchObject({ text: '{"health":"second"}' });
  });

  test('exactly one of several simultaneous servers has it', async () => {
    const folder = makeFolder();
    const all = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => keep(folder, answers(name))));
    expect(all.filter(({ keeper }) => keeper.holds)).toHaveLength(1);
    expect(all.flatMap(({ troubles }) => troubles)).toEqual([]);
    expect(fs.readdirSync(folder)).toEqual([socketName]);
  });
});

describe('a process that is killed', () => {
  let bundles: string;
  beforeAll(async () => {
    bundles = fs.mkdtempSync(path.join(here, '../../../../node_modules/.cache-test-'));
    await build({
      entryPoints: [path.join(here, 'keeper.ts')],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: path.join(bundles, 'keeper.mjs'),
      logLevel: 'error',
    });
  });
  afterAll(() => fs.rmSync(bundles, { recursive: true, force: true }));

  async function start(folder: string, name: string): Promise<ChildProcess> {
    const child = spawn(process.execPath, [path.join(bundles, 'keeper.mjs'), folder, name], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    afterTest(() => child.kill('SIGKILL'));
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    return child;
  }

  test('leaves a stale socket, which the next one replaces', async () => {
    const folder = makeFolder();
    const child = await start(folder, 'killed');
    expect(await ask(folder, 'GET', '/health')).toMatchObject({ text: '{"health":"killed"}' });
    expect(await isAlive(folder, socketName)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(fs.lstatSync(path.join(folder, socketName)).isSocket()).toBe(true);
    expect(await isAlive(folder, socketName)).toBe(false);
    const { keeper } = await keep(folder, answers('next'));
    expect(keeper.holds).toBe(true);
    expect(await ask(folder, 'GET', '/health')).toMatchObject({ text: '{"health":"next"}' });
    expect(fs.readdirSync(folder)).toEqual([socketName]);
  });

  test('is replaced by the waiting one', async () => {
    const folder = makeFolder();
    const child = await start(folder, 'killed');
    const { keeper } = await keep(folder, answers('standing by'));
    expect(keeper.holds).toBe(false);
    child.kill('SIGKILL');
    await expect.poll(() => keeper.holds).toBe(true);
    expect(await ask(folder, 'GET', '/health')).toMatchObject({ text: '{"health":"standing by"}' });
  });

  test('or only suspended keeps its socket', async () => {
    const folder = makeFolder();
    const child = await start(folder, 'stopped');
    child.kill('SIGSTOP');
    const { keeper } = await keep(folder, answers('other'));
    await new Promise((looked) => setTimeout(looked, 1_500));
    expect(keeper.holds).toBe(false);
    child.kill('SIGCONT');
    expect(await ask(folder, 'GET', '/health')).toMatchObject({ text: '{"health":"stopped"}' });
  });
});

test('a name that was never bound does not count as alive', async () => {
  expect(await isAlive(makeFolder(), socketName)).toBe(false);
});
