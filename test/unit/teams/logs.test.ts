// The decision log on its way to a server: every event once, whatever crashes, or said to be lost.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LogPin } from '../../../src/config/team.ts';
import { placeOf } from '../../../src/facts/paths/place.ts';
import type { LogEvent } from '../../../src/store/log/event.ts';
import { LogFiles, logFolder } from '../../../src/store/log/files.ts';
import { connect, post, waitOf } from '../../../src/teams/remote.ts';
import { BATCH_HEADER, LogSender, type Sent, withhold } from '../../../src/teams/sender.ts';
import { readSending, type Sending, sendingFile } from '../../../src/teams/sending.ts';
import { find } from '../../../src/workflow/findings/find.ts';
import { afterTest } from '../../support/cleanup.ts';
import { packageRoot } from '../../support/layered-project.ts';
import { certificate, makeFolder, type Request, TestServer } from '../../support/team-server.ts';

const eventOf = (id: string, more: object = {}): LogEvent => ({
  type: 'openpolicyagent.org/decision_logs',
  decision_id: id,
  labels: { id: '1', version: 'b', session: 's' },
  bundles: {},
  path: 'modes/verdict',
  input: { event: 'PreToolUse', tool: { name: 'Bash', input: { command: 'ls' } } },
  result: { decision: 'pass', mode: 'm', tool: 'Bash', by: 'default', rules: [], reason: '', remedy: '' } as never,
  requested_by: 'pipe',
  timestamp: new Date(0).toISOString(),
  metrics: {},
  ...more,
});

/** Events that a server was sent, each batch once, however often it came. */
class Received {
  readonly batches = new Map<string, string[]>();
  take({ headers, body }: Request): void {
    const events = JSON.parse(gunzipSync(body).toString()) as LogEvent[];
    this.batches.set(
      String(headers[BATCH_HEADER]),
      events.map((one) => one.decision_id),
    );
  }
  get ids(): string[] {
    return [...this.batches.values()].flat();
  }
}

interface Site {
  dataFolder: string;
  root: string;
  files: LogFiles;
  server: TestServer;
  received: Received;
  turn(sender?: LogSender, more?: Partial<LogPin>): Promise<Sent>;
  sender(): LogSender;
  append(...ids: string[]): void;
}

async function site(limits = { maxBytes: 1_000_000, maxFiles: 8 }): Promise<Site> {
  const base = makeFolder();
  const [dataFolder, root] = [path.join(base, 'data'), path.join(base, 'project')];
  const files = new LogFiles(logFolder(dataFolder, root), limits);
  files.prepare();
  fs.writeFileSync(path.join(base, 'ca.pem'), certificate().cert);
  const server = await TestServer.start();
  const received = new Received();
  server.answer = (request) => {
    received.take(request);
    return { status: 200 };
  };
  const pin = {
    url: `${server.url}/logs`,
    tokenFile: null,
    caFile: path.join(base, 'ca.pem'),
    proxy: null,
    every: 1_000,
    mask: [],
  };
  const sender = () => new LogSender({ dataFolder, root });
  const usual = sender();
  return {
    dataFolder,
    root,
    files,
    server,
    received,
    sender,
    append: (...ids) => void files.append(ids.map((id) => JSON.stringify(eventOf(id)))),
    async turn(by = usual, more = {}) {
      const connection = connect(pin);
      try {
        return await by.turn({ ...pin, ...more }, (body, headers) =>
          post(pin.url, connection, body, headers, new AbortController().signal),
        );
      } finally {
        await connection.close();
      }
    },
  };
}

test('later decisions are sent as by OPA, gzipped, in the order of the log', async () => {
  const { append, turn, server, received, dataFolder, root } = await site();
  append('before');
  expect((await turn()).outcome).toBe('nothing');
  append('a', 'b');
  append('c');
  expect((await turn()).outcome).toBe('sent');
  expect(received.ids).toEqual(['a', 'b', 'c']);
  expect(server.requests[0]).toMatchObject({
    method: 'POST',
    url: '/logs',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  });
  expect((await turn()).outcome).toBe('nothing');
  expect(readSending(dataFolder, root)).toMatchObject({ sent: 3, lost: 0, trouble: null });
});

test('a busy server gets no request for the requested time, and waiting lines are reported', async () => {
  const { append, turn, server, received, dataFolder, root } = await site();
  await turn();
  append('a', 'b');
  const { answer } = server;
  server.answer = () => ({ status: 429, headers: { 'retry-after': '120' } });
  expect(await turn()).toMatchObject({ outcome: 'failed', next: 120_000, why: 'the server answered 429' });
  const around = { place: { ...placeOf(root, { HOME: path.dirname(root) }, packageRoot), dataFolder }, start: root };
  expect(find(around).map(({ code, what }) => `${code} ${what}`)).toEqual([
    'F_LOGS 2 that are waiting, because the server answered 429',
  ]);
  append('c');
  server.answer = answer;
  await turn();
  await turn();
  expect(received.ids).toEqual(['a', 'b', 'c']);
  expect(find(around)).toEqual([]);
});

test.each([
  ['alone', ''],
  ['with bytes that are no text', Buffer.alloc(2_000, 0xff)],
])('a batch whose answer was lost, %s, is sent again under the same name, with the same events', async (_, bytes) => {
  const { append, turn, server, received, sender, files } = await site();
  await turn();
  append('a');
  fs.appendFileSync(files.file(1), bytes);
  if (bytes !== '') fs.appendFileSync(files.file(1), '\n');
  const { answer } = server;
  server.answer = (request) => {
    received.take(request);
    return { status: 500 };
  };
  expect((await turn()).outcome).toBe('failed');
  append('b');
  server.answer = answer;
  expect((await turn(sender())).outcome).toBe('sent');
  expect((await turn(sender())).outcome).toBe('sent');
  expect([...received.batches.values()]).toEqual([['a'], ['b']]);
  expect(server.requests).toHaveLength(3);
});

test('a batch that is too large is halved, and a single event that is too large is lost and counted', async () => {
  const { append, turn, server, received, dataFolder, root } = await site();
  await turn();
  const { answer } = server;
  server.answer = (request) => {
    const events = JSON.parse(gunzipSync(request.body).toString()) as LogEvent[];
    return events.length > 2 || events.some(({ decision_id: id }) => id === 'huge') ? { status: 413 } : answer(request);
  };
  append('a', 'b', 'c', 'huge', 'd', 'e', 'f');
  const pauses: number[] = [];
  for (let turns = 0; turns < 40; turns++) {
    const { outcome, next } = await turn();
    if (outcome === 'nothing') break;
    pauses.push(next);
  }
  expect(received.ids).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  // What waits does not wait longer because it goes in small batches.
  expect(pauses.filter((pause) => pause > 100)).toHaveLength(1);
  expect(readSending(dataFolder, root)).toMatchObject({ sent: 6, lost: 1 });
});

test('files that are removed before they are sent are lost and counted, to the event', async () => {
  const { append, turn, server, received, dataFolder, root } = await site({ maxBytes: 2_000, maxFiles: 3 });
  await turn();
  const { answer } = server;
  server.answer = () => ({ status: 503 });
  const ids = Array.from({ length: 60 }, (_, i) => `e${i}`);
  for (const id of ids) {
    append(id);
    await turn();
  }
  server.answer = answer;
  for (let turns = 0; turns < 40 && (await turn()).outcome !== 'nothing'; turns++);
  const { sent, lost } = readSending(dataFolder, root) as Sending;
  expect(received.ids).toEqual(ids.slice(-sent));
  expect([sent + lost, lost > 0]).toEqual([ids.length, true]);
});

test('files that came and went without a sender are reported as uncounted losses', async () => {
  const { append, turn, received, dataFolder, root } = await site({ maxBytes: 2_000, maxFiles: 3 });
  await turn();
  append('a');
  await turn();
  const ids = Array.from({ length: 60 }, (_, i) => `e${i}`);
  append('b');
  for (const id of ids) append(id);
  for (let turns = 0; turns < 40 && (await turn()).outcome !== 'nothing'; turns++);
  const { sent, lostMore } = readSending(dataFolder, root) as Sending;
  expect(received.ids).toEqual(['a', ...ids.slice(1 - sent)]);
  expect([sent < ids.length, lostMore]).toEqual([true, true]);
  const around = { place: { ...placeOf(root, { HOME: path.dirname(root) }, packageRoot), dataFolder }, start: root };
  expect(find(around).map(({ what }) => what)).toEqual(['an unknown number of decisions that will never arrive']);
});

test.each<[string, string, number]>([
  ['torn', '{"torn', 0],
  ['longer than a batch', '\0'.repeat(600_000), 0],
  ['without an end in a file that is full', '\0'.repeat(600_000), 1_000_000],
])('a line that is %s is counted, and stops nothing', async (_, text, size) => {
  const { append, turn, received, files, dataFolder, root } = await site();
  await turn();
  append('a');
  fs.appendFileSync(files.file(1), text + '\0'.repeat(size));
  append('b');
  for (let turns = 0; turns < 10 && (await turn()).outcome !== 'nothing'; turns++);
  expect(received.ids).toEqual(['a', 'b']);
  expect(readSending(dataFolder, root)).toMatchObject({ sent: 2, lost: 1 });
});

test('a new address continues at the same position, and losses stay reported', async () => {
  const { append, turn, received, files, dataFolder, root } = await site();
  await turn();
  files.append(['{"torn']);
  append('a');
  await turn();
  append('b');
  await turn(undefined, { url: 'https://other.example/logs' });
  expect(received.ids).toEqual(['a', 'b']);
  expect(readSending(dataFolder, root)).toMatchObject({ sent: 1, lost: 1 });
});

test.each(['', '{"version":1', 'null', '{"version":1,"to":"x"}'])(
  'with the record %j of sent events, nothing is sent twice, and possible losses are reported',
  async (text) => {
    const { append, turn, received, dataFolder, root } = await site();
    await turn();
    append('a');
    await turn();
    append('b', 'c');
    fs.writeFileSync(sendingFile(dataFolder, root), text);
    const around = { place: { ...placeOf(root, { HOME: path.dirname(root) }, packageRoot), dataFolder }, start: root };
    const told = () => find(around).map(({ what }) => what);
    expect(told()).toEqual([expect.stringMatching(/an unknown number/)]);
    await turn();
    append('d');
    await turn();
    expect(received.ids).toEqual(['a', 'd']);
    expect(told()).toEqual(['3 that may not have arrived, because the record of deliveries was damaged']);
    await turn();
    expect(readSending(dataFolder, root)).toMatchObject({ sent: 1, lost: 0, doubtful: 3 });
  },
);

test.each<[string, number | null]>([
  ['', null],
  ['120', 120_000],
  ['soon', null],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 60_000],
  ['Sun, 06 Nov 1994 08:48:00 GMT', 0],
])('Retry-After: %s is a pause of %s ms', (text, expected) => {
  expect(waitOf(text, Date.parse('1994-11-06T08:48:37Z'))).toBe(expected);
});

test('a token that cannot be read is reported with its file', async () => {
  const { append, turn, sender, dataFolder } = await site();
  await turn();
  append('a');
  const pin = {
    url: 'https://localhost/logs',
    tokenFile: path.join(dataFolder, 'none'),
    caFile: null,
    proxy: null,
    every: 1_000,
    mask: [],
  };
  const { why } = await sender().turn({ ...pin, url: pin.url }, async () => {
    connect(pin);
    throw new Error('not reached');
  });
  expect(why).toMatch(/none, which teams\.yaml names, cannot be read \(ENOENT\)/);
});

test('one process sends for a project', async () => {
  const { append, turn, dataFolder, root } = await site();
  await turn();
  append('a');
  const other = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { stdio: 'ignore' });
  afterTest(() => other.kill('SIGKILL'));
  const file = path.join(path.dirname(logFolder(dataFolder, root)), 'log-sender');
  fs.writeFileSync(file, String(other.pid));
  expect((await turn()).outcome).toBe('elsewhere');
  const gone = once(other, 'exit');
  other.kill('SIGKILL');
  await gone;
  expect((await turn()).outcome).toBe('sent');
});

test.each<[string, string[], object]>([
  ['nothing', [], { input: { a: { b: 1 }, c: [1, 2] }, erased: undefined }],
  ['a value', ['/input/a/b'], { input: { a: {}, c: [1, 2] }, erased: ['/input/a/b'] }],
  ['an item of a list', ['/input/c/0'], { input: { a: { b: 1 }, c: [null, 2] }, erased: ['/input/c/0'] }],
  ['all of it', ['/input'], { input: undefined, erased: ['/input'] }],
  ['what is not there', ['/input/x/y', '/input/constructor'], { input: { a: { b: 1 }, c: [1, 2] }, erased: undefined }],
])('%s is removed from an event before it is sent', (_, pointers, expected) => {
  const event = eventOf('a', { input: { a: { b: 1 }, c: [1, 2] } });
  const { input, erased } = withhold(event, pointers);
  expect({ input, erased }).toEqual(expected);
  expect(event.input).toEqual({ a: { b: 1 }, c: [1, 2] });
});

test('the call as another harness named it does not leave, whatever the mask says', () => {
  const event = eventOf('a', { input: { asked: { tool: 'bash', input: {} }, c: 1 } });
  const { input, labels } = withhold({ ...event, labels: { ...event.labels, call: 'c' } }, ['/input/c']);
  expect(input).toEqual({});
  expect(labels).toEqual(event.labels);
});

describe('processes that crash', () => {
  let bundle: string;
  beforeAll(async () => {
    const here = path.dirname(fileURLToPath(import.meta.url));
    bundle = fs.mkdtempSync(path.join(here, '../../../node_modules/.cache-test-'));
    await build({
      entryPoints: { writer: path.join(here, '../store/log/writer.ts'), sending: path.join(here, 'sending.ts') },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outdir: bundle,
      outExtension: { '.js': '.mjs' },
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
      logLevel: 'error',
    });
  });
  afterAll(() => fs.rmSync(bundle, { recursive: true, force: true }));

  test('deliver every event once, killed before the answer, after it and anywhere between', { timeout: 60_000 }, async () => {
    const { dataFolder, root, server, received, turn, files } = await site();
    await turn();
    fs.rmSync(path.join(path.dirname(files.folder), 'log-sender'));
    const start = (): ChildProcess =>
      spawn(
        process.execPath,
        [path.join(bundle, 'sending.mjs'), dataFolder, root, `${server.url}/logs`, path.join(path.dirname(dataFolder), 'ca.pem')],
        {
          stdio: ['ignore', 'inherit', 'inherit'],
        },
      );
    let sending = start();
    let kills = 0;
    // Every second batch is the last thing that its sender sees: half of them arrive before it dies.
    server.answer = async (request) => {
      const isLast = server.requests.length % 2 === 0 && kills < 4;
      if (isLast && kills++ % 2 === 0) received.take(request);
      if (!isLast) {
        received.take(request);
        return { status: 200 };
      }
      const gone = once(sending, 'exit');
      sending.kill('SIGKILL');
      await gone;
      sending = start();
      return 'hang';
    };
    afterTest(() => sending.kill('SIGKILL'));
    const writers = ['a', 'b'].map(async (name) => {
      const args = [path.join(bundle, 'writer.mjs'), dataFolder, root, name, '1000', '0', '100000'];
      const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'close');
      expect(code).toBe(0);
    });
    await Promise.all(writers);
    await expect.poll(() => received.ids.length, { timeout: 40_000 }).toBe(2_000);
    expect(new Set(received.ids).size).toBe(2_000);
    expect(kills).toBeGreaterThan(1);
    expect(server.requests.length).toBeGreaterThan(received.batches.size);
    await expect.poll(() => readSending(dataFolder, root)).toMatchObject({ sent: 2_000, lost: 0, trouble: null });
  });
});
