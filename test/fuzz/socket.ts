// The socket of a server, as bytes. The model: one whole request of the plainest form gets what deciding its body gives; whatever else
// is sent, an answer is one that the protocol has, there are no more answers than requests, and the next one who asks is answered.
import net from 'node:net';
import path from 'node:path';
import { SocketKeeper } from '../../src/adapters/socket/socket.ts';
import { answerText, hookAnswer } from '../../src/engine/answer.ts';
import { eventOf, makeFixture } from '../bench/fixture.ts';
import { eventSeeds, eventWords, mustBeDenied } from './events.ts';
import type { Target } from './target.ts';

/** Milliseconds after which a connection that says nothing and does not end is one that hangs. */
const HANGS = 8_000;
const BUILD = 'b1';
const CODES = new Set([100, 200, 400, 404, 405, 408, 409, 411, 413, 414, 415, 417, 431]);

const request = (head: string, body: string) => `${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** Method, path and body, where the bytes are exactly one request and nobody could read them in another way. */
function plainRequest(text: string): { body: string; headless: boolean } | null {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const [line, ...lines] = text.slice(0, end).split('\r\n');
  if (line !== 'POST /check-tool HTTP/1.1') return null;
  const fields = new Map<string, string>();
  for (const one of lines) {
    const found = /^(Host|Content-Type|Content-Length|X-Modes-Build|X-Modes-Entrypoint): ([!-~]+)$/.exec(one);
    if (found === null || fields.has(found[1]!)) return null;
    fields.set(found[1]!, found[2]!);
  }
  const body = text.slice(end + 4);
  if (!fields.has('Host') || fields.get('Content-Length') !== `${Buffer.byteLength(body, 'latin1')}`) return null;
  if (fields.has('X-Modes-Build') && fields.get('X-Modes-Build') !== BUILD) return null;
  return {
    body: Buffer.from(body, 'latin1').toString('utf8'),
    headless: (fields.get('X-Modes-Entrypoint') ?? '').startsWith('sdk-'),
  };
}

const isObject = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};

/** Everything that comes back until the server closes; undefined when it neither speaks nor closes. */
function sent(socket: string, bytes: Buffer): Promise<string | undefined> {
  return new Promise((resolve) => {
    const connection = net.connect(socket);
    let got = '';
    let hung = false;
    connection.setEncoding('latin1').setTimeout(HANGS, () => {
      hung = true;
      connection.destroy();
    });
    connection.on('data', (text: string) => (got += text));
    connection.on('error', () => undefined);
    connection.on('close', () => resolve(hung ? undefined : got));
    connection.on('connect', () => connection.end(bytes));
  });
}

export async function socketTarget(): Promise<Target> {
  const fixture = makeFixture();
  const project = await fixture.open();
  const { root } = fixture;
  const troubles: string[] = [];
  let decided = '';
  const keeper = new SocketKeeper(
    path.join(root, '.claude'),
    {
      build: BUILD,
      ready: async () => undefined,
      checkTool(text, { explain, entrypoint }) {
        if (!isObject(text)) return null;
        const decision = project.decideText(text);
        decided = text;
        return explain ? JSON.stringify(decision) : answerText(hookAnswer(decision, (entrypoint ?? '').startsWith('sdk-')));
      },
      tooLarge: () => '{"too":"large"}',
      context: () => '{}',
      status: () => '{"status":true}',
      health: () => '{"ok":true}',
    },
    (message) => void troubles.push(message),
  );
  await keeper.start();
  const socket = path.join(root, '.claude/mode.sock');
  const head = 'POST /check-tool HTTP/1.1\r\nHost: modes';
  const event = eventOf(root, 'Write', { file_path: `${root}/src/a.ts`, content: 'x' });
  const chunked = `${event.length.toString(16)}\r\n${event}\r\n0\r\n\r\n`;
  return {
    name: 'socket',
    seeds: [
      ...eventSeeds(root).map((one) => request(`${head}\r\nX-Modes-Entrypoint: cli`, one)),
      request(`${head}\r\nX-Modes-Build: ${BUILD}\r\nX-Modes-Entrypoint: sdk-cli`, event),
      request(`${head}\r\nX-Modes-Build: other`, event),
      request(`${head}\r\nExpect: 100-continue`, event),
      request(`${head.replace('check-tool', 'check-tool?explain=1')}`, event),
      request(`${head}\r\nConnection: close`, event) + request(head, event),
      request(head, event) + request(head, event),
      `${head}\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}`,
      ...[
        'GET /health',
        'GET /status',
        'GET /context?event=SessionStart',
        'GET /nothing',
        'PUT /status',
        'OPTIONS *',
        'HEAD /health',
      ].map((line) => `${line} HTTP/1.1\r\nHost: modes\r\n\r\n`),
      '',
    ],
    words: [
      ...[
        '\r\n',
        '\r\n\r\n',
        'HTTP/1.1',
        'HTTP/1.0',
        'HTTP/9.9',
        'GET ',
        'POST ',
        'DELETE ',
        'CONNECT ',
        'TRACE ',
        '/check-tool',
        '/transition',
        '/health',
        '?explain=1',
        '#',
        '//',
      ],
      ...[
        'Content-Length: 0\r\n',
        'Content-Length: 99999999999\r\n',
        'Content-Length: -1\r\n',
        'Transfer-Encoding: chunked\r\n',
        'Transfer-Encoding: identity\r\n',
        'Expect: 100-continue\r\n',
      ],
      ...[
        'Connection: upgrade\r\nUpgrade: websocket\r\n',
        'Host: a\r\n',
        ' : x\r\n',
        'X-Modes-Build: b2\r\n',
        `X: ${'y'.repeat(900)}\r\n`,
        '0\r\n\r\n',
        'ffffffff\r\n',
        '\0',
        '\n',
        '\t',
      ],
      ...eventWords(root),
    ],
    async check(text) {
      decided = '';
      const bytes = Buffer.from(text, 'utf8');
      const got = await sent(socket, bytes);
      if (got === undefined) return 'hangs';
      const answers = [...got.matchAll(/(?:^|[^"])HTTP\/1\.1 (\d{3}) [A-Z]/g)].map(([, code]) => Number(code));
      if (got !== '' && !got.startsWith('HTTP/1.1 ')) return `is answered with ${got.slice(0, 100)}`;
      const odd = answers.find((code) => !CODES.has(code));
      if (odd !== undefined) return `is answered ${odd}`;
      const plain = plainRequest(bytes.toString('latin1'));
      if (plain === null) return null;
      const body = Buffer.from(got.slice(got.indexOf('\r\n\r\n') + 4), 'latin1').toString('utf8');
      if (!isObject(plain.body)) return answers[0] === 400 ? null : `is no event, and answered ${answers[0]}`;
      if (decided !== plain.body) return 'is decided by another text than was sent';
      const expected = answerText(hookAnswer(project.decideText(plain.body), plain.headless));
      if (answers[0] !== 200 || body !== expected)
        return `is answered ${answers[0]} ${body.slice(0, 200)}, not ${expected.slice(0, 200)}`;
      return mustBeDenied(plain.body, root) && !body.includes('"permissionDecision":"deny"')
        ? `is answered ${body}, and must be denied`
        : null;
    },
    async stands() {
      const got = await sent(socket, Buffer.from('GET /health HTTP/1.1\r\nHost: modes\r\nConnection: close\r\n\r\n'));
      if (troubles.length > 0) return troubles.splice(0).join('; ');
      return got?.includes('{"ok":true}') ? null : `answers no longer: ${got}`;
    },
    close() {
      keeper.stop();
      fixture.remove();
    },
  };
}
