// Requests for a decision, one or many on a connection, in every form that HTTP allows.
import net from 'node:net';
import { describe, expect, test } from 'vitest';
import { socketName } from '../../../../src/adapters/socket/socket.ts';
import { type Asked, afterTest, answers, keep, makeFolder, within } from '../../../support/server.ts';

const event = '{"tool_name":"Räd"}';

function request(headers: string[] = [], { body = event, line = 'POST /check-tool HTTP/1.1' } = {}): string {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return `${[line, 'Host: modes', ...headers, ...(headers.some((one) => /^(content-length|transfer)/i.test(one)) ? [] : [length])].join('\r\n')}\r\n\r\n${body}`;
}

/** Sends the pieces one after the other on one connection and gives the codes and bodies that come back until it is closed. */
async function converse(folder: string, pieces: string[], endsAfter: boolean): Promise<string[]> {
  const socket = within(folder, () => net.connect({ path: socketName, allowHalfOpen: true }));
  afterTest(() => void socket.destroy());
  let text = '';
  socket.setEncoding('utf8').on('data', (part) => {
    text += part;
  });
  const closed = new Promise<void>((resolve) => socket.on('end', resolve).on('close', () => resolve()));
  socket.on('error', () => undefined);
  for (const piece of pieces) {
    await new Promise<void>((sent) => socket.write(piece, () => sent()));
    await new Promise((turn) => setTimeout(turn, 5));
  }
  if (endsAfter) socket.end();
  await closed;
  return [...text.matchAll(/HTTP\/1\.1 (\d+) [^\r]*\r\n(?:[^\r]+\r\n)*\r\n([^H]*)/g)].map(([, code, body]) => `${code} ${body}`);
}

const good = '200 {"by":"first"}';
const close = 'Connection: close';

describe('on one connection', () => {
  const rows: [name: string, pieces: string[], got: string[], asked?: (string | null)[]][] = [
    ['with a length', [request([close])], [good]],
    [
      'with every header that the hook sends',
      [request([close, 'X-Modes-Build: build-1', 'X-Modes-Entrypoint: sdk-ts'])],
      [good],
      ['sdk-ts'],
    ],
    ['headers in any case', [request(['cONNECTION: close', 'x-modes-ENTRYPOINT:cli'])], [good], ['cli']],
    ['an empty entry point', [request([close, 'X-Modes-Entrypoint: '])], [good], ['']],
    ['another build', [request([close, 'X-Modes-Build: build-2'])], ['409 {"error":"another build"}'], []],
    ['an unknown header', [request([close, 'X-Other: 1'])], [good]],
    [
      'a header twice',
      [request([close, 'X-Modes-Build: build-1', 'X-Modes-Build: build-2'])],
      ['409 {"error":"another build"}'],
      [],
    ],
    ['without a host', [request([close]).replace('Host: modes\r\n', '')], ['400 0\r\n\r\n'], []],
    ['two lengths', [request([close, 'Content-Length: 2', 'Content-Length: 3'])], [], []],
    ['a length and chunks', [request([close, 'Content-Length: 2', 'Transfer-Encoding: chunked'])], [], []],
    ['in chunks', [request([close, 'Transfer-Encoding: chunked'], { body: '2\r\n{}\r\n0\r\n\r\n' })], [good]],
    ['an older HTTP', [request([], { line: 'POST /check-tool HTTP/1.0' })], [good]],
    ['a query', [request([close], { line: 'POST /check-tool?x=1 HTTP/1.1' })], [good]],
    ['another path', [request([close], { line: 'POST /check-tools HTTP/1.1' })], ['404 {"error":"Not found"}'], []],
    ['no JSON', [request([close], { body: 'no' })], ['400 {"error":"Invalid JSON"}'], undefined],
    ['in two pieces', [request([close]).slice(0, 30), request([close]).slice(30)], [good]],
    ['head and body apart', request([close]).split(/(?<=\r\n\r\n)/), [good]],
    ['one after the other', [request(), request(), request([close])], [good, good, good]],
    ['two in one write', [request() + request([close])], [good, good]],
    ['with other headers than the request before', [request(), request(['X-Other: 1']), request([close])], [good, good, good]],
    [
      'one request, then half of the next and its rest',
      [request(), request([close]).slice(0, 40), request([close]).slice(40)],
      [good, good],
    ],
    ['only the end of the connection', [], [], []],
    ['no HTTP', ['hello\r\n\r\n'], [], []],
  ];
  test.each(rows)('%s', async (_, pieces, got, entrypoints) => {
    const folder = makeFolder();
    const given = answers();
    await keep(folder, given);
    expect(await converse(folder, pieces, pieces.length === 0)).toEqual(got);
    if (entrypoints !== undefined) expect(given.asked.map(({ entrypoint }: Asked) => entrypoint)).toEqual(entrypoints);
    for (const one of given.asked) expect([event, '{}', 'no']).toContain(one.event);
  });

  test('a sender that ends its side before the answer gets none, and the next sender is answered', async () => {
    const folder = makeFolder();
    await keep(folder, answers('first', { ready: () => new Promise((done) => setTimeout(done, 20)) }));
    expect(await converse(folder, [request()], true)).toEqual([]);
    expect(await converse(folder, [request([close])], false)).toEqual([good]);
  });

  test('requests that arrive during an answer are answered after it, in order', async () => {
    const folder = makeFolder();
    let count = 0;
    const checkTool = (): string => `{"n":${++count}}`;
    await keep(folder, answers('first', { ready: () => new Promise((done) => setTimeout(done, 20)), checkTool }));
    expect(await converse(folder, [request(), request(), request([close])], false)).toEqual([
      '200 {"n":1}',
      '200 {"n":2}',
      '200 {"n":3}',
    ]);
  });
});

test('each of many connections gets the answers to its own requests', async () => {
  const folder = makeFolder();
  await keep(folder, answers('first', { checkTool: (asked) => asked }));
  const bodies = (who: number) => Array.from({ length: 30 }, (_, turn) => `{"who":${who},"turn":${turn}}`);
  const asking = async (who: number): Promise<string[]> => {
    const socket = within(folder, () => net.connect(socketName));
    afterTest(() => void socket.destroy());
    const got: string[] = [];
    for (const body of bodies(who)) {
      socket.write(request([], { body }));
      got.push(await new Promise<string>((answered) => socket.once('data', (data) => answered(String(data)))));
    }
    return got.map((text) => text.slice(text.indexOf('\r\n\r\n') + 4));
  };
  const all = await Promise.all(Array.from({ length: 12 }, (_, who) => asking(who)));
  expect(all).toEqual(all.map((_, who) => bodies(who)));
});

test('an idle connection is closed when the server stops', async () => {
  const folder = makeFolder();
  const { keeper } = await keep(folder);
  const socket = within(folder, () => net.connect(socketName));
  await new Promise((connected) => socket.once('connect', connected));
  const closed = new Promise((end) => socket.once('close', end));
  socket.on('error', () => undefined);
  keeper.stop();
  await closed;
});
